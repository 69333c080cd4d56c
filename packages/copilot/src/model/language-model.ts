/** One tool as a model is told of it. */
export type ModelTool = {
  readonly name: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly input: Readonly<Record<string, unknown>>
  /** What the model reads of its answer, also where it is refused. */
  readonly run: (input: unknown) => Promise<string>
}

type Prompt = {
  readonly instructions: string
  readonly question: string
  readonly tools: readonly ModelTool[]
  readonly signal: AbortSignal
  /** Told of tokens as they are spent, in and out. */
  readonly onTokens: (tokens: number) => void
  /** Asked once it has answered: what it is to put right, with the conversation as it stands; undefined: nothing. */
  readonly again: () => string | undefined
}

/** A piece of what a model says, or that it called tools: what it said before was not an answer yet. */
export type StreamPiece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'called' }

/** A language model that calls tools until it answers. It may throw a `ModelFailure` at any piece. */
export type LanguageModel = {
  readonly name: string
  readonly converse: (prompt: Prompt) => AsyncIterable<StreamPiece>
}

/** A model gave no whole answer; the message says why, as half a sentence: "it did not answer within 60 s". */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
}
