import { Refusal, type CopilotAnswer } from '@septet/contract'
import { COPILOT_QUESTIONS, type CopilotQuestion } from '@septet/contract/copilot-questions'
import { changeAsked } from './changes.ts'
import type { QuestionContext, Engine, Question } from '../engine.ts'
import { openFixedReading, type FixedReading } from './reading.ts'
import { FIXED } from './questions.ts'
import { page, question, type Reply } from './reply.ts'

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
export const needsNoModel = (text: string): boolean => fixedOf(text) !== undefined || changeAsked(text) !== undefined

async function partOf(text: string, reading: FixedReading, because: string): Promise<Part> {
  const fixed = fixedOf(text)
  const change = fixed === undefined ? changeAsked(text) : undefined
  if (change !== undefined) {
    return {
      verdict: 'refused',
      sentences: [
        { text: `I only read, so I don’t ${change.verb} anything. A person does that on the page below.`, cites: [] },
      ],
      next: [page(change.label, reading.page(change.page)), question('do-first')],
    }
  }
  if (fixed === undefined) return cannot(because, ALL)
  try {
    return await told(fixed, reading)
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
const ALL: readonly CopilotQuestion[] = Object.keys(COPILOT_QUESTIONS).filter(isFixed)
/** A question without what does not matter: case, spaces and punctuation. */
const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
const BY_TEXT: ReadonlyMap<string, CopilotQuestion> = new Map(ALL.map((id) => [bare(COPILOT_QUESTIONS[id]), id]))

const fixedOf = (text: string): CopilotQuestion | undefined => BY_TEXT.get(bare(text))

/** Throws the `Refusal` of an operation. */
async function told(id: CopilotQuestion, reading: FixedReading): Promise<Part> {
  const { replies, further } = FIXED[id]
  const parts: Reply[] = []
  // One after the other: the order of what is asked is the order in which it is cited.
  // oxlint-disable-next-line no-await-in-loop -- as above
  for (const reply of replies) parts.push(await reply(reading))
  return {
    verdict: parts[0]?.isUnknown === true ? 'cannot' : 'answered',
    sentences: parts.flatMap(({ sentences }) => sentences),
    blocks: parts.flatMap(({ blocks }) => blocks),
    next: [...parts.slice(0, 1).map((part) => part.page), ...further.map(question)],
  }
}

const cannot = (because: string, questions: readonly CopilotQuestion[]): Part => ({
  verdict: 'cannot',
  sentences: [{ text: because, cites: [] }],
  next: questions.map(question),
})
