import type { Cluster } from '../cluster.ts'
import { refreshNode } from '../node-devices.ts'
import type { Fault } from './fault-list.ts'

/** The kubelet no longer offers one of a node's devices; somebody may hold it, and then goes on. */
export function withholdDevice(cluster: Cluster, { node = '' }: Fault): void {
  cluster.withheld.add(node)
  refreshNode(cluster, node)
}

export function offerDevice(cluster: Cluster, { node = '' }: Fault): void {
  cluster.withheld.delete(node)
  refreshNode(cluster, node)
  cluster.stirred = true
}
