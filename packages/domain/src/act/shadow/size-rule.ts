import type { UsageRow } from '../../analyze/usage.ts'
import type { Recommendation, RecommendationKind } from '../../plan/recommend/recommendation.ts'
import { recommendAlone } from '../../plan/recommend/recommend.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import type { OverrunModel } from '../../plan/right-size/overrun-model.ts'
import { compareText, type Instant, DAY_MS } from '../../units.ts'
import { idleUsage, observed, idleRowsIn, weekOf } from './reclaim-rule.ts'
import { RecordedCluster } from './recorded-cluster.ts'
import { recordedSnapshot } from './recorded-snapshot.ts'
import { recordedWork, type RecordedBucket, type RecordedWork } from './recorded-work.ts'
import type { Advised, ShadowRule, ShadowSources } from './shadow-rule.ts'
import { afterResize } from './size-outcome.ts'
import { withTaken, type RoomTaken } from './taken-room.ts'
import type { WorkloadClass } from '../../cluster/workload.ts'
import { plainProfiles, sliceShare } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { eased, sizeLevel, sizeOptionsFor } from '../../plan/recommend/size-study.ts'
import type { RightSizeOptions } from '../../plan/right-size/right-size-options.ts'
import type { ShadowQuestion } from './shadow.ts'

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
    const seen = asking.map((work) => ({ work, buckets: work.seenAt(now) }))
    const made = recommendAlone(kind, {
      snapshot,
      ...weekOf(now, began),
      rows: seen.flatMap(({ buckets }) => idleRowsIn(buckets)),
      prices: question.prices,
      analysis: {
        cost: { byNode: [] },
        observedSeconds: observed(now, began),
        workloads: seen.map(({ work, buckets }) => idleUsage(work.id, buckets)),
      },
      overrun,
      previous: asking.flatMap((work) => before.get(objectOf(work)) ?? []),
      policy: question.rules,
    })
    for (const work of asking) before.delete(objectOf(work))
    for (const { recommendation } of made) before.set(recommendation.object, recommendation)
    return made.map(({ recommendation, needs }) => ({ advice: recommendation, needs, snapshot, newest }))
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
      known = { at: now, model: learnFleetOverrun(works.flatMap((work) => idleRowsIn(work.seenAt(now)))) }
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
