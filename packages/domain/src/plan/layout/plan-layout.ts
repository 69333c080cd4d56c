import { answerFor, qualityOf, type LayoutAnswering } from './answer-for.ts'
import { openShare } from './draft-layout.ts'
import type { LayoutPlan } from './layout-answer.ts'
import { modelOf } from './layout-model.ts'
import type { LayoutProblem } from './layout-problem.ts'
import { gpuCertificate, relaxLayout } from './relax-layout.ts'
import { wholeLayout } from './whole-layout.ts'
import { isBetter, roundLayout } from './round-layout.ts'

export type PlanLayoutOptions = {
  /** Also bound the number of GPUs where the goal is cost; one more linear program. */
  readonly boundGpus?: boolean
}

/**
 * Which layouts a fleet should have for its demand: places as much as it can (in GPUs' worth), then at least cost, then on
 * few GPUs. Counts layouts instead of naming GPUs, so its work does not grow with the fleet. Answers with a bound that
 * `checkBound` can verify; it does not promise the optimum, it says how far from it the answer can be.
 */
export function planLayout(problem: LayoutProblem, options: PlanLayoutOptions = {}): LayoutPlan {
  const answering = draftAnswer(problem)
  const { model, draft, certificates } = answering
  if (options.boundGpus !== true || model.goal === 'gpus') return answerFor(answering)
  return answerFor({ ...answering, certificates: [...certificates, ...gpuCertificate(model, openShare(model, draft))] })
}

/** A gap that a large fleet's rounding has anyway; below it, looking further is not worth the wait. */
const GOOD_ENOUGH = 0.005

/** The layout behind the figures. */
export function draftAnswer(problem: LayoutProblem): LayoutAnswering {
  const model = modelOf(problem)
  const { relaxed, certificates, notes } = relaxLayout(model)
  const draft = roundLayout(model, relaxed)
  const rounded = { problem, model, draft, certificates: certificates(openShare(model, draft)), notes }
  const { gap = 0, proof, unplacedBound } = qualityOf(rounded)
  if (proof === 'optimal' || (gap < GOOD_ENOUGH && openShare(model, draft) <= unplacedBound + 1e-6)) return rounded
  const whole = wholeLayout(model)
  const better = whole !== undefined && isBetter(model, whole, draft) ? whole : draft
  return { ...rounded, draft: better, certificates: certificates(openShare(model, better)) }
}
