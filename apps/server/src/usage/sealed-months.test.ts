import { DAY_MS, instant, seconds, totalOf, usdPerGpuHour, type Instant, type UsageRow } from '@septet/domain'
import { openTestStore, usageRow } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { MonthSealer, readSealedMonths } from './sealed-months.ts'

const at = (text: string) => instant(Date.parse(text))
const OCTOBER = at('2026-10-01T00:00:00Z')
const NOVEMBER = at('2026-11-01T00:00:00Z')

const row = (time: number, more: Partial<UsageRow> = {}): UsageRow =>
  usageRow({ at: instant(time), span: '1d', present: seconds(86_400), measured: seconds(86_400), ...more })

async function sealerOn() {
  const store = await openTestStore()
  const price = { cluster: 'c', pool: undefined, model: undefined, source: 'test', origin: 'operator' as const }
  const setPrice = (id: string, usd: number): Promise<void> =>
    store.prices.put({ ...price, id, price: usdPerGpuHour(usd), asOf: OCTOBER })
  await setPrice('all', 2)
  const rows: UsageRow[] = []
  for (let time: number = OCTOBER; time < NOVEMBER + DAY_MS; time += DAY_MS) rows.push(row(time))
  await store.usage.write('c', rows)
  type More = { settledTo?: Instant; filledFrom?: Instant; isPastRead?: boolean; keptFrom?: Instant }
  const look = async (now: Instant, more: More = {}) => {
    const { settledTo = now, filledFrom, isPastRead = true, keptFrom = instant(0) } = more
    await new MonthSealer(store, 'c').look({ now, settledTo, isPastRead, filledFrom, keptFrom, nodes: [] })
    return readSealedMonths(store.settings, 'c')
  }
  return { store, setPrice, look }
}

test('a month is sealed once it is over and its last hour is settled, and then stays as it is', async () => {
  const { look } = await sealerOn()
  expect(await look(at('2026-10-31T23:00:00Z'))).toEqual([])
  expect(await look(at('2026-11-01T02:00:00Z'), { settledTo: at('2026-11-01T00:55:00Z') })).toEqual([])
  const sealedAt = at('2026-11-01T02:00:00Z')
  const sealed = await look(sealedAt)
  expect(sealed).toMatchObject([{ month: '2026-10', sealedAt, corrections: [] }])
  expect(totalOf(sealed[0]?.sums ?? ({} as never))).toEqual({ gpuHours: 31 * 24, usd: 31 * 24 * 2 })
  expect(await look(at('2026-11-05T00:00:00Z'))).toEqual(sealed)
})

test('a price of the past that is set later is a correction with its reason', async () => {
  const { look, setPrice } = await sealerOn()
  const [before] = await look(at('2026-11-01T02:00:00Z'))
  await setPrice('all', 3)
  const [month] = await look(at('2026-11-03T00:00:00Z'))
  expect(month?.sums).toEqual(before?.sums)
  expect(month?.corrections.map(({ reason, change }) => [reason, totalOf(change)])).toEqual([
    ['Prices of the past were changed.', { gpuHours: 0, usd: 31 * 24 }],
  ])
  expect((await look(at('2026-11-04T00:00:00Z')))[0]).toEqual(month)
})

test('an hour that arrives after its month was sealed is a correction, counted once', async () => {
  const { store, look } = await sealerOn()
  await look(at('2026-11-01T02:00:00Z'))
  const late = row(OCTOBER, { gpu: 'GPU-2', partition: 'GPU-2', present: seconds(3600), measured: seconds(0) })
  await store.usage.write('c', [late])
  // Nobody told that it came: nothing is read again.
  expect((await look(at('2026-11-01T03:00:00Z')))[0]?.corrections).toEqual([])
  const [month] = await look(at('2026-11-01T04:00:00Z'), { filledFrom: OCTOBER })
  expect(month?.corrections.map(({ reason, change }) => [reason, totalOf(change)])).toEqual([
    ['Usage that was missing was read later.', { gpuHours: 1, usd: 2 }],
  ])
  await store.usage.write('c', [late])
  expect((await look(at('2026-11-01T05:00:00Z'), { filledFrom: OCTOBER }))[0]).toEqual(month)
  // What was filled of this month changes no other.
  expect((await look(at('2026-11-01T06:00:00Z'), { filledFrom: NOVEMBER }))[0]).toEqual(month)
})

test('while a metrics engine is away that would tell of the past a month waits a week, and what it tells later is a correction', async () => {
  const { store, look } = await sealerOn()
  expect(await look(at('2026-11-07T23:00:00Z'), { isPastRead: false })).toEqual([])
  const [sealed] = await look(at('2026-11-08T00:00:00Z'), { isPastRead: false })
  expect(sealed).toMatchObject({ month: '2026-10', corrections: [] })
  const more = row(OCTOBER, { gpu: 'GPU-2', partition: 'GPU-2' })
  await store.usage.write('c', [more])
  const [month] = await look(at('2026-11-20T00:00:00Z'), { filledFrom: OCTOBER })
  expect(month?.sums).toEqual(sealed?.sums)
  expect(month?.corrections.map(({ reason, change }) => [reason, totalOf(change)])).toEqual([
    ['Usage that was missing was read later.', { gpuHours: 24, usd: 48 }],
  ])
})

test('a month of which days are not kept any more stays as it was sealed', async () => {
  const { look, setPrice } = await sealerOn()
  const sealed = await look(at('2026-11-01T02:00:00Z'))
  await setPrice('all', 3)
  const later = await look(at('2027-11-03T00:00:00Z'), { keptFrom: at('2026-10-02T00:00:00Z') })
  expect(later.slice(0, 1)).toEqual(sealed)
})

test('a month that a clock had closed before it was over is open again when the clock goes back', async () => {
  const { store, look } = await sealerOn()
  expect(await look(at('2026-11-01T02:00:00Z'))).toHaveLength(1)
  expect(await look(at('2026-10-31T22:00:00Z'))).toEqual([])
  await store.usage.write('c', [row(OCTOBER, { gpu: 'GPU-2', partition: 'GPU-2' })])
  const [month] = await look(at('2026-11-01T02:00:00Z'))
  expect(totalOf(month?.sums ?? ({} as never)).gpuHours).toBe(32 * 24)
  expect(month?.corrections).toEqual([])
})
