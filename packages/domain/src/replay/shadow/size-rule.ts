import { type UsageRow, SPAN_SECONDS } from '../../analyze/usage.ts'
import type { Recommendation } from '../../plan/recommend/recommendation.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import type { OverrunModel } from '../../plan/right-size/overrun-model.ts'
import { compareText, type Instant, DAY_MS, ratio, type Window } from '../../units.ts'
import { pastAdvice } from './past-advice.ts'
import { RecordedCluster } from './recorded-snapshot.ts'
import {
  recordedWork,
  sum,
  type RecordedBucket,
  type RecordedWork,
  isMeasured,
} from '../../plan/recommend/recorded-work.ts'
import type { Advised, ShadowRule, ShadowSources, After } from './shadow-rule.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import { sliceShare, profileOf } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { sizeScreen, type WayToShrink } from './size-screen.ts'
import type { ShadowOutcome } from './shadow.ts'
import { type GpuPart, partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { memoryOfDevice } from '../../plan/recommend/memory-of-device.ts'
import { followed, type Told } from '../../plan/recommend/stopped-work.ts'

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
export function sizeRule(way: WayToShrink, sources: ShadowSources): ShadowRule {
  const { question, recorded, priceOf, began } = sources
  const cluster = new RecordedCluster(question.rows)
  const works = judgedWork(sources)
  const byObject = new Map(works.map((work) => [objectOf(work), work]))
  const mayShrink = sizeScreen(way, question.rules)
  const learned = learning(works)
  const taken: RoomTaken[] = []
  const turns = new Turns()
  const before = new Map<string, Recommendation>()
  return {
    advise(now, memory) {
      const able = works.filter((work) => !memory.isChanged(objectOf(work), now) && mayShrink(work, now))
      const asking = turns.next(able, now)
      const rows = asking.length === 0 ? [] : withTaken(cluster.endingAt(now), taken, now)
      if (rows.length === 0) return []
      const made = pastAdvice(sources, {
        now,
        rows,
        since: began,
        seen: asking.map((work) => ({ id: work.id, buckets: work.seenAt(now) })),
        overrun: learned(now),
        previous: asking.flatMap((work) => before.get(objectOf(work)) ?? []),
      })
      for (const work of asking) before.delete(objectOf(work))
      for (const { advice } of made) before.set(advice.object, advice)
      return made
    },
    after(now, advised) {
      const work = byObject.get(advised.advice.object) ?? { id: '', buckets: [] }
      const after = afterResize(now, leftBy(way, advised), { work, recorded, to: question.window.to, priceOf })
      taken.push({ ...advised, work: work.id, from: now, to: after.backAt ?? question.window.to })
      return after
    },
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

const objectOf = ({ id }: Pick<RecordedWork, 'id'>): string => `workload/${id}`

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

/** Room that a change took, for as long as it would have lasted. */
type RoomTaken = Window & Pick<Advised, 'advice' | 'needs'> & { readonly work: WorkloadId }

/**
 * What was recorded, as it would have been with these changes: what was free and a change took is held, and a GPU that was
 * cut again is no room, as nobody recorded what others would have made of its new layout.
 */
function withTaken(rows: readonly UsageRow[], taken: readonly RoomTaken[], now: Instant): readonly UsageRow[] {
  const there = taken.filter(({ from, to }) => from <= now && now <= to)
  if (there.length === 0) return rows
  const holders = new Map(there.flatMap(({ needs, work }) => needs.map((need) => [need, work] as const)))
  const actions = there.flatMap(({ advice }) => advice.plan.steps.map(({ action }) => action))
  const cut = new Set(
    actions.flatMap((action) => (action.kind === 'repartition' ? action.gpus : [])).map(({ gpu }) => gpu),
  )
  const held = rows.map((row): UsageRow => {
    const workload = row.kind === 'free' ? holders.get(`partition/${row.partition}`) : undefined
    if (workload === undefined) return row
    const [namespace = '', , ...name] = workload.split('/')
    return { ...row, kind: 'held', namespace, workload, pod: `${namespace}/${name.join('/')} as it would be` }
  })
  const down = rows.flatMap((row): UsageRow | [] =>
    cut.delete(row.gpu)
      ? { ...row, kind: 'down', partition: `${row.gpu}/down`, profile: '', namespace: '', workload: '', pod: '' }
      : [],
  )
  return [...held, ...down]
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
function afterResize(doneAt: Instant, left: Left, told: Told): After {
  const isOther = ({ rows }: RecordedBucket): boolean => rows.some((row) => !isAlike(row, left.part))
  const { end, known, freed } = followed(doneAt, told, {
    isStop: (bucket) => isOther(bucket) || left.exceeds(bucket.rows) !== undefined,
    isKnown: ({ rows }) => rows.every(isMeasured),
    partIn: left.freed,
  })
  return { outcome: { kind: outcomeOf(), at: end.at }, freed, backAt: end.kind === 'over' ? undefined : end.at }

  function outcomeOf(): ShadowOutcome['kind'] {
    if (end.bucket !== undefined && !isOther(end.bucket)) return left.exceeds(end.bucket.rows) ?? 'ended'
    if (end.kind !== 'over') return 'ended'
    return known.length === 0 ? 'not-known' : 'held-up'
  }
}

const isAlike = (row: UsageRow, { model, profile }: Left['part']): boolean =>
  row.model === model && row.profile === profile

function leftBy(way: WayToShrink, { advice, snapshot }: Advised): Left {
  const own = partsOfSnapshot(snapshot).filter(
    ({ kind, workload }) => kind === 'held' && advice.object === `workload/${workload}`,
  )
  const [part = { model: '', profile: '', share: ratio(1) }] = own
  return way === 'smaller' ? leftInSmaller(advice, part) : fewer(advice, part, own)
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
      const peaks = byPod.map((each) => sum(each, ({ memoryPeak = 0 }) => memoryPeak))
      if (peaks.some((peak) => peak > memory)) return 'too-little-memory'
      const busy = sum(rows, (row) => ((row.busy ?? 0) * row.share * row.present) / SPAN_SECONDS[row.span])
      return busy > devices * part.share ? 'too-little-compute' : undefined
    },
    freed: (rows) => () => Math.max(0, 1 - (devices * part.share) / heldIn(rows)),
  }
}

/** GPUs' worth that was held in the mean of a bucket. */
const heldIn = (rows: readonly UsageRow[]): number =>
  sum(rows, ({ share, present, span }) => (share * present) / SPAN_SECONDS[span])
