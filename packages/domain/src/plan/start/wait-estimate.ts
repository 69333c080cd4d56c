import type { PastWait } from '../../analyze/past-wait.ts'
import { seconds, type Instant, type Seconds } from '../../units.ts'
import { duration, plural } from '../../words.ts'

/** How long work like this still waits; in words where the past is too short to say. */
export type WaitEstimate =
  | {
      readonly kind: 'known'
      /** Four of five waits like it ended between these; half of them before the middle. */
      readonly low: Seconds
      readonly middle: Seconds
      readonly high: Seconds
      /** From how many waits, and which they are. */
      readonly waits: number
      readonly like: string
    }
  | { readonly kind: 'unknown'; readonly because: string }

export type WaitQuestion = {
  readonly now: Instant
  readonly namespace: string
  /** "4 × nvidia.com/gpu", as waits are kept. */
  readonly asks: string
  /** How long it has waited already; 0 for work that is not submitted yet. */
  readonly age: Seconds
}

/** Fewer ended waits than this say nothing about how far they spread: below ten not even where nine of ten end. */
const FEWEST = 20
/** What was long ago says little about the queue of today. */
const NEWEST = 120
/** Past waits that the width is learned on. */
const LEARNED_ON = 150
/** A wait that outlasts this share of what was watched cannot be told from it: those that ended by then are the short ones. */
const LONGEST_SHARE = 0.5
/** Ends of an interval that are further apart say nothing; nobody minds which part of its first minute a wait takes. */
const FURTHEST_APART = 300
const A_MINUTE = 60
/** What is bound sooner did not wait for room: the scheduler only had to see it. */
const AT_ONCE = seconds(30)
/** Of ten waits one may end sooner than was said, and one later. */
const MISSES_A_SIDE = 0.1
/** How fast the width follows the misses. */
const RATE = 0.2
/** Before anything is learned intervals are stretched by a quarter: a few waits reach less far than all. */
const FIRST_STRETCH = Math.log(1.25)

/**
 * When work that cannot start now starts, by the waits of the past: of the same ask in the same namespace, where those are
 * too few of the same ask anywhere. A wait behind a long queue is longer, so past waits are compared by what they lasted for
 * each that waited when they began. Only waits that lasted longer than its age count, and work that still waits counts for
 * as long as it has waited. Either end of the interval is then moved until past waits, each asked about when it began,
 * would have ended before it in one of ten cases and after it in one of ten (adaptive conformal inference, Gibbs and Candès
 * 2021): a queue is not the same from one day to the next, and its own quantiles promise too much.
 */
export function estimateWait(history: readonly PastWait[], question: WaitQuestion): WaitEstimate {
  const same = history.filter(({ asks }) => asks === question.asks)
  const [first, ...wider] = [
    {
      waits: same.filter(({ namespace }) => namespace === question.namespace),
      like: `${question.asks} in ${question.namespace}`,
    },
    { waits: same, like: `${question.asks} in all namespaces` },
  ]
  const found = [first, ...wider].find((each) => each !== undefined && endedIn(each.waits, question).length >= FEWEST)
  if (found === undefined) {
    const most = endedIn(same, question).length
    return {
      kind: 'unknown',
      because:
        most === 0
          ? `No such waits observed yet; ${FEWEST} are needed.`
          : `Only ${plural(most, 'wait')} for ${question.asks} ${most === 1 ? 'has' : 'have'} ended while Septet watched; an estimate takes ${FEWEST}.`,
    }
  }
  const crowd = crowdOf(history)
  const interval = intervalAt(found.waits, question, crowd)
  const watched = (question.now - Math.min(...history.map(({ from }) => from))) / 1000
  if (interval.middle > watched * LONGEST_SHARE) {
    return {
      kind: 'unknown',
      because: `Half of the waits for ${found.like} would last longer than ${duration(interval.middle)}, and Septet has watched them for ${duration(watched)}: too short for an estimate.`,
    }
  }
  const stretch = learnedStretch(found.waits, question.now, crowd)
  const low = seconds(Math.round(Math.min(interval.middle, interval.low / stretch.low)))
  const high = seconds(Math.round(Math.max(interval.middle, interval.high * stretch.high)))
  if (high > FURTHEST_APART * Math.max(low, A_MINUTE)) {
    return {
      kind: 'unknown',
      because: `Waits for ${found.like} end after anything from ${duration(low)} to ${duration(high)}, too far apart for an estimate.`,
    }
  }
  const middle = seconds(Math.round(interval.middle))
  return { kind: 'known', low, middle, high, waits: endedIn(found.waits, question).length, like: found.like }
}

type At = Pick<WaitQuestion, 'now' | 'age'>

const leastOf = ({ age }: Pick<At, 'age'>): number => Math.max(age, AT_ONCE)

const endedIn = (waits: readonly PastWait[], at: At): readonly PastWait[] =>
  waits.filter(({ from, to, over }) => over && to <= at.now && (to - from) / 1000 > leastOf(at))

/** A wait as far as it was seen at an instant; `share`: its length for each that waited when it began. */
type Seen = { readonly length: number; readonly share: number; readonly ended: boolean; readonly at: number }

type Interval = { readonly low: number; readonly middle: number; readonly high: number }

/** Quantiles of the rest of the wait, of the newest waits that were known then (Kaplan and Meier, 1958). */
function intervalAt(waits: readonly PastWait[], at: At, crowd: Crowd): Interval {
  const least = leastOf(at)
  const own = crowd(at.now - at.age * 1000)
  const seen = waits
    .filter(({ from }) => from < at.now)
    .map(({ from, to, over }): Seen => {
      const ended = over && to <= at.now
      const length = ((ended ? to : at.now) - from) / 1000
      return { length, share: length / crowd(from), ended, at: ended ? to : at.now }
    })
    .filter(({ length }) => length > least)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, NEWEST)
    .toSorted((a, b) => a.share - b.share)
  const quantile = (share: number): number => Math.max(1, survivalQuantile(seen, share) * own - at.age)
  return { low: quantile(MISSES_A_SIDE), middle: quantile(0.5), high: quantile(1 - MISSES_A_SIDE) }
}

/** Where so large a share has ended; the longest that was seen where fewer have. */
function survivalQuantile(seen: readonly Seen[], share: number): number {
  let waiting = 1
  for (const [index, { share: own, ended }] of seen.entries()) {
    if (ended) waiting *= 1 - 1 / (seen.length - index)
    if (1 - waiting >= share - 1e-9) return own
  }
  return seen.at(-1)?.share ?? 0
}

/** By how much either end of an interval had to be moved so that past waits, in the order in which they began, were inside. */
type Stretch = { readonly low: number; readonly high: number }

/** A past wait that was told an interval: known to be inside or not once it has ended, or lasted longer than was said. */
type Told = { readonly known: number; readonly early: boolean; readonly late: boolean }

function learnedStretch(waits: readonly PastWait[], now: Instant, crowd: Crowd): Stretch {
  const learning = waits
    .filter(({ from, to, over }) => over && to <= now && (to - from) / 1000 > AT_ONCE)
    .toSorted((a, b) => a.from - b.from)
    .slice(-LEARNED_ON)
  let [below, above] = [FIRST_STRETCH, FIRST_STRETCH]
  const open: Told[] = []
  for (const wait of learning) {
    for (const each of open.splice(0).toSorted((a, b) => a.known - b.known)) {
      if (each.known > wait.from) {
        open.push(each)
        continue
      }
      below += RATE * ((each.early ? 1 : 0) - MISSES_A_SIDE)
      above += RATE * ((each.late ? 1 : 0) - MISSES_A_SIDE)
    }
    const at: At = { now: wait.from, age: seconds(0) }
    if (endedIn(waits, at).length < FEWEST) continue
    const { low, high } = intervalAt(waits, at, crowd)
    const length = (wait.to - wait.from) / 1000
    const [least, most] = [low / Math.exp(below), high * Math.exp(above)]
    const late = length > most
    open.push({ known: late ? wait.from + most * 1000 : wait.to, early: length < least, late })
  }
  return { low: Math.exp(below), high: Math.exp(above) }
}

/** How many waits were open at an instant, and one more: 1 where nothing waited. */
type Crowd = (at: number) => number

/** Counts the waits of a history that were open at any instant; what still waits is open from when it began. */
function crowdOf(history: readonly PastWait[]): Crowd {
  const begun = history.map(({ from }) => from).toSorted((a, b) => a - b)
  const ended = history.flatMap(({ to, over }) => (over ? to : [])).toSorted((a, b) => a - b)
  return (at) => 1 + Math.max(0, countBelow(begun, at) - countBelow(ended, at + 1))
}

/** How many of an ascending list are less than a value. */
function countBelow(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((ascending[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}
