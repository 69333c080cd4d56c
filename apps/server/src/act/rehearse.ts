import { decideStep, type ActionRun } from '@septet/domain'

import type { Turn } from './act-parts.ts'
import { stepContext } from './step-context.ts'

/**
 * Sends the first write of every step as a dry run: what the API server would refuse is known before anything is changed.
 * What a step writes only once an earlier one is done cannot be tried so. Undefined: nothing was refused.
 */
export async function rehearse(turn: Turn, run: ActionRun): Promise<string | undefined> {
  const { hand } = turn
  const context = {
    ...(await stepContext(turn, { run, isUndo: false, isRehearsal: true })),
    written: new Map<string, number>(),
  }
  for (const { number, action } of run.plan.steps) {
    // What a later step opens again is closed by then.
    const decision = await hand.decide(decideStep(action, context))
    if (decision.kind === 'failed') return `Step ${number}: ${decision.because}`
    if (decision.kind !== 'write') continue
    const outcome = await hand.rehearse(decision.write)
    if (outcome.kind === 'refused') return `Step ${number}, ${decision.says}: ${outcome.because}`
  }
  return undefined
}
