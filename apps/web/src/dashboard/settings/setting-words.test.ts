import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { settingsGroups } from '../address/settings-sections.ts'
import { SETTINGS_WORDS } from '../palette/views.ts'
import { mayAs, roleChoices } from '../words/role-words.ts'
import { bytesWords } from './bytes-words.ts'
import { type Rule, RULE_KINDS, type Rules, toldTo } from './notifications/rule-words.ts'
import { rhythmOf, RHYTHMS, rhythmWords } from './reports/ReportsPage.tsx'

describe('bytes', () => {
  test.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [14.2 * 1024 ** 2, '14.2 MiB'],
    [690 * 1024 ** 2, '690 MiB'],
    [5 * 1024 ** 5, '5120 TiB'],
  ])('%d are %s', (bytes, words) => expect(bytesWords(bytes)).toBe(words))

  test('are never more than 1024 of a unit that has a larger one', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 50 - 1 }), (bytes) => {
        expect(Number.parseFloat(bytesWords(bytes))).toBeLessThanOrEqual(1024)
      }),
    ))
})

const when = (value: string): string => rhythmWords({ rhythm: rhythmOf(value), time: '08:00', zone: 'Europe/Berlin' })

describe('when a report is mailed', () => {
  test.each([
    ['day', 'every day at 08:00 (Europe/Berlin)'],
    ['week-1', 'every Monday at 08:00 (Europe/Berlin)'],
    ['week-7', 'every Sunday at 08:00 (Europe/Berlin)'],
    ['month-15', 'on day 15 of each month at 08:00 (Europe/Berlin)'],
  ])('%s: %s', (value, words) => expect(when(value)).toBe(words))

  test('is another time for each choice of the form', () =>
    expect(new Set(RHYTHMS.map(({ value }) => when(value))).size).toBe(RHYTHMS.length))
})

test('a channel that is told of everything joins each rule once, and leaves the rest of the rules alone', () => {
  const rule = { enabled: true, threshold: 8, forMinutes: 5, severity: 'warning', channels: [] } as unknown as Rule
  const rules = Object.fromEntries(RULE_KINDS.map((kind) => [kind, rule])) as Rules
  const one: Rules = { ...rules, budget: { ...rule, channels: ['ops', 'night'] } }
  const told = toldTo(one, 'ops')
  expect(told.budget).toEqual({ ...rule, channels: ['ops', 'night'] })
  for (const kind of RULE_KINDS) {
    expect(told[kind].channels).toContain('ops')
    expect({ ...told[kind], channels: one[kind].channels }).toEqual(one[kind])
  }
})

const paths = (mode?: Parameters<typeof settingsGroups>[0]): string[] =>
  settingsGroups(mode).flatMap(({ sections }) => sections.map(({ path }) => path))

describe('the pages of Settings', () => {
  test('are found in the palette by other words too, each of them', () =>
    expect(Object.keys(SETTINGS_WORDS).toSorted()).toEqual(paths().toSorted()))

  test('have no outbox where a hosted project writes the letters', () => {
    expect(paths('hosted')).not.toContain('outbox')
    expect(paths('embedded')).toContain('outbox')
  })
})

test('a role may what the lower ones may, and gives no higher one than its own', () => {
  expect([mayAs('admin', 'viewer'), mayAs('operator', 'operator'), mayAs('viewer', 'operator')]).toEqual([
    true,
    true,
    false,
  ])
  expect(roleChoices('operator').map(({ value }) => value)).toEqual(['viewer', 'operator'])
  expect(roleChoices('viewer').map(({ words }) => words)).toEqual(['viewer: read-only access'])
})
