import { Refusal, type CopilotAnswer } from '@septet/contract'

import type { Engine } from '../copilot.ts'
import { changeAsked } from './changes.ts'
import { choose, follow, guess, isElsewhere, nearest, type Chosen } from './choose.ts'
import { understand, type Understood } from './entities.ts'
import { FIRST_QUESTIONS } from './families.ts'
import { page, question, SLOTS, type Slots } from './family.ts'
import { quoted } from './phrases.ts'
import { openReading, type Reading } from './reading.ts'
import { timeIn } from './times.ts'
import { simplified } from './words.ts'

type Part = Pick<CopilotAnswer, 'verdict' | 'sentences' | 'next'> & Partial<Pick<CopilotAnswer, 'blocks' | 'intent'>>

/** Answers the questions that it knows, from typed operations; says so of every other. */
export const answerByRules: Engine = async (asked, { ask, now, id }) => {
  const reading = openReading(ask, asked.cluster)
  const part = await answered(asked, { reading, now, ask })
  return {
    id,
    at: new Date(now).toISOString(),
    question: asked.question,
    engine: { kind: 'rules', name: 'rules' },
    blocks: [],
    intent: null,
    ...part,
    citations: [...reading.citations],
    dropped: 0,
  }
}

type Asked = Parameters<Engine>[0]
type With = Pick<Parameters<Engine>[1], 'ask' | 'now'> & { readonly reading: Reading }

async function answered(asked: Asked, given: With): Promise<Part> {
  const change = changeAsked(asked.question)
  if (change !== undefined) {
    return {
      verdict: 'refused',
      sentences: [
        { text: `I only read, so I don’t ${change.verb} anything. A person does that on the page below.`, cites: [] },
      ],
      next: [page(change.label, given.reading.page(change.page)), question('What do you recommend?')],
    }
  }
  try {
    return await understoodAndTold(asked, given)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return {
      ...cannot(`${error.message} ${error.todo}`, []),
      verdict: FORBIDDEN.has(error.code) ? 'refused' : 'cannot',
    }
  }
}

const FORBIDDEN: ReadonlySet<string> = new Set(['not-allowed', 'not-signed-in', 'second-factor-needed'])

/** Throws the `Refusal` of an operation. */
async function understoodAndTold(
  { question: text, cluster, after }: Asked,
  { reading, now, ask }: With,
): Promise<Part> {
  const read = async (part: string): Promise<Understood> => {
    const { range, rest } = timeIn(simplified(part), now)
    const words = await understand(rest, ask, cluster)
    return range === undefined ? words : { ...words, slots: { ...words.slots, range } }
  }
  const understood = await read(text)
  const { unknown, unfound, several } = understood
  if (unfound.length > 0) {
    return cannot(
      `Nothing here that you may see is called ${unfound.slice(0, 3).map(quoted).join(' or ')}.`,
      nearest(understood),
    )
  }
  if (several.length > 0) {
    const each = several.slice(0, 3).map((workload) => replacedName(text, workload))
    return cannot('Several workloads have this name. Which one do you mean?', each)
  }
  const chosen = chosenAfter(understood, after) ?? (await chosenOfSeveral(text, understood, read)) ?? guess(understood)
  if (chosen !== undefined && !isElsewhere(understood, chosen.family)) return told(chosen, reading, now)
  const because =
    unknown.length === 0
      ? 'I can’t answer that.'
      : `I can’t answer that: I don’t know what ${unknown.slice(0, 3).map(quoted).join(', ')} means here.`
  return cannot(because, nearest(understood))
}

/** The first of several sentences that is a question by itself; what it is about may stand in another. */
async function chosenOfSeveral(
  text: string,
  { slots }: Understood,
  read: (part: string) => Promise<Understood>,
): Promise<Chosen | undefined> {
  const parts = text.split(/(?<=[.?!])\s+/u)
  if (parts.length < 2) return undefined
  const understood = await Promise.all(parts.map(read))
  return understood.map((part) => choose({ ...part, slots }, {})).find((chosen) => chosen !== undefined)
}

function chosenAfter(understood: Understood, after: CopilotAnswer['intent'] | undefined): Chosen | undefined {
  if (after === undefined || after === null) return choose(understood, {})
  const before = { family: after.family, slots: slotsOf(after.slots) }
  return choose(understood, before.slots) ?? follow(understood, before)
}

async function told({ family, slots }: Chosen, reading: Reading, now: number): Promise<Part> {
  const { said, blocks = [], pages = [], further = [], unknown } = await family.answer(slots, reading, now)
  return {
    verdict: unknown === true ? 'cannot' : 'answered',
    sentences: said.map(([text, ...cites]) => ({ text: sentence(text), cites })),
    blocks: blocks.filter((block) => block !== undefined),
    next: [...pages.map(([label, path]) => page(label, reading.page(path))), ...further.map(question)],
    intent: {
      family: family.id,
      slots: Object.fromEntries(
        Object.entries(slots).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
    },
  }
}

/** With one period at its end, however long the words of the cluster are. */
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/\.{2,}$/u, '.')

function cannot(because: string, questions: readonly string[]): Part {
  const three = [...new Set([...questions, ...FIRST_QUESTIONS])].slice(0, 3)
  return { verdict: 'cannot', sentences: [{ text: because, cites: [] }], next: three.map(question) }
}

/** What the question before was about, as far as it can be about that. */
const slotsOf = (kept: Readonly<Record<string, string>>): Slots =>
  Object.fromEntries(SLOTS.flatMap((slot) => (Object.hasOwn(kept, slot) ? [[slot, kept[slot]]] : [])))

/** The same question with the whole id in place of the name. */
function replacedName(text: string, id: string): string {
  const name = id.split('/').at(-1) ?? id
  const at = text.toLowerCase().lastIndexOf(name.toLowerCase())
  return at < 0 ? `Where is ${id}?` : `${text.slice(0, at)}${id}${text.slice(at + name.length)}`
}
