import { instantOf } from '../../analyze/time-range.ts'
import { stepRequestWords } from '../../plan/steps/step-words.ts'
import type { PodId } from '../../cluster/workload.ts'
import { agree, plural } from '../../words.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { listAt, liveNumberAt, textAt, textsAt, valueAt } from '../live-object.ts'
import {
  asksFor,
  countOf,
  gpuAsksOf,
  RESIZABLE,
  resourcesOf,
  type GpuAsk,
  type Resize,
  type ResizeTarget,
} from '../owners/gpu-asks.ts'
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
import { podName } from '../nodes/pods-that-leave.ts'
import { isReady } from './node-steps.ts'

type Rollout = {
  readonly action: Resize
  readonly target: ResizeTarget
  /** Its template says what is wanted. */
  readonly live: LiveObject
  readonly asks: readonly GpuAsk[]
}

/**
 * Watches the pods being made again. A pod of the new size that does not start, or finds no place for long, fails the
 * step. On the way back a pod that finds no place is not a failure: its place is made by the steps that are taken back
 * next.
 */
export function* decideRollout(rollout: Rollout, context: StepContext): Deciding {
  const { action, target } = rollout
  const maker = yield* makerOf(rollout)
  if (maker === undefined)
    return waiting(`The controller of ${action.workload} has not seen it yet.`, context.patience.settle)
  const pods = yield* podsOf(target, maker.live)
  const stuck = stuckPod(pods, rollout, maker)
  if (stuck !== undefined) return stuck
  const made = pods.filter((pod) => isOfSize(pod, rollout) && !isLeaving(pod))
  const trouble = troubleAmong(made, rollout, context)
  if (trouble !== undefined) return trouble
  const left = whatIsLeft(maker)
  return left === undefined
    ? done(`Every pod of ${action.workload} asks for ${stepRequestWords(action.to)} and runs.`)
    : waiting(`${action.workload}: ${left}`, context.patience.rollout)
}

/** Pods that make place for such of the size that is wanted, in text order: those on a node that were made with another. */
export function* replacedPods(rollout: Rollout): Generator<StepAsk, readonly PodId[], Ruled> {
  const maker = yield* controllerOf(rollout)
  if (maker === undefined) return []
  const pods = yield* podsOf(rollout.target, maker)
  return pods
    .filter((pod) => textAt(pod, 'spec', 'nodeName') !== '' && !isLeaving(pod) && !isOfSize(pod, rollout))
    .map(podName)
    .toSorted()
}

type Maker = { readonly kind: ResizeTarget['kind']; readonly live: LiveObject }

/** Who makes the pods: a notebook has a StatefulSet of its name for that. Undefined: it still makes them as before. */
function* makerOf(rollout: Rollout): Generator<StepAsk, Maker | undefined, Ruled> {
  const { target, action } = rollout
  const set = yield* controllerOf(rollout)
  if (target.kind !== 'Notebook' || set === undefined) return set && { kind: target.kind, live: set }
  const resources = resourcesOf(action)
  const asks = gpuAsksOf('StatefulSet', set, resources)
  return typeof asks !== 'string' && asksFor(asks, action.to, resources)
    ? { kind: 'StatefulSet', live: set }
    : undefined
}

function* controllerOf({ target, live }: Rollout): Generator<StepAsk, LiveObject | undefined, Ruled> {
  return target.kind === 'Notebook' ? yield* seeing({ ...target.object, ...RESIZABLE.StatefulSet }) : live
}

/** By what its controller tells its pods from others. */
function* podsOf(
  { kind, object: { namespace, name } }: ResizeTarget,
  maker: LiveObject,
): Generator<StepAsk, Ruled, Ruled> {
  const label = LABEL[kind]
  const labels = label === undefined ? textsAt(maker, 'spec', 'selector', 'matchLabels') : { [label]: name }
  return yield {
    kind: 'objects',
    objects: { group: '', version: 'v1', resource: 'pods', namespace },
    labelSelector: Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
  }
}

const LABEL: Partial<Record<ResizeTarget['kind'], string>> = {
  InferenceService: 'serving.kserve.io/inferenceservice',
  LeaderWorkerSet: 'leaderworkerset.sigs.k8s.io/name',
}

/** Whether a pod was made with the size that is wanted. A container that the template does not name is the model server. */
function isOfSize(pod: LiveObject, { asks, action }: Rollout): boolean {
  const resources = resourcesOf(action)
  const names = new Set(
    asks.filter(({ isMain }) => isMain).map(({ name }) => (name === '' ? 'kserve-container' : name)),
  )
  const asking = [...listAt(pod, 'spec', 'containers'), ...listAt(pod, 'spec', 'initContainers')].filter((container) =>
    names.has(textAt(container, 'name')),
  )
  return asking.every((container) =>
    [...resources].every(
      (resource) => Number(valueAt(container, 'resources', 'limits', resource) ?? 0) === countOf(action.to, resource),
    ),
  )
}

/**
 * A StatefulSet waits for each of its pods before it replaces the next, a broken one of the former size too, so that a right
 * template alone does not help (Kubernetes: "Forced rollback"). Such a pod runs nothing and is evicted.
 */
function stuckPod(pods: Ruled, rollout: Rollout, maker: Maker): StepDecision | undefined {
  if (maker.kind !== 'StatefulSet') return undefined
  const own = textAt(maker.live, 'metadata', 'uid')
  const stuck = pods.find(
    (pod) =>
      listAt(pod, 'metadata', 'ownerReferences').some((each) => textAt(each, 'uid') === own) &&
      !isLeaving(pod) &&
      !isOfSize(pod, rollout) &&
      (unplaced(pod) !== undefined || brokenWords(pod) !== undefined),
  )
  if (stuck === undefined) return undefined
  const [namespace, name, uid] = ['namespace', 'name', 'uid'].map((key) => textAt(stuck, 'metadata', key))
  const object = { group: '', version: 'v1', resource: 'pods', namespace, name: name ?? '' }
  return {
    kind: 'write',
    key: `evict ${uid}`,
    says: `Evict ${namespace}/${name}, which does not run and would hold up the others`,
    write: { verb: 'evict', object, uid: uid ?? '' },
    stops: [],
  }
}

function troubleAmong(
  made: Ruled,
  { action }: Rollout,
  { now, isUndo, patience }: StepContext,
): StepDecision | undefined {
  const size = stepRequestWords(action.to)
  for (const pod of made) {
    const name = podName(pod)
    const broken = brokenWords(pod)
    if (broken !== undefined) return failed(`${name} does not run with ${size}: ${broken}.`)
    const message = unplaced(pod)
    if (message === undefined) continue
    if (isUndo) return done(`${action.workload} asks for ${size} again; ${name} waits to be scheduled.`)
    if (now - (instantOf(textAt(pod, 'metadata', 'creationTimestamp')) ?? now) > patience.settle) {
      return failed(`${name} cannot be scheduled with ${size}: ${message}`)
    }
  }
  return undefined
}

const isLeaving = (pod: LiveObject): boolean => textAt(pod, 'metadata', 'deletionTimestamp') !== ''

/** The scheduler's words while it finds no place; undefined where it has. */
const unplaced = (pod: LiveObject): string | undefined => {
  const condition = listAt(pod, 'status', 'conditions').find((each) => textAt(each, 'type') === 'PodScheduled')
  return textAt(condition, 'status') === 'False' ? textAt(condition, 'message') : undefined
}

/** Reasons of a container that waits which do not pass by themselves. */
const BROKEN: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'RunContainerError',
  'CreateContainerError',
  'CreateContainerConfigError',
  'InvalidImageName',
])

function brokenWords(pod: LiveObject): string | undefined {
  if (textAt(pod, 'status', 'phase') === 'Failed') return textAt(pod, 'status', 'reason') || 'it has failed'
  for (const status of [
    ...listAt(pod, 'status', 'initContainerStatuses'),
    ...listAt(pod, 'status', 'containerStatuses'),
  ]) {
    const reason = textAt(status, 'state', 'waiting', 'reason')
    const ended = textAt(status, 'lastState', 'terminated', 'reason')
    if (BROKEN.has(reason)) return `${textAt(status, 'name')} is in ${reason}${ended === '' ? '' : ` after ${ended}`}`
    if (ended === 'OOMKilled') return `${textAt(status, 'name')} ran out of memory`
  }
  return undefined
}

/** What the controller still has to do, in a sentence; undefined when nothing. */
function whatIsLeft({ kind, live }: Maker): string | undefined {
  const generation = liveNumberAt(live, 'metadata', 'generation') ?? 0
  if (counted(live, 'observedGeneration') < generation) return 'its controller has not seen the change yet.'
  if (kind === 'InferenceService') return isReady(live) ? undefined : 'its new revision is not ready yet.'
  return podsLeft(live, kind === 'LeaderWorkerSet' ? 'readyReplicas' : 'availableReplicas')
}

function podsLeft(live: LiveObject, available: string): string | undefined {
  const wanted = liveNumberAt(live, 'spec', 'replicas') ?? 1
  const updated = counted(live, 'updatedReplicas')
  if (updated < wanted) return `${updated} of ${wanted} are replaced.`
  const former = counted(live, 'replicas') - updated
  if (former > 0) return `${plural(former, 'old pod')} ${agree(former, 'is', 'are')} still stopping.`
  return counted(live, available) < wanted ? `${counted(live, available)} of ${wanted} run.` : undefined
}

/** The API leaves zeros out. */
const counted = (live: LiveObject, key: string): number => liveNumberAt(live, 'status', key) ?? 0
