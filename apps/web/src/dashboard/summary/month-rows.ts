import { partOfMonth } from '@septet/contract/partial'
import type { Answer } from '../../api.ts'

export type Month = Answer<'costMonths'>['months'][number]

const monthName = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })
const monthAndYear = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** "Aug", the year beside it in January and in the first month of a chart; a sample month by its name. */
export function monthLabel(month: Month, isFirst: boolean): string {
  if (month.from === null) return month.month
  const from = new Date(month.from)
  return from.getUTCMonth() === 0 || isFirst ? monthAndYear.format(from) : monthName.format(from)
}

/** Months that the chart has room for; the table and the copied text have all. */
export const MONTHS_DRAWN = 8

/** Every month as a row of texts: amounts in whole dollars, nothing where nothing is known. */
export function monthsTable(months: readonly Month[]): { columns: string[]; rows: string[][] } {
  const isSample = months.every(({ from }) => from === null)
  const amount = (figure: Month['baseline']): string =>
    figure.value === null || figure.unit !== 'USD' ? '' : figure.value.toFixed(2)
  return {
    columns: [
      'Month',
      'Seen',
      'Baseline, USD',
      'Optimized, USD',
      isSample ? 'Savings, USD' : 'Waste, USD',
      ...(isSample ? [] : ['Savings (verified), USD', 'Capacity freed (verified), USD']),
    ],
    rows: months.map((month) => [
      month.month,
      partOfMonth(month) ?? (isSample ? 'sample' : 'all'),
      amount(month.baseline),
      amount(month.optimized),
      amount(month.savings.estimated),
      ...(isSample ? [] : [amount(month.savings.verified), amount(month.savings.freed)]),
    ]),
  }
}
