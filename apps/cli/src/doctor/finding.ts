import { duration } from '@septet/domain/words'

/** What one check found: `warn` works and loses something, `fail` does not work. */
export type Symptom = {
  readonly area: string
  readonly state: 'ok' | 'warn' | 'fail'
  /** What was found, and what it means. */
  readonly said: string
  readonly todo?: string
}

/** Above this two clocks are apart, milliseconds. */
const SKEW_MS = 30_000

/** That another clock is so many milliseconds ahead of this one; nothing where that is little, or not known. */
export function clockFindings(area: string, whose: string, aheadMs: number): readonly Symptom[] {
  if (!(Math.abs(aheadMs) > SKEW_MS)) return []
  const apart = `${duration(Math.abs(aheadMs) / 1000)} ${aheadMs > 0 ? 'ahead of' : 'behind'} this one`
  const said = `The clock of ${whose} is ${apart}: what it reports looks older or newer than it is.`
  return [{ area, state: 'warn', said, todo: 'Set both by NTP.' }]
}

/** What to do about a model without a price. */
export const SET_PRICE = 'Set one under Cost → Price book, or with septet put price.'
