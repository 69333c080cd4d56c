import type { CopilotAnswer } from '@septet/contract'

import { sentenceReader } from '../check/sentences.ts'
import type { Engine } from '../copilot.ts'
import { answerByRules } from '../rules/answer-by-rules.ts'
import { changeAsked } from '../rules/changes.ts'
import { instructionsFor } from './instructions.ts'
import { leaningOf } from '../rules/leaning.ts'
import { ModelFailure, type LanguageModel } from './language-model.ts'
import { openMask, type Mask } from './mask.ts'
import { openTurn, type Turn } from './turn.ts'

export type ModelParts = {
  readonly model: LanguageModel
  /** Hashes names that the model must not read; undefined: it reads them. */
  readonly hashName: ((name: string) => string) | undefined
  readonly budget: {
    /** Which budget is used up, in words; undefined while there is some left. */
    readonly usedUp: () => Promise<string | undefined>
    readonly spend: (tokens: number) => Promise<void>
  }
  /** Milliseconds that an answer may take. */
  readonly withinMs: number
}

/**
 * Answers by a language model. Only sentences that the results of its tools cover are said; where none is left, or the
 * model fails, rules answer and the answer says why. Throws what the signal was aborted with.
 */
export const modelEngine =
  (parts: ModelParts): Engine =>
  async (asked, answering) => {
    // A change is refused without asking anybody, and so is what leans on a question that was not answered.
    const leans = asked.after === null && leaningOf(asked.question) !== undefined
    if (leans || changeAsked(asked.question) !== undefined) return answerByRules(asked, answering)
    const usedUp = await parts.budget.usedUp()
    if (usedUp !== undefined) return instead(usedUp, asked, answering)
    const mask = parts.hashName && (await openMaskFor(parts.hashName, asked, answering))
    const turn = openTurn(answering.ask, mask)
    const failure = await converse(parts, { asked, answering, mask, turn })
    answering.signal?.throwIfAborted()
    if (turn.sentences.length === 0) return instead(failure ?? NOTHING_LEFT, asked, answering)
    return {
      id: answering.id,
      at: new Date(answering.now).toISOString(),
      question: asked.question,
      engine: {
        kind: 'model',
        name: parts.model.name,
        ...(failure === undefined ? {} : { because: `The answer may be incomplete: ${failure}.` }),
      },
      verdict: 'answered',
      sentences: [...turn.sentences],
      blocks: [],
      citations: [...turn.citations],
      next: nextOf(turn),
      intent: { family: MODEL_FAMILY, slots: { question: asked.question.slice(0, 600) } },
      dropped: turn.dropped,
    }
  }

type Question = Parameters<Engine>[0]
type Answering = Parameters<Engine>[1]
type Conversing = {
  readonly asked: Question
  readonly answering: Answering
  readonly mask: Mask | undefined
  readonly turn: Turn
}

const NOTHING_LEFT = 'no result covered what the model said'
/** So that the next question finds this one. */
const MODEL_FAMILY = 'model'

/** Lets the model speak; gives why it did not come to its end. */
async function converse(parts: ModelParts, { asked, answering, mask, turn }: Conversing): Promise<string | undefined> {
  const timeOut = AbortSignal.timeout(parts.withinMs)
  const signal = AbortSignal.any([timeOut, ...(answering.signal === undefined ? [] : [answering.signal])])
  const reader = sentenceReader()
  const say = (sentences: readonly string[]): void => {
    for (const sentence of sentences) {
      const said = turn.offer(sentence)
      if (said !== undefined) answering.onText?.(said)
    }
  }
  let spent = 0
  try {
    const pieces = parts.model.converse({
      ...promptOf(asked, { now: answering.now, mask }),
      tools: turn.tools,
      signal,
      onTokens: (tokens) => (spent += tokens),
    })
    for await (const piece of pieces) {
      if (piece.kind === 'text') say(reader.read(piece.text))
      else {
        say(reader.end())
        turn.called()
      }
    }
    say(reader.end())
    return undefined
  } catch (error) {
    if (timeOut.aborted) return `the model did not answer within ${parts.withinMs / 1000} s`
    if (error instanceof ModelFailure || signal.aborted) return messageOf(error)
    throw error
  } finally {
    await parts.budget.spend(spent)
  }
}

/** What the model is told, with names hidden. */
function promptOf(
  { question, cluster, after }: Question,
  { now, mask }: { readonly now: number; readonly mask: Mask | undefined },
): { readonly instructions: string; readonly question: string } {
  const hidden = (text: string): string => mask?.hideText(text) ?? text
  const before = after?.family === MODEL_FAMILY ? after.slots['question'] : undefined
  return {
    instructions: instructionsFor({ now, cluster: cluster && hidden(cluster), before: before && hidden(before) }),
    question: hidden(question),
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The rules' answer, with why it is not the model's. */
async function instead(because: string, asked: Question, answering: Answering): Promise<CopilotAnswer> {
  const answer = await answerByRules(asked, answering)
  return { ...answer, engine: { ...answer.engine, because: `Answered by rules, as ${because}.` } }
}

/** Names that look like any word are learned first, so that the question does not give them away. */
async function openMaskFor(
  hashName: (name: string) => string,
  { cluster }: Question,
  { ask }: Answering,
): Promise<Mask> {
  const mask = openMask(hashName)
  const [{ clusters }, { choices }] = await Promise.all([
    ask('clustersList', {}),
    ask('workloadsList', { cluster, limit: 1 }).catch(() => ({ choices: { namespaces: [], tenants: [] } })),
  ])
  mask.know([...clusters.flatMap(({ id, name }) => [id, name]), ...choices.namespaces, ...choices.tenants])
  return mask
}

/** The pages of what the answer cites. */
function nextOf({ sentences, citations }: Turn): CopilotAnswer['next'] {
  const cited = new Set(sentences.flatMap(({ cites }) => cites))
  return citations
    .filter(({ number, page }) => cited.has(number) && page !== null)
    .slice(0, 3)
    .map(({ title, page }) => ({ label: title, question: null, page }))
}
