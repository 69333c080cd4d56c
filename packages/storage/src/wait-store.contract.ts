import { instant, type Store, type WaitStretch } from '@septet/domain'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const CHANGE = { kind: 'quota', sentence: 'Raise the quota.' }
const WINDOW = { from: instant(0), to: instant(1_000_000) }

const stretch = (more: Partial<WaitStretch> = {}): WaitStretch => ({
  waiter: 'uid-1',
  namespace: 'lab',
  workload: 'lab/Job/train',
  from: instant(10_000),
  to: instant(70_000),
  cause: 'quota',
  change: CHANGE,
  asks: '2 × nvidia.com/gpu',
  gpus: 2,
  kinds: [{ pool: 'spot', model: 'H100' }],
  over: false,
  ...more,
})

/** How every store keeps what was waited. */
export function waitStoreBehaves(open: () => Promise<Store>): void {
  let store: Store
  let cluster = ''
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())
  beforeEach(() => {
    cluster = `waits-${Math.random()}`
  })
  const totals = (more = {}) => store.waits.totals({ cluster, window: WINDOW, ...more })

  const workloadsOf = async (more: object) => (await totals(more)).map(({ workload }) => workload)
  /** Milliseconds. */
  const sumBetween = async (from: number, to: number) =>
    (await totals({ window: { from: instant(from), to: instant(to) } })).reduce(
      (all, each) => all + each.seconds * 1000,
      0,
    )

  describe('waits', () => {
    test('adds up stretches of one workload, cause and change, and cuts them at the edges of the window', async () => {
      await store.waits.write(cluster, [stretch(), stretch({ waiter: 'uid-2', from: instant(20_000) })])
      const { waiter: _waiter, from: _from, to: _to, over: _over, ...parts } = stretch()
      expect(await totals()).toEqual([{ ...parts, seconds: 110, waiters: 2, lastAt: 70_000 }])
      const window = { from: instant(15_001), to: instant(21_000) }
      expect((await totals({ window }))[0]).toMatchObject({ seconds: 6.999, lastAt: 21_000 })
    })

    test('overwrites what has changed of a stretch, and gives the last one of each waiter', async () => {
      await store.waits.write(cluster, [stretch()])
      const longer = stretch({ to: instant(90_000), cause: 'capacity', change: undefined, gpus: undefined })
      const later = stretch({ over: true, from: instant(90_000), to: instant(95_000), gpus: undefined, kinds: [] })
      await store.waits.write(cluster, [longer, later, stretch({ waiter: 'uid-2' })])
      expect((await totals()).map(({ cause, seconds }) => [cause, seconds])).toEqual([
        ['capacity', 80],
        ['quota', 60],
        ['quota', 5],
      ])
      expect(await store.waits.last(cluster, ['uid-1', 'uid-3'])).toEqual([later])
    })

    test('tells whole waits for one ask, the newest first, and one that waits again as another', async () => {
      await store.waits.write(cluster, [
        stretch({ from: instant(10_000), to: instant(20_000) }),
        stretch({ from: instant(20_000), to: instant(30_000), cause: 'capacity', over: true }),
        stretch({ from: instant(50_000), to: instant(60_000) }),
        stretch({ waiter: 'uid-2', namespace: 'web', to: instant(40_000), over: true }),
        stretch({ waiter: 'uid-3', asks: '8 × nvidia.com/gpu' }),
      ])
      const { asks, from } = stretch()
      const past = (more = {}) => store.waits.past({ cluster, window: WINDOW, asks, limit: 9, ...more })
      expect(await past()).toEqual([
        { namespace: 'lab', asks, from: 50_000, to: 60_000, over: false },
        { namespace: 'web', asks, from, to: 40_000, over: true },
        { namespace: 'lab', asks, from: 10_000, to: 30_000, over: true },
      ])
      expect(await past({ namespaces: ['web', ''] })).toHaveLength(1)
      expect(await past({ limit: 2 })).toHaveLength(2)
    })

    test('tells only of the namespaces and workloads that were asked for, and of nobody where none was', async () => {
      await store.waits.write(cluster, [
        stretch(),
        stretch({ waiter: 'uid-2', namespace: '', workload: '/Job/odd' }),
        stretch({ waiter: 'uid-3', namespace: 'web', workload: 'web/Job/chat' }),
      ])
      expect(await workloadsOf({ namespaces: ['web', ''] })).toEqual(['web/Job/chat'])
      expect(await workloadsOf({ namespaces: [] })).toEqual([])
      expect(await workloadsOf({ workloads: ['lab/Job/train'] })).toEqual(['lab/Job/train'])
    })

    test('drops what ended before, and forgets one cluster alone', async () => {
      const other = `${cluster}-other`
      await store.waits.write(cluster, [stretch({ to: instant(20) }), stretch({ waiter: 'uid-2' })])
      await store.waits.write(other, [stretch()])
      expect(await store.waits.prune(instant(30))).toBe(1)
      await store.waits.forget(cluster)
      expect(await totals()).toEqual([])
      expect(await store.waits.totals({ cluster: other, window: WINDOW })).toHaveLength(1)
    })

    test('adds up to the same over any cut of the range', async () => {
      const drawn = fc.record({ from: fc.nat(900), length: fc.nat(99), waiter: fc.nat(4) })
      await fc.assert(
        fc.asyncProperty(fc.array(drawn, { maxLength: 12 }), fc.nat(1_000_000), async (all, cut) => {
          await store.waits.forget(cluster)
          const kept = new Map(
            all.map(({ from, length, waiter }) => [
              `${waiter} ${from}`,
              stretch({ waiter: `uid-${waiter}`, from: instant(from * 1000), to: instant((from + length) * 1000) }),
            ]),
          )
          await store.waits.write(cluster, [...kept.values()])
          const whole = [...kept.values()].reduce((all_, { from, to }) => all_ + to - from, 0)
          expect(await sumBetween(0, 1_000_000)).toBe(whole)
          expect(Math.round((await sumBetween(0, cut)) + (await sumBetween(cut, 1_000_000)))).toBe(whole)
        }),
        { numRuns: 30 },
      )
    })
  })
}
