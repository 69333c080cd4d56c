import { WHOLE_GPU_RESOURCE as GPU } from '../../gpu/whole-gpu.ts'
import { pointerKey } from '../../plan/documents/json-pointer.ts'
import { devicePluginConfig, MIG_STRATEGIES, type DevicePluginConfig } from '../../plan/documents/gpu-documents.ts'
import type { Action, SharingMode } from '../../plan/words/action.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { asRead, textAt, textsAt, valueAt } from '../live-object.ts'
import { podName, podsThatLeave } from '../nodes/pods-that-leave.ts'
import {
  done,
  failed,
  seeing,
  waiting,
  type Ruled,
  type Deciding,
  type StepDecision,
  type StepAsk,
  type StepContext,
} from './decision.ts'
import { asksForGpu, isReady, nodeRef, podsBoundTo } from './node-steps.ts'
import { configMapRef, operatorPod, ownConfigMap, podDeletion, writtenAt } from './operator-objects.ts'

type Share = Extract<Action, { readonly kind: 'share' }>

/** Which entry of its ConfigMap the device plugin of a node goes by. */
export const PLUGIN_CONFIG = 'nvidia.com/device-plugin.config'
/** What that label said before; empty where the node had none. It is there as long as the label is Septet's. */
export const CONFIG_BEFORE = 'septet.io/device-plugin-config-before'
const PLUGIN = 'nvidia-device-plugin-daemonset'

/**
 * Has the device plugin of one node share its GPUs, or no longer: the configuration is added to those in force, the label is
 * set, the plugin of that node starts again so that it reads both, and what it offers then is watched. A plugin that
 * runs sees its files up to a minute late, and keeps what it has when the label names none of them. Nobody may hold a
 * GPU meanwhile: the plugin does not ask, and would give a held one out again.
 */
export function* decideShare(action: Share, context: StepContext): Deciding {
  const node = yield* seeing(nodeRef(action.node))
  if (node === undefined) return failed(`${action.node} is no longer in the cluster.`)
  const worn = textAt(node, 'metadata', 'labels', PLUGIN_CONFIG)
  if (context.isUndo) return yield* takenBack(action, { node, worn }, context)
  const config = configFor(action.to, node)
  if (worn === config.key) return yield* afterLabel(action, node, context)
  if (context.written.has('label')) return failed(somebodyElse(action.node, worn))
  const before = yield* prepared(action.node, config, context)
  return before ?? labelled(node, { worn, wanted: config.key, before: worn })
}

type Worn = { readonly node: LiveObject; readonly worn: string }

/** The label is given back as it was. Where nobody remembers how, a configuration for that is added, as for the way there. */
function* takenBack(action: Share, { node, worn }: Worn, context: StepContext): Deciding {
  const before = valueAt(node, 'metadata', 'annotations', CONFIG_BEFORE)
  if (worn !== configFor(action.from, node).key) {
    const isTheirs = typeof before === 'string' && missing(action.to, node) !== undefined
    return isTheirs ? failed(somebodyElse(action.node, worn)) : yield* afterLabel(action, node, context)
  }
  const back = configFor(action.to, node)
  const first = typeof before === 'string' ? heldOn(action.node, context) : prepared(action.node, back, context)
  const wanted = typeof before === 'string' ? before : back.key
  return (yield* first) ?? labelled(node, { worn, wanted, before: undefined })
}

const somebodyElse = (node: string, worn: string): string =>
  `Someone set ${PLUGIN_CONFIG} of ${node} to "${worn}" meanwhile. Septet does not overwrite that.`

/** The same as in the files of a plan, which go by the snapshot's word for it. */
export function configFor(to: SharingMode, node: LiveObject): DevicePluginConfig {
  const strategy = textAt(node, 'metadata', 'labels', 'nvidia.com/mig.strategy')
  return devicePluginConfig(to, MIG_STRATEGIES.find((each) => each === strategy) ?? 'none')
}

/** What has to be done before the label is set; undefined when nothing is left. */
function* prepared(
  node: string,
  { key, text }: DevicePluginConfig,
  context: StepContext,
): Generator<StepAsk, StepDecision | undefined, Ruled> {
  const { operatorNamespace: namespace } = context
  const name = yield* ownConfigMap('devicePlugin')
  if (name === undefined) {
    return failed(
      'The ClusterPolicy names no ConfigMap for the device plugin (spec.devicePlugin.config.name), so nothing can be added for one node. Run prepare.sh of any plan that shares GPUs once for this cluster.',
    )
  }
  const map = yield* seeing(configMapRef(namespace, name))
  if (map === undefined) {
    return failed(`The ClusterPolicy names the ConfigMap ${name}, which is not in ${namespace}. Create it first.`)
  }
  const known = valueAt(map, 'data', key)
  if (known === undefined) return added(map, { namespace, name, key, text })
  if (known !== text) {
    return failed(`Someone changed ${key} in ${name}. Septet does not overwrite that: remove the entry, and try again.`)
  }
  return yield* heldOn(node, context)
}

type Entry = DevicePluginConfig & { readonly namespace: string; readonly name: string }

const added = (map: LiveObject, { namespace, name, key, text }: Entry): StepDecision => ({
  kind: 'write',
  key: 'config',
  says: `Add ${key} to ${name}`,
  write: {
    verb: 'patch',
    object: configMapRef(namespace, name),
    type: 'merge',
    // Whoever changed it since it was read keeps their change.
    body: { metadata: asRead(map), data: { [key]: text } },
  },
})

/** Pods that were to leave have left, or nothing is changed under them. */
function* heldOn(node: string, { patience }: StepContext): Generator<StepAsk, StepDecision | undefined, Ruled> {
  const pods = yield* podsBoundTo(node)
  const holder = podsThatLeave(pods).find(asksForGpu)
  return holder === undefined ? undefined : waiting(`${podName(holder)} still holds a GPU of ${node}.`, patience.leave)
}

type Label = { readonly worn: string; readonly wanted: string; readonly before: string | undefined }

/** The label is changed only as it was read, together with the note of what it said before. */
function labelled(node: LiveObject, { worn, wanted, before }: Label): StepDecision {
  const name = textAt(node, 'metadata', 'name')
  const noted = textsAt(node, 'metadata', 'annotations')
  const operations = [
    // A missing label cannot be tested for, so then nothing at all may have changed.
    worn === ''
      ? { op: 'test', path: '/metadata/resourceVersion', value: asRead(node).resourceVersion }
      : { op: 'test', path: at('labels', PLUGIN_CONFIG), value: worn },
    wanted === ''
      ? { op: 'remove', path: at('labels', PLUGIN_CONFIG) }
      : { op: 'add', path: at('labels', PLUGIN_CONFIG), value: wanted },
    ...noteOf(before, noted),
  ]
  return {
    kind: 'write',
    key: 'label',
    says: wanted === '' ? `Remove ${PLUGIN_CONFIG} from ${name}` : `Set ${PLUGIN_CONFIG} of ${name} to ${wanted}`,
    write: { verb: 'patch', object: nodeRef(name), type: 'json', body: operations },
  }
}

function noteOf(before: string | undefined, noted: Readonly<Record<string, string>>): readonly object[] {
  if (before === undefined)
    return noted[CONFIG_BEFORE] === undefined ? [] : [{ op: 'remove', path: at('annotations', CONFIG_BEFORE) }]
  return Object.keys(noted).length === 0
    ? [{ op: 'add', path: '/metadata/annotations', value: { [CONFIG_BEFORE]: before } }]
    : [{ op: 'add', path: at('annotations', CONFIG_BEFORE), value: before }]
}

const at = (part: 'labels' | 'annotations', name: string): string => `/metadata/${part}/${pointerKey(name)}`

/** The plugin starts again once, and then offers what it was told to, or is given up. */
function* afterLabel({ node: name, to }: Share, node: LiveObject, context: StepContext): Deciding {
  const { operatorNamespace: namespace, patience, written } = context
  const missed = missing(to, node)
  if (missed === undefined) return done(doneWords(name, to))
  const pod = yield* operatorPod({ app: PLUGIN, node: name, namespace })
  if (pod === undefined) return waiting(`The device plugin does not run on ${name}.`, patience.settle)
  // Both are whole seconds: within one of them nobody knows which was first.
  const hasRead = written.has('restart-plugin') || textAt(pod, 'metadata', 'creationTimestamp') > writtenAt(node)
  if (!hasRead) {
    return {
      kind: 'write',
      key: 'restart-plugin',
      says: `Have the device plugin on ${name} read its configurations again`,
      write: podDeletion(pod, namespace),
    }
  }
  return waiting(
    isReady(pod) ? missed : `The device plugin on ${name} is starting. If it does not come up, its log says why.`,
    patience.settle,
  )
}

const doneWords = (name: string, to: SharingMode): string =>
  to.kind === 'none' ? `${name} offers its GPUs whole.` : `${name} offers each GPU ${to.replicas} times.`

/** What GPU feature discovery or the kubelet do not show yet, in one sentence; undefined when all of it is there. */
function missing(to: SharingMode, node: LiveObject): string | undefined {
  const name = textAt(node, 'metadata', 'name')
  const labels = textsAt(node, 'metadata', 'labels')
  const replicas = to.kind === 'none' ? 1 : to.replicas
  const wanted = {
    [`${GPU}.sharing-strategy`]: to.kind,
    [`${GPU}.replicas`]: String(replicas),
    ...(to.kind === 'mps' ? { 'nvidia.com/mps.capable': 'true' } : {}),
  }
  for (const [label, value] of Object.entries(wanted)) {
    if (labels[label] !== value) {
      return `GPU feature discovery says ${label}=${labels[label] ?? 'nothing'} of ${name}, not yet ${value}.`
    }
  }
  const count = Number(labels[`${GPU}.count`]) * replicas
  const offered = textAt(node, 'status', 'allocatable', GPU) || '0'
  return Number(offered) === count ? undefined : `${name} offers ${offered} ${GPU}, not yet ${count}.`
}
