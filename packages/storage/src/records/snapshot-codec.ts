import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import {
  UNCONSTRAINED,
  UNKNOWN_ROOM,
  type ClusterSnapshot,
  type GpuNode,
  type Pod,
  type PodScheduling,
} from '@septet/domain'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Level 1 off the main thread: snapshots are written often and read seldom. */
export const encodeSnapshot = (snapshot: ClusterSnapshot): Promise<Buffer> =>
  compress(JSON.stringify(snapshot), { level: 1 })

/** Only what `encodeSnapshot` made comes in here, now or in an earlier version, so its shape is trusted. */
export async function decodeSnapshot(body: Buffer): Promise<ClusterSnapshot> {
  const stored: StoredSnapshot = JSON.parse((await expand(body)).toString('utf8'))
  return {
    ...stored,
    nodes: stored.nodes.map((node) => ({ ...node, room: node.room ?? UNKNOWN_ROOM })),
    pods: stored.pods.map((pod) => ({ ...pod, scheduling: pod.scheduling ?? NOT_RECORDED })),
    budgets: stored.budgets ?? [],
    quotas: stored.quotas ?? [],
  }
}

/** A snapshot as any version wrote it: the first did not record what decides where pods may run. */
type StoredSnapshot = Omit<ClusterSnapshot, 'nodes' | 'pods' | 'budgets' | 'quotas'> & {
  readonly nodes: ReadonlyArray<Omit<GpuNode, 'room'> & Partial<Pick<GpuNode, 'room'>>>
  readonly pods: ReadonlyArray<Omit<Pod, 'scheduling'> & Partial<Pick<Pod, 'scheduling'>>>
} & Partial<Pick<ClusterSnapshot, 'budgets' | 'quotas'>>

/** Nobody knows whether such a pod may be moved, so it is not. */
const NOT_RECORDED: PodScheduling = { ...UNCONSTRAINED, managed: false, evictable: false }
