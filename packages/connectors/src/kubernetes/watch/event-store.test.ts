import { instant } from '@septet/domain'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openEventStore, parseEvent } from './event-store.ts'

const NOW = Date.UTC(2026, 0, 2, 12)
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString()

type Said = { name: string; about?: string; reason?: string; message?: string; seconds?: number; kind?: string }

const event = ({
  name,
  about = 'web-1',
  reason = 'Killing',
  message = 'Stopping',
  seconds = 5,
  kind = 'Pod',
}: Said) => ({
  metadata: { name, namespace: 'team', creationTimestamp: ago(seconds) },
  involvedObject: { kind, namespace: 'team', name: about },
  reason,
  message,
  type: 'Normal',
  lastTimestamp: ago(seconds),
  count: 1,
})

function opened(known: Record<string, string> = {}, most = 100) {
  const workloads = new Map(Object.entries(known))
  const store = openEventStore({ workloadOf: (about) => workloads.get(about), clock: () => instant(NOW), most })
  return { store, workloads }
}
const WEB = 'team/Deployment/web'

describe('an event', () => {
  test('of core v1 is read with its count and its newest time', () => {
    const raw = { ...event({ name: 'a', seconds: 60 }), firstTimestamp: ago(600), count: 7, type: 'Warning' }
    expect(parseEvent(raw)).toEqual({
      about: 'team/Pod/web-1',
      event: {
        at: NOW - 60_000,
        firstAt: NOW - 600_000,
        type: 'Warning',
        reason: 'Killing',
        message: 'Stopping',
        count: 7,
        object: { kind: 'Pod', name: 'web-1' },
        source: '',
      },
    })
  })

  test('written through events.k8s.io has a series and no timestamps of its own', () => {
    const { event: read } = parseEvent({
      ...event({ name: 'a', seconds: 900 }),
      lastTimestamp: null,
      firstTimestamp: null,
      count: null,
      eventTime: '2026-01-02T11:45:00.123456Z',
      series: { count: 12, lastObservedTime: ago(30) },
      reportingComponent: 'default-scheduler',
    })
    expect(read).toMatchObject({ at: NOW - 30_000, count: 12, source: 'default-scheduler' })
    expect(read.firstAt).toBe(Date.parse('2026-01-02T11:45:00.123Z'))
  })

  test('keeps strange text as it is, and no more of it than anybody reads', () => {
    const strange = '<img src=x onerror=alert(1)> \u202Eabc 🧪 עברית'
    expect(parseEvent(event({ name: 'a', message: strange })).event.message).toBe(strange)
    const long = parseEvent(event({ name: 'a', message: '🧪'.repeat(50_000) })).event.message
    expect(long.length).toBeLessThanOrEqual(4096)
    expect(long.isWellFormed()).toBe(true)
  })
})

describe('the store of events', () => {
  test('tells those of a workload and of what is below it, newest first', () => {
    const { store } = opened({
      'team/Pod/web-1': WEB,
      'team/ReplicaSet/web-7d4': WEB,
      'team/Pod/other-1': 'team/Pod/other-1',
    })
    store.put(event({ name: 'a', reason: 'Started', seconds: 50 }))
    store.put(event({ name: 'b', about: 'web-7d4', kind: 'ReplicaSet', reason: 'SuccessfulCreate', seconds: 55 }))
    store.put(event({ name: 'c', about: 'other-1', reason: 'Pulled', seconds: 1 }))
    store.put(event({ name: 'd', reason: 'Unhealthy', seconds: 3 }))
    expect(store.of(WEB).map(({ reason }) => reason)).toEqual(['Unhealthy', 'Started', 'SuccessfulCreate'])
  })

  test('keeps the events of a pod that is gone, as they say why', () => {
    const { store, workloads } = opened({ 'team/Pod/web-1': WEB })
    store.put(event({ name: 'a', reason: 'Evicted', seconds: 300 }))
    workloads.clear()
    store.sort()
    expect(store.of(WEB).map(({ reason }) => reason)).toEqual(['Evicted'])
    const { take, done } = store.refill()
    take(event({ name: 'a', reason: 'Evicted', seconds: 300 }))
    done()
    expect(store.of(WEB)).toHaveLength(1)
  })

  test('waits a minute for the pod of an event to be read, and lets go of it then', () => {
    const { store, workloads } = opened()
    store.put(event({ name: 'young', about: 'web-2', seconds: 30 }))
    store.put(event({ name: 'old', about: 'web-3', seconds: 90 }))
    expect(store.size()).toBe(1)
    workloads.set('team/Pod/web-2', WEB)
    store.sort()
    expect(store.of(WEB)).toHaveLength(1)
  })

  test('forgets what the API forgets, and reads on after something that is not an event', () => {
    const { store } = opened({ 'team/Pod/web-1': WEB })
    for (const odd of [undefined, 7, {}, { metadata: { namespace: 'team', name: 'x' } }]) store.put(odd)
    store.put(event({ name: 'a' }))
    store.put({ ...event({ name: 'a' }), count: 2 })
    expect(store.of(WEB).map(({ count }) => count)).toEqual([2])
    store.remove(event({ name: 'a' }))
    expect(store.of(WEB)).toEqual([])
  })

  test('never holds more than it may, and drops what is nobody’s first', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ ours: fc.boolean(), name: fc.nat({ max: 40 }) }), { maxLength: 80 }), (said) => {
        const { store } = opened({ 'team/Pod/web-1': WEB }, 10)
        for (const { ours, name } of said)
          store.put(event({ name: `${ours}-${name}`, about: ours ? 'web-1' : 'unknown' }))
        expect(store.size()).toBeLessThanOrEqual(10)
        const ours = new Set(said.filter((each) => each.ours).map(({ name }) => name)).size
        expect(store.of(WEB)).toHaveLength(Math.min(10, ours))
      }),
    )
  })
})
