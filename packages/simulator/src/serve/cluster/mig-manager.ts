import { place, migBoard, type Instance } from '../../model/hardware.ts'
import type { GpuSpec, NodeSpec } from '../../model/fleet.ts'
import { objectAt, textAt, withValue, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { changeNode, unitsNow, type Cluster } from './cluster.ts'
import { featureLabels } from './feature-labels.ts'
import { wantedLayouts, type Wanted } from './mig-config.ts'
import { PAUSED_COMPONENTS, deployLabel, resourcesOf } from './node-object.ts'

export const OPERATOR_NAMESPACE = 'gpu-operator'
export const CONFIG_LABEL = 'nvidia.com/mig.config'
const STATE_LABEL = 'nvidia.com/mig.config.state'

// Operator pods have to stop before and start after; the geometry itself takes about a second.
const CLIENTS_STOP_MS = 4_000
const APPLY_MS = 2_000

/**
 * What mig-manager does when the label `nvidia.com/mig.config` of a node changes. It reacts to a change of the value
 * alone, never evicts anybody, works GPU by GPU, and leaves `failed` as it is until the label changes again.
 */
export function reconfigure(cluster: Cluster, node: NodeSpec, config: string): void {
  const wanted = findConfig(cluster, node, config)
  if (wanted === undefined) return setState(cluster, node, 'failed')
  const changes = changesOf(cluster, node, wanted)
  if (changes === undefined) return setState(cluster, node, 'failed')
  if (changes.length === 0) return setState(cluster, node, 'success')
  pause(cluster, node)
  cluster.agenda.at(cluster.now() + CLIENTS_STOP_MS + APPLY_MS, () => {
    // The label moved on meanwhile: whoever set it last is served.
    if (configOf(cluster, node) !== config) return reconfigure(cluster, node, configOf(cluster, node))
    const held = changes.some(({ gpu }) => isInUse(cluster, node, gpu))
    if (!held) {
      for (const { gpu, layout } of changes) cluster.world.relayout(gpu, node, { layout, at: cluster.now() })
    }
    resume(cluster, node, held ? 'failed' : 'success')
  })
}

type GpuChange = { readonly gpu: GpuSpec; readonly layout: readonly Instance[] | undefined }

/** The GPUs whose counts differ from what is wanted; undefined when the wish does not fit a board. */
function changesOf(
  cluster: Cluster,
  node: NodeSpec,
  wanted: ReadonlyMap<number, Wanted>,
): readonly GpuChange[] | undefined {
  const changes: GpuChange[] = []
  for (const gpu of node.gpus) {
    if (!wanted.has(gpu.index)) continue
    const profiles = wanted.get(gpu.index)
    if (describe(profiles) === describe(currentProfiles(cluster, node, gpu))) continue
    const layout = profiles === undefined ? undefined : place(migBoard(node.hardware), profiles)
    if (profiles !== undefined && layout === undefined) return undefined
    changes.push({ gpu, layout })
  }
  return changes
}

const describe = (profiles: Wanted): string => (profiles === undefined ? 'off' : `on ${profiles.toSorted().join(' ')}`)

function currentProfiles(cluster: Cluster, node: NodeSpec, gpu: GpuSpec): Wanted {
  const units = unitsNow(cluster, node.name).filter((unit) => unit.gpu === gpu)
  if (units.some((unit) => unit.instance === undefined)) return undefined
  return units.map((unit) => unit.instance?.profile ?? '')
}

const isInUse = (cluster: Cluster, node: NodeSpec, gpu: GpuSpec): boolean =>
  unitsNow(cluster, node.name).some(
    (unit) => unit.gpu === gpu && cluster.world.holderAt(unit, cluster.now()) !== undefined,
  )

/** The ConfigMap that the demo's ClusterPolicy names. */
export const OWN_CONFIG = 'custom-mig-config'
// A real mig-manager reads one of the two only. The demo's nodes wear what is generated for them, so it reads both.
const CONFIG_MAPS = (node: NodeSpec): readonly string[] => [OWN_CONFIG, `${node.name}-mig-config`]

/** A mig-manager that starts applies what its node wears, which changes nothing where that is so already. */
export function startAnew(cluster: Cluster, name: string): void {
  const node = cluster.world.node(name)
  const config = node === undefined ? '' : configOf(cluster, node)
  if (node !== undefined && config !== '') reconfigure(cluster, node, config)
}

function findConfig(cluster: Cluster, node: NodeSpec, config: string): ReadonlyMap<number, Wanted> | undefined {
  for (const name of CONFIG_MAPS(node)) {
    const map = cluster.store.get(kindNamed('ConfigMap'), keyOf(OPERATOR_NAMESPACE, name))?.read()
    const found = map === undefined ? undefined : readConfig(textAt(map, 'data', 'config.yaml'), config, node)
    if (found !== undefined) return found
  }
  return undefined
}

/** A file that cannot be read has no configurations. */
function readConfig(text: string, config: string, node: NodeSpec): ReadonlyMap<number, Wanted> | undefined {
  try {
    return wantedLayouts(text, config, node)
  } catch {
    return undefined
  }
}

const configOf = (cluster: Cluster, node: NodeSpec): string =>
  textAt(cluster.store.get(kindNamed('Node'), node.name)?.read(), 'metadata', 'labels', CONFIG_LABEL)

const withLabels = (object: JsonObject, labels: Readonly<Record<string, string>>): JsonObject =>
  withValue(object, ['metadata', 'labels'], { ...objectAt(object, 'metadata', 'labels'), ...labels })

const setState = (cluster: Cluster, node: NodeSpec, state: string): void =>
  changeNode(cluster, node.name, (object) => withLabels(object, { [STATE_LABEL]: state }))

const deploy = (value: string): Record<string, string> =>
  Object.fromEntries(PAUSED_COMPONENTS.map((component) => [deployLabel(component), value]))

/** Device plugin, GPU feature discovery and DCGM are down for the whole node: no new GPU pods, and a gap in telemetry. */
function pause(cluster: Cluster, node: NodeSpec): void {
  cluster.paused.add(node.name)
  changeNode(cluster, node.name, (object) => {
    const allocatable = Object.fromEntries(
      Object.entries(objectAt(object, 'status', 'allocatable')).map(([name, count]) => [
        name,
        name.startsWith('nvidia.com/') ? '0' : count,
      ]),
    )
    const paused = withLabels(object, { [STATE_LABEL]: 'pending', ...deploy('paused-for-mig-change') })
    return withValue(paused, ['status', 'allocatable'], allocatable)
  })
}

function resume(cluster: Cluster, node: NodeSpec, state: string): void {
  cluster.paused.delete(node.name)
  cluster.stirred = true
  changeNode(cluster, node.name, (object) =>
    describeNode(cluster, node, withLabels(object, { [STATE_LABEL]: state, ...deploy('true') })),
  )
}

/** The node after GPU feature discovery and the device plugin have looked at its devices again. */
function describeNode(cluster: Cluster, node: NodeSpec, object: JsonObject): JsonObject {
  const units = unitsNow(cluster, node.name)
  const { capacity, allocatable } = resourcesOf(units)
  const kept = Object.fromEntries(
    Object.entries(objectAt(object, 'metadata', 'labels')).filter(
      ([name]) => !/^nvidia\.com\/(gpu\.(slices|engines|multiprocessors)|mig-)/.test(name),
    ),
  )
  const labelled = withValue(object, ['metadata', 'labels'], { ...kept, ...featureLabels(node, units) })
  return withValue(
    withValue(labelled, ['status', 'capacity'], { ...plain(object, 'capacity'), ...capacity }),
    ['status', 'allocatable'],
    { ...plain(object, 'allocatable'), ...allocatable },
  )
}

/** Resources that are not the device plugin's; one it no longer offers stays with a count of 0 in a kubelet's list. */
const plain = (object: JsonObject, list: string): JsonObject =>
  Object.fromEntries(
    Object.entries(objectAt(object, 'status', list)).map(([name, count]) => [
      name,
      name.startsWith('nvidia.com/') ? '0' : count,
    ]),
  )
