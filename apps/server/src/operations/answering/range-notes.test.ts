import { instant, theLast, type ClusterAnalysis, type Window } from '@septet/domain'
import { expect, test } from 'vitest'

import { notesOf } from './range-notes.ts'

const at = (text: string) => instant(Date.parse(text))
const asOf = at('2026-11-02T12:00:00Z')
const windowOf = (from: string, to: string): Window => ({ from: at(from), to: at(to) })
const customOf = (from: string, to: string) => ({ kind: 'custom', window: windowOf(from, to) }) as const
/** Only so much of it is read here. */
const costOf = (unobserved: number, unrequested: number) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of a cost has no say in notes
  ({ fleet: { hours: { unobserved, unrequested } } }) as unknown as ClusterAnalysis['cost']
const cost = costOf(0, 0)
const over = (from: string, to: string, observed?: Window) =>
  notesOf({ window: windowOf(from, to), observed, asOf, cost }, { range: customOf(from, to), zone: 'UTC' })

test('a window before anything was known says that nothing was seen, one that lies ahead that nothing can be', () => {
  expect(over('2019-03-01T00:00:00Z', '2019-03-01T01:00:00Z')).toEqual(['Nothing was seen in this window.'])
  expect(over('2030-03-01T00:00:00Z', '2030-03-08T00:00:00Z')).toEqual([
    'This window is in the future: there is no data yet.',
  ])
})

test('a window in a past that is still being read does not say that nothing was there', () => {
  const window = { from: at('2026-11-01T12:00:00Z'), to: asOf }
  const unread = 'Septet is still reading the past: 26% is read.'
  expect(notesOf({ window, observed: undefined, asOf, cost, unread }, { range: theLast('24h'), zone: 'UTC' })).toEqual([
    'This window is not read yet.',
  ])
})

test('a window of which a part was seen says which', () => {
  const observed = { from: at('2026-11-01T06:00:00Z'), to: at('2026-11-01T20:00:00Z') }
  expect(over('2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', observed)).toEqual([
    'Usage is known from Nov 1, 2026, 06:00 (UTC) to Nov 1, 2026, 20:00 (UTC).',
  ])
})

test('a window that ends now is never ahead, also of a cluster that was last read long ago', () => {
  const window = { from: at('2026-11-08T12:00:00Z'), to: at('2026-11-09T12:00:00Z') }
  expect(notesOf({ window, observed: undefined, asOf, cost }, { range: theLast('24h'), zone: 'UTC' })).toEqual([
    'Nothing was seen in this window.',
  ])
})

test('its times are those of the zone that the reader asks in', () => {
  const observed = { from: at('2026-11-01T06:00:00Z'), to: asOf }
  const window = windowOf('2026-11-01T00:00:00Z', '2026-11-02T12:00:00Z')
  expect(notesOf({ window, observed, asOf, cost }, { range: theLast('24h'), zone: 'Asia/Kolkata' })).toEqual([
    'Usage is known from Nov 1, 2026, 11:30 (Asia/Kolkata) on.',
  ])
})

test('time that nobody saw is named, and work that no pod asked for, from a hundredth of a GPU-hour on', () => {
  const window = windowOf('2026-11-01T00:00:00Z', '2026-11-02T12:00:00Z')
  const notes = (unobserved: number, unrequested: number) =>
    notesOf(
      { window, observed: window, asOf, cost: costOf(unobserved, unrequested) },
      { range: theLast('24h'), zone: 'UTC' },
    )
  expect(notes(0.01, 0.01)).toEqual([])
  expect(notes(12.5, 3)).toEqual([
    '12.5 GPU-h were not observed: Septet did not read the cluster then, and no metrics engine has that time.',
    'GPUs worked 3 GPU-h that no pod requested.',
  ])
})
