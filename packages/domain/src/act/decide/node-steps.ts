import { hasEnded } from '../nodes/pods-that-leave.ts'
import type { Landing } from '../../plan/words/action.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import type { LiveObject, ObjectRef } from '../cluster-writer.ts'
import { asRead, listAt, liveNumberAt, textAt, textsAt, valueAt } from '../live-object.ts'
import { done, failed, seeing, waiting, type Ruled, type Deciding, type StepAsk, type StepContext } from './decision.ts'

export const nodeRef = (name: string): ObjectRef => ({
  group: '',
  version: 'v1',
  resource: 'nodes',
  namespace: undefined,
  name,
})

/** Every pod that stands on a node, of whatever namespace. */
export function* podsBoundTo(node: string): Generator<StepAsk, Ruled, Ruled> {
  return yield {
    kind: 'objects',
    objects: { group: '', version: 'v1', resource: 'pods', namespace: undefined },
    fieldSelector: `spec.nodeName=${node}`,
  }
}

/** Who closed a node: only whoever did opens it again. */
const CORDONED_BY = 'septet.io/cordoned-by'

export function* decideCordon(name: string, { run, isUndo, written }: StepContext): Deciding {
  const node = yield* seeing(nodeRef(name))
  if (node === undefined) return failed(`${name} is no longer in the cluster.`)
  if (valueAt(node, 'spec', 'unschedulable') === true) {
    return done(
      textAt(node, 'metadata', 'annotations', CORDONED_BY) === run
        ? `${name} is cordoned.`
        : `Someone else cordoned ${name}; it stays cordoned afterwards.`,
    )
  }
  // Whoever uncordons a node leaves its annotations; on the way back an old one may still be there.
  if (isUndo ? written.has('cordon') : textAt(node, 'metadata', 'annotations', CORDONED_BY) === run) {
    const because = `Someone uncordoned ${name} meanwhile, and Septet does not cordon it again.`
    return isUndo ? done(because) : failed(because)
  }
  return {
    kind: 'write',
    key: 'cordon',
    says: `Cordon ${name}`,
    write: {
      verb: 'patch',
      object: nodeRef(name),
      type: 'merge',
      body: { metadata: { ...asRead(node), annotations: { [CORDONED_BY]: run } }, spec: { unschedulable: true } },
    },
  }
}

export function* decideUncordon(
  { node: name, landed = [] }: { readonly node: string; readonly landed?: readonly Landing[] },
  { run, isUndo, patience }: StepContext,
): Deciding {
  const node = yield* seeing(nodeRef(name))
  if (node === undefined) return done(`${name} is no longer in the cluster.`)
  if (textAt(node, 'metadata', 'deletionTimestamp') !== '') return done(`The machine of ${name} is being terminated.`)
  if (valueAt(node, 'spec', 'unschedulable') !== true) return done(`${name} accepts pods.`)
  if (textAt(node, 'metadata', 'annotations', CORDONED_BY) !== run) {
    return done(`Someone else cordoned ${name}, so it stays cordoned.`)
  }
  // On the way back the node is needed by those who were evicted from it.
  const missing = isUndo ? undefined : yield* whoIsMissing(landed)
  if (missing !== undefined) return waiting(missing, patience.leave)
  return {
    kind: 'write',
    key: 'uncordon',
    says: `Uncordon ${name}`,
    write: {
      verb: 'patch',
      object: nodeRef(name),
      type: 'merge',
      body: { metadata: { ...asRead(node), annotations: { [CORDONED_BY]: null } }, spec: { unschedulable: null } },
    },
  }
}

/** The first workload whose pods do not all run yet, in one sentence; undefined when all of them do. */
export function* whoIsMissing(landings: readonly Landing[]): Generator<StepAsk, string | undefined, Ruled> {
  for (const landing of landings) {
    const running = (yield* podsNamedFor(landing.workload)).filter(isRunning).length
    if (running < landing.pods) return `${landing.workload} has ${running} of ${landing.pods} pods running elsewhere.`
  }
  return undefined
}

/** The pods of a workload by their names: every controller begins them with its own. */
export function* podsNamedFor(workload: WorkloadId): Generator<StepAsk, Ruled, Ruled> {
  const [namespace = '', , ...rest] = workload.split('/')
  const name = rest.join('/')
  const pods = yield {
    kind: 'objects',
    objects: { group: '', version: 'v1', resource: 'pods', namespace },
  }
  return pods.filter((pod) => {
    const own = textAt(pod, 'metadata', 'name')
    return own === name || own.startsWith(`${name}-`)
  })
}

const isRunning = (pod: LiveObject): boolean =>
  textAt(pod, 'status', 'phase') === 'Running' && textAt(pod, 'metadata', 'deletionTimestamp') === ''

export function* decideEvict(
  { pod: id, uid }: { readonly pod: string; readonly uid: string },
  { patience }: StepContext,
): Deciding {
  const [namespace = '', name = ''] = id.split('/')
  const object: ObjectRef = { group: '', version: 'v1', resource: 'pods', namespace, name }
  const pod = yield* seeing(object)
  // A StatefulSet makes another pod of the same name at once: that one is not meant.
  if (pod === undefined || textAt(pod, 'metadata', 'uid') !== uid) return done(`${id} has left.`)
  if (hasEnded(pod)) return done(`${id} has ended by itself.`)
  if (textAt(pod, 'metadata', 'deletionTimestamp') !== '') {
    return waiting(`${id} is stopping.`, patience.leave + graceOf(pod))
  }
  return { kind: 'write', key: `evict ${uid}`, says: `Evict ${id}`, write: { verb: 'evict', object, uid } }
}

/** How long a pod may take to stop, milliseconds; 0 where nobody has asked it to. */
export const graceOf = (pod: LiveObject): number =>
  textAt(pod, 'metadata', 'deletionTimestamp') === ''
    ? 0
    : (liveNumberAt(pod, 'metadata', 'deletionGracePeriodSeconds') ?? 30) * 1000

/** Whether a pod asks the device plugin for anything. */
export const asksForGpu = (pod: LiveObject): boolean =>
  listAt(pod, 'spec', 'containers').some((container) =>
    Object.keys(textsAt(container, 'resources', 'limits')).some((resource) => resource.startsWith('nvidia.com/')),
  )

/** Whether a pod of the operator is ready to work. */
export const isReady = (pod: unknown): boolean =>
  textAt(pod, 'metadata', 'deletionTimestamp') === '' &&
  listAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
  )
