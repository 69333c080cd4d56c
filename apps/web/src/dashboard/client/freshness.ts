import type { Answer } from '../../api.ts'

/** Exporters report every 30 s and Septet reads every minute at most; five minutes without news is not normal. */
const STALE_AFTER = 5 * 60_000

/** Whether the newest data is too old to pass for now. Sample data has no age. */
export function isStale(summary: Pick<Answer<'summaryGet'>, 'asOf' | 'source'> | undefined, now: number): boolean {
  if (summary?.asOf == null || summary.source.kind === 'sample') return false
  return now - new Date(summary.asOf).getTime() > STALE_AFTER
}
