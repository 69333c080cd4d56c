import {
  AccessRefused,
  instant,
  judgeRun,
  lookAtObjects,
  passesByItself,
  stateOf,
  whyHandedOver,
  type ActionRun,
  type Approval,
  type ClusterSnapshot,
  type Instant,
} from '@septet/domain'

import { planDigest } from '../plan-digest.ts'
import type { ActingTurn } from './act-parts.ts'
import type { ActingMove } from './move.ts'
import { rightsWords } from './hand.ts'
import { approvalOf, questionOf } from './question.ts'

/** Whether the plan that was approved still holds on the cluster as it is now; undefined while nothing new can be told. */
export async function judgeAgain(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  if (planDigest(run.plan) !== run.digest) {
    return { state: 'failed', because: 'Nothing was changed: the plan that is kept is not the one that was approved.' }
  }
  const snapshot = turn.snapshot()
  if (snapshot === undefined) return undefined
  const approval = await approvalOf(turn, run)
  const known = judgeRun(await questionOf(turn, run, { snapshot, approval, objects: [] }))
  const refusals = known.length > 0 ? known : await judgeByObjects(turn, run, { snapshot, approval })
  const lasting = refusals.filter((refusal) => !passesByItself(refusal))
  if (lasting.length > 0 && lasting.every(({ code }) => code === 'gitops-object')) {
    return handedOver(turn.clock(), wordsOf(lasting))
  }
  if (lasting.length > 0) return { state: 'failed', because: `Nothing was changed: ${wordsOf(lasting)}` }
  const others = refusals.length === 0 ? whyHandedOver(run.plan) : undefined
  if (others !== undefined) return handedOver(turn.clock(), others)
  if (refusals.length === 0) return { state: 'checked', because: 'The plan is still valid and passes every guardrail.' }
  return waiting(run, `Waiting: ${wordsOf(refusals)}`)
}

/** A pull request may lie for some days, milliseconds. */
const HANDED_MS = 7 * 86_400_000

const handedOver = (now: Instant, because: string): ActingMove => ({
  state: 'handed-over',
  because: `${because} Download its directory and apply what it says: Septet notices, verifies and measures it.`,
  until: instant(now + HANDED_MS),
})

/** The cluster is asked last, once nothing else speaks against it. */
async function judgeByObjects(
  turn: ActingTurn,
  run: ActionRun,
  of: { readonly snapshot: ClusterSnapshot; readonly approval: Approval | undefined },
): Promise<ReturnType<typeof judgeRun>> {
  try {
    const objects = await turn.hand.look(lookAtObjects(run.plan, of.snapshot))
    return judgeRun(await questionOf(turn, run, { ...of, objects }))
  } catch (error) {
    if (!(error instanceof AccessRefused)) throw error
    return [{ kind: 'refuse', code: 'rights', because: rightsWords(error) }]
  }
}

const wordsOf = (refusals: readonly { readonly because: string }[]): string =>
  refusals.map(({ because }) => because).join(' ')

const gist = (text: string): string => text.replaceAll(/\d+/gu, '')

/** Said once for each reason, not again each time that a number in it moves. */
function waiting(run: ActionRun, because: string): ActingMove | undefined {
  const { state, because: said, until } = stateOf(run)
  if (gist(said) === gist(because)) return undefined
  return { state, because, ...(until === undefined ? {} : { until }) }
}
