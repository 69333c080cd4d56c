import { type Ratio, ratio } from '../units.ts'
import type { GpuShare, InventoryNode } from './inventory.ts'
import type { Partition } from './node.ts'

/** A GPU by what shares name it: its UUID, or its index where only a count of GPUs is known. */
type Named = { readonly id: string; readonly index: number; readonly identified: string }

/** The shares that a scheduler gave of this GPU, each with the partition that stands for it. */
export function sharesOfGpu(gpu: Named, node: InventoryNode): ReadonlyArray<GpuShare & { readonly partition: string }> {
  const own = (node.shares ?? []).filter(
    (share) => share.gpu === gpu.id || (gpu.identified === 'label' && share.index === gpu.index),
  )
  const given = own.reduce((sum, { share }) => sum + share, 0)
  // Memory may be promised beyond what there is: together they still are one GPU.
  const scale = given > 1 ? 1 / given : 1
  return own.map((each, order) => ({
    ...each,
    share: ratio(each.share * scale),
    partition: `${gpu.id}/replica-${order}`,
  }))
}

/** A GPU of which a scheduler gives shares: one partition for each, and one for what is left. */
export function sharedPartitions(gpu: Named, node: InventoryNode): readonly Partition[] {
  const shares = sharesOfGpu(gpu, node)
  const left = 1 - shares.reduce((sum, { share }) => sum + share, 0)
  const sizes: readonly Ratio[] = [...shares.map(({ share }) => share), ...(left > LEAST ? [ratio(left)] : [])]
  return sizes.map((share, replica) => ({
    kind: 'shared',
    id: `${gpu.id}/replica-${replica}`,
    gpu: gpu.id,
    replica,
    replicas: sizes.length,
    share,
  }))
}

/** Less is what rounding leaves. */
const LEAST = 0.001
