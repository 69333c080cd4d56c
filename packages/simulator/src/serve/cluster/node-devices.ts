import type { NodeSpec } from '../../model/fleet.ts'
import type { Unit } from '../../model/slots.ts'
import { listIn, objectAt, textIn, withValue, type Json, type JsonObject } from '../kube/json.ts'
import { kubeTime } from '../kube/write.ts'
import { changeNode, unitsNow, type Demo } from './cluster.ts'
import { featureLabels } from './feature-labels.ts'
import { UNREACHABLE, readyCondition, nodeResources } from './node-object.ts'

/** The unit of a node that its kubelet withholds, where it does: a free one if there is any, the last of them. */
export function withheldUnit(cluster: Demo, node: string): Unit | undefined {
  if (!cluster.withheld.has(node)) return undefined
  const healthy = unitsNow(cluster, node).filter((unit) => unit.gpu.xid === undefined)
  return healthy.findLast((unit) => cluster.world.holderAt(unit, cluster.now()) === undefined) ?? healthy.at(-1)
}

/** Writes what GPU feature discovery and the device plugin find on a node now. */
export function refreshNode(cluster: Demo, name: string): void {
  const node = cluster.world.node(name)
  if (node !== undefined) changeNode(cluster, name, (object) => described(cluster, node, object))
}

/** The node after GPU feature discovery and the device plugin have looked at its devices again. */
export function described(cluster: Demo, node: NodeSpec, object: JsonObject): JsonObject {
  const units = unitsNow(cluster, node.name)
  const kept = Object.fromEntries(
    Object.entries(objectAt(object, 'metadata', 'labels')).filter(
      ([name]) => !/^nvidia\.com\/(gpu\.(slices|engines|multiprocessors)|mig-)/.test(name),
    ),
  )
  const labelled = withValue(object, ['metadata', 'labels'], { ...kept, ...featureLabels(node, units) })
  if (cluster.paused.has(node.name) || cluster.withoutPlugin.has(node.name)) return withoutDevices(labelled)
  const { capacity, allocatable } = nodeResources(units, withheldUnit(cluster, node.name))
  return withValue(
    withValue(labelled, ['status', 'capacity'], { ...others(object, 'capacity'), ...capacity }),
    ['status', 'allocatable'],
    { ...others(object, 'allocatable'), ...allocatable },
  )
}

/** The node while its device plugin is down. */
export const withoutDevices = (object: JsonObject): JsonObject =>
  withValue(object, ['status', 'allocatable'], others(object, 'allocatable'))

/** Resources that are not the device plugin's; one it no longer offers stays with a count of 0 in a kubelet's list. */
const others = (object: JsonObject, list: string): JsonObject =>
  Object.fromEntries(
    Object.entries(objectAt(object, 'status', list)).map(([name, count]) => [
      name,
      name.startsWith('nvidia.com/') ? '0' : count,
    ]),
  )

/** The kubelet stops answering, as in a reboot, or answers again. */
export function setReachable(cluster: Demo, name: string, reachable: boolean): void {
  changeNode(cluster, name, (object) => {
    const taints = listIn(object, 'spec', 'taints').filter((taint) => !isUnreachable(taint))
    const all: readonly Json[] = reachable ? taints : [...taints, ...UNREACHABLE]
    const conditions = listIn(object, 'status', 'conditions').map((each) =>
      textIn(each, 'type') === 'Ready'
        ? { ...objectAt(each), ...readyCondition(!reachable), lastTransitionTime: kubeTime(cluster.now()) }
        : each,
    )
    const tainted = withValue(object, ['spec', 'taints'], all.length === 0 ? undefined : all)
    return withValue(tainted, ['status', 'conditions'], conditions)
  })
}

const isUnreachable = (taint: Json): boolean => UNREACHABLE.some(({ key }) => key === textIn(taint, 'key'))
