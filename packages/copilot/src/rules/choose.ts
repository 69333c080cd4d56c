import { classifier, NONE, type Likely } from './classify.ts'
import type { Understood } from './entities.ts'
import { FAMILIES } from './families.ts'
import { SLOTS, type Family, type SlotName, type Slots } from './family.ts'
import { timeIn } from './times.ts'
import { isHard, meaningOf, simplified, wordsOf } from './words.ts'

/** One way to ask, in its words, as ideas, and with the slots that it cannot do without. */
type Way = {
  readonly family: Family
  readonly words: string
  readonly hard: ReadonlySet<string>
  readonly soft: ReadonlySet<string>
  readonly needs: readonly SlotName[]
}

const isSlot = (text: string): text is SlotName => SLOTS.some((slot) => slot === text)

const WAYS: readonly Way[] = FAMILIES.flatMap((family) => family.asks.map((ask) => wayOf(family, ask)))

function wayOf(family: Family, ask: string): Way {
  const needs = [...ask.matchAll(/\{(\w+)\}/gu)].flatMap(([, name = '']) =>
    isSlot(name) && !family.takes.includes(name) ? [name] : [],
  )
  const text = timeIn(simplified(ask.replaceAll(/\{\w+\}/gu, ' ')), 0).rest
  const words = wordsOf(text).filter((word) => !/^\d+$/u.test(word))
  const ideas = words.flatMap((word) => meaningOf(word) ?? [])
  return { family, words: words.join(' '), ...parted(ideas), needs }
}

function parted(ideas: readonly string[]) {
  return {
    hard: new Set(ideas.filter(isHard)),
    soft: new Set(ideas.filter((idea) => idea !== '' && !isHard(idea))),
  }
}

export type Chosen = { readonly family: Family; readonly slots: Slots }

/** The family that is asked for in just these words, and takes all that the question names. */
export const verbatim = (understood: Understood): Chosen | undefined =>
  chosenOf(
    understood,
    WAYS.filter(({ words }) => words === understood.words.join(' ')),
    {},
  )

/** The family that is asked for in words that mean just the same. */
export const choose = (understood: Understood, before: Slots): Chosen | undefined => chosenOf(understood, WAYS, before)

function chosenOf(
  { ideas, slots, unknown }: Pick<Understood, 'ideas' | 'slots' | 'unknown'>,
  ways: readonly Way[],
  before: Slots,
): Chosen | undefined {
  const { hard, soft } = parted(ideas)
  if (unknown.length > 0 || hard.size + soft.size === 0) return undefined
  const way = ways.find(
    (one) =>
      sameSet(one.hard, hard) &&
      sameSet(one.soft, soft) &&
      takesAll(one, slots) &&
      one.needs.every((need) => slots[need] !== undefined || before[need] !== undefined),
  )
  if (way === undefined) return undefined
  const missing = way.needs.flatMap((need) =>
    slots[need] === undefined && before[need] !== undefined ? [[need, before[need]] as const] : [],
  )
  return { family: way.family, slots: { ...Object.fromEntries(missing), ...slots } }
}

const named = (slots: Slots): readonly SlotName[] => SLOTS.filter((slot) => slots[slot] !== undefined)
const takesAll = ({ family, needs }: Way, slots: Slots): boolean =>
  named(slots).every((slot) => family.takes.includes(slot) || needs.includes(slot))
const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one))

/** From here on a guess is an answer; below, it is offered as a question. */
const LIKELY_ENOUGH = 0.5
/** How likely it may be, beside the best family, that nothing here answers it. */
const ELSEWHERE = 0.02

/**
 * What a question means that is asked in other words than are known: nothing where that is not clear, or where a word is
 * one that nobody asks with, as it may be what the question is about.
 */
export function guess(understood: Understood): Chosen | undefined {
  const known = classifier()
  const all = likely(understood)
  const [best] = all
  const family = FAMILIES.find(({ id }) => id === best?.family)
  if (best === undefined || family === undefined || best.likelihood < LIKELY_ENOUGH) return undefined
  const none = all.find((one) => one.family === NONE)
  if (none !== undefined && none.likelihood > ELSEWHERE * best.likelihood) return undefined
  if (known.isUnanswered(understood.words, telling(understood.slots)) || isFar(understood, family)) return undefined
  // "…, and its budget": two questions, of which one alone would be answered.
  if (/\band (?:its|their)\b/u.test(understood.words.join(' '))) return undefined
  if (understood.unknown.some((word) => known.spelled(word) === undefined || known.isForeign(word, family.id)))
    return undefined
  const may = [...family.takes, ...needsOf(family)]
  const slots = Object.fromEntries(
    named(understood.slots).flatMap((slot) => (may.includes(slot) ? [[slot, understood.slots[slot]]] : [])),
  )
  return { family, slots }
}

/** Whether it is known, or most likely, one of the questions that nothing here answers. */
export function isElsewhere(understood: Understood): boolean {
  if (classifier().isUnanswered(understood.words, telling(understood.slots))) return true
  const [best] = likely(understood)
  return best?.family === NONE && best.likelihood >= LIKELY_ENOUGH
}

/** Whether the words are those of a family that cannot take what is named, as "share a GPU" of notebooks: no second best answers it. */
function isFar({ words, slots }: Understood, { id }: Family): boolean {
  const all = classifier().likely(words, telling(slots), () => true)
  const [best] = all
  const own = all.find(({ family }) => family === id)
  return best !== undefined && kin(best.family) !== kin(id) && (own?.likelihood ?? 0) < TOO_FAR
}
const TOO_FAR = 0.005
/** "cost" of `cost-of-node`. */
const kin = (id: string): string => id.split('-')[0] ?? id

/** What a question cannot do without: nothing, where one way to ask it names nothing. */
function needsOf(family: Family): readonly SlotName[] {
  const needs = WAYS.filter((way) => way.family === family).map((way) => way.needs)
  return needs.some((names) => names.length === 0) ? [] : [...new Set(needs.flat())]
}

const NEEDS: ReadonlyMap<string, readonly SlotName[]> = new Map(FAMILIES.map((family) => [family.id, needsOf(family)]))

const OF_A_WORKLOAD: ReadonlySet<SlotName> = new Set(['namespace', 'class', 'profile', 'model'])

/** What is named that tells what is asked. */
function telling(slots: Slots): readonly SlotName[] {
  const about = named(slots).filter((slot) => slot !== 'range' && slot !== 'count')
  // Whose it is and what it does is known of a workload, and it is not told apart by what else it could be on.
  return slots.workload === undefined ? about : about.filter((slot) => !OF_A_WORKLOAD.has(slot))
}

function likely({ words, slots }: Pick<Understood, 'words' | 'slots'>): readonly Likely[] {
  const about = telling(slots)
  return classifier().likely(words, about, (id) => {
    if (id === NONE) return true
    const family = FAMILIES.find((one) => one.id === id)
    const needs = NEEDS.get(id) ?? []
    return (
      family !== undefined &&
      needs.every((need) => slots[need] !== undefined) &&
      about.every((slot) => family.takes.includes(slot) || needs.includes(slot))
    )
  })
}

/** A short question after another: what it names anew replaces what that one named. */
export function follow(
  { ideas, slots }: Understood,
  after: { readonly family: string; readonly slots: Slots },
): Chosen | undefined {
  const family = FAMILIES.find(({ id }) => id === after.family)
  if (family === undefined) return undefined
  const lead = ideas.map((idea) => family.leads?.[idea]).find((id) => id !== undefined)
  const next = FAMILIES.find(({ id }) => id === lead) ?? family
  const isShort = ideas.every((idea) => !isHard(idea) || family.leads?.[idea] !== undefined)
  if (!isShort || (lead === undefined && named(slots).length === 0)) return undefined
  const needs = WAYS.filter((way) => way.family === next).flatMap((way) => way.needs)
  const takes = (slot: SlotName): boolean => next.takes.includes(slot) || needs.includes(slot)
  if (!named(slots).every(takes)) return undefined
  const kept = Object.fromEntries(
    named(after.slots)
      .filter(takes)
      .map((slot) => [slot, after.slots[slot]]),
  )
  const all: Slots = { ...kept, ...slots }
  return needs.length > 0 && !needs.some((need) => all[need] !== undefined) ? undefined : { family: next, slots: all }
}

/** The questions that it may have been. */
export function nearest({ words, slots }: Pick<Understood, 'words' | 'slots'>): readonly string[] {
  return likely({ words, slots })
    .flatMap(({ family: id }) => {
      const family = FAMILIES.find((one) => one.id === id)
      const ask = family === undefined ? undefined : filled(family.asks[0], slots)
      return ask === undefined ? [] : [ask]
    })
    .slice(0, 3)
}

function filled(ask: string, slots: Slots): string | undefined {
  const missing = [...ask.matchAll(/\{(\w+)\}/gu)].some(([, name = '']) => !isSlot(name) || slots[name] === undefined)
  return missing
    ? undefined
    : ask.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => (isSlot(name) ? (slots[name] ?? whole) : whole))
}
