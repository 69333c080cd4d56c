import type { Workload } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import { type Kept, kept } from './kept.ts'
import type { RecommendContext } from './recommend-context.ts'

/**
 * What a rule says of each workload that holds something, by id, where it has something to say. Of work on a GPU that is not sound it is not asked: that may
 * hang rather than idle, and what is measured there says little.
 */
export const judgeHolders = <Said>(
  context: RecommendContext,
  judge: (workload: Workload, context: RecommendContext) => Said | undefined,
): ReadonlyArray<Said | Kept> =>
  [...context.held]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([id, parts]): Array<Said | Kept> => {
      const workload = context.workloads.get(id)
      if (workload === undefined) return []
      const [fault] = parts.flatMap(({ gpu }) => context.faulty.get(gpu) ?? [])
      if (fault !== undefined) return [kept(id, 'faulty-gpu', fault)]
      const said = judge(workload, context)
      return said === undefined ? [] : [said]
    })
