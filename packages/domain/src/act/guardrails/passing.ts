import type { PlanRefusal } from '../../plan/guardrail/guardrail.ts'

const PASSING: ReadonlySet<string> = new Set([
  'stopped',
  'reading-too-old',
  'maintenance-window',
  'other-run',
  'kept-for-appointment',
  'node-not-healthy',
  'gpu-in-use',
  'telemetry-unknown',
  'works-now',
  'disruption-budget',
  'blast-radius-hour',
  'blast-radius-day',
  'auto-budget-hour',
  'auto-budget-day',
  'rollout-stage',
])

/** Whether a reason goes away without anybody doing something: a run waits for that, for as long as its approval holds. */
export const passesByItself = ({ code }: Pick<PlanRefusal, 'code'>): boolean => PASSING.has(code)
