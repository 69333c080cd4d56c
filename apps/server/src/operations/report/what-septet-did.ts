import { HOUR_MS } from '@septet/domain'
import type { actionsList, OutputOf, Says, shadowGet } from '@septet/contract'
import { textOf } from '@septet/contract/says'
import { agree, plural } from '@septet/domain/words'

type Action = OutputOf<typeof actionsList>['actions'][number]

export type Did = {
  readonly says: string
  readonly would: string | null
  readonly actions: Action[]
}

type Asked = {
  readonly actions: readonly Action[]
  /** What was measured in the same time, in the ledger's own sentences. */
  readonly saved: Says
  /** A replay of the same time. */
  readonly shadow: Pick<OutputOf<typeof shadowGet>, 'state' | 'problem' | 'result'>
  /** Null: ever. */
  readonly window: { readonly from: string; readonly to: string } | null
}

/** What Septet did in a window, what that was measured to bring in it, and what it would have done by itself. */
export function whatSeptetDid({ actions, saved, shadow, window }: Asked): Did {
  // Texts of instants are all of one form, so they are in order as texts.
  const inTime = actions.filter(({ since }) => window === null || (since >= window.from && since <= window.to))
  return {
    says: [doneWords(inTime), textOf(saved, /^ledger\.\w+$/u)].join(' ').trim(),
    would: wouldWords(shadow, window),
    actions: inTime,
  }
}

/** What it comes to, of which time, and why there is nothing to say where there is not. */
function wouldWords({ state, problem, result }: Asked['shadow'], window: Asked['window']): string {
  if (result === null) {
    return state === 'failed' && problem !== null
      ? problem
      : 'The stored hours were still being replayed when this report was made. Create it again in a few minutes.'
  }
  const { recorded, says } = result
  // The first hour of a range is cut off where it is not whole.
  const isShort = recorded !== null && window !== null && Date.parse(recorded.from) - Date.parse(window.from) > HOUR_MS
  return isShort
    ? `${says} Earlier hours of this report are not stored, or lie before the last 40 days of it, which are replayed.`
    : says
}

/** Where actions came to, in the order in which a reader asks; what is not among these was changed by nobody. */
const ENDS: readonly (readonly [states: ReadonlySet<Action['state']>, one: string, many: string])[] = [
  [new Set(['kept', 'verified', 'applied']), 'change was applied', 'changes were applied'],
  [new Set(['reverting', 'reverted']), 'was reverted', 'were reverted'],
  [new Set(['failed']), 'failed', 'failed'],
  [new Set(['approved', 'checked', 'rehearsed', 'warned', 'applying']), 'is under way', 'are under way'],
  [new Set(['proposed', 'handed-over']), 'waits for a person', 'wait for a person'],
  [new Set(['rejected', 'expired', 'cancelled']), 'came to nothing', 'came to nothing'],
]

function doneWords(actions: readonly Action[]): string {
  const parts = ENDS.flatMap(([states, one, many]) => {
    const count = actions.filter(({ state }) => states.has(state)).length
    return count === 0 ? [] : [`${count} ${agree(count, one, many)}`]
  })
  return parts.length === 0
    ? 'Septet changed nothing in this time.'
    : `Of ${plural(actions.length, 'action')} ${parts.join(', ')}.`
}
