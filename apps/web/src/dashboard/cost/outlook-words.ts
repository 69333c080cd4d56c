import { agree, money, plural } from '@septet/domain/words'
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
      : ` ${plural(unknownDays, 'day')} of this month ${agree(unknownDays, 'was', 'were')} not fully observed: the missing hours are not in the amount spent${forecast.kind === 'known' ? ', but are estimated in the forecast' : ''}.`
  if (forecast.kind === 'unknown') return `${forecast.because}${gap}`
  const how = forecast.method === 'weekday' ? 'by day of the week' : 'daily mean'
  if (forecast.high - forecast.low < 1) {
    return `Expected by the end of the month: ${money(forecast.usd)}. The forecast matched the cost on each of the past ${plural(forecast.days, 'day')}.${gap}`
  }
  return `Expected by the end of the month: ${money(forecast.usd)} (80% chance of ${money(forecast.low)} to ${money(forecast.high)}), based on ${forecast.days} days (${how}).${gap}`
}
