import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import type { Window } from '../../units.ts'

/** Rows that end earlier than this before now do not show what it does now. */
const FRESH_MS = 6 * 3_600_000

/** Whether the newest measured row reaches to within some hours of now: what it did before that, it may not do now. */
export const isFresh = (rows: readonly UsageRow[], { window }: { readonly window: Window }): boolean =>
  rows.some(({ at, span, measured }) => measured > 0 && at + SPAN_SECONDS[span] * 1000 >= window.to - FRESH_MS)
