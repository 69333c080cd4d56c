import {
  NOTHING_MEASURED,
  instant,
  ratio,
  seconds,
  totalsOf,
  type Span,
  type UsageRow,
  type UsageStore,
} from '@septet/domain'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { shareHeldOver, usageOver } from './workload-use.ts'

const FROM = Date.UTC(2026, 0, 2)
const OF = { cluster: 'c', of: { workloads: ['lab/Job/a'] } }

type Past = { readonly bucket: number; readonly share: number; readonly busy: number; readonly present: number }

const rowOf = ({ bucket, share, busy, present }: Past, span: Span, step: number): UsageRow => ({
  at: instant(FROM + bucket * step * 1000),
  span,
  node: 'n',
  pool: '',
  gpu: 'g',
  partition: 'p',
  profile: '',
  model: 'm',
  machine: '',
  kind: 'held',
  share: ratio(share),
  namespace: 'lab',
  workload: 'lab/Job/a',
  pod: 'lab/a-0',
  workloadClass: 'training',
  present: seconds(present * step),
  measured: seconds(present * step),
  idle: seconds(0),
  oversized: seconds(0),
  ...NOTHING_MEASURED,
  busy: ratio(busy),
  busyPeak: ratio(busy),
  reason: undefined,
})

/** A store that has these rows and no others. */
const storeOf = (rows: readonly UsageRow[]): Pick<UsageStore, 'totals'> => {
  const totals: UsageStore['totals'] = async ({ span, window, by }) =>
    totalsOf(
      rows.filter((row) => row.span === span && row.at >= window.from && row.at < window.to),
      by,
    )
  return { totals }
}

const overDay = (rows: readonly UsageRow[]) =>
  usageOver(storeOf(rows), { ...OF, window: { from: instant(FROM), to: instant(FROM + 86_400_000) } })

const pasts = fc.uniqueArray(
  fc.record({
    bucket: fc.nat({ max: 287 }),
    share: fc.constantFrom(1, 3 / 7, 0.25),
    busy: fc.double({ min: 0, max: 1, noNaN: true }),
    present: fc.constantFrom(1, 0.5),
  }),
  { selector: ({ bucket }) => bucket, minLength: 1, maxLength: 40 },
)

const nearly = (value: number | undefined): unknown => (value === undefined ? null : expect.closeTo(value, 9))

describe('what a workload used', () => {
  test('has one value per bucket from the first to the last; what was not measured is a gap and never 0', async () => {
    await fc.assert(
      fc.asyncProperty(pasts, async (past) => {
        const use = await overDay(past.map((each) => rowOf(each, '5m', 300)))
        const first = Math.min(...past.map(({ bucket }) => bucket))
        const last = Math.max(...past.map(({ bucket }) => bucket))
        expect(use?.at).toHaveLength(last - first + 1)
        const known = (use?.at ?? []).map((at) => past.find(({ bucket }) => FROM / 1000 + bucket * 300 === at))
        expect(use?.busy).toEqual(known.map((each) => nearly(each?.busy)))
        // Seen for half of it: whether it was let go, or nobody watched, is not known.
        expect(use?.held).toEqual(known.map((each) => nearly(each?.present === 1 ? each.share : undefined)))
      }),
      { numRuns: 60 },
    )
  })

  test('takes hours that are not rolled up yet from what is finer, and counts none twice', async () => {
    const fine = Array.from({ length: 24 }, (_, bucket) =>
      rowOf({ bucket, share: 1, busy: bucket < 12 ? 0.2 : 0.8, present: 1 }, '5m', 300),
    )
    const rolledUp = rowOf({ bucket: 0, share: 1, busy: 0.2, present: 1 }, '1h', 3600)
    const window = { from: instant(FROM), to: instant(FROM + 7 * 86_400_000) }
    const use = await usageOver(storeOf([...fine, rolledUp]), { ...OF, window })
    expect(use?.step).toBe(3600)
    expect(use?.busy.map((value) => Number(value?.toFixed(6)))).toEqual([0.2, 0.8])
  })

  test('is nothing where nothing is stored', async () => {
    expect(await overDay([])).toBeUndefined()
  })
})

describe('how much of some GPUs was held', () => {
  const window = { from: instant(FROM), to: instant(FROM + 86_400_000) }
  const held = (rows: readonly UsageRow[]) =>
    shareHeldOver(storeOf(rows), { cluster: 'c', window, of: { gpus: ['g'] } })

  test('is a share of what was known of them; 0 where nobody held any, and a gap where nothing was known', async () => {
    const used = { share: 0.25, busy: 0.5, present: 1 }
    const over = await held([
      rowOf({ ...used, bucket: 0 }, '5m', 300),
      { ...rowOf({ ...used, bucket: 0, share: 0.75 }, '5m', 300), kind: 'free' },
      { ...rowOf({ ...used, bucket: 1, share: 1 }, '5m', 300), kind: 'free' },
      { ...rowOf({ ...used, bucket: 3, share: 1 }, '5m', 300), kind: 'stranded' },
    ])
    expect(over).toEqual({
      step: 300,
      at: [0, 300, 600, 900].map((second) => FROM / 1000 + second),
      held: [0.25, 0, null, 0],
    })
  })

  test('is nothing where they were never known', async () => {
    expect(await held([])).toBeUndefined()
  })
})
