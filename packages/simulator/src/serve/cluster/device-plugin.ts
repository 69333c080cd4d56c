import { WHOLE_GPU_RESOURCE } from '@septet/domain'
import type { NodeSpec } from '../../model/fleet.ts'
import type { SlotSharing } from '../../model/slots.ts'
import { isObject, listIn, numberIn, objectAt, parseYaml, textIn, type Json } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { NODE, unitsNow, type Demo } from './cluster.ts'
import { OPERATOR_NAMESPACE } from './mig-manager.ts'
import { refreshNode } from './node-devices.ts'
import { PLUGIN_LABEL } from './node-object.ts'

/** The ConfigMap that the demo's ClusterPolicy names for the device plugin. */
export const PLUGIN_CONFIG = 'device-plugin-config'

/** From a changed label to the devices that the kubelet counts. */
const RELOAD_MS = 1_000
/** From a deleted pod to the devices of the next one. */
const START_MS = 3_000
/** A kubelet brings a changed ConfigMap into running pods so late. */
const MOUNT_MS = 60_000
/** An init container that failed is tried again. */
const RETRY_MS = 10_000

/**
 * The label of a node has changed. The config-manager beside its device plugin looks for the entry among the files that it
 * has mounted, which are older than the ConfigMap; without such an entry the plugin goes on as before.
 */
export function pluginTold(cluster: Demo, node: NodeSpec): void {
  const look = (): void => {
    const wanted = wantedBy(cluster, node)
    if (wanted !== 'unknown' && !cluster.withoutPlugin.has(node.name)) offer(cluster, node, wanted.sharing)
  }
  const now = cluster.now()
  const mounted = changedAt(cluster) + MOUNT_MS
  cluster.agenda.at(Math.max(now + RELOAD_MS, mounted), look)
}

/**
 * The plugin starts again with the files as they are now. Until it is up the node offers nothing, and that is for long
 * where its init container finds no entry of the name, or none at all.
 */
export function pluginRestarted(cluster: Demo, name: string): void {
  const node = cluster.world.node(name)
  if (node === undefined) return
  cluster.withoutPlugin.add(name)
  refreshNode(cluster, name)
  const late = cluster.faults.take('late-device-plugin', { node: name })?.seconds ?? 0
  cluster.agenda.at(cluster.now() + START_MS + late * 1000, () => start(cluster, node))
}

function start(cluster: Demo, node: NodeSpec): void {
  if (cluster.store.get(NODE, node.name) === undefined) return
  const wanted = wantedBy(cluster, node)
  if (wanted === 'unknown') return cluster.agenda.at(cluster.now() + RETRY_MS, () => start(cluster, node))
  cluster.withoutPlugin.delete(node.name)
  offer(cluster, node, wanted.sharing)
}

/** Devices that somebody holds stay as they are: the real plugin would give them out a second time. */
function offer(cluster: Demo, node: NodeSpec, sharing: SlotSharing | undefined): void {
  const now = cluster.now()
  const units = unitsNow(cluster, node.name)
  const isFree = units.every((unit) => unit.instance === undefined && cluster.world.holderAt(unit, now) === undefined)
  if (isFree && !isSame(units[0]?.sharing, sharing)) {
    for (const gpu of node.gpus) cluster.world.relayout(gpu, node, { layout: undefined, sharing, at: now })
  }
  cluster.stirred = true
  refreshNode(cluster, node.name)
}

const isSame = (a: SlotSharing | undefined, b: SlotSharing | undefined): boolean =>
  a?.kind === b?.kind && a?.replicas === b?.replicas

type Wanted = { readonly sharing: SlotSharing | undefined }

/** What the entry says that the node's label names; without a label GPUs are given out whole. */
function wantedBy(cluster: Demo, node: NodeSpec): Wanted | 'unknown' {
  const data = objectAt(mapOf(cluster), 'data')
  if (Object.keys(data).length === 0) return 'unknown'
  const name = textIn(cluster.store.get(NODE, node.name)?.read(), 'metadata', 'labels', PLUGIN_LABEL)
  if (name === '') return { sharing: undefined }
  return data[name] === undefined ? 'unknown' : { sharing: sharingIn(textIn(data, name)) }
}

const mapOf = (cluster: Demo): Json | undefined => {
  const policy = cluster.store.get(kindNamed('ClusterPolicy'), 'cluster-policy')?.read()
  const name = textIn(policy, 'spec', 'devicePlugin', 'config', 'name')
  return cluster.store.get(kindNamed('ConfigMap'), keyOf(OPERATOR_NAMESPACE, name))?.read()
}

function sharingIn(text: string): SlotSharing | undefined {
  const config = parseYaml(text)
  for (const [key, kind] of [
    ['timeSlicing', 'time-slicing'],
    ['mps', 'mps'],
  ] as const) {
    const resource = listIn(config, 'sharing', key, 'resources').find(
      (each) => textIn(each, 'name') === WHOLE_GPU_RESOURCE,
    )
    const replicas = isObject(resource) ? numberIn(resource, 'replicas') : undefined
    if (replicas !== undefined) return { kind, replicas }
  }
  return undefined
}

/** When somebody wrote the ConfigMap last, milliseconds since 1970. */
const changedAt = (cluster: Demo): number =>
  listIn(mapOf(cluster), 'metadata', 'managedFields').reduce<number>(
    (latest, entry) => Math.max(latest, Date.parse(textIn(entry, 'time')) || 0),
    0,
  )
