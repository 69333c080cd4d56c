import { percent, plural } from '../../words.ts'
import type { GpuPart } from '../../analyze/gpu-parts.ts'
import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import type { Workload } from '../../cluster/workload.ts'
import { HOUR_MS, instant, ratio, type Instant, type Ratio, type Window } from '../../units.ts'
import {
  IDLE_SHARE,
  endOf,
  idlePart,
  idleStretch,
  isOfNow,
  isWork,
  leastOf,
  presentOf,
  type IdleQuestion,
  type IdleStretch,
} from './idle-stretch.ts'
import { judgeHolders, kept, type Kept } from './kept.ts'
import { confidenceOf, freedBy, idleOf, inPercent, queryOf, type Proposal } from './proposal.ts'
import { SLACK, slackFor, type RecommendContext } from './recommend-context.ts'
import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'

/** Idle for this long in a row, hours, before releasing it is proposed: a night is not enough, a day and a night are. */
const LEAST_IDLE_HOURS = 24
/** Kinds that a controller keeps at a number of replicas, so that 0 is a number too. */
export const SCALABLE = new Set(['Deployment', 'StatefulSet', 'ReplicaSet'])

/** These too are made to be stopped and started again, by a switch of their own. */
export const RELEASABLE = new Set([...SCALABLE, 'Notebook', 'InferenceService'])
/** Share of its time, of all its pods at once, that must have been idle where no stretch is as long as that. */
const LEAST_IDLE_SHARE = 0.8
/** Share of the time since it was first seen that must have been measured; it may have been stopped at night. */
const LEAST_COVERAGE = 0.7

/** Of a week, hours that a workload must have idled in all for any of this to be said of it. */
export const LEAST_IDLE_OF_WEEK = LEAST_IDLE_HOURS * SLACK * LEAST_IDLE_SHARE * SLACK

/**
 * Workloads of which every pod has done nothing for a day or longer, or most of the time though never so long in a row:
 * release what they hold. Unknown is never idle. What has no number of replicas (a Job, a bare pod) only its owner can end,
 * and the advice says so.
 */
export const reclaimIdle = (context: RecommendContext): ReadonlyArray<Proposal | Kept> => judgeHolders(context, judged)

function judged(workload: Workload, context: RecommendContext): Proposal | Kept {
  const { id } = workload
  const parts = context.held.get(id) ?? []
  const rows = context.rowsOf.get(id) ?? []
  const threshold = thresholdOf(context)
  const question = { until: context.window.to, pods: new Set(parts.map(({ pod }) => pod)), threshold }
  const stretch = idleStretch(rows, question)
  if (stretch !== undefined && stretch.hours >= LEAST_IDLE_HOURS) return inARow(workload, { parts, stretch, context })
  const share = idleShare(rows, question)
  const slack = slackFor(context, 'reclaim-idle', `workload/${id}`)
  if (share === undefined || !isKnown(share, slack)) return kept(id, 'not-measured', unknownWords(share))
  if (share.idle < LEAST_IDLE_SHARE * slack) {
    const idle = `it was idle for ${inPercent(share.idle)}% of ${Math.floor(share.hours)} h`
    return share.worked === undefined
      ? kept(id, 'not-measured', `Stopping it: ${idle}; the rest is not known to be idle.`)
      : kept(id, 'works-in-between', `Stopping it: ${idle} and worked in between.`)
  }
  return inBetween(workload, { parts, share, context })
}

const isKnown = ({ hours, coverage }: IdleShare, slack: number): boolean =>
  hours >= LEAST_IDLE_HOURS * slack && coverage >= LEAST_COVERAGE * slack

const unknownWords = (share: IdleShare | undefined): string =>
  share === undefined
    ? 'Stopping it: what it does now is not measured.'
    : share.hours < LEAST_IDLE_HOURS
      ? `Stopping it: it ran for ${plural(Math.floor(share.hours), 'hour')} of the ${LEAST_IDLE_HOURS} that tell.`
      : `Stopping it: only ${percent(share.coverage, 0)} of the time since it began is measured.`

type Holder = { readonly parts: readonly GpuPart[]; readonly context: RecommendContext }

function inARow(workload: Workload, { parts, stretch, context }: Holder & { readonly stretch: IdleStretch }): Proposal {
  const hours = Math.floor(stretch.idle)
  const seen = `It holds ${plural(heldBy(parts), 'GPU')} and has been idle for ${hours} h in a row.`
  return {
    ...released(workload, { parts, context }),
    ...wordsFor(workload, seen, `Scale ${workload.namespace}/${workload.name} to 0 until it is needed`),
    rule: { name: 'reclaim-idle', version: 1 },
    evidence: {
      query: queryOf(workload.id),
      window: { from: stretch.from, to: context.window.to },
      samples: stretch.samples,
      coverage: ratio(stretch.coverage),
      figures: {
        'idle in a row, h': hours,
        ...figuresOf(parts, context),
        'share of each hour that was idle at least, %': inPercent(IDLE_SHARE),
        'busy peak, %': inPercent(stretch.busyPeak),
      },
    },
    confidence: confidenceOf(stretch.hours, LEAST_IDLE_HOURS, stretch.coverage),
  }
}

function inBetween(workload: Workload, { parts, share, context }: Holder & { readonly share: IdleShare }): Proposal {
  const { id, namespace, name } = workload
  const hours = Math.floor(share.hours)
  const idle = Math.floor(share.idle * share.hours)
  const between = share.worked === undefined ? '' : ', with work in between'
  const unmeasured = Math.floor(share.unmeasured)
  const gaps = unmeasured === 0 ? '' : `; for ${unmeasured} h nothing was measured`
  const last = lastWords(share, context.window.to)
  const seen = `It holds ${plural(heldBy(parts), 'GPU')} and was idle for ${idle} of ${hours} h${between}${gaps}.${last}`
  return {
    ...released(workload, { parts, context }),
    ...wordsFor(workload, seen, `Stop ${namespace}/${name} between uses`),
    rule: { name: 'reclaim-idle/in-between', version: 1 },
    evidence: {
      query: queryOf(id),
      window: { from: share.from, to: context.window.to },
      samples: share.samples,
      coverage: ratio(share.coverage),
      figures: { 'idle, h': idle, 'held, h': hours, ...figuresOf(parts, context) },
    },
    confidence: ratio(confidenceOf(share.hours, LEAST_IDLE_HOURS, share.coverage) * share.idle),
  }
}

/** Only a measurement within the last hour says that it works now. */
function lastWords({ worked }: IdleShare, now: Instant): string {
  if (worked === undefined) return ''
  if (now - worked.from <= HOUR_MS) return ' It works now.'
  return ` It last worked ${Math.max(1, Math.floor((now - worked.to) / HOUR_MS))} h ago.`
}

const released = ({ id }: Workload, { parts, context }: Holder) => ({
  kind: 'reclaim-idle' as const,
  object: `workload/${id}`,
  gain: {
    freed: freedBy(parts),
    shown: { kind: 'number' as const, effect: 'capacity-freed' as const, wasted: idleOf(id, context) },
  },
})

const heldBy = (parts: readonly GpuPart[]): number =>
  Math.round(parts.reduce((sum, { share }) => sum + share, 0) * 100) / 100

const figuresOf = (parts: readonly GpuPart[], context: RecommendContext) => ({
  'idle is busy at most, %': inPercent(thresholdOf(context)),
  'GPUs held': heldBy(parts),
})

const thresholdOf = ({ policy }: RecommendContext): Ratio => (policy?.analysis ?? DEFAULT_POLICY).idle.threshold

function wordsFor(
  { id, kind, namespace, name, class: work }: Workload,
  seen: string,
  title: string,
): Pick<Proposal, 'title' | 'message' | 'wishes' | 'byHand'> {
  if (RELEASABLE.has(kind)) {
    return {
      title,
      message: `${seen} Its controller starts it again when this is undone.${work === 'inference' ? ' Until then nothing answers its requests.' : ''}`,
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

/** How much of its time a workload has done nothing. */
type IdleShare = {
  readonly from: Instant
  /** How long it was there, hours. */
  readonly hours: number
  /** Share of that in which none of its pods did anything, 0 to 1. */
  readonly idle: number
  /** Share of the time since `from` with trustworthy telemetry of all its pods, 0 to 1. */
  readonly coverage: number
  /** Hours since `from` of which nothing of that is known: it may have worked, idled, or been stopped. */
  readonly unmeasured: number
  readonly samples: number
  /** The last bucket in which a measurement found it at work; undefined: none did. */
  readonly worked: Window | undefined
}

/** The idle share of a workload's rows, in any order; undefined where the newest are old or lack one of the `pods`. */
function idleShare(rows: readonly UsageRow[], { until, pods, threshold }: IdleQuestion): IdleShare | undefined {
  const buckets = [...Map.groupBy(rows, ({ at }) => at)].toSorted(([a], [b]) => a - b).map(([, bucket]) => bucket)
  if (!isOfNow(buckets.at(-1) ?? [], { until, pods })) return undefined
  let [present, idle, measured] = [0, 0, 0]
  for (const bucket of buckets) {
    const there = presentOf(bucket)
    present += there
    idle += there * leastOf(bucket, (row) => idlePart(row, threshold))
    measured += there * leastOf(bucket, (row) => row.measured / row.present)
  }
  const worked = buckets.findLast((bucket) => bucket.some((row) => isWork(row, threshold)))
  const [first] = buckets[0] ?? []
  if (first === undefined || present === 0) return undefined
  // The first bucket counts from when it was there in it; what is missing since is a gap.
  const since = (until - first.at) / 1000 - SPAN_SECONDS[first.span] + presentOf(buckets[0] ?? [])
  return {
    from: first.at,
    hours: present / 3600,
    idle: idle / present,
    coverage: Math.min(1, measured / Math.max(1, since)),
    unmeasured: Math.max(0, since - measured) / 3600,
    samples: rows.length,
    worked: worked && timeOf(worked, until),
  }
}

const timeOf = (bucket: readonly UsageRow[], until: Instant): Window => ({
  from: bucket[0]?.at ?? until,
  to: instant(Math.min(endOf(bucket), until)),
})
