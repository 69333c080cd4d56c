import { isControllersLabel, mib, type Neighbors } from '@septet/domain'
import { z } from 'zod'
import type { Bystanders, HostUse } from '../assemble/host-use.ts'
import { intern } from '../read/intern.ts'
import { repelRules, type RepelRule } from '../read/repel-rules.ts'
import { parsePod, type PodFacts } from '../read/parse-pod.ts'
import { podAmounts, SchedulingSpec } from '../read/parse-scheduling.ts'
import { LabelsSchema, lenient, PodDemand } from '../read/schemas.ts'
import { openObjectStore, type ObjectStore } from './object-store.ts'

/** Pods that ask for GPUs, and of all others only what they take of their nodes. */
export type PodStore = ObjectStore<PodFacts> & {
  hostUse(): ReadonlyMap<string, HostUse>
  bystanders(): Bystanders
}

/** `isGpuNode`: whether it is worth a look again when a pod without a GPU comes to the node, or leaves it. */
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
    bystanders: () => bystandersIn(host.values()),
    put(raw) {
      const before = host.get(raw)
      const changed = gpu.put(raw)
      host.put(raw)
      const after = host.get(raw)
      return changed || before?.repels !== after?.repels || (!isSameUse(before, after) && onGpuNodes(raw) !== '')
    },
    get: (raw) => gpu.get(raw),
    remove(raw) {
      const changed = gpu.remove(raw) || host.get(raw)?.repels !== undefined
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

type HostPod = HostUse & {
  readonly id: string
  readonly node: string
  readonly namespace: string
  /** Undefined for a pod that asks for GPUs: those are kept with its workload. */
  readonly labels: Readonly<Record<string, string>> | undefined
  /** Undefined where it keeps nobody away. */
  readonly repels: readonly RepelRule[] | undefined
}

const NodeName = z.object({ spec: z.object({ nodeName: lenient(z.string().min(1)) }) })
const HostSchema = z.object({
  metadata: z.object({ name: z.string(), namespace: z.string().catch(''), labels: LabelsSchema }),
  spec: PodDemand.extend(SchedulingSpec.shape).extend(NodeName.shape.spec.shape),
})

/** Undefined for a pod that has finished, is bound to no node, or asks for GPUs and keeps nobody away. */
function parseHostPod(raw: unknown): HostPod | undefined {
  const node = NodeName.safeParse(raw).data?.spec.nodeName
  if (node === undefined || isFinished(raw)) return undefined
  const asksForGpus = parsePod(raw) !== undefined
  const { spec, metadata } = HostSchema.parse(raw)
  const { name, namespace, labels } = metadata
  const repels = repelRules(spec, namespace)
  if (asksForGpus && repels === undefined) return undefined
  const { cpuMilli, memory } = asksForGpus ? { cpuMilli: 0, memory: mib(0) } : podAmounts(spec, spec)
  const own = Object.fromEntries(Object.entries(labels).filter(([key]) => !isControllersLabel(key)))
  const id = `${namespace}/${name}`
  return { id, node, namespace, cpuMilli, memory, repels, labels: asksForGpus ? undefined : intern(own) }
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

function bystandersIn(pods: Iterable<HostPod>): Bystanders {
  const repelling: Bystanders['repelling'][number][] = []
  const labels: Neighbors['labels'][number][] = []
  // Equal ones are the same object.
  const seen = new Map<string, Set<object>>()
  for (const { id, node, namespace, labels: own, repels } of pods) {
    if (repels !== undefined) repelling.push({ pod: id, node, rules: repels })
    const known = seen.get(namespace) ?? new Set<object>()
    seen.set(namespace, known)
    if (own !== undefined && !known.has(own)) labels.push({ namespace, labels: own })
    if (own !== undefined) known.add(own)
  }
  return { repelling, labels }
}
