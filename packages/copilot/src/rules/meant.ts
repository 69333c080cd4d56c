import type { CopilotAnswer } from '@septet/contract'
import type { Ask } from '@septet/tools'

import type { Question } from '../copilot.ts'
import { choose, follow, guess, isElsewhere, verbatim, type Chosen } from './choose.ts'
import { understand, type Understood } from './entities.ts'
import { SLOTS, type Slots } from './family.ts'
import { leaningOf, type Leaning } from './leaning.ts'
import { timesIn } from './times.ts'
import { simplified } from './words.ts'

type Looking = { readonly ask: Ask; readonly now: number }

/** What a question says, and which family it is of where that is clear. Throws the `Refusal` of an operation. */
export async function meant(
  { question, cluster, after }: Question,
  { ask, now }: Looking,
): Promise<{ readonly understood: Understood; readonly chosen: Chosen | undefined; readonly leans?: Leaning }> {
  const read: Read = async (part) => {
    const { range, against, rest } = timesIn(simplified(part), now)
    const words = await understand(rest, ask, cluster)
    return range === undefined ? words : { ...words, slots: { ...words.slots, range }, against }
  }
  const understood = await read(question)
  if (understood.unfound.length > 0 || understood.several.length > 0) return { understood, chosen: undefined }
  const leans = after === null ? leaningOf(question) : undefined
  if (leans !== undefined) {
    const chosen = leans.word === undefined ? verbatim(await read(leans.rest)) : undefined
    return { understood, chosen, leans }
  }
  return { understood, chosen: await chosenOf({ question, after }, understood, read) }
}

type Read = (part: string) => Promise<Understood>

/** The likeliest family, by how sure it is. */
async function chosenOf(
  { question, after }: Pick<Question, 'question' | 'after'>,
  understood: Understood,
  read: Read,
): Promise<Chosen | undefined> {
  const parts = await sentencesOf(question, understood, read)
  return (
    verbatim(understood) ??
    following(understood, after) ??
    guess(understood) ??
    (isElsewhere(understood) ? undefined : choose(understood, {})) ??
    first(parts, guess) ??
    first(parts, (part) => choose(part, {}))
  )
}

/** Each of several sentences: one of them may be a question by itself, and what it is about stand in another. */
async function sentencesOf(text: string, { slots }: Understood, read: Read): Promise<readonly Understood[]> {
  const parts = text.split(/(?<=[.?!])\s+/u)
  if (parts.length < 2) return []
  const understood = await Promise.all(parts.map(read))
  return understood.map((part) => ({ ...part, slots }))
}

function first<Part, Found>(parts: readonly Part[], find: (part: Part) => Found | undefined): Found | undefined {
  return parts.map(find).find((found) => found !== undefined)
}

/** What a question means only after another. */
function following(understood: Understood, after: CopilotAnswer['intent'] | undefined): Chosen | undefined {
  if (after === undefined || after === null) return undefined
  const before = { family: after.family, slots: slotsOf(after.slots) }
  return choose(understood, before.slots) ?? follow(understood, before)
}

/** What the question before was about, as far as it can be about that. */
const slotsOf = (kept: Readonly<Record<string, string>>): Slots =>
  Object.fromEntries(SLOTS.flatMap((slot) => (Object.hasOwn(kept, slot) ? [[slot, kept[slot]]] : [])))
