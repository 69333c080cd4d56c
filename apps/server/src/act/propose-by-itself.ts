import {
  classOf,
  instant,
  modeOf,
  OPEN_STATES,
  outlookOf,
  stateOf,
  wasAutomatic,
  whyByHand,
  type ActionRun,
  type ActPolicy,
  type ClusterSnapshot,
  type Recommendation,
} from '@septet/domain'

import { advisedRun } from '../new-run.ts'
import type { ActParts } from './act-parts.ts'
import type { History } from './history.ts'
import { refusalsOf } from './judge-again.ts'

/** So many are judged at a look: on a large cluster they take a second together, and readings wait meanwhile. */
const AT_A_LOOK = 60

type ProposingParts = ActParts & { readonly history: History }

/**
 * Proposes and approves what is on auto, of each class one action after the other: the next once the one before is judged
 * fit, so that it counts against the limits. Goes on where the look before ended, and tells where that is now.
 */
export async function proposeByItself(parts: ProposingParts, from: number): Promise<number> {
  const { store, cluster, log } = parts
  const snapshot = parts.snapshot()
  const policy = await parts.policy()
  if (snapshot === undefined || policy.auto.classes.length === 0 || (await store.stops()).length > 0) return from
  const advised = (await parts.advised()).filter((advice) => isOnAuto(advice, policy))
  if (advised.length === 0) return 0
  const open = await store.list({ cluster, states: OPEN_STATES, limit: 1000 })
  const begin = from < advised.length ? from : 0
  const waiting = new Set(open.filter(isApprovedByItself).map(classOf))
  for (const advice of advised.slice(begin, begin + AT_A_LOOK)) {
    const kind = classOf({ class: advice.kind, plan: advice.plan })
    if (waiting.has(kind) || open.some((run) => run.object === advice.object)) continue
    const isUp = await decideOn(parts, advice, { snapshot, policy }).catch((error: unknown) => {
      log.warn('a recommendation could not be decided on and is retried', { cluster, error: String(error) })
      return false
    })
    if (isUp) waiting.add(kind)
  }
  return begin + AT_A_LOOK
}

const isApprovedByItself = (run: ActionRun): boolean => wasAutomatic(run) && stateOf(run).state === 'approved'

const isOnAuto = ({ kind, plan }: Recommendation, policy: ActPolicy): boolean =>
  whyByHand(plan) === undefined && modeOf(policy, classOf({ class: kind, plan })) === 'auto'

/** Whether it was put up and approved. */
async function decideOn(
  parts: ProposingParts,
  advice: Recommendation,
  { snapshot, policy }: { readonly snapshot: ClusterSnapshot; readonly policy: ActPolicy },
): Promise<boolean> {
  const { store, clock, history } = parts
  const now = clock()
  const run = advisedRun(advice, {
    by: { by: 'septet' },
    proposer: 'septet',
    now,
    holdsMs: policy.approvalHolds * 1000,
  })
  const approval = { ...SEPTET, digest: run.digest, at: now }
  const { refused, waits } = outlookOf(await refusalsOf(parts, run, { snapshot, approval, moment: 'start' }))
  if (refused !== undefined || waits !== undefined || !(await store.propose(run))) return false
  const until = instant(now + policy.approvalHolds * 1000)
  const approved = await store.advance(run.id, {
    number: 2,
    at: now,
    state: 'approved',
    by: 'septet',
    because: 'This class is on auto on this cluster, and the plan passes every guardrail.',
    until,
  })
  if (approved !== undefined) history.moved(approved)
  return true
}

const SEPTET = { kind: 'septet', name: 'septet', party: undefined, role: undefined } as const
