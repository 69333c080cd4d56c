import { BudgetsSchema, type budgetsPut, type OutputOf } from '@septet/contract'
import {
  DAY_MS,
  budgetState,
  cutCost,
  dateIn,
  dateText,
  daysTouching,
  instant,
  LOOK_BACK_DAYS,
  monthAfter,
  monthOutlook,
  onceFor,
  startOfDate,
  tenantOf,
  type Budget,
  type BudgetState,
  type CostCell,
  type DayCost,
  type Instant,
  type MonthOutlook,
  type OutlookSources,
  type SettingStore,
  type Store,
  type TenantSubject,
  type Window,
  type Workload,
} from '@septet/domain'

import { dailyCost } from './daily-cost.ts'
import type { ClusterFacts, Namespaces } from '../facts.ts'
import { readTenants } from '../tenants.ts'
import { readKnownWork, tellingLabels } from '../known-work.ts'

export type BudgetNeeds = {
  readonly store: Pick<Store, 'settings' | 'usage' | 'prices'>
  readonly now: number
}

const KEY = 'budgets'

/** The budgets in force, by id. */
export async function readBudgets(settings: SettingStore): Promise<readonly Budget[]> {
  const stored = await settings.get(KEY)
  if (stored === undefined || stored === null) return []
  return BudgetsSchema.parse(stored).budgets.map(({ id, cluster, scope, name, usdPerMonth, thresholds, zone }) => ({
    id,
    cluster,
    scope: scope === 'cluster' ? { kind: scope } : { kind: scope, name: name ?? '' },
    usdPerMonth,
    thresholds: thresholds.toSorted((a, b) => a - b),
    zone,
  }))
}

/** Replaces them all. */
export const writeBudgets = (settings: SettingStore, budgets: readonly Budget[]): Promise<void> =>
  settings.put(KEY, { budgets: budgets.map(budgetView) })

/** As it is stored and answered. */
export const budgetView = ({ scope, thresholds, ...budget }: Budget): OutputOf<typeof budgetsPut> => ({
  ...budget,
  scope: scope.kind,
  ...(scope.kind === 'cluster' ? {} : { name: scope.name }),
  thresholds: [...thresholds],
})

/** Where the budgets of one cluster stand this month; with namespaces those of these namespaces alone. */
export async function budgetStatesOf(
  { store, now }: BudgetNeeds,
  cluster: ClusterFacts,
  namespaces?: Namespaces,
): Promise<BudgetState[]> {
  const { id } = cluster.record
  const budgets = (await readBudgets(store.settings)).filter(
    (budget) => budget.cluster === id && sees(budget, namespaces),
  )
  const isOf = await scopeTest({ store, now }, cluster)
  const states: BudgetState[] = []
  for (const budget of budgets) {
    const sources = await sourcesOf({ store, now }, { cluster, zone: budget.zone, isOf: isOf(budget) })
    states.push(budgetState(budget, sources))
  }
  return states
}

/** What this month of a cluster costs, by its end too; with namespaces of what these held. */
export async function outlookOf(
  needs: BudgetNeeds,
  cluster: ClusterFacts,
  of: { readonly zone: string; readonly namespaces: Namespaces | undefined },
): Promise<MonthOutlook> {
  return monthOutlook(await sourcesOf(needs, { ...of, cluster, isOf: () => true }))
}

/** Of a budget of more than their namespaces they would learn what others spend. */
const sees = ({ scope }: Budget, namespaces: Namespaces | undefined): boolean =>
  namespaces === undefined || (scope.kind === 'namespace' && namespaces.includes(scope.name))

type Wanted = {
  readonly cluster: ClusterFacts
  readonly zone: string
  readonly isOf: (cell: CostCell) => boolean
  readonly namespaces?: Namespaces | undefined
}

/** The days of this month and the weeks before it, each with what it cost. */
async function sourcesOf(
  { store, now }: BudgetNeeds,
  { cluster, zone, isOf, namespaces }: Wanted,
): Promise<OutlookSources> {
  const at = instant(now)
  const window = outlookWindow(zone, at)
  const nodes = cluster.picture()?.nodes ?? []
  const costed = await dailyCost(store, { cluster: cluster.record.id, nodes, zone, window, now: at, namespaces })
  const known = new Map(
    costed.map(({ date, seen, cells }): [string, Pick<DayCost, 'usd' | 'seen'>] => [
      date,
      { seen, usd: seen > 0 ? dollarsOf(cells, isOf) : undefined },
    ]),
  )
  const days = daysTouching(zone, window).map((day) => ({
    ...day,
    ...(known.get(day.date) ?? { usd: undefined, seen: 0 }),
  }))
  return { days, month: dateText(monthAfter(dateIn(zone, at), 0)).slice(0, 7), now: at }
}

/** This month and the weeks that its forecast is made from. */
export function outlookWindow(zone: string, now: Instant): Window {
  const first = monthAfter(dateIn(zone, now), 0)
  return {
    from: instant(startOfDate(zone, first) - LOOK_BACK_DAYS * DAY_MS),
    to: startOfDate(zone, monthAfter(first, 1)),
  }
}

/** $0 where nothing of the scope was held on a day that was seen; undefined where what was held has no price. */
function dollarsOf(cells: readonly CostCell[], isOf: (cell: CostCell) => boolean): number | undefined {
  const [whole] = cutCost(cells, (cell) => (isOf(cell) ? 'all' : undefined))
  return whole === undefined ? 0 : whole.cost.money?.capacity
}

async function scopeTest(
  { store }: BudgetNeeds,
  cluster: ClusterFacts,
): Promise<(budget: Budget) => (cell: CostCell) => boolean> {
  const [rules, labelsOf] = await Promise.all([readTenants(store.settings), subjectLabels(store.settings, cluster)])
  return ({ scope }) =>
    (cell) => {
      if (scope.kind === 'cluster') return true
      if (scope.kind === 'namespace') return cell.namespace === scope.name
      return tenantOf({ namespace: cell.namespace, labels: labelsOf(cell.workload) }, rules) === scope.name
    }
}

/** The labels of a workload as it carries them now, else as they were when it was seen last; undefined where nobody knows. */
export async function subjectLabels(
  settings: SettingStore,
  cluster: ClusterFacts,
): Promise<(workload: string) => TenantSubject['labels']> {
  const remembered = await readKnownWork(settings, cluster.record.id)
  const picture = cluster.picture()
  const now = picture && labelsNow(picture.workloads)
  return (workload) => now?.get(workload) ?? remembered.get(workload)?.labels
}

const tellingOf = onceFor(({ labels }: Workload) => tellingLabels(labels ?? {}))

const labelsNow = onceFor(
  (workloads: readonly Workload[]) => new Map(workloads.map((workload) => [workload.id, tellingOf(workload)])),
)
