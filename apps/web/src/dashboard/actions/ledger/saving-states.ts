import type { Answer } from '../../../api.ts'
import type { Tone } from '../../../ui/Badge.tsx'

export type Ledger = Answer<'savingsList'>
export type ActionSaving = Ledger['savings'][number]

/** The color that repeats where a saving stands. */
export const SAVING_TONES = {
  estimated: 'secondary',
  approved: 'secondary',
  applied: 'warning',
  verified: 'good',
  'partly-verified': 'good',
  failed: 'destructive',
  reverted: 'secondary',
} satisfies Record<ActionSaving['state'], Tone>
