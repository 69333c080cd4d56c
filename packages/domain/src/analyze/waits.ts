import { instant, type Instant, type Window } from '../units.ts'
import type { WaitCause } from './wait-causes.ts'

/** A single change that would let waiting work start; `kind` says of what sort, the sentence what to do, for people. */
export type WaitChange = { readonly kind: string; readonly sentence: string }

/** What waiting work asks for. */
export type WaitAsk = {
  /** "4 × nvidia.com/gpu". */
  readonly asks: string
  /** GPU-equivalents, a MIG device as its share of the compute slices; undefined where that is not known. */
  readonly gpus: number | undefined
  /** GPUs that could serve it, for their price: pool and model. */
  readonly kinds: readonly { readonly pool: string; readonly model: string }[]
}

/** One stretch in which one pod, or work that Kueue holds back before it has pods, waited for one cause. */
export type WaitStretch = WaitAsk & {
  /** The pod's uid; `workload/` and the workload's id for work without pods. */
  readonly waiter: string
  readonly namespace: string
  readonly workload: string
  readonly from: Instant
  readonly to: Instant
  readonly cause: WaitCause
  /** The cheapest change that would have ended it, as last seen; undefined where nothing but time or nothing known would. */
  readonly change: WaitChange | undefined
  /** Whether the wait ended with it. */
  readonly over: boolean
}

/** What some stretches of one workload add up to over a window. */
export type WaitTotal = WaitAsk &
  Pick<WaitStretch, 'namespace' | 'workload' | 'cause' | 'change'> & {
    readonly seconds: number
    /** Pods, or pieces of work without pods. */
    readonly waiters: number
    /** The end of the last of them, within the window. */
    readonly lastAt: Instant
  }

/** Sums of what of some stretches lies in a window, by workload, cause and change. */
export function totalsOfWaits(stretches: readonly WaitStretch[], window: Window): readonly WaitTotal[] {
  const inside = stretches
    .map((stretch) => ({ ...stretch, from: later(stretch.from, window.from), to: earlier(stretch.to, window.to) }))
    .filter(({ from, to }) => to > from)
  const keyOf = ({ waiter: _waiter, from: _from, to: _to, over: _over, ...parts }: WaitStretch): string =>
    JSON.stringify(parts)
  return [...Map.groupBy(inside, keyOf).values()].flatMap((own): WaitTotal | [] => {
    const [first] = own
    if (first === undefined) return []
    const { waiter: _waiter, from: _from, to, over: _over, ...parts } = first
    return {
      ...parts,
      seconds: own.reduce((sum, each) => sum + (each.to - each.from) / 1000, 0),
      waiters: new Set(own.map(({ waiter }) => waiter)).size,
      lastAt: own.reduce((last, each) => later(last, each.to), to),
    }
  })
}

/** Something that waits now or has waited, as one look at the cluster finds it. */
export type Waiter = Pick<WaitStretch, 'waiter' | 'namespace' | 'workload'> & {
  readonly createdAt: Instant
  /** When it was bound; undefined: it waits. */
  readonly endedAt: Instant | undefined
  /** Since when it has been told to wait, as the API says; undefined: not known. */
  readonly toldAt: Instant | undefined
  readonly ask: () => WaitAsk
  /** For what it waits now. */
  readonly verdict: () => Verdict
}

/** The last stretch that is known of something that waits, and for what it has waited since; what it asks for as last read. */
type Following = { readonly last: WaitStretch; readonly now: Verdict & WaitAsk }
type Verdict = Pick<WaitStretch, 'cause' | 'change'>

/** What looks so far have left: what waits, and what has been bound. */
export type WaitMemory = {
  readonly at: Instant | undefined
  readonly waiting: ReadonlyMap<string, Following>
  readonly ended: ReadonlySet<string>
}
export const NO_WAITS: WaitMemory = { at: undefined, waiting: new Map(), ended: new Set() }

/** What is remembered with the last stretches that were kept of some waiters, as after a restart. */
export const recallWaits = (memory: WaitMemory, kept: readonly WaitStretch[]): WaitMemory => ({
  ...memory,
  waiting: new Map([
    ...memory.waiting,
    ...kept.flatMap((last) => (last.over ? [] : [[last.waiter, { last, now: last }] as const])),
  ]),
  ended: new Set([...memory.ended, ...kept.flatMap(({ waiter, over }) => (over ? waiter : []))]),
})

/** Two looks further apart than this leave a gap that was not watched: the length of a usage bucket. */
const MOST_APART_MS = 300_000

export type WaitLook = { readonly at: Instant; readonly waiters: readonly Waiter[] }

/**
 * Goes on from what was remembered to what a look finds. A wait lasts from creation to binding, in whole seconds, and every
 * second of it is in one stretch: a cause counts from the look that saw it to the next. `stretches` are those that are new
 * or have changed, to be kept by waiter and beginning. What is gone without having been bound waited until it was last seen.
 */
export function followWaits(
  memory: WaitMemory,
  look: WaitLook,
): { readonly memory: WaitMemory; readonly stretches: readonly WaitStretch[] } {
  const at = instant(Math.floor(look.at / 1000) * 1000)
  const watched = memory.at !== undefined && at - memory.at <= MOST_APART_MS
  const waiting = new Map<string, Following>()
  const ended = new Set<string>()
  const stretches: WaitStretch[] = []
  for (const waiter of look.waiters) {
    const isOver = waiter.endedAt !== undefined
    if (isOver) ended.add(waiter.waiter)
    const wasOver = memory.ended.has(waiter.waiter)
    if (wasOver && isOver) continue
    // Held back again, it waits again.
    const found = followOne(memory, wasOver ? { ...waiter, createdAt: at } : waiter, { at, watched })
    stretches.push(...found.stretches)
    if (!isOver && found.last !== undefined)
      waiting.set(waiter.waiter, { last: found.last, now: { ...waiter.ask(), ...waiter.verdict() } })
  }
  return { memory: { at, waiting, ended }, stretches }
}

type Now = { readonly at: Instant; readonly watched: boolean }

function followOne(memory: WaitMemory, waiter: Waiter, now: Now) {
  const known = knownOf(memory, waiter)
  const found = known === undefined ? begin(waiter, now) : goOn(known, waiter, now.at)
  return { stretches: found.filter((one) => isToKeep(one, known)), last: found.at(-1) ?? known?.last }
}

/** Nothing of no length, unless that is what is left of a stretch that was kept. */
const isToKeep = ({ from, to }: WaitStretch, known: Following | undefined): boolean =>
  to > from || from === known?.last.from

function knownOf({ waiting }: WaitMemory, { waiter, createdAt }: Waiter): Following | undefined {
  const known = waiting.get(waiter)
  return known !== undefined && known.last.to >= createdAt ? known : undefined
}

/** The stretch up to the look or the binding. */
function goOn({ last, now }: Following, { endedAt }: Waiter, at: Instant): readonly WaitStretch[] {
  const to = endedAt ?? later(at, last.to)
  const over = endedAt !== undefined
  // A clock that is ahead of the API server's has counted some seconds past the binding.
  if (to < last.to) return [{ ...last, to: later(last.from, to), over }]
  if (to === last.to) return over ? [{ ...last, over }] : []
  if (at - last.to > MOST_APART_MS) return [{ ...unwatched(last, last.to, to), over }]
  const isSame = now.cause === last.cause
  return [{ ...last, ...now, from: isSame ? last.from : last.to, to, over }]
}

/** All of the wait of what no look has seen before, as far as the API tells it. */
function begin(waiter: Waiter, { at, watched }: Now): readonly WaitStretch[] {
  const { createdAt, endedAt, toldAt } = waiter
  const to = endedAt ?? later(createdAt, at)
  const over = endedAt !== undefined
  if (over && to <= createdAt) return []
  const { namespace, workload } = waiter
  const whole = {
    waiter: waiter.waiter,
    namespace,
    workload,
    ...waiter.ask(),
    from: createdAt,
    to,
    over,
    change: undefined,
  }
  if (over) {
    // What came and was bound between two looks was never told why it waited.
    return [{ ...whole, cause: watched ? 'not-told' : 'not-watched' }]
  }
  const from = watched ? createdAt : within(createdAt, toldAt ?? at, to)
  const before = from > createdAt ? [unwatched(whole, createdAt, from)] : []
  return [...before, { ...whole, from, ...waiter.verdict() }]
}

const unwatched = (of: Omit<WaitStretch, 'cause'>, from: Instant, to: Instant): WaitStretch => ({
  ...of,
  from,
  to,
  cause: 'not-watched',
  change: undefined,
})

const later = (a: Instant, b: Instant): Instant => (a > b ? a : b)
const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b)
const within = (least: Instant, at: Instant, most: Instant): Instant => later(least, earlier(at, most))
