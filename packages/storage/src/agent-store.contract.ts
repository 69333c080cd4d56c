import {
  MINUTE_MS,
  DEFAULT_POLICY,
  instant,
  type AgentVisit,
  type Instant,
  type PastWish,
  type Store,
} from '@septet/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const NOW = Date.UTC(2026, 0, 5, 10)
const at = (minutes: number): Instant => instant(NOW + minutes * MINUTE_MS)
const NONE = instant(0)

const visitAt = (minutes: number, more: Partial<AgentVisit> = {}): AgentVisit => ({
  instance: 'one',
  host: 'pod-one',
  version: '1.2.3',
  signedAt: at(minutes),
  now: at(minutes),
  leaseMs: 1.5 * MINUTE_MS,
  ...more,
})
const reading = (minutes: number, after: Instant, hasInventory = false) => ({
  at: at(minutes),
  after,
  hasInventory,
  body: new Uint8Array([minutes]),
})

/** How every store keeps what agents send until usage is made of it. */
export function agentStoreBehaves(open: () => Promise<Store>): void {
  let store: Store
  let cluster = ''
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())
  beforeEach(() => {
    cluster = `agent-${Math.random()}`
  })
  const enter = (minutes: number, more?: Partial<AgentVisit>) => store.agents.visit(cluster, visitAt(minutes, more))
  const take = (...given: Parameters<typeof reading>) => store.agents.take(cluster, reading(...given))
  const kept = async (from = NONE) =>
    (await store.agents.after(cluster, from, 100)).map((row) => [(row.at - NOW) / MINUTE_MS, row.hasInventory])
  const other = { instance: 'two', host: 'pod-two' }

  describe('agents', () => {
    test('are let in one at a time: another waits until the first is silent, or leaves', async () => {
      expect(await enter(0)).toMatchObject({ kind: 'admitted', agent: { host: 'pod-one', since: at(0), received: 0 } })
      expect(await enter(1)).toMatchObject({ kind: 'admitted', agent: { since: at(0), seenAt: at(1) } })
      expect(await enter(2, other)).toMatchObject({
        kind: 'held',
        by: { host: 'pod-one', since: at(0), seenAt: at(1) },
      })
      expect(await enter(3, other)).toMatchObject({ kind: 'admitted', agent: { host: 'pod-two', since: at(3) } })
      expect(await enter(3)).toMatchObject({ kind: 'held', by: { host: 'pod-two' } })
      await store.agents.leave(cluster, 'one')
      expect(await enter(3)).toMatchObject({ kind: 'held' })
      await store.agents.leave(cluster, 'two')
      expect(await enter(3)).toMatchObject({ kind: 'admitted', agent: { host: 'pod-one' } })
    })

    test('of two that come at the same moment one is let in', async () => {
      const both = await Promise.all([enter(0), enter(0, other)])
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(['admitted', 'held'])
    })

    test('are heard once by each statement, and each is dated later than the one before', async () => {
      await enter(5)
      expect(await enter(5, { now: at(6) })).toEqual({ kind: 'replayed' })
      expect(await enter(4, { now: at(6) })).toEqual({ kind: 'replayed' })
      expect(await store.agents.seen(cluster)).toMatchObject({ seenAt: at(5) })
    })

    test('send readings in order: each once, and none without the one before it', async () => {
      await enter(0)
      expect(await take(1, NONE, true)).toEqual({ kind: 'stored', received: at(1) })
      expect(await take(3, at(2))).toEqual({ kind: 'gap', received: at(1) })
      expect(await take(2, at(1))).toEqual({ kind: 'stored', received: at(2) })
      expect(await take(2, at(1))).toEqual({ kind: 'known', received: at(2) })
      expect(await take(1, NONE)).toEqual({ kind: 'known', received: at(2) })
      expect(await kept()).toEqual([
        [1, true],
        [2, false],
      ])
      expect(await kept(at(1))).toEqual([[2, false]])
    })

    test('of one reading that is sent twice at the same moment one is kept', async () => {
      await enter(0)
      const both = await Promise.all([take(1, NONE), take(1, NONE)])
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(['known', 'stored'])
    })

    test('lose a reading once usage of it is stored, but for the last inventory', async () => {
      await enter(0)
      await take(1, NONE, true)
      await take(2, at(1), true)
      await take(3, at(2))
      await take(4, at(3))
      expect(await store.agents.worked(cluster)).toEqual({ to: 0, inventory: undefined })
      await store.usage.write(cluster, [], at(3))
      expect(await kept()).toEqual([
        [2, true],
        [4, false],
      ])
      expect(await store.agents.worked(cluster)).toMatchObject({
        to: at(3),
        inventory: { at: at(2), body: Buffer.of(2) },
      })
      await store.usage.write(cluster, [], at(2))
      expect(await store.agents.worked(cluster)).toMatchObject({ to: at(3) })
    })

    test('are asked for one piece of the past at a time, whose parts are taken once and in order', async () => {
      await enter(0)
      const wish: PastWish = { id: 'a', window: { from: at(-60), to: at(0) }, span: '1h', idle: DEFAULT_POLICY.idle }
      const part = (number: number, id = 'a') =>
        store.agents.addPast(cluster, { wish: id, number, body: new Uint8Array([number]) })
      expect(await store.agents.wished(cluster)).toBeUndefined()
      expect(await part(0)).toBe('unwanted')
      await store.agents.wish(cluster, wish)
      expect(await store.agents.wished(cluster)).toEqual(wish)
      expect([await part(1), await part(0), await part(1)]).toEqual(['stored', 'stored', 'stored'])
      expect(await part(0, 'b')).toBe('unwanted')
      expect(await store.agents.takePast(cluster, 'a')).toEqual([Buffer.of(0), Buffer.of(1)])
      expect(await store.agents.takePast(cluster, 'a')).toEqual([])
      for (let number = 2; number < 10; number += 1) expect(await part(number)).toBe('stored')
      expect(await part(10)).toBe('full')
      await store.agents.wish(cluster, { ...wish, id: 'b' })
      expect(await store.agents.takePast(cluster, 'a')).toEqual([])
      await store.agents.wish(cluster, undefined)
      expect(await part(0, 'b')).toBe('unwanted')
    })

    test('go with their cluster', async () => {
      await enter(0)
      await take(1, NONE, true)
      await store.agents.forget(cluster)
      expect(await store.agents.seen(cluster)).toBeUndefined()
      expect(await kept()).toEqual([])
      expect(await store.agents.worked(cluster)).toEqual({ to: 0, inventory: undefined })
    })
  })
}
