import { MINUTE_MS, instant, type ClusterSnapshot, type Store } from '@septet/domain'
import { draw, DRAWN_AT } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { readAlertRules, writeAlertRules } from '../alert-settings.ts'
import type { ClusterFacts } from '../facts.ts'
import { factsOf } from '../operations/answering/facts.fixture.ts'
import { AlertEngine } from './alert-engine.ts'
import { judging } from './judge-alerts.ts'

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined }

let store: Store
let now = 0
let cluster = ''
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())
beforeEach(() => {
  cluster = `alerts-${Math.random()}`
  now = DRAWN_AT
})

/** One of its GPUs reports a fault. */
const drawn = draw`a  A100-SXM4-80GB  [3g.40gb lab/train] [4g.40gb -]`
const fault = { code: 'xid-79', message: 'The GPU has fallen off the bus.', object: 'gpu/GPU-a-0' }
const snapshot: ClusterSnapshot = {
  ...drawn,
  nodes: drawn.nodes.map((node) => ({ ...node, gpus: node.gpus.map((gpu) => ({ ...gpu, fault })) })),
}

const known = (): ClusterFacts => factsOf(snapshot, [], { ...factsOf(snapshot, []).record, id: cluster })

const engineOf = (facts: ClusterFacts): AlertEngine =>
  new AlertEngine({
    facts: { clusters: () => [facts] },
    store,
    log: LOG,
    now: () => now,
    siteUrl: () => 'https://septet.example',
    publish: () => undefined,
    budgets: async () => [],
    wake: () => undefined,
  })

async function firingAfter(facts: ClusterFacts, minutes: readonly number[]): Promise<readonly string[]> {
  const engine = engineOf(facts)
  for (const minute of minutes) {
    now = DRAWN_AT + minute * MINUTE_MS
    await engine.evaluate(facts)
  }
  await engine.stop()
  const alerts = await store.alerts.current(cluster, instant(now))
  return alerts.filter(({ status }) => status === 'firing').map(({ kind, object }) => `${kind} ${object}`)
}

const unread = (): never => {
  throw new Error('On 10,000 GPUs nobody would be answered meanwhile.')
}

test('what is worth an alert is judged where the cluster is read: whoever answers looks at no GPU for it', async () => {
  const read = judging(known())
  const lists = { picture: unread, samples: unread, targets: unread, idle: unread, analysis: unread }
  expect(await firingAfter({ ...known(), ...lists, judge: (question) => read.judge(question) }, [1])).toEqual([
    'xid gpu/GPU-a-0',
  ])
})

test('of a pipeline that is gone it is told that nothing new comes, and what fired before does not end', async () => {
  const read = judging(known())
  let isGone = false
  const facts: ClusterFacts = {
    ...known(),
    judge: (question) => (isGone ? Promise.reject(new Error('It was interrupted.')) : read.judge(question)),
  }
  expect(await firingAfter(facts, [1])).toEqual(['xid gpu/GPU-a-0'])
  isGone = true
  expect(await firingAfter(facts, [6, 17, 28])).toEqual(['telemetry-missing cluster', 'xid gpu/GPU-a-0'])
})

test('rules that change while it is judged are judged by at once', async () => {
  const { promise: under, resolve: go } = Promise.withResolvers<void>()
  const limits: number[] = []
  const facts: ClusterFacts = {
    ...known(),
    judge: async ({ rules }) => {
      limits.push(rules['idle-held'].threshold)
      await under
      return []
    },
  }
  const engine = engineOf(facts)
  const first = engine.evaluate(facts)
  await expect.poll(() => limits.length).toBe(1)
  const before = await readAlertRules(store.settings)
  await writeAlertRules(store.settings, { ...before, 'idle-held': { ...before['idle-held'], threshold: 99 } })
  const again = engine.reconsider(facts)
  go()
  await Promise.all([first, again])
  expect(limits).toEqual([before['idle-held'].threshold, 99])
  await writeAlertRules(store.settings, before)
  await engine.stop()
})
