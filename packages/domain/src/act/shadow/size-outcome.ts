import { type GpuPart, partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import { profileOf, sliceShare } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { IDLE_SHARE } from '../../plan/recommend/idle-stretch.ts'
import { memoryOfDevice } from '../../plan/recommend/memory-of-device.ts'
import { type Instant, ratio, HOUR_MS } from '../../units.ts'
import type { RecordedBucket } from './recorded-work.ts'
import type { ShadowOutcome } from './shadow.ts'
import { outcomeAmounts, followed, gapHours, outcomeLength, type Told } from './shadow-outcome.ts'
import type { Advised, After } from './shadow-rule.ts'

/** What work would have had left. */
type Left = {
  /** What one of its devices was. */
  readonly part: Pick<GpuPart, 'model' | 'profile' | 'share'>
  /** Why what it did in a bucket is more than that; undefined where it is not. */
  readonly exceeds: (rows: readonly UsageRow[]) => 'too-little-memory' | 'too-little-compute' | undefined
  /** Which part of what it held in a bucket would have been given up, 0 to 1. */
  readonly freed: (rows: readonly UsageRow[]) => (row: UsageRow) => number
}

/**
 * What the record says of work from the moment on at which it would have got less: `too-little-memory` where it later used
 * more than it would have had, `too-little-compute` where in a later bucket it was busier in the mean. It has ended, too,
 * where its owner gave it something else.
 */
export function afterResize(doneAt: Instant, advised: Advised, told: Told): After {
  const left = leftBy(advised)
  const isOther = ({ rows }: RecordedBucket): boolean => rows.some((row) => !isAlike(row, left.part))
  const { passed, end } = followed(doneAt, told, (bucket) => isOther(bucket) || left.exceeds(bucket.rows) !== undefined)
  const known = passed.filter(({ rows }) => rows.every(isMeasured))
  const unknown = passed.filter(({ rows }) => !rows.every(isMeasured))
  const dark = unknown.reduce((sum, bucket) => sum + outcomeLength(bucket), 0) / HOUR_MS
  return {
    outcome: { kind: outcomeOf(), at: end.at },
    freed: { ...addedUp(), unknownHours: dark + gapHours(doneAt, end.at, told.work.buckets) },
    backAt: end.kind === 'over' ? undefined : end.at,
  }

  function outcomeOf(): ShadowOutcome['kind'] {
    if (end.bucket !== undefined && !isOther(end.bucket)) return left.exceeds(end.bucket.rows) ?? 'ended'
    if (end.kind !== 'over') return 'ended'
    return known.length === 0 ? 'not-known' : 'held-up'
  }

  function addedUp(): ReturnType<typeof outcomeAmounts> {
    const parts = new Map(known.map(({ rows }) => [rows, left.freed(rows)]))
    const partOf = new Map([...parts].flatMap(([rows, of]) => rows.map((row) => [row, of(row)] as const)))
    return outcomeAmounts([...partOf.keys()], told.priceOf, (row) => partOf.get(row) ?? 0)
  }
}

const isAlike = (row: UsageRow, { model, profile }: Left['part']): boolean =>
  row.model === model && row.profile === profile
const isMeasured = ({ measured, present, busy }: UsageRow): boolean =>
  busy !== undefined && measured >= IDLE_SHARE * present

function leftBy({ advice, snapshot }: Advised): Left {
  const own = partsOfSnapshot(snapshot).filter(
    ({ kind, workload }) => kind === 'held' && advice.object === `workload/${workload}`,
  )
  const [part = { model: '', profile: '', share: ratio(1) }] = own
  return advice.kind === 'right-size' ? smaller(advice, part) : fewer(advice, part, own)
}

/** One instance of a smaller profile to each pod: every device is looked at by itself. */
function smaller({ plan }: Advised['advice'], part: Left['part']): Left {
  const [to] = plan.steps.flatMap(({ action }) => (action.kind === 'resize' ? action.to : []))
  const board = boardFor(part.model)
  const profile = board && profileOf(board, profileOfResource(to?.resource ?? '') ?? '')
  const share = board === undefined || profile === undefined ? 0 : sliceShare(board, profile)
  const memory = profile?.memory ?? 0
  return {
    part,
    exceeds: (rows) => {
      if (rows.some(({ memoryPeak }) => (memoryPeak ?? 0) > memory)) return 'too-little-memory'
      return rows.some((row) => (row.busy ?? 0) * row.share > share) ? 'too-little-compute' : undefined
    },
    freed: () => (row) => Math.max(0, 1 - share / row.share),
  }
}

/** So many devices of the same kind: what all of them did at once adds up. */
function fewer({ plan, evidence }: Advised['advice'], part: Left['part'], own: readonly GpuPart[]): Left {
  const devices = Number(evidence.figures['devices after'])
  const perPod = plan.steps.some(({ action }) => action.kind === 'resize')
  const pods = new Set(own.map(({ pod }) => pod)).size
  const memory = perPod ? ((memoryOfDevice({ ...part }) ?? Infinity) * devices) / pods : Infinity
  return {
    part,
    exceeds: (rows) => {
      const byPod = [...Map.groupBy(rows, ({ pod }) => pod).values()]
      const peaks = byPod.map((each) => each.reduce((sum, { memoryPeak }) => sum + (memoryPeak ?? 0), 0))
      if (peaks.some((peak) => peak > memory)) return 'too-little-memory'
      const busy = rows.reduce(
        (sum, row) => sum + ((row.busy ?? 0) * row.share * row.present) / SPAN_SECONDS[row.span],
        0,
      )
      return busy > devices * part.share ? 'too-little-compute' : undefined
    },
    freed: (rows) => () => Math.max(0, 1 - (devices * part.share) / heldIn(rows)),
  }
}

/** GPUs' worth that was held in the mean of a bucket. */
const heldIn = (rows: readonly UsageRow[]): number =>
  rows.reduce((sum, { share, present, span }) => sum + (share * present) / SPAN_SECONDS[span], 0)
