import { stepRequestWords } from '../../plan/steps/step-words.ts'
import { liveNumberAt, textAt, valueAt } from '../live-object.ts'
import type { LiveObject } from '../cluster-writer.ts'
import {
  asksFor,
  gpuAsksOf,
  RESIZABLE,
  resizableOf,
  resourcesOf,
  type GpuAsk,
  type Resize,
  type ResizeTarget,
} from '../owners/gpu-asks.ts'
import { resizeWrite } from '../owners/resize-write.ts'
import { topObject } from './top-object.ts'
import { done, failed, type Deciding, type StepContext } from './decision.ts'
import { whyLeftAlone } from './left-alone.ts'
import { decideRollout, replacedPods } from './rollout.ts'

/** Gives the pods of a workload another size by its template, and watches until they run with it. */
export function* decideResize(action: Resize, context: StepContext): Deciding {
  const named = resizableOf(action.workload)
  if (named === undefined) return failed(whyNotResized(action))
  const target = yield* topObject(named, RESIZABLE)
  if (target === undefined) return failed(`${action.workload} is no longer in the cluster.`)
  const { live } = target
  const resources = resourcesOf(action)
  const asks = gpuAsksOf(target.kind, live, resources)
  if (typeof asks === 'string') return failed(asks)
  if (asksFor(asks, action.to, resources)) return yield* decideRollout({ action, target, live, asks }, context)
  if (!asksFor(asks, action.from, resources)) {
    // On the way back what somebody has set since stays.
    return (context.isUndo ? done : failed)(theirsWords(action))
  }
  if (context.written.has('resize')) {
    const again = `Someone set what the pods of ${action.workload} ask for back meanwhile, and Septet does not change it again.`
    return (context.isUndo ? done : failed)(again)
  }
  return yield* resized(action, { target, live, asks }, context)
}

function* resized(action: Resize, { target, live, asks }: Asking, context: StepContext): Deciding {
  const because = whyNotNow({ target, live }, context)
  if (because !== undefined) return failed(because)
  const isRolledOut = whyNotRolledOut(target, live) === undefined
  const stops = context.isUndo && isRolledOut ? yield* replacedPods({ action, target, live, asks }) : []
  return {
    kind: 'write',
    key: 'resize',
    says: `Give each pod of ${action.workload} ${stepRequestWords(action.to)} instead of ${stepRequestWords(action.from)}`,
    write: resizeWrite({ object: target.object, live }, asks, {
      run: context.run,
      isUndo: context.isUndo,
      to: action.to,
      resources: resourcesOf(action),
    }),
    ...(context.isUndo ? { stops } : {}),
  }
}

/** Why pods of this kind get no other size by a step of Septet, and what to do. */
export function whyNotResized({ workload, to }: Pick<Resize, 'workload' | 'to'>): string {
  const [, kind = ''] = workload.split('/')
  const kept = KEPT[kind]
  if (kept !== undefined) {
    return `${kept} Set ${stepRequestWords(to)} for ${workload} in its own source, at a moment when it may start again from its last checkpoint.`
  }
  return FIXED.has(kind)
    ? `What the pods of a ${kind} request cannot be changed after creation. Recreate ${workload} from its own source with ${stepRequestWords(to)}; work starts from its last checkpoint.`
    : `Septet does not change what the pods of a ${kind} ask for. Set ${stepRequestWords(to)} for ${workload} in its own source.`
}

/** Kinds that take another template and go on with the pods that they have, so that only a restart as a whole brings it about. */
const KEPT: Readonly<Record<string, string>> = {
  // ray-project/kuberay issues 787 and 4051; spec.upgradeStrategy is there since KubeRay 1.6 (pull request 4185).
  RayCluster:
    'KubeRay takes another template of a worker group and keeps the pods that run. With spec.upgradeStrategy Recreate it ends all of them at once, the head with the state of the cluster among them; else a worker gets the new size when it is deleted, and tasks and actors there are lost.',
  // kubeflow/trainer pull request 1859: suspending removes the pods; they are counted, not compared with the template.
  PyTorchJob:
    'The training operator takes another template of a PyTorchJob and keeps the pods that run: they ask for something else only after the job was suspended (runPolicy.suspend) and resumed, which stops every rank of it.',
}

/** The API server refuses another template of these. */
const FIXED: ReadonlySet<string> = new Set(['Job', 'JobSet', 'Pod'])

const theirsWords = ({ workload, from }: Resize): string =>
  `What the pods of ${workload} ask for is neither ${stepRequestWords(from)}, as the plan was made for, nor what it wants. Someone changed it since.`

type Found = { readonly target: ResizeTarget; readonly live: LiveObject }
type Asking = Found & { readonly asks: readonly GpuAsk[] }

function whyNotNow({ target, live }: Found, context: StepContext): string | undefined {
  const alone = whyLeftAlone(live, context)
  if (alone !== undefined) return alone
  // On the way back the template has to be right whatever becomes of the pods.
  return context.isUndo ? undefined : whyNotRolledOut(target, live)
}

/** Settings by which a changed template makes no new pods. */
function whyNotRolledOut({ kind, object: { name } }: ResizeTarget, live: LiveObject): string | undefined {
  if (kind === 'Deployment' && valueAt(live, 'spec', 'paused') === true) {
    return `The rollout of Deployment ${name} is paused, so no pod would be replaced. Resume it first: kubectl rollout resume deployment/${name}.`
  }
  if (kind !== 'StatefulSet') return undefined
  if (textAt(live, 'spec', 'updateStrategy', 'type') === 'OnDelete') {
    return `StatefulSet ${name} replaces its pods only when they are deleted by hand (updateStrategy OnDelete), so its owner has to change their size.`
  }
  const partition = liveNumberAt(live, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0
  return partition > 0
    ? `StatefulSet ${name} keeps its first ${partition} pods as they are (updateStrategy.rollingUpdate.partition), so its owner has to change their size.`
    : undefined
}
