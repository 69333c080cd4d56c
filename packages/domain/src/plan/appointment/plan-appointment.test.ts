import { describe, expect, test } from 'vitest'

import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { draw, DRAWN_AT } from '../../cluster/draw.fixture.ts'
import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import type { Pod } from '../../cluster/workload.ts'
import { instant, seconds } from '../../units.ts'
import { checkPlan, wayBack } from '../steps/check-plan.ts'
import { CAREFUL_POLICY } from '../words/plan-policy.ts'
import type { Appointment, AppointmentAsk } from './appointment.ts'
import { timeText } from './appointment-words.ts'
import { planAppointment } from './plan-appointment.ts'

const hour = (hours: number) => instant(DRAWN_AT + hours * 3_600_000)
const ASK: AppointmentAsk = { gpus: 4, perNode: 1, at: hour(10), length: seconds(8 * 3600) }

const answerOf = (snapshot: ClusterSnapshot, ask: Partial<AppointmentAsk> = {}, maxDisplaced = 10) =>
  planAppointment({ snapshot, ask: { ...ASK, ...ask }, maxDisplaced })

function found(snapshot: ClusterSnapshot, ask: Partial<AppointmentAsk> = {}): Appointment {
  const answer = answerOf(snapshot, ask)
  if (answer.kind === 'none') throw new Error(answer.because)
  return answer
}

const withPod = (snapshot: ClusterSnapshot, id: string, change: Partial<Pod>): ClusterSnapshot => ({
  ...snapshot,
  pods: snapshot.pods.map((pod) => (pod.id === id ? { ...pod, ...change } : pod)),
})

const fixed = (snapshot: ClusterSnapshot, id: string): ClusterSnapshot =>
  withPod(snapshot, id, { scheduling: { ...UNCONSTRAINED, managed: false } })

const FLEET = draw`
  node-a  H100-80GB-HBM3  [lab/one]
  node-a  H100-80GB-HBM3  [lab/two]
  node-a  H100-80GB-HBM3  [lab/three]
  node-a  H100-80GB-HBM3  [-]
  node-b  H100-80GB-HBM3  [lab/big]
  node-b  H100-80GB-HBM3  [lab/big]
  node-b  H100-80GB-HBM3  [lab/big]
  node-b  H100-80GB-HBM3  [-]
  node-c  H100-80GB-HBM3  [-]
  node-c  H100-80GB-HBM3  [-]
  node-c  H100-80GB-HBM3  [lab/last]
  node-c  H100-80GB-HBM3  [lab/last]
`

describe('an appointment', () => {
  test('evicts nobody where enough is free, and closes the nodes at once', () => {
    const { plan, moves, bound, nodes, idle } = found(FLEET)
    expect({ moves, bound }).toEqual({ moves: 0, bound: 0 })
    expect(nodes.map(({ node, gpus }) => [node, gpus])).toEqual([
      ['node-a', 1],
      ['node-b', 1],
      ['node-c', 2],
    ])
    expect(plan.bound).toBe('evicts no pod')
    expect(idle).toBe(40)
    expect(plan.steps.map(({ action, notBefore }) => [action.kind, notBefore])).toEqual([
      ...Array.from({ length: 3 }, () => ['cordon', DRAWN_AT]),
      ['keep-free', hour(10) - 600_000],
      ...Array.from({ length: 3 }, () => ['uncordon', hour(18)]),
    ])
  })

  test('on whole nodes evicts the fewest pods, at the last responsible moment, and says that none does with fewer', () => {
    const { plan, moves, bound, nodes } = found(FLEET, { perNode: 4 })
    expect({ moves, bound }).toEqual({ moves: 1, bound: 1 })
    expect(plan.bound).toBe('evicts 1 pod; no plan evicts fewer than 1')
    expect(nodes.map(({ node }) => node)).toEqual(['node-b'])
    const due = plan.steps.map(({ action, notBefore = 0 }) => [action.kind, (notBefore - hour(10)) / 1000])
    expect(due).toEqual([
      ['cordon', -36_000],
      ['evict', -630],
      ['keep-free', -600],
      ['uncordon', 28_800],
    ])
  })

  test('counts as gone what must end by a limit of its own, and nobody on hope', () => {
    const ends = withPod(FLEET, 'lab/big', { endsBy: hour(9) })
    const { moves, nodes } = found(ends, { perNode: 4 })
    expect(moves).toBe(0)
    expect(nodes).toMatchObject([{ node: 'node-b', ending: [{ pod: 'lab/big' }] }])
    const late = withPod(FLEET, 'lab/big', { endsBy: hour(10) })
    expect(found(late, { perNode: 4 }).moves).toBe(1)
  })

  test('closes nodes later where no work runs longer than somebody sees to', () => {
    const { moves, nodes } = found(FLEET, { gpus: 12, perNode: 4, longest: seconds(4 * 3600) })
    expect(moves).toBe(0)
    expect(nodes.map(({ closesAt }) => hour(6) - closesAt)).toEqual([60_000, 60_000, 60_000])
  })

  test('leaves alone what nothing would make again, what a budget keeps, and nodes that are not sound or are cordoned', () => {
    const kept = fixed(FLEET, 'lab/last')
    expect(found(kept, { perNode: 4 }).nodes.map(({ node }) => node)).toEqual(['node-b'])
    const guarded = { ...kept, budgets: [{ id: 'lab/guard', pods: ['lab/big'], allowed: 0 }] }
    expect(found(guarded, { perNode: 4 })).toMatchObject({ moves: 3, nodes: [{ node: 'node-a' }] })
    const closed = {
      ...guarded,
      nodes: guarded.nodes.map((node) => (node.name === 'node-a' ? { ...node, schedulable: false } : node)),
    }
    expect(answerOf(closed, { perNode: 4 })).toMatchObject({
      kind: 'none',
      possible: 0,
      leftOut: [{ object: 'node/node-a' }],
    })
  })

  test('counts on no node that whoever asks has spoken for', () => {
    expect(found(FLEET, { perNode: 4, except: ['node-b'] }).nodes.map(({ node }) => node)).toEqual(['node-c'])
  })

  test('takes no more from a disruption budget than it allows, wherever its pods are', () => {
    const covered = { ...FLEET, budgets: [{ id: 'lab/guard', pods: ['lab/big', 'lab/last'], allowed: 1 }] }
    const { moves, plan } = found(covered, { gpus: 8, perNode: 4 })
    expect(moves).toBe(4)
    const policy = { ...CAREFUL_POLICY, maxDisplaced: 10, mayWait: true }
    expect(checkPlan(covered, plan, policy).kind).toBe('executable')
  })

  test('that cannot be had says how many can, and from when on all can', () => {
    const stuck = ['lab/one', 'lab/two', 'lab/three', 'lab/last'].reduce(fixed, FLEET)
    const ending = withPod(stuck, 'lab/last', { endsBy: hour(12) })
    expect(answerOf(ending, { gpus: 8, perNode: 4 })).toMatchObject({ kind: 'none', possible: 4 })
    const answer = answerOf(ending, { gpus: 8, perNode: 4 })
    expect(answer.kind === 'none' ? answer.because : '').toBe(
      '4 GPUs of 8 are available at 2026-01-01 10:00 UTC. All of them are available from 2026-01-01 12:01 UTC.',
    )
    const never = answerOf(stuck, { gpus: 8, perNode: 4 })
    expect(never.kind === 'none' ? never.because : '').toContain('is unknown')
  })

  test('keeps to the most pods that may be evicted, and says what more would give', () => {
    const answer = answerOf(FLEET, { gpus: 12 }, 2)
    expect(answer).toMatchObject({ kind: 'none', possible: 9 })
    expect(answer.kind === 'none' ? answer.because : '').toContain('With more than 2 pods evicted it would be 12.')
  })

  test('is undone by opening what it closed, whatever was done', () => {
    const { plan } = found(FLEET, { perNode: 4 })
    expect(wayBack(plan.steps).actions).toEqual([{ kind: 'uncordon', node: 'node-b' }])
    expect(wayBack(plan.steps.slice(0, 1)).actions).toEqual([{ kind: 'uncordon', node: 'node-b' }])
  })

  test('says where evicted pods find room, who waits, and who would ignore the fence', () => {
    const roomy = draw`
      node-a  A100-SXM4-80GB  [lab/one]
      node-a  A100-SXM4-80GB  [-]
      node-b  A100-SXM4-80GB  [-]
      ?       lab/rude        gpu !node.kubernetes.io/unschedulable
    `
    const { plan, notes } = found(roomy, { gpus: 2, perNode: 2 })
    expect(plan.moves).toEqual([{ pod: 'lab/one', from: 'GPU-node-a-0', to: { gpu: 'GPU-node-b-0', profile: '' } }])
    const full = found({ ...roomy, nodes: roomy.nodes.slice(0, 1) }, { gpus: 2, perNode: 2 })
    expect(full.plan.moves).toMatchObject([{ pod: 'lab/one', to: undefined }])
    expect(full.notes.join(' ')).toContain('there is no room for lab/one')
    expect(notes.join(' ')).toMatch(/lab\/Pod\/rude tolerates every cordon/u)
  })

  test('of a model counts GPUs of that model that can be asked for whole', () => {
    const mixed = draw`
      node-a  A100-SXM4-80GB  [3g.40gb -]
      node-b  A100-SXM4-80GB  [-]
      node-c  H100-80GB-HBM3  [-]
    `
    expect(found(mixed, { gpus: 1, model: 'h100' }).nodes).toMatchObject([{ node: 'node-c' }])
    expect(answerOf(mixed, { gpus: 2, model: 'a100' })).toMatchObject({
      kind: 'none',
      possible: 1,
      leftOut: [{ object: 'node/node-a' }],
    })
  })

  test('of a MIG profile takes instances as they are cut, and counts what stands idle by their part of a GPU', () => {
    const cut = draw`
      node-a  A100-SXM4-80GB  [1g.10gb lab/one][1g.10gb -][1g.10gb -][1g.10gb lab/two][3g.40gb lab/big]
      node-b  A100-SXM4-80GB  [1g.10gb lab/three][1g.10gb lab/three]
      node-c  A100-SXM4-80GB  [-]
    `
    const ask = { gpus: 3, profile: '1g.10gb' }
    const { plan, nodes, idle, notes } = found(cut, ask)
    expect(plan.title).toBe('Keep 3 × 1g.10gb free from 2026-01-01 10:00 UTC to 2026-01-01 18:00 UTC')
    expect(nodes).toMatchObject([{ node: 'node-a', gpus: 3, evicted: ['lab/one'] }])
    // Two stand idle for ten hours, the third from its eviction on: sevenths of a GPU.
    expect(idle).toBeCloseTo((2 * 10 + 630 / 3600) / 7, 9)
    expect(plan.steps.map(({ title }) => title)).toContain('See that 3 × 1g.10gb on 1 node are free')
    expect(notes.join(' ')).toContain('2 × 1g.10gb among the reserved GPUs are free for such work now.')
    expect(checkPlan(cut, plan, { ...CAREFUL_POLICY, mayWait: true }).kind).toBe('executable')
  })

  test('of more MIG instances than there are says which GPUs have to be cut first, and of none that no board is cut so', () => {
    const cut = draw`
      node-a  A100-SXM4-80GB  [1g.10gb -][3g.40gb lab/big]
      node-b  A100-SXM4-80GB  [3g.40gb -][3g.40gb -]
    `
    const answer = answerOf(cut, { gpus: 6, profile: '1g.10gb' })
    expect(answer).toMatchObject({
      kind: 'none',
      possible: 1,
      cutFirst: [{ node: 'node-b', gpus: [0], each: 7, gives: 7 }],
    })
    expect(answer.kind === 'none' ? answer.because : '').toContain(
      'so approve a Repartition first: GPU 0 of node-b into 7 × 1g.10gb (7 more). That GPU is unallocated now.',
    )
    const unknown = answerOf(cut, { gpus: 1, profile: '1g.99gb' })
    expect(unknown).toMatchObject({ possible: 0, cutFirst: [] })
    expect(unknown.kind === 'none' ? unknown.because : '').toContain('with the MIG profile 1g.99gb')
  })

  test('in the past, or of parts that do not add up, is none', () => {
    expect(answerOf(FLEET, { at: DRAWN_AT })).toMatchObject({ kind: 'none', possible: 0 })
    expect(answerOf(FLEET, { gpus: 6, perNode: 4 })).toMatchObject({ kind: 'none' })
  })

  test('writes times in UTC', () => {
    expect(timeText(hour(10))).toBe('2026-01-01 10:00 UTC')
    expect(timeText(instant(hour(0) - 1000))).toBe('2025-12-31 23:59:59 UTC')
  })
})
