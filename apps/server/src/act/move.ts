import type { Transition } from '@septet/domain'

/** Where a run goes next, in what words, and until when; its number, its time and who says so come with the transition. */
export type ActingMove = Pick<Transition, 'state' | 'because' | 'step' | 'until'>
