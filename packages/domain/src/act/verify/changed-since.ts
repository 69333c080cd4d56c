import type { Action, Plan } from '../../plan/words/action.ts'
import { stepRequestWords } from '../../plan/steps/step-words.ts'
import { liveNumberAt, textAt } from '../live-object.ts'
import { asksFor, gpuAsksOf, RESIZABLE, resizableOf, resourcesOf, type Resize } from '../owners/gpu-asks.ts'
import { STOPPABLE, stoppableOf } from '../owners/stop-write.ts'
import { seeing, type Ruled, type StepAsk } from '../decide/decision.ts'
import { nodeRef } from '../decide/node-steps.ts'
import { MIG_CONFIG } from '../decide/repartition-step.ts'
import { scaleWrite } from '../decide/scale-step.ts'
import { configFor, PLUGIN_CONFIG } from '../decide/share-step.ts'
import { topObject } from '../decide/top-object.ts'

/** What somebody else has set since; `isGone`: what the plan changed is no longer so. */
export type ChangedSince = { readonly because: string; readonly isGone: boolean }

type Looking = Generator<StepAsk, ChangedSince | undefined, Ruled>

/**
 * What of a plan that was carried out somebody has changed since, by the live objects themselves; undefined: nothing. A layout
 * may be the same under another name, so that a label alone does not say that it is gone.
 */
export function* changedSince({ steps }: Pick<Plan, 'steps'>): Looking {
  for (const { action } of steps) {
    const found = yield* lookAt(action)
    if (found !== undefined) return found
  }
  return undefined
}

function* lookAt(action: Action): Looking {
  if (action.kind === 'scale') return yield* atScale(action)
  if (action.kind === 'resize') return yield* atResize(action)
  if (action.kind === 'repartition') return yield* atLabel(action.node, MIG_CONFIG, () => action.config)
  if (action.kind === 'share' && action.to.kind !== 'none') {
    return yield* atLabel(action.node, PLUGIN_CONFIG, (node) => configFor(action.to, node).key)
  }
  return undefined
}

function* atScale(action: Extract<Action, { readonly kind: 'scale' }>): Looking {
  const { workload, from, to } = action
  const named = stoppableOf(workload)
  const target = named === undefined ? undefined : yield* topObject(named, STOPPABLE)
  if (target === undefined) return undefined
  const [{ kind }, isSwitch] = [scaleWrite(action, target), Math.min(from, to) === 0]
  if (kind === 'done' || (kind === 'refused' && isSwitch)) return undefined
  if (isSwitch) return gone(`Someone ${to === 0 ? 'started' : 'stopped'} ${workload} again.`)
  return gone(`Someone set the replicas of ${workload} to ${liveNumberAt(target.live, 'spec', 'replicas') ?? 1} since.`)
}

function* atResize(action: Resize): Looking {
  const named = resizableOf(action.workload)
  const target = named === undefined ? undefined : yield* topObject(named, RESIZABLE)
  if (target === undefined) return undefined
  const resources = resourcesOf(action)
  const asks = gpuAsksOf(target.kind, target.live, resources)
  return typeof asks === 'string' || asksFor(asks, action.to, resources)
    ? undefined
    : gone(`Someone changed ${action.workload} since: its pods no longer ask for ${stepRequestWords(action.to)}.`)
}

function* atLabel(name: string, label: string, wanted: (node: LiveNode) => string): Looking {
  const node = yield* seeing(nodeRef(name))
  const now = textAt(node, 'metadata', 'labels', label)
  if (node === undefined || now === wanted(node)) return undefined
  return { because: `Someone set ${label} of ${name} to "${now}" since.`, isGone: false }
}

type LiveNode = Parameters<typeof configFor>[1]

const gone = (because: string): ChangedSince => ({ because, isGone: true })
