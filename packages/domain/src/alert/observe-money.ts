import { cents, percent } from '../words.ts'
import type { CostGroup } from '../cost/cost-parts.ts'
import { tenantOf } from '../cost/tenant.ts'
import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../units.ts'
import {
  isFreshObservation,
  judgeCeiling,
  judgeFloor,
  NOTHING_SEEN,
  rounded,
  type AlertEvidence,
  type BudgetReading,
  type Observation,
  type Observed,
} from './observation.ts'

/** Budgets of which a share is spent: one observation for each share that somebody wants to know of. */
export function observeBudgets({ budgets, rules }: AlertEvidence): Observed {
  if (budgets === undefined) return NOTHING_SEEN
  const observations = budgets.flatMap((budget) => {
    const thresholds = budget.thresholds.length === 0 ? [rules.budget.threshold] : budget.thresholds
    return thresholds.map((threshold) => budgetObservation(budget, threshold))
  })
  return { observations, complete: true }
}

function budgetObservation(budget: BudgetReading, threshold: number): Observation {
  const { id, name, spent, limit, namespace, tenant } = budget
  const share = spent === undefined || limit <= 0 ? undefined : (spent / limit) * 100
  return {
    kind: 'budget',
    object: `budget/${id}/${threshold}`,
    namespace,
    tenant,
    verdict: share === undefined ? 'unknown' : judgeCeiling(share, threshold),
    figure: { value: share ?? 0, threshold, unit: 'percent', coverage: undefined },
    title: `${rounded(share ?? 0)}% of budget ${name} is spent`,
    message: `${cents(spent ?? 0)} of the ${cents(limit)} of budget ${name} are spent (limit ${rounded(threshold)}%).`,
    advice: 'Open Cost to see which workloads it went to; shrink or stop what is idle, or raise the budget.',
  }
}

/** Under this share of measured time nothing is said about efficiency. */
const ENOUGH_COVERAGE = 0.8

/** Busy of allocated over 24 hours: of the cluster, and of each namespace that the rule names. */
export function observeEfficiency(evidence: AlertEvidence): Observed {
  const { day, rules, tenants, clusterName } = evidence
  if (!isFreshObservation(evidence) || day === undefined) return NOTHING_SEEN
  const { scope, threshold } = rules.efficiency
  const watched = day.observedSeconds / SECONDS_PER_HOUR
  const named = scope.namespaces.length > 0 || scope.tenants.length > 0
  const seen = named
    ? day.cost.byNamespace
        .filter(({ key }) => key !== '')
        .map(({ key, busyOfAllocated }) => ({ object: `namespace/${key}`, of: key, busyOfAllocated, namespace: key }))
    : [{ object: 'cluster', of: clusterName, busyOfAllocated: day.utilization.busyOfAllocated, namespace: undefined }]
  const observations = seen.map(({ object, of, busyOfAllocated, namespace }): Observation => {
    const { coverage } = busyOfAllocated
    const busy =
      busyOfAllocated.kind === 'known' && coverage >= ENOUGH_COVERAGE ? busyOfAllocated.value * 100 : undefined
    return {
      kind: 'efficiency',
      object,
      namespace,
      tenant: namespace === undefined ? undefined : tenantOf({ namespace }, tenants),
      verdict: busy === undefined ? 'unknown' : judgeFloor(busy, threshold),
      figure: { value: busy ?? 0, threshold, unit: 'percent', coverage },
      title: `GPUs held in ${of} are busy ${rounded(busy ?? 0)}% of the time`,
      message:
        `Over the last 24 h the GPUs that ${of} holds were busy for ${rounded(busy ?? 0)}% of the time that was ` +
        `measured (floor ${rounded(threshold)}%; Septet watched ${rounded(watched)} h, of which ${percent(coverage, 0)} was measured).`,
      advice: 'Open Workloads and sort by Busy, the lowest first, to see which use their GPUs least.',
    }
  })
  return { observations, complete: true }
}

/** Of fewer days no mean is made. */
const LEAST_DAYS = 3
/** Changes of smaller amounts are noise, dollars a day. */
const WORTH_TELLING = 10

/** What held GPUs cost a day: the last 24 hours beside the mean of the days before, of each namespace and each tenant. */
export function observeSpend(evidence: AlertEvidence): Observed {
  const { day, week } = evidence
  const now = (day?.observedSeconds ?? 0) / SECONDS_PER_DAY
  // The week holds the last 24 hours too: what is compared with them are the days before.
  const before = (week?.observedSeconds ?? 0) / SECONDS_PER_DAY - now
  if (!isFreshObservation(evidence) || day === undefined || week === undefined || before < LEAST_DAYS || now < 0.9) {
    return NOTHING_SEEN
  }
  const ofWeek = new Map(week.cost.byNamespace.map((row) => [row.key, heldCost(row)]))
  const spends = day.cost.byNamespace
    .filter(({ key }) => key !== '')
    .map((row): Spend => {
      const [today, all] = [heldCost(row), ofWeek.get(row.key)]
      const earlier = today === undefined || all === undefined ? undefined : Math.max(0, all - today)
      return { who: row.key, today: perDay(today, now), mean: perDay(earlier, before) }
    })
  const observations = [
    ...spends.map((spend) =>
      spendObservation(evidence, spend, { object: `namespace/${spend.who}`, namespace: spend.who }),
    ),
    ...tenantSpends(spends, evidence.tenants).map((spend) =>
      spendObservation(evidence, spend, { object: `tenant/${spend.who}`, tenant: spend.who }),
    ),
  ]
  return { observations, complete: true }
}

/** Dollars a day; undefined where no price is known. */
type Spend = { readonly who: string; readonly today: number | undefined; readonly mean: number | undefined }

/**
 * Tenants of several namespaces; one of a single namespace has been told as that. Where labels decide about any tenant,
 * what a namespace spends cannot be told apart by them, and nothing is said of tenants.
 */
function tenantSpends(spends: readonly Spend[], rules: AlertEvidence['tenants']): Spend[] {
  if (rules.some(({ labels }) => Object.keys(labels).length > 0)) return []
  return [...Map.groupBy(spends, ({ who }) => tenantOf({ namespace: who }, rules))].flatMap(([who, some]) =>
    who === undefined || some.length < 2
      ? []
      : [{ who, today: sumKnown(some.map(({ today }) => today)), mean: sumKnown(some.map(({ mean }) => mean)) }],
  )
}

/** Undefined when any of it is: a part is not the whole. */
const sumKnown = (amounts: readonly (number | undefined)[]): number | undefined =>
  amounts.reduce((sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount), 0)

type Subject = { readonly object: string; readonly namespace?: string; readonly tenant?: string }

function spendObservation(evidence: AlertEvidence, { who, today = NaN, mean = NaN }: Spend, of: Subject): Observation {
  const { threshold } = evidence.rules['spend-change']
  const change = mean > 0 ? (today / mean - 1) * 100 : NaN
  const isSmall = Math.abs(today - mean) < WORTH_TELLING
  const verdict = isSmall ? 'clear' : judgeCeiling(change, threshold)
  return {
    kind: 'spend-change',
    object: of.object,
    namespace: of.namespace,
    tenant: of.namespace === undefined ? of.tenant : tenantOf({ namespace: of.namespace }, evidence.tenants),
    verdict: Number.isNaN(change) ? 'unknown' : verdict,
    figure: { value: Number.isNaN(change) ? 0 : change, threshold, unit: 'percent', coverage: undefined },
    title: `${who} spends ${rounded(change)}% more than before`,
    message:
      `GPUs held by ${who} in ${evidence.clusterName} cost ${cents(today)} a day in the last 24 h; ` +
      `in the days before it was ${cents(mean)} a day.`,
    advice: 'Open Cost for it to see which workload is new or grew.',
  }
}

const heldCost = ({ cost }: CostGroup): number | undefined => cost.money?.capacity
const perDay = (amount: number | undefined, days: number): number | undefined =>
  amount === undefined ? undefined : amount / days
