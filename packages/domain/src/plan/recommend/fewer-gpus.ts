import { plural } from '../../words.ts'
import { quantileOf } from '../../analyze/distribution.ts'
import type { GpuPart } from '../../analyze/gpu-parts.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import type { GpuRequest, Pod, Workload, WorkloadClass, WorkloadId } from '../../cluster/workload.ts'
import { mib, ratio, seconds } from '../../units.ts'
import { peakOf, levelAt } from '../right-size/block-maxima.ts'
import { type Objection, objectionTo } from '../right-size/history-guards.ts'
import { type Chance, chanceOfOverrun } from '../right-size/overrun-model.ts'
import type { RightSizeOptions } from '../right-size/right-size-options.ts'
import { sizeEvidence } from '../right-size/size-evidence.ts'
import { historyOfRows, type UsageBucket, type UsageHistory } from '../right-size/usage-history.ts'
import type { Wish } from '../words/wish.ts'
import { sum } from './recorded-work.ts'
import { judgeHolders, type Kept, kept, otherWay } from './kept.ts'
import { memoryOfDevice } from './memory-of-device.ts'
import { confidenceOf, freedBy, idleOf, type Proposal, queryOf } from './proposal.ts'
import { SCALABLE } from './reclaim-idle.ts'
import type { RecommendContext } from './recommend-context.ts'
import { eased, isFresh, sizeLevel, sizeOptionsFor, whyUnlike } from './size-study.ts'

/**
 * Workloads that hold several devices and whose work, all of them together, fits on fewer: fewer replicas where a
 * controller keeps a number of them, else fewer devices to each pod.
 */
export const fewerGpus = (context: RecommendContext): ReadonlyArray<Proposal | Kept> => judgeHolders(context, judged)

function judged(workload: Workload, context: RecommendContext): Proposal | Kept | undefined {
  const holding = holdingOf(workload, context)
  if (holding === undefined) return undefined
  if (typeof holding === 'string') return kept(workload.id, 'needs-size', holding)
  return otherWay(workload.id, 'right-size', context) ?? fewest(workload, holding, context)
}

/** The fewest devices that its work fits on. */
function fewest(workload: Workload, holding: Holding, context: RecommendContext): Proposal | Kept {
  const { id } = workload
  const { model, profile } = holding.part
  const rows = (context.rowsOf.get(id) ?? []).filter((row) => row.model === model && row.profile === profile)
  const history = togetherOf(id, rows)
  const strict = sizeOptionsFor(sizeLevel(workload.class), context)
  const before = context.before('fewer-gpus', `workload/${id}`)?.evidence.figures['devices after']
  const objection = objectionTo(history, before === undefined ? strict : eased(strict))
  if (objection !== undefined || !isFresh(rows, context)) return keptBy(id, objection)
  const needs = needsOf(history)
  for (const devices of holding.choices) {
    // What was advised before stays while it nearly fits.
    const options = devices === before ? eased(strict) : strict
    const chance = chanceOn(devices, { history, needs, holding, options, context })
    if (chance !== undefined) return proposalOf(workload, { devices, chance, history, needs, holding, context })
  }
  return kept(id, 'needs-size', `Fewer GPUs: ${workWords(holding, needs)}, which fewer may not hold.`)
}

const keptBy = (id: WorkloadId, objection: Objection | undefined): Kept =>
  objection === undefined
    ? kept(id, 'not-measured', 'Fewer GPUs: its newest usage is hours old.')
    : kept(id, objection.kind === 'keep' ? 'needs-size' : 'not-measured', `Fewer GPUs: ${objection.because}.`)

type Holding = {
  readonly part: GpuPart
  readonly parts: readonly GpuPart[]
  readonly pods: readonly Pod[]
  readonly request: GpuRequest
  /** What is given up: whole replicas, or devices of each pod. */
  readonly by: 'replicas' | 'devices'
  /** How many devices, of all pods together, it could do with, fewest first. */
  readonly choices: readonly number[]
}

/** Devices of one kind, as many to each pod; in words why that is not so, undefined where it holds one only. */
function holdingOf(workload: Workload, context: RecommendContext): Holding | string | undefined {
  const { held, podsOf } = context
  const parts = held.get(workload.id) ?? []
  const pods = podsOf.get(workload.id) ?? []
  const [part] = parts
  const request = pods[0]?.requests[0]
  if (part === undefined || request === undefined || parts.length < 2) return undefined
  const unlike = whyUnlike(parts, pods)
  if (unlike !== undefined) return `Fewer GPUs: ${unlike}`
  const { by, choices } = choicesOf(workload, { pods, count: request.count }, context)
  if (choices.length === 0) return by === 'replicas' ? FLOOR : onlyByHand(workload)
  return { part, parts, pods, request, by, choices }
}

const onlyByHand = ({ kind }: Workload): string =>
  `Fewer GPUs: each pod holds one device, and how many pods a ${kind} has is set by its owner.`

const FLOOR =
  'Fewer GPUs: with fewer replicas than its disruption budget asks for and one more, no node under them could be drained.'

/** What is given up, and how many devices of all may be left. Of the pods that a budget asks for one more stays. */
function choicesOf(
  { kind, class: work }: Workload,
  { pods, count }: { readonly pods: readonly Pod[]; readonly count: number },
  { budgetsBy }: Pick<RecommendContext, 'budgetsBy'>,
): Pick<Holding, 'by' | 'choices'> {
  if (pods.length === 1 || !SCALABLE.has(kind)) {
    return { by: 'devices', choices: divisorsBelow(count).map((left) => left * pods.length) }
  }
  const floor = Math.max(0, ...pods.flatMap(({ id }) => (budgetsBy.get(id) ?? []).map((each) => each.floor ?? 0)))
  const choices = replicaChoices(pods.length, work).filter((left) => left > floor)
  return { by: 'replicas', choices: choices.map((left) => left * count) }
}

/** Two replicas of a service that had more stay: one may restart while the other answers. */
function replicaChoices(replicas: number, work: WorkloadClass): readonly number[] {
  const least = work === 'inference' && replicas > 2 ? 2 : 1
  return Array.from({ length: replicas - least }, (_, index) => least + index)
}

/** Ranks of one model split it evenly, so only numbers that divide what it has are offered. */
const divisorsBelow = (count: number): readonly number[] =>
  Array.from({ length: count - 1 }, (_, index) => index + 1).filter((divisor) => count % divisor === 0)

/** The history of all devices as if they were one: what they did at the same time adds up. */
function togetherOf(id: WorkloadId, rows: readonly UsageRow[]): UsageHistory {
  const own = historyOfRows(id, rows)
  const byTime = Map.groupBy(rows, ({ at }) => at)
  return { ...own, buckets: own.buckets.map((bucket) => addedUp(bucket, byTime.get(bucket.at) ?? [])) }
}

/** A sum is known only where every part of it is. Pods that follow each other in a bucket count by their time in it. */
function addedUp(bucket: UsageBucket, rows: readonly UsageRow[]): UsageBucket {
  const there = Math.max(1, ...rows.map(({ present }) => present))
  const measured = rows.every((row) => row.measured > 0 || row.present === 0)
    ? Math.min(bucket.measured, ...rows.filter(({ present }) => present === there).map((row) => row.measured))
    : 0
  const byPod = [...Map.groupBy(rows, ({ pod }) => pod).values()]
  const memory = byPod.map((own) => sum(own, ({ memoryPeak }) => memoryPeak ?? 0))
  return {
    ...bucket,
    measured: seconds(measured),
    compute: sum(rows, ({ busy, share, present }) => ((busy ?? 0) * share * present) / there),
    computePeak: sum(rows, ({ busyPeak, share }) => (busyPeak ?? 0) * share),
    memoryPeak: mib(Math.max(0, ...memory)),
  }
}

type Needs = { readonly sustained: number; readonly peak: number; readonly memory: number }

/** GPUs of work in all but the busiest twentieth of the hours, and at the highest moment; MiB of one pod's devices. */
function needsOf(history: UsageHistory): Needs {
  const known = history.buckets.filter(({ measured }) => measured > 0)
  const hours = known.flatMap((bucket) => levelAt(bucket, 'compute') ?? [])
  return {
    sustained: quantileOf(hours, 0.95) ?? Infinity,
    peak: known.reduce((most, { computePeak }) => Math.max(most, computePeak ?? 0), 0),
    memory: peakOf(history, 'memory') ?? Infinity,
  }
}

type Asked = {
  readonly history: UsageHistory
  readonly needs: Needs
  readonly holding: Holding
  readonly options: RightSizeOptions
  readonly context: RecommendContext
}

/** The chance that so many devices are too few within a day; undefined where they are not to be had. */
function chanceOn(devices: number, { history, needs, holding, options, context }: Asked): Chance | undefined {
  const { part, pods, by } = holding
  const compute = devices * part.share
  if (needs.sustained > compute * options.targetUtilization || needs.peak > compute) return undefined
  const memory = ((memoryOfDevice(part) ?? 0) * devices) / pods.length
  if (by === 'devices' && needs.memory * (1 + options.memoryMargin) > memory) return undefined
  const chance = chanceOfOverrun(history, compute, { model: context.overrun, resource: 'compute' })
  return chance.chance <= options.accepted.compute ? chance : undefined
}

const measuredHours = ({ buckets }: UsageHistory): number =>
  buckets.reduce((total, { measured }) => total + measured, 0) / 3600

/** Hours of history after which it is half sure that a past goes on. */
const LEAST_HOURS = 24

type Found = Omit<Asked, 'options'> & { readonly devices: number; readonly chance: Chance }

function proposalOf(workload: Workload, found: Found): Proposal {
  const { devices, chance, history, needs, holding, context } = found
  const { parts, pods, request, by, part } = holding
  const { id, namespace, name } = workload
  const evidence = sizeEvidence(history)
  const left = by === 'replicas' ? devices / request.count : devices / pods.length
  const spare = 1 - devices / parts.length
  const wish: Wish =
    by === 'replicas'
      ? { kind: 'scale', workload: id, to: left }
      : { kind: 'resize', workload: id, to: [{ resource: request.resource, count: left }] }
  return {
    kind: 'fewer-gpus',
    object: `workload/${id}`,
    title:
      by === 'replicas'
        ? `Run ${plural(left, 'replica')} of ${namespace}/${name} instead of ${pods.length}`
        : `Request ${plural(left, deviceWord(part))} instead of ${request.count} for ${pods.length === 1 ? '' : 'each pod of '}${namespace}/${name}`,
    message: `${workWords(holding, needs)}. ${riskWords(by, left)}`,
    rule: { name: `fewer-gpus/${by}`, version: 1 },
    evidence: {
      query: queryOf(id),
      window: evidence.window,
      samples: evidence.samples,
      coverage: evidence.coverage,
      figures: {
        pods: pods.length,
        'devices held': parts.length,
        'devices after': devices,
        'busy in the busiest hours, GPUs': round(needs.sustained),
        'busy at the highest moment, GPUs': round(needs.peak),
        ...(by === 'devices' ? { 'memory peak of a pod, MiB': Math.round(needs.memory) } : {}),
        'chance of too little compute in a day, %': round(chance.chance * 100),
      },
    },
    wishes: [wish],
    displaces: by === 'replicas' ? pods.length - left : pods.length,
    gain: {
      freed: freedBy(parts.map((each) => ({ ...each, share: ratio(each.share * spare) }))),
      shown: { kind: 'number', effect: 'capacity-freed', wasted: idleOf(id, context), makesRoom: true },
    },
    overrun: ratio(chance.chance),
    // As sure as the chance is, and as the past is that it goes on.
    confidence: ratio(
      confidenceOf(measuredHours(history), LEAST_HOURS, evidence.coverage) * Math.max(0, 1 - 2 * chance.error),
    ),
  }
}

function riskWords(by: Holding['by'], left: number): string {
  if (by === 'devices') {
    return "Also set its own number of GPUs to match (tensor parallel size, workers), or it won't start."
  }
  return left === 1
    ? 'One replica is left, so there is no service while that one restarts. An autoscaler must allow so few.'
    : 'An autoscaler must allow so few.'
}

const workWords = ({ parts }: Holding, { peak, sustained }: Needs): string =>
  `${parts.length === 2 ? 'Both' : `All ${parts.length}`} together did the work of ${round(peak)} GPUs at the highest moment and of ${round(sustained)} in the busiest hours`

const deviceWord = ({ profile }: GpuPart): string => (profile === '' ? 'GPU' : profile)
const round = (value: number): number => Math.round(value * 100) / 100
