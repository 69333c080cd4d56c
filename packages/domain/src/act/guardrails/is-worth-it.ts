import { dollars, grouped } from '../../words.ts'
import type { Advice } from '../action-run.ts'
import { type ActContext, type ActRule, refusing } from './act-context.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'

/** What is meant to save has to save enough; what starts waiting work or makes room for more is worth it by that. */
export const isWorthIt: ActRule = (context) => {
  const because = whyNotWorthIt(context)
  return refusing(
    'saving-too-small',
    because === undefined ? undefined : `${because} Leave it, or lower the minimum in ${WHERE_POLICIES_ARE}.`,
  )
}

function whyNotWorthIt({ run: { recommendation }, policy: { minimum } }: ActContext): string | undefined {
  const { saving, kind } = recommendation
  if (saving.kind === 'none') {
    const isAsked = minimum.usdPerMonth > 0 || minimum.gpuHoursPerMonth > 0
    return isAsked && !WORTH_IT_WITHOUT.has(kind) ? `The saving cannot be estimated: ${saving.because}` : undefined
  }
  if (saving.usdPerMonth !== undefined) {
    return saving.usdPerMonth < minimum.usdPerMonth
      ? `It saves ${dollars(saving.usdPerMonth)} a month; the minimum is ${dollars(minimum.usdPerMonth)}.`
      : undefined
  }
  return saving.gpuHoursPerMonth < minimum.gpuHoursPerMonth
    ? `It frees ${grouped(saving.gpuHoursPerMonth, 1)} GPU-hours a month; without a price, the minimum is ${grouped(minimum.gpuHoursPerMonth)}.`
    : undefined
}

/** Their recommendations promise no saving where they only make room, and an appointment is made at a cost. */
const WORTH_IT_WITHOUT: ReadonlySet<Advice['kind']> = new Set(['repartition', 'reschedule', 'share', 'appointment'])
