import type { WorkloadId } from '../../cluster/workload.ts'
import { HOURS_PER_MONTH, type Instant, ratio, type Ratio, seconds, usd } from '../../units.ts'
import type { Plan } from '../action/action.ts'
import { contentHash } from '../action/content-hash.ts'
import { makePlan } from '../action/make-plan.ts'
import { CAREFUL_POLICY } from '../action/plan-policy.ts'
import type { Wish } from '../action/wish.ts'
import type { RecommendContext } from './recommend-context.ts'
import type { Evidence, Recommendation, RecommendationKind, Risk, Saving } from './recommendation.ts'

/** What a rule proposes: everything but what is the same for all rules. */
export type Proposal = {
  readonly kind: RecommendationKind
  readonly object: string
  readonly title: string
  readonly message: string
  readonly rule: Recommendation['rule']
  readonly evidence: Evidence
  readonly wishes: readonly Wish[]
  readonly bound?: string
  /** GPUs that would do other work, or none, from then on, and what they are; for the order, also where no number is shown. */
  readonly gain: Gain
  readonly overrun?: Ratio
  readonly confidence: Ratio
}

export type Gain = {
  readonly gpus: number
  readonly pool: string
  readonly model: string
  readonly shown:
    | { readonly kind: 'number'; readonly effect: 'bill-reduced' | 'capacity-freed' }
    | { readonly kind: 'none'; readonly because: string }
}

/** The recommendation with its plan; undefined where the guardrails refuse all of it: what cannot be done is no advice. */
export function completed(proposal: Proposal, context: RecommendContext): Recommendation | undefined {
  const { kind, object, title, message, rule, evidence, gain, wishes, bound } = proposal
  const { snapshot } = context
  const plan = makePlan({ snapshot, wishes, title, policy: SHOWN_POLICY, ...(bound === undefined ? {} : { bound }) })
  if (plan.steps.length === 0 || plan.refused.length > 0) return undefined
  const saving = savingOf(gain, context)
  return {
    id: `${kind}-${contentHash(`${snapshot.cluster}/${object}`)}`,
    cluster: snapshot.cluster,
    kind,
    object,
    title,
    message,
    rule,
    madeAt: snapshot.takenAt,
    evidence,
    saving,
    risk: riskOf(plan, proposal),
    plan,
    rank: rankOf(proposal, context),
  }
}

/** A person decides: what waits and who is displaced is shown, so a recommendation may let pods wait for their room. */
const SHOWN_POLICY = { ...CAREFUL_POLICY, maxDisplaced: 40, mayWait: true }

function savingOf({ gpus, pool, model, shown }: Gain, { priceOf }: RecommendContext): Saving {
  if (shown.kind === 'none') return shown
  const gpuHoursPerMonth = gpus * HOURS_PER_MONTH
  const price = priceOf({ pool, model })
  const usdPerMonth = price.kind === 'known' ? usd(gpuHoursPerMonth * price.price) : undefined
  return { kind: 'estimated', gpuHoursPerMonth, usdPerMonth, price, effect: shown.effect }
}

function riskOf({ steps }: Plan, { overrun, confidence }: Proposal): Risk {
  const displaced = [...new Set(steps.flatMap((step) => step.displaced))]
  const low = steps.reduce((sum, { duration }) => sum + duration.low, 0)
  const high = steps.reduce((sum, { duration }) => sum + duration.high, 0)
  const [source = 'assumed'] = [...new Set(steps.map(({ duration }) => duration.source.split(':')[0] ?? ''))].toSorted()
  return {
    level: levelOf(displaced.length, overrun ?? 0),
    displaced,
    duration: { low: seconds(low), high: seconds(high), source },
    overrun,
    confidence,
  }
}

/** Nobody is displaced: low. Many are, or an overrun is more likely than one in ten: high. */
const levelOf = (displaced: number, overrun: number): Risk['level'] =>
  displaced > 8 || overrun > 0.1 ? 'high' : displaced > 0 || overrun > 0.02 ? 'medium' : 'low'

/**
 * What is expected to be won in a month: GPU-hours × confidence × price, or GPU-hours alone where unpriced, less what an
 * overrun would lose. Two digits, so that the order does not change with every reading.
 */
function rankOf({ gain, confidence, overrun = ratio(0) }: Proposal, { priceOf }: RecommendContext): number {
  const price = priceOf(gain)
  const worth = gain.gpus * HOURS_PER_MONTH * (price.kind === 'known' ? price.price : 1)
  return Number((worth * confidence * (1 - overrun)).toPrecision(2))
}

/** Workloads and nodes that a recommendation changes: two that change the same thing are not shown together. */
export function touchedBy({ plan, object }: Recommendation): readonly string[] {
  const touched = plan.steps.flatMap(({ action }): string[] => [
    ...('workload' in action ? [`workload/${action.workload}`] : []),
    ...('node' in action ? [`node/${action.node}`] : []),
  ])
  return [...new Set([object, ...touched])]
}

/** How sure a stretch of the past is that it goes on: half where it lasted as long as asked for, more for longer. */
export const confidenceOf = (observedHours: number, askedHours: number, coverage: number): Ratio =>
  ratio((observedHours / (observedHours + askedHours)) * coverage)

/** Where a workload's metrics can be asked for. */
export const queryOf = (workload: WorkloadId, metric = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'): string => {
  const [namespace = '', , name = ''] = workload.split('/')
  return `${metric}{namespace="${namespace}",pod=~"${name}.*"}`
}

export const hoursBetween = (from: Instant, to: Instant): number => (to - from) / 3_600_000
