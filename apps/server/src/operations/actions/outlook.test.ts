import {
  DEFAULT_ACT_POLICY,
  instant,
  makePlan,
  ratio,
  SHOWN_POLICY,
  usd,
  type ActPolicy,
  type Caller,
  type ClusterSnapshot,
  type JudgedSample,
  type Recommendation,
  type Store,
} from '@septet/domain'
import { draw, DRAWN_AT, withRequests } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import { writeActPolicy } from '../../act-policies.ts'
import { openOutlook } from '../../composition/open-actor.ts'
import { ADMIN } from '../answering/admin-caller.fixture.ts'
import { factsOf } from '../answering/facts.fixture.ts'
import { visibleFacts } from '../answering/source.ts'
import { recommendationAnswers } from '../recommendations/recommendations.ts'
import { approveAction, getAction, proposeAction, type ActionNeeds } from './actions.ts'
import { adviceOf } from './advice.fixture.ts'

const drawn = withRequests(draw`
  a  T4  [lab/one]
  a  T4  [-]`)
const workload = 'lab/Deployment/one'
const cluster: ClusterSnapshot = {
  ...drawn,
  workloads: drawn.workloads.map((each) => ({ ...each, id: workload, kind: 'Deployment' })),
  pods: drawn.pods.map((pod) => ({ ...pod, workload })),
  allocations: drawn.allocations.map((held) => ({ ...held, workload })),
}
const samples: readonly JudgedSample[] = cluster.nodes.flatMap(({ gpus, name, product }) =>
  gpus.map(({ id, index }) => ({
    at: DRAWN_AT,
    node: name,
    gpu: id,
    index,
    model: product,
    busy: ratio(0),
    quality: { kind: 'measured' },
  })),
)
const standing = { ...factsOf(cluster, samples), acting: () => ({ kind: 'ready' as const }) }
const NOW = DRAWN_AT + 30_000
const ANY = { pods: null, nodes: null, gpus: null, usdPerHour: null }

let store: Store
let facts: typeof standing
const needs = (): ActionNeeds => ({ ...store, now: () => NOW })

beforeEach(async () => {
  store = await openTestStore()
  await store.clusters.upsert(standing.record)
  const seen = { clock: () => instant(NOW), snapshot: () => cluster, samples: () => samples }
  facts = { ...standing, outlook: openOutlook(undefined, { store, record: standing.record, ...seen }) }
  await allow({})
})

/** Everything by default, but that stopping idle work waits for approval, and what is said. */
const allow = (change: { readonly windows?: ActPolicy['windows']; readonly protectedNamespaces?: string[] }) =>
  writeActPolicy(store.settings, 'drawn', {
    policy: {
      ...DEFAULT_ACT_POLICY,
      modes: { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'approve' },
      protectedNamespaces: [],
      auto: { classes: [], budget: { hour: ANY, day: ANY }, keptToAdvance: 3, resumedAt: {} },
      limits: { run: ANY, hour: ANY, day: ANY },
      ...change,
      windows: [...(change.windows ?? [])],
    },
    changedAt: 0,
    changedBy: 'ann',
  })

const saves = (dollars: number): Recommendation['saving'] => ({
  kind: 'estimated',
  gpuHoursPerMonth: 730,
  usdPerMonth: usd(dollars),
  price: { kind: 'unknown', because: 'It is a test.' },
  effect: 'capacity-freed',
})

async function advised(change: { readonly saving?: Recommendation['saving']; readonly confidence?: number }) {
  const wishes = [{ kind: 'scale', workload, to: 0 } as const]
  const plan = makePlan({ snapshot: cluster, wishes, policy: SHOWN_POLICY, title: 'Stop lab/one' })
  const { risk, ...advice } = adviceOf('drawn', DRAWN_AT)
  const { saving = saves(400), confidence = 0.9 } = change
  const made = { ...advice, title: plan.title, plan, saving, risk: { ...risk, confidence: ratio(confidence) } }
  await store.recommendations.replace('drawn', { madeAt: made.madeAt, recommendations: [made] })
  return made
}

const propose = () => proposeAction(facts, needs(), { recommendation: 'reclaim-idle-1', caller: ADMIN })
const card = async () => {
  const answers = recommendationAnswers({ store, recommendations: () => store.recommendations, now: () => DRAWN_AT })
  const asked = { caller: ADMIN, seen: visibleFacts({ clusters: () => [facts] }, ADMIN), listening: {} }
  return (await answers.recommendationsGet(facts, { id: 'reclaim-idle-1' }, asked)).outlook
}

describe('what would fail once it is approved', () => {
  test.each([
    ['saves too little', { saving: saves(12) }, 'It saves $12.00 a month; the minimum is $50.00.'],
    ['is not sure enough', { confidence: 0.15 }, 'Confidence in its evidence is 15%; the minimum is 50%.'],
    [
      'saves what nobody can estimate',
      { saving: { kind: 'none', brings: 'frees 1 GPU', because: 'It was never idle for long.' } },
      'The saving cannot be estimated: It was never idle for long.',
    ],
  ] as const)('as it %s is not offered, and its card says why', async (_, change, words) => {
    await advised(change)
    expect(await card()).toMatchObject({ refused: expect.stringContaining(words), waits: null })
    await expect(propose()).rejects.toThrow(`"Stop lab/one" was not proposed: ${words}`)
  })

  test('once it is proposed is not approved, and is again as soon as nothing speaks against it', async () => {
    await advised({})
    const { id, digest } = await propose()
    const approve = () => approveAction(facts, needs(), { id, digest, caller: ADMIN })
    await allow({ protectedNamespaces: ['lab'] })
    const words = 'is in the namespace lab, which is protected in Settings → What Septet may do.'
    expect((await getAction(facts, needs(), { id })).outlook.refused).toContain(words)
    await expect(approve()).rejects.toThrow(words)
    await allow({})
    expect((await getAction(facts, needs(), { id })).outlook).toEqual({ refused: null, waits: null })
    expect(await approve()).toMatchObject({ state: 'approved' })
    // It is decided: nobody asks what would come of it any more.
    expect((await getAction(facts, needs(), { id })).outlook).toEqual({ refused: null, waits: null })
  })
})

test('before a cluster is read it is told what can be told without that', async () => {
  const unread = { clock: () => instant(NOW), snapshot: () => undefined, samples: () => [] }
  facts = { ...standing, outlook: openOutlook(undefined, { store, record: standing.record, ...unread }) }
  await advised({})
  expect(await card()).toEqual({ refused: null, waits: null })
  await advised({ confidence: 0.15 })
  await expect(propose()).rejects.toThrow('Confidence in its evidence is 15%; the minimum is 50%.')
})

test('who may not approve reads whose approval it takes; a program asks a person', async () => {
  await advised({})
  const { id } = await propose()
  const cardFor = async (caller: Caller) => (await getAction(facts, needs(), { id, caller })).outlook.refused
  expect(await cardFor({ ...ADMIN, name: 'vera@septet.local', role: 'viewer' })).toBe(
    'vera@septet.local may not approve this. Stopping idle work needs an operator’s approval: ask one.',
  )
  expect(await cardFor(ADMIN)).toBeNull()
  expect(await cardFor({ ...ADMIN, kind: 'token', role: 'viewer' })).toBeNull()
})

test('what only has to wait is offered, and its card says for what', async () => {
  await advised({})
  // Drawn clusters are read on a Thursday at midnight.
  await allow({ windows: [{ weekday: 4, from: 0, to: 60, zone: 'UTC' }] })
  const waits = expect.stringContaining('No maintenance window is open. The next one opens on 2026-01-02 00:00 UTC')
  expect(await card()).toEqual({ refused: null, waits })
  const { id, digest } = await propose()
  expect((await getAction(facts, needs(), { id })).outlook).toEqual({ refused: null, waits })
  expect(await approveAction(facts, needs(), { id, digest, caller: ADMIN })).toMatchObject({ state: 'approved' })
})
