import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { PodScheduling } from '../../cluster/scheduling.ts'
import type { Action, GpuChange } from '../words/action.ts'
import { applyStep } from '../steps/check-plan.ts'
import { servedByDra, withRequests } from '../steps/drawn-wishes.fixture.ts'
import { makePlan } from '../steps/make-plan.ts'
import { migConfigName } from '../words/mig-config.ts'
import { CAREFUL_POLICY, type PlanPolicy } from '../words/plan-policy.ts'

const OPEN: PlanPolicy = { ...CAREFUL_POLICY, maxDisplaced: 100, mayWait: true }

/** `allowed`, or the code and the words of the refusal. */
function outcome(snapshot: ClusterSnapshot, action: Action, policy: PlanPolicy = OPEN): string {
  const verdict = applyStep(snapshot, { action, preconditions: [] }, policy)
  return verdict.kind === 'applied' ? 'allowed' : `${verdict.code}: ${verdict.because}`
}

const evict = (pod: string): Action => ({
  kind: 'evict',
  pod,
  uid: pod,
  workload: pod.replace('/', '/Pod/'),
  because: 'test',
})

const withNode = (snapshot: ClusterSnapshot, change: Partial<GpuNode>): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({ ...node, ...change })),
})

const withScheduling = (snapshot: ClusterSnapshot, change: Partial<PodScheduling>): ClusterSnapshot => ({
  ...snapshot,
  pods: snapshot.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, ...change } })),
})

function repartition(node: string, ...changes: readonly Omit<GpuChange, 'index'>[]): Action {
  const gpus = changes.map((change, index) => ({ ...change, index }))
  return { kind: 'repartition', node, config: migConfigName(gpus, undefined), gpus }
}

const cut = (profile: string, start: number, size: number): GpuChange['from'] => ({
  migEnabled: true,
  layout: [{ profile, placement: { start, size } }],
})

describe('evictions', () => {
  const two = draw`
    node-a  T4  [lab/one]
    node-a  T4  [lab/two]
  `

  it('use up what a disruption budget allows, over the whole plan', () => {
    const budgets = [{ id: 'lab/keep', pods: ['lab/one', 'lab/two'], allowed: 1 }]
    const first = applyStep({ ...two, budgets }, { action: evict('lab/one'), preconditions: [] }, OPEN)
    if (first.kind === 'refused') throw new Error(first.because)
    expect(first.snapshot.budgets[0]?.allowed).toBe(0)
    expect(outcome(first.snapshot, evict('lab/two'))).toContain(
      'disruption-budget: The disruption budget lab/keep allows no',
    )
    const plan = makePlan({
      snapshot: { ...two, budgets },
      wishes: [{ kind: 'remove-node', node: 'node-a', moves: [] }],
      policy: OPEN,
      title: '',
    })
    expect(plan.steps).toEqual([])
    expect(plan.refused[0]?.code).toBe('disruption-budget')
  })

  it('never exceed a budget, whatever is allowed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }), (allowed) => {
        const budgets = allowed.map((count, index) => ({
          id: `lab/${index}`,
          pods: [['lab/one', 'lab/two'][index % 2] ?? ''],
          allowed: count,
        }))
        const wishes = [{ kind: 'remove-node' as const, node: 'node-a', moves: [] }]
        const plan = makePlan({ snapshot: { ...two, budgets }, wishes, policy: OPEN, title: '' })
        for (const budget of budgets) {
          const taken = plan.steps.filter(({ action }) => action.kind === 'evict' && budget.pods.includes(action.pod))
          expect(taken.length).toBeLessThanOrEqual(budget.allowed)
        }
      }),
    )
  })

  it('refuse a pod with two budgets, which the API cannot evict', () => {
    const budgets = ['a', 'b'].map((id) => ({ id: `lab/${id}`, pods: ['lab/one'], allowed: 5 }))
    expect(outcome({ ...two, budgets }, evict('lab/one'))).toContain('covered by two disruption budgets (lab/a, lab/b)')
  })

  it('spare bare pods unless a person named that very pod', () => {
    const bare = withScheduling(two, { managed: false })
    expect(outcome(bare, evict('lab/one'))).toContain('unmanaged-pod: lab/one has no controller')
    expect(outcome(bare, evict('lab/one'), { ...OPEN, evictUnmanaged: ['lab/one'] })).toBe('allowed')
    expect(outcome(bare, evict('lab/two'), { ...OPEN, evictUnmanaged: ['lab/one'] })).toContain('unmanaged-pod')
  })

  it('spare pods that say they must not be disrupted, also from a change of their size', () => {
    const kept = withScheduling(two, { evictable: false })
    expect(outcome(kept, evict('lab/one'))).toContain('do-not-disrupt')
    const from = [{ resource: 'nvidia.com/gpu', count: 1 }]
    expect(outcome(kept, { kind: 'resize', workload: 'lab/Pod/one', from, to: [] })).toContain('do-not-disrupt')
    expect(outcome(kept, { kind: 'scale', workload: 'lab/Pod/one', from: 1, to: 0 })).toContain('do-not-disrupt')
  })

  it('stop at the limit of displaced pods', () => {
    expect(outcome(two, evict('lab/one'), { ...OPEN, maxDisplaced: 0 })).toContain(
      'displaced-limit: The plan would displace 1 pod; 0 are',
    )
  })

  it('refuse a pod that does not run', () => {
    expect(outcome(two, evict('lab/none'))).toContain('not-running')
  })
})

describe('a repartition', () => {
  const cordoned = withNode(withRequests(draw`node-a A100-SXM4-40GB [3g.20gb -]`), { schedulable: false })

  it('is done on a cordoned node with free GPUs, and on no other', () => {
    expect(outcome(cordoned, grow({ '7g.40gb': 1 }))).toBe('allowed')
    expect(outcome(withNode(cordoned, { schedulable: true }), grow({ '7g.40gb': 1 }))).toContain(
      'not-cordoned: node-a is not cordoned',
    )
    const busy = withNode(draw`node-a A100-SXM4-40GB [3g.20gb lab/one]`, { schedulable: false })
    expect(outcome(busy, grow({ '7g.40gb': 1 }))).toContain('in-use: lab/one still holds a part of GPU GPU-node-a-0')
  })

  it('is refused where the board cannot hold it', () => {
    expect(outcome(cordoned, grow({ '1g.5gb': 2, '2g.10gb': 2, '3g.20gb': 3 }))).toContain(
      'does-not-fit: GPU GPU-node-a-0: 3 × 3g.20gb: A100-40GB takes at most 2',
    )
    expect(outcome(cordoned, grow({ '1g.20gb': 1 }))).toContain('A100-40GB has no profile 1g.20gb')
    const small = withNode(draw`node-a T4 [-]`, { schedulable: false })
    const from = { migEnabled: false, layout: [] }
    expect(outcome(small, grow({ '1g.5gb': 1 }, from))).toContain('T4 has no MIG')
  })

  it('takes only boards with MIG: L40 has none, whatever a vendor page says', () => {
    const l40 = withNode(draw`node-a L40 [-]`, { schedulable: false })
    expect(outcome(l40, grow({ '1g.5gb': 1 }, { migEnabled: false, layout: [] }))).toContain('does-not-fit')
  })

  it('places 3g instances on 4 memory slices on Hopper: three never fit', () => {
    const hopper = withNode(draw`node-a H100-80GB-HBM3 MIG`, { schedulable: false })
    const from = { migEnabled: true, layout: [] }
    expect(outcome(hopper, grow({ '3g.40gb': 2 }, from))).toBe('allowed')
    expect(outcome(hopper, grow({ '3g.40gb': 2, '1g.10gb': 1 }, from))).toContain('does-not-fit')
  })

  it('is refused when the GPU is no longer cut as assumed, or the configuration forgets a GPU', () => {
    expect(outcome(cordoned, grow({ '7g.40gb': 1 }, cut('4g.20gb', 0, 4)))).toContain('changed: GPU GPU-node-a-0')
    const two = withNode(
      draw`
        node-a A100-SXM4-40GB [3g.20gb -]
        node-a A100-SXM4-40GB [3g.20gb -]
      `,
      { schedulable: false },
    )
    expect(outcome(two, grow({ '7g.40gb': 1 }))).toContain('incomplete')
  })

  it.each([
    [{ ready: false }, 'is not ready'],
    [{ mig: { strategy: 'mixed', config: 'x', state: 'pending' } }, 'paused-for-mig-change'],
    [{ mig: { strategy: 'mixed', config: 'x', state: 'failed' } }, 'does not try again'],
    [{ mig: { strategy: 'none', config: undefined, state: undefined } }, 'MIG strategy none'],
    [
      { problems: [{ code: 'label-contradicts-devices', message: 'The labels speak of 8.', object: 'node/node-a' }] },
      'speak of 8',
    ],
    [
      { problems: [{ code: 'no-mig-manager', message: 'No mig-manager here.', object: 'node/node-a' }] },
      'No mig-manager here',
    ],
  ] satisfies ReadonlyArray<readonly [Partial<GpuNode>, string]>)('waits for a settled node: %j', (change, words) => {
    expect(outcome(withNode(cordoned, change), grow({ '7g.40gb': 1 }))).toContain(words)
  })

  it('cuts all GPUs of a node alike under the single strategy', () => {
    const single = withNode(cordoned, { mig: { strategy: 'single', config: undefined, state: undefined } })
    expect(outcome(single, grow({ '2g.10gb': 3 }))).toBe('allowed')
    expect(outcome(single, grow({ '3g.20gb': 1, '2g.10gb': 1 }))).toContain('MIG strategy single')
  })

  it('spares a node with a faulty GPU, and one that a DRA driver serves', () => {
    const fault = { code: 'gpu-fault', message: 'GPU 0 fell off the bus.', object: 'gpu/0' }
    const faulty = {
      ...cordoned,
      nodes: cordoned.nodes.map((node) => ({ ...node, gpus: node.gpus.map((gpu) => ({ ...gpu, fault })) })),
    }
    expect(outcome(faulty, grow({ '7g.40gb': 1 }))).toBe('gpu-fault: GPU 0 fell off the bus.')
    expect(outcome(servedByDra(cordoned), grow({ '7g.40gb': 1 }))).toContain('other-stack')
  })
})

describe('single instances under DRA', () => {
  const node = servedByDra(draw`node-a A100-SXM4-40GB [3g.20gb lab/one]`)
  const start =
    node.nodes[0]?.gpus[0]?.partitions.flatMap((each) =>
      each.kind === 'mig' ? (each.placement?.start ?? -1) : [],
    )[0] ?? -1

  it('never overlap, never start where the driver cannot start them, and are never removed in use', () => {
    const make = (profile: string, at: number, size: number): string =>
      outcome(node, { kind: 'create-instance', gpu: 'GPU-node-a-0', instance: instance(profile, at, size) })
    expect(make('2g.10gb', start === 0 ? 4 : 0, 2)).toBe('allowed')
    expect(make('2g.10gb', start, 2)).toContain('overlaps another instance')
    expect(make('2g.10gb', 1, 2)).toContain('cannot start at memory slice 1')
    expect(make('2g.20gb', 0, 2)).toContain('has no profile')
    expect(
      outcome(node, { kind: 'delete-instance', gpu: 'GPU-node-a-0', instance: instance('3g.20gb', start, 4) }),
    ).toContain('in-use')
  })
})

describe('sharing', () => {
  const cordoned = withNode(draw`node-a T4 [-]`, { schedulable: false })

  it('is for one namespace: another one on the node refuses it', () => {
    expect(outcome(cordoned, share('lab'))).toBe('allowed')
    expect(outcome(cordoned, share(''))).toContain('needs the one namespace')
    const others = withNode(draw`node-a T4 [web/chat]`, { schedulable: false })
    expect(outcome(others, share('lab'))).toContain('tenant-isolation: node-a also runs pods of web')
    const wishes = [
      { kind: 'share' as const, node: 'node-a', to: { kind: 'mps' as const, replicas: 2 }, tenant: 'lab', moves: [] },
    ]
    expect(makePlan({ snapshot: others, wishes, policy: OPEN, title: '' }).refused[0]?.code).toBe('tenant-isolation')
  })

  it('is not for GPUs in MIG mode, nor for one replica', () => {
    const mig = withNode(draw`node-a A30 [1g.6gb -]`, { schedulable: false })
    expect(outcome(mig, share('lab'))).toContain('MPS serves whole GPUs only')
    expect(outcome(cordoned, share('lab', 1))).toContain('not-a-count')
  })
})

describe('quotas', () => {
  const snapshot = draw`node-a T4 [lab/one]`
  const limited = (quota: {
    readonly namespace: string
    readonly queue?: string
    readonly hard: number
  }): ClusterSnapshot => ({
    ...snapshot,
    workloads: snapshot.workloads.map((each) => ({ ...each, queue: 'gpus' })),
    quotas: [{ id: 'quota', resource: 'nvidia.com/gpu', used: 1, ...quota }],
  })

  it('bind in their namespace or their queue only, and count the difference', () => {
    expect(outcome(limited({ namespace: 'lab', hard: 2 }), resize(2))).toBe('allowed')
    expect(outcome(limited({ namespace: 'lab', hard: 2 }), resize(3))).toContain(
      'quota: quota has 1 of 2 nvidia.com/gpu left, 2 more are needed',
    )
    expect(outcome(limited({ namespace: '', queue: 'gpus', hard: 2 }), resize(3))).toContain('quota:')
    expect(outcome(limited({ namespace: '', queue: 'other', hard: 2 }), resize(3))).toBe('allowed')
    expect(outcome(limited({ namespace: 'web', hard: 1 }), resize(3))).toBe('allowed')
  })

  it('are used up by a step, for the next', () => {
    const grown = applyStep(limited({ namespace: 'lab', hard: 2 }), { action: resize(2), preconditions: [] }, OPEN)
    expect(grown.kind === 'applied' ? grown.snapshot.quotas[0]?.used : 0).toBe(2)
  })
})

describe('removing a node', () => {
  it('needs it cordoned and empty', () => {
    const busy = draw`node-a T4 [lab/one]`
    const remove: Action = { kind: 'remove-node', node: 'node-a' }
    expect(outcome(busy, remove)).toContain('not-cordoned')
    expect(outcome(withNode(busy, { schedulable: false }), remove)).toContain('in-use: lab/one')
    expect(outcome(busy, { kind: 'remove-node', node: 'node-z' })).toContain('unknown-object')
  })
})

const grow = (geometry: Readonly<Record<string, number>>, from = cut('3g.20gb', 4, 4)): Action =>
  repartition('node-a', { gpu: 'GPU-node-a-0', from, to: { migEnabled: true, geometry } })

const instance = (profile: string, start: number, size: number) => ({ profile, placement: { start, size } })

const share = (tenant: string, replicas = 2, kind: 'mps' | 'time-slicing' = 'mps'): Action => {
  return { kind: 'share', node: 'node-a', from: { kind: 'none' }, to: { kind, replicas }, tenant }
}

const request = (count: number) => [{ resource: 'nvidia.com/gpu', count }]
const resize = (count: number): Action => ({
  kind: 'resize',
  workload: 'lab/Pod/one',
  from: request(1),
  to: request(count),
})
