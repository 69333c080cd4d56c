import { onceFor } from '../once-for.ts'
import type { Inventory, InventoryNode } from './inventory.ts'
import type { GpuId, GpuNode } from './node.ts'
import { nodeNamer } from './sighting.ts'
import type { Pod, PodId } from './workload.ts'

/** What a series says of where its device is. */
export type Located = {
  /** The host's name by the exporter; empty where it says none. */
  readonly node: string
  readonly gpu: GpuId
  readonly index: number
  readonly holder?: { readonly namespace: string; readonly pod: string }
  /**
   * What else may name the host, in order: names, addresses with or without a port, and pods that run on it, as
   * `namespace/name`. The last one tells exporters apart. Absent: nothing.
   */
  readonly hosts?: readonly string[]
}

/** What names the nodes of a cluster. */
export type KnownNodes = {
  /** The node that a host name means; undefined where it means none, or may mean several. */
  readonly named: (host: string) => string | undefined
  /** Nodes by their addresses and by the pods of exporters on them; undefined where several have it. */
  readonly reached: ReadonlyMap<string, string | undefined>
  /** Where GPUs are, by those who know it without telemetry. */
  readonly gpus: ReadonlyMap<GpuId, string>
  /** Where pods that ask for GPUs run. */
  readonly pods: ReadonlyMap<PodId, string>
}

/** What the API says by which nodes can be named. */
export const knownNodes = ({ nodes, pods }: Pick<Inventory, 'nodes' | 'pods'>): KnownNodes => ({
  ...namesOf(nodes),
  pods: placesOf(pods),
})

/** How a snapshot's nodes can be named in what was recorded: their pods and addresses were others then. */
export const knownSince = (nodes: readonly GpuNode[]): KnownNodes => ({
  named: nodeNamer(nodes.map(({ name }) => name)),
  reached: new Map(),
  gpus: new Map(nodes.flatMap(({ name, gpus }) => gpus.map(({ id }) => [id, name] as const))),
  pods: new Map(),
})

const namesOf = onceFor((nodes: readonly InventoryNode[]) => ({
  named: nodeNamer(nodes.map(({ name }) => name)),
  reached: reachedBy(nodes),
  gpus: new Map(
    nodes.flatMap(({ name, devices }) =>
      devices.flatMap(({ kind, uuid }) => (kind === 'mig' || uuid === undefined ? [] : [[uuid, name] as const])),
    ),
  ),
}))

const placesOf = onceFor(
  (pods: readonly Pod[]): ReadonlyMap<PodId, string> =>
    new Map(pods.flatMap(({ id, node }) => (node === undefined ? [] : [[id, node] as const]))),
)

function reachedBy(nodes: readonly InventoryNode[]): ReadonlyMap<string, string | undefined> {
  const reached = new Map<string, string | undefined>()
  for (const { name, knownAs = [] } of nodes) {
    // Exporters may take their pod's name for the host's.
    for (const text of new Set(knownAs.flatMap((each) => (isPod(each) ? [each, nameOf(each)] : each.toLowerCase())))) {
      reached.set(text, reached.has(text) && reached.get(text) !== name ? undefined : name)
    }
  }
  return reached
}

/**
 * The node that a device is on. A name of a node counts first, whichever label has it; else everything that leads to one
 * must lead to the same. Undefined where nothing does, or where it contradicts itself.
 */
export function nodeOfDevice(device: Located, known: KnownNodes): string | undefined {
  const direct = known.named(device.node)
  if (direct !== undefined) return direct
  const others = (device.hosts ?? []).map((text) => (isPod(text) ? text : hostOf(text)))
  const [named] = others.flatMap((text) => (isPod(text) ? [] : (known.named(text) ?? [])))
  return named ?? known.gpus.get(device.gpu) ?? nodeReached(device, others, known)
}

function nodeReached({ node, holder }: Located, others: readonly string[], known: KnownNodes): string | undefined {
  const exporter = others.find(isPod)
  const texts = [node.toLowerCase(), ...others].map((text) => (text.startsWith('/') ? nameOf(text) : text))
  const held = holder && known.pods.get(`${holder.namespace}/${holder.pod}`)
  const found = texts.flatMap((text) => known.reached.get(text) ?? []).concat(held ?? [])
  // Clusters have addresses and names of pods in common: an exporter that does not run here speaks of another one.
  const isStrange = exporter !== undefined && known.reached.size > 0 && !isKnown(exporter, known)
  const isAgreed = found.length >= (isStrange ? 2 : 1) && found.every((each) => each === found[0])
  return isAgreed ? found[0] : undefined
}

/** The name of a host that is no known node; empty where it has none. */
export const hostName = ({ node, hosts = [] }: Pick<Located, 'node' | 'hosts'>): string =>
  node === '' ? (hosts.find((text) => !/[/:]/u.test(text)) ?? '') : node

const isKnown = (pod: string, { reached }: KnownNodes): boolean => reached.has(pod.startsWith('/') ? nameOf(pod) : pod)

/** Whether a pod is an exporter: then it holds nothing. */
export const isExporterPod = ({ namespace, pod }: NonNullable<Located['holder']>, { reached, pods }: KnownNodes) =>
  reached.has(`${namespace}/${pod}`) && !pods.has(`${namespace}/${pod}`)

/**
 * Finds nodes for what nothing else leads to one: series of one exporter are about one machine, unless they have two GPUs of
 * one index, and a GPU is where it was seen last.
 */
export function siblingsNode(devices: readonly Located[], nodeOf: (device: Located) => string | undefined) {
  const exporters = Map.groupBy(devices, exporterOf)
  const found = new Map<string, string | undefined>()
  for (const [exporter, own] of exporters) {
    const nodes = new Set(own.flatMap((each) => nodeOf(each) ?? []))
    const indexes = Map.groupBy(own, ({ index }) => index)
    const isOne = [...indexes.values()].every((alike) => new Set(alike.map(({ gpu }) => gpu)).size === 1)
    const [only] = nodes
    if (exporter !== undefined && nodes.size === 1 && isOne) found.set(exporter, only)
  }
  return (device: Located): string | undefined => found.get(exporterOf(device) ?? '')
}

const exporterOf = ({ node, hosts = [] }: Located): string | undefined =>
  hosts.length === 0 ? undefined : `${node}\n${hosts.at(-1)}`

const isPod = (text: string): boolean => text.includes('/') && !text.includes('://')
const nameOf = (pod: string): string => pod.slice(pod.indexOf('/') + 1)

/** A host without scheme, port and path; loopback addresses are every machine's. */
function hostOf(text: string): string {
  const [, bracketed, plain] = /^(?:\w+:\/\/)?(?:\[([^\]]+)\]|([^/]*?))(?::[\w-]*)?(?:\/.*)?$/u.exec(text) ?? []
  const host = (/^[\da-f]*:[\da-f]*:[\da-f:.]*$/iu.test(text) ? text : (bracketed ?? plain ?? '')).toLowerCase()
  return /^(?:localhost|127\.[\d.]+|::1)$/u.test(host) ? '' : host
}
