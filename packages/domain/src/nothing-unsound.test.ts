import { describe, expect, test } from 'vitest'
import { draw, DRAWN_AT } from './cluster/draw.fixture.ts'
import type { ClusterSnapshot } from './cluster/inventory.ts'
import type { GpuNode } from './cluster/node.ts'
import { shippedPrices } from './cost/shipped-prices.ts'
import { planFleet } from './plan/fleet-plan/plan-fleet.ts'
import type { FleetGoal } from './plan/fleet-plan/plan-fleet-answer.ts'
import { asking, sourcesOf, waitingFor } from './plan/recommend/drawn-past.fixture.ts'
import { recommend } from './plan/recommend/recommend.ts'
import { gpusNow } from './plan/reconfigure/gpus-now.ts'
import type { RepackGoal } from './plan/repack/repack-regions.ts'
import { repack } from './plan/repack/repack.ts'
import type { Plan } from './plan/words/action.ts'

/** What makes a node unfit for any plan. `x` is the node that every plan below would take otherwise. */
const UNSOUND: Readonly<Record<string, (node: GpuNode) => GpuNode>> = {
  'it withholds devices, by what the kubelet knows': (node) => ({
    ...node,
    problems: [{ code: 'devices-withheld', message: `${node.name}: the kubelet offers 1 of 2.`, object: 'node/x' }],
  }),
  'it withholds devices, by what it offers': (node) => ({ ...node, allocatable: { 'nvidia.com/gpu': 1 } }),
  'its GPUs have a fatal XID': (node) => ({
    ...node,
    gpus: node.gpus.map((gpu) => ({ ...gpu, fault: { code: 'gpu-fault', message: 'XID 79.', object: 'gpu/x' } })),
  }),
  'the telemetry of its GPUs is stuck': (node) => ({
    ...node,
    gpus: node.gpus.map((gpu) => ({ ...gpu, stuck: true })),
  }),
  'something uses its GPUs that nobody holds': (node) => ({
    ...node,
    gpus: node.gpus.map((gpu) => ({ ...gpu, unrequestedSince: DRAWN_AT })),
  }),
  'which of its GPUs are in MIG mode is not evident': (node) => ({
    ...node,
    problems: [{ code: 'mig-mode-unclear', message: 'Which GPUs of x …', object: 'node/x' }],
  }),
  'it is not ready': (node) => ({ ...node, ready: false }),
  'an earlier change failed': (node) => ({ ...node, mig: { ...node.mig, config: 'septet-1', state: 'failed' } }),
  'an earlier change goes on': (node) => ({ ...node, mig: { ...node.mig, config: 'septet-1', state: 'pending' } }),
  'nobody said what came of an earlier change': (node) => ({ ...node, mig: { ...node.mig, config: 'septet-1' } }),
}

/** Two GPUs of x are free, one may be a healthy one: which, nobody knows. */
const FREE = draw`
  a  H100-80GB-HBM3  [3g.40gb lab/one] [3g.40gb lab/two]
  x  H100-80GB-HBM3  [-]
  x  H100-80GB-HBM3  [-]
  ?  lab/waits  3g.40gb`
/** A half of a GPU of a could be emptied into x. */
const HALVES = draw`
  a  A100-SXM4-80GB  [3g.40gb lab/one] [3g.40gb -]
  x  A100-SXM4-80GB  [3g.40gb lab/two] [3g.40gb -]
  x  A100-SXM4-80GB  [lab/six]
  x  A100-SXM4-80GB  [lab/ten]`

const changed = (snapshot: ClusterSnapshot, how: (node: GpuNode) => GpuNode): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => (node.name === 'x' ? how(node) : node)),
})

/** Whether a plan changes x or sends anybody there. */
const takesX = ({ steps, moves }: Plan): boolean =>
  steps.some(({ action }) => 'node' in action && action.node === 'x') ||
  moves.some(({ to }) => to?.gpu.startsWith('GPU-x-') === true)

const fleet =
  (goal: FleetGoal) =>
  (snapshot: ClusterSnapshot): boolean =>
    takesX(planFleet({ snapshot, goal, prices: shippedPrices, maxDisplaced: 10 }).plan)
const repacked =
  (goal: RepackGoal) =>
  (snapshot: ClusterSnapshot): boolean => {
    const answer = repack(snapshot, goal, 10)
    return answer.kind === 'found' && [...answer.freed, ...answer.targets.map(({ gpu }) => gpu)].some(isOfX)
  }
const isOfX = (gpu: string): boolean => gpu.startsWith('GPU-x-')

type Kind = readonly [name: string, from: ClusterSnapshot, takes: (snapshot: ClusterSnapshot) => boolean]
const room = { kind: 'room-for', profile: '3g.40gb' } as const
const cut = { gpu: 'GPU-x-0', migEnabled: true, layout: [{ profile: '7g.80gb', placement: { start: 0, size: 8 } }] }

/** Every kind of plan that Septet makes. */
const KINDS: readonly Kind[] = [
  ['a fleet plan that starts work', FREE, fleet({ kind: 'fit' })],
  ['a fleet plan that makes room', FREE, fleet(room)],
  ['a fleet plan that frees a node', FREE, fleet({ kind: 'free-node' })],
  ['a fleet plan that frees the very node', FREE, fleet({ kind: 'free-node', node: 'x' })],
  ['a fleet plan for cost', HALVES, fleet({ kind: 'cost' })],
  ['a repack for a GPU', FREE, repacked({ kind: 'free-gpu' })],
  ['a repack for a node', FREE, repacked({ kind: 'free-node' })],
  ['a repack for room', FREE, repacked(room)],
  ['a reconfiguration', FREE, (snapshot) => gpusNow(snapshot).some(({ gpu }) => isOfX(gpu))],
  ['a layout that somebody draws', FREE, fleet({ kind: 'layout', targets: [cut] })],
  [
    'recommendations',
    FREE,
    (snapshot) =>
      recommend(sourcesOf(waitingFor(asking(snapshot), 3))).recommendations.some(({ plan }) => takesX(plan)),
  ],
]

describe('nothing is planned on what is not sound', () => {
  test.each(KINDS)('%s takes a sound node, and no other', (_, from, takes) => {
    expect(takes(from)).toBe(true)
    for (const [why, how] of Object.entries(UNSOUND)) expect([why, takes(changed(from, how))]).toEqual([why, false])
  })

  test('a node that withholds devices says so where a plan is refused', () => {
    const snapshot = changed(FREE, (node) => ({ ...node, allocatable: { 'nvidia.com/gpu': 1 } }))
    const limits = { snapshot, prices: shippedPrices, maxDisplaced: 1 }
    const { plan } = planFleet({ ...limits, goal: { kind: 'layout', targets: [cut] } })
    expect(plan.refused[0]?.message).toMatch(/^x offers 1 fewer GPU than it has/u)
    const { because } = planFleet({ ...limits, goal: { kind: 'free-node', node: 'x' } })
    expect(because).toContain('No node is freed. x offers 1 fewer GPU than it has')
  })
})
