import { HOUR_MS, instant, ratio, seconds, type GpuStay, type TokenCounts, type Window } from '@septet/domain'
import { expect, test } from 'vitest'

import { TokenCounter } from './token-counter.ts'

const NOW = Date.UTC(2026, 10, 2, 12)
const day = (to = NOW): Window => ({ from: instant(to - 24 * HOUR_MS), to: instant(to) })
const record = { id: 'c', name: 'Prod', kind: 'cluster', createdAt: instant(0) } as const
const count = { pod: 'ml/a', model: 'llama', engine: 'vLLM', prompt: 3, generation: 1, steps: [0, 1] }

function counter({
  tokens = async (window: Window): Promise<TokenCounts> => ({ window, steps: 24, counts: [count], refused: [] }),
} = {}) {
  const asked: Window[] = []
  const time = { now: NOW }
  const stay: GpuStay = {
    pod: 'ml/a',
    namespace: 'ml',
    workload: 'ml/Deployment/chat',
    model: 'A100-40GB',
    profile: '',
    share: ratio(1),
    devices: 1,
    from: instant(NOW - 2 * HOUR_MS),
    to: instant(NOW),
    measuredGpuSeconds: 0,
    busyGpuSeconds: 0,
    measuredSeconds: seconds(0),
  } as GpuStay
  const looked: (readonly string[] | undefined)[] = []
  return {
    asked,
    time,
    looked,
    counter: new TokenCounter({
      record,
      inference: {
        caches: async () => new Map(),
        tokens: (window) => {
          asked.push(window)
          return tokens(window)
        },
      },
      feed: undefined,
      store: {
        usage: {
          stays: async ({ span, namespaces }) => {
            looked.push(namespaces)
            return span === '5m' ? [stay] : []
          },
        },
      },
      clock: () => instant(time.now),
      rolledUpTo: async () => instant(NOW - HOUR_MS),
      stored: async () => ({ '5m': day(), '1h': day(), '1d': day() }),
    }),
  }
}

test('tokens of a pod are of the workload that held GPUs by it, as stored usage says', async () => {
  const { counter: tokens, looked } = counter()
  expect(await tokens.count(day())).toMatchObject({
    kind: 'read',
    readAt: NOW,
    served: { rows: [{ workload: 'ml/Deployment/chat', prompt: 3 }], workloads: [{ counted: 1 }] },
  })
  expect(new Set(looked.map((names) => names?.join(',')))).toEqual(new Set(['ml']))
})

test('a window that has moved on by next to nothing is not added up again, one that has by more is', async () => {
  const { counter: tokens, asked } = counter()
  await tokens.count(day())
  await tokens.count(day(NOW + 60_000))
  expect(asked).toHaveLength(1)
  await tokens.count(day(NOW + 10 * 60_000))
  expect(asked).toHaveLength(2)
})

test('an engine that does not answer makes tokens unknown, with its words, and is asked again', async () => {
  const { counter: tokens, asked } = counter({ tokens: () => Promise.reject(new Error('It is down.')) })
  const unread = { kind: 'unread', because: 'The metrics engine of Prod did not add up the tokens: It is down.' }
  expect(await tokens.count(day())).toEqual(unread)
  expect(await tokens.count(day())).toEqual(unread)
  expect(asked).toHaveLength(2)
})

test('where no engine is asked, or an agent reads the cluster, it says so', async () => {
  const parts = { record, store: { usage: { stays: async () => [] } }, clock: () => instant(NOW), inference: undefined }
  const times = {
    rolledUpTo: async () => instant(0),
    stored: async () => ({ '5m': undefined, '1h': undefined, '1d': undefined }),
  }
  const because = async (feed: object | undefined) =>
    (await new TokenCounter({ ...parts, ...times, feed }).count(day())) as { because: string }
  expect((await because(undefined)).because).toContain('no metrics engine')
  expect((await because({})).because).toContain('agent')
})
