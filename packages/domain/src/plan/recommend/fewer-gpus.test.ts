import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { seconds } from '../../units.ts'
import { checkPlan } from '../steps/check-plan.ts'
import { asking, owned, past, sourcesOf, type Doing } from './drawn-past.fixture.ts'
import { SHOWN_POLICY } from './proposal.ts'
import { recommend } from './recommend.ts'

/** A service that has little to do: at night nothing. */
const quiet = (ago: number): Doing => ({
  busy: ago % 24 < 8 ? 0.01 : 0.06 + 0.01 * (ago % 3),
  memory: 12_000 + 20 * (ago % 5),
})

const fewer = (snapshot: ClusterSnapshot, doing: (ago: number) => Doing | undefined = quiet) =>
  recommend(
    sourcesOf(snapshot, { rows: snapshot.pods.flatMap(({ id }) => past(snapshot, id, { hours: 168, doing })) }),
  ).recommendations.filter(({ kind }) => kind === 'fewer-gpus')

const spanning = owned(
  asking(draw`
    node-a  H200  [lab/chat-1]
    node-a  H200  [lab/chat-1]
    node-a  H200  [lab/chat-1]
    node-a  H200  [lab/chat-1]`),
  ['lab/chat-1'],
  { class: 'inference' },
)

test('a pod of four GPUs whose work fits on one is to request one, and to be told so itself', () => {
  const [found, ...more] = fewer(spanning)
  expect(more).toEqual([])
  expect(found).toMatchObject({
    object: 'workload/lab/Deployment/chat',
    title: 'Request 1 GPU instead of 4 for lab/chat',
    message: expect.stringContaining('All 4 together did the work of 0.32 GPUs at the highest moment'),
    evidence: { samples: 168, coverage: 1, figures: { 'devices held': 4, 'devices after': 1 } },
    risk: { displaced: ['lab/chat-1'], level: 'medium' },
    plan: { steps: [{ action: { kind: 'resize', from: [{ count: 4 }], to: [{ count: 1 }] } }] },
  })
  expect(found?.message).toContain('tensor parallel size')
  expect(found?.risk.overrun).toBeGreaterThan(0)
  expect(found?.risk.confidence).toBeLessThanOrEqual(168 / 192)
  // Idle in a third of the hours on all four: more is not claimed.
  expect(found?.saving).toMatchObject({ kind: 'estimated', gpuHoursPerMonth: expect.closeTo((730 * 4) / 3, 1) })
  expect(found === undefined ? '' : checkPlan(spanning, found.plan, SHOWN_POLICY).kind).toBe('executable')
})

const titles = (doing: (ago: number) => Doing) => fewer(spanning, doing).map(({ title }) => title)

test('memory and peaks of all its GPUs together bind, in numbers that divide what it has', () => {
  expect(titles((ago) => ({ ...quiet(ago), memory: 60_000 + 20 * (ago % 5) }))).toEqual([
    'Request 2 GPUs instead of 4 for lab/chat',
  ])
  expect(titles((ago) => ({ ...quiet(ago), busyPeak: 0.3 }))).toEqual(['Request 2 GPUs instead of 4 for lab/chat'])
  expect(titles((ago) => ({ ...quiet(ago), memory: 100_000 + 20 * (ago % 5) }))).toEqual([])
  expect(titles((ago) => ({ ...quiet(ago), busy: 0.5 }))).toEqual([])
})

const replicas = (count: number) =>
  owned(
    asking(draw`${Array.from({ length: count }, (_, index) => `node-${index}  L40S  [lab/chat-${index}]`).join('\n')}`),
    Array.from({ length: count }, (_, index) => `lab/chat-${index}`),
    { class: 'inference' },
  )

test('replicas go where a controller keeps a number of them; two of three stay, so that one may restart', () => {
  expect(fewer(replicas(3))).toMatchObject([
    {
      title: 'Run 2 replicas of lab/chat instead of 3',
      plan: { steps: [{ action: { kind: 'scale', from: 3, to: 2 }, inverse: [{ kind: 'scale', from: 2, to: 3 }] }] },
    },
  ])
  expect(fewer(replicas(2))).toMatchObject([
    {
      title: 'Run 1 replica of lab/chat instead of 2',
      message: expect.stringContaining('there is no service while that one restarts'),
    },
  ])
})

test('of the pods that a disruption budget asks for one more stays, so that nodes can still be drained', () => {
  const service = replicas(6)
  const withFloor = (floor: number): ClusterSnapshot => ({
    ...service,
    budgets: [{ id: 'lab/chat', pods: service.pods.map(({ id }) => id), allowed: 6 - floor, floor }],
  })
  const kept = (floor: number) => fewer(withFloor(floor)).map(({ title }) => title)
  expect(kept(0)).toEqual(['Run 2 replicas of lab/chat instead of 6'])
  expect(kept(3)).toEqual(['Run 4 replicas of lab/chat instead of 6'])
  expect(kept(5)).toEqual([])
})

test('one device, other devices, too little or old history, and a GPU that is not measured keep the number', () => {
  expect(fewer(owned(asking(draw`node-a  L40S  [lab/chat-1]`), ['lab/chat-1']))).toEqual([])
  const mixed = owned(
    asking(draw`
    node-a  L40S  [lab/chat-1]
    node-b  T4    [lab/chat-2]`),
    ['lab/chat-1', 'lab/chat-2'],
  )
  expect(fewer(mixed)).toEqual([])
  expect(fewer(spanning, (ago) => (ago > 20 ? undefined : quiet(ago)))).toEqual([])
  expect(fewer(spanning, (ago) => (ago <= 12 ? undefined : quiet(ago)))).toEqual([])
  const rows = past(spanning, 'lab/chat-1', { hours: 168, doing: quiet })
  const blind = rows.map((row) => (row.gpu.endsWith('-3') ? { ...row, measured: seconds(0) } : row))
  const found = recommend(sourcesOf(spanning, { rows: blind }))
  expect(found.recommendations.filter(({ kind }) => kind === 'fewer-gpus')).toEqual([])
})
