import { fitsIn, nodeRefusal } from '../../cluster/node-rules.ts'
import type { Instant } from '../../units.ts'
import type { PartitionId } from '../../cluster/node.ts'
import type { PodScheduling } from '../../cluster/scheduling.ts'
import type { AdmissionNode, AdmissionView, FreeInstance } from './admission-view.ts'

/** An instance that was given to a pod which the snapshot does not show yet. */
export type PromisedInstance = {
  readonly partition: PartitionId
  readonly node: string
  readonly cpuMilli: number
  readonly memory: number
  readonly at: Instant
}

export type InstanceWish = {
  readonly scheduling: PodScheduling
  readonly fits: (instance: FreeInstance) => boolean
  readonly promised: readonly PromisedInstance[]
}

/** The smallest instance that fits, where the pod could start now; of equal ones the first. Undefined: there is none. */
export function findInstance(
  { nodes }: Pick<AdmissionView, 'nodes'>,
  { scheduling, fits, promised }: InstanceWish,
): FoundInstance | undefined {
  const taken = new Set(promised.map(({ partition }) => partition))
  const isOpen = (instance: FreeInstance): boolean => !taken.has(instance.partition) && fits(instance)
  let best: FoundInstance | undefined
  for (const node of nodes) {
    const instance = smallest(node.instances, isOpen, best?.instance)
    if (instance !== undefined && takesPod(node, scheduling, promised)) best = { node, instance }
  }
  return best
}

export type FoundInstance = { readonly node: AdmissionNode; readonly instance: FreeInstance }

/** The smallest that is open and smaller than what was found before. */
function smallest(
  instances: readonly FreeInstance[],
  isOpen: (instance: FreeInstance) => boolean,
  before: FreeInstance | undefined,
): FreeInstance | undefined {
  let found: FreeInstance | undefined
  for (const instance of instances) {
    const least = found ?? before
    if ((least === undefined || isSmaller(instance, least)) && isOpen(instance)) found = instance
  }
  return found
}

const isSmaller = (a: FreeInstance, b: FreeInstance): boolean => (a.memory - b.memory || a.share - b.share) < 0

function takesPod(node: AdmissionNode, scheduling: PodScheduling, promised: readonly PromisedInstance[]): boolean {
  if (nodeRefusal(scheduling, node.rules) !== undefined) return false
  const here = promised.filter((each) => each.node === node.name)
  const cpu = here.reduce((left, each) => left - each.cpuMilli, node.left.cpuMilli)
  const memory = here.reduce((left, each) => left - each.memory, node.left.memory)
  return fitsIn(scheduling.cpuMilli, cpu) && fitsIn(scheduling.memory, memory)
}
