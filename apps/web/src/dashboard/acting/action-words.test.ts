import { describe, expect, test } from 'vitest'

import { badgeOf, isOver, isRunning, reachWords, shortDigest, untilWords } from './action-words.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString()

describe('when a state ends by itself', () => {
  test.each([
    ['proposed', at(1438), 'expires in 23 h 58 min'],
    ['approved', at(90), 'expires in 1 h 30 min unless started'],
    ['warned', at(14), 'starts in 14 min unless its owner objects'],
    ['verified', at(29), 'kept in 29 min'],
    ['handed-over', at(120), 'expires in 2 h unless someone applies it'],
    ['applying', at(3), 'next step in 3 min'],
    ['applying', at(0), 'next step any moment'],
    // A state that names no end of its own expires as an approval does.
    ['checked', at(90), 'expires in 1 h 30 min unless started'],
    ['proposed', at(-1), 'expires any moment'],
    ['verified', at(-1), 'kept any moment'],
  ] as const)('%s until %s: %s', (state, until, words) => expect(untilWords({ state, until }, NOW)).toBe(words))

  test('what is over, and what has no end, says nothing', () => {
    expect(untilWords({ state: 'rejected', until: at(5) }, NOW)).toBeUndefined()
    expect(untilWords({ state: 'applying', until: null }, NOW)).toBeUndefined()
  })
})

test('where it stands, whom it reaches and which plan it is, in a few words', () => {
  const failed = { state: 'failed', step: null } as const
  expect(badgeOf({ state: 'applying', step: { number: 2, of: 5 }, halfChanged: false })).toEqual({
    words: 'Applying, step 2 of 5',
    tone: 'warning',
  })
  expect(badgeOf({ state: 'kept', step: null, halfChanged: false })).toEqual({ words: 'Kept', tone: 'good' })
  expect(badgeOf({ ...failed, halfChanged: false })).toEqual({ words: 'Failed, nothing changed', tone: 'secondary' })
  expect(badgeOf({ ...failed, halfChanged: true })).toEqual({ words: 'Failed partway', tone: 'destructive' })
  expect(reachWords({ displaced: ['a/b'], nodes: ['n', 'm'] })).toBe('stops 1 pod · changes 2 nodes')
  expect(reachWords({ displaced: [], nodes: [] })).toBe('stops no pods')
  expect(shortDigest('3fa912cd77000000')).toBe('3fa9 12cd 7700')
})

test('an action waits for a yes, runs or is over, and never two of these', () => {
  const states = ['proposed', 'approved', 'warned', 'applying', 'verified', 'reverting', 'kept', 'failed'] as const
  expect(states.filter((state) => isRunning({ state }))).toEqual([
    'approved',
    'warned',
    'applying',
    'verified',
    'reverting',
  ])
  expect(states.filter((state) => isOver({ state }))).toEqual(['kept', 'failed'])
})
