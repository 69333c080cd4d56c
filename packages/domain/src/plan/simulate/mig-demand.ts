import { GPU_MILLI, type Demand } from '../place/demand.ts'
import type { MigTables } from '../place/mig-tables.ts'

/** A pod that asks for one MIG instance. */
export type MigDemand = {
  readonly id: string
  /** Index in the tables' profiles. */
  readonly profile: number
  /** Thousandths of a GPU that it was recorded with. */
  readonly milli: number
}

/** A list of pods as MIG demand, with how many have none. */
export type MappedDemand = {
  readonly pods: readonly MigDemand[]
  readonly withoutGpu: number
  /** MIG cannot serve a pod with several GPUs: an instance is a part of one. */
  readonly severalGpus: number
}

/**
 * Shares of a GPU as MIG instances: ceil(share × compute slices) compute slices, then the smallest profile with that many;
 * of seven, more than four are 7g. A mapping, not a measurement: no GPU of the trace was cut.
 */
export function mapToMig(pods: readonly Demand[], { board, profiles }: MigTables): MappedDemand {
  const menu = [...profiles.entries()].toSorted(([, a], [, b]) => a.computeSlices - b.computeSlices || a.size - b.size)
  const profileFor = (milli: number): number => {
    const slices = Math.ceil((milli * board.computeSlices) / GPU_MILLI)
    return menu.find(([, { computeSlices }]) => computeSlices >= slices)?.[0] ?? 0
  }
  const mapped = pods.flatMap(({ id, gpu }): MigDemand[] => {
    const milli = milliOfOne(gpu)
    return milli === undefined ? [] : [{ id, profile: profileFor(milli), milli }]
  })
  const withoutGpu = pods.filter(({ gpu }) => gpu.kind === 'none').length
  return { pods: mapped, withoutGpu, severalGpus: pods.length - withoutGpu - mapped.length }
}

function milliOfOne(gpu: Demand['gpu']): number | undefined {
  if (gpu.kind === 'share') return gpu.milli
  return gpu.kind === 'whole' && gpu.count === 1 ? GPU_MILLI : undefined
}
