import { isControllersLabel, mib, onceFor } from '@septet/domain'
import { z } from 'zod'
import { isSameUse, type Bystanders, type HostUse } from '../assemble/host-use.ts'
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
  const gpu = openObjectStore(gpuPod)
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
      return (
        changed ||
        before?.repels !== after?.repels ||
        ((before?.node !== after?.node || !isSameUse(before, after)) && onGpuNodes(raw) !== '')
      )
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

/** Both stores ask the same object, and to read it is most of what a large cluster's first list takes. */
const gpuPod = (raw: unknown): PodFacts | undefined =>
  typeof raw === 'object' && raw !== null ? readOnce(raw) : parsePod(raw)
const readOnce = onceFor((raw: object) => parsePod(raw))

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
  status: lenient(z.object({ podIP: lenient(z.string()) })),
})

/** Undefined for a pod that has finished, is bound to no node, or asks for GPUs and keeps nobody away. */
function parseHostPod(raw: unknown): HostPod | undefined {
  const node = NodeName.safeParse(raw).data?.spec.nodeName
  if (node === undefined || isFinished(raw)) return undefined
  const asksForGpus = gpuPod(raw) !== undefined
  const { spec, metadata, status } = HostSchema.parse(raw)
  const { name, namespace, labels } = metadata
  const repels = repelRules(spec, namespace)
  if (asksForGpus && repels === undefined) return undefined
  const { cpuMilli, memory } = asksForGpus ? { cpuMilli: 0, memory: mib(0) } : podAmounts(spec, spec)
  const own = Object.fromEntries(Object.entries(labels).filter(([key]) => !isControllersLabel(key)))
  const id = `${namespace}/${name}`
  const exporters = exporterNames(
    id,
    [name, ...Object.values(labels), ...spec.containers.map((each) => each.name)],
    status,
  )
  return { id, node, namespace, cpuMilli, memory, exporters, repels, labels: asksForGpus ? undefined : intern(own) }
}

/** What pods that export readings of GPUs are called, in their names, labels or containers. */
const EXPORTER = /dcgm|xpum|(?:gpu|nvidia|amd|device-metrics)[\w-]*(?:exporter|metrics|monitor)/u
const NO_EXPORTERS: readonly string[] = []
const exporterNames = (id: string, called: readonly unknown[], status: { podIP?: string | undefined } = {}) =>
  EXPORTER.test(called.join(' ')) ? intern(status.podIP === undefined ? [id] : [id, status.podIP]) : NO_EXPORTERS

const Phase = z.object({ status: z.object({ phase: z.string() }) })
const isFinished = (raw: unknown): boolean =>
  ['Succeeded', 'Failed'].includes(Phase.safeParse(raw).data?.status.phase ?? '')

function sumByNode(pods: Iterable<HostPod>): ReadonlyMap<string, HostUse> {
  const sums = new Map<string, HostUse>()
  for (const { node, cpuMilli, memory, exporters } of pods) {
    const sum = sums.get(node) ?? { cpuMilli: 0, memory: mib(0), exporters: NO_EXPORTERS }
    sums.set(node, {
      cpuMilli: cpuMilli + sum.cpuMilli,
      memory: mib(memory + sum.memory),
      exporters: exporters.length === 0 ? sum.exporters : intern([...sum.exporters, ...exporters]),
    })
  }
  return sums
}

function bystandersIn(pods: Iterable<HostPod>): Bystanders {
  const repelling: Bystanders['repelling'][number][] = []
  // Equal labels are the same object.
  const seen = new Map<string, Map<HostPod['labels'], Map<string, number>>>()
  for (const { id, node, namespace, labels, repels } of pods) {
    if (repels !== undefined) repelling.push({ pod: id, node, rules: repels })
    if (labels === undefined) continue
    const known = seen.get(namespace) ?? new Map<HostPod['labels'], Map<string, number>>()
    const on = known.get(labels) ?? new Map<string, number>()
    seen.set(namespace, known.set(labels, on.set(node, (on.get(node) ?? 0) + 1)))
  }
  const labels = [...seen].flatMap(([namespace, known]) =>
    [...known].map(([own = {}, on]) => ({ namespace, labels: own, on: Object.fromEntries(on) })),
  )
  return { repelling, labels }
}
