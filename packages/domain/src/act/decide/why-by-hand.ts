import type { Action, Plan } from '../../plan/words/action.ts'
import { resizableOf } from '../owners/gpu-asks.ts'
import { stoppableOf, type StoppableKind } from '../owners/stop-write.ts'
import { DONE_STATES, LEFT_TO_CLAIMS } from './decide-step.ts'
import { whyNotResized } from './resize-step.ts'

/** Why Septet does not carry out a plan itself, in words that say what to do; undefined where it may well do so. */
export function whyByHand({ steps, refused }: Pick<Plan, 'steps' | 'refused'>): string | undefined {
  if (steps.length === 0) return refused[0]?.message ?? 'There is no step to apply.'
  return steps.map(({ action }) => whyNotCarriedOut(action)).find((because) => because !== undefined)
}

function whyNotCarriedOut(action: Action): string | undefined {
  if (!DONE_STATES.has(action.kind) && !LEFT_TO_CLAIMS.has(action.kind)) {
    return 'Septet does not apply this kind of change: apply it by hand from the files of the plan.'
  }
  if (action.kind === 'resize') return resizableOf(action.workload) === undefined ? whyNotResized(action) : undefined
  return action.kind === 'scale' ? whyNotScaled(action) : undefined
}

function whyNotScaled({ workload, from, to }: Extract<Action, { readonly kind: 'scale' }>): string | undefined {
  const [, kind = ''] = workload.split('/')
  const known = stoppableOf(workload)?.kind
  if (known === undefined) return `Septet does not stop or scale a ${kind}: change ${workload} in its own source.`
  if (from === 0 || to === 0 || SCALED.has(known)) return undefined
  return `A ${kind} has no number of replicas: change how many pods ${workload} has in its own source.`
}

const SCALED: ReadonlySet<StoppableKind> = new Set(['Deployment', 'StatefulSet', 'LeaderWorkerSet'])

/** Why others apply a plan although Septet may act; undefined where it does so itself. */
export const whyHandedOver = ({ steps }: Pick<Plan, 'steps'>): string | undefined =>
  steps.some(({ action }) => LEFT_TO_CLAIMS.has(action.kind))
    ? 'A DRA driver makes and removes instances when claims are prepared and released, so Septet writes nothing there.'
    : undefined
