import { describe, expect, test } from 'vitest'

import { draw, DRAWN_AT } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { instant, seconds } from '../../units.ts'
import { withRequests } from '../steps/drawn-wishes.fixture.ts'
import { draftPlan, type DraftQuestion } from './draft-plan.ts'

const drafted = (snapshot: ClusterSnapshot, wanted: DraftQuestion['wanted'], more: Partial<DraftQuestion> = {}) =>
  draftPlan(snapshot, { wanted, title: 'A draft', mayWait: false, maxDisplaced: 5, ...more })
const roomFor = (profile: string): DraftQuestion['wanted'] => ({ kind: 'room', goal: { kind: 'room-for', profile } })
const HALVES = withRequests(draw`
  a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb -]
  b  A100-SXM4-80GB  [3g.40gb lab/y] [3g.40gb -]`)

describe('room for one more instance', () => {
  test('comes with its steps, the GPUs that change, and the proof that no plan moves fewer', () => {
    const draft = drafted(HALVES, roomFor('7g.80gb'))
    expect(draft).toMatchObject({
      kind: 'plan',
      plan: { title: 'A draft', bound: '1 pod moves; no plan moves fewer.', refused: [] },
    })
    if (draft.kind === 'none') throw new Error(draft.because)
    expect(draft.plan.moves).toHaveLength(1)
    // The one that is cut again, and the one that takes its pod.
    expect(draft.gpus).toHaveLength(2)
  })
  test('moves nobody where cutting again is enough', () => {
    const draft = drafted(withRequests(draw`a  A100-SXM4-80GB  [1g.10gb -] [1g.10gb -]`), roomFor('7g.80gb'))
    expect(draft).toMatchObject({ plan: { moves: [], bound: '0 pods move; no plan moves fewer.' } })
  })
  test.for<[string, ClusterSnapshot]>([
    ['nobody may move', HALVES],
    ['no board has the profile', withRequests(draw`a  A30  MIG`)],
    ['there is no node', { ...HALVES, nodes: [], allocations: [], pods: [], workloads: [] }],
  ])('is none where %s, with the reason', ([, snapshot]) => {
    const draft = drafted(snapshot, roomFor('7g.80gb'), { maxDisplaced: 0 })
    expect(draft).toEqual({ kind: 'none', because: expect.stringMatching(/\w+ .*\.?$/u) })
  })
})

describe('GPUs that become a layout', () => {
  const layout = [{ profile: '7g.80gb', placement: { start: 0, size: 8 } }]
  test('are changed as they are asked for, without a bound', () => {
    const free = withRequests(draw`a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]`)
    const draft = drafted(free, { kind: 'layout', targets: [{ gpu: 'GPU-a-0', migEnabled: true, layout }] })
    expect(draft).toMatchObject({ kind: 'plan', plan: { bound: undefined, refused: [] }, gpus: [{}] })
  })
  test('that cannot be are refused within the plan', () => {
    const odd = [0, 4].map((start) => ({ profile: '4g.40gb', placement: { start, size: 4 } }))
    const draft = drafted(HALVES, { kind: 'layout', targets: [{ gpu: 'GPU-a-0', migEnabled: true, layout: odd }] })
    expect(draft).toMatchObject({ kind: 'plan', plan: { steps: [] }, gpus: [] })
    expect(draft.kind === 'plan' ? draft.plan.refused.length : 0).toBe(1)
  })
})

describe('GPUs at an instant', () => {
  const wanted = {
    kind: 'appointment' as const,
    ask: { gpus: 1, perNode: 1, at: instant(DRAWN_AT + 7_200_000), length: seconds(3600) },
  }
  test('are planned, or the reason is told, with the answer of the appointment beside it', () => {
    const free = withRequests(draw`
      a  T4  [-]
      b  T4  [lab/x]`)
    const found = drafted(free, wanted)
    expect([found.kind, found.appointment?.kind]).toEqual(['plan', 'found'])
    const none = drafted({ ...free, nodes: [] }, wanted)
    expect([none.kind, none.appointment?.kind]).toEqual(['none', 'none'])
    expect(none.kind === 'none' ? none.because : '').toBe(
      none.appointment?.kind === 'none' ? none.appointment.because : '?',
    )
  })
})
