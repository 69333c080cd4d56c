import { setImmediate } from 'node:timers/promises'

import {
  DAY_MS,
  HOUR_MS,
  addReading,
  instant,
  type MonthsRead,
  openBucket,
  type PriceBook,
  rowsOf,
  seconds,
  usdPerGpuHour,
  type UsageRow,
  type UsageStore,
} from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { describe, expect, test } from 'vitest'

import { DRAWN_AT, draw } from '@septet/domain/testing'
import { monthsBefore, MonthTotals } from './month-totals.ts'

const snapshot = draw`a  H100-80GB-HBM3  [lab/x]`

/** One daily row of one GPU that a pod holds all day. */
function dayOf(at: number): readonly UsageRow[] {
  const bucket = openBucket(instant(DRAWN_AT))
  addReading(bucket, { at: bucket.at, interval: seconds(300), snapshot, samples: [] })
  return rowsOf(bucket).map((row) => ({ ...row, at: instant(at), span: '1d', present: seconds(86_400) }))
}

async function open(first: string, last: string) {
  const store = await openTestStore()
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) await store.usage.write('c', dayOf(at))
  let now = Date.parse(last) + DAY_MS
  const asked: string[] = []
  const waiting = new Set<Promise<unknown>>()
  const waitedFor = <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    waiting.add(answer)
    return answer.finally(() => waiting.delete(answer))
  }
  const usage: UsageStore = {
    ...store.usage,
    coverage: (...query) => waitedFor(store.usage.coverage(...query)),
    totals: (query) => {
      asked.push(new Date(query.window.from).toISOString().slice(0, 7))
      return waitedFor(store.usage.totals(query))
    },
  }
  let read = 0
  const months = new MonthTotals({
    cluster: 'c',
    usage,
    clock: () => instant(now),
    rolledUpTo: async () => instant(now),
    onRead: () => void (read += 1),
    onFailure: (error) => expect.unreachable(String(error)),
  })
  return {
    store,
    months,
    asked,
    readings: () => read,
    later: (more: number) => void (now += more),
    /** Asks, and waits until nothing is read behind it any more. */
    settled: async (namespaces?: readonly string[], book: PriceBook = []) => {
      months.get(book, namespaces)
      // From one answer of the store to the next question is no more than a turn of the event loop.
      do {
        await Promise.allSettled(waiting)
        await setImmediate()
      } while (waiting.size > 0)
      return months.get(book, namespaces)
    },
  }
}
const gpuHours = (read: MonthsRead | undefined): number =>
  (read?.periods ?? []).flatMap(({ totals }) => totals).reduce((sum, { gpuSeconds }) => sum + gpuSeconds, 0) / 3600

const priceFrom = (effectiveFrom: PriceBook[number]['effectiveFrom']): PriceBook[number] => ({
  id: 'later',
  cluster: undefined,
  pool: undefined,
  model: undefined,
  effectiveFrom,
  price: usdPerGpuHour(1),
  source: 'set by an operator',
  asOf: instant(0),
  origin: 'operator',
})

describe('the totals of months', () => {
  test('reach back as far as rows do, and an analysis does not wait for them', async () => {
    const { months, settled, readings } = await open('2026-07-20', '2026-10-31')
    expect(months.get([])).toBeUndefined()
    expect(gpuHours(await settled())).toBe(104 * 24)
    expect(readings()).toBe(1)
  })

  test('are read once an hour, and then only the last two months', async () => {
    const { asked, settled, later } = await open('2026-07-01', '2026-10-31')
    await settled()
    expect(asked).toEqual(['2026-10', '2026-09', '2026-08', '2026-07'])
    asked.length = 0
    later(HOUR_MS - 1)
    await settled()
    expect(asked).toEqual([])
    later(1)
    await settled()
    // November has begun an hour ago and has no rows yet.
    expect(asked.filter((month) => month < '2026-10')).toEqual(['2026-09'])
  })

  test('are read again when more of the past is stored', async () => {
    const { store, months, settled } = await open('2026-10-01', '2026-10-31')
    expect(gpuHours(await settled())).toBe(31 * 24)
    await store.usage.write('c', dayOf(Date.parse('2026-09-30')))
    months.forget()
    expect(gpuHours(await settled())).toBe(32 * 24)
  })

  test('are cut where prices change, and read anew when these change at another time', async () => {
    const { asked, settled } = await open('2026-07-01', '2026-10-31')
    await settled()
    asked.length = 0
    const from = instant(Date.parse('2026-07-11T06:00:00Z'))
    const read = await settled(undefined, [priceFrom(from)])
    expect(gpuHours(read)).toBe(123 * 24)
    expect(read?.periods.map((period) => new Date(period.from).toISOString().slice(0, 10))).toContain('2026-07-11')
    const july = read?.periods.filter((period) => period.from < Date.parse('2026-08-01')) ?? []
    expect(july.map((period) => gpuHours({ periods: [period], upTo: from }))).toEqual([10.25 * 24, 20.75 * 24])
    expect(asked).toContain('2026-07')
  })

  test('of namespaces are of their rows alone', async () => {
    const { settled } = await open('2026-10-01', '2026-10-02')
    expect(gpuHours(await settled(['lab']))).toBe(48)
    expect(gpuHours(await settled(['other']))).toBe(0)
  })
})

test('months are whole calendar months back to the first row, and the one that goes on', () => {
  const months = monthsBefore(instant(Date.parse('2027-01-15T06:00:00Z')), instant(Date.parse('2026-11-30T00:00:00Z')))
  expect(months.map(({ from, to }) => [new Date(from).toISOString(), new Date(to).toISOString()])).toEqual([
    ['2027-01-01T00:00:00.000Z', '2027-01-15T06:00:00.000Z'],
    ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ])
  expect(monthsBefore(instant(0), undefined)).toEqual([])
  expect(monthsBefore(instant(Date.parse('2027-01-15')), instant(0))).toHaveLength(13)
})
