import {
  compareText,
  instant,
  peaksOf,
  seconds,
  SPAN_SECONDS,
  type GpuStay,
  type UsageQuery,
  type UsageRow,
} from '@septet/domain'

import { highest, isAsked } from './totals-of.ts'

/** What the stays statement answers, computed from rows. */
export function staysOf(rows: readonly UsageRow[], query: UsageQuery): readonly GpuStay[] {
  const { from, to } = query.window
  const held = rows.filter((row) => row.kind === 'held' && row.at >= from && row.at < to && isAsked(row, query))
  const groups = Map.groupBy(held, ({ namespace, pod, workload, model, profile, share }) =>
    JSON.stringify([namespace, pod, workload, model, profile, share]),
  )
  return [...groups.values()].flatMap((group) => stayOf(group, SPAN_SECONDS[query.span])).toSorted(byPod)
}

/** In one order, whichever engine found them. */
export const byPod = (a: GpuStay, b: GpuStay): number =>
  compareText(a.pod, b.pod) ||
  compareText(a.namespace, b.namespace) ||
  compareText(a.workload, b.workload) ||
  compareText(a.model, b.model) ||
  compareText(a.profile, b.profile) ||
  a.share - b.share

/** When a stay began and ended: what its first bucket lacks lies before it, what its last one lacks behind it. */
export function stayTimes(times: {
  readonly first: number
  readonly last: number
  readonly began: number
  readonly ended: number
}): Pick<GpuStay, 'from' | 'to'> {
  const { first, last, began, ended } = times
  return { from: instant(first === last ? first : began), to: instant(ended) }
}

function stayOf(group: readonly UsageRow[], span: number): GpuStay[] {
  const [row] = group
  if (row === undefined) return []
  const sum = (value: (one: UsageRow) => number): number => group.reduce((whole, one) => whole + value(one), 0)
  const least = (value: (one: UsageRow) => number): number =>
    group.reduce((low, one) => Math.min(low, value(one)), Infinity)
  const most = (value: (one: UsageRow) => number): number =>
    group.reduce((high, one) => Math.max(high, value(one)), -Infinity)
  const { pod, namespace, workload, model, profile, share } = row
  return [
    {
      pod,
      namespace,
      workload,
      model,
      profile,
      share,
      devices: new Set(group.map(({ partition }) => partition)).size,
      ...stayTimes({
        first: least(({ at }) => at),
        last: most(({ at }) => at),
        began: least(({ at, present }) => at + (span - present) * 1000),
        ended: most(({ at, present }) => at + present * 1000),
      }),
      measuredGpuSeconds: sum((one) => one.share * one.measured),
      busyGpuSeconds: sum((one) => one.share * one.measured * (one.busy ?? 0)),
      measuredSeconds: seconds(sum((one) => one.measured)),
      ...peaksOf((peak) => highest(group.map((one) => one[peak]))),
    },
  ]
}
