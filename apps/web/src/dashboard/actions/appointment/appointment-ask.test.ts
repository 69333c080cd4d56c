import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { askOf, readAsk, writeAsk, type AskText } from './appointment-ask.ts'

/** A Friday. */
const NOW = new Date(2026, 10, 20, 10, 41)
const ask = (search: string): AskText => readAsk(new URLSearchParams(search), NOW)

describe('a reservation that the address says nothing of', () => {
  test('is for eight GPUs of one node, eight hours from nine on the Monday that comes', () =>
    expect(ask('')).toEqual({
      gpus: '8',
      cut: '',
      per: '8',
      board: '',
      at: '2026-11-23T09:00',
      hours: '8',
      for: '',
      longest: '',
      evict: '10',
    }))

  test('begins a week later on a Monday, and never in the past', () => {
    for (let day = 1; day <= 14; day += 1) {
      const now = new Date(2026, 10, day, 23, 59)
      const at = new Date(readAsk(new URLSearchParams(), now).at)
      expect([at.getDay(), at.getHours()]).toEqual([1, 9])
      expect(at.getTime()).toBeGreaterThan(now.getTime())
      expect(at.getTime() - now.getTime()).toBeLessThan(8 * 24 * 3_600_000)
    }
  })

  test('is for one instance of a node where it is for instances', () => {
    expect(ask('cut=1g.10gb').per).toBe('1')
    expect(ask('cut=1g.10gb&per=7').per).toBe('7')
  })

  test('falls back to Monday where the address has no time at all', () => expect(ask('at=soon').at).toBe(ask('').at))
})

describe('a reservation in the address', () => {
  const text = fc.stringMatching(/^[a-z0-9.-]{1,12}$/u)
  const asks = fc.record({
    gpus: fc.integer({ min: 1, max: 512 }).map(String),
    cut: fc.option(text, { nil: '' }),
    per: fc.integer({ min: 1, max: 16 }).map(String),
    board: fc.option(text, { nil: '' }),
    at: fc.integer({ min: 0, max: 500_000 }).map((minutes) => {
      const at = new Date(2026, 0, 1, 0, minutes)
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    }),
    hours: fc.integer({ min: 1, max: 720 }).map(String),
    for: fc.option(text, { nil: '' }),
    longest: fc.option(fc.integer({ min: 1, max: 720 }).map(String), { nil: '' }),
    evict: fc.integer({ min: 0, max: 100 }).map(String),
  })

  test('comes back as it was typed, and leaves the rest of the address as it was', () =>
    fc.assert(
      fc.property(asks, (typed) => {
        const written = writeAsk(new URLSearchParams('cluster=demo&cut=old&board=old'), typed)
        expect(readAsk(new URLSearchParams(String(written)), NOW)).toEqual(typed)
        expect(written.get('cluster')).toBe('demo')
      }),
    ))

  test('holds its time in UTC, so that a colleague elsewhere sees the same instant', () => {
    const written = writeAsk(new URLSearchParams(), { ...ask(''), at: '2026-11-23T09:00' })
    expect(written.get('at')).toBe(new Date(2026, 10, 23, 9).toISOString())
  })

  test('leaves a time out that was emptied', () =>
    expect(writeAsk(new URLSearchParams('at=2026-11-23T09:00:00Z'), { ...ask(''), at: '' }).has('at')).toBe(false))
})

describe('what the server is asked', () => {
  test('has numbers, and leaves out what was not chosen', () =>
    expect(askOf({ ...ask(''), at: '2026-11-23T09:00' }, undefined)).toEqual({
      gpus: 8,
      perNode: 8,
      at: new Date(2026, 10, 23, 9).toISOString(),
      hours: 8,
      maxDisplaced: 10,
    }))

  test('has profile, model, namespace, longest and cluster where they were', () => {
    const chosen = ask('cut=3g.40gb&board=A100-SXM4-80GB&for=lab&longest=24&evict=0')
    expect(askOf(chosen, 'demo')).toMatchObject({
      cluster: 'demo',
      profile: '3g.40gb',
      model: 'A100-SXM4-80GB',
      namespace: 'lab',
      longestHours: 24,
      maxDisplaced: 0,
    })
  })
})
