import { dollars, short } from '@septet/domain/words'

import type { RecommendationView } from './schemas/recommendations.ts'

type Monthly = { readonly gpuHoursPerMonth: number | null; readonly usdPerMonth: number | null }

/** What was estimated: "$584/mo", "730 GPU-h/mo" where it has no price, "no estimate" where nothing was. */
export function monthlyWords(estimate: Monthly | null): string {
  if (estimate === null || (estimate.usdPerMonth ?? estimate.gpuHoursPerMonth) === null) return 'no estimate'
  return `${savedWords({ gpuHours: estimate.gpuHoursPerMonth ?? 0, usd: estimate.usdPerMonth })}/mo`
}

/** What a recommendation brings in a few characters: "$584/mo"; where it has no amount, what else. */
export function amountWords(saving: RecommendationView['saving']): string {
  if (saving.kind === 'none') return saving.brings
  return (saving.usdPerMonth ?? saving.gpuHoursPerMonth) === null ? 'unknown' : monthlyWords(saving)
}

/** The same with what it is of: "$584/mo off the bill, estimated". */
export const estimateWords = (saving: RecommendationView['saving']): string =>
  saving.kind === 'none'
    ? saving.brings
    : `${amountWords(saving)} ${saving.effect === 'bill-reduced' ? 'off the bill' : 'of capacity freed'}, estimated`

/** An amount: "$268", "134 GPU-h" where it has no price. */
export const savedWords = ({ gpuHours, usd }: { readonly gpuHours: number; readonly usd: number | null }): string =>
  usd === null ? `${short(gpuHours)} GPU-h` : dollars(usd)
