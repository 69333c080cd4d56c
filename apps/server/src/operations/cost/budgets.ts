import { type budgetsList, type costDays, type OutputOf, invalidInput, notFound } from '@septet/contract'
import { cutCost, instant, spanOfRange, type Budget, type BudgetState, type MonthOutlook } from '@septet/domain'

import {
  budgetStatesOf,
  budgetView,
  outlookOf,
  outlookWindow,
  readBudgets,
  writeBudgets,
  type BudgetNeeds,
} from '../../usage/budget-states.ts'
import { dailyCost, type CostedDay } from '../../usage/daily-cost.ts'
import { costPartsView } from './cost.ts'
import { answeredFrom, answeredOver, upTo } from '../answering/source.ts'
import { windowView } from '../answering/view.ts'
import type { AnswersOf } from '../answering/answering.ts'

type Days = OutputOf<typeof costDays>
type Needs = Pick<BudgetNeeds, 'store'> & { readonly now: () => number }

/** What each day costs, and where the month and every budget of a cluster stand. */
export const budgetAnswers = ({ store, now }: Needs): AnswersOf<'costDays' | 'budgets'> => ({
  /** The cost of each day of a window; of a day that nobody saw nothing is said. */
  async costDays(facts, input, { caller: { namespaces } }) {
    const at = instant(now())
    const { range } = input
    const window = spanOfRange(range, at)
    const days = await dailyCost(store, {
      cluster: facts.record.id,
      nodes: facts.picture()?.nodes ?? [],
      zone: input.zone,
      window,
      now: at,
      namespaces,
    })
    return {
      ...answeredOver(facts, { range, window: upTo(window, at), madeAt: at }),
      zone: input.zone,
      days: days.map((day) => dayView(day, namespaces === undefined ? 'cluster' : 'namespaces')),
      coarse: days.some(({ coarse }) => coarse),
    }
  },
  /** Where the month and every budget of a cluster stand. */
  async budgetsList(facts, input, { caller: { namespaces } }) {
    const asked = { store, now: now() }
    const states = await budgetStatesOf(asked, facts, namespaces)
    return {
      ...answeredFrom(facts, undefined, outlookWindow(input.zone, instant(asked.now))),
      outlook: outlookView(await outlookOf(asked, facts, { zone: input.zone, namespaces })),
      budgets: states.map(stateView),
    }
  },
  /** Sets a budget. */
  async budgetsPut(input) {
    const { scope, name, thresholds, ...rest } = input
    if (scope !== 'cluster' && name === undefined) {
      throw invalidInput(`A ${scope} budget needs the name of its ${scope}.`, `Give the name of the ${scope}.`)
    }
    const budget: Budget = {
      ...rest,
      scope: scope === 'cluster' ? { kind: scope } : { kind: scope, name: name ?? '' },
      thresholds: thresholds.toSorted((a, b) => a - b),
    }
    const others = (await readBudgets(store.settings)).filter(({ id }) => id !== budget.id)
    await writeBudgets(store.settings, [...others, budget])
    return budgetView(budget)
  },
  /** Removes a budget. */
  async budgetsRemove({ id }) {
    const budgets = await readBudgets(store.settings)
    if (!budgets.some((budget) => budget.id === id)) {
      throw notFound(`There is no budget "${id}".`, 'List the budgets to see their names.')
    }
    await writeBudgets(
      store.settings,
      budgets.filter((budget) => budget.id !== id),
    )
    return { removed: id }
  },
})

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

type OutlookView = NonNullable<OutputOf<typeof budgetsList>['outlook']>
const outlookView = (outlook: MonthOutlook): OutlookView => ({
  month: outlook.month,
  spent: outlook.spent ?? null,
  unknownDays: outlook.unknownDays,
  forecast: { ...outlook.forecast },
})

const stateView = (state: BudgetState): OutputOf<typeof budgetsList>['budgets'][number] => ({
  ...outlookView(state),
  ...budgetView(state.budget),
  name: state.budget.scope.kind === 'cluster' ? null : state.budget.scope.name,
  share: state.share ?? null,
  reached: [...state.reached],
  expectedToReach: [...state.expectedToReach],
  usedUp: state.usedUp ?? null,
})
