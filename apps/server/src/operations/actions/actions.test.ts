import { Refusal } from '@septet/contract'
import { DEFAULT_ACT_POLICY, instant, type Caller, type Store } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import { writeActPolicy } from '../../act-policies.ts'
import type { ActingState, ClusterFacts } from '../../facts.ts'
import { ADMIN } from '../answering/admin-caller.fixture.ts'
import { recommendationView } from '../recommendations/recommendation-view.ts'
import { adviceOf } from './advice.fixture.ts'
import { stopActing } from './acting.ts'
import {
  approveAction,
  getAction,
  listActions,
  proposeAction,
  rejectAction,
  undoAction,
  type ActionNeeds,
} from './actions.ts'

const NOW = 1_767_225_600_000
const ADVICE = adviceOf('lab', NOW)
const OPERATOR: Caller = { ...ADMIN, name: 'olga@septet.local', party: 'account:olga', role: 'operator' }
const AGENT: Caller = {
  ...ADMIN,
  kind: 'token',
  id: 'token:1',
  party: 'account:ann',
  name: 'token:agent',
  role: 'operator',
}

let store: Store
let now = NOW
let acting: ActingState = { kind: 'ready' }
const needs = (): ActionNeeds => ({
  actions: store.actions,
  recommendations: store.recommendations,
  settings: store.settings,
  now: () => now,
})
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a cluster only this is asked
const facts = {
  record: { id: 'lab', name: 'Lab', kind: 'cluster', createdAt: instant(0) },
  acting: () => acting,
  asOf: () => instant(now),
  picture: () => undefined,
  // It has not been read yet.
  outlook: async () => undefined,
} as unknown as ClusterFacts

beforeEach(async () => {
  store = await openTestStore()
  now = NOW
  acting = { kind: 'ready' }
  await store.clusters.upsert(facts.record)
  await store.recommendations.replace('lab', { madeAt: instant(NOW), recommendations: [ADVICE] })
  await allow(POLICY.modes)
})

type Modes = typeof DEFAULT_ACT_POLICY.modes
const allow = (modes: Modes, more: Partial<Pick<typeof DEFAULT_ACT_POLICY, 'twoPeople'>> = {}) =>
  writeActPolicy(store.settings, 'lab', {
    policy: { ...POLICY, ...more, modes },
    changedAt: NOW,
    changedBy: 'admin@septet.local',
  })
const ANY = { pods: null, nodes: null, gpus: null, usdPerHour: null }
const POLICY = {
  ...DEFAULT_ACT_POLICY,
  modes: { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'approve' as const },
  windows: [],
  protectedNamespaces: [],
  auto: { classes: [], budget: { hour: ANY, day: ANY }, keptToAdvance: 3, resumedAt: {} },
  limits: { run: ANY, hour: ANY, day: ANY },
}

const propose = (caller: Caller = OPERATOR) =>
  proposeAction(facts, needs(), { cluster: 'lab', recommendation: ADVICE.id, caller })
const approve = (action: { id: string; digest: string }, caller: Caller = OPERATOR) =>
  approveAction(facts, needs(), { cluster: 'lab', id: action.id, digest: action.digest, caller })
const refusalOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it was not refused',
    (error: unknown) => (error instanceof Refusal ? `${error.code}: ${error.message}` : String(error)),
  )

test('what Septet cannot carry out is not proposed, and says so before anybody asks', async () => {
  const [step] = ADVICE.plan.steps
  if (step === undefined) throw new Error('it has no step')
  const [from, to] = [2, 1].map((count) => [{ resource: 'nvidia.com/gpu', count }])
  const action = { kind: 'resize', workload: 'team/Job/train', from: from ?? [], to: to ?? [] } as const
  const advice = { ...ADVICE, plan: { ...ADVICE.plan, steps: [{ ...step, action }] } }
  await store.recommendations.replace('lab', { madeAt: instant(NOW), recommendations: [advice] })
  expect(await refusalOf(propose())).toMatch(/What the pods of a Job request cannot be changed/u)
  expect(recommendationView(advice, undefined).plan?.byHand).toMatch(/Recreate team\/Job\/train from its own source/u)
  expect(recommendationView(ADVICE, undefined).plan?.byHand).toBeNull()
})

describe('approvals', () => {
  test('are of the digest that was seen, once', async () => {
    const action = await propose()
    expect(await refusalOf(approve({ ...action, digest: '0'.repeat(64) }))).toMatch(
      /the digest belongs to a different plan/u,
    )
    expect(await approve(action)).toMatchObject({ state: 'approved', approvedBy: OPERATOR.name })
    expect(await refusalOf(approve(action))).toMatch(/cannot be approved: it is approved/u)
  })

  test('of another cluster or of an action that is not there are refused', async () => {
    const action = await propose()
    // oxlint-disable-next-line typescript/no-misused-spread -- of a cluster only this is asked
    const other = { ...facts, record: { ...facts.record, id: 'prod', name: 'Prod' } }
    const foreign = approveAction(other, needs(), {
      cluster: 'prod',
      id: action.id,
      digest: action.digest,
      caller: ADMIN,
    })
    expect(await refusalOf(foreign)).toMatch(/Prod has no action/u)
  })

  test('come too late when the proposal has expired', async () => {
    const action = await propose()
    now += 2 * 86_400_000
    expect(await refusalOf(approve(action))).toMatch(/cannot be approved/u)
  })

  test('are refused where Septet only observes, where another installation acts, and where the class is not allowed', async () => {
    const action = await propose()
    acting = { kind: 'observe' }
    expect(await refusalOf(approve(action))).toMatch(/no credentials to change it/u)
    acting = { kind: 'others', holder: 'septet-2' }
    expect(await refusalOf(approve(action))).toMatch(/Another installation of Septet \(septet-2\)/u)
    acting = { kind: 'ready' }
    await allow(DEFAULT_ACT_POLICY.modes)
    expect(await refusalOf(approve(action))).toMatch(/observe-only on this cluster/u)
  })

  test('of a program’s own proposal are for others', async () => {
    const action = await propose(AGENT)
    expect(await refusalOf(approve(action, AGENT))).toMatch(/programs cannot approve their own proposals/u)
    expect(await approve(action)).toMatchObject({ state: 'approved' })
  })

  test('of a program’s proposal are not given by another one of the same maker, whatever the two are called', async () => {
    const action = await propose(AGENT)
    const second: Caller = { ...AGENT, id: 'token:2', name: 'token:other' }
    expect(await refusalOf(approve(action, second))).toMatch(/programs cannot approve their own proposals/u)
    // Whose maker was not kept may be of the same one.
    expect(await refusalOf(approve(action, { ...second, party: undefined }))).toMatch(/cannot approve their own/u)
    const named: Caller = { ...AGENT, id: 'token:3', party: 'account:bob' }
    expect(await approve(action, named)).toMatchObject({ state: 'approved', approvedBy: 'token:agent' })
    const kept = (await store.actions.get(action.id))?.transitions.map(({ caller, party }) => [caller, party])
    expect(kept).toEqual([
      ['token:1', 'account:ann'],
      ['token:3', 'account:bob'],
    ])
  })

  test('take two people where the class does, admins too', async () => {
    await allow(POLICY.modes, { twoPeople: ['reclaim-idle'] })
    const own = await propose(ADMIN)
    expect(await refusalOf(approve(own, ADMIN))).toMatch(/needs two people.*Another person has to approve it/u)
    expect(await approve(own)).toMatchObject({ state: 'approved', approvedBy: OPERATOR.name })
  })

  test('of what no person proposed take two where the class does, and the first is kept', async () => {
    await allow(POLICY.modes, { twoPeople: ['reclaim-idle'] })
    const action = await propose({ ...AGENT, party: 'account:bob' })
    expect(await refusalOf(approve(action, { ...AGENT, id: 'token:4', party: 'account:eve' }))).toMatch(
      /A person has to/u,
    )
    expect(await approve(action)).toMatchObject({ state: 'proposed', approvedBy: null })
    expect(await refusalOf(approve(action))).toMatch(/is one of them already/u)
    expect(await approve(action, ADMIN)).toMatchObject({ state: 'approved', approvedBy: ADMIN.name })
    const said = (await store.actions.get(action.id))?.transitions.map(({ because }) => because)
    expect(said?.[1]).toBe(`${OPERATOR.name} approved it. Another person has to approve it too.`)
  })

  test('of a proposal whose maker was not kept are for people', async () => {
    const action = await propose({ ...AGENT, party: undefined })
    expect(await refusalOf(approve(action, { ...AGENT, id: 'token:3', party: 'account:bob' }))).toMatch(
      /cannot approve their own/u,
    )
    expect(await approve(action)).toMatchObject({ state: 'approved' })
  })
})

test('one plan is proposed once, however often it is asked for', async () => {
  const action = await propose()
  expect(await propose(ADMIN)).toMatchObject({ id: action.id, proposedBy: OPERATOR.name })
  const list = await listActions(facts, needs(), { cluster: 'lab', state: 'open', limit: 10 })
  expect(list.actions).toHaveLength(1)
})

test('what has changed nothing yet is rejected or cancelled, and not undone', async () => {
  const action = await propose()
  const of = { cluster: 'lab', id: action.id, reason: 'Not today.', caller: OPERATOR }
  expect(await refusalOf(undoAction(facts, needs(), of))).toMatch(/cannot be undone: it is proposed/u)
  await approve(action)
  expect(await rejectAction(facts, needs(), of)).toMatchObject({ state: 'cancelled', because: 'Not today.' })
  expect(await refusalOf(rejectAction(facts, needs(), of))).toMatch(/cannot be rejected: it is cancelled/u)
})

test('of what failed, it is told apart what left the cluster half changed', async () => {
  const steps = ['approved', 'checked', 'rehearsed', 'applying', 'reverting', 'failed'] as const
  const failedAfter = async (states: readonly (typeof steps)[number][]) => {
    const { id } = await propose()
    for (const [index, state] of states.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await store.actions.advance(id, { number: index + 2, at: instant(now), state, by: 'septet', because: 'So.' })
    }
    const { actions } = await listActions(facts, needs(), { cluster: 'lab', state: 'all', limit: 10 })
    return actions.find((action) => action.id === id)
  }
  expect(await failedAfter(['approved', 'failed'])).toMatchObject({ state: 'failed', halfChanged: false })
  now += 1
  expect(await failedAfter(steps)).toMatchObject({ state: 'failed', halfChanged: true })
})

const picture = () => draw`a  H100-80GB-HBM3  [team/chat]`
const connection = (kind: 'connected' | 'disconnected') => () => ({ kind, lastContact: undefined, problems: [] })

test('which pods an undo would stop is told before it is ordered, and unknown is never none', async () => {
  const back = { kind: 'resize', workload: 'team/Pod/chat', from: [], to: [] } as const
  const [step] = ADVICE.plan.steps
  if (step === undefined) throw new Error('it has no step')
  const plan = { ...ADVICE.plan, steps: [{ ...step, inverse: [back] }] }
  await store.recommendations.replace('lab', { madeAt: instant(NOW), recommendations: [{ ...ADVICE, plan }] })
  const { id } = await propose()
  const undoOf = async (change: Partial<ClusterFacts>) =>
    // oxlint-disable-next-line typescript/no-misused-spread -- of a cluster only this is asked
    (await getAction({ ...facts, ...change }, needs(), { cluster: 'lab', id })).undo
  expect(await undoOf({})).toEqual({ stops: null, unknown: null, stopped: [] })
  for (const [index, state] of (['approved', 'checked', 'rehearsed', 'applying'] as const).entries()) {
    const at = { number: index + 2, at: instant(now), by: 'septet', because: 'So.' }
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await store.actions.advance(id, { ...at, state, ...(state === 'applying' ? { step: 1 } : {}) })
  }
  expect(await undoOf({})).toMatchObject({ stops: null, unknown: 'Lab has not been read yet.' })
  expect(await undoOf({ picture, connection: connection('disconnected') })).toMatchObject({
    stops: null,
    unknown: 'Septet cannot read Lab now.',
  })
  expect(await undoOf({ picture, connection: connection('connected') })).toEqual({
    stops: ['team/chat'],
    unknown: null,
    stopped: [],
  })
})

test('a stop is told with who gave it and why', async () => {
  await stopActing(
    facts,
    { actions: store.actions, now: () => now, caller: OPERATOR },
    { cluster: 'lab', everywhere: false, reason: 'incident 42' },
  )
  const { acting: state } = await listActions(facts, needs(), { cluster: 'lab', state: 'open', limit: 10 })
  expect(state).toMatchObject({ state: 'stopped', because: 'olga@septet.local has stopped acting on Lab: incident 42' })
})
