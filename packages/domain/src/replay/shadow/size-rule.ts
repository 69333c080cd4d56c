import { type UsageRow, SPAN_SECONDS } from '../../analyze/usage.ts'
import type { Recommendation, RecommendationKind } from '../../plan/recommend/recommendation.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import type { OverrunModel } from '../../plan/right-size/overrun-model.ts'
import { compareText, type Instant, DAY_MS, ratio, HOUR_MS } from '../../units.ts'
import { pastAdvice } from './past-advice.ts'
import { RecordedCluster } from './recorded-cluster.ts'
import { recordedSnapshot } from './recorded-snapshot.ts'
import {
  recordedWork,
  type RecordedBucket,
  type RecordedWork,
  isMeasured,
  outcomeAmounts,
} from '../../plan/recommend/recorded-work.ts'
import type { Advised, ShadowRule, ShadowSources, After } from './shadow-rule.ts'
import { withTaken, type RoomTaken } from './taken-room.ts'
import type { WorkloadClass } from '../../cluster/workload.ts'
import { plainProfiles, sliceShare, profileOf } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { eased, sizeLevel, sizeOptionsFor } from '../../plan/recommend/size-study.ts'
import type { RightSizeOptions } from '../../plan/right-size/right-size-options.ts'
import type { ShadowQuestion, ShadowOutcome } from './shadow.ts'
import { type GpuPart, partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { memoryOfDevice } from '../../plan/recommend/memory-of-device.ts'
import { followed, gapHours, outcomeLength, type Told } from '../../plan/recommend/stopped-work.ts'

/** How long what was learned of later peaks is used, milliseconds: to learn it again takes seconds. */
const LEARN_EVERY_MS = DAY_MS

/**
 * Workloads that are put to the rule in one hour, which takes some milliseconds for each. Where more could do with less, as
 * in a large fleet, they take turns: who was asked longest ago first.
 */
const MOST_ASKED = 25

/**
 * Work that would do with less: a smaller profile, or fewer devices. What a change gives up stays taken in the replay, and
 * what it takes is taken, so that no room is counted on twice.
 */
export function sizeRule(sources: ShadowSources): ShadowRule {
  const { question, recorded, priceOf, began } = sources
  const kind = sizeClassOf(question.class)
  const cluster = new RecordedCluster(question.rows)
  const works = judgedWork(sources)
  const byObject = new Map(works.map((work) => [objectOf(work), work]))
  const screens = works.map((work) => ({ work, mayFit: screenFor(work, kind, question.rules) }))
  const learned = learning(works)
  const taken: RoomTaken[] = []
  const turns = new Turns()
  const before = new Map<string, Recommendation>()
  return {
    warns: false,
    advise(now, memory) {
      const able = screens.flatMap(({ work, mayFit }) =>
        memory.isChanged(objectOf(work), now) || !mayFit(now) ? [] : work,
      )
      const asking = turns.next(able, now)
      if (asking.length === 0) return []
      const newest = withTaken(cluster.endingAt(now), taken, now)
      return newest.length === 0 ? [] : adviseAt(now, asking, { newest, overrun: learned(now) })
    },
    after(now, advised) {
      const work = byObject.get(advised.advice.object) ?? { id: '', buckets: [] }
      const after = afterResize(now, advised, { work, recorded, to: question.window.to, priceOf })
      taken.push({ advised, work: work.id, from: now, to: after.backAt ?? question.window.to })
      return after
    },
  }

  function adviseAt(now: Instant, asking: readonly RecordedWork[], asked: Asked): readonly Advised[] {
    const { newest, overrun } = asked
    const snapshot = recordedSnapshot({ rows: newest, now, since: began }, question)
    const made = pastAdvice(kind, sources, {
      now,
      snapshot,
      newest,
      seen: asking.map((work) => ({ id: work.id, buckets: work.seenAt(now) })),
      overrun,
      previous: asking.flatMap((work) => before.get(objectOf(work)) ?? []),
    })
    for (const work of asking) before.delete(objectOf(work))
    for (const { advice } of made) before.set(advice.object, advice)
    return made
  }
}

/** Whose turn it is. */
class Turns {
  readonly #asked = new Map<string, Instant>()

  next(able: readonly RecordedWork[], now: Instant): readonly RecordedWork[] {
    const last = ({ id }: RecordedWork): number => this.#asked.get(id) ?? 0
    const next = able.toSorted((a, b) => last(a) - last(b) || compareText(a.id, b.id)).slice(0, MOST_ASKED)
    for (const { id } of next) this.#asked.set(id, now)
    return next.toSorted((a, b) => compareText(a.id, b.id))
  }
}

type Asked = {
  readonly newest: readonly UsageRow[]
  readonly overrun: OverrunModel
}

const objectOf = ({ id }: Pick<RecordedWork, 'id'>): string => `workload/${id}`

const sizeClassOf = (kind: RecommendationKind): SizeClass => (kind === 'fewer-gpus' ? kind : 'right-size')

/** The past of what is decided on; others that hold a part of the same GPUs are known only in part. */
function judgedWork({ question: { rows, judged, rules }, priceOf }: ShadowSources): readonly RecordedWork[] {
  const own = judged === undefined ? undefined : new Set(judged)
  const held = rows.filter(({ kind, workload }) => kind === 'held' && own?.has(workload) !== false)
  return recordedWork(held, { threshold: rules.analysis.idle.threshold, priceOf })
}

/** What the past of this work taught about later peaks, as it was known at a moment: at most a day old. */
function learning(works: readonly RecordedWork[]): (now: Instant) => OverrunModel {
  let known: { readonly at: Instant; readonly model: OverrunModel } | undefined
  return (now) => {
    if (known === undefined || now - known.at >= LEARN_EVERY_MS) {
      known = {
        at: now,
        model: learnFleetOverrun(works.flatMap((work) => work.seenAt(now).flatMap(({ rows }) => rows))),
      }
    }
    return known.model
  }
}

type SizeClass = 'right-size' | 'fewer-gpus'

/** Share of the hours in which sustained compute may be exceeded: a twentieth, and some for rounding. */
const MOST_BUSY = 0.06

/**
 * Says at once of most work that it needs what it has, without asking the rule, which takes a thousand times as long: no
 * work that the rule would make smaller is held back here. It looks at what `seenAt` of that moment holds.
 */
function screenFor(work: RecordedWork, kind: SizeClass, rules: ShadowQuestion['rules']): (now: Instant) => boolean {
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
  return eased(sizeOptionsFor(sizeLevel(named ?? 'unknown'), { policy: rules }))
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
function afterResize(doneAt: Instant, advised: Advised, told: Told): After {
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

function leftBy({ advice, snapshot }: Advised): Left {
  const own = partsOfSnapshot(snapshot).filter(
    ({ kind, workload }) => kind === 'held' && advice.object === `workload/${workload}`,
  )
  const [part = { model: '', profile: '', share: ratio(1) }] = own
  return advice.kind === 'right-size' ? leftInSmaller(advice, part) : fewer(advice, part, own)
}

/** One instance of a smaller profile to each pod: every device is looked at by itself. */
function leftInSmaller({ plan }: Advised['advice'], part: Left['part']): Left {
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
