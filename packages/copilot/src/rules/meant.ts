import type { CopilotAnswer } from '@septet/contract'
import type { Ask } from '@septet/tools'

import type { Question } from '../copilot.ts'
import { choose, follow, guess, isElsewhere, verbatim, type Chosen } from './choose.ts'
import { understand, type Understood } from './entities.ts'
import { SLOTS, type Slots } from './family.ts'
import { timeIn } from './times.ts'
import { simplified } from './words.ts'

type Looking = { readonly ask: Ask; readonly now: number }

/** What a question says, and which family it is of where that is clear. Throws the `Refusal` of an operation. */
export async function meant(
  { question, cluster, after }: Question,
  { ask, now }: Looking,
): Promise<{ readonly understood: Understood; readonly chosen: Chosen | undefined }> {
  const read = async (part: string): Promise<Understood> => {
    const { range, rest } = timeIn(simplified(part), now)
    const words = await understand(rest, ask, cluster)
    return range === undefined ? words : { ...words, slots: { ...words.slots, range } }
  }
  const understood = await read(question)
  if (understood.unfound.length > 0 || understood.several.length > 0) return { understood, chosen: undefined }
  const parts = await sentencesOf(question, understood, read)
  const chosen =
    verbatim(understood) ??
    following(understood, after) ??
    guess(understood) ??
    (isElsewhere(understood) ? undefined : choose(understood, {})) ??
    first(parts, guess) ??
    first(parts, (part) => choose(part, {}))
  return { understood, chosen }
}

/** Each of several sentences: one of them may be a question by itself, and what it is about stand in another. */
async function sentencesOf(
  text: string,
  { slots }: Understood,
  read: (part: string) => Promise<Understood>,
): Promise<readonly Understood[]> {
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
