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

/** Which family a question is of: one whose ideas are just those of the question, and which takes all that it names. */
export function choose({ ideas, slots }: Pick<Understood, 'ideas' | 'slots'>, before: Slots): Chosen | undefined {
  const { hard, soft } = parted(ideas)
  if (hard.size === 0 && soft.size === 0) return undefined
  const fitting = WAYS.filter(
    (way) =>
      sameSet(way.hard, hard) &&
      takesAll(way, slots) &&
      way.needs.every((need) => slots[need] !== undefined || before[need] !== undefined),
  )
    // Without a single idea only a way that says as much is meant.
    .filter(
      (way) =>
        hard.size > 0 ||
        (way.needs.some((need) => slots[need] !== undefined)
          ? overlap(way.soft, soft) > 0
          : way.needs.length === 0 && soft.size > 1 && sameSet(way.soft, soft)),
    )
  const [best] = fitting.toSorted((a, b) => score(b, { soft, slots }) - score(a, { soft, slots }))
  if (best === undefined) return undefined
  const missing = best.needs.flatMap((need) =>
    slots[need] === undefined && before[need] !== undefined ? [[need, before[need]] as const] : [],
  )
  return { family: best.family, slots: { ...Object.fromEntries(missing), ...slots } }
}

const named = (slots: Slots): readonly SlotName[] => SLOTS.filter((slot) => slots[slot] !== undefined)
const takesAll = ({ family, needs }: Way, slots: Slots): boolean =>
  named(slots).every((slot) => family.takes.includes(slot) || needs.includes(slot))
const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one))
const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((one) => b.has(one)).length

const score = (
  { soft: own, needs }: Way,
  { soft, slots }: { readonly soft: ReadonlySet<string>; readonly slots: Slots },
): number => {
  const both = overlap(own, soft)
  return (
    2 * both -
    0.6 * (own.size - both) -
    0.6 * (soft.size - both) +
    3 * needs.filter((need) => slots[need] !== undefined).length
  )
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

/** The examples that have most in common with a question. */
export function nearest({ ideas, slots }: Pick<Understood, 'ideas' | 'slots'>): readonly string[] {
  const { hard, soft } = parted(ideas)
  const near = (way: Way): number =>
    3 * overlap(way.hard, hard) +
    overlap(way.soft, soft) -
    0.5 * way.hard.size -
    2 * way.needs.filter((need) => slots[need] === undefined).length
  const best = WAYS.toSorted((a, b) => near(b) - near(a)).filter(
    (way) => overlap(way.hard, hard) > 0 || overlap(way.soft, soft) > 0,
  )
  const families = [...new Set(best.map(({ family }) => family))].filter(
    ({ asks }) => !asks[0].includes('{') || filled(asks[0], slots) !== undefined,
  )
  return families.slice(0, 3).map(({ asks }) => filled(asks[0], slots) ?? asks[0])
}

function filled(ask: string, slots: Slots): string | undefined {
  const missing = [...ask.matchAll(/\{(\w+)\}/gu)].some(([, name = '']) => !isSlot(name) || slots[name] === undefined)
  return missing
    ? undefined
    : ask.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => (isSlot(name) ? (slots[name] ?? whole) : whole))
}
