import { agree, listed, plural } from '@septet/domain/words'

import type { ActionDetail, ActionState } from '../../acting/action-words.ts'

/** How the cluster is now, who has to do something, and what reverts by hand what is left. */
export type ClusterWords = {
  readonly state: string
  readonly todo: string
  readonly byHand: readonly string[]
  readonly needsSomebody: boolean
}

/** Undefined while all goes its way. */
export function clusterWords(detail: ActionDetail): ClusterWords | undefined {
  const { action, steps, transitions, writes } = detail
  if (action.state === 'failed') return failedWords(stillStanding(steps, transitions), writes)
  const words = action.state === 'reverted' ? revertedWords(detail) : CALM[action.state]
  return words === undefined ? undefined : calm(...words)
}

const calm = (state: string, todo: string): ClusterWords => ({ state, todo, byHand: [], needsSomebody: false })

const NOTHING = ['Nothing was changed.', 'Its recommendation can be proposed again while it applies.'] as const
const CALM: Partial<Record<ActionState, readonly [state: string, todo: string]>> = {
  reverting: [
    'The cluster is between its old and its new state.',
    'Completed steps are being reverted, last one first. No action is needed; any step that cannot be reverted is listed here.',
  ],
  rejected: NOTHING,
  expired: NOTHING,
  cancelled: NOTHING,
}

/** Who was evicted on the way back is not as before: pods without a controller are gone, the others need room. */
const revertedWords = ({ undo: { stopped } }: ActionDetail): readonly [state: string, todo: string] =>
  stopped.length === 0
    ? ['The cluster is as it was before this action.', 'No action is needed.']
    : [
        `The cluster is configured as it was before this action, but ${plural(stopped.length, 'pod was', 'pods were')} stopped.`,
        'Their controllers start them again where there is room: check that they run. A pod without a controller does not come back.',
      ]

type Steps = ActionDetail['steps']

/** Steps that were begun and not reverted: of a rollback that broke off, up to the step at which it did. */
function stillStanding(steps: Steps, transitions: ActionDetail['transitions']): Steps {
  const begun = steps.filter(({ state }) => state !== 'to-do' && state !== 'not-done')
  const stuck = transitions.findLast(({ state }) => state === 'reverting')?.step ?? steps.length
  return begun.filter(({ number }) => number <= stuck)
}

function failedWords(left: Steps, writes: ActionDetail['writes']): ClusterWords {
  if (writes.length === 0 || left.length === 0) {
    return calm('Nothing was changed.', 'Propose its recommendation again once the cause is fixed.')
  }
  const numbers = left.map(({ number }) => number)
  return {
    state: `The cluster is partly changed: ${agree(left.length, 'step')} ${listed(numbers)} ${agree(left.length, 'is', 'are')} still in place.`,
    todo: 'Septet does nothing more on its own, and cordoned nodes stay cordoned. Fix what blocked it and choose Undo, or revert it by hand in this order:',
    byHand: left.toReversed().flatMap(({ undo }) => undo),
    needsSomebody: true,
  }
}
