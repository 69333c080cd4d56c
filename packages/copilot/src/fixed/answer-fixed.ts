import { Refusal, type CopilotAnswer } from '@septet/contract'
import { COPILOT_QUESTIONS, LONGEST_LINE, type CopilotQuestion } from '@septet/contract/copilot-questions'
import { changeAsked } from './changes.ts'
import type { QuestionContext, Engine, Question } from '../engine.ts'
import { answerQuery } from '../query/answer-query.ts'
import { readQuery } from '../query/read-query.ts'
import type { Understood } from '../query/query.ts'
import { openFixedReading, type FixedReading } from '../reply/reading.ts'
import { FIXED } from './questions.ts'
import { page, question, type Reply } from '../reply/reply.ts'

type Part = Pick<CopilotAnswer, 'verdict' | 'sentences' | 'next'> & Partial<Pick<CopilotAnswer, 'blocks'>>

/** Answers fixed questions and lines that are wholly understood, from typed operations; of every other it says why not. */
export const answerFixed: Engine = (asked, answering) => answerFixedOr({}, asked, answering)

type How = {
  /** A sentence that says why no other question is answered, where it is not for its words alone. */
  readonly because?: string
  /** The line as it was read, where somebody has read it already. */
  readonly read?: Promise<Understood | undefined>
}

/** The same, where more is known. */
export async function answerFixedOr(
  { because, read }: How,
  asked: Question,
  answering: QuestionContext,
): Promise<CopilotAnswer> {
  const { ask, now, id } = answering
  const reading = openFixedReading(ask, asked.cluster)
  const part = await partOf(asked, { reading, because, read: () => read ?? understood(asked, answering) })
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

/** The answer to what needs no language model: a fixed question, a line that is understood, or a change, which is refused. */
export async function answerWithoutModel(
  asked: Question,
  answering: QuestionContext,
): Promise<CopilotAnswer | undefined> {
  const { question: line } = asked
  if (fixedOf(line) !== undefined || changeAsked(line) !== undefined) return answerFixed(asked, answering)
  const read = understood(asked, answering)
  return (await read)?.query === undefined ? undefined : answerFixedOr({ read }, asked, answering)
}

/** Undefined for what is too long to be a line, and while nothing is known of the cluster. */
async function understood(
  { question: line, cluster, zone }: Question,
  { ask, now }: QuestionContext,
): Promise<Understood | undefined> {
  if (line.length > LONGEST_LINE) return undefined
  try {
    return await readQuery({ line, cluster, zone }, ask, now)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

type Around = {
  readonly reading: FixedReading
  readonly because: string | undefined
  readonly read: () => Promise<Understood | undefined>
}

async function partOf(asked: Question, around: Around): Promise<Part> {
  const { question: text, zone } = asked
  const { reading, because, read } = around
  const fixed = fixedOf(text)
  if (fixed !== undefined) return orRefused(() => told(fixed, reading))
  const line = await read()
  const query = line?.query
  if (query !== undefined) return orRefused(async () => toldOf(await answerQuery(query, reading, zone)))
  // "Free H100 GPUs" is a line, and "free the H100 GPUs of research" is an order.
  const change = changeAsked(text)
  return change === undefined ? cannot(because ?? whyNot(line), ALL) : refused(change, reading)
}

const refused = (
  { verb, label, page: place }: NonNullable<ReturnType<typeof changeAsked>>,
  reading: FixedReading,
): Part => ({
  verdict: 'refused',
  sentences: [{ text: `I only read, so I don’t ${verb} anything. A person does that on the page below.`, cites: [] }],
  next: [page(label, reading.page(place)), question('do-first')],
})

/** What an operation refuses is the answer. */
async function orRefused(make: () => Promise<Part>): Promise<Part> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const verdict = FORBIDDEN.has(error.code) ? 'refused' : 'cannot'
    return { ...cannot(`${error.message} ${error.todo}`, FIRST), verdict }
  }
}

/** Why a line is not answered: what of it is not understood, or that nothing in it is asked for. */
function whyNot(line: Understood | undefined): string {
  const problems = line?.pieces.flatMap(({ problem }) => (problem === undefined ? [] : [problem])) ?? []
  const [first] = problems
  return first === undefined || problems.length > MOST_PROBLEMS
    ? 'Questions in your own words need a language model, and none answers here.'
    : `${problems.join(' ')} Nothing is answered until every part is understood.`
}
const MOST_PROBLEMS = 2

const toldOf = (reply: Reply): Part => ({
  verdict: reply.isUnknown ? 'cannot' : 'answered',
  sentences: [...reply.sentences],
  blocks: [...reply.blocks],
  next: [reply.page],
})

const FORBIDDEN: ReadonlySet<string> = new Set(['not-allowed', 'not-signed-in', 'second-factor-needed'])
/** Offered where a question has no answer. */
const FIRST: readonly CopilotQuestion[] = ['saved-and-next', 'busy-enough', 'queue']

const isFixed = (id: string): id is CopilotQuestion => id in COPILOT_QUESTIONS
const ALL: readonly CopilotQuestion[] = Object.keys(COPILOT_QUESTIONS).filter(isFixed)
/** A question without what does not matter: case, spaces and punctuation. */
const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
const BY_TEXT: ReadonlyMap<string, CopilotQuestion> = new Map(ALL.map((id) => [bare(COPILOT_QUESTIONS[id]), id]))

export const fixedOf = (text: string): CopilotQuestion | undefined => BY_TEXT.get(bare(text))

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
