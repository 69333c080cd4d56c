import type { Instant } from '../../units.ts'
import { plainProfiles, sliceShare } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { onceFor } from '../../once-for.ts'
import { sum, type RecordedBucket, type RecordedWork } from '../../plan/recommend/recorded-work.ts'
import { eased, sizeLevel, sizeOptionsFor } from '../../plan/recommend/size-study.ts'
import { recordedClass } from './recorded-snapshot.ts'
import type { ShadowQuestion } from './shadow.ts'

/** One smaller profile for each pod, or fewer devices. */
export type WayToShrink = 'smaller' | 'fewer'

/** Share of the hours in which sustained compute may be exceeded: a twentieth, and some for rounding. */
const MOST_BUSY = 0.06

/**
 * Says at once of most work that it needs what it has, without asking the rule, which takes a thousand times as long: no
 * work that the rule would make smaller is held back here.
 */
export function sizeScreen(
  way: WayToShrink,
  rules: ShadowQuestion['rules'],
): (work: RecordedWork, now: Instant) => boolean {
  const needs = onceFor((bucket: RecordedBucket) => needsIn(bucket, way, rules))
  return (work, now) => {
    const seen = work.seenAt(now)
    const newest = seen.at(-1)
    if (newest?.end !== now || !canShrink(newest, way)) return false
    let [busy, measured] = [0, 0]
    for (let at = seen.length - 1; at >= 0 && busy <= MOST_BUSY * seen.length + 1; at -= 1) {
      const bucket = seen[at] ?? newest
      const { memory, compute, isKnown } = needs(bucket)
      if (memory) return false
      busy += Number(compute)
      measured += Number(isKnown)
    }
    return busy <= MOST_BUSY * measured + 1
  }
}

const canShrink = ({ rows }: RecordedBucket, way: WayToShrink): boolean =>
  way === 'smaller' ? boardFor(rows[0]?.model ?? '') !== undefined : rows.length > 1

/** Whether it used so much memory that nothing less holds it, and was busier than the largest of what is less should be for long. */
function needsIn({ rows }: RecordedBucket, way: WayToShrink, rules: ShadowQuestion['rules']) {
  const { memoryMargin, targetUtilization } = eased(sizeOptionsFor(sizeLevel(recordedClass(rows)), { policy: rules }))
  const isKnown = rows.some((row) => row.measured > 0)
  const busy = rows.map((row) => (row.busy ?? 0) * row.share)
  if (way === 'fewer') {
    const shares = rows.map(({ share }) => share)
    const left = sum(shares, (share) => share) - Math.min(...shares)
    return { memory: false, compute: rows.length > 1 && sum(busy, (each) => each) > left * targetUtilization, isKnown }
  }
  const [first] = rows
  const board = boardFor(first?.model ?? '')
  if (first === undefined || board === undefined) return { memory: false, compute: false, isKnown: false }
  const smaller = plainProfiles(board).filter(({ size }) => size < board.memorySlices)
  const most = Math.max(0, ...smaller.map((profile) => profile.memory ?? 0))
  const share = Math.min(first.share, Math.max(0, ...smaller.map((profile) => sliceShare(board, profile))))
  return {
    memory: rows.some(({ memoryPeak = 0 }) => memoryPeak * (1 + memoryMargin) > most),
    compute: busy.some((each) => each > share * targetUtilization),
    isKnown,
  }
}
