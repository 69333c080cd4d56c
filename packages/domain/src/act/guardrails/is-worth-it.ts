import { grouped, money, wholePercent } from '../../words.ts'
import type { Saving } from '../../plan/recommend/recommendation.ts'
import { CLASSES } from '../../plan/words/action-class.ts'
import { adviceOf } from '../action-run.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'
import type { ActContext } from './act-context.ts'
import type { Approving } from './who-approves.ts'

/**
 * What is meant to save has to save enough, or to give back enough room where work in use fits on less; what starts waiting
 * work or makes room for more is worth it by that.
 */
export function isWorthIt(asked: Approving): string | undefined {
  const because = whyNotWorthIt(asked)
  return because === undefined ? undefined : `${because} Leave it, or lower the minimum in ${WHERE_POLICIES_ARE}.`
}

function whyNotWorthIt({ run, policy: { minimum } }: Approving): string | undefined {
  const advice = adviceOf(run)
  // What a person asks for is worth it to them.
  if (advice === undefined) return undefined
  const { saving, kind } = advice
  if (saving.room !== undefined) return tooLittle(saving.room, minimum, 'frees GPUs worth')
  if (saving.kind === 'estimated') return tooLittle(saving, minimum, 'saves')
  const isAsked = minimum.usdPerMonth > 0 || minimum.gpuHoursPerMonth > 0
  return isAsked && CLASSES[kind].advice.mustSave ? `The saving cannot be estimated: ${saving.because}` : undefined
}

function tooLittle(
  { gpuHoursPerMonth, usdPerMonth }: NonNullable<Saving['room']>,
  minimum: ActContext['policy']['minimum'],
  does: string,
): string | undefined {
  if (usdPerMonth !== undefined) {
    return usdPerMonth < minimum.usdPerMonth
      ? `It ${does} ${money(usdPerMonth)} a month; the minimum is ${money(minimum.usdPerMonth)}.`
      : undefined
  }
  return gpuHoursPerMonth < minimum.gpuHoursPerMonth
    ? `It frees ${grouped(gpuHoursPerMonth, 1)} GPU-hours a month; without a price, the minimum is ${grouped(minimum.gpuHoursPerMonth)}.`
    : undefined
}

/** The evidence is at least as sure as a person wants it. */
export function isSureEnough({ run, policy: { minimum } }: Approving): string | undefined {
  const confidence = adviceOf(run)?.risk.confidence
  return confidence === undefined || confidence >= minimum.confidence
    ? undefined
    : `Confidence in its evidence is ${wholePercent(confidence)}; the minimum is ${wholePercent(minimum.confidence)}. Wait for more history, or lower the minimum in ${WHERE_POLICIES_ARE}.`
}
