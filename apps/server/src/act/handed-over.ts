import { decideStep, instant, stateOf, unverified, wasHandedOver, type Action, type ActionRun } from '@septet/domain'

import type { Turn } from './act-parts.ts'
import type { Move } from './move.ts'
import { stepContext } from './step-context.ts'

/** Looks whether somebody has made the change that Septet leaves to them; nothing is written. */
export async function awaitOthers(turn: Turn, run: ActionRun): Promise<Move | undefined> {
  const { until } = stateOf(run)
  if (until !== undefined && turn.clock() >= until) {
    return {
      state: 'expired',
      because: 'It was not applied in time, and the cluster may have changed since. Propose it again.',
    }
  }
  if (!turn.mayLook(run.id) || !(await isThere(turn, run))) return undefined
  return { state: 'applied', because: 'Someone applied the change; Septet is verifying it.' }
}

/** Devices are told by the newest reading, and work by its live object: what is wanted is there, whoever did it. */
async function isThere(turn: Turn, run: ActionRun): Promise<boolean> {
  const { plan } = run
  const snapshot = turn.snapshot()
  if (snapshot === undefined || unverified(plan, snapshot, instant(0)) !== undefined) return false
  const context = {
    ...(await stepContext(turn, { run, isUndo: false })),
    written: new Map<string, number>(),
    plannedAt: plan.madeFrom,
  }
  for (const { action } of plan.steps) {
    if (WORK.has(action.kind) && (await turn.hand.decide(decideStep(action, context))).kind !== 'done') return false
  }
  return true
}

const WORK: ReadonlySet<Action['kind']> = new Set(['scale', 'resize', 'create-instance', 'delete-instance'])

/** What others have made is theirs to take back; undefined where Septet made it. */
export const notTakenBack = (run: ActionRun, because: string): Move | undefined =>
  wasHandedOver(run)
    ? {
        state: 'failed',
        because: `${because} Septet did not make this change, so it does not revert it: the rollback is under undo/ in its directory.`,
      }
    : undefined
