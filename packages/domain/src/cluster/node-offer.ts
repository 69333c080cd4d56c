import { onceFor } from '../once-for.ts'
import type { GpuNode } from './node.ts'

/** How a machine is paid for, as far as its node can say. */
export type NodeCapacity = 'on-demand' | 'spot' | 'reserved'

/** What a node's labels say of the machine that is paid for. */
export type NodeOffer = {
  /** `p5.48xlarge`, `Standard_ND96isr_H100_v5`, `a3-highgpu-8g`; empty where no label says so. */
  readonly instanceType: string
  /** `us-east-1`, `eastus`; empty where no label says so. */
  readonly region: string
  /** Undefined where no label says so: most clouds label spot alone, and nobody labels owned machines. */
  readonly capacity: NodeCapacity | undefined
}

/** What is paid for a node, by the labels of Kubernetes, Karpenter, EKS, GKE and AKS. */
export function offerOf({ room: { labels } }: Pick<GpuNode, 'room'>): NodeOffer {
  const first = (keys: readonly string[]): string => keys.map((key) => labels[key]).find(isGiven) ?? ''
  return { instanceType: first(INSTANCE_TYPE), region: first(REGION), capacity: capacityOf(labels) }
}

/**
 * The same as one text, which usage rows keep: what a GPU costs can then be told when its node is long gone. Empty where no
 * label says anything.
 */
export const machineOf = onceFor((node: Pick<GpuNode, 'room'>): string => {
  const { instanceType, region, capacity = '' } = offerOf(node)
  const parts = [instanceType, region, capacity]
  return parts.every((part) => part === '') ? '' : parts.join(APART)
})

/** What `machineOf` wrote. */
export function offerOfMachine(machine: string): NodeOffer {
  const [instanceType = '', region = '', capacity = ''] = machine.split(APART)
  return { instanceType, region, capacity: CAPACITIES.find((known) => known === capacity) }
}

// No label holds one.
const APART = '|'
const CAPACITIES: readonly NodeCapacity[] = ['on-demand', 'spot', 'reserved']

const isGiven = (text: string | undefined): boolean => text !== undefined && text !== ''

const INSTANCE_TYPE = ['node.kubernetes.io/instance-type', 'beta.kubernetes.io/instance-type']
const REGION = ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region']

/** Labels that tell how capacity is paid for, and what their values mean. Others say nothing of it. */
const CAPACITY: Readonly<Record<string, Readonly<Record<string, NodeCapacity>>>> = {
  'karpenter.sh/capacity-type': { 'on-demand': 'on-demand', spot: 'spot', reserved: 'reserved' },
  'eks.amazonaws.com/capacityType': { ON_DEMAND: 'on-demand', SPOT: 'spot', CAPACITY_BLOCK: 'reserved' },
  'cloud.google.com/gke-spot': { true: 'spot' },
  'cloud.google.com/gke-preemptible': { true: 'spot' },
  'cloud.google.com/gke-provisioning': { spot: 'spot', preemptible: 'spot', standard: 'on-demand' },
  'kubernetes.azure.com/scalesetpriority': { spot: 'spot', regular: 'on-demand' },
}

const capacityOf = (labels: Readonly<Record<string, string>>): NodeCapacity | undefined =>
  Object.entries(CAPACITY)
    .map(([key, meanings]) => meanings[labels[key] ?? ''])
    .find((capacity) => capacity !== undefined)
