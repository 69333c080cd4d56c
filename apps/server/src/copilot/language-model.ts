import { readFile } from 'node:fs/promises'

import { ModelFailure, type LanguageModel, type StreamPiece } from '@septet/copilot'
import type { FinishReason, LanguageModelUsage, ModelMessage, ToolSet } from 'ai'

import type { CopilotConfig } from '../copilot-settings.ts'

type Prompt = Parameters<LanguageModel['converse']>[0]

/** What one step may say, tokens. */
const MOST_SAID = 2000
/** Characters of a token, where a server does not count them. */
const CHARACTERS_OF_TOKEN = 4

/** A language model behind an OpenAI-compatible API. The SDK is loaded at the first question. */
export const openLanguageModel = (config: CopilotConfig): LanguageModel => ({
  name: config.model,
  converse: (prompt) => converse(config, prompt),
})

async function* converse(config: CopilotConfig, prompt: Prompt): AsyncIterable<StreamPiece> {
  const model = await modelOf(config)
  const told: Told = { model, tokens: 0, said: prompt.instructions.length, messages: [] }
  yield* round(config, prompt, tell(told, prompt.question))
  const more = prompt.again()
  if (more !== undefined) yield* round(config, prompt, tell(told, more))
}

/** One conversation: what was said in it, and what that cost so far. */
type Told = {
  readonly model: Awaited<ReturnType<typeof modelOf>>
  readonly messages: ModelMessage[]
  tokens: number
  said: number
}

function tell(told: Told, content: string): Told {
  told.said += content.length
  told.messages.push({ role: 'user', content })
  return told
}

/** Lets the model speak until it has answered. */
async function* round(config: CopilotConfig, prompt: Prompt, told: Told): AsyncGenerator<StreamPiece> {
  const { streamText, stepCountIs } = await import('ai')
  const spend = (usage: LanguageModelUsage): void => {
    const tokens = usage.totalTokens ?? Math.ceil(told.said / CHARACTERS_OF_TOKEN)
    told.tokens += tokens
    prompt.onTokens(tokens)
  }
  const speaking = streamText({
    model: told.model,
    instructions: prompt.instructions,
    messages: told.messages,
    tools: await toolsOf(prompt, (characters) => (told.said += characters)),
    maxOutputTokens: MOST_SAID,
    maxRetries: 0,
    abortSignal: prompt.signal,
    stopWhen: [stepCountIs(config.steps + 1), () => told.tokens >= config.tokens.answer],
    // After the last call it is to answer.
    prepareStep: ({ stepNumber }) => (stepNumber < config.steps ? {} : { toolChoice: 'none' as const }),
    // Told by the stream.
    onError: () => undefined,
  })
  let finish: FinishReason | undefined
  try {
    for await (const part of speaking.stream) {
      if (part.type === 'text-delta') {
        told.said += part.text.length
        yield { kind: 'text', text: part.text }
      } else if (part.type === 'tool-call') yield { kind: 'called' }
      else if (part.type === 'finish-step') {
        spend(part.usage)
        finish = part.finishReason
      } else if (part.type === 'error') throw part.error
    }
  } catch (error) {
    // What a step spent that broke is not told.
    prompt.onTokens(Math.ceil(told.said / CHARACTERS_OF_TOKEN))
    throw await failureOf(error, config)
  }
  const cut = cutBecause(finish, told.tokens >= config.tokens.answer, config)
  if (cut !== undefined) throw new ModelFailure(cut)
  // Only now: of a stream that failed it would be a rejection that nobody hears.
  told.messages.push(...(await speaking.responseMessages))
}

/** Why it came to no end of its own. */
function cutBecause(
  finish: FinishReason | undefined,
  isSpent: boolean,
  { tokens, steps }: CopilotConfig,
): string | undefined {
  if (finish === 'stop') return undefined
  if (isSpent) return `the budget of ${tokens.answer} tokens for one answer is used up`
  if (finish === 'tool-calls') return `the model called tools ${steps} times without answering`
  if (finish === 'length') return `the model did not come to an end within ${MOST_SAID} tokens`
  return 'the model broke off'
}

async function modelOf({ url, model, key }: CopilotConfig) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const { extractReasoningMiddleware, wrapLanguageModel } = await import('ai')
  const apiKey = await keyText(key)
  const provider = createOpenAICompatible({
    name: 'copilot',
    baseURL: url,
    ...(apiKey === undefined ? {} : { apiKey }),
    includeUsage: true,
    // A key is for the host it was given for.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
  })
  // Local models think aloud in the text.
  return wrapLanguageModel({ model: provider(model), middleware: extractReasoningMiddleware({ tagName: 'think' }) })
}

async function keyText(key: CopilotConfig['key']): Promise<string | undefined> {
  if (key === undefined || 'text' in key) return key?.text
  try {
    return (await readFile(key.file, 'utf8')).trim()
  } catch {
    throw new ModelFailure('the file of SEPTET_COPILOT_KEY_FILE cannot be read')
  }
}

async function toolsOf({ tools }: Prompt, heard: (characters: number) => void): Promise<ToolSet> {
  const { dynamicTool, jsonSchema } = await import('ai')
  return Object.fromEntries(
    tools.map(({ name, description, input, run }) => [
      name,
      dynamicTool({
        description,
        inputSchema: jsonSchema(input),
        execute: async (given) => {
          const text = await run(given)
          heard(text.length)
          return text
        },
      }),
    ]),
  )
}

/** Half a sentence, without anything that the server said: its words are nobody's here. */
async function failureOf(error: unknown, { steps }: CopilotConfig): Promise<ModelFailure> {
  const { APICallError, ToolChoiceViolationError } = await import('ai')
  if (ToolChoiceViolationError.isInstance(error))
    return new ModelFailure(`the model called tools ${steps} times without answering`)
  if (!APICallError.isInstance(error)) return new ModelFailure('what the model sent could not be read')
  const { statusCode, cause } = error
  if (statusCode === 429) return new ModelFailure('the model is asked too often at the moment (429)')
  if (statusCode === 401 || statusCode === 403) return new ModelFailure(`the model refused the key (${statusCode})`)
  if (statusCode === undefined) return new ModelFailure('the model cannot be reached')
  if (statusCode !== 200) return new ModelFailure(`the model answered ${statusCode}`)
  // `fetch` says so that a connection was lost.
  return new ModelFailure(cause instanceof TypeError ? 'the model broke off' : 'what the model sent could not be read')
}
