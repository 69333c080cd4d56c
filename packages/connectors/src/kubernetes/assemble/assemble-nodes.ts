import {
  compareText,
  type GpuShare,
  mib,
  type Instant,
  type InventoryNode,
  isKeptLabel,
  nodeProblems,
  onceFor,
  type NodeRoom,
  type OtherNode,
  type PodScheduling,
} from '@septet/domain'
import { publishedByNode, type Published } from './assemble-devices.ts'
import { isSameUse, type Bystanders, type HostUse } from './host-use.ts'
import type { InventoryParts } from './inventory-parts.ts'
import { sharesByNode } from './assemble-shares.ts'
import type { ClaimFacts } from '../read/parse-claim.ts'
import type { SliceFacts } from '../read/parse-device.ts'
import { menuByGpu, type MigMenu } from '../read/parse-mig-config.ts'
import type { NodeFacts } from '../read/parse-node.ts'
import { intern } from '../read/intern.ts'

/** What a node has beside GPUs, with those of its labels that may decide where a pod runs. */
export function roomOf(node: NodeFacts, selected: readonly string[]): NodeRoom {
  const known = rooms.get(node)
  if (known?.selected === selected) return known.room
  const { cpuMilli, memory, taints } = node
  const room = { cpuMilli, memory, labels: labelsOf(node, new Set(selected)), taints }
  rooms.set(node, { selected, room })
  return room
}

/** A node without GPUs, as rules that spread pods look at it. */
export const otherNode = onceFor(({ name, labels, taints }: NodeFacts): OtherNode => ({
  name,
  labels: Object.fromEntries(Object.entries(labels).filter(([key]) => isKeptLabel(key))),
  taints,
}))

// Most nodes are as they were when the cluster is put together again after some change.
const rooms = new WeakMap<NodeFacts, { readonly selected: readonly string[]; readonly room: NodeRoom }>()

function labelsOf({ labels, name }: NodeFacts, selected: ReadonlySet<string>): NodeRoom['labels'] {
  const kept = Object.entries(labels).filter(([key]) => selected.has(key) || isKeptLabel(key))
  // Affinity may name the node by this field; it is not a label, but is asked for like one.
  const byName = selected.has(NAME_FIELD) ? { [NAME_FIELD]: name } : {}
  return intern({ ...Object.fromEntries(kept), ...byName })
}

/** Keys of labels that some pod selects nodes by, and more, in order; the same list as before where they are the same. */
export function selectedLabels(
  pods: Iterable<{ readonly scheduling: PodScheduling }>,
  more: readonly string[] = [],
): readonly string[] {
  const keys = new Set<string>(more)
  const seen = new Set<object>()
  for (const { scheduling } of pods) {
    const { nodeSelector, nodeTerms } = scheduling
    // Equal ones are the same object, so thousands of pods cost as much as a few.
    if (!seen.has(nodeSelector)) for (const key of Object.keys(nodeSelector)) keys.add(key)
    if (!seen.has(nodeTerms)) for (const { key } of nodeTerms.flat()) keys.add(key)
    seen.add(nodeSelector).add(nodeTerms)
  }
  return intern([...keys].toSorted())
}

const NAME_FIELD = 'metadata.name'

/** GPU nodes by name, each with the devices and profiles that others published for it. */
export function assembleNodes(
  parts: Pick<InventoryParts, 'nodes' | 'pods' | 'hostUse' | 'bystanders' | 'menus' | 'pendingSince' | 'now'>,
  slices: readonly SliceFacts[],
  claims: readonly ClaimFacts[],
): readonly InventoryNode[] {
  const selected = selectedLabels(parts.pods, keysOf(parts.bystanders))
  const published = publishedByNode(slices, claims)
  const shares = sharesByNode([...parts.pods], [...parts.nodes])
  const menus = new Map([...parts.menus].map((menu) => [menu.node, menu]))
  return [...parts.nodes]
    .filter((node) => node.isGpuNode || (published.get(node.name)?.gpuCount ?? 0) > 0)
    .toSorted((a, b) => compareText(a.name, b.name))
    .map((node) =>
      inventoryNode(node, {
        own: published.get(node.name) ?? NOTHING_PUBLISHED,
        shares: shares.get(node.name) ?? NO_SHARES,
        menu: menus.get(node.name),
        pendingSince: parts.pendingSince(node.name),
        selected,
        used: parts.hostUse === undefined ? undefined : (parts.hostUse.get(node.name) ?? NOTHING_USED),
        now: parts.now,
      }),
    )
}

const keysOf = (bystanders: Bystanders | undefined): readonly string[] =>
  bystanders?.repelling.flatMap(({ rules }) => rules.map(({ topologyKey }) => topologyKey)) ?? []

type Around = {
  readonly own: Published
  readonly shares: readonly GpuShare[]
  readonly menu: MigMenu | undefined
  readonly pendingSince: Instant | undefined
  readonly selected: readonly string[]
  readonly used: HostUse | undefined
  readonly now: Instant
}
const NOTHING_USED: HostUse = { cpuMilli: 0, memory: mib(0), exporters: [] }
const NO_SHARES: readonly GpuShare[] = []
const NOTHING_PUBLISHED: Published = { devices: [], shares: [], gpuCount: 0, product: undefined, problems: [] }

/** The same object as before while nothing that it is made of has changed. A pending change becomes a problem by time alone. */
function inventoryNode(facts: NodeFacts, around: Around): InventoryNode {
  const { own, menu, pendingSince, selected } = around
  const known = made.get(facts)
  const isSame =
    known?.around.own === own &&
    known.around.shares === around.shares &&
    isSameUse(known.around.used, around.used) &&
    known.around.menu === menu &&
    known.around.selected === selected
  if (isSame && pendingSince === undefined && known.around.pendingSince === undefined) return known.node
  const node = nodeOf(facts, around)
  made.set(facts, { around, node })
  return node
}

const made = new WeakMap<NodeFacts, { readonly around: Around; readonly node: InventoryNode }>()

const exportersIn = (used = NOTHING_USED): readonly string[] => used.exporters
const namesOf = (knownAs: readonly string[]) => (knownAs.length === 0 ? {} : { knownAs })

function nodeOf(
  node: NodeFacts,
  { own, shares: given, menu, pendingSince, selected, used, now }: Around,
): InventoryNode {
  const shares = own.shares.length === 0 ? given : [...given, ...own.shares]
  const gpuCount = node.gpuCount > 0 ? node.gpuCount : own.gpuCount
  return {
    name: node.name,
    pool: node.pool,
    ready: node.ready,
    ...(node.notReadySince === undefined ? {} : { notReadySince: node.notReadySince }),
    schedulable: node.schedulable,
    createdAt: node.createdAt,
    ...(node.providerId === undefined ? {} : { providerId: node.providerId }),
    product: node.product === '' ? (own.product ?? '') : node.product,
    mig: node.mig,
    sharing: node.sharing,
    allocatable: node.allocatable,
    room:
      used === undefined
        ? roomOf(node, selected)
        : { ...roomOf(node, selected), cpuUsed: used.cpuMilli, memoryUsed: used.memory },
    gpuCount,
    ...namesOf([...node.addresses, ...exportersIn(used)]),
    reportedProfiles: menu === undefined ? undefined : menuByGpu(menu, gpuCount),
    devices: own.devices,
    ...(shares.length === 0 ? {} : { shares }),
    problems: [...nodeProblems(node, { now, pendingSince, hasDevices: own.gpuCount > 0 }), ...own.problems],
  }
}
