import type { SavingState } from '@septet/domain'
import { classRow } from '@septet/domain/action-classes'
import { dollars, grouped, short } from '@septet/domain/words'

import { savedWords } from './estimate-words.ts'
import type { OutputOf } from './operation.ts'
import type { savingsList } from './schemas/savings.ts'

type ActionSaving = OutputOf<typeof savingsList>['savings'][number]
type Measured = Pick<NonNullable<ActionSaving['realized']>, 'gpuHours' | 'usd'>

/** Where a saving stands, in a word or two. */
export const SAVING_STATE_WORDS = {
  estimated: 'Proposed',
  approved: 'Approved',
  applied: 'Measuring',
  verified: 'Verified',
  'partly-verified': 'Partly verified',
  failed: 'Not verified',
  reverted: 'Reverted',
} satisfies Record<SavingState, string>

/** What was measured, without its range. */
export const measuredWords = ({ gpuHours, usd }: Measured): string =>
  savedWords({ gpuHours: gpuHours.value, usd: usd?.value ?? null })

/** In which the true amount lies nine times in ten: "$240 to $280"; undefined where too little was measured to tell. */
export function measuredRange({ gpuHours, usd }: Measured): string | undefined {
  const { low, high } = usd ?? gpuHours
  if (low === null || high === null) return undefined
  return usd === null
    ? `${grouped(low, 0)} to ${savedWords({ gpuHours: high, usd })}`
    : `${dollars(low)} to ${dollars(high)}`
}

/**
 * By what hours were compared, in a sentence: "2.1M tokens per GPU-hour, 1.9M before (vllm:…)." Where no unit of work is known
 * it says so: then work that became slower looks like a saving. Undefined for
 * what is to do nothing, for a node that is gone, and before anything is measured.
 */
export function workWords({ realized, class: kind }: Pick<ActionSaving, 'realized' | 'class'>): string | undefined {
  if (realized === null || realized.basis === 'gone' || classRow(kind).stopsWork) return undefined
  if (realized.work === null) {
    return 'No unit of work is known, so GPU-hours held are compared: slower work would look like a saving.'
  }
  const { unit, source, perGpuHour } = realized.work
  const now = perGpuHour.after === null ? `No ${unit}` : `${short(perGpuHour.after)} ${unit}`
  return `${now} per GPU-hour, ${short(perGpuHour.before)} before (${source}).`
}
