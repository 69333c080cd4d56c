import { SECONDS_PER_HOUR } from '@septet/domain/units'
import { describe, expect, test } from 'vitest'

import { changeWords, CUTS, groupName, groupNote, workloadWords } from './cost-words.ts'

test('change is of the cost per hour that was seen: a week against a part of one', () => {
  const week = { amount: 1071, observedSeconds: 168 * SECONDS_PER_HOUR }
  expect(changeWords(week, { amount: 1000, observedSeconds: 155 * SECONDS_PER_HOUR })).toBe('−1.2%')
  expect(changeWords(week, { amount: 1000, observedSeconds: 168 * SECONDS_PER_HOUR })).toBe('+7.1%')
  expect(changeWords(week, week)).toBe('0.0%')
})

test('without anything before there is no change', () => {
  const now = { amount: 10, observedSeconds: SECONDS_PER_HOUR }
  expect(changeWords(now, { amount: 0, observedSeconds: SECONDS_PER_HOUR })).toBeUndefined()
  expect(changeWords(now, { amount: 10, observedSeconds: 0 })).toBeUndefined()
  expect(changeWords({ amount: 0, observedSeconds: 0 }, now)).toBeUndefined()
})

describe('a group of the cost', () => {
  test.each([
    [{ key: 'vision', kind: 'named' }, 'tenant', ['vision', undefined]],
    [{ key: '', kind: 'named' }, 'pool', ['No pool', undefined]],
    [{ key: '', kind: 'none' }, 'tenant', ['No tenant', 'No rule in Settings → Tenants matches']],
    [{ key: '', kind: 'none' }, 'label', ['No label', undefined]],
    [{ key: '', kind: 'unknown' }, 'label', ['Unknown labels', 'Ended before Septet read its labels']],
    [{ key: '', kind: 'free' }, 'namespace', ['Unallocated or unknown', 'Free, broken or holder not recorded']],
  ] as const)('%j by %s is called %j', (group, by, words) =>
    expect([groupName(group, by), groupNote(group, by)]).toEqual(words),
  )

  test('can be cut in no two ways that are called alike', () =>
    expect(new Set(CUTS.map(({ label }) => label)).size).toBe(CUTS.length))
})

test.each([
  ['lab/Job/train', 'train', 'Job in lab'],
  // A name of a custom kind may hold slashes.
  ['lab/RayJob/a/b', 'a/b', 'RayJob in lab'],
])('%s is %s, a %s', (id, name, place) => expect(workloadWords(id)).toEqual({ name, place }))
