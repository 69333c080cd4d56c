import type { InventoryNode } from '@septet/domain'
import { compareText } from '@septet/domain'
import { devicesByNode } from './assemble-devices.ts'
import type { InventoryParts } from './assemble-inventory.ts'
import { nodeProblems } from './node-problems.ts'
import { roomOf, selectedLabels } from './node-room.ts'
import type { ClaimFacts } from './parse-claim.ts'
import type { SliceFacts } from './parse-device.ts'
import { menuByGpu } from './parse-mig-config.ts'

/** GPU nodes by name, each with the devices and profiles that others published for it. */
export function assembleNodes(
  parts: Pick<InventoryParts, 'nodes' | 'pods' | 'menus' | 'pendingSince' | 'now'>,
  slices: readonly SliceFacts[],
  claims: readonly ClaimFacts[],
): readonly InventoryNode[] {
  const selected = selectedLabels(parts.pods)
  const devices = devicesByNode(slices, claims)
  const menus = new Map([...parts.menus].map((menu) => [menu.node, menu]))
  return [...parts.nodes]
    .filter((node) => node.isGpuNode || devices.has(node.name))
    .toSorted((a, b) => compareText(a.name, b.name))
    .map((node): InventoryNode => {
      const own = devices.get(node.name) ?? []
      const published = own.filter((device) => device.kind === 'gpu')
      const gpuCount = node.gpuCount > 0 ? node.gpuCount : published.length
      const menu = menus.get(node.name)
      const pendingSince = parts.pendingSince(node.name)
      return {
        name: node.name,
        pool: node.pool,
        ready: node.ready,
        schedulable: node.schedulable,
        createdAt: node.createdAt,
        product: node.product === '' ? (published[0]?.product ?? '') : node.product,
        mig: node.mig,
        sharing: node.sharing,
        allocatable: node.allocatable,
        room: roomOf(node, selected),
        gpuCount,
        reportedProfiles: menu === undefined ? undefined : menuByGpu(menu, gpuCount),
        devices: own,
        problems: nodeProblems(node, { now: parts.now, pendingSince, hasDevices: own.length > 0 }),
      }
    })
}
