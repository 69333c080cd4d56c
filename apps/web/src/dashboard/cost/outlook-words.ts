import { agree, cents, plural } from '@septet/domain/words'
import type { Answer } from '../../api.ts'

export type Outlook = NonNullable<Answer<'budgetsList'>['outlook']>

/** "November 2026" of `2026-11`. */
export const monthName = (month: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )

/** What the month comes to, between which amounts, and from what that is concluded; or why nobody can tell. */
export function forecastWords({ forecast, unknownDays }: Pick<Outlook, 'forecast' | 'unknownDays'>): string {
  const gap =
    unknownDays === 0
      ? ''
      : ` ${plural(unknownDays, 'day')} of this month ${agree(unknownDays, 'was', 'were')} not seen whole: what is missing is not in what was spent${forecast.kind === 'known' ? ', and is estimated in the forecast' : ''}.`
  if (forecast.kind === 'unknown') return `${forecast.because}${gap}`
  const how = forecast.method === 'weekday' ? 'days of the week told apart' : 'the mean of days'
  if (forecast.high - forecast.low < 1) {
    return `By the end of the month ${cents(forecast.usd)} are expected: the ${forecast.days} days before all cost what was expected of them.${gap}`
  }
  return `By the end of the month ${cents(forecast.usd)} are expected; in four of five cases ${cents(forecast.low)} to ${cents(forecast.high)}. Made from ${forecast.days} days (${how}) and from how far they were off.${gap}`
}
