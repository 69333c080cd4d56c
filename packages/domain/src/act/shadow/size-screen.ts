import type { WorkloadClass } from '../../cluster/workload.ts'
import { plainProfiles, sliceShare } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { eased, levelOf, sizeOptionsFor } from '../../plan/recommend/right-size.ts'
import type { RightSizeOptions } from '../../plan/right-size/right-size-options.ts'
import type { Instant } from '../../units.ts'
import type { RecordedBucket, RecordedWork } from './recorded-work.ts'
import type { ShadowQuestion } from './shadow.ts'

export type SizeClass = 'right-size' | 'fewer-gpus'

/** Share of the hours in which sustained compute may be exceeded: a twentieth, and some for rounding. */
const MOST_BUSY = 0.06

/**
 * Says at once of most work that it needs what it has, without asking the rule, which takes a thousand times as long: no
 * work that the rule would make smaller is held back here. It looks at what `seenAt` of that moment holds.
 */
export function screenFor(
  work: RecordedWork,
  kind: SizeClass,
  rules: ShadowQuestion['rules'],
): (now: Instant) => boolean {
  const judge = kind === 'right-size' ? whyNotSmaller : whyNotFewer
  const known = work.buckets.map((bucket) => judge(bucket, optionsOf(bucket, rules)))
  const [kept, busy, measured] = (['kept', 'busy', 'measured'] as const).map((name) => sumsOf(known, name))
  return (now) => {
    const { from, to } = work.placesAt(now)
    const sum = (sums: readonly number[] | undefined): number => (sums?.[to] ?? 0) - (sums?.[from] ?? 0)
    const newest = known[to - 1]
    return (
      to > from &&
      work.buckets[to - 1]?.end === now &&
      newest?.isCandidate === true &&
      sum(kept) === 0 &&
      sum(busy) <= MOST_BUSY * sum(measured) + 1
    )
  }
}

type Seen = {
  /** Whether what is held is of a kind that could be made smaller. */
  readonly isCandidate: boolean
  /** 1: it used so much memory that nothing smaller holds it. */
  readonly kept: number
  /** 1: it was busier than the largest of what is smaller should be for long. */
  readonly busy: number
  /** 1: how busy it was is known. */
  readonly measured: number
}

const NOT_SEEN: Seen = { isCandidate: false, kept: 0, busy: 0, measured: 0 }

function optionsOf({ rows }: RecordedBucket, rules: ShadowQuestion['rules']): RightSizeOptions {
  const named = CLASSES.find((each) => each === rows[0]?.workloadClass)
  return eased(sizeOptionsFor(levelOf(named ?? 'unknown'), { policy: rules }))
}
const CLASSES: readonly WorkloadClass[] = ['training', 'inference', 'analytics', 'notebook']

function whyNotSmaller({ rows }: RecordedBucket, { memoryMargin, targetUtilization }: RightSizeOptions): Seen {
  const [first] = rows
  const board = boardFor(first?.model ?? '')
  if (first === undefined || board === undefined) return NOT_SEEN
  const smaller = plainProfiles(board).filter(({ size }) => size < board.memorySlices)
  const memory = Math.max(0, ...smaller.map((profile) => profile.memory ?? 0))
  const share = Math.min(first.share, Math.max(0, ...smaller.map((profile) => sliceShare(board, profile))))
  const peak = Math.max(0, ...rows.map(({ memoryPeak }) => memoryPeak ?? 0))
  const busy = Math.max(0, ...rows.map((row) => (row.busy ?? 0) * row.share))
  return {
    isCandidate: true,
    kept: Number(peak * (1 + memoryMargin) > memory),
    busy: Number(busy > share * targetUtilization),
    measured: Number(rows.some((row) => row.measured > 0)),
  }
}

function whyNotFewer({ rows }: RecordedBucket, { targetUtilization }: RightSizeOptions): Seen {
  const shares = rows.reduce((sum, { share }) => sum + share, 0)
  const least = rows.reduce((min, { share }) => Math.min(min, share), 1)
  const busy = rows.reduce((sum, row) => sum + (row.busy ?? 0) * row.share, 0)
  return {
    isCandidate: rows.length > 1,
    kept: 0,
    busy: Number(rows.length > 1 && busy > (shares - least) * targetUtilization),
    measured: Number(rows.some((row) => row.measured > 0)),
  }
}

/** How much of it there was before each bucket, and in all. */
function sumsOf(known: readonly Seen[], name: 'kept' | 'busy' | 'measured'): readonly number[] {
  const sums = [0]
  for (const seen of known) sums.push((sums.at(-1) ?? 0) + seen[name])
  return sums
}
