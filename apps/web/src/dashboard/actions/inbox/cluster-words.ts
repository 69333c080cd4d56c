import { agree, listed } from '@septet/domain/words'

import type { ActionDetail, ActionState } from '../../acting/action-words.ts'

/** How the cluster is now, who has to do something, and what takes back by hand what is left. */
export type ClusterWords = {
  readonly state: string
  readonly todo: string
  readonly byHand: readonly string[]
  readonly needsSomebody: boolean
}

/** Undefined while all goes its way. */
export function clusterWords({ action, steps, transitions, writes }: ActionDetail): ClusterWords | undefined {
  if (action.state === 'failed') return failedWords(stillStanding(steps, transitions), writes)
  const words = CALM[action.state]
  return words === undefined ? undefined : calm(...words)
}

const calm = (state: string, todo: string): ClusterWords => ({ state, todo, byHand: [], needsSomebody: false })

const NOTHING = ['Nothing was changed.', 'Its recommendation can be proposed again while it holds.'] as const
const CALM: Partial<Record<ActionState, readonly [state: string, todo: string]>> = {
  reverting: [
    'The cluster is between its old and its new state.',
    'The steps that were done are being taken back, the last one first. Nobody has to do anything; a step that cannot be taken back is said here.',
  ],
  reverted: ['The cluster is as it was before this action.', 'Nobody has to do anything.'],
  rejected: NOTHING,
  expired: NOTHING,
  cancelled: NOTHING,
}

type Steps = ActionDetail['steps']

/** Steps that were begun and not taken back: of a way back that broke off, up to the step at which it did. */
function stillStanding(steps: Steps, transitions: ActionDetail['transitions']): Steps {
  const begun = steps.filter(({ state }) => state !== 'to-do' && state !== 'not-done')
  const stuck = transitions.findLast(({ state }) => state === 'reverting')?.step ?? steps.length
  return begun.filter(({ number }) => number <= stuck)
}

function failedWords(left: Steps, writes: ActionDetail['writes']): ClusterWords {
  if (writes.length === 0 || left.length === 0) {
    return calm('Nothing was changed.', 'Propose its recommendation again once what stood in the way is gone.')
  }
  const numbers = left.map(({ number }) => number)
  return {
    state: `The cluster is half changed: ${agree(left.length, 'step')} ${listed(numbers)} ${agree(left.length, 'stands', 'stand')}.`,
    todo: 'Septet does nothing more by itself, and what it closed stays closed. Mend what stood in the way and press Undo, or take it back yourself in this order:',
    byHand: left.toReversed().flatMap(({ undo }) => undo),
    needsSomebody: true,
  }
}
