import { Refusal, type CopilotAnswer } from '@septet/contract'

import type { Engine } from '../copilot.ts'
import { changeAsked } from './changes.ts'
import { nearest, type Chosen } from './choose.ts'
import { FIRST_QUESTIONS } from './families.ts'
import { page, question, type Family, type Reply } from './family.ts'
import { meant } from './meant.ts'
import { quoted } from './phrases.ts'
import { openReading, type Reading } from './reading.ts'
import { rangePhrase } from './times.ts'

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
async function understoodAndTold(asked: Asked, { reading, now, ask }: With): Promise<Part> {
  const { understood, chosen, leans } = await meant(asked, { ask, now })
  const { unknown, unfound, several } = understood
  if (unfound.length > 0) {
    return cannot(
      `Nothing here that you may see is called ${unfound.slice(0, 3).map(quoted).join(' or ')}.`,
      nearest(understood),
    )
  }
  if (several.length > 0) {
    const each = several.slice(0, 3).map((workload) => replacedName(asked.question, workload))
    return cannot('Several workloads have this name. Which one do you mean?', each)
  }
  if (chosen !== undefined)
    return told(chosen, { reading, now, range: understood.slots.range, against: understood.against })
  if (leans !== undefined) {
    const what = leans.word === undefined ? 'what this one continues' : `what ${quoted(leans.word)} refers to`
    return cannot(`I could not answer the previous question, so I do not know ${what}.`, nearest(understood))
  }
  const because =
    unknown.length === 0
      ? 'I can’t answer that.'
      : `I can’t answer that: I don’t know what ${unknown.slice(0, 3).map(quoted).join(', ')} means here.`
  return cannot(because, nearest(understood))
}

type Telling = Pick<With, 'reading' | 'now'> & {
  readonly range: string | undefined
  readonly against: string | undefined
}

async function told({ family, slots }: Chosen, { reading, now, range, against }: Telling): Promise<Part> {
  const { said: known, blocks = [], pages = [], further = [], unknown } = await family.answer(slots, reading, now)
  const other = isOfTimes(family) && against !== undefined ? { ...slots, range: against } : undefined
  const compared = other === undefined ? [] : (await family.answer(other, reading, now)).said
  const repeated = new Set(known.map(([text]) => text))
  const said = [...onlyNow(family, range, known), ...known, ...compared.filter(([text]) => !repeated.has(text))]
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

const isOfTimes = ({ isOfNow, takes }: Pick<Family, 'isOfNow' | 'takes'>): boolean =>
  isOfNow !== true && takes.includes('range')

/** What is known as of now alone is not told as if it had been so at the time that is asked for. */
function onlyNow(family: Family, range = 'today', [first]: Reply['said']): Reply['said'] {
  if (isOfTimes(family) || ['today', ...(family.covers ?? [])].includes(range) || first === undefined) return []
  const [text, ...cites] = first
  return /^(?:As of|Now)\b/u.test(text) ? [[`I know this only as of now, not ${rangePhrase(range)}.`, ...cites]] : []
}

/** With one period at its end, however long the words of the cluster are. */
/** Begun with a capital where a word begins it: a node or an address is written as it is. */
const sentence = (text: string): string =>
  text.replace(/^\p{Ll}(?=\p{L}*[\s,’])/u, (letter) => letter.toUpperCase()).replace(/\.{2,}$/u, '.')

function cannot(because: string, questions: readonly string[]): Part {
  const three = [...new Set([...questions, ...FIRST_QUESTIONS])].slice(0, 3)
  return { verdict: 'cannot', sentences: [{ text: because, cites: [] }], next: three.map(question) }
}

/** The same question with the whole id in place of the name. */
function replacedName(text: string, id: string): string {
  const name = id.split('/').at(-1) ?? id
  const at = text.toLowerCase().lastIndexOf(name.toLowerCase())
  return at < 0 ? `Where is ${id}?` : `${text.slice(0, at)}${id}${text.slice(at + name.length)}`
}
