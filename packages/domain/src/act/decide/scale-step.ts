import { plural } from '../../words.ts'
import { stopPatch } from '../../plan/documents/workload-documents.ts'
import type { Action } from '../../plan/words/action.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { numberAt, textAt } from '../live-object.ts'
import {
  done,
  failed,
  seeing,
  waiting,
  type Answer,
  type Deciding,
  type Question,
  type StepContext,
} from './decision.ts'
import { workloadRef } from './workload-ref.ts'

type Scale = Extract<Action, { readonly kind: 'scale' }>

/** So that whoever finds it stopped can start it again as it was. */
const REPLICAS_BEFORE = 'septet.io/replicas-before'

/** Sets how many pods a workload has; kinds without such a number are stopped and started by their own switch. */
export function* decideScale(action: Scale, context: StepContext): Deciding {
  const object = workloadRef(action.workload)
  if (object === undefined) return failed(`${action.workload} is of a kind that Septet does not change.`)
  const live = yield* seeing(object)
  if (live === undefined) return failed(`${action.workload} is no longer in the cluster.`)
  const patch = stopPatch(kindOf(action), action.to)
  const replicas = numberAt(live, 'spec', 'replicas')
  if (patch === undefined ? replicas === action.to : isMerged(live, patch)) return yield* afterScaling(action, context)
  if (patch === undefined && replicas !== action.from) {
    return failed(
      `${action.workload} has ${replicas ?? 'no'} replicas, and the plan was made for ${action.from}. Somebody changed it since.`,
    )
  }
  return {
    kind: 'write',
    key: 'scale',
    says: action.to === 0 ? `Stop ${action.workload}` : `Scale ${action.workload} to ${action.to}`,
    write: { verb: 'patch', object, type: 'merge', body: patch ?? replicasPatch(action, live) },
  }
}

function* afterScaling(action: Scale, { patience }: StepContext): Deciding {
  const left = action.to === 0 ? yield* podsLeft(action) : 0
  return left > 0
    ? waiting(`${plural(left, 'pod')} of ${action.workload} still stop.`, patience.leave)
    : done(`${action.workload} is ${action.to === 0 ? 'stopped' : `at ${action.to}`}.`)
}

const replicasPatch = ({ from, to }: Scale, live: LiveObject): unknown => ({
  metadata: {
    // A merge that carries a version is refused where somebody was faster.
    resourceVersion: textAt(live, 'metadata', 'resourceVersion'),
    annotations: { [REPLICAS_BEFORE]: to === 0 ? String(from) : null },
  },
  spec: { replicas: to },
})

const kindOf = ({ workload }: Scale): string => workload.split('/')[1] ?? ''

/** Whether a merge would change nothing. */
function isMerged(live: unknown, patch: unknown): boolean {
  if (typeof patch !== 'object' || patch === null) return (patch ?? undefined) === live
  const object = typeof live === 'object' && live !== null ? new Map<string, unknown>(Object.entries(live)) : new Map()
  return Object.entries(patch).every(([key, value]) => isMerged(object.get(key), value))
}

function* podsLeft({ workload }: Scale): Generator<Question, number, Answer> {
  const [namespace = '', , ...rest] = workload.split('/')
  const name = rest.join('/')
  const pods = yield { kind: 'objects', objects: { group: '', version: 'v1', resource: 'pods', namespace } }
  return pods.filter((pod) => {
    const own = textAt(pod, 'metadata', 'name')
    const phase = textAt(pod, 'status', 'phase')
    return own.startsWith(`${name}-`) && phase !== 'Succeeded' && phase !== 'Failed'
  }).length
}
