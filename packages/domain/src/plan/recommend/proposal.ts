import { listed, plural } from '../../words.ts'
import { partsOfSnapshot, type GpuPart } from '../../analyze/gpu-parts.ts'
import type { Allocation, ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode, Problem } from '../../cluster/node.ts'
import type { GpuRequest, Pod, PodId, WorkloadId } from '../../cluster/workload.ts'
import {
  HOURS_PER_MONTH,
  SECONDS_PER_HOUR,
  compareText,
  instant,
  ratio,
  seconds,
  usd,
  usdPerGpuHour,
  type Ratio,
} from '../../units.ts'
import type { Price } from '../../cost/price-book.ts'
import { shareOfResource } from '../../gpu/resource-share.ts'
import type { Plan } from '../words/action.ts'
import type { RecommendationKind } from '../words/action-class.ts'
import { contentHash } from '../words/content-hash.ts'
import { makePlan } from '../steps/make-plan.ts'
import { switchesMode } from '../steps/step-words.ts'
import { whyNotKept } from '../steps/why-not-kept.ts'
import { CAREFUL_POLICY, type PlanPolicy } from '../words/plan-policy.ts'
import type { Wish } from '../words/wish.ts'
import { carriedOut, plannedGpus } from '../steps/planned-gpus.ts'
import type { RecommendContext } from './recommend-context.ts'
import type { Evidence, Recommendation, Risk, Saving } from './recommendation.ts'
import type { DisruptionBudget } from '../../cluster/scheduling.ts'

/** What a rule proposes: everything but what is the same for all rules. */
export type Proposal = {
  readonly kind: RecommendationKind
  readonly object: string
  readonly title: string
  readonly message: string
  readonly rule: Recommendation['rule']
  readonly evidence: Evidence
  readonly wishes: readonly Wish[]
  /** Why Septet cannot do it and who can: then the plan has no step, and this says so. Without `wishes` only. */
  readonly byHand?: Problem
  /** Waiting pods that it says it starts. */
  readonly starts?: readonly PodId[]
  /** How many pods its message says it displaces; where the plan differs, the advice is not given. */
  readonly displaces?: number
  /** Nodes and partitions that it counts on beside what its plan changes: `node/…`, `partition/…`. */
  readonly needs?: readonly string[]
  readonly bound?: string
  /** GPUs that would do other work, or none, from then on; for the order, also where no number is shown. */
  readonly gain: Gain
  readonly overrun?: Ratio
  readonly confidence: Ratio
}

type Gain = {
  readonly freed: readonly FreedCapacity[]
  readonly shown:
    | {
        readonly kind: 'number'
        readonly effect: 'bill-reduced' | 'capacity-freed'
        /** More than this is never claimed, however much would be free. */
        readonly wasted: Wasted
        /** Its work fits on less: all that is free then is worth something, also what it was used for. */
        readonly makesRoom?: true
      }
    | { readonly kind: 'none'; readonly brings: string; readonly because: string }
}

/** What the window measured as wasted on what changes, per hour of it; `usd` is undefined where nothing has a price. */
export type Wasted = { readonly gpus: number; readonly usd: number | undefined }

/** What a workload held and did not use, for each hour of the window, those before it began counted in. */
export function idleOf(id: WorkloadId, context: RecommendContext): Wasted {
  const hours = hoursObserved(context)
  const { idleHours = 0, idleCost } = context.usageOf.get(id) ?? {}
  return { gpus: idleHours / hours, usd: idleCost === undefined ? undefined : idleCost / hours }
}

export const hoursObserved = ({ analysis }: RecommendContext): number =>
  Math.max(1, analysis.observedSeconds / SECONDS_PER_HOUR)

/** So many GPUs of a model in a pool; a MIG device counts as its share. */
export type FreedCapacity = { readonly gpus: number; readonly pool: string; readonly model: string }

/** What the parts come to, by pool and model: a workload's pods may hold different things. */
export function freedBy(parts: readonly GpuPart[]): readonly FreedCapacity[] {
  const groups = Map.groupBy(parts, ({ pool, model }) => JSON.stringify([pool, model]))
  return [...groups.entries()]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, group]) => {
      const [first] = group
      return first === undefined
        ? []
        : { gpus: group.reduce((sum, { share }) => sum + share, 0), pool: first.pool, model: first.model }
    })
}

/** A recommendation, and what else must stay as it is for it to hold. */
export type Completed = { readonly recommendation: Recommendation; readonly needs: readonly string[] }

/** The recommendation with its plan; why not where the guardrails refuse any of it: what cannot be done is no advice. */
export function completed(proposal: Proposal, context: RecommendContext): Completed | string {
  const { kind, object, title, message, rule, evidence, gain, displaces, needs = [] } = proposal
  const { snapshot } = context
  const around = surroundings(proposal.wishes, context)
  const plan = planOf(proposal, around, planPolicyOf(context))
  if (typeof plan === 'string') return plan
  const broken = brokenPromise(plan, proposal, context)
  if (broken !== undefined) return broken
  const risk = riskOf(plan, proposal)
  if (displaces !== undefined && displaces !== risk.displaced.length) return 'It would displace other pods too.'
  const recommendation: Recommendation = {
    // Never of a figure, nor of where there is room for it just now: what a person has read or dismissed stays that.
    id: `${kind}-${contentHash(`${snapshot.cluster}/${object}`)}`,
    cluster: snapshot.cluster,
    kind,
    object,
    title,
    message,
    rule,
    madeAt: snapshot.takenAt,
    evidence: { ...evidence, figures: { ...evidence.figures, ...assumedPrice(gain, context) } },
    saving: savingOf(gain, { usable: usableAfter(plan, around, context), priceOf: context.priceOf }),
    risk,
    plan,
    gpus: plannedGpus(plan, around, planPolicyOf(context)),
    rank: steadyRank(rankOf(proposal, context), context.before(kind, object)?.rank),
  }
  return { recommendation, needs }
}

/** Why its own steps would not lead where it says: whoever ran before runs again, and what it starts runs. */
function brokenPromise(plan: Plan, { starts = [] }: Proposal, context: RecommendContext): string | undefined {
  const moved = plan.moves.map(({ pod }) => ({ pod, node: undefined }))
  // Of several such proposals each is of use alone: which of equal pods starts by it, the scheduler says.
  const runs = [...moved, ...starts.map((pod) => ({ pod, node: undefined, orAlike: true }))]
  if (runs.length === 0) return undefined
  return whyNotKept(plan, context.snapshot, { policy: planPolicyOf(context), runs, free: [] })[0]?.message
}

function planOf(
  { title, wishes, byHand, bound }: Proposal,
  snapshot: ClusterSnapshot,
  policy: PlanPolicy,
): Plan | string {
  const plan = makePlan({ snapshot, wishes, title, policy, ...(bound === undefined ? {} : { bound }) })
  if (byHand !== undefined) return { ...plan, refused: [byHand] }
  const [refused] = plan.refused
  return refused === undefined && plan.steps.length > 0 ? plan : (refused?.message ?? 'Nothing would change.')
}

/** A person decides: what waits and who is displaced is shown, so a recommendation may let pods wait for their room. */
export const SHOWN_POLICY: PlanPolicy = { ...CAREFUL_POLICY, maxDisplaced: 40, mayWait: true }

const planPolicyOf = ({ policy }: RecommendContext): PlanPolicy => ({ ...SHOWN_POLICY, ...policy?.plans })

/** To the hundredth below, so that sums of claims are not more than sums of what was measured either. */
const roundedDown = (amount: number): number => Math.floor(amount * 100 + 1e-6) / 100

type Claim = Pick<RecommendContext, 'priceOf'> & {
  /** GPUs that others can use once it is done, beside those that they can use now. */
  readonly usable: number
}

/**
 * GPUs in a shape that a profile fits, after the plan less before, and less what its own pods then ask for: room that
 * nobody can use is not freed. Infinite where only its owner can do it, as there is no step to look at.
 */
function usableAfter(plan: Plan, before: ClusterSnapshot, context: RecommendContext): number {
  const after = plan.steps.length === 0 ? undefined : carriedOut(plan, before, planPolicyOf(context))
  if (after === undefined) return Infinity
  const own = new Set(plan.steps.flatMap(({ displaced }) => displaced))
  const asked = after.pods.flatMap(({ id, requests }) => {
    const model = context.heldBy.get(id)?.[0]?.model
    return own.has(id) && model !== undefined ? requestedShare(requests, model) : 0
  })
  return freeShare(after) - freeShare(before) - asked.reduce((sum, share) => sum + share, 0)
}

const freeShare = (snapshot: ClusterSnapshot): number =>
  partsOfSnapshot(snapshot).reduce((sum, { kind, share }) => sum + (kind === 'free' ? share : 0), 0)

const sumOf = (freed: readonly FreedCapacity[]): number => freed.reduce((sum, { gpus }) => sum + gpus, 0)

/** Never more than the window measured as wasted: what was used all the time frees room, but no cost that was idle. */
function savingOf({ freed, shown }: Gain, { usable, priceOf }: Claim): Saving {
  if (shown.kind === 'none') return shown
  const { effect, wasted, makesRoom } = shown
  const gpus = Math.max(0, Math.min(sumOf(freed), effect === 'capacity-freed' ? usable : Infinity))
  const claimed = Math.min(gpus, wasted.gpus)
  const price = priceOfAll(freed, priceOf)
  const room = makesRoom ? { room: monthly(gpus, price) } : {}
  if (claimed <= 0) {
    return {
      ...room,
      kind: 'none',
      brings: `frees ${plural(Math.round(gpus * 100) / 100, 'GPU')}`,
      because: 'Over this history no idle time would have been saved; what it frees is room for other work.',
    }
  }
  return {
    ...room,
    kind: 'estimated',
    ...monthly(claimed, price, wasted.usd ?? 0),
    price,
    effect,
  }
}

/** So many GPUs for a month, and what they cost by the hour, `most` at most. */
function monthly(gpus: number, price: Price, most = Infinity): NonNullable<Saving['room']> {
  const hourly = price.kind === 'known' ? Math.min(gpus * price.price, most) : undefined
  return {
    gpuHoursPerMonth: roundedDown(gpus * HOURS_PER_MONTH),
    usdPerMonth: hourly === undefined ? undefined : usd(roundedDown(hourly * HOURS_PER_MONTH)),
  }
}

/** One price where all GPUs have the same, else their mean by number; unknown where any is. */
function priceOfAll(freed: readonly FreedCapacity[], priceOf: RecommendContext['priceOf']): Price {
  const prices = freed.map((each) => ({ gpus: each.gpus, price: priceOf(each) }))
  const known = prices.flatMap(({ gpus, price }) => (price.kind === 'known' ? [{ gpus, price }] : []))
  const [first] = known
  const unknown = prices.find(({ price }) => price.kind === 'unknown')?.price
  if (unknown !== undefined) return unknown
  if (first === undefined) return { kind: 'unknown', because: 'no GPU is named' }
  if (known.every(({ price }) => price.price === first.price.price && price.source === first.price.source)) {
    return first.price
  }
  const gpus = known.reduce((sum, each) => sum + each.gpus, 0)
  const hourly = known.reduce((sum, each) => sum + each.gpus * each.price.price, 0)
  return {
    ...first.price,
    price: usdPerGpuHour(hourly / gpus),
    source: `mean of: ${[...new Set(known.map(({ price }) => price.source))].toSorted().join('; ')}`,
    asOf: instant(Math.min(...known.map(({ price }) => price.asOf))),
  }
}

function riskOf({ steps }: Plan, { overrun, confidence }: Proposal): Risk {
  const displaced = [...new Set(steps.flatMap((step) => step.displaced))]
  const low = steps.reduce((sum, { duration }) => sum + duration.low, 0)
  const high = steps.reduce((sum, { duration }) => sum + duration.high, 0)
  const sources = new Set(steps.map(({ duration }) => duration.source.split(':')[0] ?? ''))
  return {
    level: steps.some(({ action }) => switchesMode(action)) ? 'mode-change' : levelOf(displaced.length, overrun ?? 0),
    displaced,
    duration: { low: seconds(low), high: seconds(high), source: listed([...sources].toSorted()) },
    overrun,
    confidence,
  }
}

/**
 * By who is disturbed, where no MIG mode changes. High: more than eight pods are displaced, or an overrun within a day is more likely than one in ten. Medium: anybody is
 * displaced, or an overrun is more likely than one in fifty. Low: the rest.
 */
export const levelOf = (displaced: number, overrun: number): Risk['level'] =>
  displaced > 8 || overrun > 0.1 ? 'high' : displaced > 0 || overrun > 0.02 ? 'medium' : 'low'

/** The rank that it had, while the new one is within a fifth of it: an order that changes with every reading helps nobody. */
const steadyRank = (rank: number, before = rank): number => (Math.abs(rank - before) <= before / 5 ? before : rank)

/** At what a GPU without a price is ranked: said, as it is in no amount. */
function assumedPrice({ freed }: Gain, { priceOf, meanPrice }: RecommendContext): Evidence['figures'] {
  const isGuessed = meanPrice !== undefined && freed.some((each) => priceOf(each).kind === 'unknown')
  return isGuessed
    ? { 'ranked at the mean price of the GPUs that have one, USD per GPU-hour': Math.round(meanPrice * 100) / 100 }
    : {}
}

/**
 * What is expected to be won in a month: GPU-hours × confidence × price, less what an overrun would lose. A GPU without a
 * price counts at the mean of the others. Two digits, so that the order does not change with every reading.
 */
function rankOf({ gain, confidence, overrun = ratio(0) }: Proposal, { priceOf, meanPrice }: RecommendContext): number {
  const hourly = gain.freed.reduce((sum, freed) => {
    const price = priceOf(freed)
    return sum + freed.gpus * (price.kind === 'known' ? price.price : (meanPrice ?? 1))
  }, 0)
  return Number((hourly * HOURS_PER_MONTH * confidence * (1 - overrun)).toPrecision(2))
}

/**
 * Workloads and nodes that a recommendation changes, those that take displaced pods in among them. Work that only moves
 * holds what it held: what else would be done with it goes on being true.
 */
export function changedBy({ plan, object }: Recommendation, { nodeOfGpu }: RecommendContext): ReadonlySet<string> {
  const nodeOf = (gpu: string): string => `node/${nodeOfGpu.get(gpu) ?? ''}`
  const moved = new Set(plan.moves.map(({ pod }) => pod))
  const changed = plan.steps.flatMap(({ action }): string[] => [
    ...('workload' in action && !('pod' in action && moved.has(action.pod)) ? [`workload/${action.workload}`] : []),
    ...('node' in action ? [`node/${action.node}`] : []),
    ...('gpu' in action ? [nodeOf(action.gpu)] : []),
  ])
  const receivers = plan.moves.flatMap(({ to }) => (to === undefined ? [] : nodeOf(to.gpu)))
  return new Set([object, ...changed, ...receivers])
}

/**
 * How sure a stretch of the past is that it goes on: a half where it has lasted as long as is asked for at least, seven
 * eighths after seven times that, never 1; less by what was not measured of it.
 */
export const confidenceOf = (observedHours: number, askedHours: number, coverage: number): Ratio =>
  ratio((observedHours / (observedHours + askedHours)) * coverage)

/**
 * Where the metrics of a workload's pods can be asked for: dcgm-exporter's series by the names that the workload's
 * controller gives its pods, past ones too.
 */
export const queryOf = (workload: WorkloadId, metric = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'): string => {
  const [namespace = '', kind = '', ...rest] = workload.split('/')
  const name = rest.join('/').replaceAll(/[\\^$.|?*+()[\]{}]/gu, (sign) => `\\${sign}`)
  return `${metric}{namespace=${quoted(namespace)},pod=~${quoted(`${name}${POD_ENDINGS[kind] ?? '(-.*)?'}`)}}`
}

const POD_ENDINGS: Readonly<Record<string, string>> = {
  Pod: '',
  Deployment: '-[a-z0-9]+-[a-z0-9]+',
  StatefulSet: '-[0-9]+',
  ReplicaSet: '-[a-z0-9]+',
  Job: '-[a-z0-9]+(-[a-z0-9]+)?',
}

/** A PromQL string, whose backslashes and quotes are escaped once more. */
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** A share as a figure of the evidence: in percent, with at most one decimal. */
export const inPercent = (share: number): number => Math.round(share * 1000) / 10

/**
 * The part of the cluster that a plan for these wishes looks at: the nodes that change or take pods in, all pods there, and
 * all pods of the workloads that change. Their budgets and all quotas stay whole, as they say themselves what is left of
 * them. A plan made on it is the plan made on the whole, without walking through the whole once for each.
 */
export function surroundings(wishes: readonly Wish[], context: RecommendContext): ClusterSnapshot {
  const { snapshot, podsOf, podsOn, workloads } = context
  const changed = wishes.flatMap((wish) => ('workload' in wish ? (podsOf.get(wish.workload) ?? []) : []))
  const names = new Set([
    ...wishes.flatMap((wish) => nodesOf(wish, context)),
    ...changed.flatMap(({ node }) => node ?? []),
  ])
  const there = [...names].flatMap((name) => podsOn.get(name) ?? [])
  const pods = new Map<string, Pod>([...changed, ...there].map((pod) => [pod.id, pod]))
  const owners = new Set([...pods.values()].map(({ workload }) => workload))
  return {
    ...snapshot,
    nodes: nodesNamed(names, context),
    pods: [...pods.values()],
    workloads: [...owners].flatMap((id) => workloads.get(id) ?? []),
    allocations: allocationsOf(pods.keys(), context),
    budgets: budgetsOf(pods.keys(), context),
  }
}

/** In the order of the snapshot, which is that of their names. */
const nodesNamed = (names: Iterable<string>, { nodes }: RecommendContext): readonly GpuNode[] =>
  [...names].flatMap((name) => nodes.get(name) ?? []).toSorted((a, b) => compareText(a.name, b.name))

/** Those that cover any of the pods, each with all that it covers, by id as the snapshot has them. */
const budgetsOf = (pods: Iterable<PodId>, { budgetsBy }: RecommendContext): readonly DisruptionBudget[] =>
  [...new Set([...pods].flatMap((pod) => budgetsBy.get(pod) ?? []))].toSorted((a, b) => compareText(a.id, b.id))

/** In the order of the snapshot, which is that of their partitions. */
const allocationsOf = (pods: Iterable<PodId>, { allocationsBy }: RecommendContext): readonly Allocation[] =>
  [...pods]
    .flatMap((pod) => allocationsBy.get(pod) ?? [])
    .toSorted((a, b) => compareText(a.partition, b.partition) || compareText(a.pod, b.pod))

function nodesOf(wish: Wish, { nodeOfGpu, heldBy }: RecommendContext): readonly string[] {
  const moves = 'moves' in wish ? wish.moves : []
  const gpus = wish.kind === 'layout' ? wish.targets.map(({ gpu }) => gpu) : []
  return [
    ...('node' in wish ? [wish.node] : []),
    ...[...gpus, ...moves.flatMap(({ to }) => to?.gpu ?? [])].flatMap((gpu) => nodeOfGpu.get(gpu) ?? []),
    ...moves.flatMap(({ pod }) => (heldBy.get(pod) ?? []).map(({ node }) => node)),
  ]
}

/** What a pod asks for, in GPUs of this model; what is no MIG device of it counts as a whole one. */
export const requestedShare = (requests: readonly GpuRequest[], model: string): number =>
  requests.reduce((sum, { resource, count }) => sum + count * (shareOfResource(resource, model) ?? 1), 0)
