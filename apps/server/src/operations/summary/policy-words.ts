import { percent } from '@septet/domain/words'
import type { AnalysisPolicy, Window } from '@septet/domain'

/**
 * What counts as idle, as it stands in the explanation of every idle number. Where the limit was changed within the
 * window, it says from when on it holds: what was judged before keeps the limit of its time.
 */
export function idleWords({ idle }: AnalysisPolicy, window: Window): string {
  const rule = `busy ≤ ${percent(idle.threshold)} for ≥ ${idle.minimum / 60} min in a row`
  if (idle.since === undefined || idle.since <= window.from) return rule
  return `${rule} (since ${new Date(idle.since).toISOString().slice(0, 16).replace('T', ' ')} UTC; before, by the limit of that time)`
}
