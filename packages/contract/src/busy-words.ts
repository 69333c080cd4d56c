import { percent } from '@septet/domain/words'

import type { costBreakdown } from './schemas/cost.ts'
import type { OutputOf } from './operation.ts'

type Busy = Pick<OutputOf<typeof costBreakdown>['groups'][number], 'busy' | 'coverage'>

/** How busy what a group held was: "18.0%", "18.0% (71.0% measured)"; "not measured" and "nothing held" are not 0. */
export function busyWords({ busy, coverage }: Busy): string {
  if (coverage === null) return 'nothing held'
  if (busy === null) return 'not measured'
  const measured = percent(coverage)
  return measured === percent(1) ? percent(busy) : `${percent(busy)} (${measured} measured)`
}
