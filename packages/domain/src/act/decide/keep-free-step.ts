import type { KeepFree, Plan } from '../../plan/words/action.ts'
import { done, waiting, type Deciding, type StepContext } from './decision.ts'
import { lookAtFence, type FenceGap } from './fence-look.ts'
import { appointmentOf, keptGpus } from '../../plan/words/kept-gpus.ts'
import { agree, gpusText, grouped, plural } from '../../words.ts'
import type { ActionRun, Transition } from '../action-run.ts'
import { saysWait } from '../policy/run-times.ts'

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

/** Stored, and found again by it: other words may change from version to version, this may not. */
const SHORT = 'The appointment is short: '

const where = ({ nodes, profile }: KeepFree): string =>
  `${gpusText(keptGpus(nodes), profile)} on ${plural(nodes.length, 'node')}`

/** That all is free. */
export const freeWords = (action: KeepFree): string => `${where(action)} are free for the appointment.`

/** What is missing, and why. */
export const shortWords = (action: KeepFree, { missing, because }: FenceGap): string =>
  `${SHORT}${grouped(keptGpus(action.nodes) - missing)} of ${where(action)} are free. ${because}`

/** The same while whoever is in the way has not been evicted yet. */
export const gapWords = (action: KeepFree, { missing, because }: FenceGap): string =>
  missing === 0
    ? `${SHORT}they are no longer reserved. ${because}`
    : `${SHORT}${gpusText(missing, action.profile)} ${agree(missing, 'is', 'are')} lost. ${because}`

/** Before the instant: somebody holds some of them who is not going to leave. */
export const takenWords = (action: KeepFree, { missing, because }: FenceGap): string =>
  `${SHORT}${gpusText(missing, action.profile)} ${agree(missing, 'is', 'are')} taken. ${because}`

export const holdsWords = (action: KeepFree): string =>
  `The GPUs are reserved again: nothing of ${where(action)} is missing.`

/** The transition that says what an appointment lacks, where nothing was said since that nothing does; undefined: nothing, or it is none. */
export function shortfallOf({ plan, transitions }: Pick<ActionRun, 'plan' | 'transitions'>): Transition | undefined {
  if (appointmentOf(plan) === undefined) return undefined
  const said = transitions.findLast((to, index) => isShort(to) || isOfLook(plan, transitions[index - 1], to))
  return said !== undefined && isShort(said) ? said : undefined
}

const isShort = ({ because }: Transition): boolean => because.startsWith(SHORT)

/** Whether it says what was seen of the GPUs: it stays at its step, or its step was to look. */
const isOfLook = ({ steps }: Plan, from: Transition | undefined, to: Transition): boolean =>
  from?.state === 'applying' &&
  to.state === 'applying' &&
  !saysWait(to) &&
  (to.step === from.step || steps.some(({ number, action }) => number === from.step && action.kind === 'keep-free'))
