import {
  Refusal,
  type budgetsList,
  type budgetsPut,
  type budgetsRemove,
  type costDays,
  type InputOf,
  type FiguresOf,
  type OutputOf,
} from '@septet/contract'
import {
  knownSpent,
  cutCost,
  instant,
  spanOfRange,
  type Budget,
  type BudgetState,
  type MonthOutlook,
  type Store,
  type Caller,
} from '@septet/domain'

import { budgetStatesOf, outlookOf, readBudgets, writeBudgets, type BudgetNeeds } from '../../usage/budget-states.ts'
import { dailyCost, type CostedDay } from '../../usage/daily-cost.ts'
import type { ClusterFacts } from '../../facts.ts'
import { costPartsView } from './cost.ts'
import { answeredFrom } from '../answering/source.ts'
import { windowView } from '../answering/view.ts'

type Days = OutputOf<typeof costDays>
type Asked = BudgetNeeds & { readonly namespaces: Caller['namespaces'] }

/** The cost of each day of a window; of a day that nobody saw nothing is said. */
export async function liveDays(facts: ClusterFacts, input: InputOf<typeof costDays>, asked: Asked): Promise<Days> {
  const { store, now, namespaces } = asked
  const window = spanOfRange(input.range, instant(now))
  const days = await dailyCost(store, {
    cluster: facts.record.id,
    nodes: facts.picture()?.nodes ?? [],
    zone: input.zone,
    window,
    now: instant(now),
    namespaces,
  })
  return {
    ...answeredFrom(facts, { from: window.from, to: instant(Math.max(window.from, Math.min(window.to, now))) }),
    zone: input.zone,
    days: days.map((day) => dayView(day, namespaces === undefined ? 'cluster' : 'namespaces')),
    coarse: days.some(({ coarse }) => coarse),
  }
}

function dayView({ date, window, seen, cells }: CostedDay, scope: 'cluster' | 'namespaces'): Days['days'][number] {
  const [whole] = cutCost(cells, () => 'all')
  const known = seen > 0 && whole !== undefined
  return {
    date,
    window: windowView(window) ?? { from: '', to: '' },
    seen,
    gpuHours: known ? costPartsView(whole.cost.hours, scope) : null,
    usd: known && whole.cost.money !== undefined ? costPartsView(whole.cost.money, scope) : null,
  }
}

/** Where the month and every budget of a cluster stand. */
export async function liveBudgets(
  facts: ClusterFacts,
  input: InputOf<typeof budgetsList>,
  asked: Asked,
): Promise<FiguresOf<typeof budgetsList>> {
  const { namespaces } = asked
  const states = await budgetStatesOf(asked, facts, namespaces)
  return {
    ...answeredFrom(facts, undefined),
    outlook: outlookView(await outlookOf(asked, facts, { zone: input.zone, namespaces })),
    budgets: states.map(stateView),
  }
}

type OutlookView = NonNullable<OutputOf<typeof budgetsList>['outlook']>
const outlookView = (outlook: MonthOutlook): OutlookView => ({
  month: outlook.month,
  spent: knownSpent(outlook) ?? null,
  unknownDays: outlook.unknownDays,
  forecast: { ...outlook.forecast },
})

const stateView = (state: BudgetState): OutputOf<typeof budgetsList>['budgets'][number] => ({
  ...outlookView(state),
  ...budgetView(state.budget),
  name: state.budget.scope.kind === 'cluster' ? null : state.budget.scope.name,
  share: knownSpent(state) === undefined ? null : state.share,
  reached: [...state.reached],
  expectedToReach: [...state.expectedToReach],
  usedUp: state.usedUp ?? null,
})

export const budgetView = ({ scope, thresholds, ...budget }: Budget): OutputOf<typeof budgetsPut> => ({
  ...budget,
  scope: scope.kind,
  ...(scope.kind === 'cluster' ? {} : { name: scope.name }),
  thresholds: [...thresholds],
})

/** Sets a budget. */
export async function putBudget(
  { settings }: Pick<Store, 'settings'>,
  input: InputOf<typeof budgetsPut>,
): Promise<OutputOf<typeof budgetsPut>> {
  const { scope, name, thresholds, ...rest } = input
  if (scope !== 'cluster' && name === undefined) {
    throw new Refusal(
      'invalid-input',
      `A ${scope} budget needs the name of its ${scope}.`,
      `Give the name of the ${scope}.`,
    )
  }
  const budget: Budget = {
    ...rest,
    scope: scope === 'cluster' ? { kind: scope } : { kind: scope, name: name ?? '' },
    thresholds: thresholds.toSorted((a, b) => a - b),
  }
  const others = (await readBudgets(settings)).filter(({ id }) => id !== budget.id)
  await writeBudgets(settings, [...others, budget])
  return budgetView(budget)
}

/** Removes a budget. */
export async function removeBudget(
  { settings }: Pick<Store, 'settings'>,
  { id }: InputOf<typeof budgetsRemove>,
): Promise<OutputOf<typeof budgetsRemove>> {
  const budgets = await readBudgets(settings)
  if (!budgets.some((budget) => budget.id === id)) {
    throw new Refusal('not-found', `There is no budget "${id}".`, 'List the budgets to see their names.')
  }
  await writeBudgets(
    settings,
    budgets.filter((budget) => budget.id !== id),
  )
  return { removed: id }
}
