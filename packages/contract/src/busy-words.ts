import { type CostGroup, heldOf } from '@septet/domain'
import { percent } from '@septet/domain/words'

import type { costBreakdown } from './schemas/cost.ts'
import type { OutputOf } from './operation.ts'

type Busy = Pick<OutputOf<typeof costBreakdown>['groups'][number], 'busy' | 'coverage' | 'unmeasuredShare'>

/** How busy what a group held was, as every face tells it: of nothing, no share was measured and none was not. */
export function busyOf({ cost, busyOfAllocated }: Pick<CostGroup, 'cost' | 'busyOfAllocated'>): Busy {
  const coverage = heldOf(cost.hours) > 0 ? busyOfAllocated.coverage : null
  const busy = busyOfAllocated.kind === 'known' ? busyOfAllocated.value : null
  return { busy, coverage, unmeasuredShare: coverage === null ? null : 1 - coverage }
}

/** "18.0%", "18.0% (71.0% measured)"; "not measured" and "nothing held" are not 0. */
export function busyWords({ busy, coverage }: Omit<Busy, 'unmeasuredShare'>): string {
  if (busy === null) return coverage === null ? 'nothing held' : 'not measured'
  const measured = measuredWords({ coverage })
  return measured === percent(1) ? percent(busy) : `${percent(busy)} (${measured} measured)`
}

/** Which share of what it held was measured, where it stands apart from the busy share; empty where nothing was held. */
export const measuredWords = ({ coverage }: Pick<Busy, 'coverage'>): string =>
  coverage === null ? '' : percent(coverage)

/** The busy share alone, beside a column of what was measured. */
export const busyAlone = ({ busy, coverage }: Omit<Busy, 'unmeasuredShare'>): string =>
  busyWords({ busy, coverage: coverage && 1 })
