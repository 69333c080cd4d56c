import type { GpuNode } from './node.ts'
import type { Pod } from './workload.ts'

/** CPU in thousandths of a core and memory in MiB that nobody asked for. */
export type HostLeft = { readonly cpuMilli: number; readonly memory: number }

/** What these pods leave of a node, by their requests; endless where it is not known, so that it cannot bind. */
export function hostLeft({ room }: Pick<GpuNode, 'room'>, pods: readonly Pick<Pod, 'scheduling'>[]): HostLeft {
  const cpu = pods.reduce((sum, { scheduling }) => sum + scheduling.cpuMilli, room.cpuUsed ?? 0)
  const memory = pods.reduce((sum, { scheduling }) => sum + scheduling.memory, room.memoryUsed ?? 0)
  return { cpuMilli: (room.cpuMilli ?? Infinity) - cpu, memory: (room.memory ?? Infinity) - memory }
}
