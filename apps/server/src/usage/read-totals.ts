import { mergeTotals, type UsageGroup, type UsageStore, type UsageTotal } from '@septet/domain'

import { floorTo, type Segment } from './segments.ts'

export type TotalsRequest = {
  readonly cluster: string
  readonly segments: readonly Segment[]
  readonly by: readonly UsageGroup[]
  /** Only what was held in these; left out: everything. */
  readonly namespaces?: readonly string[] | undefined
  /** Buckets are joined to steps of this many seconds when grouped by `at`. */
  readonly stepSeconds?: number
}

/** Totals over a window that is stored as rows of several spans, added up key by key. */
export async function readTotals(usage: UsageStore, request: TotalsRequest): Promise<readonly UsageTotal[]> {
  const { cluster, segments, by, namespaces, stepSeconds } = request
  const only = namespaces === undefined ? {} : { namespaces }
  const answers = await Promise.all(
    segments.map(({ span, window }) => usage.totals({ cluster, span, window, by, ...only })),
  )
  const totals = answers.flat()
  return mergeTotals(stepSeconds === undefined ? totals : totals.map((total) => atStep(total, stepSeconds)), by)
}

function atStep(total: UsageTotal, stepSeconds: number): UsageTotal {
  const { at } = total.key
  return at === undefined ? total : { ...total, key: { ...total.key, at: String(floorTo(Number(at), stepSeconds)) } }
}
