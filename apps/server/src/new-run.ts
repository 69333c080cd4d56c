import { randomUUID } from 'node:crypto'

import { classOf, instant, type ActionRun, type Recommendation, type Instant, type Transition } from '@septet/domain'

import { planDigest } from './content-digest.ts'

type How = {
  readonly by: Pick<Transition, 'by' | 'caller' | 'party'>
  readonly proposer: ActionRun['proposer']
  readonly now: Instant
  readonly holdsMs: number
}

/** A run that somebody proposes, from a recommendation as it is now. */
export const advisedRun = (recommendation: Recommendation, how: How): ActionRun =>
  newRun({ ...recommendation, class: recommendation.kind, cause: { kind: 'advice', recommendation } }, how)

type Proposed = Pick<ActionRun, 'class' | 'object' | 'title' | 'plan' | 'cause'> & { readonly message: string }

/** A run that somebody proposes; `message` says why, in a sentence or two. */
export function newRun(
  { class: proposed, object, title, plan, cause, message }: Proposed,
  { by, proposer, now, holdsMs }: How,
): ActionRun {
  return {
    id: `action-${randomUUID().slice(0, 8)}`,
    cluster: plan.cluster,
    class: classOf({ class: proposed, plan }),
    object,
    title,
    cause,
    plan,
    digest: planDigest(plan),
    proposedAt: now,
    proposedBy: by.by,
    proposer,
    transitions: [{ ...by, number: 1, at: now, state: 'proposed', because: message, until: instant(now + holdsMs) }],
  }
}
