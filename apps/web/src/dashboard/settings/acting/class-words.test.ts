import { ACT_MODES } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { BY_HAND, CARRIED_OUT, modesOf } from './class-words.ts'

describe('what a class of actions can be set to', () => {
  test('is what the contract takes, in the order from the least to the most', () => {
    expect(modesOf('repartition', 'observe')).toEqual(ACT_MODES)
    for (const kind of CARRIED_OUT) {
      const modes = modesOf(kind, 'observe')
      expect(modes).toEqual(ACT_MODES.filter((mode) => modes.includes(mode)))
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

test('what nobody but a person applies is apart from what Septet carries out', () => {
  expect(BY_HAND).toEqual(['reschedule'])
  expect(CARRIED_OUT).toContain('reclaim-idle')
  expect(CARRIED_OUT).not.toContain('reschedule')
})
