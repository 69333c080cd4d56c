import { Refusal, type CopilotAnswer } from '@septet/contract'
import { COPILOT_QUESTIONS, type CopilotQuestion } from '@septet/contract/copilot-questions'
import { changeAsked } from '../check/changes.ts'
import type { QuestionContext, Engine, Question } from '../engine.ts'
import { openFixedReading, type FixedReading } from './reading.ts'
import { page, question, type ReplyOf } from './reply.ts'
import { recommended, saved, savedAndNext, toApprove } from './actions.ts'
import { costliestNamespace, monthForecast } from './costs.ts'
import { busyOver, costThisMonth, idleCost, trendThisWeek, wrongNow } from './figures.ts'
import { faultyGpus, fits, freePartition, strandedCapacity } from './gpus.ts'
import { queueReply, waitsAndWhy } from './waits.ts'
import { idleNowReply, leastUsed, longestWait, mostWaste } from './workloads.ts'

/** How each fixed question is answered. */
export const ANSWERS: Readonly<Record<CopilotQuestion, ReplyOf>> = {
  'saved-and-next': savedAndNext,
  'busy-enough': busyOver('24h'),
  queue: queueReply,
  'free-partition': freePartition,
  'cost-this-month': costThisMonth,
  'most-waste': mostWaste,
  'waits-and-why': waitsAndWhy,
  'idle-gpus': idleNowReply,
  'faulty-gpus': faultyGpus,
  'busy-past-week': busyOver('7d'),
  'fits-1g.10gb': fits('1g.10gb'),
  'stranded-capacity': strandedCapacity,
  'nodes-to-repartition': recommended({ kind: 'repartition', most: 10 }),
  'least-used': leastUsed,
  'costliest-namespace': costliestNamespace,
  'idle-cost': idleCost,
  'month-forecast': monthForecast,
  'do-first': recommended({ most: 10 }),
  saved,
  'to-approve': toApprove,
  'wrong-now': wrongNow,
  'largest-saving': recommended({ most: 5, biggest: true }),
  'trend-this-week': trendThisWeek,
  'longest-wait': longestWait,
}

type Part = Pick<CopilotAnswer, 'verdict' | 'sentences' | 'next'> & Partial<Pick<CopilotAnswer, 'blocks'>>

/** Answers the fixed questions, from typed operations; says of every other that it needs a language model. */
export const answerFixed: Engine = (asked, answering) =>
  answerFixedOr('Questions in your own words need a language model, and none answers here.', asked, answering)

/** The same; `because` is a sentence that says why no other question is answered. */
export async function answerFixedOr(
  because: string,
  asked: Question,
  answering: QuestionContext,
): Promise<CopilotAnswer> {
  const { ask, now, id } = answering
  const reading = openFixedReading(ask, asked.cluster)
  const part = await partOf(asked.question, reading, because)
  return {
    id,
    at: new Date(now).toISOString(),
    question: asked.question,
    engine: { kind: 'rules', name: 'rules' },
    blocks: [],
    ...part,
    citations: [...reading.citations],
    dropped: 0,
  }
}

/** Whether it is answered without a language model: a fixed question, or a change, which is refused. */
export const needsNoModel = (text: string): boolean => answerOf(text) !== undefined || changeAsked(text) !== undefined

async function partOf(text: string, reading: FixedReading, because: string): Promise<Part> {
  const answer = answerOf(text)
  const change = answer === undefined ? changeAsked(text) : undefined
  if (change !== undefined) {
    return {
      verdict: 'refused',
      sentences: [
        { text: `I only read, so I don’t ${change.verb} anything. A person does that on the page below.`, cites: [] },
      ],
      next: [page(change.label, reading.page(change.page)), question('do-first')],
    }
  }
  if (answer === undefined) return cannot(because, FIXED)
  try {
    return await told(answer, reading)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const verdict = FORBIDDEN.has(error.code) ? 'refused' : 'cannot'
    return { ...cannot(`${error.message} ${error.todo}`, FIRST), verdict }
  }
}

const FORBIDDEN: ReadonlySet<string> = new Set(['not-allowed', 'not-signed-in', 'second-factor-needed'])
/** Offered where a question has no answer. */
const FIRST: readonly CopilotQuestion[] = ['saved-and-next', 'busy-enough', 'queue']

const isFixed = (id: string): id is CopilotQuestion => id in COPILOT_QUESTIONS
const FIXED: readonly CopilotQuestion[] = Object.keys(COPILOT_QUESTIONS).filter(isFixed)
/** A question without what does not matter: case, spaces and punctuation. */
const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
const BY_TEXT: ReadonlyMap<string, ReplyOf> = new Map(FIXED.map((id) => [bare(COPILOT_QUESTIONS[id]), ANSWERS[id]]))

const answerOf = (text: string): ReplyOf | undefined => BY_TEXT.get(bare(text))

/** Throws the `Refusal` of an operation. */
async function told(answer: ReplyOf, reading: FixedReading): Promise<Part> {
  const { said, blocks = [], pages = [], further = [], unknown } = await answer(reading)
  return {
    verdict: unknown === true ? 'cannot' : 'answered',
    sentences: said.map(([text, ...cites]) => ({ text: sentence(text), cites })),
    blocks: blocks.filter((block) => block !== undefined),
    next: [...pages.map(([label, path]) => page(label, reading.page(path))), ...further.map(question)],
  }
}

/**
 * With one period at its end, however long the words of the cluster are. Begun with a capital where a word begins it: a node
 * or an address is written as it is.
 */
const sentence = (text: string): string =>
  text.replace(/^\p{Ll}(?=\p{L}*[\s,’])/u, (letter) => letter.toUpperCase()).replace(/\.{2,}$/u, '.')

const cannot = (because: string, questions: readonly CopilotQuestion[]): Part => ({
  verdict: 'cannot',
  sentences: [{ text: because, cites: [] }],
  next: questions.map(question),
})
