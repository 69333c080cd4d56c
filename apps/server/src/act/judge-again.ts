import { judgeRun, passesByItself, stateOf, type ActionRun, type Transition } from '@septet/domain'

import { planDigest } from '../plan-digest.ts'
import type { Turn } from './act-parts.ts'
import { approvalOf, questionOf } from './question.ts'

type Verdict = Pick<Transition, 'state' | 'because' | 'until'>

/** Whether the plan that was approved still holds on the cluster as it is now; undefined while nothing new can be told. */
export async function judgeAgain(turn: Turn, run: ActionRun): Promise<Verdict | undefined> {
  if (planDigest(run.plan) !== run.digest) {
    return { state: 'failed', because: 'Nothing was changed: the plan that is kept is not the one that was approved.' }
  }
  const snapshot = turn.snapshot()
  if (snapshot === undefined) return undefined
  const approval = approvalOf(run)
  const refusals = judgeRun(await questionOf(turn, run, { snapshot, approval, objects: [] }))
  const lasting = refusals.filter((refusal) => !passesByItself(refusal))
  if (lasting.length > 0) return { state: 'failed', because: `Nothing was changed: ${wordsOf(lasting)}` }
  if (refusals.length === 0)
    return { state: 'checked', because: 'The plan still holds, and no rule speaks against it.' }
  return waiting(run, `It waits: ${wordsOf(refusals)}`)
}

const wordsOf = (refusals: readonly { readonly because: string }[]): string =>
  refusals.map(({ because }) => because).join(' ')

const gist = (text: string): string => text.replaceAll(/\d+/gu, '')

/** Said once for each reason, not again each time that a number in it moves. */
function waiting(run: ActionRun, because: string): Verdict | undefined {
  const { state, because: said, until } = stateOf(run)
  if (gist(said) === gist(because)) return undefined
  return { state, because, ...(until === undefined ? {} : { until }) }
}
