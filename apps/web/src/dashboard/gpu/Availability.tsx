import type { Answer } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'

type Node = Answer<'partitionsList'>['nodes'][number]

/**
 * How many partitions a workload could get now. Red only where nothing is left: unpartitioned slices are no partition yet,
 * and become one without moving anybody.
 */
export function Availability({ node }: { readonly node: Node }) {
  if (!node.ready) return <Badge tone="destructive">not ready</Badge>
  if (node.available > 0)
    return <Badge tone={node.schedulable ? 'secondary' : 'warning'}>{`${node.available} free`}</Badge>
  const canBeCut = node.gpus.some(({ blocks }) => blocks.some(({ kind }) => kind === 'uncut'))
  return canBeCut ? <Badge tone="warning">room left</Badge> : <Badge tone="destructive">none free</Badge>
}
