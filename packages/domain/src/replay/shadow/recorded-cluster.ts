import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import { oneRowEach } from '../../plan/recommend/one-row-each.ts'
import type { Instant } from '../../units.ts'
import { inOrder } from '../../plan/recommend/recorded-work.ts'

/** All rows of some GPUs by the moment at which their bucket ended; the same in whatever order they come. */
export class RecordedCluster {
  readonly #byEnd: ReadonlyMap<number, readonly UsageRow[]>

  constructor(rows: readonly UsageRow[]) {
    this.#byEnd = new Map([...Map.groupBy(rows, endOf)].map(([end, own]) => [end, oneRowEach(inOrder(own))]))
  }

  /** What was recorded of the bucket that ended at this moment; empty: nothing. */
  endingAt = (now: Instant): readonly UsageRow[] => this.#byEnd.get(now) ?? []
}

const endOf = ({ at, span }: UsageRow): number => at + SPAN_SECONDS[span] * 1000
