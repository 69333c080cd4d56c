import { checkPlan, SHOWN_POLICY, type ActionRun, type RunState } from '@septet/domain'

import type { Turn } from './act-parts.ts'
import { planDigest } from '../plan-digest.ts'

/** A reading older than this is not acted on, milliseconds. */
const FRESH_MS = 60_000

/** Whether the plan that was approved still holds on the cluster as it is now; undefined while that cannot be told. */
export async function judgeAgain(
  turn: Turn,
  run: ActionRun,
): Promise<{ readonly state: RunState; readonly because: string } | undefined> {
  if (planDigest(run.plan) !== run.digest) {
    return { state: 'failed', because: 'Nothing was changed: the plan that is kept is not the one that was approved.' }
  }
  const snapshot = turn.snapshot()
  if (snapshot === undefined || turn.clock() - snapshot.takenAt > FRESH_MS) return undefined
  const verdict = checkPlan(snapshot, run.plan, SHOWN_POLICY)
  return verdict.kind === 'executable'
    ? { state: 'checked', because: 'The plan still holds.' }
    : { state: 'failed', because: `Nothing was changed: step ${verdict.step} no longer holds. ${verdict.because}` }
}
