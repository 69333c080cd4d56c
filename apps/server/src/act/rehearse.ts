import { decideStep, type ActionRun } from '@septet/domain'

import type { Turn } from './act-parts.ts'
import { stepContext } from './step-context.ts'
import { writeOnce } from './work-step.ts'

type Rehearsed =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly because: string }
  /** A stop order, or another actor: what is left of it is not sent. */
  | { readonly kind: 'halted' }

/**
 * Sends the first write of every step as a dry run: what the API server would refuse is known before anything is changed.
 * What a step writes only once an earlier one is done cannot be tried so.
 */
export async function rehearse(turn: Turn, run: ActionRun): Promise<Rehearsed> {
  const context = {
    ...(await stepContext(turn, { run, isUndo: false, isRehearsal: true })),
    written: new Map<string, number>(),
  }
  for (const { number: step, action } of run.plan.steps) {
    // What a later step opens again is closed by then.
    const decision = await turn.hand.decide(decideStep(action, context))
    if (decision.kind === 'failed') return { kind: 'refused', because: `Step ${step}: ${decision.because}` }
    if (decision.kind !== 'write') continue
    const sent = await writeOnce(turn, { run, step, isUndo: false, isRehearsal: true }, decision)
    if (sent.kind === 'halted') return sent
    if (sent.kind === 'failed') return { kind: 'refused', because: `Step ${step}, ${sent.because}` }
  }
  return { kind: 'accepted' }
}
