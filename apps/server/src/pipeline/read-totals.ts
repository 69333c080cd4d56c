import { ratio, mib, type UsageGroup, type UsageKind, type UsageStore, type UsageTotal } from '@septet/domain'

import { floorTo, type Segment } from './segments.ts'

export type TotalsRequest = {
  readonly cluster: string
  readonly segments: readonly Segment[]
  readonly by: readonly UsageGroup[]
  readonly kinds?: readonly UsageKind[]
  /** Buckets are joined to steps of this many seconds when grouped by `at`. */
  readonly stepSeconds?: number
}

/** Totals over a window that is stored as rows of several spans, added up key by key. */
export async function readTotals(usage: UsageStore, request: TotalsRequest): Promise<readonly UsageTotal[]> {
  const { cluster, segments, by, kinds, stepSeconds } = request
  const answers = await Promise.all(
    segments.map(({ span, window }) =>
      usage.totals({ cluster, span, window, by, ...(kinds === undefined ? {} : { kinds }) }),
    ),
  )
  const merged = new Map<string, UsageTotal>()
  for (const total of answers.flat()) {
    const stepped = stepSeconds === undefined ? total : atStep(total, stepSeconds)
    const key = JSON.stringify(by.map((group) => stepped.key[group]))
    const before = merged.get(key)
    merged.set(key, before === undefined ? stepped : add(before, stepped))
  }
  return [...merged.values()]
}

function atStep(total: UsageTotal, stepSeconds: number): UsageTotal {
  const { at } = total.key
  return at === undefined ? total : { ...total, key: { ...total.key, at: String(floorTo(Number(at), stepSeconds)) } }
}

const add = (a: UsageTotal, b: UsageTotal): UsageTotal => ({
  key: a.key,
  gpuSeconds: a.gpuSeconds + b.gpuSeconds,
  measuredGpuSeconds: a.measuredGpuSeconds + b.measuredGpuSeconds,
  busyGpuSeconds: a.busyGpuSeconds + b.busyGpuSeconds,
  effectiveMeasuredGpuSeconds: a.effectiveMeasuredGpuSeconds + b.effectiveMeasuredGpuSeconds,
  effectiveGpuSeconds: a.effectiveGpuSeconds + b.effectiveGpuSeconds,
  idleGpuSeconds: a.idleGpuSeconds + b.idleGpuSeconds,
  seconds: a.seconds + b.seconds,
  measuredSeconds: a.measuredSeconds + b.measuredSeconds,
  busyPeak: largest(a.busyPeak, b.busyPeak, ratio),
  memoryPeak: largest(a.memoryPeak, b.memoryPeak, mib),
  rows: a.rows + b.rows,
})

function largest<Unit extends number>(
  a: Unit | undefined,
  b: Unit | undefined,
  make: (value: number) => Unit,
): Unit | undefined {
  if (a === undefined) return b
  return b === undefined ? a : make(Math.max(a, b))
}
