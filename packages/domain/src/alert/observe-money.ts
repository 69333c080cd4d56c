import type { CostRow } from '../cost/fleet-cost.ts'
import { tenantOf } from '../cost/tenant.ts'
import { SECONDS_PER_HOUR, usd } from '../units.ts'
import {
  isFresh,
  judgeCeiling,
  judgeFloor,
  NOTHING_SEEN,
  percentOf,
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
    title: `Budget ${name} has passed ${rounded(threshold)} %`,
    message: `${money(spent ?? usd(0))} of the ${money(limit)} of budget ${name} are spent: ${rounded(share ?? 0)} %.`,
    advice: 'Open Cost to see which workloads it went to; shrink or stop what is idle, or raise the budget.',
  }
}

/** Under this share of measured time nothing is said about efficiency. */
const ENOUGH_COVERAGE = 0.8

/** Busy of allocated over 24 hours: of the cluster, and of each namespace that the rule names. */
export function observeEfficiency(evidence: AlertEvidence): Observed {
  const { day, rules, tenants, clusterName } = evidence
  if (!isFresh(evidence) || day === undefined) return NOTHING_SEEN
  const { scope, threshold } = rules.efficiency
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
      title: `GPUs held in ${of} are busy ${rounded(busy ?? 0)} % of the time`,
      message:
        `Over the last 24 h the GPUs that ${of} holds were busy for ${rounded(busy ?? 0)} % of the time that was ` +
        `measured (floor ${rounded(threshold)} %; ${percentOf(coverage)} was measured).`,
      advice: 'Open Workloads, sorted by idle hours: the first ones hold most of what is not used.',
    }
  })
  return { observations, complete: true }
}

/** Of fewer days no mean is made. */
const LEAST_DAYS = 3
/** Changes of smaller amounts are noise, dollars a day. */
const WORTH_TELLING = 10

/** What held GPUs cost a day, now beside the mean of the week: of the cluster, and of each namespace. */
export function observeSpend(evidence: AlertEvidence): Observed {
  const { day, week } = evidence
  const [days, now] = [(week?.observedSeconds ?? 0) / DAY_SECONDS, (day?.observedSeconds ?? 0) / DAY_SECONDS]
  if (!isFresh(evidence) || day === undefined || week === undefined || days < LEAST_DAYS || now < 0.9) {
    return NOTHING_SEEN
  }
  const before = new Map(week.cost.byNamespace.map((row) => [row.key, heldCost(row)]))
  const observations = day.cost.byNamespace
    .filter(({ key }) => key !== '')
    .map((row) =>
      spendObservation(evidence, row.key, {
        today: perDay(heldCost(row), now),
        mean: perDay(before.get(row.key), days),
      }),
    )
  return { observations, complete: true }
}

/** Dollars a day; undefined where no price is known. */
type Spend = { readonly today: number | undefined; readonly mean: number | undefined }

function spendObservation(evidence: AlertEvidence, namespace: string, { today = NaN, mean = NaN }: Spend): Observation {
  const { threshold } = evidence.rules['spend-change']
  const change = mean > 0 ? (today / mean - 1) * 100 : NaN
  const isSmall = Math.abs(today - mean) < WORTH_TELLING
  const verdict = isSmall ? 'clear' : judgeCeiling(change, threshold)
  return {
    kind: 'spend-change',
    object: `namespace/${namespace}`,
    namespace,
    tenant: tenantOf({ namespace }, evidence.tenants),
    verdict: Number.isNaN(change) ? 'unknown' : verdict,
    figure: { value: Number.isNaN(change) ? 0 : change, threshold, unit: 'percent', coverage: undefined },
    title: `${namespace} spends ${rounded(change)} % more than its mean`,
    message:
      `GPUs held by ${namespace} in ${evidence.clusterName} cost ${money(today)} in the last 24 h; ` +
      `the daily mean of the 7 days is ${money(mean)}.`,
    advice: 'Open Cost for this namespace to see which workload is new or grew.',
  }
}

const DAY_SECONDS = 24 * SECONDS_PER_HOUR
const heldCost = ({ cost }: CostRow): number | undefined => cost.money?.capacity
const perDay = (amount: number | undefined, days: number): number | undefined =>
  amount === undefined ? undefined : amount / days
const money = (amount: number): string => `$${amount.toFixed(2).replaceAll(/\B(?=(\d{3})+\.)/gu, ',')}`
