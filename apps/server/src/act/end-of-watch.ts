import { instant, stateOf, type ActionRun, type ClusterSnapshot, type Instant } from '@septet/domain'

import { keptWords } from './left-to-others.ts'
import type { ActingMove } from './move.ts'
import type { WorkFound } from './work-setbacks.ts'

type Seen = {
  readonly now: Instant
  readonly snapshot: ClusterSnapshot | undefined
  /** Undefined where no metrics engine counts work. */
  readonly work: WorkFound | undefined
}

/**
 * What becomes of a change of which nothing got worse. Where nobody can tell how its work goes it is watched once more as
 * long; then it stays, and is called what it is: not verified.
 */
export function endOfWatch(run: ActionRun, { now, snapshot, work }: Seen): ActingMove | undefined {
  const [first, ...longer] = run.transitions.filter(({ state }) => state === 'verified')
  if (first?.until === undefined || now < first.until) return undefined
  if (work?.kind !== 'unknown') return { state: 'kept', because: keptWords(run, snapshot) }
  const { because, since } = work
  if (longer.length === 0) {
    return {
      state: 'verified',
      because: `It is unclear whether the work runs as before: ${because} Septet keeps monitoring.`,
      until: instant(now + (first.until - first.at)),
    }
  }
  return now < (stateOf(run).until ?? now)
    ? undefined
    : {
        state: 'kept',
        because: `Not verified: no metrics since ${dayAndMinute(since)}. ${because} Apart from its work nothing got worse.`,
      }
}

/** `2026-11-25 21:04 UTC` */
const dayAndMinute = (at: Instant): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
