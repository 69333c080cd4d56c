import type { Action } from '../../plan/words/action.ts'
import { stepsByKind } from '../../plan/words/by-kind.ts'
import { failed, waiting, type Deciding, type StepContext } from './decision.ts'
import { decideInstance } from './instance-step.ts'
import { decideCordon, decideEvict, decideUncordon } from './node-steps.ts'
import { decideKeepFree } from './keep-free-step.ts'
import { decideRemoveNode, END_MACHINE } from './remove-step.ts'
import { decideRepartition } from './repartition-step.ts'
import { decideResize } from './resize-step.ts'
import { decideScale } from './scale-step.ts'
import { decideShare } from './share-step.ts'

/** What to do next about one action of a plan. */
export const decideStep = (action: Action, context: StepContext): Deciding =>
  unlessInUse(decidedBy(action, context), action, context)

const decidedBy = (action: Action, context: StepContext): Deciding =>
  stepsByKind<Action, Deciding>(action, {
    cordon: ({ node }) => decideCordon(node, context),
    uncordon: (opened) => decideUncordon(opened, context),
    evict: (evicted) => decideEvict(evicted, context),
    repartition: (cut) => decideRepartition(cut, context),
    scale: (scaled) => decideScale(scaled, context),
    'create-instance': (made) => decideInstance(made, context),
    'delete-instance': (removed) => decideInstance(removed, context),
    resize: (resized) => decideResize(resized, context),
    share: (shared) => decideShare(shared, context),
    'remove-node': (removed) => decideRemoveNode(removed, context),
    reschedule: byHand,
    'keep-free': (kept) => decideKeepFree(kept, context),
  })

/**
 * The write that cuts GPUs, shares them or ends their machine waits while something is seen to use them that no pod is known
 * to hold: it may have come since the plan was approved, or whoever was evicted may not be gone yet.
 */
function* unlessInUse(deciding: Deciding, action: Action, { isUndo, inUse, patience }: StepContext): Deciding {
  const decision = yield* deciding
  if (isUndo || decision.kind !== 'write' || !ENDS_USE.has(decision.key)) return decision
  const because = inUse(action)
  return because === undefined ? decision : waiting(because, patience.settle)
}
const ENDS_USE: ReadonlySet<string> = new Set(['label', END_MACHINE])

/** Kinds of action that Septet carries out itself; the others are applied from their files. */
export const DONE_STATES: ReadonlySet<Action['kind']> = new Set([
  'cordon',
  'uncordon',
  'evict',
  'repartition',
  'resize',
  'scale',
  'remove-node',
  'share',
  'keep-free',
])

/** Made and removed by a DRA driver when claims are prepared and released: somebody applies the claims, and Septet looks on. */
export const LEFT_TO_CLAIMS: ReadonlySet<Action['kind']> = new Set(['create-instance', 'delete-instance'])

// A generator that asks nothing.
// eslint-disable-next-line require-yield
function* byHand(): Deciding {
  return failed('Septet does not apply this step. Apply it by hand from the files of the plan.')
}
