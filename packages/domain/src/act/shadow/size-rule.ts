import type { UsageRow } from '../../analyze/usage.ts'
import type { Recommendation, RecommendationKind } from '../../plan/recommend/recommendation.ts'
import { recommendAlone } from '../../plan/recommend/recommend.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-fleet-overrun.ts'
import type { OverrunModel } from '../../plan/right-size/overrun-model.ts'
import { compareText, type Instant } from '../../units.ts'
import { idleUsage, observed, rowsIn, weekOf } from './reclaim-rule.ts'
import { RecordedCluster } from './recorded-cluster.ts'
import { recordedSnapshot } from './recorded-snapshot.ts'
import { recordedWork, type RecordedWork } from './recorded-work.ts'
import type { Advised, ShadowRule, ShadowSources } from './shadow-rule.ts'
import { afterResize } from './size-outcome.ts'
import { screenFor, type SizeClass } from './size-screen.ts'
import { type RoomTaken, withTaken } from './taken-room.ts'

/** How long what was learned of later peaks is used, milliseconds: to learn it anew takes seconds. */
const LEARN_EVERY_MS = 86_400_000

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
      rows: seen.flatMap(({ buckets }) => rowsIn(buckets)),
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
      known = { at: now, model: learnFleetOverrun(works.flatMap((work) => rowsIn(work.seenAt(now)))) }
    }
    return known.model
  }
}
