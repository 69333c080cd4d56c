import { nodePlace, migBoard, type CloudInstance } from '../../model/hardware.ts'
import type { GpuSpec, NodeSpec } from '../../model/fleet.ts'
import { objectAt, textIn, withValue, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { updated } from '../kube/managed-fields.ts'
import { keyOf } from '../kube/store.ts'
import { kubeTime } from '../kube/write.ts'
import { NODE, changeNode, unitsNow, type Demo } from './cluster.ts'
import { wantedLayouts, type Wanted } from './mig-config.ts'
import { described, refreshNode, setReachable, withoutDevices } from './node-devices.ts'
import { PAUSED_COMPONENTS, deployLabel } from './node-object.ts'

export const OPERATOR_NAMESPACE = 'gpu-operator'
export const CONFIG_LABEL = 'nvidia.com/mig.config'
const STATE_LABEL = 'nvidia.com/mig.config.state'

/**
 * What mig-manager does when the label `nvidia.com/mig.config` of a node changes. It reacts to a change of the value
 * alone, never evicts anybody, works GPU by GPU, and leaves `failed` as it is until the label changes again.
 */
export function reconfigureNode(cluster: Demo, node: NodeSpec): void {
  // One change at a time: it looks at the label again when it is done with this one.
  if (cluster.reconfiguring.has(node.name) || cluster.wedged.has(node.name)) return
  const config = configOf(cluster, node)
  const wanted = findConfig(cluster, node, config)
  const changes = wanted === undefined ? undefined : changesOf(cluster, node, wanted)
  if (changes === undefined) return setState(cluster, node, 'failed')
  if (changes.length === 0) return setState(cluster, node, 'success')
  pause(cluster, node)
  // A timeout while the operator's pods stop leaves everything as it is then: gpu-operator issue 2833.
  if (cluster.faults.take('mig-stuck-pending', { node: node.name }) !== undefined) {
    cluster.wedged.add(node.name)
    return
  }
  cluster.reconfiguring.add(node.name)
  const longer = cluster.faults.take('slow-mig', { node: node.name })?.seconds ?? 0
  cluster.agenda.at(cluster.now() + cluster.migMs + longer * 1000, () => apply(cluster, node, { config, changes }))
}

type GpuChange = { readonly gpu: GpuSpec; readonly layout: readonly CloudInstance[] | undefined }
type Work = { readonly config: string; readonly changes: readonly GpuChange[] }

function apply(cluster: Demo, node: NodeSpec, { config, changes }: Work): void {
  const { name } = node
  cluster.reconfiguring.delete(name)
  if (cluster.store.get(NODE, name) === undefined) return
  // The label moved on meanwhile: whoever set it last is served.
  if (configOf(cluster, node) !== config) {
    resume(cluster, node, 'pending')
    return reconfigureNode(cluster, node)
  }
  const held = changes.some(({ gpu }) => isInUse(cluster, node, gpu))
  if (held || cluster.faults.take('mig-failed', { node: name }) !== undefined) return resume(cluster, node, 'failed')
  for (const { gpu, layout } of changes) cluster.world.relayout(gpu, node, { layout, at: cluster.now() })
  cluster.journal.add({ kind: 'reconfigured', node: name, pod: undefined, uid: undefined })
  const reboot = cluster.faults.take('mig-reboot', { node: name })
  if (reboot === undefined) return succeed(cluster, node)
  setState(cluster, node, 'rebooting')
  setReachable(cluster, name, false)
  cluster.reconfiguring.add(name)
  cluster.agenda.at(cluster.now() + (reboot.seconds ?? 0) * 1000, () => {
    cluster.reconfiguring.delete(name)
    setReachable(cluster, name, true)
    succeed(cluster, node)
  })
}

function succeed(cluster: Demo, node: NodeSpec): void {
  const { name } = node
  const late = cluster.faults.take('late-device-plugin', { node: name })
  if (late !== undefined) {
    cluster.withoutPlugin.add(name)
    cluster.agenda.at(cluster.now() + (late.seconds ?? 0) * 1000, () => {
      cluster.withoutPlugin.delete(name)
      cluster.stirred = true
      refreshNode(cluster, name)
    })
  }
  resume(cluster, node, 'success')
  driftAfterwards(cluster, name, () => reconfigureNode(cluster, node))
}

/** What a person does about a node that is stuck: set the deploy labels back, then change the configuration. */
export function unwedge(cluster: Demo, node: NodeSpec, changed: boolean): void {
  const isBack = PAUSED_COMPONENTS.every((component) => labelOf(cluster, node, deployLabel(component)) === 'true')
  if (!isBack) return
  if (cluster.paused.delete(node.name)) {
    cluster.stirred = true
    refreshNode(cluster, node.name)
  }
  if (!changed) return
  cluster.wedged.delete(node.name)
  reconfigureNode(cluster, node)
}

/** The GPUs whose counts differ from what is wanted; undefined when the wish does not fit a board. */
function changesOf(
  cluster: Demo,
  node: NodeSpec,
  wanted: ReadonlyMap<number, Wanted>,
): readonly GpuChange[] | undefined {
  const changes: GpuChange[] = []
  for (const gpu of node.gpus) {
    if (!wanted.has(gpu.index)) continue
    const profiles = wanted.get(gpu.index)
    if (describe(profiles) === describe(currentProfiles(cluster, node, gpu))) continue
    const layout = profiles === undefined ? undefined : nodePlace(migBoard(node.hardware), profiles)
    if (profiles !== undefined && layout === undefined) return undefined
    changes.push({ gpu, layout })
  }
  return changes
}

const describe = (profiles: Wanted): string => (profiles === undefined ? 'off' : `on ${profiles.toSorted().join(' ')}`)

function currentProfiles(cluster: Demo, node: NodeSpec, gpu: GpuSpec): Wanted {
  const units = unitsNow(cluster, node.name).filter((unit) => unit.gpu === gpu)
  if (units.some((unit) => unit.instance === undefined)) return undefined
  return units.map((unit) => unit.instance?.profile ?? '')
}

const isInUse = (cluster: Demo, node: NodeSpec, gpu: GpuSpec): boolean =>
  unitsNow(cluster, node.name).some(
    (unit) => unit.gpu === gpu && cluster.world.holderAt(unit, cluster.now()) !== undefined,
  )

/** The ConfigMap that the demo's ClusterPolicy names. */
export const OWN_CONFIG = 'custom-mig-config'
// A real mig-manager reads one of the two only. The demo's nodes wear what is generated for them, so it reads both.
const CONFIG_MAPS = (node: NodeSpec): readonly string[] => [OWN_CONFIG, `${node.name}-mig-config`]

/** A mig-manager that starts applies what its node wears, which changes nothing where that is so already. */
export function startAnew(cluster: Demo, name: string): void {
  const node = cluster.world.node(name)
  if (node === undefined || configOf(cluster, node) === '') return
  if (cluster.wedged.has(name)) unwedge(cluster, node, true)
  else reconfigureNode(cluster, node)
}

function findConfig(cluster: Demo, node: NodeSpec, config: string): ReadonlyMap<number, Wanted> | undefined {
  for (const name of CONFIG_MAPS(node)) {
    const map = cluster.store.get(kindNamed('ConfigMap'), keyOf(OPERATOR_NAMESPACE, name))?.read()
    const found = map === undefined ? undefined : readConfig(textIn(map, 'data', 'config.yaml'), config, node)
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

const labelOf = (cluster: Demo, node: NodeSpec, label: string): string =>
  textIn(cluster.store.get(NODE, node.name)?.read(), 'metadata', 'labels', label)
const configOf = (cluster: Demo, node: NodeSpec): string => labelOf(cluster, node, CONFIG_LABEL)

const withLabels = (object: JsonObject, labels: Readonly<Record<string, string>>): JsonObject =>
  withValue(object, ['metadata', 'labels'], { ...objectAt(object, 'metadata', 'labels'), ...labels })

const setState = (cluster: Demo, node: NodeSpec, state: string): void =>
  changeNode(cluster, node.name, (object) => withLabels(object, { [STATE_LABEL]: state }))

const deploy = (value: string): Record<string, string> =>
  Object.fromEntries(PAUSED_COMPONENTS.map((component) => [deployLabel(component), value]))

/** Device plugin, GPU feature discovery and DCGM are down for the whole node: no new GPU pods, and a gap in telemetry. */
function pause(cluster: Demo, node: NodeSpec): void {
  cluster.paused.add(node.name)
  changeNode(cluster, node.name, (object) =>
    withoutDevices(withLabels(object, { [STATE_LABEL]: 'pending', ...deploy('paused-for-mig-change') })),
  )
}

function resume(cluster: Demo, node: NodeSpec, state: string): void {
  cluster.paused.delete(node.name)
  cluster.stirred = true
  changeNode(cluster, node.name, (object) =>
    described(cluster, node, withLabels(object, { [STATE_LABEL]: state, ...deploy('true') })),
  )
}

/** Somebody cuts the node another way by hand, a little after it was cut; mig-manager follows. */
function driftAfterwards(cluster: Demo, node: string, reconfigure: () => void): void {
  const fault = cluster.faults.take('drifted-layout', { node })
  if (fault === undefined) return
  cluster.agenda.at(cluster.now() + (fault.seconds ?? 0) * 1000, () => {
    changeNode(cluster, node, (object) => {
      const other =
        textIn(object, 'metadata', 'labels', CONFIG_LABEL) === 'all-disabled' ? 'all-balanced' : 'all-disabled'
      const after = withValue(object, ['metadata', 'labels', CONFIG_LABEL], other)
      const time = kubeTime(cluster.now())
      return updated(object, after, { manager: 'kubectl-label', operation: 'Update', subresource: '', time })
    })
    reconfigure()
  })
}
