import { planPacking, readPackings } from '../packing-lists.ts'

/** GPUs with one workload each, and by our plan, for each mix of MIG workloads. */
export type MixSaving = { readonly mix: string; readonly whole: number; readonly planned: number }

/** The shared lists by mix, in text order. Each list's plan is the proven optimum. */
export function packingMixes(): readonly MixSaving[] {
  const byMix = Map.groupBy(readPackings(undefined), ({ mix }) => mix)
  return [...byMix]
    .map(([mix, lists]) => ({
      mix,
      whole: lists.reduce((sum, { arrivals }) => sum + arrivals.length, 0),
      planned: lists.reduce((sum, { arrivals }) => sum + planPacking(arrivals).totals.gpus, 0),
    }))
    .toSorted((a, b) => (a.mix < b.mix ? -1 : 1))
}

export const inAll = (mixes: readonly MixSaving[]): Omit<MixSaving, 'mix'> => ({
  whole: mixes.reduce((sum, { whole }) => sum + whole, 0),
  planned: mixes.reduce((sum, { planned }) => sum + planned, 0),
})
