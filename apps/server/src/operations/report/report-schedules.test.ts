import { instant } from '@septet/domain'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { settingsInMemory } from '../../settings-in-memory.fixture.ts'
import { listSchedules, nextTime, noteOutcome, putSchedule, readSchedules, removeSchedule } from './report-schedules.ts'

const at = (text: string) => instant(Date.parse(text))
const next = (schedule: Parameters<typeof nextTime>[0], after: string): string => {
  const due = nextTime(schedule, at(after))
  return due === undefined ? 'never' : new Date(due).toISOString()
}

describe('a report is due', () => {
  const daily = { rhythm: { every: 'day' as const }, time: '08:00', zone: 'Europe/Berlin' }

  test('at its time of day in its time zone, winter and summer', () => {
    expect(next(daily, '2026-01-10T00:00:00Z')).toBe('2026-01-10T07:00:00.000Z')
    expect(next(daily, '2026-07-10T00:00:00Z')).toBe('2026-07-10T06:00:00.000Z')
  })

  test('once where the clocks are put back over it', () => {
    const early = { ...daily, time: '02:30' }
    const first = next(early, '2026-10-24T22:00:00Z')
    expect(first.slice(0, 10)).toBe('2026-10-25')
    expect(next(early, first).slice(0, 10)).toBe('2026-10-26')
  })

  test('also on the day when the clocks are put forward over it', () => {
    expect(next({ ...daily, time: '02:30' }, '2026-03-28T23:00:00Z').slice(0, 10)).toBe('2026-03-29')
  })

  test('on its weekday, and on its day of the month', () => {
    const monday = { ...daily, rhythm: { every: 'week' as const, weekday: 1 } }
    expect(new Date(next(monday, '2026-11-21T12:00:00Z')).getUTCDay()).toBe(1)
    const sunday = { ...daily, rhythm: { every: 'week' as const, weekday: 7 } }
    expect(new Date(next(sunday, '2026-11-21T12:00:00Z')).getUTCDay()).toBe(0)
    const monthly = { ...daily, rhythm: { every: 'month' as const, day: 28 } }
    expect(next(monthly, '2026-02-28T12:00:00Z').slice(0, 10)).toBe('2026-03-28')
  })

  test('always later than what it is asked after, and within a month and a day', () => {
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Australia/Lord_Howe')
    const rhythm = fc.oneof(
      fc.constant({ every: 'day' as const }),
      fc.integer({ min: 1, max: 7 }).map((weekday) => ({ every: 'week' as const, weekday })),
      fc.integer({ min: 1, max: 28 }).map((day) => ({ every: 'month' as const, day })),
    )
    const time = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
    const now = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(fc.record({ zone, rhythm, time }), now, (schedule, after) => {
        const due = nextTime(schedule, instant(after.getTime()))
        expect(due).toBeGreaterThan(after.getTime())
        expect((due ?? 0) - after.getTime()).toBeLessThanOrEqual(32 * 86_400_000)
      }),
    )
  })
})

const weekly = {
  id: 'weekly',
  range: 'last-week',
  files: ['pdf' as const],
  recipients: ['ops@example.com'],
  rhythm: { every: 'week' as const, weekday: 1 },
  time: '08:00',
  zone: 'UTC',
}

describe('schedules', () => {
  test('are kept in their order, replaced by name and removed', async () => {
    const store = settingsInMemory()
    await putSchedule(store, weekly, 0)
    await putSchedule(store, { ...weekly, id: 'other' }, 0)
    await putSchedule(store, { ...weekly, time: '09:00' }, 0)
    expect((await readSchedules(store)).map(({ id, time }) => `${id} ${time}`)).toEqual(['weekly 09:00', 'other 08:00'])
    await removeSchedule(store, 'weekly')
    expect((await listSchedules(store, { now: 0, keepsMails: true })).schedules.map(({ id }) => id)).toEqual(['other'])
    await expect(removeSchedule(store, 'weekly')).rejects.toThrow('There is no schedule "weekly".')
  })

  test('keep what came of the last time when they are set again', async () => {
    const store = settingsInMemory()
    await putSchedule(store, weekly, 0)
    await noteOutcome(store, 'weekly', { at: '2026-11-16T08:00:00.000Z', outcome: 'sent' })
    const again = await putSchedule(store, { ...weekly, recipients: ['team@example.com'] }, 0)
    expect(again.last?.outcome).toBe('sent')
  })

  test('refuse a time zone that is none', async () => {
    await expect(putSchedule(settingsInMemory(), { ...weekly, zone: 'Mars/Olympus' }, 0)).rejects.toThrow(
      'is not a time zone',
    )
  })
})
