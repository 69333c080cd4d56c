import type { KeepFree } from '../../plan/words/action.ts'
import { freeWords, shortWords } from './fence-words.ts'
import { done, waiting, type Deciding, type StepContext } from './decision.ts'
import { lookAtFence } from './fence-look.ts'

/**
 * Looks whether the GPUs of an appointment are free. Until its instant whoever is in the way is waited for; from then on it says
 * who still is, and the fence stays: to open it would take the other GPUs from the work that comes.
 */
export function* decideKeepFree(action: KeepFree, { isRehearsal, now }: StepContext): Deciding {
  if (isRehearsal) return done('What it keeps is looked at when it is time.')
  const gap = yield* lookAtFence(action, { isFree: true })
  if (gap === undefined) return done(freeWords(action))
  const because = shortWords(action, gap)
  if (now < action.at) return waiting(because, Infinity)
  return done(`${because} The nodes stay closed to others: evict the blocking pods by hand, or undo the appointment.`)
}
