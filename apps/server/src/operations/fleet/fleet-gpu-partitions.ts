import type { BlockView, fleetGpu, GpuView, OutputOf } from '@septet/contract'
import {
  tenantOf,
  type Allocation,
  type Gpu,
  type JudgedSample,
  type Partition,
  type TenantRule,
  type Workload,
} from '@septet/domain'

import type { ClusterPicture } from '../../facts.ts'
import { isoOf, numberView } from '../answering/view.ts'

type PartitionView = OutputOf<typeof fleetGpu>['partitions'][number]

type Seen = {
  readonly gpu: Gpu
  readonly picture: ClusterPicture
  readonly samples: ReadonlyMap<string, JudgedSample>
}
type Drawn = { readonly view: GpuView; readonly rules: readonly TenantRule[] }

/** The partitions of one GPU in the order of their blocks, with who holds them and what these do there now. */
export function partitionViews({ gpu, picture, samples }: Seen, { view, rules }: Drawn): PartitionView[] {
  const ids = new Set(gpu.partitions.map(({ id }) => id))
  const allocations = picture.allocations.filter(({ partition }) => ids.has(partition))
  const workloads = new Map(picture.workloads.map((workload) => [workload.id, workload]))
  const holder = (allocation: Allocation): PartitionView['holders'][number] => ({
    workload: allocation.workload,
    pod: allocation.pod,
    tenant: tenantOfHolder(allocation, workloads, rules) ?? null,
    since: isoOf(allocation.since),
    evidence: allocation.evidence,
  })
  const blocks = blocksOf(gpu, view)
  return gpu.partitions.map((partition) => {
    const block = blocks.get(partition.id)
    const hidden = picture.heldByOthers?.has(partition.id) === true
    return {
      id: partition.id,
      name: partitionName(partition),
      kind: block?.kind ?? 'unknown',
      profile: partition.kind === 'mig' ? partition.profile : null,
      busy: busyOf(block),
      memoryUsed: memoryOf(hidden ? undefined : samples.get(partition.id), hidden),
      holders: allocations.filter((allocation) => allocation.partition === partition.id).map(holder),
    }
  })
}

/** "3g.40gb, instance 2", "whole GPU", "replica 1 of 4". */
export function partitionName(partition: Partition): string {
  if (partition.kind === 'mig') return `${partition.profile}, instance ${partition.instance}`
  return partition.kind === 'whole' ? 'whole GPU' : `replica ${partition.replica + 1} of ${partition.replicas}`
}

function tenantOfHolder(
  { workload: id, pod }: Allocation,
  workloads: ReadonlyMap<string, Workload>,
  rules: readonly TenantRule[],
): string | undefined {
  return tenantOf(workloads.get(id) ?? { namespace: pod.split('/')[0] ?? '' }, rules)
}

/** Blocks that are partitions, by partition; a bar has them in the order of their starts, and gaps between them. */
function blocksOf(gpu: Gpu, view: GpuView): ReadonlyMap<string, BlockView> {
  if (view.mode !== 'mig') return new Map(gpu.partitions.map(({ id }, order) => [id, view.blocks[order]]).flatMap(both))
  const cut = gpu.partitions.map((partition, order) => ({
    id: partition.id,
    start: (partition.kind === 'mig' ? partition.placement?.start : undefined) ?? order,
  }))
  const ordered = cut.toSorted((a, b) => a.start - b.start)
  const held = view.blocks.filter(({ profile }) => profile !== null)
  return new Map(ordered.map(({ id }, order) => [id, held[order]]).flatMap(both))
}

const both = ([id, block]: readonly (string | BlockView | undefined)[]): readonly [string, BlockView][] =>
  typeof id === 'string' && typeof block === 'object' ? [[id, block]] : []

const busyOf = (block: BlockView | undefined): PartitionView['busy'] =>
  numberView(block?.busy ?? undefined, {
    unit: 'ratio',
    because: block?.because ?? (block?.kind === 'free' ? 'No workload holds it.' : 'Not measured.'),
    explain: {
      formula: 'share of time in which its compute engine was busy',
      source: 'DCGM_FI_PROF_GR_ENGINE_ACTIVE, newest sample',
      window: undefined,
    },
  })

const memoryOf = (sample: JudgedSample | undefined, hidden: boolean): PartitionView['memoryUsed'] =>
  numberView(sample?.memoryUsed, {
    unit: 'MiB',
    because: hidden
      ? 'Held in a namespace you cannot see.'
      : 'The exporter does not tell the memory in use of this partition.',
    explain: { formula: 'framebuffer in use', source: 'DCGM_FI_DEV_FB_USED, newest sample', window: undefined },
  })
