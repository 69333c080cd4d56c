import type { World } from '../../model/world.ts'
import {
  listIn,
  numberIn,
  objectAt,
  textIn,
  textRecord,
  valueIn,
  withValue,
  type Json,
  type JsonObject,
} from '../kube/json.ts'
import type { Kind } from '../kube/kinds.ts'
import { createObjectStore, keyOf, type KubeStore } from '../kube/store.ts'
import { type Api, type Hooks, kubeTime } from '../kube/write.ts'
import { createFaults } from './faults/fault-list.ts'
import { createAgenda } from './agenda.ts'
import { NEW_POD, POD, addPod, type Demo } from './cluster.ts'
import { BUDGET, budgetWritten } from './budgets.ts'
import { draClaimWritten, putDra } from './dra-driver.ts'
import { EVENT_TTL_MS } from './events.ts'
import { furnish, putServices } from './fixtures.ts'
import { createJournal } from './journal.ts'
import { putQueues } from './kueue.ts'
import { stop, takeAway } from './controllers.ts'
import { activityByHand, beginLife } from './lifecycle.ts'
import { pluginTold, pluginRestarted } from './device-plugin.ts'
import { PLUGIN_LABEL } from './node-object.ts'
import { CONFIG_LABEL, reconfigureNode, unwedge, startAnew } from './mig-manager.ts'
import { claimWritten, putNodePools } from './node-pools.ts'
import { takeNodeAway } from './node-removal.ts'
import { ownerWritten } from './owner-writes.ts'
import { UNPLACED, type PodState } from './pod-object.ts'
import { writtenRules } from './pod-rules.ts'
import { putPriorityClasses, withPriority } from './priority-classes.ts'
import { admitToQuotas, hasQuota, putQuotas, refreshQuotas } from './quotas.ts'
import { schedule } from './scheduler.ts'
import { mix, suffix, uuidOf } from '../../model/hash.ts'

/** A cluster with its API. `advance` lets happen whatever is due by now. */
export type RunningCluster = { readonly cluster: Demo; readonly api: Api; readonly advance: () => void }

// All pods of a cluster: those without GPUs make up the number.
const PODS = { small: 60, large: 50_000, huge: 500_000 } as const

type Options = {
  readonly clock: () => number
  readonly migMs: number
  /** Nodes that a DRA driver serves. */
  readonly dra?: readonly string[] | undefined
  /** Which of so many nodes that would do the scheduler takes; the first by default. */
  readonly choose?: ((nodes: number) => number) | undefined
  /** Another cluster's, whose watchers go on with this one. */
  readonly into?: KubeStore | undefined
}

export function createCluster(world: World, { clock, migMs, dra = [], choose, into }: Options): RunningCluster {
  // Versions begin above those of any earlier run, so that a watch from then is told to list again.
  const store = createObjectStore(Math.floor(clock() / 10))
  const agenda = createAgenda()
  const now = (): number => agenda.happening() ?? clock()
  const cluster: Demo = {
    world,
    store,
    agenda,
    now,
    pods: new Map(),
    members: new Map(),
    owners: new Map(),
    held: new Map(),
    closed: new Set(),
    loneJobs: new Map(),
    waiting: new Set(),
    paused: new Set(),
    reconfiguring: new Set(),
    wedged: new Set(),
    withoutPlugin: new Set(),
    withheld: new Set(),
    frozenBudgets: new Map(),
    migMs,
    faults: createFaults(),
    journal: createJournal(now),
    beganAt: clock(),
    eventsFrom: clock() - EVENT_TTL_MS,
    choose,
    stirred: true,
  }
  const advance = (): void => {
    agenda.runUntil(clock(), () => schedule(cluster))
    schedule(cluster)
  }
  furnish(cluster)
  beginLife(cluster)
  agenda.runUntil(clock())
  putPriorityClasses(cluster)
  putQuotas(cluster)
  putQueues(cluster)
  putServices(cluster, PODS[world.scale])
  putNodePools(cluster)
  putDra(cluster, dra)
  schedule(cluster)
  into?.become(store)
  cluster.store = into ?? store
  return { cluster, api: { store: cluster.store, hooks: hooksOf(cluster), seed: world.seed, now: clock }, advance }
}

function hooksOf(cluster: Demo): Hooks {
  return {
    admit: (kind, object, before) => {
      if (kind.kind === 'Pod' && before === undefined) return withPriority(cluster, object)
      return kind.kind === 'Node' ? withoutFalse(object) : object
    },
    settle: (kind, object, before) => (kind.kind === 'Node' ? withCordonTaint(object, before) : object),
    permit: (kind, object) => admitToQuotas(cluster, kind, object),
    written: (kind, object, before) => {
      if (hasQuota(kind)) refreshQuotas(cluster, textIn(object, 'metadata', 'namespace'))
      if (kind.kind === 'Node') nodeWritten(cluster, object, before)
      if (kind.kind === 'Pod') podWritten(cluster, object, before)
      if (kind.kind === BUDGET.kind) budgetWritten(cluster, object)
      if (kind.kind === 'NodeClaim') claimWritten(cluster, object)
      if (kind.kind === 'ResourceClaim') draClaimWritten(cluster, object)
      ownerWritten(cluster, kind, object)
    },
    taken: (kind, object) => {
      const pod = keyOfObject(object)
      const [node, uid] = [textIn(object, 'spec', 'nodeName') || undefined, textIn(object, 'metadata', 'uid')]
      cluster.journal.add({ kind, node, pod, uid })
    },
    removesLater: (kind, object) => isRunning(cluster, kind, object),
  }
}

const isRunning = (cluster: Demo, kind: Kind, object: JsonObject): boolean => {
  if (kind.kind !== 'Pod') return false
  const pod = cluster.pods.get(keyOfObject(object))
  // Nodes that people made have no kubelet: what is on them leaves and is never gone.
  if (pod === undefined) return cluster.world.node(textIn(object, 'spec', 'nodeName')) === undefined
  return pod.state.node !== undefined && pod.state.endedAt === undefined
}

const keyOfObject = (object: JsonObject): string =>
  keyOf(textIn(object, 'metadata', 'namespace'), textIn(object, 'metadata', 'name'))

const CORDON = 'node.kubernetes.io/unschedulable'

/** False is left out, as the API's own encoding does with it. */
const withoutFalse = (node: JsonObject): JsonObject =>
  isCordoned(node) ? node : withValue(node, ['spec', 'unschedulable'], undefined)

const isCordoned = (node: JsonObject): boolean => valueIn(node, 'spec', 'unschedulable') === true

/** The node controller keeps this taint in step with `spec.unschedulable`. */
function withCordonTaint(node: JsonObject, before: JsonObject | undefined): JsonObject {
  const cordoned = isCordoned(node)
  if (before !== undefined && cordoned === isCordoned(before)) return node
  const others = listIn(node, 'spec', 'taints').filter((taint) => textIn(taint, 'key') !== CORDON)
  const taints: readonly Json[] = cordoned ? [...others, { key: CORDON, effect: 'NoSchedule' }] : others
  return withValue(node, ['spec', 'taints'], taints.length === 0 ? undefined : taints)
}

/** Nothing keeps it any longer. */
const isGoing = ({ metadata }: JsonObject): boolean =>
  textIn(metadata, 'deletionTimestamp') !== '' && listIn(metadata, 'finalizers').length === 0

function nodeWritten(cluster: Demo, object: JsonObject, before: JsonObject | undefined): void {
  cluster.stirred = true
  if (isGoing(object)) return takeNodeAway(cluster, textIn(object, 'metadata', 'name'))
  const node = cluster.world.node(textIn(object, 'metadata', 'name'))
  const shared = textIn(object, 'metadata', 'labels', PLUGIN_LABEL)
  if (node !== undefined && before !== undefined && shared !== textIn(before, 'metadata', 'labels', PLUGIN_LABEL)) {
    pluginTold(cluster, node)
  }
  const config = textIn(object, 'metadata', 'labels', CONFIG_LABEL)
  const changed = config !== textIn(before, 'metadata', 'labels', CONFIG_LABEL)
  if (node === undefined || before === undefined || config === '') return
  // The manager sees the change a moment after the write was answered.
  if (cluster.wedged.has(node.name)) cluster.agenda.at(cluster.now(), () => unwedge(cluster, node, changed))
  else if (changed) cluster.agenda.at(cluster.now(), () => reconfigureNode(cluster, node))
}

function podWritten(cluster: Demo, object: JsonObject, before: JsonObject | undefined): void {
  const pod = cluster.pods.get(keyOfObject(object))
  if (before === undefined) return pod === undefined ? adopt(cluster, object) : undefined
  const leaving = textIn(object, 'metadata', 'deletionTimestamp') !== ''
  if (pod === undefined) return leaving ? replaceDaemonPod(cluster, object) : undefined
  if (!leaving) {
    pod.written = object
    return
  }
  if (!isRunning(cluster, POD, object)) return isGoing(object) ? takeAway(cluster, pod) : undefined
  pod.written = object
  stop(cluster, pod, numberIn(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0)
}

/** A pod that somebody created: the scheduler gets it unless it names its node. */
function adopt(cluster: Demo, object: JsonObject): void {
  if (textIn(object, 'spec', 'nodeName') !== '') return
  const state = stateOf(cluster, object)
  const activity = activityByHand(state.uid, cluster.now())
  addPod(cluster, { ...NEW_POD, state, written: object, activity, end: Infinity, byPeople: true })
}

function stateOf(cluster: Demo, object: JsonObject): PodState {
  const [container] = listIn(object, 'spec', 'containers')
  return {
    namespace: textIn(object, 'metadata', 'namespace'),
    name: textIn(object, 'metadata', 'name'),
    uid: textIn(object, 'metadata', 'uid'),
    seed: cluster.store.version(),
    createdAt: cluster.now(),
    labels: textRecord(objectAt(object, 'metadata', 'labels')),
    owner: undefined,
    container: textIn(container, 'name'),
    image: textIn(container, 'image'),
    requests: textRecord(objectAt(container, 'resources', 'requests')),
    rules: writtenRules(object),
    restart: 'Always',
    phase: 'waiting',
    ...UNPLACED,
  }
}

/** A DaemonSet makes its pod again on the same node, under another name; any other pod stays away. */
function replaceDaemonPod(cluster: Demo, gone: JsonObject): void {
  const owner = listIn(gone, 'metadata', 'ownerReferences').find((each) => textIn(each, 'kind') === 'DaemonSet')
  if (owner === undefined) return
  const seed = mix(cluster.world.seed, cluster.store.version())
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...kept } = objectAt(gone, 'metadata')
  const namespace = textIn(gone, 'metadata', 'namespace')
  const name = `${textIn(owner, 'name')}-${suffix(seed, 5)}`
  const made = { ...kept, name, uid: uuidOf(seed), creationTimestamp: kubeTime(cluster.now()) }
  cluster.store.put(POD, keyOf(namespace, name), () => withValue(gone, ['metadata'], made))
  const node = textIn(gone, 'spec', 'nodeName')
  if (textIn(owner, 'name') === 'nvidia-device-plugin-daemonset') pluginRestarted(cluster, node)
  if (textIn(owner, 'name') !== 'nvidia-mig-manager') return
  cluster.journal.add({ kind: 'mig-manager-restarted', node, pod: keyOf(namespace, name), uid: uuidOf(seed) })
  cluster.agenda.at(cluster.now(), () => startAnew(cluster, node))
}
