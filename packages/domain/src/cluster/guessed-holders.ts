import { baseProfile } from '../gpu/profile-name.ts'
import { firstFew } from '../words.ts'
import type { Allocation } from './inventory.ts'
import type { GpuNode, Partition, PartitionId, Problem } from './node.ts'
import { partitionSeen, type Sighting } from './sighting.ts'

/** Devices of a node among which some pods hold so many, nobody says which. */
export type Guess = {
  /** All that may be meant: those that were guessed, and those alike that no pod is known to hold. */
  readonly among: readonly Partition[]
  readonly holders: number
}

/** What is guessed of the holders of a node's devices, by each device that may be meant; empty where nothing is. */
export function guessesOn(
  { gpus }: Pick<GpuNode, 'gpus'>,
  allocationsOf: (partition: PartitionId) => readonly Allocation[],
): ReadonlyMap<PartitionId, Guess> {
  const open = gpus
    .flatMap(({ partitions }) => partitions)
    .filter(({ id }) => allocationsOf(id).every(({ evidence }) => evidence === 'guess'))
  const guesses = new Map<PartitionId, Guess>()
  for (const among of Map.groupBy(open, kindOf).values()) {
    const holders = among.reduce((sum, { id }) => sum + allocationsOf(id).length, 0)
    if (holders > 0) for (const { id } of among) guesses.set(id, { among, holders })
  }
  return guesses
}

/** Equal for devices that one resource may stand for. */
const kindOf = (partition: Partition): string =>
  partition.kind === 'mig' ? baseProfile(partition.profile) : partition.kind

/** A few nodes are named one by one, more in one sentence. */
const NODES_NAMED = 5

/** What is not known where devices are measured and nobody names their holders, and the one setting that mends it. */
export function guessProblems(
  allocations: readonly Allocation[],
  byNode: ReadonlyMap<string, readonly Sighting[]>,
): readonly Problem[] {
  const guessed = new Set(allocations.flatMap(({ partition, evidence }) => (evidence === 'guess' ? partition : [])))
  if (guessed.size === 0) return []
  const nodes = [...byNode].flatMap(([name, seen]) => (seen.some((one) => guessed.has(partitionSeen(one))) ? name : []))
  if (nodes.length === 0) return []
  const where =
    nodes.length > NODES_NAMED
      ? `${nodes.length} nodes (${firstFew(nodes.toSorted(), 3)})`
      : firstFew(nodes.toSorted(), NODES_NAMED)
  return [
    {
      code: 'holders-inferred',
      message:
        `The exporter on ${where} does not say which pod holds which device, so how busy these pods are is unknown, and ` +
        'no device is partitioned on a guess. Mount /var/lib/kubelet/pod-resources into dcgm-exporter and set ' +
        'DCGM_EXPORTER_KUBERNETES=true, so that it names the pods.',
      object: nodes.length === 1 ? `node/${nodes[0]}` : 'telemetry',
    },
  ]
}
