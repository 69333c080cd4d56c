import { migPartitionId, type PartitionId } from './node.ts'
import { type Instant, mib, type Mib, ratio, type Ratio } from '../units.ts'

/** What telemetry saw of one device: the part of a sample that says which devices there are and who holds them. */
export type Sighting = {
  /** As the exporter's `Hostname` label spells it. */
  readonly node: string
  readonly gpu: string
  readonly index: number
  readonly model: string
  readonly instance?: { readonly id: string; readonly profile: string }
  readonly holder?: { readonly namespace: string; readonly pod: string }
  readonly vgpu?: string
  readonly xid?: number
  readonly at?: Instant
  readonly busy?: Ratio
  readonly kernelTime?: Ratio
  readonly memoryUsed?: Mib
  /** What its utilization is worth; one that is stuck is not believed. */
  readonly quality?: { readonly kind: string; readonly reason?: string }
}

/** The partition that a sighting is about; its GPU where it is not of one instance. */
export const partitionSeen = ({ gpu, instance }: Pick<Sighting, 'gpu' | 'instance'>): PartitionId =>
  instance === undefined ? gpu : migPartitionId(gpu, instance.id)

/** Busy above this is work: single readings of a GPU that nobody uses may show a trace of it. */
const WORKING = 0.01
/** Memory in use above this is somebody's, MiB: what the driver and an empty MPS server keep is less. */
const DRIVERS_OWN = 1024

/** Whether something visibly uses the device now, whoever that may be. */
export const isInUse = ({ busy = ratio(0), kernelTime = ratio(0), memoryUsed = mib(0) }: Sighting): boolean =>
  busy > WORKING || kernelTime > WORKING || memoryUsed > DRIVERS_OWN

/** Whether the device's profiling counter stays at 0 while it visibly works. */
export const isStuck = ({ quality }: Sighting): boolean => quality?.reason === 'stuck-at-zero'

/**
 * Sightings by Kubernetes node. Exporters may say the host's full name where Kubernetes has the short one, or the other
 * way round; then the part before the first dot decides, if only one node has it. The second result are those of no node, by the host that they name.
 */
export function sightingsByNode(sightings: Iterable<Sighting>, nodes: readonly string[]) {
  const nodeOf = nodeNamer(nodes)
  const byNode = Map.groupBy(sightings, ({ node }) => nodeOf(node) ?? '')
  const strangers = Map.groupBy(byNode.get('') ?? [], ({ node }) => node)
  byNode.delete('')
  return { byNode, strangers }
}

/** The Kubernetes node that an exporter's host name means; undefined when it means none. */
export function nodeNamer(nodes: readonly string[]): (host: string) => string | undefined {
  const names = new Set(nodes)
  const byShortName = uniqueByShortName(nodes)
  return (host) => {
    if (names.has(host)) return host
    // Kubernetes has names of nodes in lower case only.
    const lower = host.toLowerCase()
    return names.has(lower) ? lower : byShortName.get(shortName(lower))
  }
}

function uniqueByShortName(nodes: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const twice = new Set<string>()
  for (const node of nodes) {
    const short = shortName(node)
    if (names.has(short)) twice.add(short)
    names.set(short, node)
  }
  for (const short of twice) names.delete(short)
  return names
}

const shortName = (host: string): string => (/^[\d.]+$/u.test(host) ? host : (host.split('.', 1)[0] ?? host))
