import { HOURS_PER_MONTH, type Seconds, SECONDS_PER_HOUR, type Usd } from '../units.ts'
import { toCents } from './split-to-cents.ts'

/** What an amount of the time that was seen makes in a month of 730 h; undefined where too little was seen to say. */
export function perMonth(amount: number, observed: Seconds): Usd | undefined {
  return observed < LEAST_FOR_A_MONTH ? undefined : toCents((amount / (observed / SECONDS_PER_HOUR)) * HOURS_PER_MONTH)
}

/** A month made of minutes would be a guess, seconds. */
const LEAST_FOR_A_MONTH = SECONDS_PER_HOUR
