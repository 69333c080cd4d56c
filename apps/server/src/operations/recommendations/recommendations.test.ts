import { OPERATIONS } from '@septet/contract'
import {
  instant,
  ratio,
  seconds,
  usd,
  usdPerGpuHour,
  type Recommendation,
  type Store,
  type Window,
} from '@septet/domain'
import type { RecommendationKind } from '@septet/domain/action-classes'
import { openTestStore } from '@septet/storage/testing'
import { beforeEach, expect, test } from 'vitest'

import { ADMIN } from '../answering/admin-caller.fixture.ts'
import type { ClusterFacts } from '../../facts.ts'
import type { Installation } from '../settings/settings-answers.ts'
import type { AccessService } from '../access/access-service.ts'
import type { AlertService } from '../alerts/alert-service.ts'
import type { ClusterService } from '../clusters/cluster-service.ts'
import { readManifest } from '@septet/connectors'
import type { Answers } from '../answering/answering.ts'
import { makeAnswers } from '../answers.ts'

const NOW = instant(1_767_225_600_000)

const made = (id: string, kind: RecommendationKind, more: Partial<Recommendation> = {}): Recommendation => ({
  id,
  cluster: 'lab',
  kind,
  object: 'workload/team/Deployment/chat',
  title: 'Release team/chat',
  message: 'It was idle for three days. Scale it to 0 replicas.',
  rule: { name: 'idle-held', version: 2 },
  madeAt: NOW,
  evidence: {
    query: 'DCGM_FI_PROF_GR_ENGINE_ACTIVE',
    window: { from: instant(NOW - 86_400_000), to: NOW },
    samples: 288,
    coverage: ratio(0.97),
    figures: { idleGpuHours: 24 },
  },
  saving: {
    kind: 'estimated',
    gpuHoursPerMonth: 730,
    usdPerMonth: usd(1825),
    price: {
      kind: 'known',
      price: usdPerGpuHour(2.5),
      source: 'a list',
      asOf: NOW,
      origin: 'shipped',
      scope: 'default',
    },
    effect: 'capacity-freed',
  },
  risk: {
    level: 'low',
    displaced: ['team/chat-0'],
    duration: { low: seconds(5), high: seconds(60), source: 'assumed' },
    overrun: undefined,
    confidence: ratio(0.9),
  },
  plan: {
    id: 'p',
    cluster: 'lab',
    madeFrom: NOW,
    title: 'Release',
    steps: [
      {
        number: 1,
        action: { kind: 'cordon', node: 'node-a' },
        title: 'Cordon node-a',
        preconditions: [],
        effect: 'No new pod starts there.',
        displaced: [],
        duration: { low: seconds(1), high: seconds(2), source: 'assumed' },
        inverse: [{ kind: 'uncordon', node: 'node-a' }],
      },
    ],
    moves: [],
    refused: [],
    bound: undefined,
  },
  rank: 1,
  ...more,
})

const facts = {
  record: { id: 'lab', name: 'Lab', kind: 'cluster', createdAt: NOW },
  asOf: () => NOW,
} as unknown as ClusterFacts

let store: Store
let answers: Answers
// None of these operations asks who may come in.
const unasked = {
  readManifest,
  service: {} as AccessService,
  clusters: {} as ClusterService,
  installation: {} as Installation,
  alerts: {} as AlertService,
}
const recorded: { actor: string; action: string; object: string; outcome: string }[] = []
const record = async (fact: (typeof recorded)[number]) => recorded.push(fact)
beforeEach(async () => {
  store = await openTestStore()
  answers = makeAnswers({ facts: { clusters: () => [facts] }, store, now: () => NOW, record, ...unasked })
  await store.recommendations.replace('lab', {
    madeAt: NOW,
    recommendations: [
      made('first', 'reclaim-idle'),
      made('second', 'share', { saving: { kind: 'none', brings: 'frees 1 GPU', because: 'x' } }),
    ],
  })
})

const list = async (input: Record<string, unknown> = {}) =>
  OPERATIONS.recommendationsList.output.parse(await answers.recommendationsList(input, ADMIN))

test('what the planner recommends is listed in its order, with saving, risk, steps and the way back', async () => {
  const { recommendations, total, madeAt } = await list()
  expect([total, madeAt]).toEqual([2, '2026-01-01T00:00:00.000Z'])
  expect(recommendations.map(({ id }) => id)).toEqual(['first', 'second'])
  expect(recommendations[0]).toMatchObject({
    saving: { usdPerMonth: 1825, usdPerGpuHour: 2.5, priceSource: 'a list' },
    risk: { overrun: null, displaced: ['team/chat-0'] },
    plan: { steps: [{ title: 'Cordon node-a', undo: ['Uncordon node-a'] }], bound: null },
    dismissed: null,
  })
  expect((await list({ kind: 'share' })).recommendations.map(({ id }) => id)).toEqual(['second'])
  expect((await list({ limit: '1' })).total).toBe(2)
})

test('a dismissed one leaves the list, with its reason, until it is taken back', async () => {
  await answers.recommendationsDismiss({ id: 'first', reason: 'needed on Monday' }, ADMIN)
  expect(await list()).toMatchObject({ total: 1, dismissed: 1, recommendations: [{ id: 'second' }] })
  const all = await list({ dismissed: 'show' })
  expect(all.recommendations.map(({ dismissed }) => dismissed?.reason)).toEqual(['needed on Monday', undefined])
  // What is made again for the same change stays dismissed.
  await store.recommendations.replace('lab', {
    madeAt: instant(NOW + 1),
    recommendations: [made('first', 'reclaim-idle')],
  })
  expect((await list()).total).toBe(0)
  await answers.recommendationsRestore({ id: 'first' }, ADMIN)
  expect((await list()).total).toBe(1)
})

test('the largest idle holders without one are told with their reason', async () => {
  const because = 'Fewer GPUs: it holds one device only.'
  await store.recommendations.replace('lab', {
    madeAt: NOW,
    recommendations: [],
    unanswered: [{ workload: 'team/Job/a', idleHours: 12, idleCost: undefined, reason: 'needs-size', because }],
  })
  expect((await list()).unanswered).toEqual([
    { workload: 'team/Job/a', idleGpuHours: 12, idleUsd: null, reason: 'needs-size', because },
  ])
})

test('what is not there is refused with what to do', async () => {
  const refusal = { code: 'not-found', todo: expect.stringContaining('list the recommendations') }
  await expect(answers.recommendationsDismiss({ id: 'gone', reason: 'whatever' }, ADMIN)).rejects.toMatchObject(refusal)
  await expect(answers.recommendationsGet({ id: 'gone' }, ADMIN)).rejects.toMatchObject(refusal)
  await expect(answers.recommendationsRestore({ id: 'first' }, ADMIN)).rejects.toMatchObject({ code: 'not-found' })
  await expect(answers.recommendationsDismiss({ id: 'first', reason: ' ' }, ADMIN)).rejects.toMatchObject({
    code: 'invalid-input',
  })
  await expect(answers.recommendationsGet({ cluster: 'sample', id: 'sample-mig' }, ADMIN)).rejects.toMatchObject({
    code: 'not-found',
  })
})

test('before the first were made, the list says so instead of being merely empty', async () => {
  const empty = makeAnswers({
    facts: { clusters: () => [facts] },
    store: await openTestStore(),
    now: () => NOW,
    record,
    ...unasked,
  })
  expect(await empty.recommendationsList({}, ADMIN)).toMatchObject({ madeAt: null, total: 0, recommendations: [] })
})

test('that nothing was found is a saving of 0 only once all is seen that can be', async () => {
  const window = { from: instant(NOW - 86_400_000), to: NOW }
  let left: Window[] = [window]
  Object.assign(facts, { history: () => ({ done: 1, of: 4, left }) })
  const billOf = async (isMeasured: boolean) => {
    await store.recommendations.replace('lab', { madeAt: NOW, judged: { window, isMeasured }, recommendations: [] })
    const { saves, says } = await list()
    return [saves.billReduced.value, says.map(({ text }) => text).join(' ')]
  }
  expect(await billOf(true)).toEqual([null, expect.stringMatching(/^No recommendations yet\. .* 25% is read\./u)])
  left = []
  expect(await billOf(false)).toEqual([null, 'No recommendations yet. Nothing that pods hold is measured yet.'])
  expect(await billOf(true)).toEqual([0, expect.stringMatching(/^Nothing to do: /u)])
})

test('sample data shows the three tips of the specification', async () => {
  const { recommendations, source } = await list({ cluster: 'sample' })
  expect(source.kind).toBe('sample')
  expect(recommendations.map(({ kind }) => kind)).toEqual(['remove-node', 'repartition', 'reschedule'])
  expect(recommendations[0]?.saving).toMatchObject({ usdPerMonth: 1200 })
})
