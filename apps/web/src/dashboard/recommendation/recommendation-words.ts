import { amountWords } from '@septet/contract/estimate-words'
import { duration, plural, short, wholePercent } from '@septet/domain/words'
import type { Answer } from '../../api.ts'

export type Recommendation = Answer<'recommendationsList'>['recommendations'][number]

type SavingWords = {
  readonly amount: string
  /** The amount with what it is of, for where no heading says it. */
  readonly alone: string
  readonly explanation: string
}

/** What it brings in a few characters, and in a sentence. Estimated and never added up with what was measured. */
export function savingWords(saving: Recommendation['saving']): SavingWords {
  if (saving.kind === 'none') return { amount: saving.brings, alone: saving.brings, explanation: saving.because }
  const { gpuHoursPerMonth, usdPerGpuHour, priceSource, effect } = saving
  const what =
    effect === 'bill-reduced' ? 'Lowers the bill.' : 'Frees capacity for other work. The bill stays the same.'
  const hours = gpuHoursPerMonth === null ? '' : `${short(gpuHoursPerMonth)} GPU-h a month`
  const price = usdPerGpuHour === null ? '' : ` at $${usdPerGpuHour.toFixed(2)} (${priceSource ?? 'no source'})`
  const amount = amountWords(saving)
  const alone = `${amount} ${effect === 'bill-reduced' ? 'off the bill' : 'of capacity'}`
  return { amount, alone, explanation: `Estimated${hours === '' ? '' : `: ${hours}${price}`}. ${what}` }
}

/** What could go wrong, in a sentence. */
export function riskWords(risk: NonNullable<Recommendation['risk']>): string {
  const { level, displaced, seconds, overrun, confidence } = risk
  const pods =
    displaced.length === 0 ? 'no pod is displaced' : plural(displaced.length, 'pod is displaced', 'pods are displaced')
  const time = `${duration(seconds.low)} to ${duration(seconds.high)} (${seconds.source})`
  const chance = overrun === null ? '' : ` Chance of outgrowing the new size: ${wholePercent(overrun)}.`
  return `${LEVEL[level]}: ${pods}; ${time}.${chance} Confidence ${wholePercent(confidence)}.`
}
export const LEVEL = {
  low: 'Low risk',
  medium: 'Medium risk',
  high: 'High risk',
  'mode-change': 'MIG mode changes, the node may restart',
} as const
