import { percent, plural } from '../../words.ts'
import type { GpuPart } from '../../analyze/gpu-parts.ts'
import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import type { Workload } from '../../cluster/workload.ts'
import { HOUR_MS, instant, ratio, type Instant, type Ratio } from '../../units.ts'
import { onceFor } from '../../once-for.ts'
import {
  LEAST_IDLE_HOURS,
  hoursIn,
  idleVerdict,
  quietHoursIn,
  sum,
  type IdleShare,
  type IdleVerdict,
  IDLE_SHARE,
  workOf,
  type RecordedBucket,
  type RecordedWork,
} from './recorded-work.ts'
import { keptByStops } from './stopped-work.ts'
import { judgeHolders, kept, type Kept } from './kept.ts'
import { confidenceOf, freedBy, idleOf, inPercent, hoursObserved, queryOf, type Proposal } from './proposal.ts'
import { slackFor, type RecommendContext } from './recommend-context.ts'

/** Kinds that a controller keeps at a number of replicas, so that 0 is a number too. */
export const SCALABLE = new Set(['Deployment', 'StatefulSet', 'ReplicaSet'])

/** These too are made to be stopped and started again, by a switch of their own. */
export const RELEASABLE = new Set([...SCALABLE, 'Notebook', 'InferenceService'])

/**
 * Workloads of which every pod has done nothing for a day or longer, or most of the time though never so long in a row:
 * release what they hold. Unknown is never idle. What has no number of replicas (a Job, a bare pod) only its owner can end,
 * and the advice says so.
 */
export const reclaimIdle = (context: RecommendContext): ReadonlyArray<Proposal | Kept> => judgeHolders(context, judged)

function judged(workload: Workload, context: RecommendContext): Proposal | Kept {
  const { id } = workload
  const parts = context.held.get(id) ?? []
  const threshold = thresholdOf(context)
  const work = workOf(id, context.rowsOf.get(id) ?? [], { threshold, priceOf: context.priceOf })
  const pods = new Set(parts.map(({ pod }) => pod))
  const slack = slackFor(context, 'reclaim-idle', `workload/${id}`)
  const verdict = idleVerdict(work.buckets, { until: context.window.to, pods, slack })
  const [name, holder] = [`${workload.namespace}/${workload.name}`, { parts, work, context }]
  if (verdict.kind === 'in-a-row') return proposalOf(workload, holder, inARow(name, verdict.stretch))
  if (verdict.kind === 'in-between') return proposalOf(workload, holder, inBetween(name, verdict.share, holder))
  if (verdict.kind !== 'too-little-idle') return kept(id, 'not-measured', unknownWords(verdict))
  const idle = `it was idle for ${inPercent(verdict.share.idle)}% of ${Math.floor(verdict.share.hours)} h`
  return lastWork(work) === undefined
    ? kept(id, 'not-measured', `Stopping it: ${idle}; the rest is not known to be idle.`)
    : kept(id, 'works-in-between', `Stopping it: ${idle} and worked in between.`)
}

/** The last bucket in which a measurement found it at work. */
const lastWork = ({ buckets }: RecordedWork): RecordedBucket | undefined =>
  buckets.findLast(({ did }) => did === 'work')

function unknownWords(verdict: Exclude<IdleVerdict, { readonly kind: 'in-a-row' }>): string {
  if (verdict.kind === 'not-of-now') return 'Stopping it: what it does now is not measured.'
  const { hours, coverage } = verdict.share
  return hours < LEAST_IDLE_HOURS
    ? `Stopping it: it ran for ${plural(Math.floor(hours), 'hour')} of the ${LEAST_IDLE_HOURS} that tell.`
    : `Stopping it: only ${percent(coverage, 0)} of the time since it was first seen is measured.`
}

type Holder = { readonly parts: readonly GpuPart[]; readonly work: RecordedWork; readonly context: RecommendContext }

/** What of its past says that it may be stopped. */
type Seen = ReturnType<typeof inARow | typeof inBetween>

function inARow(name: string, stretch: readonly RecordedBucket[]) {
  const rows = stretch.flatMap((bucket) => bucket.rows)
  const hours = Math.floor(quietHoursIn(stretch))
  const present = sum(rows, (row) => row.present)
  const coverage = sum(rows, ({ measured }) => measured) / Math.max(1, present)
  return {
    rule: 'reclaim-idle',
    title: `Scale ${name} to 0 until it is needed`,
    words: `and has been idle for ${hours} h in a row.`,
    from: instant(stretch[0]?.at ?? 0),
    samples: rows.length,
    coverage,
    figures: {
      'idle in a row, h': hours,
      'share of each hour that was idle at least, %': inPercent(IDLE_SHARE),
      'busy peak, %': inPercent(rows.reduce((most, { busyPeak = 0 }) => Math.max(most, busyPeak), 0)),
    },
    confidence: confidenceOf(hoursIn(stretch), LEAST_IDLE_HOURS, coverage),
  }
}

function inBetween(name: string, share: IdleShare, { work, context }: Holder) {
  const hours = Math.floor(share.hours)
  const idle = Math.floor(share.idle * share.hours)
  const worked = lastWork(work)
  const between = worked === undefined ? '' : ', with work in between'
  const unmeasured = Math.floor(share.unmeasured)
  const gaps = unmeasured === 0 ? '' : `; ${unmeasured} h were not fully measured`
  return {
    rule: 'reclaim-idle/in-between',
    title: `Stop ${name} while idle`,
    words: `and was idle for ${idle} of ${hours} h${between}${gaps}.${lastWords(worked, context.window.to)}`,
    from: share.from,
    samples: sum(work.buckets, ({ rows }) => rows.length),
    coverage: share.coverage,
    figures: { 'idle, h': idle, 'held, h': hours },
    confidence: ratio(confidenceOf(share.hours, LEAST_IDLE_HOURS, share.coverage) * share.idle),
  }
}

/** What nobody measured since is neither work nor rest. */
function lastWords(worked: RecordedBucket | undefined, now: Instant): string {
  if (worked === undefined) return ''
  if (now - worked.at <= HOUR_MS) return ' Busy within the last hour.'
  return ` Last seen busy ${Math.max(1, Math.floor((now - worked.end) / HOUR_MS))} h ago.`
}

const beganIn = onceFor(({ rows }: RecommendContext): readonly Instant[] => [...new Set(rows.map(({ at }) => at))])

/** By what a replay of its own past keeps: what it idled counts only as far as stopping it had kept it. */
function proposalOf(workload: Workload, { parts, work, context }: Holder, seen: Seen): Proposal {
  const { priceOf, window, policy } = context
  const threshold = thresholdOf(context)
  const warningMs = (policy?.warning ?? 0) * 1000
  const recorded = beganIn(context)
  const replay = keptByStops({ work, ...window, recorded, priceOf, threshold, warningMs })
  const hours = hoursObserved(context)
  const { gpus, usd } = idleOf(workload.id, context)
  const wasted = {
    gpus: Math.min(gpus, replay.gpuHours / hours),
    usd: usd && Math.min(usd, (replay.usd ?? Infinity) / hours),
  }
  const freed = rounded(replay.gpuHours)
  const again = replay.wokeUp === 0 ? '' : `, until it was used again (${plural(replay.wokeUp, 'time')})`
  const past = (window.to - (recorded[0] ?? window.to)) / HOUR_MS
  const days = past < 48 ? plural(Math.round(past), 'hour') : plural(Math.round(past / 24), 'day')
  const would = `Stopping it would have freed ${plural(freed, 'GPU-hour')} in the last ${days}${again}.`
  const words = `It holds ${plural(heldBy(parts), 'GPU')} ${seen.words} ${would}`
  return {
    kind: 'reclaim-idle',
    object: `workload/${workload.id}`,
    ...wordsFor(workload, words, seen.title),
    rule: { name: seen.rule, version: 2 },
    evidence: {
      query: queryOf(workload.id),
      window: { from: seen.from, to: window.to },
      samples: seen.samples,
      coverage: ratio(seen.coverage),
      figures: {
        ...seen.figures,
        'idle is busy at most, %': inPercent(threshold),
        'GPUs held': heldBy(parts),
        'would have freed, GPU-hours': freed,
        'used again after a stop, times': replay.wokeUp,
      },
    },
    gain: {
      freed: freedBy(parts),
      shown: { kind: 'number', effect: 'capacity-freed', wasted, makesRoom: true },
    },
    confidence: seen.confidence,
  }
}

const heldBy = (parts: readonly GpuPart[]): number => rounded(sum(parts, ({ share }) => share))
const rounded = (value: number): number => Math.round(value * 100) / 100

const thresholdOf = ({ policy }: RecommendContext): Ratio => (policy?.analysis ?? DEFAULT_POLICY).idle.threshold

function wordsFor(
  { id, kind, namespace, name, class: work }: Workload,
  seen: string,
  title: string,
): Pick<Proposal, 'title' | 'message' | 'wishes' | 'byHand'> {
  if (RELEASABLE.has(kind)) {
    return {
      title,
      message: `${seen} Undo restarts it.${work === 'inference' ? ' Until then nothing answers its requests.' : ''}`,
      wishes: [{ kind: 'scale', workload: id, to: 0 }],
    }
  }
  const because =
    kind === 'Pod'
      ? 'A bare pod is not recreated once it is gone, so only its owner may stop it.'
      : `A ${kind} has no number of replicas that could be set to 0, so its owner has to suspend or end it.`
  return {
    title: `Ask the owner of ${namespace}/${name} to end it`,
    message: `${seen} ${because}`,
    wishes: [],
    byHand: { code: 'owner-decides', message: because, object: `workload/${id}` },
  }
}
