import {
  MINUTE_MS,
  instant,
  ratio,
  type Alert,
  type ClusterEvent,
  type ClusterEventQuery,
  type Delivery,
  type DeliveryAttempt,
  type Store,
} from '@septet/domain'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const NOW = instant(Date.UTC(2026, 10, 17, 9))
const later = (minutes: number) => instant(NOW + minutes * MINUTE_MS)

/** One behavior of what happened and what was alerted, on every PostgreSQL. Names are new in each test. */
export function alertStoreBehaves(open: () => Promise<Store>): void {
  let store: Store
  let cluster = ''
  let count = 0
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())
  beforeEach(() => {
    cluster = `alerts-${(count += 1)}-${Math.random()}`
  })

  const event = (id: string, minute: number, rest: Partial<ClusterEvent> = {}): ClusterEvent => ({
    id,
    cluster,
    at: later(minute),
    kind: 'xid',
    object: 'gpu/GPU-1',
    namespace: 'team-a',
    message: 'GPU GPU-1 reported XID 79.',
    figures: { code: 79, node: 'node-a' },
    ...rest,
  })
  const eventIds = (rest: Partial<ClusterEventQuery> = {}) =>
    store.events.list({ cluster, limit: 100, ...rest }).then((found) => found.map(({ id }) => id))

  const name = (id: string) => `${cluster}/${id}`
  const alert = (id: string, rest: Partial<Alert> = {}): Alert => ({ ...plainAlert(cluster, name(id)), ...rest })

  const due = async (minute: number) =>
    (await store.alerts.deliveries.due(later(minute), 1000)).map(({ id }) => id).filter((id) => id.startsWith(cluster))

  describe('cluster events', () => {
    test('come back newest first, as they were written, and once', async () => {
      const written = [event('a', 0), event('b', 5, { namespace: undefined, figures: {} }), event('c', 5)]
      await store.events.add(cluster, written)
      await store.events.add(cluster, [...written, event('a', 0, { message: 'another' })])
      expect(await store.events.list({ cluster, limit: 10 })).toEqual([written[2], written[1], written[0]])
      expect(await store.events.list({ cluster: `${cluster}-other`, limit: 10 })).toEqual([])
      await store.events.add(`${cluster}-other`, [event('a', 0)])
      expect(await eventIds()).toEqual(['c', 'b', 'a'])
    })

    test('are found by object, kind and time; a window leaves out its end', async () => {
      await store.events.add(cluster, [
        event('a', 0),
        event('b', 1, { object: 'node/n', kind: 'node-gone' }),
        event('c', 2, { object: 'node/n', kind: 'node-joined' }),
      ])
      expect(await eventIds({ objects: ['node/n'] })).toEqual(['c', 'b'])
      expect(await eventIds({ objects: [] })).toEqual([])
      expect(await eventIds({ kinds: ['node-gone', 'xid'] })).toEqual(['b', 'a'])
      expect(await eventIds({ from: later(1), to: later(2) })).toEqual(['b'])
    })

    test('come page by page, also where many are of one instant', async () => {
      await store.events.add(
        cluster,
        Array.from({ length: 4500 }, (_, order) => event(String(order).padStart(5, '0'), order < 10 ? 1 : 0)),
      )
      const seen: string[] = []
      for (let before: Pick<ClusterEvent, 'at' | 'id'> | undefined; ;) {
        const page = await store.events.list({ cluster, limit: 1000, ...(before && { before }) })
        seen.push(...page.map(({ id }) => id))
        before = page.at(-1)
        if (before === undefined) break
      }
      expect(seen).toHaveLength(4500)
      expect(new Set(seen).size).toBe(4500)
      expect(seen.slice(0, 2)).toEqual(['00009', '00008'])
    })

    test('old ones are dropped', async () => {
      await store.events.add(cluster, [event('a', -1), event('b', 0)])
      expect(await store.events.prune(NOW)).toBeGreaterThanOrEqual(1)
      expect(await eventIds()).toEqual(['b'])
    })

    test('keep hostile texts as far as a database can, and nothing of a batch that cannot be kept', async () => {
      const text = `<b>'"\\\0\ud800${String.fromCodePoint(0x1f680)}`
      await store.events.add(cluster, [event('a', 0, { message: text, object: text, figures: { text } })])
      const [found] = await store.events.list({ cluster, limit: 1 })
      expect(found?.message).toBe(`<b>'"\\\uFFFD\uFFFD🚀`)
      expect(found?.object).toBe(`<b>'"\\\uFFFD\uFFFD🚀`)
      await expect(store.events.add(cluster, [event('b', 0), event('c', NaN)])).rejects.toThrow('no point in time')
      expect(await eventIds()).toEqual(['a'])
      await expect(store.events.add(cluster, [])).resolves.toBeUndefined()
    })

    test('are, of any events, those that a question fits: each once, newest first', async () => {
      const some = fc.record({
        id: fc.constantFrom('a', 'b', 'B', 'ä', 'c1', 'c2'),
        minute: fc.integer({ min: 0, max: 3 }),
        kind: fc.constantFrom('xid', 'node-gone', 'mig-change'),
        object: fc.constantFrom('gpu/1', 'node/a'),
      })
      const question = fc.record(
        {
          objects: fc.subarray(['gpu/1', 'node/a']),
          kinds: fc.subarray(['xid', 'node-gone']),
          from: fc.integer({ min: 0, max: 3 }).map(later),
          to: fc.integer({ min: 0, max: 3 }).map(later),
          before: fc.record({ at: fc.integer({ min: 0, max: 3 }).map(later), id: fc.constantFrom('b', 'ä') }),
        },
        { requiredKeys: [] },
      )
      await fc.assert(
        fc.asyncProperty(fc.array(some, { maxLength: 12 }), question, async (events, asked) => {
          const other = `${cluster}-${(count += 1)}`
          const fresh = events.map(({ minute, ...rest }) => event(rest.id, minute, rest as Partial<ClusterEvent>))
          const query = { ...(asked as Partial<ClusterEventQuery>), cluster: other, limit: 5 }
          await store.events.add(other, fresh)
          expect(await store.events.list(query)).toEqual(listed(fresh, query))
        }),
        { numRuns: 200 },
      )
    })
  })

  describe('alerts', () => {
    test('come back as they were written, and are replaced by id', async () => {
      const bare = alert('b', { namespace: undefined, firedAt: undefined, ending: 'rule-changed', status: 'pending' })
      const full = alert('a', {
        resolvedAt: later(9),
        clearSince: later(8),
        told: { firing: later(1), resolved: undefined },
        acknowledgement: { by: 'a@x', at: later(2), reason: 'known' },
        silence: { by: 'a@x', at: later(2), reason: 'weekend', until: later(99) },
        figure: { value: 3, threshold: 2, unit: 'hours', coverage: ratio(0.5) },
      })
      await store.alerts.write([full, bare], [])
      expect(await store.alerts.get(full.id)).toEqual(full)
      expect(await store.alerts.get(bare.id)).toEqual(bare)
      expect(await store.alerts.get(name('none'))).toBeUndefined()
      await store.alerts.write(
        [
          { ...bare, title: 'first' },
          { ...bare, title: 'last' },
        ],
        [],
      )
      expect((await store.alerts.get(bare.id))?.title).toBe('last')
    })

    test('what ends before it fired is forgotten', async () => {
      await store.alerts.write([alert('a', { status: 'pending', firedAt: undefined })], [])
      await store.alerts.write([alert('a', { status: 'resolved', firedAt: undefined, resolvedAt: later(1) })], [])
      expect(await store.alerts.get(name('a'))).toBeUndefined()
    })

    test('a mark stays, whatever is evaluated after it', async () => {
      await store.alerts.write([alert('a')], [])
      const acknowledgement = { by: 'a@x', at: NOW, reason: 'seen' }
      const silence = { ...acknowledgement, until: later(60) }
      expect(await store.alerts.mark(name('a'), { acknowledgement })).toMatchObject({ acknowledgement })
      expect(await store.alerts.mark(name('a'), { silence })).toMatchObject({ acknowledgement, silence })
      await store.alerts.write([alert('a', { status: 'resolved', resolvedAt: later(1) })], [])
      expect(await store.alerts.get(name('a'))).toMatchObject({ acknowledgement, silence, status: 'resolved' })
      expect(await store.alerts.mark(name('a'), { silence: undefined })).toEqual(
        alert('a', { status: 'resolved', resolvedAt: later(1), acknowledgement }),
      )
      expect(await store.alerts.mark(name('a'), {})).toMatchObject({ acknowledgement })
      expect(await store.alerts.mark(name('none'), { silence })).toBeUndefined()
    })

    test('are found by state, kind, namespace and time, newest first', async () => {
      await store.alerts.write(
        [
          alert('a', { since: later(0) }),
          alert('b', { since: later(2), kind: 'xid', namespace: undefined }),
          alert('c', { since: later(1), status: 'resolved', resolvedAt: later(5), namespace: 'team-b' }),
        ],
        [],
      )
      const list = async (rest: object) => {
        const all = await store.alerts.list({ cluster, ...rest, limit: 10 })
        expect(await store.alerts.count({ cluster, ...rest })).toBe(all.length)
        return idsOf(store.alerts.list({ cluster, limit: 10, ...rest }))
      }
      expect(await list({})).toEqual([name('b'), name('c'), name('a')])
      expect(await list({ limit: 1 })).toEqual([name('b')])
      expect(await list({ statuses: ['resolved'] })).toEqual([name('c')])
      expect(await list({ kinds: ['xid'] })).toEqual([name('b')])
      expect(await list({ namespaces: ['team-a', 'team-b'] })).toEqual([name('c'), name('a')])
      expect(await list({ namespaces: [] })).toEqual([])
      expect(await list({ from: later(5) })).toEqual([name('b'), name('a')])
      expect(await idsOf(store.alerts.list({ cluster: 'another', limit: 10 }))).toEqual([])
    })

    test('what evaluation goes on from: what is not over, and the last of each that is silenced', async () => {
      const silence = { by: 'a@x', at: NOW, reason: 'known', until: later(60) }
      const over = { status: 'resolved', resolvedAt: later(1), silence } as const
      await store.alerts.write(
        [
          alert('a'),
          alert('p', { status: 'pending', fingerprint: 'p' }),
          alert('old', { ...over, fingerprint: 's', since: later(1) }),
          alert('new', { ...over, fingerprint: 's', since: later(2) }),
          alert('past', { ...over, fingerprint: 't', silence: { ...silence, until: later(5) } }),
        ],
        [],
      )
      const current = await idsOf(store.alerts.current(cluster, later(5)))
      expect(current.toSorted()).toEqual([name('a'), name('new'), name('p')].toSorted())
    })

    test('old ones that are over are dropped', async () => {
      await store.alerts.write(
        [alert('a', { since: later(-100) }), alert('b', { status: 'resolved', resolvedAt: later(-1) })],
        [],
      )
      expect(await store.alerts.prune(NOW)).toBeGreaterThanOrEqual(1)
      expect(await idsOf(store.alerts.list({ cluster, limit: 10 }))).toEqual([name('a')])
    })

    test('and messages are written together or not at all', async () => {
      const bad = delivery(name('bad'), { createdAt: instant(NaN) })
      await expect(store.alerts.write([alert('a')], [bad])).rejects.toThrow('no point in time')
      expect(await store.alerts.get(name('a'))).toBeUndefined()
      await store.alerts.write([alert('a')], [delivery(name('d'))])
      await store.alerts.write([], [delivery(name('d'), { title: 'again' })])
      expect(await store.alerts.deliveries.get(name('d'))).toEqual(delivery(name('d')))
    })
  })

  describe('deliveries', () => {
    test('wait until they are due, the longest due first, and every try is logged', async () => {
      const { deliveries } = store.alerts
      await deliveries.add(delivery(name('a'), { nextAt: later(2) }))
      await deliveries.add(delivery(name('b'), { nextAt: later(1) }))
      await deliveries.add(delivery(name('b'), { nextAt: later(0) }))
      await deliveries.add(delivery(name('c'), { state: 'failed', nextAt: undefined }))
      expect(await due(0)).toEqual([])
      expect(await due(2)).toEqual([name('b'), name('a')])
      const first = attempt(name('b'), 1, { nextAt: later(3) })
      const second = attempt(name('b'), 2, { at: later(3), outcome: 'delivered', status: 200, detail: '' })
      await deliveries.record(first, { state: 'waiting', nextAt: later(3) })
      expect(await due(2)).toEqual([name('a')])
      expect(await due(3)).toEqual([name('a'), name('b')])
      await deliveries.record(second, { state: 'delivered', nextAt: undefined })
      expect(await due(99)).toEqual([name('a')])
      expect(await deliveries.get(name('b'))).toMatchObject({ state: 'delivered', attempts: 2, nextAt: undefined })
      expect(await deliveries.attempts([name('b'), name('none')])).toEqual([first, second])
      expect(await deliveries.attempts([])).toEqual([])
    })

    test('a try is logged once, and not of what is gone', async () => {
      const { deliveries } = store.alerts
      await deliveries.add(delivery(name('a')))
      await deliveries.record(attempt(name('a'), 1), { state: 'waiting', nextAt: later(1) })
      const again = deliveries.record(attempt(name('a'), 1), { state: 'delivered', nextAt: undefined })
      await expect(again).rejects.toThrow('already exists')
      expect(await deliveries.get(name('a'))).toMatchObject({ state: 'waiting', attempts: 1 })
      const gone = deliveries.record(attempt(name('none'), 1), { state: 'delivered', nextAt: undefined })
      await expect(gone).rejects.toThrow('nothing was stored')
    })

    test('one that was given up can be tried again', async () => {
      const { deliveries } = store.alerts
      await deliveries.add(delivery(name('a'), { state: 'failed', nextAt: undefined, attempts: 3 }))
      expect(await deliveries.retry(name('a'), { nextAt: later(5), giveUpAt: later(50) })).toBe(true)
      expect(await deliveries.get(name('a'))).toEqual(
        delivery(name('a'), { attempts: 3, nextAt: later(5), giveUpAt: later(50) }),
      )
      expect(await deliveries.retry(name('none'), { nextAt: NOW, giveUpAt: NOW })).toBe(false)
    })

    test('are listed newest first, by channel and state, page by page', async () => {
      const { deliveries } = store.alerts
      const channel = `channel-${cluster}`
      const rest = [{ createdAt: later(0) }, { createdAt: later(1) }, { createdAt: later(1), state: 'failed' as const }]
      for (const [order, each] of rest.entries())
        await deliveries.add(delivery(name(String(order)), { channel, ...each }))
      const list = async (query: object) =>
        (await deliveries.list({ channel, limit: 10, ...query })).map(({ id }) => id.slice(-1))
      expect(await list({})).toEqual(['2', '1', '0'])
      expect(await list({ state: 'failed' })).toEqual(['2'])
      expect(await list({ before: { createdAt: later(1), id: name('2') } })).toEqual(['1', '0'])
      expect(await list({ before: { createdAt: later(1), id: name('1') }, limit: 1 })).toEqual(['0'])
    })

    test('old ones that do not wait are dropped with their tries', async () => {
      const { deliveries } = store.alerts
      const old = instant(NOW - 1000 * MINUTE_MS)
      await deliveries.add(delivery(name('a'), { createdAt: old }))
      await deliveries.add(delivery(name('b'), { createdAt: old }))
      await deliveries.record(attempt(name('b'), 1), { state: 'delivered', nextAt: undefined })
      expect(await deliveries.prune(instant(NOW - MINUTE_MS))).toBeGreaterThanOrEqual(1)
      expect(await deliveries.get(name('a'))).toBeDefined()
      expect(await deliveries.get(name('b'))).toBeUndefined()
      expect(await deliveries.attempts([name('b')])).toEqual([])
    })
  })
}

/** What a store must answer of events that were added at once. */
function listed(events: readonly ClusterEvent[], query: ClusterEventQuery): readonly ClusterEvent[] {
  const { cluster, objects, kinds, from = -Infinity, to = Infinity, before, limit } = query
  const first = events.filter(({ id }, order) => events.findIndex((other) => other.id === id) === order)
  return first
    .filter(({ object }) => objects?.includes(object) ?? true)
    .filter(({ kind }) => kinds?.includes(kind) ?? true)
    .filter(({ at }) => at >= from && at < to)
    .filter(({ at, id }) => before === undefined || at < before.at || (at === before.at && id < before.id))
    .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .slice(0, limit)
    .map((event) => ({ ...event, cluster }))
}

const idsOf = async (found: Promise<readonly { id: string }[]>) => (await found).map(({ id }) => id)

const plainAlert = (cluster: string, id: string): Alert => ({
  id,
  cluster,
  kind: 'idle-held',
  fingerprint: id,
  object: 'workload/team-a/Deployment/notebook',
  namespace: 'team-a',
  severity: 'warning',
  status: 'firing',
  since: NOW,
  firedAt: later(1),
  resolvedAt: undefined,
  clearSince: undefined,
  seenAt: later(1),
  title: 'notebook holds an idle GPU',
  message: 'Held and idle for 9 hours.',
  advice: 'Scale it to 0 replicas.',
  figure: { value: 9, threshold: 8, unit: 'hours', coverage: undefined },
  ending: undefined,
  told: { firing: undefined, resolved: undefined },
  acknowledgement: undefined,
  silence: undefined,
})

const delivery = (id: string, rest: Partial<Delivery> = {}): Delivery => ({
  id,
  channel: 'chat',
  cluster: 'c',
  about: 'firing',
  alerts: ['a', 'b'],
  title: 'Two alerts',
  content: { alerts: [{ title: 'one\0' }] },
  createdAt: NOW,
  state: 'waiting',
  attempts: 0,
  nextAt: NOW,
  giveUpAt: later(1440),
  ...rest,
})

const attempt = (id: string, number: number, rest: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  delivery: id,
  attempt: number,
  at: later(1),
  outcome: 'failed',
  status: undefined,
  detail: 'No answer in 10 seconds.',
  tookMs: 10_000,
  nextAt: undefined,
  ...rest,
})
