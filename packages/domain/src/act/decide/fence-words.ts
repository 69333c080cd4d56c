import type { KeepFree } from '../../plan/words/action.ts'
import { appointmentOf, keptGpus } from '../../plan/words/kept-gpus.ts'
import { agree, gpusText, grouped, plural } from '../../words.ts'
import type { ActionRun, Transition } from '../action-run.ts'
import type { FenceGap } from './fence-look.ts'

const SHORT = 'The appointment is short: '
const HOLDS = 'The GPUs are reserved again: '

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

export const holdsWords = (action: KeepFree): string => `${HOLDS}nothing of ${where(action)} is missing.`

/** The transition that says what an appointment lacks, where nothing was said since that nothing does; undefined: nothing, or it is none. */
export function shortfallOf({ plan, transitions }: Pick<ActionRun, 'plan' | 'transitions'>): Transition | undefined {
  const action = appointmentOf(plan)
  if (action === undefined) return undefined
  const fine = new Set([freeWords(action), holdsWords(action)])
  const said = transitions.findLast(({ because }) => because.startsWith(SHORT) || fine.has(because))
  return said?.because.startsWith(SHORT) === true ? said : undefined
}
