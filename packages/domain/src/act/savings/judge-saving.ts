import { HOUR_MS, HOURS_PER_MONTH, type Window } from '../../units.ts'
import type { Realized, SavingQuestion, SavingState } from './saving.ts'

type Verdict = readonly [SavingState, because: string]

/** From this part of the hours on, or of the estimate, the rest is taken for the error of measuring. */
export const NEARLY_ALL = 0.9
/** GPU-hours below which an amount is rounding. */
const ROUNDING = 1e-6

/**
 * Whether a change that was applied saves what was estimated, over a window as long as the one before it. Verified is only
 * what is more than chance; `gone`: earlier runs have all of it, or the same work costs it elsewhere.
 */
export function judge(question: SavingQuestion, found: Realized | undefined, gone?: 'claimed' | 'moved'): Verdict {
  const early = tooEarly(question)
  if (early !== undefined) return ['applied', early]
  if (isPaidAnyway(question)) {
    return ['failed', 'The node is gone, but it is paid for either way, so the bill did not fall.']
  }
  if (found === undefined) return ['applied', 'No hour was measured that can be compared with one before the change.']
  if (gone === 'moved') return ['failed', GONE[gone]]
  const { range } = found.gpuHours
  if (range === undefined)
    return ['applied', 'Too few days were measured before the change to tell savings from chance.']
  if (gone !== undefined) return ['failed', GONE[gone]]
  if (range.low <= ROUNDING) return ['failed', 'The measured difference may be chance.']
  return shortfall(question, found, range.high) ?? ['verified', 'It saves what was estimated.']
}

const GONE = {
  claimed: 'Its savings are already counted under earlier changes.',
  moved: 'It saves nothing: the same work costs as much elsewhere.',
}

function tooEarly({ baseline, after }: SavingQuestion): string | undefined {
  if (baseline === undefined) return 'Nothing was measured before the change, so its saving cannot be calculated.'
  const [hours, wanted] = [after === undefined ? 0 : hoursIn(after), hoursIn(baseline)]
  return hours < wanted ? `Measured for ${hours} of ${wanted} hours.` : undefined
}

function shortfall({ estimate }: SavingQuestion, found: Realized, most: number): Verdict | undefined {
  const { knownHours, unknownHours } = found
  const promised = promisedFor(estimate?.gpuHoursPerMonth ?? 0, found)
  if (most < promised * NEARLY_ALL) return ['partly-verified', 'It saves less than was estimated.']
  const hours = knownHours + unknownHours
  if (knownHours >= hours * NEARLY_ALL) return undefined
  return ['partly-verified', `It saves something, but only ${knownHours} of ${hours} hours were measured.`]
}

/** What a month's estimate comes to in the hours that were measured. */
export const promisedFor = (perMonth: number, { knownHours }: Pick<Realized, 'knownHours'>): number =>
  (perMonth / HOURS_PER_MONTH) * knownHours

/** What is reserved or owned costs the same with and without it. */
export const isPaidAnyway = ({ effect, baseline }: SavingQuestion): boolean =>
  effect === 'bill-reduced' && baseline?.prepaid === true

export const hoursIn = ({ window }: { readonly window: Window }): number =>
  Math.ceil(window.to / HOUR_MS) - Math.floor(window.from / HOUR_MS)
