import type { NodeSpec } from '../../../model/fleet.ts'
import type { Unit } from '../../../model/slots.ts'
import type { Demo } from '../cluster.ts'
import { withheldUnit } from '../node-devices.ts'

/** Devices that nobody holds, by resource and node. */
export type FreeUnits = (resource: string) => Map<NodeSpec, readonly Unit[]>

/** What the device plugins could hand out now; looked up once for each resource. */
export function freeUnits(cluster: Demo): FreeUnits {
  const { world, paused, withoutPlugin } = cluster
  const now = cluster.now()
  const expected = expectedUnits(cluster)
  const known = new Map<string, Map<NodeSpec, readonly Unit[]>>()
  const isFree = (unit: Unit): boolean =>
    unit.from <= now &&
    now < unit.to &&
    unit.gpu.xid === undefined &&
    !expected.has(unit) &&
    world.holderAt(unit, now) === undefined
  const freeOn = (name: string, resource: string): readonly Unit[] => {
    const withheld = withheldUnit(cluster, name)
    return world.unitsOf(name).filter((unit) => unit.resource === resource && unit !== withheld && isFree(unit))
  }
  return (resource) => {
    const found = known.get(resource)
    if (found !== undefined) return found
    const open = world.nodes.filter(({ name }) => !paused.has(name) && !withoutPlugin.has(name))
    const units = open.flatMap(({ name }) => freeOn(name, resource))
    const grouped = new Map<NodeSpec, readonly Unit[]>(Map.groupBy(units, ({ node }) => node))
    known.set(resource, grouped)
    return grouped
  }
}

/** Units that a bound pod is about to use. */
function expectedUnits(cluster: Demo): ReadonlySet<Unit> {
  const expected = new Set<Unit>()
  for (const pod of cluster.pods.values()) {
    if (pod.seated && pod.state.phase === 'starting') for (const unit of pod.units) expected.add(unit)
  }
  return expected
}
