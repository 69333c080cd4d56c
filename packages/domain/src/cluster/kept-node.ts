import type { Allocation, InventoryNode } from './inventory.ts'
import type { GpuNode } from './node.ts'
import { isInUse, isStuck, type Sighting } from './sighting.ts'
import type { Pod } from './workload.ts'

/** A node as it was put together, with who holds what on it. */
export type HeldNode = {
  readonly node: GpuNode
  readonly allocations: readonly Allocation[]
  /** Whether the next reading tells more of it, even one that says the same. Absent: no. */
  readonly awaitsReading?: boolean
}

/** What a node is put together from. */
export type NodeSources = {
  readonly source: InventoryNode
  readonly seen: readonly Sighting[]
  /** Pods bound to it, by id. */
  readonly pods: readonly Pod[]
  readonly before: GpuNode | undefined
}

/**
 * The node as it was made the last time, where nothing that it is made of has changed since; else made again. In a large
 *  cluster that changes all the time few nodes change at once.
 */
export function keptNode(sources: NodeSources, make: () => HeldNode): HeldNode {
  const known = made.get(sources.source)
  if (known !== undefined && isSame(known, sources)) {
    // The newer sightings say the same; to keep the older would keep their whole reading.
    known.seen = sources.seen
    return known.held
  }
  const held = make()
  made.set(sources.source, { seen: sources.seen, pods: sources.pods, held })
  return held
}

/** The object before where a new one says the same: by its objects whoever looks at a snapshot tells what has changed. */
export const unlessNew = <Value extends object>(now: Value, before: Value | undefined): Value =>
  before !== undefined && JSON.stringify(now) === JSON.stringify(before) ? before : now

type Made = { seen: readonly Sighting[]; readonly pods: readonly Pod[]; readonly held: HeldNode }

const made = new WeakMap<InventoryNode, Made>()

/** What was made from the node before this one is not what would be made of another. */
const isSame = ({ seen, pods, held }: Made, next: NodeSources): boolean =>
  held.node === next.before &&
  (held.awaitsReading !== true || seen[0] === next.seen[0]) &&
  pods.length === next.pods.length &&
  pods.every((pod, at) => pod === next.pods[at]) &&
  seen.length === next.seen.length &&
  seen.every((sighting, at) => tellsTheSame(sighting, next.seen[at]))

const tellsTheSame = (a: Sighting, b: Sighting | undefined): boolean =>
  a === b ||
  (b !== undefined &&
    a.gpu === b.gpu &&
    a.index === b.index &&
    a.model === b.model &&
    a.vgpu === b.vgpu &&
    a.xid === b.xid &&
    isSameUse(a, b) &&
    isSameInstance(a.instance, b.instance) &&
    isSameHolder(a.holder, b.holder))

const isSameUse = (a: Sighting, b: Sighting): boolean => isStuck(a) === isStuck(b) && isInUse(a) === isInUse(b)

const isSameInstance = (a: Sighting['instance'], b: Sighting['instance']): boolean =>
  a === b || (a?.id === b?.id && a?.profile === b?.profile)

const isSameHolder = (a: Sighting['holder'], b: Sighting['holder']): boolean =>
  a === b || (a?.namespace === b?.namespace && a?.pod === b?.pod)
