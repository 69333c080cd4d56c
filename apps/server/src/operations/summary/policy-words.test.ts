import { DEFAULT_POLICY, instant } from '@septet/domain'
import { expect, test } from 'vitest'

import { idleWords } from './summary.ts'

const window = { from: instant(Date.UTC(2026, 2, 1)), to: instant(Date.UTC(2026, 2, 2)) }
const since = (at: number) => ({ ...DEFAULT_POLICY, idle: { ...DEFAULT_POLICY.idle, since: instant(at) } })

test('the limit in force is named', () =>
  expect(idleWords(DEFAULT_POLICY, window)).toBe('busy ≤ 5.0% for ≥ 30 min in a row'))

test('a limit that is older than the window needs no date', () =>
  expect(idleWords(since(Date.UTC(2026, 1, 28)), window)).toBe('busy ≤ 5.0% for ≥ 30 min in a row'))

test('one that was changed within it says so', () =>
  expect(idleWords(since(Date.UTC(2026, 2, 1, 14, 5)), window)).toBe(
    'busy ≤ 5.0% for ≥ 30 min in a row (since 2026-03-01 14:05 UTC; before, by the limit of that time)',
  ))
