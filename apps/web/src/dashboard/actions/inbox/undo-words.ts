import { CLASSES } from '@septet/domain/action-classes'
import { agree, firstFew, plural } from '@septet/domain/words'

import type { ActionDetail } from '../../acting/action-words.ts'

/** What an undo would stop now: on its button, and in a sentence above it. */
export function undoWords({ action, undo: { stops, unknown } }: Pick<ActionDetail, 'undo' | 'action'>): {
  readonly button: string
  readonly stops: string
} {
  if (stops === null) {
    return { button: 'Undo', stops: `Septet does not know which pods this stops. ${unknown ?? ''}`.trim() }
  }
  if (stops.length === 0) return { button: 'Undo, no pods stop', stops: 'No pods use what this reverts.' }
  const pods = agree(stops.length, 'This pod', 'These pods')
  return {
    button: `Undo, stops ${plural(stops.length, 'pod')}`,
    stops: `${pods} ${CLASSES[action.class].undone}: ${firstFew(stops, 12)}.`,
  }
}
