import { at, type Demand, GPU_MILLI, type TypicalDemand } from '@septet/domain'

/** Free room of one node, as it is or as it would be. */
export type NodeRoom = { cpu: number; milli: Float64Array; readonly gpus: number; readonly model: string }

/**
 * Expected GPU fragmentation of a node, thousandths of a GPU (Weng et al., "Beware of Fragmentation", USENIX ATC 2023):
 * the free GPU room that a typical demand, drawn by its share, could not use. CPU and GPU count, memory does not.
 */
export function expectedFragmentation(room: NodeRoom, typical: readonly Wanted[]): number {
  let expected = 0
  for (const wanted of typical) expected += wanted.share * fragmentFor(room, wanted)
  return expected
}

/** A typical demand with its limits looked up once. Memory apart, equal ones are one. */
export type Wanted = {
  readonly share: number
  readonly cpuMilli: number
  /** GPUs wanted; 0: none. */
  readonly count: number
  /** Thousandths of each of them. */
  readonly milli: number
  readonly models: ReadonlySet<string>
}

export function wantedOf(typical: readonly TypicalDemand[]): Wanted[] {
  const merged = new Map<string, Wanted>()
  for (const { demand, share } of typical) {
    const wanted = oneWanted(demand, share)
    const key = `${wanted.cpuMilli}|${wanted.count}|${wanted.milli}|${demand.models.join(',')}`
    const known = merged.get(key)
    merged.set(key, { ...wanted, share: share + (known?.share ?? 0) })
  }
  return [...merged.values()]
}

function oneWanted({ cpuMilli, gpu, models }: Demand, share: number): Wanted {
  const limits = { share, cpuMilli, models: new Set(models) }
  if (gpu.kind === 'none') return { ...limits, count: 0, milli: 0 }
  return gpu.kind === 'whole'
    ? { ...limits, count: gpu.count, milli: GPU_MILLI }
    : { ...limits, count: 1, milli: gpu.milli }
}

function fragmentFor({ cpu, milli, gpus, model }: NodeRoom, wanted: Wanted): number {
  let total = 0
  let tooSmall = 0
  let enough = 0
  for (let gpu = 0; gpu < gpus; gpu += 1) {
    const free = at(milli, gpu)
    total += free
    if (free >= wanted.milli) enough += 1
    else tooSmall += free
  }
  const runs = wanted.count > 0 && wanted.cpuMilli <= cpu && enough >= wanted.count
  if (!runs || !(wanted.models.size === 0 || wanted.models.has(model))) return total
  return tooSmall
}
