import { randomUUID } from 'node:crypto'

import { classOf, instant, type ActionRun, type RunAdvice, type Instant, type Transition } from '@septet/domain'

import { planDigest } from './plan-digest.ts'

/** A run that somebody proposes, from advice as it is now. */
export function newRun(
  advice: RunAdvice,
  {
    by,
    proposer,
    now,
    holdsMs,
  }: {
    readonly by: Pick<Transition, 'by' | 'caller' | 'party'>
    readonly proposer: ActionRun['proposer']
    readonly now: Instant
    readonly holdsMs: number
  },
): ActionRun {
  const { plan, kind, cluster, object, title } = advice
  return {
    id: `action-${randomUUID().slice(0, 8)}`,
    cluster,
    class: classOf({ class: kind, plan }),
    object,
    title,
    recommendation: advice,
    plan,
    digest: planDigest(plan),
    proposedAt: now,
    proposedBy: by.by,
    proposer,
    transitions: [
      { ...by, number: 1, at: now, state: 'proposed', because: advice.message, until: instant(now + holdsMs) },
    ],
  }
}
