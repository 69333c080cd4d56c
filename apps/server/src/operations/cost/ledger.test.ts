import { OPERATIONS, type InputOf, type costLedger } from '@septet/contract'
import { HOUR_MS, instant, parseRange, seconds, usdPerGpuHour, type UsageRow } from '@septet/domain'
import { openTestStore, usageRow } from '@septet/storage/testing'
import { beforeAll, describe, expect, test } from 'vitest'

import type { ClusterFacts } from '../../facts.ts'
import { ledgerAnswers } from './ledger.ts'

const at = (text: string) => instant(Date.parse(text))
const NOW = at('2026-11-02T12:00:00Z')
const FROM = at('2026-10-30T00:00:00Z')
/** At half past ten the price goes from $2 to $3. */
const DEARER = at('2026-10-31T10:30:00Z')

const row = (time: number, more: Partial<UsageRow> = {}): UsageRow =>
  usageRow({
    at: instant(time),
    span: '1h',
    pool: 'p',
    gpu: 'GPU-0',
    partition: 'GPU-0',
    model: 'H100-80GB-HBM3',
    machine: 'p5.48xlarge|us-east-1|spot',
    namespace: 'lab',
    workload: 'lab/Job/a',
    pod: 'lab/a-0',
    present: seconds(3600),
    measured: seconds(3600),
    idle: seconds(900),
    oversized: seconds(600),
    ...more,
  })

let store: Awaited<ReturnType<typeof openTestStore>>
beforeAll(async () => {
  store = await openTestStore()
  const rows: UsageRow[] = []
  for (let time: number = FROM; time < NOW; time += HOUR_MS) {
    const free = {
      kind: 'free',
      namespace: '',
      workload: '',
      pod: '',
      idle: seconds(0),
      oversized: seconds(0),
    } as const
    rows.push(row(time), row(time, { ...free, gpu: 'GPU-1', partition: 'GPU-1' }))
    rows.push(row(time, { ...free, kind: 'unobserved', gpu: 'GPU-2', partition: 'GPU-2', model: 'odd', machine: '' }))
  }
  await store.usage.write('c', rows)
  const price = { cluster: 'c', pool: undefined, source: 'test', asOf: FROM, origin: 'operator' as const }
  const model = 'H100-80GB-HBM3'
  await store.prices.put({ ...price, model, id: 'before', price: usdPerGpuHour(2), effectiveFrom: FROM })
  await store.prices.put({ ...price, model, id: 'after', price: usdPerGpuHour(3), effectiveFrom: DEARER })
})

const facts = {
  record: { id: 'c', name: 'C', kind: 'cluster' },
  picture: () => undefined,
  history: () => undefined,
  asOf: () => NOW,
} as unknown as ClusterFacts

async function ask(range: string, more: Partial<InputOf<typeof costLedger>> = {}, namespaces?: readonly string[]) {
  const input = { ...OPERATIONS.costLedger.input.parse({}), ...more, range: parseRange(range) }
  const { costLedger: answer } = ledgerAnswers({ store, now: () => NOW })
  const told = await answer(facts, input as never, { caller: { namespaces } } as never)
  return OPERATIONS.costLedger.output.parse(told).lines
}
const sum = (lines: Awaited<ReturnType<typeof ask>>, of: 'gpuHours' | 'usd' = 'gpuHours'): number =>
  lines.reduce((whole, line) => whole + (line[of] ?? 0), 0)

describe('the ledger', () => {
  test('has a line for each part of an hour, with the machine and the price of then', async () => {
    const lines = await ask('2026-10-31T10:00:00Z/2026-10-31T11:00:00Z')
    const place = {
      model: 'H100-80GB-HBM3',
      pool: 'p',
      instanceType: 'p5.48xlarge',
      region: 'us-east-1',
      capacity: 'spot',
    }
    const of = (part: string): (number | null | undefined)[][] =>
      lines
        .filter((line) => line.part === part)
        .map(({ gpuHours, usdPerGpuHour: price, usd }) => [gpuHours, price, usd])
    expect(lines.filter(({ part }) => part === 'idleHeld')[0]).toMatchObject({ ...place, namespace: 'lab' })
    // The price changes within the hour: half of it is at each.
    expect(of('idleHeld')).toEqual([
      [0.125, 2, 0.25],
      [0.125, 3, 0.375],
    ])
    expect(of('unallocated')).toEqual([
      [0.5, 2, 1],
      [0.5, 3, 1.5],
    ])
    expect(of('unobserved')).toEqual([
      [0.5, null, null],
      [0.5, null, null],
    ])
    expect(sum(lines)).toBeCloseTo(3, 9)
  })

  test.each(['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu'])(
    'adds up by the hour and by the day, and no line lies in two months of %s',
    async (zone) => {
      const range = '2026-10-30T12:00:00Z/2026-11-02T06:00:00Z'
      const [hours, days] = [await ask(range, { zone }), await ask(range, { zone, step: 'day' })]
      for (const of of ['gpuHours', 'usd'] as const) expect(sum(hours, of)).toBeCloseTo(sum(days, of), 4)
      expect(sum(hours)).toBeCloseTo(3 * 66, 6)
      const months = new Intl.DateTimeFormat('en-US', { timeZone: zone, month: 'numeric' })
      for (const { from, to } of hours) {
        expect(months.format(Date.parse(to) - 1)).toBe(months.format(Date.parse(from)))
        expect(Date.parse(to) - Date.parse(from)).toBeLessThanOrEqual(HOUR_MS)
      }
    },
  )

  test('of some namespaces has what these held', async () => {
    const lines = await ask('2026-10-31T10:00:00Z/2026-10-31T11:00:00Z', {}, ['lab'])
    expect(new Set(lines.map(({ namespace }) => namespace))).toEqual(new Set(['lab']))
    expect(sum(lines)).toBeCloseTo(1, 9)
  })
})
