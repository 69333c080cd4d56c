import { hasEnded } from '../nodes/pods-that-leave.ts'
import { agree, plural } from '../../words.ts'
import type { Action } from '../../plan/words/action.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { asRead, liveNumberAt } from '../live-object.ts'
import { autoscalerOf } from '../owners/autoscaler-of.ts'
import { STOPPABLE, startWrite, stoppableOf, stopWrite, type StopWrite } from '../owners/stop-write.ts'
import { topObject } from './top-object.ts'
import {
  done,
  failed,
  waiting,
  type Ruled,
  type Deciding,
  type StepAsk,
  type StepContext,
  type StepDecision,
} from './decision.ts'
import { whyLeftAlone } from './left-alone.ts'
import { podsNamedFor } from './node-steps.ts'

type Scale = Extract<Action, { readonly kind: 'scale' }>
type Target = NonNullable<ReturnType<typeof stoppableOf>>

/** Sets how many pods a workload has; kinds without such a number are stopped and started by their own switch. */
export function* decideScale(action: Scale, context: StepContext): Deciding {
  const named = stoppableOf(action.workload)
  if (named === undefined) return failed(`${action.workload} is of a kind that Septet does not stop.`)
  const target = yield* topObject(named, STOPPABLE)
  if (target === undefined) return failed(`${action.workload} is no longer in the cluster.`)
  const { live } = target
  const wanted = scaleWrite(action, target)
  if (wanted.kind === 'done') return yield* afterScaling(action, context)
  if (context.written.has('scale')) return setAgain(action, context)
  // On the way back what somebody has set since stays.
  if (wanted.kind === 'refused') return (context.isUndo && action.to > 0 ? done : failed)(wanted.because)
  const because = whyLeftAlone(live, context) ?? (yield* whoUndoes(target, action.to))
  if (because !== undefined) return failed(because)
  return { kind: 'write', key: 'scale', says: wanted.says, write: wanted.write }
}

const setAgain = ({ workload }: Scale, { isUndo }: StepContext): StepDecision =>
  (isUndo ? done : failed)(`Someone changed the replicas of ${workload} meanwhile, and Septet does not set them again.`)

/** What brings a live object to the size that is wanted; refused where it has neither that nor the one before. */
export function scaleWrite(
  { workload, from, to }: Scale,
  { kind, object, live }: Target & { readonly live: LiveObject },
): StopWrite {
  if (to === 0) return stopWrite(kind, live)
  if (from === 0) return startWrite(kind, live)
  const replicas = liveNumberAt(live, 'spec', 'replicas')
  if (replicas === to) return { kind: 'done', because: '' }
  if (replicas !== from) {
    const because = `${workload} has ${replicas ?? 'no'} replicas, and the plan was made for ${from}. Someone changed it since.`
    return { kind: 'refused', because }
  }
  return {
    kind: 'write',
    says: `Scale ${workload} to ${to}`,
    // A merge that carries a version is refused where somebody was faster.
    write: {
      verb: 'patch',
      object,
      type: 'merge',
      body: { metadata: asRead(live), spec: { replicas: to } },
    },
  }
}

/** What an autoscaler undoes is not worth a disturbance. */
function* whoUndoes(
  { kind, object: { namespace, name } }: Target,
  to: number,
): Generator<StepAsk, string | undefined, Ruled> {
  const hpas = yield {
    kind: 'objects',
    objects: { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers', namespace },
  }
  const scaledObjects = yield {
    kind: 'objects',
    objects: { group: 'keda.sh', version: 'v1alpha1', resource: 'scaledobjects', namespace },
  }
  const autoscaler = autoscalerOf({ kind, name }, to, { hpas, scaledObjects })
  if (autoscaler === undefined) return undefined
  return autoscaler.kind === 'refuse'
    ? autoscaler.because
    : `ScaledObject ${autoscaler.name} scales ${name} and would undo it. Pause it with the annotation autoscaling.keda.sh/paused-replicas: "${to}" instead.`
}

function* afterScaling(action: Scale, { patience }: StepContext): Deciding {
  const left = action.to === 0 ? (yield* podsNamedFor(action.workload)).filter((pod) => !hasEnded(pod)).length : 0
  return left > 0
    ? waiting(`${plural(left, 'pod')} of ${action.workload} still ${agree(left, 'stops', 'stop')}.`, patience.leave)
    : done(`${action.workload} is ${action.to === 0 ? 'stopped' : `at ${action.to}`}.`)
}
