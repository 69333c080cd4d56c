import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import { isIdle, idlePart, isWork, presentOf } from '../../plan/recommend/idle-stretch.ts'
import { oneRowEach } from '../../plan/recommend/one-row-each.ts'
import { WEEK_MS, compareText, type Instant, instant, type Ratio, SECONDS_PER_HOUR, type Window } from '../../units.ts'

/** What a workload did in one bucket, all its pods together. */
export type RecordedBucket = {
  readonly at: Instant
  readonly end: Instant
  readonly rows: readonly UsageRow[]
  /** `unknown`: neither can be told, as too little of it was measured. */
  readonly did: 'nothing' | 'work' | 'unknown'
  /** What it held and did not use: GPU-hours, and dollars of what has a price. */
  readonly idle: { readonly hours: number; readonly cost: number | undefined }
}

/** The recorded past of one workload, as one could have seen it at any moment. */
export type RecordedWork = {
  readonly id: WorkloadId
  /** Oldest first. */
  readonly buckets: readonly RecordedBucket[]
  /** Buckets that had ended by a moment and began at most a week before. */
  seenAt(now: Instant): readonly RecordedBucket[]
  /** Where those are in the list: from one place up to another, which is not among them. */
  placesAt(now: Instant): { readonly from: number; readonly to: number }
  /** More idle hours than `seenAt` can hold; without looking at them. */
  idleHoursUpTo(now: Instant): number
}

type Judge = { readonly threshold: Ratio; readonly priceOf: PriceOf }

/** The past of each workload of the rows, by id; the same in whatever order the rows come. */
export function recordedWork(rows: readonly UsageRow[], judge: Judge): readonly RecordedWork[] {
  const byWorkload = Map.groupBy(rows, ({ workload }) => workload)
  return [...byWorkload]
    .filter(([id]) => id !== '')
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([id, own]) => workOf(id, own, judge))
}

/** A row as text: all that a replay looks at. Equal rows have equal text. */
export const rowText = (row: UsageRow): string =>
  JSON.stringify([
    row.at,
    row.span,
    row.partition,
    row.pod,
    row.node,
    row.pool,
    row.gpu,
    row.profile,
    row.model,
    row.kind,
    row.share,
    row.workload,
    row.workloadClass,
    row.present,
    row.measured,
    row.idle,
    row.busy ?? null,
    row.busyPeak ?? null,
    row.memoryPeak ?? null,
    row.reason ?? null,
  ])

function workOf(id: WorkloadId, rows: readonly UsageRow[], judge: Judge): RecordedWork {
  const buckets = bucketsOf(rows, judge)
  const idle = [0]
  for (const bucket of buckets) idle.push((idle.at(-1) ?? 0) + idleSeconds(bucket, judge.threshold))
  /** How many buckets had ended by a moment, and how many had begun before one. */
  const ended = (by: number): number => firstNot(buckets, ({ end }) => end <= by)
  const begun = (before: number): number => firstNot(buckets, ({ at }) => at < before)
  return {
    id,
    buckets,
    seenAt: (now) => buckets.slice(begun(now - WEEK_MS), ended(now)),
    placesAt: (now) => ({ from: begun(now - WEEK_MS), to: ended(now) }),
    idleHoursUpTo: (now) => ((idle[ended(now)] ?? 0) - (idle[begun(now - WEEK_MS)] ?? 0)) / 3600,
  }
}

/** Where the first item is that does not pass, in a list where those that pass come first. */
function firstNot<Item>(items: readonly Item[], passes: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && passes(item)) low = middle + 1
    else high = middle
  }
  return low
}

function bucketsOf(rows: readonly UsageRow[], { threshold, priceOf }: Judge): readonly RecordedBucket[] {
  return [...Map.groupBy(oneRowEach(inOrder(rows)), ({ at }) => at)]
    .toSorted(([a], [b]) => a - b)
    .map(([at, own]) => ({
      at,
      end: endOf(own),
      rows: own,
      did: whatWasDone(own, threshold),
      idle: idleIn(own, priceOf),
    }))
}

function idleIn(rows: readonly UsageRow[], priceOf: PriceOf): RecordedBucket['idle'] {
  const idled = rows.map(({ share, idle, pool, model, node, at }) => {
    const price = priceOf({ pool, model, node, at })
    const hours = (share * idle) / SECONDS_PER_HOUR
    return { hours, cost: price.kind === 'known' ? hours * price.price : undefined }
  })
  const costs = idled.flatMap(({ cost }) => cost ?? [])
  return {
    hours: idled.reduce((sum, { hours }) => sum + hours, 0),
    cost: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
  }
}

const endOf = (rows: readonly UsageRow[]): Instant =>
  instant(rows.reduce((end, { at, span }) => Math.max(end, at + SPAN_SECONDS[span] * 1000), 0))

function whatWasDone(rows: readonly UsageRow[], threshold: Ratio): RecordedBucket['did'] {
  if (rows.some((row) => isWork(row, threshold))) return 'work'
  return rows.every((row) => isIdle(row, threshold)) ? 'nothing' : 'unknown'
}

const idleSeconds = ({ rows }: RecordedBucket, threshold: Ratio): number =>
  presentOf(rows) * rows.reduce((least, row) => Math.min(least, idlePart(row, threshold)), 1)

/** What lies in none of the stretches. */
export const outside = (buckets: readonly RecordedBucket[], stretches: readonly Window[]): readonly RecordedBucket[] =>
  stretches.length === 0
    ? buckets
    : buckets.filter(({ at }) => stretches.every(({ from, to }) => at < from || at >= to))

/** Rows in an order of their own: sums of what a store has cut up must not depend on the order in which it comes. */
export const inOrder = (rows: readonly UsageRow[]): readonly UsageRow[] =>
  rows
    .map((row) => ({ row, text: rowText(row) }))
    .toSorted((a, b) => compareText(a.text, b.text))
    .map(({ row }) => row)
