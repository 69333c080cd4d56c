import { describe, expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { type JudgedSample, QUALITY_REASONS } from '../../analyze/sample.ts'
import type { Gpu, GpuNode } from '../../cluster/node.ts'
import { type PodScheduling, type Taint, UNKNOWN_ROOM } from '../../cluster/scheduling.ts'
import type { Workload } from '../../cluster/workload.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, ratio, seconds, usd } from '../../units.ts'
import type { Saving } from '../../plan/recommend/recommendation.ts'
import { owned, past, sourcesOf } from '../../plan/recommend/drawn-past.fixture.ts'
import { recommend } from '../../plan/recommend/recommend.ts'
import { servedByDra, withRequests } from '../../plan/steps/drawn-wishes.fixture.ts'
import { planAppointment } from '../../plan/appointment/plan-appointment.ts'
import type { Wish } from '../../plan/words/wish.ts'
import type { ActionRun, StopOrder } from '../action-run.ts'
import { type BlastLimits, DEFAULT_ACT_POLICY } from '../policy/act-policy.ts'
import { adviceIn, later, runFor, withAdvice } from '../policy/drawn-run.fixture.ts'
import type { ActQuestion, Approval } from './act-context.ts'
import { allowed, approvedBy, APPROVING, AUTOMATIC, bySeptet, factsOf, measured, NOW } from './act-question.fixture.ts'
import { GUARDRAILS, judgeRun, outlookOf } from './guardrails.ts'
import { neededRole } from './who-approves.ts'

const cluster = withRequests(draw`
  node-a  T4  [lab/one]
  node-a  T4  [-]
  node-b  T4  [lab/two]
  node-b  T4  [-]`)
const stopOne: Wish = { kind: 'scale', workload: 'lab/Pod/one', to: 0 }
const stopTwo: Wish = { kind: 'scale', workload: 'lab/Pod/two', to: 0 }
const stop = runFor(cluster, stopOne)

/** Those that some test of this file has seen refuse. */
const seen = new Set<string>()

/** The codes of all rules that refuse. */
const codes = (question: ActQuestion): readonly string[] => {
  const told = judgeRun(question).map(({ code }) => code)
  for (const code of told) seen.add(code)
  return told
}
const asking = (change: Partial<ActQuestion> = {}): readonly string[] => codes(allowed(stop, cluster, change))
const reason = (question: ActQuestion): string => judgeRun(question)[0]?.because ?? ''

const withNode = (snapshot: ClusterSnapshot, name: string, change: Partial<GpuNode>): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => (node.name === name ? { ...node, ...change } : node)),
})
const withGpu = (snapshot: ClusterSnapshot, id: string, change: Partial<Gpu>): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({
    ...node,
    gpus: node.gpus.map((gpu) => (gpu.id === id ? { ...gpu, ...change } : gpu)),
  })),
})
const withPod = (snapshot: ClusterSnapshot, id: string, change: Partial<PodScheduling>): ClusterSnapshot => ({
  ...snapshot,
  pods: snapshot.pods.map((pod) => (pod.id === id ? { ...pod, scheduling: { ...pod.scheduling, ...change } } : pod)),
})
const withWorkload = (snapshot: ClusterSnapshot, id: string, change: Partial<Workload>): ClusterSnapshot => ({
  ...snapshot,
  workloads: snapshot.workloads.map((workload) => (workload.id === id ? { ...workload, ...change } : workload)),
})
/** A run of the past: when it was applied, and what became of it. */
const before = (wish: Wish, at: number, end: keyof ReturnType<typeof endsAfter>) => {
  const id = `${end}-${at}`
  return runFor(cluster, wish, { id, states: [['approved', at - 1, 'ann'], ['applying', at], ...endsAfter(at)[end]] })
}
/** Judged fit, and about to begin. */
const aboutTo = (wish: Wish, at: number, state: 'checked' | 'rehearsed') =>
  runFor(cluster, wish, {
    id: `${state}-${at}`,
    states: [
      ['approved', at - 1, 'ann'],
      [state, at],
    ],
  })
const endsAfter = (at: number) =>
  ({
    applying: [],
    applied: [['applied', at + 1]],
    kept: [
      ['applied', at + 1],
      ['verified', at + 2],
      ['kept', at + 3],
    ],
    reverting: [['reverting', at + 1]],
    reverted: [
      ['reverting', at + 1],
      ['reverted', at + 2],
    ],
    failed: [['failed', at + 1]],
  }) as const

/** The same run, had Septet approved it itself. */
const automatic = (run: ActionRun): ActionRun => {
  const [proposed, ...others] = run.transitions
  return { ...run, transitions: [proposed, ...others.map((each) => ({ ...each, by: 'septet' }))] }
}

test('what no rule has anything against is allowed', () => {
  expect(asking()).toEqual([])
  expect(asking({ policy: AUTOMATIC, approval: bySeptet(stop) })).toEqual([])
})

test('a stop order for this cluster or for all stops it, one for another cluster does not', () => {
  const order: StopOrder = { cluster: undefined, at: later(0), by: 'ann@example.com', because: 'Look at the bill.' }
  expect(asking({ stops: [order] })).toEqual(['stopped'])
  expect(asking({ stops: [{ ...order, cluster: 'drawn' }] })).toEqual(['stopped'])
  expect(asking({ stops: [{ ...order, cluster: 'other' }] })).toEqual([])
  expect(reason(allowed(stop, cluster, { stops: [order] }))).toBe(
    'ann@example.com stopped all changes on every cluster on 2026-01-01 00:00 UTC: Look at the bill. Resume acting first.',
  )
})

const modeSetTo = (kind: 'observe' | 'suggest' | 'approve') => ({
  ...APPROVING,
  modes: { ...APPROVING.modes, 'reclaim-idle': kind },
})

describe('the mode of a class', () => {
  test('lets nothing happen before it is approve', () => {
    expect(asking({ policy: modeSetTo('observe') })).toEqual(['mode'])
    expect(asking({ policy: modeSetTo('suggest') })).toEqual(['mode'])
    expect(asking({ policy: modeSetTo('approve') })).toEqual([])
    expect(reason(allowed(stop, cluster, { policy: DEFAULT_ACT_POLICY }))).toBe(
      'Stopping idle work is observe-only on this cluster. An admin can set it to approve in Settings → What Septet may do.',
    )
  })

  test('lets Septet approve itself only on auto, and only what it proposed itself', () => {
    expect(asking({ approval: bySeptet(stop) })).toEqual(['not-automatic'])
    expect(asking({ approval: bySeptet(stop), policy: modeSetTo('observe') })).toEqual(['mode', 'not-automatic'])
    expect(asking({ policy: AUTOMATIC, approval: bySeptet(stop) })).toEqual([])
    const run: ActionRun = { ...stop, proposer: 'token', proposedBy: 'token:agent' }
    expect(codes(allowed(run, cluster, { policy: AUTOMATIC, approval: bySeptet(run) }))).toEqual(['not-automatic'])
  })
})

describe('who approves', () => {
  test('has to be somebody', () => {
    expect(asking({ approval: undefined })).toEqual(['not-approved'])
    expect(reason(allowed(stop, cluster, { approval: undefined }))).toBe(
      'This is not approved yet. An operator has to approve it.',
    )
  })

  test('is not the agent that proposed it; a person may approve what they proposed', () => {
    const [proposed] = stop.transitions
    const by = (party: string | undefined): ActionRun => ({
      ...stop,
      proposer: 'token',
      proposedBy: 'token:agent',
      transitions: [{ ...proposed, by: 'token:agent', party }],
    })
    const run = by('account:ann')
    const asked = (of: ActionRun, change: Partial<Approval>) =>
      codes(allowed(of, cluster, { approval: approvedBy(of, { kind: 'token', ...change }) }))
    // Of the same account, whatever it is called; of another one, though it has the name since.
    expect(asked(run, { name: 'token:other' })).toEqual(['own-proposal'])
    expect(asked(run, { name: 'token:agent', party: 'account:bob' })).toEqual([])
    expect(
      asked(run, { name: 'system:serviceaccount:ml:x (prod)', party: 'system:serviceaccount:ml:x (prod)' }),
    ).toEqual([])
    // Whom an issuer alone knows may be Ann, and so may anybody of whom nothing was kept.
    expect(asked(run, { name: 'oauth:desktop', party: 'oauth:1' })).toEqual(['own-proposal'])
    expect(asked(by('oauth:2'), { name: 'oauth:desktop', party: 'oauth:1' })).toEqual([])
    expect(asked(run, { name: 'token:agent', party: undefined })).toEqual(['own-proposal'])
    expect(asked(by(undefined), { name: 'token:agent' })).toEqual(['own-proposal'])
    expect(codes(allowed(run, cluster))).toEqual([])
    const own: ActionRun = { ...stop, proposer: 'person', proposedBy: 'ann@example.com' }
    expect(codes(allowed(own, cluster))).toEqual([])
  })

  test('is of two people where a class needs that, whoever they are', () => {
    const policy = { ...APPROVING, twoPeople: ['reclaim-idle' as const] }
    const [proposed] = stop.transitions
    const ann = { by: 'ann@example.com', party: 'account:ann' }
    const first = { ...proposed, ...ann, number: 2, because: 'Ann approved it.' }
    const proposedByAnn: ActionRun = { ...stop, proposer: 'person', transitions: [{ ...proposed, ...ann }] }
    const approvedByAnn: ActionRun = { ...stop, proposer: 'septet', transitions: [proposed, first] }
    const asked = (run: ActionRun, change: Partial<Approval> = {}) =>
      codes(allowed(run, cluster, { policy, approval: approvedBy(run, change) }))
    const bob = { name: 'bob@example.com', party: 'account:bob' }
    for (const run of [proposedByAnn, approvedByAnn]) {
      expect(asked(run)).toEqual(['second-person'])
      expect(asked(run, bob)).toEqual([])
      expect(asked(run, { ...bob, party: undefined })).toEqual(['second-person'])
      expect(asked(run, { ...bob, kind: 'token' })).toContain('second-person')
      expect(codes(allowed(run, cluster, { policy: { ...policy, twoPeople: ['share'] } }))).toEqual([])
    }
    expect(asked({ ...stop, proposer: 'septet' }, bob)).toEqual(['second-person'])
    expect(asked({ ...approvedByAnn, proposer: 'token' })).toEqual(['second-person'])
  })

  test('is an operator, and no viewer or former member', () => {
    const roles = ['viewer', undefined, 'operator', 'admin'] as const
    expect(roles.map((role) => asking({ approval: approvedBy(stop, { role }) }))).toEqual([
      ['not-allowed-to-approve'],
      ['not-allowed-to-approve'],
      [],
      [],
    ])
    expect(reason(allowed(stop, cluster, { approval: approvedBy(stop, { role: 'viewer' }) }))).toBe(
      'ann@example.com may not approve this. Stopping idle work needs an operator’s approval: ask one.',
    )
  })

  test('is an admin for a change of MIG mode and for a node that goes', () => {
    const remove = runFor(cluster, { kind: 'remove-node', node: 'node-b', moves: [] })
    const operator = approvedBy(remove, { role: 'operator' })
    expect(codes(allowed(remove, cluster, { approval: operator }))).toEqual(['not-allowed-to-approve'])
    expect(codes(allowed(remove, cluster))).toEqual([])
    const plain = draw`node-a H100-80GB-HBM3 [-]`
    const instance = { profile: '7g.80gb', placement: { start: 0, size: 8 } }
    const target = { gpu: 'GPU-node-a-0', migEnabled: true, layout: [instance] }
    const switching = runFor(plain, { kind: 'layout', targets: [target], moves: [] })
    const asked = allowed(switching, plain, { approval: approvedBy(switching, { role: 'operator' }) })
    expect(codes(asked)).toEqual(['not-allowed-to-approve'])
    expect(codes(allowed(switching, plain))).toEqual([])
  })

  test('is an admin for a node that goes as one of several steps', () => {
    const both: ActionRun = {
      ...stop,
      plan: { ...stop.plan, steps: [...stop.plan.steps, ...removal('node-b').plan.steps] },
    }
    expect([neededRole({ kind: 'reclaim-idle', run: both }), neededRole({ kind: 'reclaim-idle', run: stop })]).toEqual([
      'admin',
      'operator',
    ])
  })
})

const approvedAgo = (age: number) => approvedBy(stop, { at: later(MINUTE_MS / 2 - age) })

describe('an approval', () => {
  test('is of this very plan', () => {
    expect(asking({ approval: approvedBy(stop, { digest: 'another' }) })).toEqual(['other-plan-approved'])
  })

  test('holds for a day until the change begins, and does not end while the owner is warned', () => {
    expect(asking({ approval: approvedAgo(DAY_MS) })).toEqual([])
    expect(asking({ approval: approvedAgo(DAY_MS + 1) })).toEqual(['approval-expired'])
    const warned = runFor(cluster, stopOne, {
      states: [
        ['approved', -DAY_MS, 'ann@example.com'],
        ['warned', -DAY_MS + 1],
      ],
    })
    expect(codes(allowed(warned, cluster, { approval: approvedAgo(DAY_MS + HOUR_MS) }))).toEqual([])
  })
})

describe('the cluster', () => {
  test('was read within the last minute', () => {
    expect(asking({ now: later(MINUTE_MS) })).toEqual([])
    expect(asking({ now: later(MINUTE_MS + 1) })).toEqual(['reading-too-old'])
  })

  test('was read since the plan was made', () => {
    const newer = { ...stop, plan: { ...stop.plan, madeFrom: later(1) } }
    expect(codes(allowed(newer, cluster))).toEqual(['reading-too-old'])
  })

  test('is the one of the plan', () => {
    expect(codes(allowed({ ...stop, cluster: 'other' }, cluster))).toEqual(['other-cluster'])
  })
})

const madeAgo = (age: number) => ({ ...stop, plan: { ...stop.plan, madeFrom: later(MINUTE_MS / 2 - age) } })

describe('the plan', () => {
  test('holds on the cluster as it is now', () => {
    const gone = { ...cluster, workloads: cluster.workloads.filter(({ id }) => id !== 'lab/Pod/one') }
    expect(codes(allowed(stop, gone))).toEqual(['plan-outdated'])
    expect(reason(allowed(stop, gone))).toContain('Step 1 of the plan no longer holds:')
  })

  test('evicts the pod that it was made for, not a new one of that name', () => {
    const remove = runFor(cluster, { kind: 'remove-node', node: 'node-b', moves: [] })
    const again = { ...cluster, pods: cluster.pods.map((pod) => ({ ...pod, uid: `${pod.uid}-2` })) }
    expect(codes(allowed(remove, again))).toEqual(['plan-outdated'])
    expect(codes(allowed(remove, cluster))).toEqual([])
  })

  test('is at most a week old', () => {
    expect(codes(allowed(madeAgo(7 * DAY_MS), cluster))).toEqual([])
    expect(codes(allowed(madeAgo(7 * DAY_MS + 1000), cluster))).toEqual(['plan-too-old'])
  })

  test('has steps', () => {
    const refused = [{ code: 'owner-decides', message: 'Only its owner can end it.', object: 'workload/lab/Job/one' }]
    const empty = { ...stop, plan: { ...stop.plan, steps: [], refused } }
    expect(codes(allowed(empty, cluster))).toEqual(['nothing-to-do'])
    expect(reason(allowed(empty, cluster))).toBe('Only its owner can end it.')
  })
})

const withSaid = (change: Parameters<typeof factsOf>[1]) =>
  allowed(stop, cluster, { objects: [factsOf('workload/lab/Pod/one', change)] })

const keepLabeled = (value: string) => withWorkload(cluster, 'lab/Pod/one', { labels: { 'septet.io/keep': value } })

describe('objects that others decide on', () => {
  test('are left alone where their owner keeps them', () => {
    expect(codes(withSaid({}))).toEqual([])
    expect(codes(withSaid({ keep: { kind: 'for-good' } }))).toEqual(['kept'])
    expect(codes(withSaid({ keep: { kind: 'until', until: NOW } }))).toEqual([])
    expect(reason(withSaid({ keep: { kind: 'unreadable', text: 'soon' } }))).toBe(
      'lab/one has septet.io/keep set to "soon", which is neither true nor a date, so it is kept to be safe. Leave it, or remove that first.',
    )
  })

  test('also where only the label of their pods says so', () => {
    expect(codes(allowed(stop, keepLabeled('true')))).toEqual(['kept'])
    expect(codes(allowed(stop, keepLabeled('false')))).toEqual([])
  })

  test('are not written where git keeps them or a controller makes them', () => {
    expect(codes(withSaid({ owner: { kind: 'gitops', tool: 'argo-cd', application: 'chat' } }))).toEqual([
      'gitops-object',
    ])
    expect(
      codes(withSaid({ owner: { kind: 'child', of: { group: 'ray.io', kind: 'RayJob', name: 'tune' } } })),
    ).toEqual(['foreign-object'])
    expect(codes(withSaid({ owner: { kind: 'gitops', tool: 'helm', application: 'lab/chat' } }))).toEqual([
      'gitops-object',
    ])
  })

  test('may have their pods moved all the same', () => {
    const remove = runFor(cluster, { kind: 'remove-node', node: 'node-b', moves: [] })
    const owner = { kind: 'gitops', tool: 'argo-cd', application: 'chat' } as const
    const of = (object: string) => codes(allowed(remove, cluster, { objects: [factsOf(object, { owner })] }))
    expect(of('workload/lab/Pod/two')).toEqual([])
    expect(of('node/node-b')).toEqual(['gitops-object'])
  })

  test('keep their replicas where an autoscaler would set them back; one that can be paused is no reason', () => {
    expect(codes(withSaid({ autoscaler: { kind: 'refuse', name: 'one', because: 'An HPA keeps it at 2.' } }))).toEqual([
      'autoscaled',
    ])
    const object = { group: 'keda.sh', version: 'v1alpha1', resource: 'scaledobjects', namespace: 'lab', name: 'one' }
    const write = { verb: 'patch', object, type: 'merge', body: {} } as const
    expect(codes(withSaid({ autoscaler: { kind: 'pause', name: 'one', pause: write, resume: write } }))).toEqual([])
  })
})

const withLabels = (labels: Record<string, string>) => withWorkload(cluster, 'lab/Pod/one', { labels })

const protecting = (...protectedNamespaces: string[]) => ({ ...APPROVING, protectedNamespaces })

describe('protected work', () => {
  test('of a namespace stays, by a policy of acting or of planning', () => {
    expect(asking({ policy: protecting('other', 'la*') })).toEqual(['protected-namespace'])
    expect(asking({ policy: protecting('other', 'l') })).toEqual([])
    const question = allowed(stop, cluster)
    const plans = { ...question.plans, protectedNamespaces: ['lab'] }
    expect(codes({ ...question, plans })).toEqual(['protected-namespace'])
  })

  test('with a label stays, and so does work of unknown labels', () => {
    const policy = { ...APPROVING, protectedLabels: { tier: 'prod*' } }
    expect(codes(allowed(stop, withLabels({ tier: 'prod-eu' }), { policy }))).toEqual(['protected-label'])
    expect(codes(allowed(stop, withLabels({ tier: 'test' }), { policy }))).toEqual([])
    expect(asking({ policy })).toEqual(['protected-label'])
    expect(asking({ policy: APPROVING })).toEqual([])
  })

  test('that says it must not be disrupted stays', () => {
    expect(codes(allowed(stop, withPod(cluster, 'lab/one', { evictable: false })))).toEqual(['do-not-disrupt'])
    expect(codes(allowed(stop, withPod(cluster, 'lab/two', { evictable: false })))).toEqual([])
  })

  test('that nothing makes again stays, unless a person named that pod', () => {
    const bare = withPod(cluster, 'lab/one', { managed: false })
    const question = allowed(stop, bare)
    expect(codes(question)).toEqual(['unmanaged-pod'])
    expect(codes({ ...question, plans: { ...question.plans, evictUnmanaged: ['lab/one'] } })).toEqual([])
  })
})

describe('a node that goes', () => {
  const remove = runFor(cluster, { kind: 'remove-node', node: 'node-b', moves: [] })

  test('takes no pod with it that came since', () => {
    const late = {
      ...cluster,
      pods: cluster.pods.map((pod) => (pod.id === 'lab/one' ? { ...pod, node: 'node-b' } : pod)),
    }
    expect(codes(allowed(remove, late))).toEqual(['plan-outdated', 'unmovable'])
    expect(codes(allowed(remove, cluster))).toEqual([])
  })

  test('takes no pod with it of which it is not known where else it may run', () => {
    const spread = withPod(cluster, 'lab/two', { unread: ['podAntiAffinity'] })
    expect(codes(allowed(remove, spread))).toEqual(['unmovable'])
    expect(codes(allowed(remove, withPod(cluster, 'lab/one', { unread: ['podAntiAffinity'] })))).toEqual([])
  })

  test('leaves nobody waiting where plans may not', () => {
    const question = allowed(remove, cluster)
    expect(codes({ ...question, plans: { ...question.plans, mayWait: false } })).toEqual(['unmovable'])
    const moves = [{ pod: 'lab/two', from: 'GPU-node-b-0', to: { gpu: 'GPU-node-a-1', profile: '' } }]
    const moving = runFor(cluster, { kind: 'remove-node', node: 'node-b', moves })
    const moved = allowed(moving, cluster)
    expect(codes({ ...moved, plans: { ...moved.plans, mayWait: false } })).toEqual([])
  })

  test('takes no pod with it whose room others have taken since, or are about to take', () => {
    const drawn = draw`
      node-a  T4  [-]
      node-b  T4  [lab/two]
      node-c  T4  [lab/three]`
    const moves = [{ pod: 'lab/two', from: 'GPU-node-b-0', to: { gpu: 'GPU-node-a-0', profile: '' } }]
    const moving = runFor(drawn, { kind: 'remove-node', node: 'node-b', moves })
    expect(codes(allowed(moving, drawn))).toEqual([])
    const taken = draw`
      node-a  T4  [lab/new]
      node-b  T4  [lab/two]
      node-c  T4  [lab/three]`
    expect(codes(allowed(moving, taken))).toEqual(['unmovable'])
    // The pod of another node that was approved with it.
    const leaving = drawn.pods.map((pod) =>
      pod.id === 'lab/three' ? { ...pod, node: undefined, phase: 'Pending' as const } : pod,
    )
    const allocations = drawn.allocations.filter(({ pod }) => pod !== 'lab/three')
    const nodes = drawn.nodes.map((node) => (node.name === 'node-c' ? { ...node, schedulable: false } : node))
    expect(codes(allowed(moving, { ...drawn, pods: leaving, allocations, nodes }))).toEqual(['unmovable'])
  })
})

test('disruption budgets hold for all evictions of the plan together', () => {
  const two = withRequests(draw`
    node-a  T4  [lab/one]
    node-a  T4  [lab/two]`)
  const remove = runFor(two, { kind: 'remove-node', node: 'node-a', moves: [] })
  const budgets = (count: number) => ({
    ...two,
    budgets: [{ id: 'lab/keep', pods: ['lab/one', 'lab/two'], allowed: count }],
  })
  expect(codes(allowed(remove, budgets(1)))).toEqual(['disruption-budget'])
  expect(codes(allowed(remove, budgets(2)))).toEqual([])
})

test('replicas stay as many as a disruption budget asks for by now', () => {
  const two = withRequests(draw`
    node-a  T4  [lab/chat-1]
    node-a  T4  [lab/chat-2]`)
  const pods = two.pods.map((pod) => ({ ...pod, workload: 'lab/Deployment/chat' }))
  const [any] = two.workloads
  if (any === undefined) throw new Error('nothing is drawn')
  const workload = { ...any, id: 'lab/Deployment/chat', kind: 'Deployment', pods: pods.map(({ id }) => id) }
  const allocations = two.allocations.map((each) => ({ ...each, workload: workload.id }))
  const service = { ...two, pods, allocations, workloads: [workload] }
  const smaller = runFor(service, { kind: 'scale', workload: workload.id, to: 1 })
  const floor = (count: number) => ({
    ...service,
    budgets: [{ id: 'lab/chat', pods: workload.pods, allowed: 2 - count, floor: count }],
  })
  expect(codes(allowed(smaller, floor(2)))).toEqual(['budget-floor'])
  expect(codes(allowed(smaller, floor(1)))).toEqual([])
})

test('quotas hold as they are used now', () => {
  const run = runFor(cluster, {
    kind: 'resize',
    workload: 'lab/Pod/one',
    to: [{ resource: 'nvidia.com/gpu', count: 2 }],
  })
  const quotas = (used: number) => ({
    ...cluster,
    quotas: [{ id: 'lab/gpus/nvidia.com/gpu', namespace: 'lab', resource: 'nvidia.com/gpu', hard: 3, used }],
  })
  expect(codes(allowed(run, quotas(3)))).toEqual(['quota'])
  expect(codes(allowed(run, quotas(2)))).toEqual([])
  // Each of two steps fits, both together do not.
  const twice: ActionRun = { ...run, plan: { ...run.plan, steps: [...run.plan.steps, ...run.plan.steps] } }
  expect(codes(allowed(twice, quotas(2)))).toContain('quota')
  expect(codes(allowed(twice, quotas(1)))).not.toContain('quota')
})

test('a GPU is not shared where another namespace has come to run', () => {
  const lone = ownNode()
  const share = sharing(lone)
  expect(codes(allowed(share, lone))).toEqual([])
  const pods = lone.pods.map((pod) => ({ ...pod, id: 'prod/new', name: 'new', namespace: 'prod' }))
  const crowded = { ...lone, pods: [...lone.pods, ...pods] }
  expect(codes(allowed(share, crowded))).toContain('tenant-isolation')
})

const KEPT = { key: 'dedicated', value: 'lab', effect: 'NoSchedule' }
/** A node of one namespace, whose pod tolerates what keeps others off. */
const ownNode = (taints: readonly Taint[] = [KEPT], tolerations = [{ ...KEPT, operator: 'Equal' as const }]) => {
  const drawn = withPod(withRequests(draw`node-a T4 [lab/one]`), 'lab/one', { tolerations })
  return withNode(drawn, 'node-a', { room: { ...UNKNOWN_ROOM, taints } })
}
const sharing = (snapshot: ClusterSnapshot) =>
  runFor(snapshot, {
    kind: 'share',
    node: 'node-a',
    to: { kind: 'time-slicing', replicas: 4 },
    tenant: 'lab',
    moves: [],
  })

const judged = (snapshot: ClusterSnapshot) => reason(allowed(sharing(snapshot), snapshot))

describe('a node whose GPUs are to be shared', () => {
  test.each([
    ['no taint', []],
    ['a taint that the admission of GPU pods lets everybody tolerate', [{ ...KEPT, key: 'nvidia.com/gpu', value: '' }]],
    ['a taint that goes by itself', [{ ...KEPT, key: 'node.kubernetes.io/not-ready', value: '' }]],
    ['a taint that is a mere wish', [{ ...KEPT, effect: 'PreferNoSchedule' }]],
  ])('stays as it is where %s keeps others off', (_, taints) => {
    expect(judged(ownNode(taints))).toMatch(/Nothing keeps pods of other namespaces off node-a/u)
  })

  test('stays as it is where its own pods could not come back', () => {
    expect(judged(ownNode([KEPT], []))).toMatch(/lab\/one does not tolerate the taints of node-a/u)
  })

  test('stays as it is where a pod of another namespace may come, and only then', () => {
    const own = ownNode()
    const other = (tolerations: PodScheduling['tolerations']) => ({
      ...own,
      pods: own.pods.flatMap((pod) => [
        pod,
        { ...pod, id: 'web/a', namespace: 'web', node: undefined, scheduling: { ...pod.scheduling, tolerations } },
      ]),
    })
    expect(judged(other([{ key: '', operator: 'Exists', value: '', effect: '' }]))).toMatch(
      /web\/a of another namespace may run on node-a/u,
    )
    expect(judged(other([]))).toBe('')
  })
})

const heldBy = (holder: string) =>
  withRequests(draw`
  node-a  H100-80GB-HBM3  [${holder}]
  node-a  H100-80GB-HBM3  [${holder}]
  node-a  H100-80GB-HBM3  [-]
  node-a  H100-80GB-HBM3  [-]`)

test('GPUs that a job holds joined are not cut', () => {
  const instance = { profile: '7g.80gb', placement: { start: 0, size: 8 } }
  const target = { gpu: 'GPU-node-a-3', migEnabled: true, layout: [instance] }
  const run = runFor(heldBy('-'), { kind: 'layout', targets: [target], moves: [] })
  expect(codes(allowed(run, heldBy('lab/job')))).toEqual(['wanted-whole'])
  expect(codes(allowed(run, heldBy('-')))).toEqual([])
})

const STUCK = { quality: { kind: 'suspect', reason: 'stuck-at-zero' } } as const

describe('health', () => {
  test.each([
    ['is not ready', { ready: false }, 'is not ready'],
    ['is being cut', { mig: { strategy: 'mixed', config: 'x', state: 'pending' } }, 'mig-manager still works'],
    ['withholds a device', { allocatable: { 'nvidia.com/gpu': 1 } }, 'fewer GPU than it has'],
  ] satisfies ReadonlyArray<readonly [string, Partial<GpuNode>, string]>)(
    'nothing begins where a node %s',
    (_, change, words) => {
      expect(codes(allowed(stop, withNode(cluster, 'node-a', change)))).toContain('node-not-healthy')
      expect(judgeRun(allowed(stop, withNode(cluster, 'node-a', change)))[0]?.because).toContain(words)
      expect(codes(allowed(stop, withNode(cluster, 'node-b', change)))).toEqual([])
    },
  )

  test('nothing begins beside a broken or a stuck GPU', () => {
    const fault = { code: 'gpu-fault', message: 'GPU 1 needs a reset.', object: 'gpu/1' }
    expect(codes(allowed(stop, withGpu(cluster, 'GPU-node-a-1', { fault })))).toEqual(['node-not-healthy'])
    expect(codes(allowed(stop, withGpu(cluster, 'GPU-node-a-1', { stuck: true })))).toEqual(['node-not-healthy'])
    expect(codes(allowed(stop, withGpu(cluster, 'GPU-node-b-1', { fault })))).toEqual([])
  })

  test('no GPU is cut or taken away that came into use without a request; what others on its node hold may be stopped', () => {
    const used = withGpu(cluster, 'GPU-node-a-1', { unrequestedSince: NOW })
    expect(codes(allowed(stop, used))).toEqual([])
    expect(codes(allowed(removal('node-a'), used))).toContain('gpu-in-use')
    expect(reason(allowed(removal('node-a'), used))).toContain(
      'Something uses GPU 1 of node-a outside Kubernetes’ requests',
    )
  })

  test('nothing is done to a GPU whose telemetry is missing, old or not to be trusted', () => {
    const samples = measured(cluster)
    const without = (gpu: string) => samples.filter((sample) => sample.gpu !== gpu)
    expect(asking({ samples: without('GPU-node-a-0') })).toEqual(['telemetry-unknown'])
    expect(asking({ samples: without('GPU-node-b-0') })).toEqual([])
    const old = samples.map((sample) => ({ ...sample, at: later(-5 * MINUTE_MS) }))
    expect(asking({ samples: old })).toEqual(['telemetry-unknown'])
    expect(reason(allowed(stop, cluster, { samples: old }))).toContain('The exporter has not responded')
    const stuck = samples.map((sample): JudgedSample => ({ ...sample, ...STUCK }))
    expect(asking({ samples: stuck })).toEqual(['telemetry-unknown'])
    const [one] = measured(cluster)
    const holder = { namespace: 'lab', pod: 'one', container: 'main' }
    const another = one === undefined ? [] : [{ ...one, gpu: 'GPU-another', holder }]
    expect(asking({ samples: [...measured(cluster), ...another] })).toEqual(['telemetry-unknown'])
    expect(reason(allowed(stop, cluster, { samples: stuck }))).toContain(QUALITY_REASONS['stuck-at-zero'])
    // Old readings of another GPU say nothing of when this one was last read.
    const elsewhere = old.filter(({ gpu }) => gpu !== 'GPU-node-a-0')
    expect(reason(allowed(stop, cluster, { samples: elsewhere }))).toContain(QUALITY_REASONS['no-telemetry'])
  })

  test('pods of a shared GPU need not be told apart where the GPU itself is measured', () => {
    const shared = draw`node-a T4 [1/2 lab/one] [1/2 -]`
    const run = runFor(shared, stopOne)
    expect(codes(allowed(run, shared))).toEqual([])
    expect(codes(allowed(run, shared, { samples: [] }))).toEqual(['telemetry-unknown'])
    const doubtful = measured(shared).map((sample): JudgedSample => ({ ...sample, ...STUCK }))
    expect(codes(allowed(run, shared, { samples: doubtful }))).toEqual(['telemetry-unknown'])
  })

  test('that a cut GPU is measured says nothing of its instances', () => {
    const cut = draw`node-a A100-SXM4-40GB [3g.20gb lab/one]`
    const run = runFor(cut, stopOne)
    const samples = measured(cut)
    expect(codes(allowed(run, cut, { samples }))).toEqual([])
    const whole = samples.filter(({ instance }) => instance === undefined)
    expect(codes(allowed(run, cut, { samples: whole }))).toEqual(['telemetry-unknown'])
  })

  test('nothing begins where an earlier change failed half-way, until it is taken back or let go on', () => {
    const failed = before(stopOne, -10 * DAY_MS, 'failed')
    expect(asking({ history: [failed] })).toEqual(['earlier-change-failed'])
    expect(asking({ history: [before(stopTwo, -10 * DAY_MS, 'failed')] })).toEqual([])
    expect(asking({ history: [before(stopOne, -10 * DAY_MS, 'reverted')] })).toEqual([])
    const resumed = { ...APPROVING, auto: { ...APPROVING.auto, resumedAt: { 'reclaim-idle': later(-DAY_MS) } } }
    expect(asking({ history: [failed], policy: resumed })).toEqual([])
  })
})

describe('other runs', () => {
  test.each(['applying', 'applied', 'reverting'] as const)('%s on the same node or workload hold it up', (state) => {
    const without = { ...APPROVING, coolDown: seconds(0) }
    expect(asking({ history: [before(stopOne, -HOUR_MS, state)], policy: without })).toEqual(['other-run'])
    expect(asking({ history: [before(stopOne, -HOUR_MS, 'kept')], policy: without })).toEqual([])
    expect(asking({ history: [before(stopTwo, -HOUR_MS, state)], policy: without })).toEqual([])
    const node: Wish = { kind: 'remove-node', node: 'node-a', moves: [] }
    expect(asking({ history: [before(node, -HOUR_MS, state)], policy: without })).toEqual(['other-run'])
  })

  test.each(['checked', 'rehearsed'] as const)('%s count as if they had begun', (state) => {
    const policy = { ...APPROVING, coolDown: seconds(0) }
    expect(asking({ history: [aboutTo(stopOne, -HOUR_MS, state)], policy })).toEqual(['other-run'])
    expect(asking({ history: [aboutTo(stopTwo, -HOUR_MS, state)], policy })).toEqual([])
    const none = { pods: undefined, nodes: undefined, gpus: undefined, usdPerHour: undefined }
    const limits = { run: none, hour: { ...none, pods: 1 }, day: none }
    expect(asking({ history: [aboutTo(stopTwo, -HOUR_MS / 2, state)], policy: { ...policy, limits } })).toEqual([
      'blast-radius-hour',
    ])
  })

  test('of the same object let it cool down for six hours', () => {
    expect(asking({ history: [before(stopOne, -5 * HOUR_MS, 'kept')] })).toEqual(['cool-down'])
    expect(asking({ history: [before(stopOne, -7 * HOUR_MS, 'kept')] })).toEqual([])
    expect(asking({ history: [before(stopTwo, -5 * HOUR_MS, 'kept')] })).toEqual([])
    expect(reason(allowed(stop, cluster, { history: [before(stopOne, -5 * HOUR_MS, 'kept')] }))).toBe(
      'lab/one was changed on 2025-12-31 19:00 UTC and is left alone until 2026-01-01 01:00 UTC. Wait until then.',
    )
  })

  test('of the same object count from the last of them', () => {
    const history = [before(stopOne, -5 * HOUR_MS, 'kept'), before(stopOne, -2 * HOUR_MS, 'kept')]
    const until = 'is left alone until 2026-01-01 04:00 UTC.'
    expect(reason(allowed(stop, cluster, { history }))).toContain(until)
    expect(reason(allowed(stop, cluster, { history: history.toReversed() }))).toContain(until)
  })

  test('count for themselves only once they changed something', () => {
    const only = runFor(cluster, stopOne, {
      id: 'other',
      states: [
        ['approved', -2],
        ['failed', -1],
      ],
    })
    expect(asking({ history: [only, { ...stop }] })).toEqual([])
  })
})

const cameTo = (state: 'failed' | 'rejected' | 'cancelled', at: number, by: string) =>
  runFor(cluster, stopOne, {
    id: `${state}-${at}`,
    states: [
      ['approved', at - 1],
      [state, at, by],
    ],
  })
const onAuto = (...history: readonly ActionRun[]) => asking({ policy: AUTOMATIC, approval: bySeptet(stop), history })

describe('what came to nothing', () => {
  test('is not tried again on auto for six hours: neither what failed nor what a person called off', () => {
    expect(onAuto(cameTo('failed', -5 * HOUR_MS, 'septet'))).toEqual(['came-to-nothing'])
    expect(onAuto(cameTo('failed', -7 * HOUR_MS, 'septet'))).toEqual([])
    expect(onAuto(cameTo('rejected', -HOUR_MS, 'ann@example.com'))).toEqual(['came-to-nothing'])
    expect(onAuto(cameTo('cancelled', -HOUR_MS, 'ann@example.com'))).toEqual(['came-to-nothing'])
    // It was in use again, which time mends.
    expect(onAuto(cameTo('cancelled', -HOUR_MS, 'septet'))).toEqual([])
  })

  test('is so by the last of its runs, whatever their order, and a person may try at once', () => {
    const [failed, again] = [cameTo('failed', -5 * HOUR_MS, 'septet'), cameTo('cancelled', -HOUR_MS, 'septet')]
    expect([onAuto(failed, again), onAuto(again, failed)]).toEqual([[], []])
    expect(onAuto(cameTo('failed', -HOUR_MS, 'septet'), again)).toEqual(['came-to-nothing'])
    expect(asking({ history: [failed] })).toEqual([])
  })
})

const resizeTo = (count: number): Wish => ({
  kind: 'resize',
  workload: 'lab/Pod/one',
  to: [{ resource: 'nvidia.com/gpu', count }],
})

const keptSince = ({ plan }: ActionRun, days: number): ActionRun => ({
  ...before(stopOne, -days * DAY_MS, 'kept'),
  plan,
})

describe('flapping', () => {
  const two = withRequests(draw`
    node-a  T4  [lab/one]
    node-a  T4  [lab/one]
    node-a  T4  [-]`)
  const [smaller, larger] = [runFor(two, resizeTo(1)), runFor(cluster, resizeTo(2))]

  test('what was taken back twice in a week is left alone', () => {
    const back = (days: number) => before(stopOne, -days * DAY_MS, 'reverted')
    expect(asking({ history: [back(2), back(4)] })).toEqual(['flapping'])
    expect(asking({ history: [back(2), back(8)] })).toEqual([])
    expect(asking({ history: [back(2), before(stopTwo, -4 * DAY_MS, 'reverted')] })).toEqual([])
  })

  test('what later runs turned back twice is left alone', () => {
    const there = [keptSince(smaller, 6), keptSince(larger, 5)]
    expect(asking({ history: there })).toEqual([])
    expect(asking({ history: [...there, keptSince(smaller, 4)] })).toEqual(['flapping'])
  })
})

const openOn = (weekday: number) => ({ ...APPROVING, windows: [{ weekday, from: 0, to: 60, zone: 'UTC' }] })

test('changes begin inside a maintenance window', () => {
  // Drawn clusters are read on a Thursday at midnight.
  expect(asking({ policy: openOn(3) })).toEqual([])
  expect(asking({ policy: openOn(4) })).toEqual(['maintenance-window'])
  expect(reason(allowed(stop, cluster, { policy: openOn(4) }))).toContain('The next one opens on 2026-01-02 00:00 UTC')
})

const savingOf = (change: Partial<Extract<Saving, { kind: 'estimated' }>>): ActionRun => {
  const { saving: whole } = adviceIn(stop)
  return withAdvice(stop, { saving: whole.kind === 'estimated' ? { ...whole, ...change } : whole })
}

const sureBy = (confidence: number) =>
  withAdvice(stop, { risk: { ...adviceIn(stop).risk, confidence: ratio(confidence) } })

const NO_SAVING: Saving = { kind: 'none', brings: 'frees 1 GPU', because: 'It was never idle for long.' }

function withRoom(gpuHoursPerMonth: number, dollars: number | undefined, saving: Saving = NO_SAVING): ActQuestion {
  const room = { gpuHoursPerMonth, usdPerMonth: dollars === undefined ? undefined : usd(dollars) }
  return allowed(withAdvice(stop, { kind: 'fewer-gpus', saving: { ...saving, room } }), cluster)
}

describe('worth and evidence', () => {
  test('a saving is large enough, in money or else in GPU-hours', () => {
    expect(codes(allowed(savingOf({ usdPerMonth: usd(49) }), cluster))).toEqual(['saving-too-small'])
    expect(codes(allowed(savingOf({ usdPerMonth: usd(50) }), cluster))).toEqual([])
    const unpriced = (gpuHoursPerMonth: number) => savingOf({ usdPerMonth: undefined, gpuHoursPerMonth })
    expect(codes(allowed(unpriced(23), cluster))).toEqual(['saving-too-small'])
    expect(codes(allowed(unpriced(24), cluster))).toEqual([])
  })

  test('what saves nothing is refused, unless it starts waiting work, makes room or nobody asks for a saving', () => {
    expect(codes(allowed(withAdvice(stop, { saving: NO_SAVING }), cluster))).toEqual(['saving-too-small'])
    const starting = withAdvice(stop, { saving: { ...NO_SAVING, brings: 'starts 4 pods' }, kind: 'repartition' })
    expect(codes(allowed(starting, cluster))).toEqual([])
    expect(codes(allowed(withAdvice(stop, { saving: NO_SAVING, kind: 'share' }), cluster))).toEqual([])
    const asked = (least: Partial<typeof APPROVING.minimum>) => {
      const policy = { ...APPROVING, minimum: { ...APPROVING.minimum, ...least } }
      return codes(allowed(withAdvice(stop, { saving: NO_SAVING }), cluster, { policy }))
    }
    expect(asked({ usdPerMonth: 0, gpuHoursPerMonth: 0 })).toEqual([])
    expect(asked({ usdPerMonth: 0 })).toEqual(['saving-too-small'])
    expect(asked({ gpuHoursPerMonth: 0 })).toEqual(['saving-too-small'])
  })

  test('room that work in use gives back is worth it by what it would cost, however little of it was idle', () => {
    expect(codes(withRoom(2190, 50))).toEqual([])
    expect(codes(withRoom(2190, 49))).toEqual(['saving-too-small'])
    expect(reason(withRoom(2190, 49))).toContain('It frees GPUs worth $49.00 a month; the minimum is $50.00.')
    expect(codes(withRoom(24, undefined))).toEqual([])
    expect(codes(withRoom(23, undefined))).toEqual(['saving-too-small'])
    const { saving } = adviceIn(savingOf({ usdPerMonth: usd(5) }))
    expect(codes(withRoom(2190, 4380, saving))).toEqual([])
    expect(codes(withRoom(2, 40, saving))).toEqual(['saving-too-small'])
  })

  test.each(['fewer-gpus', 'right-size'] as const)('%s of work that was never idle passes by default', (kind) => {
    const busy = owned(
      withRequests(draw`
        node-a  H100-80GB-HBM3  [lab/chat-1]
        node-a  H100-80GB-HBM3  [${kind === 'fewer-gpus' ? 'lab/chat-1' : 'web/x'}]
        node-b  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -] [2g.20gb -] [3g.40gb web/y]`),
      ['lab/chat-1'],
    )
    const rows = past(busy, 'lab/chat-1', {
      hours: 168,
      doing: (ago) => ({ busy: 0.08, memory: 3000 + 20 * (ago % 5) }),
    })
    const found = recommend(sourcesOf(busy, { rows })).recommendations.find((each) => each.kind === kind)
    expect(found?.saving.kind).toBe('none')
    expect(codes(allowed(withAdvice(stop, found ?? {}), cluster))).toEqual([])
  })

  test('the evidence is sure enough', () => {
    expect(codes(allowed(sureBy(0.49), cluster))).toEqual(['not-sure-enough'])
    expect(codes(allowed(sureBy(0.5), cluster))).toEqual([])
  })
})

const otherAt = (at: number) => [before(stopTwo, at, 'kept')]

describe('blast radius', () => {
  const NONE: BlastLimits = { pods: undefined, nodes: undefined, gpus: undefined, usdPerHour: undefined }
  const limits = (change: Partial<typeof APPROVING.limits>) => ({
    ...APPROVING,
    limits: { run: NONE, hour: NONE, day: NONE, ...change },
  })

  test.each(['pods', 'nodes', 'gpus', 'usdPerHour'] as const)('one run touches no more %s than allowed', (field) => {
    const touched = field === 'usdPerHour' ? 2 : 1
    expect(asking({ policy: limits({ run: { ...NONE, [field]: touched } }) })).toEqual([])
    expect(asking({ policy: limits({ run: { ...NONE, [field]: touched - 1 } }) })).toEqual(['blast-radius'])
  })

  test('an hour counts what ended in it and what is still under way', () => {
    const policy = limits({ hour: { ...NONE, pods: 1 } })
    expect(asking({ policy })).toEqual([])
    expect(asking({ policy, history: otherAt(-HOUR_MS / 2) })).toEqual(['blast-radius-hour'])
    expect(asking({ policy, history: otherAt(-2 * HOUR_MS) })).toEqual([])
    expect(asking({ policy, history: [before(stopTwo, -2 * HOUR_MS, 'applying')] })).toEqual(['blast-radius-hour'])
  })

  test('GPUs that are gone since count as they were planned', () => {
    const gone = { ...cluster, nodes: cluster.nodes.filter(({ name }) => name !== 'node-b') }
    const removed = before({ kind: 'remove-node', node: 'node-b', moves: [] }, -HOUR_MS / 2, 'kept')
    const asked = (gpus: number) =>
      codes(allowed(stop, gone, { policy: limits({ hour: { ...NONE, gpus } }), history: [removed] }))
    expect([asked(3), asked(2)]).toEqual([[], ['blast-radius-hour']])
  })

  test('a day counts likewise', () => {
    const policy = limits({ day: { ...NONE, gpus: 1 } })
    expect(asking({ policy, history: otherAt(-2 * HOUR_MS) })).toEqual(['blast-radius-day'])
    expect(asking({ policy, history: otherAt(-25 * HOUR_MS) })).toEqual([])
    expect(reason(allowed(stop, cluster, { policy, history: otherAt(-2 * HOUR_MS) }))).toBe(
      'With the other changes of the last day it touches 2 GPUs (1 allowed). Wait, choose a smaller change, or raise the limit in Settings → What Septet may do.',
    )
  })
})

const askingAuto = (change: Partial<typeof AUTOMATIC.auto>, history: readonly ActionRun[]) =>
  asking({ policy: { ...AUTOMATIC, auto: { ...AUTOMATIC.auto, ...change } }, approval: bySeptet(stop), history })

const onePodAn = (span: 'hour' | 'day') => ({
  budget: { ...AUTOMATIC.auto.budget, [span]: { pods: 1, nodes: 9, gpus: 9, usdPerHour: 99 } },
})

const busy = (gpu: string, share: number) =>
  measured(cluster).map((sample) => (sample.gpu === gpu ? { ...sample, busy: ratio(share) } : sample))

describe('on auto', () => {
  test('nothing is stopped that works at that moment, whatever it did before; a person may', () => {
    const byItself = (samples: ReturnType<typeof measured>) =>
      asking({ policy: AUTOMATIC, approval: bySeptet(stop), samples })
    expect(byItself(busy('GPU-node-a-0', 0.4))).toEqual(['works-now'])
    expect(byItself(busy('GPU-node-a-0', 0.05))).toEqual([])
    expect(byItself(busy('GPU-node-a-1', 0.4))).toEqual([])
    expect(asking({ samples: busy('GPU-node-a-0', 0.4) })).toEqual([])
  })

  test.each([
    ['hour', -HOUR_MS / 2, -2 * HOUR_MS],
    ['day', -2 * HOUR_MS, -25 * HOUR_MS],
  ] as const)('a budget of its own holds for an %s', (span, inside, outside) => {
    expect(askingAuto(onePodAn(span), [automatic(before(stopTwo, inside, 'kept'))])).toEqual([`auto-budget-${span}`])
    expect(askingAuto(onePodAn(span), [automatic(before(stopTwo, outside, 'kept'))])).toEqual([])
    expect(askingAuto(onePodAn(span), [before(stopTwo, inside, 'kept')])).toEqual([])
  })

  test('one node at a time, until enough runs were kept', () => {
    const open = automatic(before(stopTwo, -HOUR_MS, 'applied'))
    expect(askingAuto({}, [open])).toEqual(['rollout-stage'])
    expect(askingAuto({}, [automatic(aboutTo(stopTwo, -HOUR_MS, 'rehearsed'))])).toEqual(['rollout-stage'])
    expect(askingAuto({}, [automatic(before(stopTwo, -HOUR_MS, 'kept'))])).toEqual([])
    const kept = Array.from({ length: 6 }, (_, day) => automatic(before(stopTwo, -(day + 2) * DAY_MS, 'kept')))
    expect(askingAuto({}, [open, ...kept])).toEqual([])
    expect(asking({ policy: AUTOMATIC, history: [open] })).toEqual([])
  })

  test('halted at the first change that did not last, until a person lets it go on', () => {
    const setback = [before(stopTwo, -3 * DAY_MS, 'reverted')]
    expect(askingAuto({}, setback)).toEqual(['rollout-halted'])
    expect(askingAuto({ resumedAt: { 'reclaim-idle': later(-2 * DAY_MS) } }, setback)).toEqual([])
    expect(asking({ policy: AUTOMATIC, history: setback })).toEqual([])
  })
})

/** GPUs of node-a for an hour of tomorrow, by an approval of that time; its nodes are closed when it begins. */
function appointment(
  id: string,
  { approvedAt, hours = 24 }: { readonly approvedAt?: number; readonly hours?: number },
) {
  const at = later(hours * HOUR_MS)
  const ask = { gpus: 1, perNode: 1, except: ['node-b'], at, length: seconds(3600), longest: seconds(3600) }
  const planned = planAppointment({ snapshot: cluster, ask, maxDisplaced: 2 })
  if (planned.kind === 'none') throw new Error(planned.because)
  const { plan } = planned
  const states = approvedAt === undefined ? [] : [['approved', approvedAt, 'ann'] as const]
  const run = runFor(cluster, stopOne, { id, class: 'appointment', states })
  return { ...run, plan, title: plan.title, object: `appointment/${id}` }
}

const beside = (run: ActionRun, history: readonly ActionRun[], change: Partial<ActQuestion> = {}) =>
  codes(allowed(run, cluster, { history, ...change }))
const removal = (node: string) => runFor(cluster, { kind: 'remove-node', node, moves: [] })

describe('an appointment that waits for its time', () => {
  const kept = appointment('kept', { approvedAt: -MINUTE_MS })

  test('keeps its nodes from being cut, shared or removed until it is over; to stop work there gives it room', () => {
    expect(beside(removal('node-a'), [kept])).toContain('kept-for-appointment')
    expect(beside(removal('node-a'), [])).not.toContain('kept-for-appointment')
    expect(beside(removal('node-b'), [kept])).not.toContain('kept-for-appointment')
    expect(beside(stop, [kept])).toEqual([])
    const because = judgeRun(allowed(removal('node-a'), cluster, { history: [kept] })).find(
      ({ code }) => code === 'kept-for-appointment',
    )?.because
    expect(because).toBe(
      `node-a is kept for “${kept.title}” until 2026-01-02 01:00 UTC. Wait until then, or undo that appointment.`,
    )
  })

  test('that nobody has approved, or that is over or called off, keeps nothing', () => {
    const ended: ActionRun = { ...kept, transitions: [...kept.transitions, over('expired')] }
    const others = [appointment('asked', {}), ended]
    expect(beside(removal('node-a'), others)).not.toContain('kept-for-appointment')
    const now = later(25 * HOUR_MS)
    expect(beside(removal('node-a'), [kept], { now })).not.toContain('kept-for-appointment')
  })

  test('is not counted on by another for the same time that was approved later; for another time it is', () => {
    const second = appointment('second', { approvedAt: -MINUTE_MS / 2 })
    expect(beside(second, [kept])).toContain('appointment-taken')
    expect(beside(kept, [second])).not.toContain('appointment-taken')
    expect(beside(appointment('next day', { approvedAt: 0, hours: 48 }), [kept])).not.toContain('appointment-taken')
    expect(beside(appointment('asked', {}), [kept])).toContain('appointment-taken')
    // Of those approved at the same moment one goes first, whoever asks; else the earlier approval does, whatever its name.
    const [one, other] = [appointment('a', { approvedAt: -MINUTE_MS }), appointment('b', { approvedAt: -MINUTE_MS })]
    expect([beside(one, [other]), beside(other, [one])].map((each) => each.includes('appointment-taken'))).toEqual([
      false,
      true,
    ])
    expect(beside(kept, [appointment('a', { approvedAt: -MINUTE_MS / 2 })])).not.toContain('appointment-taken')
  })
})

const over = (state: 'expired') => ({ number: 3, at: later(0), state, by: 'septet', because: 'It is over.' })

test('instances under DRA are judged by the node that they are on', () => {
  const dra = servedByDra(draw`node-a A100-SXM4-40GB [3g.20gb lab/one]`)
  const layout = [
    { profile: '3g.20gb', placement: { start: 0, size: 4 } },
    { profile: '2g.10gb', placement: { start: 4, size: 2 } },
  ]
  const run = runFor(dra, { kind: 'layout', targets: [{ gpu: 'GPU-node-a-0', migEnabled: true, layout }], moves: [] })
  expect(codes(allowed(run, dra))).toEqual([])
  expect(codes(allowed(run, withNode(dra, 'node-a', { ready: false })))).toEqual(['node-not-healthy'])
})

const outlook = (change: Partial<ActQuestion>) =>
  outlookOf(judgeRun(allowed(stop, cluster, { approval: undefined, ...change }), 'approval'))

describe('before somebody approves', () => {
  const lately = before(stopOne, -5 * HOUR_MS, 'kept')

  test('what time decides is told as what it waits for, and what git keeps as who applies it', () => {
    const policy = openOn(4)
    const waiting = outlook({ policy, history: [lately] })
    expect(waiting).toMatchObject({ refused: undefined, git: undefined })
    expect(waiting.waits).toMatch(/^lab\/one was changed .* Wait until then\. No maintenance window is open\./u)
    const owner = { kind: 'gitops', tool: 'argo-cd', application: 'chat' } as const
    const objects = [factsOf('workload/lab/Pod/one', { owner })]
    expect(outlook({ policy, objects })).toMatchObject({ refused: undefined, git: expect.stringContaining('chat') })
    // What else speaks against it is not mended by a branch.
    expect(outlook({ objects, policy: modeSetTo('suggest') }).git).toBeUndefined()
  })
})

test('every guardrail that is asked of a run was seen to refuse', () => {
  const asked = GUARDRAILS.filter((row) => row.asked.includes('start')).map(({ code }) => code)
  expect(asked.filter((code) => !seen.has(code))).toEqual([])
})
