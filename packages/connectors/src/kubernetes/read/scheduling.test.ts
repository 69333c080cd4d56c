import { UNCONSTRAINED, type Inventory, type PodScheduling } from '@septet/domain'
import { describe, expect, test } from 'vitest'
import { assembleInventory } from '../assemble/assemble-inventory.ts'
import { node, ownedBy, pod } from '../watch/cluster-objects.fixture.ts'
import { roomOf, selectedLabels } from '../assemble/assemble-nodes.ts'
import { followOwners } from './owner-chain.ts'
import { parseBudget } from './parse-budget.ts'
import { parseClusterQueue } from './parse-kueue.ts'
import { parseNode } from './parse-node.ts'
import { parseNamespace, parsePriorityClass } from './parse-scheduling.ts'
import { parsePod } from './parse-pod.ts'
import { parseQuota } from './queue-limits.ts'

const GPU = { 'nvidia.com/gpu': '1' }
/** Machines tell hundreds of these; they are kept where a pod selects by them. */
const FEATURE = 'feature.node.kubernetes.io/team'
const asks = (cpu: string, memory: string, more: object = {}): object => ({
  resources: { requests: { ...GPU, cpu, memory }, limits: GPU },
  ...more,
})
const small = (cpu: string, memory: string, more: object = {}): object => ({
  resources: { requests: { cpu, memory } },
  ...more,
})
const schedulingOf = (spec: object, metadata: object = ownedBy('ReplicaSet', 'r')): PodScheduling | undefined =>
  parsePod(pod('team', 'p', { spec, metadata: { name: 'p', namespace: 'team', ...metadata } }))?.scheduling

const amounts = (spec: object): unknown => {
  const found = schedulingOf(spec)
  return found === undefined ? undefined : [found.cpuMilli, found.memory]
}

describe('CPU and memory that a pod takes of a node', () => {
  test('containers add up', () =>
    expect(amounts({ containers: [asks('1500m', '2Gi'), small('0.1', '512Mi')] })).toEqual([1600, 2560]))
  test('a limit without a request is both', () =>
    expect(amounts({ containers: [{ resources: { limits: { ...GPU, cpu: '2', memory: '1Gi' } } }] })).toEqual([
      2000, 1024,
    ]))
  test('an init container counts where it asks for more than all that come after it', () =>
    expect(
      amounts({ initContainers: [small('8', '1Gi'), small('2', '16Gi')], containers: [asks('4', '8Gi')] }),
    ).toEqual([8000, 16 * 1024]))
  test('one that stays adds up, also to the init containers after it', () =>
    expect(
      amounts({
        initContainers: [small('1', '1Gi', { restartPolicy: 'Always' }), small('8', '1Gi')],
        containers: [asks('4', '8Gi')],
      }),
    ).toEqual([9000, 9 * 1024]))
  test('the overhead of the runtime class comes on top; what the pod asks for as a whole stands for its containers', () =>
    expect(
      amounts({
        containers: [asks('4', '8Gi')],
        resources: { requests: { cpu: '6' } },
        overhead: { cpu: '250m', memory: '120Mi' },
      }),
    ).toEqual([6250, 8 * 1024 + 120]))
  test('nothing asked for is nothing taken', () =>
    expect(amounts({ containers: [{ resources: { limits: GPU } }] })).toEqual([0, 0]))
})

describe('where a pod may run', () => {
  test('selector, required affinity, tolerations and priority', () => {
    const term = {
      matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }],
      matchFields: [{ key: 'metadata.name', operator: 'In', values: ['gpu-0'] }],
    }
    expect(
      schedulingOf({
        nodeSelector: { pool: 'h100' },
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term, {}] },
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }],
          },
        },
        tolerations: [{ operator: 'Exists' }, { key: 'gpu', value: 'yes', effect: 'NoSchedule', tolerationSeconds: 3 }],
        priority: 1000,
      }),
    ).toEqual({
      ...UNCONSTRAINED,
      nodeSelector: { pool: 'h100' },
      nodeTerms: [
        [...term.matchExpressions, ...term.matchFields],
        [{ key: 'metadata.name', operator: 'In', values: [] }],
      ],
      tolerations: [
        { key: '', operator: 'Exists', value: '', effect: '' },
        { key: 'gpu', operator: 'Equal', value: 'yes', effect: 'NoSchedule' },
      ],
      priority: 1000,
    })
  })
  test('a pod that says nothing may run anywhere and be moved', () => expect(schedulingOf({})).toEqual(UNCONSTRAINED))
  test('rules that are not kept are named', () =>
    expect(
      schedulingOf({
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } },
        topologySpreadConstraints: [{ whenUnsatisfiable: 'ScheduleAnyway' }],
        volumes: [
          { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
          { name: 'tmp', emptyDir: {} },
        ],
      })?.unread,
    ).toEqual(['podAntiAffinity', 'persistentVolumeClaim']))
  test.each([{ schedulingGroup: { podGroupName: 'workers' } }, { workloadRef: { name: 'w', podGroup: 'workers' } }])(
    'nor is where the group of a pod may run: %j',
    (spec) => expect(schedulingOf(spec)?.unread).toEqual(Object.keys(spec)),
  )
  test('affinity that cannot be understood does not count as none: the pod is named as unreadable', () => {
    const terms = [{ matchExpressions: [{ key: 'zone', operator: 'Near', values: ['a'] }] }]
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } }
    expect(() => schedulingOf({ affinity: { nodeAffinity } })).toThrow(/operator/)
  })
})

const moves = (metadata: object): unknown => {
  const found = schedulingOf({}, metadata)
  return [found?.managed, found?.evictable]
}
const annotated = (annotations: object): object => ({ ...ownedBy('ReplicaSet', 'r'), annotations })

describe('whether a pod may be moved', () => {
  test('a bare pod, or one with an owner that does not control it, is gone for good', () => {
    expect(moves({})).toEqual([false, true])
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'c' }]
    expect(moves({ ownerReferences })).toEqual([false, true])
  })
  test('by its annotations', () => {
    expect(moves(annotated({ 'karpenter.sh/do-not-disrupt': 'true' }))).toEqual([true, false])
    expect(moves(annotated({ 'karpenter.sh/do-not-disrupt': '4h' }))).toEqual([true, false])
    expect(moves(annotated({ 'karpenter.sh/do-not-disrupt': 'false' }))).toEqual([true, true])
    expect(moves(annotated({ 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' }))).toEqual([true, false])
    expect(moves(annotated({ 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' }))).toEqual([true, true])
  })
  test('what belongs to its node comes back to it', () => {
    expect(moves(ownedBy('DaemonSet', 'd'))).toEqual([true, false])
    expect(moves({ ...ownedBy('Node', 'gpu-0'), annotations: { 'kubernetes.io/config.mirror': 'x' } })).toEqual([
      true,
      false,
    ])
  })
})

type Objects = Partial<
  Record<'nodes' | 'pods' | 'budgets' | 'quotas' | 'queues' | 'classes' | 'namespaces', readonly object[]>
>
function assemble({
  nodes = [],
  pods = [],
  budgets = [],
  quotas = [],
  queues = [],
  classes = [],
  namespaces = [],
}: Objects): Inventory {
  return assembleInventory({
    nodes: nodes.map(parseNode),
    // As the watch hands them over: an iterator that can be walked once.
    pods: pods.flatMap((each) => parsePod(each) ?? []).values(),
    budgets: budgets.map(parseBudget),
    quotas: quotas.flatMap((each) => [parseQuota(each) ?? []]),
    clusterQueues: queues.map(parseClusterQueue),
    namespaces: namespaces.flatMap((each) => parseNamespace(each) ?? []),
    priorityClasses: classes.map(parsePriorityClass),
    menus: [],
    slices: [],
    claims: [],
    queuedWork: [],
    localQueues: [],
    flavors: [],
    chainOf: (facts) => followOwners(facts, { owner: () => undefined, podByUid: () => undefined }).chain,
    pendingSince: () => undefined,
    now: UNUSED,
    takenAt: UNUSED,
    serverVersion: '',
    problems: [],
  })
}
const UNUSED = parseNode(node('x')).createdAt

describe('what a node has beside GPUs', () => {
  test('allocatable CPU and memory, taints, and the labels that matter', () => {
    const busy = node('gpu-0', {
      labels: { [FEATURE]: 'red', 'feature.node.kubernetes.io/cpu-model.id': '106', 'nvidia.com/gfd.timestamp': '1' },
      spec: {
        taints: [
          { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
          { key: 'down', effect: 'NoExecute' },
        ],
      },
      allocatable: { cpu: '63750m', memory: '528280952Ki', 'nvidia.com/gpu': '8' },
    })
    const selecting = pod('team', 'p', { spec: { nodeSelector: { [FEATURE]: 'blue' } } })
    expect(assemble({ nodes: [busy], pods: [selecting] }).nodes[0]?.room).toEqual({
      cpuMilli: 63_750,
      memory: 528_280_952 / 1024,
      labels: {
        [FEATURE]: 'red',
        'karpenter.sh/nodepool': 'h100',
        'nvidia.com/gpu.present': 'true',
        'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3',
        'nvidia.com/mig.strategy': 'mixed',
      },
      taints: [
        { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
        { key: 'down', value: '', effect: 'NoExecute' },
      ],
    })
    expect(assemble({ nodes: [busy] }).nodes[0]?.room.labels).not.toHaveProperty([FEATURE])
  })
  test('the labels follow the pods, while the node stays as it was', () => {
    const facts = parseNode(node('gpu-0', { labels: { [FEATURE]: 'red', team: 'a' } }))
    expect(roomOf(facts, selecting(FEATURE)).labels).toHaveProperty([FEATURE], 'red')
    expect(roomOf(facts, selecting('zone')).labels).not.toHaveProperty([FEATURE])
    expect(roomOf(facts, selecting('zone')).labels).toHaveProperty('team', 'a')
    expect(roomOf(facts, selecting(FEATURE))).toEqual(roomOf(facts, selecting(FEATURE)))
    expect(selecting(FEATURE)).toBe(selecting(FEATURE))
  })
  test('what it does not say is not known', () => {
    const silent = node('gpu-0', { allocatable: { memory: 'much', 'nvidia.com/gpu': '8' } })
    expect(assemble({ nodes: [silent] }).nodes[0]?.room).toMatchObject({ cpuMilli: undefined, memory: undefined })
  })
  test('nodes and pods that say the same share it', () => {
    const nodes = ['a', 'b'].map((name) => node(name, { labels: { 'kubernetes.io/hostname': name } }))
    const tolerations = [{ key: 'gpu', operator: 'Exists' }]
    const pods = ['a', 'b'].map((name) => pod('team', name, { spec: { tolerations } }))
    const found = assemble({ nodes, pods })
    expect(found.nodes[0]?.room.labels).toBe(found.nodes[1]?.room.labels)
    expect(found.pods[0]?.scheduling.tolerations).toBe(found.pods[1]?.scheduling.tolerations)
  })
  test('a pod that names its node finds it', () => {
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['gpu-0'] }]
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } }
    const pods = [pod('team', 'p', { spec: { affinity: { nodeAffinity } } })]
    expect(assemble({ nodes: [node('gpu-0')], pods }).nodes[0]?.room.labels['metadata.name']).toBe('gpu-0')
  })
})

type Asked = { readonly disruptionsAllowed: number; readonly minAvailable?: number | string }
const budget = (name: string, selector: object | undefined, asked?: Asked): object => ({
  metadata: { name, namespace: 'team', uid: name, creationTimestamp: '2026-11-01T08:00:00Z' },
  spec: { minAvailable: asked?.minAvailable, ...(selector === undefined ? {} : { selector }) },
  ...(asked === undefined ? {} : { status: { disruptionsAllowed: asked.disruptionsAllowed } }),
})
const labelled = (name: string, labels: object, namespace = 'team'): object =>
  pod(namespace, name, { metadata: { name, namespace, labels } })

const priorityClass = (name: string, value: number, more: object): object => ({ metadata: { name }, value, ...more })
const flavor = (name: string, nominalQuota: string | number): object => ({
  name,
  resources: [
    { name: 'cpu', nominalQuota: '64' },
    { name: 'nvidia.com/gpu', nominalQuota },
  ],
})

describe('limits', () => {
  test('a budget covers the pods of its namespace that its selector finds', () => {
    const pods = [
      labelled('a', { app: 'chat', tier: 'gold' }),
      labelled('b', { app: 'chat' }),
      labelled('c', { app: 'rank' }),
      labelled('d', { app: 'chat' }, 'other'),
    ]
    const gold = [{ key: 'tier', operator: 'Exists' }]
    const budgets = [
      budget('chat', { matchLabels: { app: 'chat' } }, { disruptionsAllowed: 1, minAvailable: 1 }),
      budget('gold', { matchLabels: { app: 'chat' }, matchExpressions: gold }, { disruptionsAllowed: 0 }),
      budget('all', {}, { disruptionsAllowed: 2, minAvailable: '50%' }),
      budget('not', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['chat'] }] }),
      budget('none', undefined, { disruptionsAllowed: 5 }),
      budget('elsewhere', { matchLabels: { app: 'web' } }, { disruptionsAllowed: 5 }),
    ]
    expect(assemble({ pods, budgets }).budgets).toEqual([
      { id: 'team/all', pods: ['team/a', 'team/b', 'team/c'], allowed: 2 },
      { id: 'team/chat', pods: ['team/a', 'team/b'], allowed: 1, floor: 1 },
      { id: 'team/gold', pods: ['team/a'], allowed: 0 },
      { id: 'team/not', pods: ['team/c'], allowed: 0 },
    ])
  })
  test('namespaces: those that take new objects', () => {
    const namespaces = [{ metadata: { name: 'web' } }, { metadata: { name: 'lab' }, status: { phase: 'Active' } }]
    const leaving = { metadata: { name: 'old' }, status: { phase: 'Terminating' } }
    expect(assemble({ namespaces: [...namespaces, leaving] }).namespaces).toEqual(['lab', 'web'])
    expect(assemble({})).not.toHaveProperty('namespaces')
  })
  test('priority classes: one that never preempts, and the default', () => {
    const classes = [
      priorityClass('usual', 10, { globalDefault: true, preemptionPolicy: 'PreemptLowerPriority' }),
      priorityClass('meek', -5, { preemptionPolicy: 'Never', globalDefault: false }),
    ]
    expect(assemble({ classes }).priorityClasses).toEqual([
      { name: 'meek', priority: -5, preempts: false },
      { name: 'usual', priority: 10, preempts: true, isDefault: true },
    ])
    expect(assemble({})).not.toHaveProperty('priorityClasses')
  })

  test('limits of a ResourceQuota, and nominal quotas of a ClusterQueue over its flavors', () => {
    const metadata = { name: 'gpus', namespace: 'team', uid: 'q', creationTimestamp: '2026-11-01T08:00:00Z' }
    const hard = {
      'requests.nvidia.com/gpu': '8',
      'requests.nvidia.com/mig-1g.10gb': '4',
      'requests.cpu': '100',
      pods: '9',
    }
    const quotas = [
      { metadata, spec: { hard }, status: { hard, used: { 'requests.nvidia.com/gpu': '3' } } },
      { metadata: { ...metadata, name: 'cpu' }, spec: { hard: { 'requests.cpu': '10' } } },
    ]
    const queue = {
      metadata: { ...metadata, namespace: undefined },
      spec: {
        resourceGroups: [{ coveredResources: ['nvidia.com/gpu'], flavors: [flavor('a', '10'), flavor('b', 6)] }],
      },
      status: {
        pendingWorkloads: 2,
        flavorsReservation: [{ name: 'a', resources: [{ name: 'nvidia.com/gpu', total: '7', borrowed: '0' }] }],
      },
    }
    const found = assemble({ quotas, queues: [queue] })
    expect(found.queues).toEqual([
      {
        name: 'gpus',
        pendingWorkloads: 2,
        admittedWorkloads: 0,
        unread: [
          'which namespaces its cluster queue serves depends on their labels, which are not read',
          'how much cpu its cluster queue has left is unknown',
        ],
      },
    ])
    const gpu = { resource: 'nvidia.com/gpu' }
    expect(found.quotas).toEqual([
      {
        id: 'clusterqueue/gpus/nvidia.com/gpu',
        namespace: '',
        queue: 'gpus',
        ...gpu,
        hard: 16,
        used: 7,
        flavors: ['10', '6'].map((nominal, index) => ({
          name: 'ab'[index],
          path: `/spec/resourceGroups/0/flavors/${index}`,
          resourcePath: '/resources/1',
          nominal,
          amount: Number(nominal),
          used: index === 0 ? 7 : 0,
        })),
      },
      { id: 'team/cpu/cpu', namespace: 'team', resource: 'cpu', hard: 10, used: 0 },
      { id: 'team/gpus/cpu', namespace: 'team', resource: 'cpu', hard: 100, used: 0 },
      { id: 'team/gpus/nvidia.com/gpu', namespace: 'team', ...gpu, hard: 8, used: 3 },
      {
        id: 'team/gpus/nvidia.com/mig-1g.10gb',
        namespace: 'team',
        resource: 'nvidia.com/mig-1g.10gb',
        hard: 4,
        used: 0,
      },
      { id: 'team/gpus/pods', namespace: 'team', resource: 'pods', hard: 9, used: 0 },
    ])
  })

  test('a cohort and its limits, as both versions of Kueue write them', () => {
    const limited = {
      name: 'a',
      resources: [{ name: 'nvidia.com/gpu', nominalQuota: 8, borrowingLimit: '4', lendingLimit: 2 }],
    }
    const spec = { resourceGroups: [{ coveredResources: ['nvidia.com/gpu'], flavors: [limited] }] }
    for (const cohort of [{ cohortName: 'team' }, { cohort: 'team' }]) {
      const queue = {
        metadata: { name: 'gpus', uid: 'q', creationTimestamp: '2026-11-01T08:00:00Z' },
        spec: { ...spec, ...cohort },
        status: {},
      }
      expect(assemble({ queues: [queue] }).quotas).toMatchObject([
        { cohort: 'team', flavors: [{ amount: 8, used: 0, borrowing: '4', lending: 2 }] },
      ])
    }
  })
})

const selecting = (key: string) => selectedLabels([{ scheduling: { ...UNCONSTRAINED, nodeSelector: { [key]: 'x' } } }])
