import type { UsageRow } from '../../analyze/usage.ts'
import { LEAST_IDLE_OF_WEEK, RELEASABLE } from '../../plan/recommend/reclaim-idle.ts'
import type { IdleUsage, RecommendSources } from '../../plan/recommend/recommend-context.ts'
import { recommendAlone } from '../../plan/recommend/recommend.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import type { OverrunModel } from '../../plan/right-size/overrun-model.ts'
import { WEEK_MS, compareText, gpuHours, instant, type Instant, seconds, usd } from '../../units.ts'
import { outside, recordedWork, type RecordedBucket, type RecordedWork } from './recorded-work.ts'
import { recordedSnapshot } from './recorded-snapshot.ts'
import { afterStop } from './shadow-outcome.ts'
import type { Advised, ShadowMemory, ShadowRule, ShadowSources } from './shadow-rule.ts'

/**
 * Idle work, each workload by itself. From when it would have been stopped its rows are no longer seen, until it works
 * again.
 */
export function reclaimRule(sources: ShadowSources): ShadowRule {
  const { question, recorded, priceOf } = sources
  const threshold = question.rules.analysis.idle.threshold
  const works = recordedWork(question.rows, { threshold, priceOf }).filter(isStoppable)
  const byObject = new Map(works.map((work) => [`workload/${work.id}`, work]))
  const asked = { ...sources, overrun: learnFleetOverrun([]) }
  return {
    warns: true,
    advise: (now, memory) =>
      works
        .flatMap((work) => adviseAt(now, work, { ...asked, memory }))
        .toSorted(({ advice: a }, { advice: b }) => b.rank - a.rank || compareText(a.id, b.id)),
    after: (now, { advice }) =>
      afterStop(now, {
        work: byObject.get(advice.object) ?? { buckets: [] },
        to: question.window.to,
        recorded,
        priceOf,
      }),
  }
}

/** What only its owner can end is recommended, and never on auto. */
const isStoppable = ({ id }: RecordedWork): boolean => RELEASABLE.has(id.split('/')[1] ?? '')

/** `overrun`: of nothing, as the rule about idle work asks for no chance of one. */
type Asked = ShadowSources & { readonly overrun: OverrunModel; readonly memory: ShadowMemory }

/** What the rule about idle work says of one workload, from what had been recorded by then. */
function adviseAt(now: Instant, work: RecordedWork, { question, began, overrun, memory }: Asked): Advised | [] {
  const object = `workload/${work.id}`
  // Cheap, and true of nearly all work nearly all the time.
  if (memory.isChanged(object, now) || work.idleHoursUpTo(now) < LEAST_IDLE_OF_WEEK) return []
  const buckets = outside(work.seenAt(now), memory.stretchesOf(object))
  const newest = buckets.at(-1)
  const [first] = buckets
  if (newest === undefined || first === undefined) return []
  const snapshot = recordedSnapshot({ rows: newest.rows, now, since: first.at }, question)
  const before = memory.adviceBefore(object)
  const [advised] = recommendAlone('reclaim-idle', {
    snapshot,
    ...weekOf(now, began),
    rows: idleRowsIn(buckets),
    prices: question.prices,
    analysis: { cost: { byNode: [] }, observedSeconds: observed(now, began), workloads: [idleUsage(work.id, buckets)] },
    overrun,
    previous: before === undefined ? [] : [before],
    policy: question.rules,
  })
  if (advised === undefined) return []
  return { advice: advised.recommendation, needs: advised.needs, snapshot, newest: newest.rows }
}

/** The last week, or what of it was recorded. */
export const weekOf = (now: Instant, began: Instant): Pick<RecommendSources, 'window'> => ({
  window: { from: instant(Math.max(now - WEEK_MS, began)), to: now },
})
export const observed = (now: Instant, began: Instant): RecommendSources['analysis']['observedSeconds'] =>
  seconds(Math.min(WEEK_MS, now - began) / 1000)

/** What it held and did not use, as an analysis of these buckets says it. */
export function idleUsage(id: string, buckets: readonly RecordedBucket[]): IdleUsage {
  const costs = buckets.flatMap(({ idle }) => idle.cost ?? [])
  return {
    id,
    idleHours: gpuHours(buckets.reduce((sum, { idle }) => sum + idle.hours, 0)),
    idleCost: costs.length === 0 ? undefined : usd(costs.reduce((sum, cost) => sum + cost, 0)),
  }
}

/** The rows of some buckets, oldest first. */
export const idleRowsIn = (buckets: readonly RecordedBucket[]): readonly UsageRow[] =>
  buckets.flatMap(({ rows }) => rows)
