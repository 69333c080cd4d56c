import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { pointerKey } from '../../plan/documents/json-pointer.ts'
import { geometryOf } from '../../gpu/layout.ts'
import { resourceOffered } from '../../gpu/profile-name.ts'
import type { Action, GpuChange, PlanStep } from '../../plan/words/action.ts'
import type { ClusterWrite, LiveObject } from '../cluster-writer.ts'
import { asRead, textAt, textsAt } from '../live-object.ts'
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
import { hasConfig, withConfig } from './mig-config-text.ts'
import { hasEnded, podName } from '../nodes/pods-that-leave.ts'
import { asksForGpu, graceOf, isReady, nodeRef, podsBoundTo } from './node-steps.ts'
import { configMapRef, operatorPod, ownConfigMap, podDeletion, writtenAt } from './operator-objects.ts'

type Repartition = Extract<Action, { readonly kind: 'repartition' }>

export const MIG_CONFIG = 'nvidia.com/mig.config'
const STATE = 'nvidia.com/mig.config.state'
const DEPLOY = 'nvidia.com/gpu.deploy.'
const PAUSED = 'paused-for-mig-change'
const MANAGER = 'nvidia-mig-manager'
const TRIED_AGAIN = 'restart-after-failure'

/**
 * Has mig-manager cut one node: the configuration is added to those in force, the manager of that node reads them again,
 * the label is set, and what comes of it is watched. mig-manager reacts to a change of the label's value only, never
 * retries, and reads its file when it starts.
 */
export function* decideRepartition(action: Repartition, context: StepContext): Deciding {
  const node = yield* seeing(nodeRef(action.node))
  if (node === undefined) return failed(`${action.node} is no longer in the cluster.`)
  const worn = textAt(node, 'metadata', 'labels', MIG_CONFIG)
  const state = textAt(node, 'metadata', 'labels', STATE)
  if (worn === action.config) return yield* afterLabel(action, { node, state }, context)
  const theirs = setByOthers(action, { worn, state }, context)
  if (theirs !== undefined) return theirs
  // Somebody else's change is waited for; one's own that hangs is what the way back is for.
  if (!context.isUndo && (state === 'pending' || state === 'rebooting')) {
    return waiting(`mig-manager still works on an earlier change of ${action.node}.`, context.patience.reconfigure)
  }
  return (yield* prepared(action, context)) ?? (yield* whoHoldsIt(action, context)) ?? labelled(action, node)
}

/** The action of a step that is carried out: a layout is set over the one for which it was planned, and over no other. */
export function asPlanned({ action, preconditions }: Pick<PlanStep, 'action' | 'preconditions'>): Action {
  const settled = preconditions.find((condition) => condition.kind === 'mig-settled')
  const replaces = settled?.kind === 'mig-settled' ? settled.config : undefined
  return action.kind === 'repartition' && replaces !== undefined ? { ...action, replaces } : action
}

/**
 * Pods that stand on what is cut, by the API server's word: a reading may be half a minute old, and a pod that is evicted
 * holds its GPU until it has stopped. Whoever was read to hold other GPUs of the node alone is in nobody's way.
 */
function* whoHoldsIt(
  action: Repartition,
  { isRehearsal, patience, isBeside }: StepContext,
): Generator<StepAsk, StepDecision | undefined, Ruled> {
  if (isRehearsal) return undefined
  const pods = yield* podsBoundTo(action.node)
  const holder = pods.find((pod) => asksForGpu(pod) && !hasEnded(pod) && !isBeside(action, pod))
  return holder && waiting(`${podName(holder)} still holds a GPU of ${action.node}.`, patience.leave + graceOf(holder))
}

/**
 * A label that says something else than when the plan was made, or than Septet has set, is theirs: the change ends there. On
 * the way back it stays: to put the former layout in its place would undo what they did, without a word.
 */
function setByOthers(
  { node, replaces }: Repartition,
  { worn, state }: { readonly worn: string; readonly state: string },
  { written, patience, isUndo }: StepContext,
): StepDecision | undefined {
  const isTheirs = replaces !== undefined && worn !== replaces
  if (written.has('label') || (isTheirs && !isUndo)) {
    return failed(`Someone set ${MIG_CONFIG} of ${node} to "${worn}" meanwhile. Septet does not overwrite that.`)
  }
  if (!isTheirs) return undefined
  return state === 'pending' || state === 'rebooting'
    ? waiting(`mig-manager is applying "${worn}" to ${node}.`, patience.reconfigure)
    : done(`${node} has the MIG layout "${worn}", which Septet did not set and leaves unchanged.`)
}

function* afterLabel(
  action: Repartition,
  { node, state }: { readonly node: LiveObject; readonly state: string },
  context: StepContext,
): Deciding {
  const { patience } = context
  if (state === 'success') return cutNow(action, node, context)
  const again = yield* triedAgain(action, state, context)
  if (again !== undefined) return again
  if (state !== 'failed') {
    const because =
      state === 'rebooting'
        ? `${action.node} restarts to change its MIG mode.`
        : `mig-manager repartitions ${action.node}.`
    return waiting(because, state === 'rebooting' ? patience.reboot : patience.reconfigure)
  }
  return failed(
    `mig-manager failed to partition ${action.node}. Usually a process still holds a GPU; see its log on the node.`,
  )
}

/**
 * mig-manager does not try again by itself, only when it starts; on the way back that is worth one try. The result is removed
 * first: the manager takes seconds to start, and until then an old one would be taken for the new.
 */
function* triedAgain(
  { node: name }: Repartition,
  state: string,
  context: StepContext,
): Generator<StepAsk, StepDecision | undefined, Ruled> {
  const isForgotten = state === '' && !context.written.has('label')
  if (!context.isUndo || context.written.has(TRIED_AGAIN) || !(state === 'failed' || isForgotten)) return undefined
  const pod = yield* operatorPod({ app: MANAGER, node: name, namespace: context.operatorNamespace })
  if (pod === undefined) return undefined
  if (isForgotten) return restart(pod, name, { key: TRIED_AGAIN, context })
  const body = [
    { op: 'test', path: labelPath(STATE), value: state },
    { op: 'remove', path: labelPath(STATE) },
  ]
  return {
    kind: 'write',
    key: 'forget-failure',
    says: `Remove the failed result of mig-manager from ${name} before it tries again`,
    write: { verb: 'patch', object: nodeRef(name), type: 'json', body },
  }
}

/** `success` is said before the device plugin has counted: pods can only be placed once the kubelet offers the new devices. */
function cutNow(action: Repartition, node: LiveObject, { patience }: StepContext): StepDecision {
  const labels = textsAt(node, 'metadata', 'labels')
  if (Object.entries(labels).some(([name, value]) => name.startsWith(DEPLOY) && value === PAUSED)) {
    return waiting(`GPU services of ${action.node} are still paused.`, patience.settle)
  }
  const offered = textsAt(node, 'status', 'allocatable')
  const wrong = [...wantedResources(action.gpus, labels['nvidia.com/mig.strategy'])].find(
    ([resource, count]) => Number(offered[resource] ?? 0) !== count,
  )
  if (wrong === undefined) return done(`${action.node} has the layout ${action.config}.`)
  const [resource, count] = wrong
  return waiting(`${action.node} offers ${offered[resource] ?? 0} ${resource}, not yet ${count}.`, patience.settle)
}

function wantedResources(gpus: readonly GpuChange[], strategy: string | undefined): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>()
  const add = (resource: string, count: number): void => void wanted.set(resource, (wanted.get(resource) ?? 0) + count)
  for (const { to, from } of gpus) {
    // What is no longer there has to be offered no longer.
    for (const profile of Object.keys(geometryOf(from.layout))) add(resourceOffered(profile, strategy), 0)
    if (!to.migEnabled) add(WHOLE_GPU_RESOURCE, 1)
    for (const [profile, count] of Object.entries(to.geometry)) add(resourceOffered(profile, strategy), count)
  }
  return wanted
}

/** What has to be done before the label is set; undefined when nothing is left. */
function* prepared(action: Repartition, context: StepContext): Generator<StepAsk, StepDecision | undefined, Ruled> {
  const { operatorNamespace: namespace, patience } = context
  const name = yield* ownConfigMap('migManager')
  if (name === undefined) {
    return failed(
      'The ClusterPolicy names no ConfigMap of your own for mig-manager, so nothing can be added for one node. Run prepare.sh of any plan once for this cluster.',
    )
  }
  const map = yield* seeing(configMapRef(namespace, name))
  const text = textAt(map, 'data', 'config.yaml')
  if (map === undefined || !hasConfig(text, action.config)) {
    const merged = withConfig(text, action.config, action.gpus)
    if (merged === undefined) {
      return failed(`${name} in ${namespace} has no list under mig-configs that a configuration could be added to.`)
    }
    return {
      kind: 'write',
      key: 'config',
      says: `Add ${action.config} to ${name}`,
      write: {
        verb: 'patch',
        object: configMapRef(namespace, name),
        type: 'merge',
        // Whoever changed it since it was read keeps their change.
        body: {
          metadata: asRead(map ?? {}),
          data: { 'config.yaml': merged },
        },
      },
    }
  }
  const pod = yield* operatorPod({ app: MANAGER, node: action.node, namespace })
  if (pod === undefined || !isReady(pod)) {
    return waiting(`mig-manager does not run on ${action.node} yet.`, patience.settle)
  }
  // Both are whole seconds: within one of them nobody knows which was first. Others may add theirs to the map meanwhile.
  const hasRead =
    context.written.has('restart-manager') || textAt(pod, 'metadata', 'creationTimestamp') > writtenAt(map)
  return hasRead ? undefined : restart(pod, action.node, { key: 'restart-manager', context })
}

const restart = (
  pod: LiveObject,
  node: string,
  { key, context }: { readonly key: string; readonly context: StepContext },
): StepDecision => ({
  kind: 'write',
  key,
  says: `Have mig-manager on ${node} read its configurations again`,
  write: podDeletion(pod, context.operatorNamespace),
})

/**
 * The last result is removed with it, so that it is not taken for the new one. Services that a change which hangs has
 * paused are started again: they would stay paused for ever.
 */
function labelled(action: Repartition, node: LiveObject): StepDecision {
  const labels = textsAt(node, 'metadata', 'labels')
  const paused = Object.keys(labels).filter((name) => name.startsWith(DEPLOY) && labels[name] === PAUSED)
  const operations = [
    { op: 'test', path: '/metadata/resourceVersion', value: asRead(node).resourceVersion },
    { op: 'add', path: labelPath(MIG_CONFIG), value: action.config },
    labels[STATE] === undefined ? undefined : { op: 'remove', path: labelPath(STATE) },
    ...paused.map((name) => ({ op: 'replace', path: labelPath(name), value: 'true' })),
  ].filter((operation) => operation !== undefined)
  const write: ClusterWrite = { verb: 'patch', object: nodeRef(action.node), type: 'json', body: operations }
  return { kind: 'write', key: 'label', says: `Set ${MIG_CONFIG} on ${action.node} to ${action.config}`, write }
}

const labelPath = (name: string): string => `/metadata/labels/${pointerKey(name)}`
