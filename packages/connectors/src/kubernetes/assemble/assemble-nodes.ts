import { compareText, mib, type Instant, type InventoryDevice, type InventoryNode } from '@septet/domain'
import { devicesByNode } from './assemble-devices.ts'
import type { HostUse } from './host-use.ts'
import type { InventoryParts } from './inventory-parts.ts'
import { nodeProblems } from './node-problems.ts'
import { roomOf, selectedLabels } from './node-room.ts'
import type { ClaimFacts } from '../read/parse-claim.ts'
import type { SliceFacts } from '../read/parse-device.ts'
import { menuByGpu, type MigMenu } from '../read/parse-mig-config.ts'
import type { NodeFacts } from '../read/parse-node.ts'

/** GPU nodes by name, each with the devices and profiles that others published for it. */
export function assembleNodes(
  parts: Pick<InventoryParts, 'nodes' | 'pods' | 'hostUse' | 'menus' | 'pendingSince' | 'now'>,
  slices: readonly SliceFacts[],
  claims: readonly ClaimFacts[],
): readonly InventoryNode[] {
  const selected = selectedLabels(parts.pods)
  const devices = devicesByNode(slices, claims)
  const menus = new Map([...parts.menus].map((menu) => [menu.node, menu]))
  return [...parts.nodes]
    .filter((node) => node.isGpuNode || devices.has(node.name))
    .toSorted((a, b) => compareText(a.name, b.name))
    .map((node) =>
      inventoryNode(node, {
        own: devices.get(node.name) ?? NO_DEVICES,
        menu: menus.get(node.name),
        pendingSince: parts.pendingSince(node.name),
        selected,
        used: parts.hostUse === undefined ? undefined : (parts.hostUse.get(node.name) ?? NOTHING_USED),
        now: parts.now,
      }),
    )
}

type Around = {
  readonly own: readonly InventoryDevice[]
  readonly menu: MigMenu | undefined
  readonly pendingSince: Instant | undefined
  readonly selected: readonly string[]
  readonly used: HostUse | undefined
  readonly now: Instant
}
const NOTHING_USED: HostUse = { cpuMilli: 0, memory: mib(0) }
const NO_DEVICES: readonly InventoryDevice[] = []

/** The same object as before while nothing that it is made of has changed. A pending change becomes a problem by time alone. */
function inventoryNode(facts: NodeFacts, around: Around): InventoryNode {
  const { own, menu, pendingSince, selected } = around
  const known = made.get(facts)
  const isSame =
    known?.around.own === own &&
    isSameUse(known.around.used, around.used) &&
    known.around.menu === menu &&
    known.around.selected === selected
  if (isSame && pendingSince === undefined && known.around.pendingSince === undefined) return known.node
  const node = nodeOf(facts, around)
  made.set(facts, { around, node })
  return node
}

const made = new WeakMap<NodeFacts, { readonly around: Around; readonly node: InventoryNode }>()

const isSameUse = (a: HostUse | undefined, b: HostUse | undefined): boolean =>
  a?.cpuMilli === b?.cpuMilli && a?.memory === b?.memory

function nodeOf(node: NodeFacts, { own, menu, pendingSince, selected, used, now }: Around): InventoryNode {
  const published = own.filter((device) => device.kind === 'gpu')
  const gpuCount = node.gpuCount > 0 ? node.gpuCount : published.length
  return {
    name: node.name,
    pool: node.pool,
    ready: node.ready,
    ...(node.notReadySince === undefined ? {} : { notReadySince: node.notReadySince }),
    schedulable: node.schedulable,
    createdAt: node.createdAt,
    ...(node.providerId === undefined ? {} : { providerId: node.providerId }),
    product: node.product === '' ? (published[0]?.product ?? '') : node.product,
    mig: node.mig,
    sharing: node.sharing,
    allocatable: node.allocatable,
    room:
      used === undefined
        ? roomOf(node, selected)
        : { ...roomOf(node, selected), cpuUsed: used.cpuMilli, memoryUsed: used.memory },
    gpuCount,
    reportedProfiles: menu === undefined ? undefined : menuByGpu(menu, gpuCount),
    devices: own,
    problems: nodeProblems(node, { now, pendingSince, hasDevices: own.length > 0 }),
  }
}
