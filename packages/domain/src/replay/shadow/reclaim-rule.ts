import { RELEASABLE } from '../../plan/recommend/reclaim-idle.ts'
import { HOUR_MS, compareText, instant, type Instant } from '../../units.ts'
import { outside, recordedWork, type RecordedWork } from '../../plan/recommend/recorded-work.ts'
import { followStop, gapHours, saysStop, type Followed, type Told } from '../../plan/recommend/stopped-work.ts'
import { pastAdvice } from './past-advice.ts'
import type { ShadowOutcome } from './shadow.ts'
import type { Advised, After, ShadowMemory, ShadowRule, ShadowSources } from './shadow-rule.ts'

/**
 * Idle work, each workload by itself. From when it would have been stopped its rows are no longer seen, until it works
 * again.
 */
export function reclaimRule(sources: ShadowSources): ShadowRule {
  const { question, recorded, priceOf } = sources
  const threshold = question.rules.analysis.idle.threshold
  const works = recordedWork(question.rows, { threshold, priceOf }).filter(isStoppable)
  const byObject = new Map(works.map((work) => [`workload/${work.id}`, work]))
  const told = { to: question.window.to, recorded, priceOf }
  return {
    advise: (now, memory) =>
      works
        .flatMap((work) => adviseAt(now, work, { ...sources, memory }))
        .toSorted(({ advice: a }, { advice: b }) => b.rank - a.rank || compareText(a.id, b.id)),
    after: (now, { advice }) => afterStop(now, { work: byObject.get(advice.object) ?? { buckets: [] }, ...told }),
  }
}

function afterStop(stoppedAt: Instant, told: Told): After {
  const after = followStop(stoppedAt, told)
  const { end, freed } = after
  return {
    outcome: { kind: outcomeOf(stoppedAt, after, told), at: end.at },
    freed,
    backAt: end.kind === 'over' ? undefined : end.at,
  }
}

/** Work that is back within this long, milliseconds, should not have been stopped. */
const AT_ONCE_MS = HOUR_MS

const OUTCOME_OF = { stopped: 'came-back-later', gone: 'ended', over: 'still-idle' } as const

function outcomeOf(stoppedAt: Instant, { end, unknown }: Followed, { to, work }: Told): ShadowOutcome['kind'] {
  if (end.kind === 'stopped' && end.at - stoppedAt < AT_ONCE_MS) return 'came-back-at-once'
  const hourEnds = stoppedAt + AT_ONCE_MS
  const isDark =
    unknown.some((bucket) => bucket.at < hourEnds) ||
    (end.kind !== 'gone' && gapHours(stoppedAt, instant(Math.min(hourEnds, end.at)), work.buckets) > 0)
  // Work that is gone within the hour cannot come back to anything in it.
  if (isDark || (end.kind === 'over' && to < hourEnds)) return 'not-known'
  return OUTCOME_OF[end.kind]
}

/** What only its owner can end is recommended, and never on auto. */
const isStoppable = ({ id }: RecordedWork): boolean => RELEASABLE.has(id.split('/')[1] ?? '')

type Asked = ShadowSources & { readonly memory: ShadowMemory }

/** What the rule about idle work says of one workload, from what had been recorded by then. */
function adviseAt(now: Instant, work: RecordedWork, { memory, ...sources }: Asked): readonly Advised[] {
  const object = `workload/${work.id}`
  if (memory.isChanged(object, now)) return []
  const buckets = outside(work.seenAt(now), memory.stretchesOf(object))
  const newest = buckets.at(-1)
  const [first] = buckets
  const before = memory.adviceBefore(object)
  // Cheap, and true of nearly all work nearly all the time.
  const isNothing = !saysStop(buckets, now, before !== undefined)
  if (newest === undefined || first === undefined || isNothing) return []
  return pastAdvice(sources, {
    now,
    rows: newest.rows,
    since: first.at,
    seen: [{ id: work.id, buckets }],
    previous: before === undefined ? [] : [before],
  })
}
