import type { WaitCause } from '../analyze/wait-causes.ts'
import type { WaitChange, WaitTotal } from '../analyze/waits.ts'
import type { WorkloadId } from '../cluster/workload.ts'
import { compareText, SECONDS_PER_HOUR } from '../units.ts'
import type { PriceOf } from './prices-of.ts'

/** How much was waited. GPU-hours are the GPUs that were asked for × time, and money is their price. */
export type WaitAmount = {
  readonly seconds: number
  readonly gpuHours: number
  readonly usd: number
  /** Seconds of `seconds` of which it is not known how many GPUs were asked for. */
  readonly unsizedSeconds: number
  /** GPU-hours of `gpuHours` that have no price. */
  readonly unpricedGpuHours: number
}

/** What was waited for one cause, with the change that would end, or would have ended, most of it. */
export type CauseWait = WaitAmount & {
  readonly cause: WaitCause
  readonly workloads: number
  /** Of these, how many wait for it now. */
  readonly waiting: number
  readonly change: WaitChange | undefined
}

type WorkloadWait = WaitAmount & {
  readonly id: WorkloadId
  readonly namespace: string
  readonly asks: string
  /** What it waits for now; undefined: it waits no longer. */
  readonly waitsFor: WaitCause | undefined
  readonly causes: readonly CauseWait[]
}

/** Both lists are longest first, by GPU-hours and then by time; each adds up to the whole. */
export type WaitLedger = WaitAmount & {
  readonly causes: readonly CauseWait[]
  readonly workloads: readonly WorkloadWait[]
}

/** What was waited while one set of prices held. */
export type PricedWaits = { readonly totals: readonly WaitTotal[]; readonly priceOf: PriceOf }

/**
 * The whole wait of a window by cause and by workload. Work that several kinds of GPU could serve is priced at the cheapest
 * of them that has a price. `isWaiting` tells of a workload whether it waits now.
 */
export function waitLedger(periods: readonly PricedWaits[], isWaiting: (workload: WorkloadId) => boolean): WaitLedger {
  const entries = periods.flatMap(({ totals, priceOf }) =>
    totals.map((total): Entry => ({ total, amount: amountOf(total, priceOf) })),
  )
  const now = causesNow(entries, isWaiting)
  const workloads = [...Map.groupBy(entries, ({ total }) => total.workload)].map(([id, own]): WorkloadWait => {
    const { namespace = '', asks = '' } = own[0]?.total ?? {}
    return { ...sumOf(own), id, namespace, asks, waitsFor: now.get(id), causes: byCause(own, now) }
  })
  return { ...sumOf(entries), causes: byCause(entries, now), workloads: workloads.toSorted(byAmount(({ id }) => id)) }
}

type Entry = { readonly total: WaitTotal; readonly amount: WaitAmount }
type CausesNow = ReadonlyMap<WorkloadId, WaitCause>

function amountOf({ seconds, gpus, kinds }: WaitTotal, priceOf: PriceOf): WaitAmount {
  if (gpus === undefined) return { ...NOTHING, seconds, unsizedSeconds: seconds }
  const gpuHours = (gpus * seconds) / SECONDS_PER_HOUR
  const prices = kinds.map((kind) => priceOf(kind)).flatMap((price) => (price.kind === 'known' ? price.price : []))
  return prices.length === 0
    ? { ...NOTHING, seconds, gpuHours, unpricedGpuHours: gpuHours }
    : { ...NOTHING, seconds, gpuHours, usd: gpuHours * Math.min(...prices) }
}

const NOTHING: WaitAmount = { seconds: 0, gpuHours: 0, usd: 0, unsizedSeconds: 0, unpricedGpuHours: 0 }

const sumOf = (entries: readonly Entry[]): WaitAmount =>
  entries.reduce<WaitAmount>(
    (sum, { amount }) => ({
      seconds: sum.seconds + amount.seconds,
      gpuHours: sum.gpuHours + amount.gpuHours,
      usd: sum.usd + amount.usd,
      unsizedSeconds: sum.unsizedSeconds + amount.unsizedSeconds,
      unpricedGpuHours: sum.unpricedGpuHours + amount.unpricedGpuHours,
    }),
    NOTHING,
  )

/** For what each workload that waits now was last seen to wait. */
function causesNow(entries: readonly Entry[], isWaiting: (workload: WorkloadId) => boolean): CausesNow {
  const last = new Map<WorkloadId, WaitTotal>()
  for (const { total } of entries) {
    const known = last.get(total.workload)
    if (isWaiting(total.workload) && (known === undefined || total.lastAt > known.lastAt))
      last.set(total.workload, total)
  }
  return new Map([...last].map(([id, { cause }]) => [id, cause]))
}

function byCause(entries: readonly Entry[], now: CausesNow): readonly CauseWait[] {
  const causes = [...Map.groupBy(entries, ({ total }) => total.cause)].map(([cause, own]): CauseWait => {
    const workloads = new Set(own.map(({ total }) => total.workload))
    const waiting = new Set([...workloads].filter((id) => now.get(id) === cause))
    const theirs = own.filter(({ total }) => waiting.has(total.workload))
    const change = mostOf(theirs) ?? mostOf(own)
    return { ...sumOf(own), cause, workloads: workloads.size, waiting: waiting.size, change }
  })
  return causes.toSorted(byAmount(({ cause }) => cause))
}

/** The change that stands for the longest wait. */
function mostOf(entries: readonly Entry[]): WaitChange | undefined {
  const known = entries.filter(({ total }) => total.change !== undefined)
  const groups = [...Map.groupBy(known, ({ total }) => total.change?.sentence ?? '')].map(([sentence, own]) => ({
    ...sumOf(own),
    sentence,
    change: own[0]?.total.change,
  }))
  return groups.toSorted(byAmount(({ sentence }) => sentence))[0]?.change
}

const byAmount =
  <Row extends WaitAmount>(nameOf: (row: Row) => string) =>
  (a: Row, b: Row): number =>
    b.gpuHours - a.gpuHours || b.seconds - a.seconds || compareText(nameOf(a), nameOf(b))
