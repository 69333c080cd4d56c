import { expect, test } from 'vitest'
import { HOUR_MS, instant } from '../../units.ts'
import { isKept, keepOf, keepWords } from './keep.ts'

// 2026-06-15T12:00:00Z.
const NOW = instant(1_781_524_800_000)
const annotated = (value: string) => ({ metadata: { annotations: { 'septet.io/keep': value } } })
const kept = (object: unknown, now = NOW): boolean => isKept(keepOf(object), now)

test('empty or true keeps for good, false and nothing do not', () => {
  expect(['', 'true', 'True', ' true '].map((value) => kept(annotated(value)))).toEqual([true, true, true, true])
  expect(kept(annotated('false'))).toBe(false)
  expect(
    [{}, { metadata: {} }, { metadata: { annotations: null, labels: { other: 'true' } } }].map((o) => kept(o)),
  ).toEqual([false, false, false])
})

test('an instant keeps until then, and a date to the end of that day in UTC', () => {
  const instants = annotated('2026-06-15T14:00:00+02:00')
  expect([kept(instants, instant(NOW - 1)), kept(instants)]).toEqual([true, false])
  const dated = annotated('2026-06-15')
  expect([kept(dated), kept(dated, instant(NOW + 12 * HOUR_MS - 1)), kept(dated, instant(NOW + 12 * HOUR_MS))]).toEqual(
    [true, true, false],
  )
})

test('what nobody can read keeps, and the words say so', () => {
  const unreadable = ['yes please', '2026-02-30', '2026-13-01T00:00Z', '15.6.2026', '0', 'tomorrow']
  expect(unreadable.filter((value) => !kept(annotated(value)))).toEqual([])
  expect(keepWords(keepOf(annotated('2026-02-30')), NOW)).toBe(
    'has septet.io/keep set to "2026-02-30", which is neither true nor a date, so it is kept to be safe',
  )
})

const both = (annotation: string, label: string) => ({
  metadata: { annotations: { 'septet.io/keep': annotation }, labels: { 'septet.io/keep': label } },
})

test('a label counts as an annotation does; of both, what keeps longer', () => {
  expect(kept({ metadata: { labels: { 'septet.io/keep': 'true' } } })).toBe(true)
  expect(kept(both('2026-06-01', '2026-06-30'))).toBe(true)
  expect(kept(both('2026-06-30', 'false'))).toBe(true)
  expect(kept(both('false', '2026-06-01'))).toBe(false)
})

test('the words say until when', () => {
  expect(keepWords(keepOf(annotated('2026-06-15')), NOW)).toBe(
    'is kept until 2026-06-16 00:00 UTC by its septet.io/keep',
  )
  expect(keepWords(keepOf(annotated('')), NOW)).toBe('is kept for good by its septet.io/keep')
  expect(keepWords(keepOf(annotated('2026-06-14')), NOW)).toBeUndefined()
})
