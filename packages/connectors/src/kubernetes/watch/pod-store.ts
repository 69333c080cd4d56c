import { mib } from '@septet/domain'
import { z } from 'zod'
import type { HostUse } from '../assemble/host-use.ts'
import { parsePod, type PodFacts } from '../read/parse-pod.ts'
import { podAmounts, SchedulingSpec } from '../read/parse-scheduling.ts'
import { lenient, PodDemand } from '../read/schemas.ts'
import { openObjectStore, type ObjectStore } from './object-store.ts'

/** Pods that ask for GPUs, and of all others only what they take of their nodes. */
export type PodStore = ObjectStore<PodFacts> & { hostUse(): ReadonlyMap<string, HostUse> }

/** `isGpuNode`: whether it is worth a look anew when a pod without a GPU comes to the node, or leaves it. */
export function openPodStore(isGpuNode: (name: string) => boolean): PodStore {
  const gpu = openObjectStore(parsePod)
  const host = openObjectStore(parseHostPod)
  /** What the objects hold of a node's room, by which a change is told from a mere word of the kubelet. */
  const onGpuNodes = (raw: unknown): string => {
    const node = NodeName.safeParse(raw).data?.spec.nodeName
    return node === undefined || !isGpuNode(node) ? '' : node
  }
  return {
    values: () => gpu.values(),
    unreadable: () => gpu.unreadable(),
    hostUse: () => sumByNode(host.values()),
    put(raw) {
      const before = host.get(raw)
      const changed = gpu.put(raw)
      host.put(raw)
      const after = host.get(raw)
      return changed || (!isSameUse(before, after) && onGpuNodes(raw) !== '')
    },
    get: (raw) => gpu.get(raw),
    remove(raw) {
      const changed = gpu.remove(raw)
      return (host.remove(raw) && onGpuNodes(raw) !== '') || changed
    },
    clear() {
      gpu.clear()
      host.clear()
    },
    refill() {
      const [pods, others] = [gpu.refill(), host.refill()]
      return {
        take: (raw) => {
          pods.take(raw)
          others.take(raw)
        },
        done: () => {
          pods.done()
          others.done()
        },
      }
    },
  }
}

const isSameUse = (a: HostPod | undefined, b: HostPod | undefined): boolean =>
  a?.node === b?.node && a?.cpuMilli === b?.cpuMilli && a?.memory === b?.memory

type HostPod = HostUse & { readonly node: string }

const NodeName = z.object({ spec: z.object({ nodeName: lenient(z.string().min(1)) }) })
const HostSchema = z.object({ spec: PodDemand.extend(SchedulingSpec.shape).extend(NodeName.shape.spec.shape) })

/** Undefined for a pod that asks for GPUs, has finished or is bound to no node. */
function parseHostPod(raw: unknown): HostPod | undefined {
  const node = NodeName.safeParse(raw).data?.spec.nodeName
  if (node === undefined || isFinished(raw) || parsePod(raw) !== undefined) return undefined
  const { spec } = HostSchema.parse(raw)
  const { cpuMilli, memory } = podAmounts(spec, spec)
  return cpuMilli + memory === 0 ? undefined : { node, cpuMilli, memory }
}

const Phase = z.object({ status: z.object({ phase: z.string() }) })
const isFinished = (raw: unknown): boolean =>
  ['Succeeded', 'Failed'].includes(Phase.safeParse(raw).data?.status.phase ?? '')

function sumByNode(pods: Iterable<HostPod>): ReadonlyMap<string, HostUse> {
  const sums = new Map<string, HostUse>()
  for (const { node, cpuMilli, memory } of pods) {
    const sum = sums.get(node)
    sums.set(node, { cpuMilli: cpuMilli + (sum?.cpuMilli ?? 0), memory: mib(memory + (sum?.memory ?? 0)) })
  }
  return sums
}
