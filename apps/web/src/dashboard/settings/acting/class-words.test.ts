import { describe, expect, test } from 'vitest'

import { CLASS_WORDS } from '../../acting/action-words.ts'
import { BY_HAND, CARRIED_OUT, CLASS_SENTENCES, MODES, modesOf } from './class-words.ts'

describe('what a class of actions can be set to', () => {
  test('is what the contract takes, in the order from the least to the most', () => {
    expect(modesOf('repartition', 'observe')).toEqual(MODES)
    for (const kind of CARRIED_OUT) {
      const modes = modesOf(kind, 'observe')
      expect(modes).toEqual(MODES.filter((mode) => modes.includes(mode)))
    }
  })

  test.each(['mig-mode', 'appointment'] as const)('is never auto for %s, which may restart or close nodes', (kind) =>
    expect(modesOf(kind, 'approve')).not.toContain('auto'),
  )

  test('is files at the most where Septet changes nothing itself', () => {
    for (const kind of BY_HAND) expect(modesOf(kind, 'observe')).toEqual(['observe', 'suggest'])
  })

  test('keeps what it is set to on offer, though nobody could choose it any more', () =>
    expect(modesOf('reschedule', 'approve')).toEqual(['observe', 'suggest', 'approve']))
})

test('every class is carried out or left to people, once, and says what it does', () => {
  const classes = [...CARRIED_OUT, ...BY_HAND]
  expect(classes.toSorted()).toEqual(Object.keys(CLASS_SENTENCES).toSorted())
  expect(classes.toSorted()).toEqual(Object.keys(CLASS_WORDS).toSorted())
  for (const sentence of Object.values(CLASS_SENTENCES)) expect(sentence).toMatch(/^[A-Z].*\.$/u)
})
