import { instant, parseRange, theLast } from '@septet/domain'
import { expect, test } from 'vitest'

import { analysisOfSection, analysisSection } from './section.ts'

test.each([
  theLast('30d'),
  { kind: 'calendar', name: 'last-week', zone: 'America/New_York' } as const,
  { kind: 'custom', window: { from: instant(0), to: instant(86_400_000) } } as const,
])('the section of an analysis says which it is: $kind', (range) => {
  for (const namespaces of [undefined, [], ['a', 'all']]) {
    const of = { range, namespaces }
    expect(analysisOfSection(analysisSection(of))).toEqual(of)
  }
})

test('a section of anything else, or of a range of another version, is of no analysis', () => {
  expect(parseRange('90d')).toBeUndefined()
  expect(['state', 'nodes/7', 'analysis/["90d","all"]'].map(analysisOfSection)).toEqual(Array(3).fill(undefined))
})
