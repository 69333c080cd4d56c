import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Action, GpuTarget, Plan } from '../words/action.ts'
import { applyStep, checkPlan, wayBack } from './check-plan.ts'
import { whyConditionFails } from './conditions.ts'
import { clusterFaults } from '../../fleet/cluster-faults.ts'
import { drawnWishes, servedByDra, withRequests } from './drawn-wishes.fixture.ts'
import { geometryNow } from '../../fleet/gpu-state.ts'
import { openFleet } from '../../fleet/fleet.ts'
import { makePlan } from './make-plan.ts'
import { CAREFUL_POLICY, type PlanPolicy } from '../words/plan-policy.ts'
import type { Wish } from '../words/wish.ts'

const OPEN: PlanPolicy = { ...CAREFUL_POLICY, maxDisplaced: 100, mayWait: true }

const layoutOf = ({ nodes }: ClusterSnapshot, without: ReadonlySet<string> = new Set()): unknown =>
  nodes
    .filter(({ name }) => !without.has(name))
    .map(({ name, schedulable, sharing, gpus }) => ({
      name,
      schedulable,
      sharing,
      gpus: gpus.map((gpu) => [gpu.id, gpu.migEnabled, geometryNow(gpu), gpu.partitions.length]),
    }))

const removedBy = ({ steps }: Plan): ReadonlySet<string> =>
  new Set(steps.flatMap(({ action }) => (action.kind === 'remove-node' ? [action.node] : [])))

const target = (gpu: string, ...profiles: readonly (readonly [string, number, number])[]): GpuTarget => ({
  gpu,
  migEnabled: profiles.length > 0,
  layout: profiles.map(([profile, start, size]) => ({ profile, placement: { start, size } })),
})

const layouts = (...targets: readonly GpuTarget[]): Wish => ({ kind: 'layout', targets, moves: [] })
const kinds = ({ steps }: Plan): readonly string[] =>
  steps.map(({ action }) => ('node' in action ? `${action.kind} ${action.node}` : action.kind))

describe.each(['mig-manager', 'dra'] as const)('every plan under %s', (stack) => {
  it('leaves a legal cluster after each step, and is executable as it stands', () => {
    let steps = 0
    fc.assert(
      fc.property(drawnWishes(stack), ({ snapshot, wishes, policy }) => {
        const plan = makePlan({ snapshot, wishes, policy, title: 'a plan' })
        const whole = checkPlan(snapshot, plan, policy)
        expect(whole).toMatchObject({ kind: 'executable' })
        let cluster = snapshot
        for (const step of plan.steps) {
          const verdict = applyStep(cluster, step, OPEN)
          if (verdict.kind === 'refused') throw new Error(`${step.title}: ${verdict.because}`)
          cluster = verdict.snapshot
          steps += 1
          expect(clusterFaults(cluster)).toEqual([])
        }
        const displaced = new Set(plan.steps.flatMap((step) => step.displaced))
        expect(displaced.size).toBeLessThanOrEqual(policy.maxDisplaced)
      }),
      { numRuns: 300, seed: 7 },
    )
    expect(steps).toBeGreaterThan(100)
  })

  it('can be taken back from every prefix: the layout is as before', () => {
    fc.assert(
      fc.property(drawnWishes(stack), fc.nat(40), ({ snapshot, wishes, policy }, stop) => {
        const plan = makePlan({ snapshot, wishes, policy, title: 'a plan' })
        const steps = plan.steps.slice(0, stop)
        let cluster = snapshot
        for (const step of steps) cluster = applied(cluster, step.action)
        for (const action of wayBack(steps).actions) cluster = applied(cluster, action)
        const gone = removedBy({ ...plan, steps })
        expect(layoutOf(cluster, gone)).toEqual(layoutOf(snapshot, gone))
      }),
      { numRuns: 300, seed: 11 },
    )
  })

  it('is the same for the same input, and refuses a wish once at most', () => {
    fc.assert(
      fc.property(drawnWishes(stack), ({ snapshot, wishes, policy }) => {
        const plan = makePlan({ snapshot, wishes, policy, title: 'a plan' })
        expect(makePlan({ snapshot, wishes, policy, title: 'a plan' })).toEqual(plan)
        expect(plan.refused.every(({ message }) => message.length > 20)).toBe(true)
      }),
      { numRuns: 60, seed: 13 },
    )
  })
})

function applied(cluster: ClusterSnapshot, action: Action): ClusterSnapshot {
  const verdict = applyStep(cluster, { action, preconditions: [] }, OPEN)
  if (verdict.kind === 'refused') throw new Error(`${JSON.stringify(action)}: ${verdict.because}`)
  return verdict.snapshot
}

describe('a layout under mig-manager', () => {
  const snapshot = withRequests(draw`
    node-a  A100-SXM4-40GB  [3g.20gb lab/train] [3g.20gb -]
    node-a  A100-SXM4-40GB  [1g.5gb web/chat] [1g.5gb -]
    node-b  A100-SXM4-40GB  [3g.20gb -] [4g.20gb -]
  `)

  it('cordons, evicts what is on the changed GPU only, re-cuts once and uncordons', () => {
    const plan = makePlan({
      snapshot,
      wishes: [layouts(target('GPU-node-a-0', ['7g.40gb', 0, 8]))],
      policy: OPEN,
      title: 'one large instance',
    })
    expect(kinds(plan)).toEqual(['cordon node-a', 'evict', 'repartition node-a', 'uncordon node-a'])
    expect(plan.steps.flatMap(({ displaced }) => displaced)).toEqual(['lab/train'])
    const [, , repartition] = plan.steps
    expect(repartition?.effect).toContain('GPUs that do not change are unaffected: 1.')
    expect(repartition?.effect).toContain('down meanwhile')
    expect(repartition?.duration.source).toContain('assumed')
    expect(repartition?.action).toMatchObject({
      gpus: [
        { index: 0, to: { migEnabled: true, geometry: { '7g.40gb': 1 } } },
        { index: 1, to: { migEnabled: true, geometry: { '1g.5gb': 2 } } },
      ],
    })
  })

  it('names a configuration by its content, and never by the name that the node wears', () => {
    const wish = layouts(target('GPU-node-a-0', ['7g.40gb', 0, 8]))
    const configs = (from: ClusterSnapshot): readonly string[] =>
      makePlan({ snapshot: from, wishes: [wish], policy: OPEN, title: '' }).steps.flatMap(({ action }) =>
        action.kind === 'repartition' ? action.config : [],
      )
    const [name = ''] = configs(snapshot)
    expect(name).toMatch(/^septet-[0-9a-f]{16}$/u)
    const worn = snapshot.nodes.map((node) => ({
      ...node,
      mig: { ...node.mig, config: name, state: 'success' as const },
    }))
    expect(configs({ ...snapshot, nodes: worn })).toEqual([`${name}-again`])
  })

  it('says that a change of MIG mode resets an Ampere board, and that Hopper needs none', () => {
    expect(effectsOfMigOn('A30')).toContain('resets the GPU')
    expect(effectsOfMigOn('H100-80GB-HBM3')).toContain('GPU 0 becomes')
    expect(effectsOfMigOn('H100-80GB-HBM3')).not.toContain('resets the GPU')
  })

  it('moves to a node that is changed as well only after that one is done', () => {
    const from = withRequests(draw`
      node-a  A30  [4g.24gb lab/one]
      node-b  A30  MIG
    `)
    const plan = makePlan({
      snapshot: from,
      wishes: [
        {
          kind: 'layout',
          targets: [target('GPU-node-a-0', ['2g.12gb', 0, 2]), target('GPU-node-b-0', ['4g.24gb', 0, 4])],
          moves: [{ pod: 'lab/one', from: 'GPU-node-a-0/gi-1', to: { gpu: 'GPU-node-b-0', profile: '4g.24gb' } }],
        },
      ],
      title: '',
    })
    expect(plan.refused).toEqual([])
    expect(kinds(plan).slice(0, 3)).toEqual(['cordon node-b', 'repartition node-b', 'uncordon node-b'])
  })

  it('cordons a later node before an eviction whose pod could start there on a GPU still to be changed', () => {
    const from = withRequests(draw`
      node-a  A30  [4g.24gb lab/one]
      node-b  A30  [4g.24gb -]
    `)
    const wishes = [layouts(target('GPU-node-a-0', ['2g.12gb', 0, 2]), target('GPU-node-b-0', ['2g.12gb', 0, 2]))]
    expect(kinds(makePlan({ snapshot: from, wishes, policy: OPEN, title: '' }))).toEqual([
      'cordon node-b',
      'cordon node-a',
      'evict',
      'repartition node-a',
      'uncordon node-a',
      'repartition node-b',
      'uncordon node-b',
    ])
  })

  it('leaves both nodes alone when the one that should receive a pod cannot be changed', () => {
    const from = withRequests(draw`
      node-a  A30  [4g.24gb lab/one]
      node-b  A30  down MIG
    `)
    const plan = makePlan({
      snapshot: from,
      wishes: [
        {
          kind: 'layout',
          targets: [target('GPU-node-a-0', ['2g.12gb', 0, 2]), target('GPU-node-b-0', ['4g.24gb', 0, 4])],
          moves: [{ pod: 'lab/one', from: 'GPU-node-a-0/gi-1', to: { gpu: 'GPU-node-b-0', profile: '4g.24gb' } }],
        },
      ],
      title: '',
    })
    expect(plan.steps).toEqual([])
    expect(plan.refused.map(({ code, object }) => [code, object])).toEqual([
      ['no-room', 'node/node-a'],
      ['node-not-settled', 'node/node-b'],
    ])
  })

  it('evicts a pod whose GPU nobody knows before any GPU of its node is changed', () => {
    const allocations = snapshot.allocations.map((each) =>
      each.pod === 'web/chat' ? { ...each, evidence: 'guess' as const } : each,
    )
    const plan = makePlan({
      snapshot: { ...snapshot, allocations },
      wishes: [layouts(target('GPU-node-a-0', ['7g.40gb', 0, 8]))],
      policy: OPEN,
      title: '',
    })
    expect(plan.steps.flatMap(({ displaced }) => displaced)).toEqual(['lab/train', 'web/chat'])
  })

  it('keeps a node cordoned that was cordoned before', () => {
    const nodes = snapshot.nodes.map((node) => ({ ...node, schedulable: false }))
    const wishes = [layouts(target('GPU-node-b-0', ['7g.40gb', 0, 8]))]
    expect(kinds(makePlan({ snapshot: { ...snapshot, nodes }, wishes, title: '' }))).toEqual(['repartition node-b'])
  })

  it('has nothing to do where the geometry is there already, wherever its instances sit', () => {
    const wishes = [layouts(target('GPU-node-a-0', ['3g.20gb', 4, 4], ['3g.20gb', 0, 4]))]
    expect(makePlan({ snapshot, wishes, title: '' }).steps).toEqual([])
  })
})

describe('a layout under DRA', () => {
  it('changes one instance beside its running neighbors', () => {
    const snapshot = servedByDra(draw`node-a A100-SXM4-40GB [4g.20gb lab/train] [3g.20gb web/chat]`)
    const wishes: readonly Wish[] = [
      layouts(target('GPU-node-a-0', ['4g.20gb', 0, 4], ['2g.10gb', 4, 2], ['1g.5gb', 6, 1])),
    ]
    const plan = makePlan({ snapshot, wishes, policy: OPEN, title: '' })
    expect(kinds(plan)).toEqual([
      'cordon node-a',
      'evict',
      'delete-instance',
      'uncordon node-a',
      'create-instance',
      'create-instance',
    ])
    expect(plan.steps.flatMap(({ displaced }) => displaced)).toEqual(['web/chat'])
  })

  it('refuses mig-manager where a DRA driver serves the node, and the other way round', () => {
    const plain = draw`node-a A100-SXM4-40GB [4g.20gb -]`
    expect(codesFor(servedByDra(plain), 'mig-manager')).toEqual(['other-stack'])
    expect(codesFor(plain, 'dra')).toEqual(['other-stack'])
    expect(codesFor(servedByDra(plain), 'dra')).toEqual([])
  })
})

describe('other wishes', () => {
  it('take back what they changed, except for what is gone', () => {
    const snapshot = draw`
      node-a  T4  [lab/one]
      node-b  T4  [-]
    `
    const plan = makePlan({ snapshot, wishes: [{ kind: 'remove-node', node: 'node-a', moves: [] }], title: '' })
    expect(kinds(plan)).toEqual(['cordon node-a', 'evict', 'remove-node node-a'])
    expect(plan.moves).toEqual([{ pod: 'lab/one', from: 'GPU-node-a-0', to: undefined }])
    expect(wayBack(plan.steps).actions).toEqual([])
    expect(wayBack(plan.steps).lost).toHaveLength(2)
  })

  it('refuse to empty a node whose pods find no room, unless they may wait', () => {
    const snapshot = draw`node-a T4 [lab/one]`
    const wishes: readonly Wish[] = [{ kind: 'remove-node', node: 'node-a', moves: [] }]
    expect(makePlan({ snapshot, wishes, title: '' }).refused[0]?.code).toBe('no-room')
    expect(makePlan({ snapshot, wishes, policy: OPEN, title: '' }).refused).toEqual([])
  })

  it('keep no room on a node that the pod may not run on, or that lacks CPU for it', () => {
    const wishes: readonly Wish[] = [{ kind: 'remove-node', node: 'node-a', moves: [] }]
    const codes = (snapshot: ClusterSnapshot): readonly string[] =>
      makePlan({ snapshot, wishes, title: '' }).refused.map(({ code }) => code)
    const cluster = draw`
      node-a  T4  [lab/one]
      node-b  T4  cpu=8 !gpu:NoSchedule [-]
    `
    expect(codes(cluster)).toEqual(['no-room'])
    const open = {
      ...cluster,
      nodes: cluster.nodes.map((node) => ({ ...node, room: { ...node.room, taints: [] } })),
    }
    expect(codes(open)).toEqual([])
    const pods = open.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, cpuMilli: 9000 } }))
    expect(codes({ ...open, pods })).toEqual(['no-room'])
  })

  it('keep no room for one pod on two nodes, nor what a node does not count as free', () => {
    const wishes: readonly Wish[] = [{ kind: 'remove-node', node: 'node-a', moves: [] }]
    const requests = ['3g.40gb', '2g.20gb'].map((profile) => ({ resource: `nvidia.com/mig-${profile}`, count: 1 }))
    const codes = (snapshot: ClusterSnapshot): readonly string[] =>
      makePlan({
        snapshot: {
          ...snapshot,
          pods: snapshot.pods.map((pod) => (pod.id === 'lab/one' ? { ...pod, requests } : pod)),
        },
        wishes,
        title: '',
      }).refused.map(({ code }) => code)
    const apart = draw`
      node-a  A100-SXM4-80GB  [3g.40gb lab/one] [2g.20gb -]
      node-b  A100-SXM4-80GB  [3g.40gb -] [2g.20gb lab/two]
      node-c  A100-SXM4-80GB  [3g.40gb lab/three] [2g.20gb -]`
    expect(codes(apart)).toEqual(['no-room'])
    const together = draw`
      node-a  A100-SXM4-80GB  [3g.40gb lab/one] [2g.20gb -]
      node-b  A100-SXM4-80GB  [3g.40gb -] [2g.20gb -]`
    expect(codes(together)).toEqual([])
    const nodes = together.nodes.map((node) => ({
      ...node,
      allocatable: { ...node.allocatable, 'nvidia.com/mig-2g.20gb': 0 },
    }))
    expect(codes({ ...together, nodes })).toEqual(['no-room'])
  })

  it('reports what no longer holds on a fresher snapshot', () => {
    const snapshot = withRequests(draw`
      node-a  A30  [4g.24gb lab/one]
      node-b  A30  [4g.24gb -]
    `)
    const wishes = [layouts(target('GPU-node-a-0', ['2g.12gb', 0, 2]))]
    const plan = makePlan({ snapshot, wishes, title: '' })
    const evict = plan.steps.find(({ action }) => action.kind === 'evict')
    const fresher = { ...snapshot, pods: snapshot.pods.map((pod) => ({ ...pod, node: 'node-b' })) }
    const unmet = (now: ClusterSnapshot) =>
      evict?.preconditions.flatMap((condition) => whyConditionFails(condition, openFleet(now)) ?? [])
    expect(unmet(snapshot)).toEqual([])
    expect(unmet(fresher)).toEqual(['lab/one no longer runs on node-a.'])
  })
})

const effectsOfMigOn = (model: string): string => {
  const from = draw`node-m ${model} [-]`
  const wishes = [layouts(target('GPU-node-m-0', model === 'A30' ? ['4g.24gb', 0, 4] : ['7g.80gb', 0, 8]))]
  return makePlan({ snapshot: from, wishes, title: '' })
    .steps.map(({ effect }) => effect)
    .join(' ')
}

const wishFor = (actuator: 'dra' | 'mig-manager'): readonly Wish[] => [
  { kind: 'layout', targets: [target('GPU-node-a-0', ['3g.20gb', 4, 4])], moves: [], actuator },
]

const codesFor = (snapshot: ClusterSnapshot, actuator: 'dra' | 'mig-manager'): readonly string[] =>
  makePlan({ snapshot, wishes: wishFor(actuator), title: '' }).refused.map(({ code }) => code)
