import type { WorkloadClass } from '../cluster/workload.ts'
import {
  compareText,
  gpuHours,
  type GpuHours,
  type Instant,
  instant,
  type Ratio,
  type Seconds,
  seconds,
  SECONDS_PER_HOUR,
  type Window,
} from '../units.ts'
import { clampRatio, hoursOf, valueOf } from './figure.ts'
import { kindOf, sumByKind } from './usage-sum.ts'
import { type Span, SPAN_SECONDS, type UsageTotal } from './usage.ts'
import { allocation, busy, busyOfAllocated, capacityOf, effective } from './utilization.ts'

/** One bucket of the utilization trend. Undefined is a gap, not 0. */
export type TrendPoint = {
  readonly at: Instant
  readonly capacity: GpuHours
  /** Of GPUs that were broken: outside what utilization is a share of. */
  readonly down: GpuHours
  readonly allocation: Ratio | undefined
  readonly busy: Ratio | undefined
  readonly busyOfAllocated: Ratio | undefined
  readonly effective: Ratio | undefined
  /** Share of allocated time that was measured; undefined when nothing was allocated. */
  readonly coverage: Ratio | undefined
}

/**
 * GPU-hours of the capacity by what they did. `idle` is what was held and idle, `unallocated` what nobody held, stranded
 * space included. The classes of work leave their idle time out, so the shares add up to 1.
 */
export type ClassUsage = {
  readonly class: WorkloadClass | 'idle' | 'unallocated'
  readonly hours: GpuHours
  readonly share: Ratio
}

/** The utilization of each bucket, oldest first, from totals that are grouped by `at`, `kind` and anything else. */
export function trendOf(totals: Iterable<UsageTotal>): TrendPoint[] {
  return [...Map.groupBy(totals, ({ key }) => key.at ?? '')]
    .map(([at, bucket]) => pointOf(instant(Number(at)), bucket))
    .toSorted((a, b) => a.at - b.at)
}

/** The trend of the GPUs of one model; `points` has one for each bucket of the fleet's trend, undefined where it has none. */
export type ModelTrend = {
  readonly model: string
  /** Ready GPU-hours over all buckets. */
  readonly capacity: GpuHours
  readonly points: readonly (TrendPoint | undefined)[]
}

/** The trend of each model, those with the most capacity first, from totals that are grouped by `at`, `kind` and `model`. */
export function trendByModel(totals: Iterable<UsageTotal>, fleet: readonly TrendPoint[]): ModelTrend[] {
  return [...Map.groupBy(totals, ({ key }) => key.model ?? '')]
    .map(([model, own]) => {
      const trend = trendOf(own)
      const byTime = new Map(trend.map((point) => [point.at, point]))
      return {
        model,
        capacity: gpuHours(trend.reduce((sum, { capacity }) => sum + capacity, 0)),
        points: fleet.map(({ at }) => byTime.get(at)),
      }
    })
    .filter(({ model, capacity }) => model !== '' && capacity > 0)
    .toSorted((a, b) => b.capacity - a.capacity || compareText(a.model, b.model))
}

function pointOf(at: Instant, totals: readonly UsageTotal[]): TrendPoint {
  const usage = sumByKind(totals)
  const { held } = usage
  return {
    at,
    capacity: hoursOf(capacityOf(usage)),
    down: hoursOf(usage.down.gpuSeconds),
    allocation: valueOf(allocation(usage)),
    busy: valueOf(busy(usage)),
    busyOfAllocated: valueOf(busyOfAllocated(held)),
    effective: valueOf(effective(held)),
    coverage: held.gpuSeconds > 0 ? clampRatio(held.measuredGpuSeconds / held.gpuSeconds) : undefined,
  }
}

/** What a trend was made of: the length of its buckets, the window it lies in, and how many GPUs there are now. */
export type TrendFrame = { readonly span: Span; readonly window: Window; readonly gpus: number }

/** From the first bucket of a trend to the end of the last, within the window; undefined when it is empty. */
export function observedWindow(trend: readonly TrendPoint[], { span, window }: TrendFrame): Window | undefined {
  const first = trend[0]
  const last = trend.at(-1)
  if (first === undefined || last === undefined) return undefined
  const end = last.at + SPAN_SECONDS[span] * 1000
  return { from: instant(Math.max(first.at, window.from)), to: instant(Math.min(end, window.to)) }
}

/**
 * For how long usage was seen: all of each bucket that lies within the window, but of the first only as long as its
 * GPU-hours tell, because collecting may have begun within it.
 */
export function observedSeconds(trend: readonly TrendPoint[], { span, window, gpus }: TrendFrame): Seconds {
  return seconds(
    trend.reduce((sum, point, order) => {
      const end = Math.min(point.at + SPAN_SECONDS[span] * 1000, window.to)
      const length = Math.max(0, end - Math.max(point.at, window.from)) / 1000
      const known = ((point.capacity + point.down) * SECONDS_PER_HOUR) / Math.max(1, gpus)
      return sum + (order === 0 ? Math.min(length, known) : length)
    }, 0),
  )
}

/** What the capacity did, by class of work, most first; from totals that are grouped by kind and workload class. */
export function classUsage(totals: Iterable<UsageTotal>): ClassUsage[] {
  const sums = new Map<ClassUsage['class'], number>()
  const add = (name: ClassUsage['class'], more: number): unknown => sums.set(name, (sums.get(name) ?? 0) + more)
  for (const total of totals) {
    const kind = kindOf(total)
    if (kind === 'down' || kind === 'unobserved') continue
    if (kind !== 'held') {
      add('unallocated', total.gpuSeconds)
      continue
    }
    const idle = Math.min(total.idleGpuSeconds, total.gpuSeconds)
    add('idle', idle)
    add(classOf(total), total.gpuSeconds - idle)
  }
  const capacity = [...sums.values()].reduce((sum, more) => sum + more, 0)
  return [...sums]
    .map(([name, gpuSeconds]) => ({
      class: name,
      hours: hoursOf(gpuSeconds),
      share: clampRatio(capacity > 0 ? gpuSeconds / capacity : 0),
    }))
    .toSorted((a, b) => b.hours - a.hours || compareText(a.class, b.class))
}

const CLASSES: readonly WorkloadClass[] = ['training', 'inference', 'analytics', 'notebook', 'unknown']
const classOf = ({ key }: UsageTotal): WorkloadClass => CLASSES.find((name) => name === key.workloadClass) ?? 'unknown'
