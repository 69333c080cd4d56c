import { learnedFrom, NONE, type Likely } from './classify.ts'
import type { Understood } from './entities.ts'
import { FAMILIES } from './families.ts'
import { SLOTS, type Family, type SlotName, type Slots } from './family.ts'
import { timeIn } from './times.ts'
import { isHard, meaningOf, simplified, wordsOf } from './words.ts'

/** One way to ask, as ideas and the slots that it cannot do without. */
type Way = {
  readonly family: Family
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
  const ideas = wordsOf(text).flatMap((word) => meaningOf(word) ?? [])
  return { family, ...parted(ideas), needs }
}

function parted(ideas: readonly string[]) {
  return {
    hard: new Set(ideas.filter(isHard)),
    soft: new Set(ideas.filter((idea) => idea !== '' && !isHard(idea))),
  }
}

export type Chosen = { readonly family: Family; readonly slots: Slots }

/** How near a question must come to a way to ask: of all that both say, how much they say in common. */
const NEAR_ENOUGH = 0.66
const WEIGHT = { idea: 3, extraIdea: 2, name: 2, word: 0.5, extraWord: 0.25, unknown: 2 } as const

/** Which family a question is of: one that is asked for in nearly the same words, and takes all that it names. */
export function choose(
  { ideas, slots, unknown }: Pick<Understood, 'ideas' | 'slots' | 'unknown'>,
  before: Slots,
): Chosen | undefined {
  const { hard, soft } = parted(ideas)
  if (hard.size === 0 && soft.size === 0) return undefined
  const asked = { hard, soft, slots, unknown: unknown.length }
  const [best] = WAYS.filter(
    (way) =>
      takesAll(way, slots) &&
      way.needs.every((need) => slots[need] !== undefined || before[need] !== undefined) &&
      saysEnough(way, asked),
  )
    .map((way) => ({ way, near: nearness(way, asked) }))
    .filter(({ near }) => near >= NEAR_ENOUGH)
    .toSorted((a, b) => b.near - a.near)
  if (best === undefined) return undefined
  const missing = best.way.needs.flatMap((need) =>
    slots[need] === undefined && before[need] !== undefined ? [[need, before[need]] as const] : [],
  )
  return { family: best.way.family, slots: { ...Object.fromEntries(missing), ...slots } }
}

type AskedFor = Pick<Way, 'hard' | 'soft'> & { readonly slots: Slots; readonly unknown: number }

/** An idea in common; without any, only a way that says just as much is meant. */
const saysEnough = (way: Way, { hard, soft, slots }: AskedFor): boolean =>
  hard.size > 0
    ? overlap(way.hard, hard) > 0
    : way.hard.size === 0 &&
      (way.needs.some((need) => slots[need] !== undefined)
        ? overlap(way.soft, soft) > 0
        : way.needs.length === 0 && soft.size > 1 && sameSet(way.soft, soft))

/** 0 to 1: the weight of what both say, over the weight of all that either says. */
function nearness(way: Way, { hard, soft, slots, unknown }: AskedFor): number {
  const [ideas, words] = [overlap(way.hard, hard), overlap(way.soft, soft)]
  const both =
    WEIGHT.idea * ideas +
    WEIGHT.word * words +
    WEIGHT.name * way.needs.filter((need) => slots[need] !== undefined).length
  const apart =
    WEIGHT.idea * (hard.size - ideas) +
    WEIGHT.extraIdea * (way.hard.size - ideas) +
    WEIGHT.word * (soft.size - words) +
    WEIGHT.extraWord * (way.soft.size - words) +
    WEIGHT.unknown * unknown
  return both / (both + apart)
}

const named = (slots: Slots): readonly SlotName[] => SLOTS.filter((slot) => slots[slot] !== undefined)
const takesAll = ({ family, needs }: Way, slots: Slots): boolean =>
  named(slots).every((slot) => family.takes.includes(slot) || needs.includes(slot))
const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one))
const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((one) => b.has(one)).length

/** From here on a guess is an answer; below, it is offered as a question. */
const LIKELY_ENOUGH = 0.5

/**
 * What a question means that is asked in other words than are known: nothing where that is not clear, or where a word is
 * one that nobody asks with, as it may be what the question is about.
 */
export function guess(understood: Understood): Chosen | undefined {
  const [best] = likely(understood)
  const family = FAMILIES.find(({ id }) => id === best?.family)
  if (best === undefined || family === undefined || best.likelihood < LIKELY_ENOUGH) return undefined
  const known = learnedFrom(EXAMPLES)
  // "…, and its budget": two questions, of which one alone would be answered.
  if (/\band (?:its|their)\b/u.test(understood.words.join(' '))) return undefined
  if (understood.unknown.some((word) => known.spelled(word) === undefined)) return undefined
  const may = [...family.takes, ...needsOf(family)]
  const slots = Object.fromEntries(
    named(understood.slots).flatMap((slot) => (may.includes(slot) ? [[slot, understood.slots[slot]]] : [])),
  )
  return { family, slots }
}

/** Whether a question speaks of what its family knows nothing of: of disks, of CPUs, of images. */
export const isElsewhere = ({ unknown }: Understood, { id }: Family): boolean =>
  unknown.some((word) => learnedFrom(EXAMPLES).isForeign(word, id))

const EXAMPLES = FAMILIES.flatMap(({ id, asks }) => asks.map((ask) => [id, ask] as const))

/** What a question cannot do without: nothing, where one way to ask it names nothing. */
function needsOf(family: Family): readonly SlotName[] {
  const needs = WAYS.filter((way) => way.family === family).map((way) => way.needs)
  return needs.some((names) => names.length === 0) ? [] : [...new Set(needs.flat())]
}

const NEEDS: ReadonlyMap<string, readonly SlotName[]> = new Map(FAMILIES.map((family) => [family.id, needsOf(family)]))

function likely({ words, slots }: Pick<Understood, 'words' | 'slots'>): readonly Likely[] {
  const about = named(slots).filter((slot) => slot !== 'range' && slot !== 'count')
  // Whose it is and what it does is known of a workload.
  const telling =
    slots.workload === undefined ? about : about.filter((slot) => slot !== 'namespace' && slot !== 'class')
  return learnedFrom(EXAMPLES).likely(words, telling, (id) => {
    if (id === NONE) return true
    const family = FAMILIES.find((one) => one.id === id)
    const needs = NEEDS.get(id) ?? []
    return (
      family !== undefined &&
      needs.every((need) => slots[need] !== undefined) &&
      telling.every((slot) => family.takes.includes(slot) || needs.includes(slot))
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
