import { expect, test } from 'vitest'

import type { ActionDetail, ActionState } from '../../acting/action-words.ts'
import { happenedWords } from './ActionPanel.tsx'

const happened = (...states: readonly (readonly [ActionState, number | null])[]): readonly string[] => {
  const transitions: ActionDetail['transitions'] = states.map(([state, step], index) => ({
    number: index + 1,
    at: '2026-11-20T10:00:00Z',
    state,
    by: 'septet',
    because: '',
    step,
    evidence: [],
  }))
  return transitions.map(({ number }) => happenedWords(transitions, number))
}

test('each step that is done is told as done, and each that is taken back as taken back', () => {
  expect(
    happened(
      ['rehearsed', null],
      ['applying', 1],
      ['applying', 2],
      ['reverting', 2],
      ['reverting', 1],
      ['reverted', null],
    ),
  ).toEqual(['Dry run passed', 'Started', 'Step 1 done', 'Reverting', 'Step 2 reverted', 'Reverted'])
})
