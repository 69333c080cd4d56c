import { OPERATIONS } from '@septet/contract'
import { DEFAULT_ACT_POLICY, type Store } from '@septet/domain'
import { draw, withRequests } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import { writeActPolicy } from '../../act-policies.ts'
import { ADMIN } from '../answering/admin-caller.fixture.ts'
import { factsOf } from '../answering/facts.fixture.ts'
import { appointmentNow } from '../plans/live-plan.ts'
import { approveAction, getAction, rejectAction, type ActionNeeds } from './actions.ts'
import { proposeAppointment } from './propose-appointment.ts'

const fleet = withRequests(draw`
  node-a  H100-80GB-HBM3  [lab/one]
  node-a  H100-80GB-HBM3  [lab/two]
  node-b  H100-80GB-HBM3  [lab/both]
  node-b  H100-80GB-HBM3  [lab/both]`)
const facts = { ...factsOf(fleet, []), acting: () => ({ kind: 'ready' as const }) }
const NOW = Date.UTC(2026, 0, 1)

let store: Store
const needs = (): ActionNeeds => ({ ...store, now: () => NOW })
beforeEach(async () => {
  store = await openTestStore()
})

const asked = (input: object = {}) =>
  OPERATIONS.appointmentsPropose.input.parse({ gpus: 2, perNode: 2, at: '2026-01-03T12:00:00Z', hours: 8, ...input })
const proposed = async (input: object = {}) => proposeAppointment(facts, needs(), { ...asked(input), caller: ADMIN })

describe('an appointment that is put up for approval', () => {
  test('is an action with its steps, whom it stops, what it brings and what it costs', async () => {
    const action = await proposed({ namespace: 'team' })
    expect(action).toMatchObject({
      class: 'appointment',
      object: 'appointment/2026-01-03T12:00Z',
      title: 'Keep 2 GPUs free for team from 2026-01-03 12:00 UTC to 2026-01-03 20:00 UTC',
      state: 'proposed',
      displaced: ['lab/both'],
      nodes: ['node-b'],
      cause: {
        kind: 'wish',
        wants: '2 GPUs, 2 per node, for team, from 2026-01-03 12:00 UTC to 2026-01-03 20:00 UTC',
        costs: expect.stringMatching(/^\d+\.\d GPU-hours sit idle on the reserved nodes/u),
      },
      proposedBy: ADMIN.name,
      may: { approve: true, reject: true, undo: false },
    })
    const { steps, transitions } = await getAction(facts, needs(), { id: action.id })
    expect(steps.map(({ title, notBefore }) => [title, notBefore])).toEqual([
      ['Cordon node-b', '2026-01-01T00:00:00.000Z'],
      [expect.stringMatching(/^Evict lab\/both/u), '2026-01-03T11:49:30.000Z'],
      ['See that 2 GPUs on 1 node are free', '2026-01-03T11:50:00.000Z'],
      ['Uncordon node-b', '2026-01-03T20:00:00.000Z'],
    ])
    // There is no recommendation that it could be checked by.
    expect(transitions.flatMap(({ evidence }) => evidence.map(({ kind }) => kind))).not.toContain('recommendation')
  })

  test('is one, however often somebody asks for it, and its nodes are not counted on for another', async () => {
    const first = await proposed()
    expect((await proposed()).id).toBe(first.id)
    expect(await planned()).toMatchObject({ nodes: [{ node: 'node-a' }] })
    await rejectAction(facts, needs(), { id: first.id, reason: 'not now', caller: ADMIN })
    expect(await planned()).toMatchObject({ nodes: [{ node: 'node-b' }] })
  })

  test('that is asked for at the same moment as another does not count on the nodes of that one', async () => {
    const both = await Promise.all([proposed({ namespace: 'team-a' }), proposed({ namespace: 'team-b' })])
    expect(both.map(({ nodes }) => nodes)).toEqual([['node-b'], ['node-a']])
  })

  test('that cannot be had is refused with how many can', async () => {
    await expect(proposed({ gpus: 8 })).rejects.toThrow(/Nothing was proposed. 4 GPUs of 8 are available/u)
  })

  test('is approved by its digest where the class may act, for as long as it takes until it begins', async () => {
    const { id, digest } = await proposed({ longestHours: 2 })
    const approved = () => approveAction(facts, needs(), { id, digest, caller: ADMIN })
    await expect(approved()).rejects.toThrow(/an appointment is observe-only on this cluster/u)
    await allow('approve')
    const { state, until } = await approved()
    // The nodes are closed two hours and a minute before, so that it holds for a day from then.
    expect({ state, until }).toEqual({ state: 'approved', until: '2026-01-04T09:59:00.000Z' })
  })
})

const planned = async () => (await appointmentNow(facts, store, asked())).found.appointment

const ANY = { pods: null, nodes: null, gpus: null, usdPerHour: null }
const allow = (mode: 'approve') =>
  writeActPolicy(store.settings, facts.record.id, {
    policy: {
      ...DEFAULT_ACT_POLICY,
      modes: { ...DEFAULT_ACT_POLICY.modes, appointment: mode },
      windows: [],
      protectedNamespaces: [],
      auto: { classes: [], budget: { hour: ANY, day: ANY }, keptToAdvance: 3, resumedAt: {} },
      limits: { run: ANY, hour: ANY, day: ANY },
    },
    changedAt: NOW,
    changedBy: 'ann@septet.local',
  })
