import { namespaceOf } from '../cluster/held-by.ts'
import type { TokenCount, TokenCounts } from '../cluster/inference-reader.ts'
import type { WorkloadId } from '../cluster/workload.ts'
import { compareText, type Ratio, type Window } from '../units.ts'
import { clampRatio } from './figure.ts'
import type { GpuStay } from './gpu-stay.ts'

/** The tokens that inference engines counted in a window, by the workload whose pods counted them. */
export type ServedTokens = {
  readonly window: Window
  readonly rows: readonly ServedRow[]
  /** Those with pods that counted. */
  readonly workloads: readonly ServingWorkload[]
  /** Counters that the metrics engine would not add up. */
  readonly refused: readonly string[]
}

/** What one workload counted of one model. */
export type ServedRow = {
  /** Empty where no pod is known to have held a GPU under that name. */
  readonly workload: WorkloadId
  /** Empty where the scrape does not tell it. */
  readonly namespace: string
  /** As the engine names it; empty where it does not. */
  readonly model: string
  readonly engines: readonly string[]
  /** Tokens read and written; undefined where one of the pods has no such counter. */
  readonly prompt: number | undefined
  readonly generation: number | undefined
}

export type ServingWorkload = {
  readonly workload: WorkloadId
  /** For how long any of its pods counted tokens, as a share of how long it held GPUs. */
  readonly counted: Ratio
  /** Share of the time for which it counted that is beyond the time for which it is known to have held GPUs. */
  readonly beyond: Ratio
  /** Pods that held a GPU for a step of the window or longer, and how many of these counted nothing. */
  readonly pods: number
  readonly silentPods: number
}

type Stay = Pick<GpuStay, 'pod' | 'workload' | 'from' | 'to'>

/** Puts what pods counted and when they held GPUs together. */
export function servedTokens(read: TokenCounts, stays: readonly Stay[]): ServedTokens {
  const ordered = stays.toSorted((a, b) => a.from - b.from)
  const owners = new Map(ordered.map(({ pod, workload }) => [pod, workload]))
  const rows = Map.groupBy(read.counts, ({ pod, model }) =>
    JSON.stringify([owners.get(pod) ?? '', namespaceOf(pod), model]),
  )
  const staysOf = Map.groupBy(ordered, ({ workload }) => workload)
  const serving = Map.groupBy(read.counts, ({ pod }) => owners.get(pod) ?? '')
  return {
    window: read.window,
    rows: [...rows].toSorted(([a], [b]) => compareText(a, b)).map(([, counts]) => rowOf(counts, owners)),
    workloads: [...serving]
      .filter(([workload]) => workload !== '')
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([workload, counts]) => servingOf(workload, { counts, stays: staysOf.get(workload) ?? [], read })),
    refused: read.refused,
  }
}

function rowOf(counts: readonly TokenCount[], owners: ReadonlyMap<string, WorkloadId>): ServedRow {
  const [{ pod, model } = { pod: '', model: '' }] = counts
  return {
    workload: owners.get(pod) ?? '',
    namespace: namespaceOf(pod),
    model,
    engines: [...new Set(counts.map(({ engine }) => engine))].toSorted(),
    prompt: sumIfKnown(counts.map(({ prompt }) => prompt)),
    generation: sumIfKnown(counts.map(({ generation }) => generation)),
  }
}

/** A sum of which a part is unknown is unknown. */
export const sumIfKnown = (amounts: readonly (number | undefined)[]): number | undefined =>
  amounts.reduce<number | undefined>(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount),
    0,
  )

type Serving = { readonly counts: readonly TokenCount[]; readonly stays: readonly Stay[]; readonly read: TokenCounts }

function servingOf(workload: WorkloadId, { counts, stays, read: { window, steps } }: Serving): ServingWorkload {
  const length = (window.to - window.from) / Math.max(1, steps)
  const held = spanOf(stays, window)
  // How long, not when: of an old pod it is known to a day when it held GPUs, and for how many hours.
  const counted = new Set(counts.flatMap((count) => count.steps)).size * length
  const heard = new Set(counts.map(({ pod }) => pod))
  const long = Map.groupBy(stays, ({ pod }) => pod)
  const pods = [...long].filter(([pod, of]) => heard.has(pod) || spanOf(of, window) >= length).map(([pod]) => pod)
  return {
    workload,
    counted: clampRatio(held > 0 ? counted / held : 0),
    // It may have begun and ended within a step.
    beyond: clampRatio(counted > 0 ? (counted - held - 2 * length) / counted : 0),
    pods: pods.length,
    silentPods: pods.filter((pod) => !heard.has(pod)).length,
  }
}

/** How much of a stretch any of the stays covers, milliseconds; the earliest stay first. */
function spanOf(stays: readonly Stay[], { from, to }: { readonly from: number; readonly to: number }): number {
  let [covered, reached] = [0, from]
  for (const stay of stays) {
    const [begin, end] = [Math.max(stay.from, reached), Math.min(stay.to, to)]
    if (end <= begin) continue
    covered += end - begin
    reached = end
  }
  return covered
}
