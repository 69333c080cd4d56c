import { expect, test } from 'vitest'

import type { WaitTotal } from '../analyze/waits.ts'
import { instant, usdPerGpuHour } from '../units.ts'
import type { PriceOf } from './prices-of.ts'
import { waitLedger } from './wait-ledger.ts'

/** An hour for which `lab/Job/a` waited for two GPUs. */
const hour = (more: Partial<WaitTotal> = {}): WaitTotal => ({
  namespace: 'lab',
  workload: 'lab/Job/a',
  cause: 'capacity',
  change: undefined,
  asks: '2 × nvidia.com/gpu',
  gpus: 2,
  kinds: [
    { pool: '', model: 'H100' },
    { pool: '', model: 'A100' },
    { pool: '', model: 'unpriced' },
  ],
  seconds: 3600,
  waiters: 1,
  lastAt: instant(0),
  ...more,
})

/** A100s cost so much for a GPU-hour, H100s one dollar more; nothing else has a price. */
const prices =
  (ofA100: number): PriceOf =>
  ({ model }) => {
    if (model === 'unpriced') return { kind: 'unknown', because: 'no price' }
    const price = usdPerGpuHour(model === 'H100' ? ofA100 + 1 : ofA100)
    return { kind: 'known', price, source: '', asOf: instant(0), origin: 'shipped', scope: 'default' }
  }

const nobody = (): boolean => false

test('what several kinds of GPU could serve is priced at the cheapest, at the prices of each period', () => {
  const { seconds, gpuHours, usd, causes } = waitLedger(
    [
      { totals: [hour()], priceOf: prices(1) },
      { totals: [hour()], priceOf: prices(3) },
    ],
    nobody,
  )
  expect([seconds, gpuHours, usd]).toEqual([7200, 4, 2 * 1 + 2 * 3])
  expect(causes).toHaveLength(1)
})

test('what has no price, or asks for nobody knows how much, is told apart and not counted as 0', () => {
  const unpriced = hour({ kinds: [{ pool: '', model: 'unpriced' }], cause: 'quota' })
  const ledger = waitLedger(
    [{ totals: [unpriced, hour({ gpus: undefined, cause: 'gate' })], priceOf: prices(1) }],
    nobody,
  )
  expect(ledger).toMatchObject({ seconds: 7200, gpuHours: 2, usd: 0, unpricedGpuHours: 2, unsizedSeconds: 3600 })
})

test('causes stand by what they cost in GPU-hours, those without a size by their time', () => {
  const totals = [
    hour({ cause: 'gate', gpus: undefined }),
    hour({ cause: 'quota', seconds: 1800 }),
    hour({ cause: 'spread', gpus: undefined, seconds: 7200 }),
    hour({ cause: 'capacity' }),
  ]
  for (const given of [totals, totals.toReversed()]) {
    expect(waitLedger([{ totals: given, priceOf: prices(1) }], nobody).causes.map(({ cause }) => cause)).toEqual([
      'capacity',
      'quota',
      'spread',
      'gate',
    ])
  }
})

test('a change of what waits now is told before one that would have ended a longer wait', () => {
  const past = { kind: 'move', sentence: 'Move work.' }
  const present = { kind: 'evict', sentence: 'Stop it.' }
  const totals = [
    hour({ seconds: 9000, change: past }),
    hour({ workload: 'lab/Job/b', change: present, lastAt: instant(9) }),
    hour({ workload: 'lab/Job/b', cause: 'quota', lastAt: instant(5) }),
  ]
  const changeOf = (isWaiting: (id: string) => boolean) =>
    waitLedger([{ totals, priceOf: prices(1) }], isWaiting).causes.find(({ cause }) => cause === 'capacity')
  expect(changeOf(nobody)).toMatchObject({ change: past, workloads: 2, waiting: 0 })
  expect(changeOf((id) => id === 'lab/Job/b')).toMatchObject({ change: present, waiting: 1 })
})
