import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { instantIn } from '../../analyze/zoned-time.ts'
import { instant, type Instant } from '../../units.ts'
import { isOpen, type MaintenanceWindow, nextOpening } from './maintenance-window.ts'

const BERLIN = 'Europe/Berlin'
const at = (date: string, hour: number, minute = 0): Instant => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return instantIn(BERLIN, { year, month, day }, hour * 60 + minute)
}
// 2026-06-15 is a Monday.
const SATURDAY_NIGHT: MaintenanceWindow = { weekday: 5, from: 22 * 60, to: 4 * 60, zone: BERLIN }
const MONDAY_NOON: MaintenanceWindow = { weekday: 0, from: 12 * 60, to: 13 * 60, zone: BERLIN }

test('without a window it is always open', () => {
  expect(isOpen([], at('2026-06-15', 3))).toBe(true)
  expect(nextOpening([], at('2026-06-15', 3))).toBeUndefined()
})

test('a window opens on its weekday, at its time, in its zone; its end is outside', () => {
  const open = (hour: number, minute = 0) => isOpen([MONDAY_NOON], at('2026-06-15', hour, minute))
  expect([open(11, 59), open(12), open(12, 59), open(13)]).toEqual([false, true, true, false])
  expect(isOpen([MONDAY_NOON], at('2026-06-16', 12))).toBe(false)
  expect(isOpen([{ ...MONDAY_NOON, zone: 'UTC' }], at('2026-06-15', 12))).toBe(false)
})

test('a window over midnight belongs to the day on which it opens', () => {
  expect(isOpen([SATURDAY_NIGHT], at('2026-06-20', 23))).toBe(true)
  expect(isOpen([SATURDAY_NIGHT], at('2026-06-21', 3, 59))).toBe(true)
  expect(isOpen([SATURDAY_NIGHT], at('2026-06-21', 4))).toBe(false)
  expect(isOpen([SATURDAY_NIGHT], at('2026-06-20', 3))).toBe(false)
})

test('the whole day is from 0 to 1440', () => {
  const sunday: MaintenanceWindow = { weekday: 6, from: 0, to: 1440, zone: BERLIN }
  expect(isOpen([sunday], at('2026-06-21', 23, 59))).toBe(true)
  expect(isOpen([sunday], at('2026-06-22', 0))).toBe(false)
})

test('it keeps to the clock on the wall where that changes', () => {
  // The clock goes from 2 to 3 on 2026-03-29, and twice through 2 to 3 on 2026-10-25, both Sundays.
  const night: MaintenanceWindow = { weekday: 6, from: 60, to: 4 * 60, zone: BERLIN }
  const length = (date: string) => {
    const from = at(date, 1)
    const open = Array.from({ length: 360 }, (_, minute) => instant(from + minute * 60_000))
    return open.filter((now) => isOpen([night], now)).length
  }
  expect([length('2026-03-29'), length('2026-06-21'), length('2026-10-25')]).toEqual([120, 180, 240])
})

test('the next opening is the earliest of all windows', () => {
  expect(nextOpening([SATURDAY_NIGHT, MONDAY_NOON], at('2026-06-15', 11))).toBe(at('2026-06-15', 12))
  expect(nextOpening([SATURDAY_NIGHT, MONDAY_NOON], at('2026-06-15', 12))).toBe(at('2026-06-20', 22))
  expect(nextOpening([MONDAY_NOON], at('2026-06-15', 13))).toBe(at('2026-06-22', 12))
})

test('a zone that nobody knows never opens', () => {
  const nowhere: MaintenanceWindow = { weekday: 0, from: 0, to: 1440, zone: 'Mars/Olympus' }
  expect(isOpen([nowhere], at('2026-06-15', 12))).toBe(false)
  expect(nextOpening([nowhere], at('2026-06-15', 12))).toBeUndefined()
})

test('it is open at its next opening, and shut just before', () => {
  const drawn = fc.record({
    weekday: fc.nat(6),
    from: fc.nat(1439),
    to: fc.integer({ min: 1, max: 1440 }),
    zone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'),
  })
  fc.assert(
    fc.property(drawn, fc.nat(365 * 24 * 60), (window, minutes) => {
      const now = instant(1_767_225_600_000 + minutes * 60_000)
      const next = nextOpening([window], now)
      // An hour that the clock skips is not an opening.
      fc.pre(next !== undefined && Math.abs(window.to - window.from) > 60)
      expect(isOpen([window], next)).toBe(true)
      // Either it is still open now, or it is shut until then.
      expect(isOpen([window], now) || !isOpen([window], instant(next - 1))).toBe(true)
    }),
    { numRuns: 60 },
  )
})
