/* oxlint-disable max-lines-per-function, max-params, typescript/no-unsafe-type-assertion -- a cluster is written down as one list of objects */
import { makePlan, SHOWN_POLICY, instant, type ActionRun, type Plan, type Wish } from '@septet/domain'
import { valueAt } from '@septet/domain/testing'
import type { RecommendationKind } from '@septet/domain/action-classes'

import { runOf, transition } from '../runs.ts'
import { merged, MIG, MIG_STATE, offered, podObject, READY, withObject, type Cluster } from './cluster-model.ts'
import { readingOf, snapshotOf } from './cluster-view.ts'
import type { Foreign, Left, Scenario } from './world.ts'

const BEGIN = Date.UTC(2026, 0, 1)
const NODES = ['gpu-a', 'gpu-b']
const PART = '2g.20gb'
const THIRDS = [PART, PART, PART]

const NOTHING_WRONG: Left = {
  crash: 0,
  lost: 0,
  late: 0,
  refused: 0,
  foreign: 0,
  stop: 0,
  lease: 0,
  undo: 0,
  mig: 0,
  stale: 0,
  slow: 0,
  pause: 0,
  long: 0,
}

const configText = (names: readonly string[]): string =>
  [
    'version: v1',
    'mig-configs:',
    ...names.flatMap((name) => [`  ${name}:`, '    - devices: all', '      mig-enabled: true']),
  ].join('\n')

/** Two nodes with a GPU each, three pods, and what mig-manager works with. */
function twoNodes(): Cluster {
  const known = { thirds: THIRDS, sevenths: ['1g.10gb'] }
  const text = configText(Object.keys(known))
  const nodes = NODES.map((name) => [
    `nodes/${name}`,
    {
      metadata: {
        name,
        labels: { [MIG]: 'thirds', [MIG_STATE]: 'success', 'nvidia.com/mig.strategy': 'mixed' },
        annotations: {},
      },
      spec: {},
      status: { conditions: READY.conditions, allocatable: offered(THIRDS) },
    },
  ])
  const managers = NODES.map((name) => [
    `pods/gpu-operator/mig-manager-${name}`,
    {
      metadata: {
        name: `mig-manager-${name}`,
        namespace: 'gpu-operator',
        uid: `manager-${name}`,
        labels: { app: 'nvidia-mig-manager' },
        creationTimestamp: '2025-12-31T00:00:00Z',
      },
      spec: { nodeName: name },
      status: { ...READY, reads: text },
    },
  ])
  const apps = [
    { app: 'train', node: 'gpu-a', replicas: 1 },
    { app: 'chat', node: 'gpu-b', replicas: 2 },
  ]
  const deployments = apps.map(({ app, replicas }) => [
    `deployments/lab/${app}`,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: app, namespace: 'lab', labels: { profile: PART }, annotations: {} },
      spec: { replicas },
    },
  ])
  const pods = apps.flatMap(({ app, node, replicas }) =>
    Array.from({ length: replicas }, (_, index) => {
      const name = `${app}-${index + 1}`
      return [`pods/lab/${name}`, podObject({ app, name, uid: `${app}#${index + 1}`, profile: PART, node })] as const
    }),
  )
  const map = { metadata: { name: 'custom-mig-config', namespace: 'gpu-operator' }, data: { 'config.yaml': text } }
  const policy = {
    metadata: { name: 'cluster-policy' },
    spec: { migManager: { config: { name: 'custom-mig-config' } } },
  }
  const empty: Cluster = {
    objects: {},
    cuts: Object.fromEntries(NODES.map((name) => [name, THIRDS])),
    configs: known,
    takenUp: Object.fromEntries(NODES.map((name) => [name, 'thirds'])),
    made: 2,
  }
  return [
    ...nodes,
    ...managers,
    ...deployments,
    ...pods,
    ['configmaps/gpu-operator/custom-mig-config', map],
    ['clusterpolicies/cluster-policy', policy],
  ].reduce<Cluster>(
    (cluster, [path, object]) => withObject(cluster, path as string, object as Record<string, unknown>, 0),
    empty,
  )
}

const planned = (cluster: Cluster, wish: Wish): Plan => {
  const plan = makePlan({
    snapshot: snapshotOf(readingOf(cluster, BEGIN)),
    wishes: [wish],
    title: 'A change',
    policy: SHOWN_POLICY,
  })
  const [refused] = plan.refused
  if (refused !== undefined || plan.steps.length === 0) throw new Error(refused?.message ?? 'nothing would change')
  return plan
}

function approved(id: string, plan: Plan, kind: RecommendationKind): ActionRun {
  const run = runOf(plan, { now: instant(BEGIN), kind, object: `change/${id}` })
  return {
    ...run,
    id,
    transitions: [
      ...run.transitions,
      transition(2, { state: 'approved', at: instant(BEGIN), until: instant(BEGIN + 120_000) }),
    ],
  }
}

/** What the plans of runs have mig-manager make. */
function withConfigs(cluster: Cluster, runs: readonly ActionRun[]): Cluster {
  const actions = runs.flatMap(({ plan }) => plan.steps.flatMap(({ action, inverse }) => [action, ...inverse]))
  const made = actions.flatMap((action) =>
    action.kind === 'repartition'
      ? [
          [
            action.config,
            action.gpus.flatMap(({ to }) =>
              Object.entries(to.geometry).flatMap(([profile, count]) => Array.from({ length: count }, () => profile)),
            ),
          ] as const,
        ]
      : [],
  )
  return { ...cluster, configs: { ...cluster.configs, ...Object.fromEntries(made) } }
}

const wholeOf = (node: string): Wish => ({
  kind: 'layout',
  targets: [
    { gpu: `GPU-${node}-0`, migEnabled: true, layout: [{ profile: '7g.80gb', placement: { start: 0, size: 8 } }] },
  ],
  moves: [],
})

/** What a person does to a node meanwhile. */
const OTHERS_AT_NODE: readonly Foreign[] = [
  {
    says: 'somebody sets the layout of gpu-a',
    does: (cluster, now) => patched(cluster, 'nodes/gpu-a', { metadata: { labels: { [MIG]: 'sevenths' } } }, now),
  },
  {
    says: 'somebody cordons gpu-a',
    does: (cluster, now) => patched(cluster, 'nodes/gpu-a', { spec: { unschedulable: true } }, now),
  },
  {
    says: 'somebody uncordons gpu-a',
    does: (cluster, now) => patched(cluster, 'nodes/gpu-a', { spec: { unschedulable: null } }, now),
  },
]

function patched(cluster: Cluster, path: string, patch: Record<string, unknown>, now: number): Cluster | undefined {
  const object = cluster.objects[path]
  if (object === undefined) return undefined
  const next = merged(object, patch)
  return JSON.stringify(next) === JSON.stringify(object) ? undefined : withObject(cluster, path, next, now)
}

/** A GPU is cut again, and the pod on it has to move. */
export function aCut(left: Partial<Left>, more: Partial<Scenario> = {}): Scenario {
  const cluster = twoNodes()
  const runs = [approved('cut', planned(cluster, wholeOf('gpu-a')), 'repartition')]
  return {
    name: 'a cut',
    cluster: withConfigs(cluster, runs),
    runs,
    left: { ...NOTHING_WRONG, ...left },
    foreign: OTHERS_AT_NODE,
    actors: 2,
    wanted: { 'gpu-a is cut into': '7g.80gb' },
    policy: {},
    ...more,
  }
}

/** A Deployment is stopped once its owner was warned. */
export function aStop(left: Partial<Left>, more: Partial<Scenario> = {}): Scenario {
  const cluster = twoNodes()
  const plan = planned(cluster, { kind: 'scale', workload: 'lab/Deployment/train', to: 0 })
  const at = 'deployments/lab/train'
  return {
    name: 'a stop',
    cluster,
    runs: [approved('stop', plan, 'reclaim-idle')],
    left: { ...NOTHING_WRONG, ...left },
    foreign: [
      {
        says: 'its owner keeps it',
        does: (now, when) => patched(now, at, { metadata: { annotations: { 'septet.io/keep': 'true' } } }, when),
      },
      {
        // Before it is stopped that is remembered, and is what it is started with again.
        says: 'its owner starts it again',
        does: (now, when) =>
          valueAt(now.objects[at], 'spec', 'replicas') === 0
            ? patched(now, at, { spec: { replicas: 2 } }, when)
            : undefined,
      },
    ],
    actors: 2,
    wanted: { 'replicas of train': 0 },
    policy: { warningSeconds: 15 },
    ...more,
  }
}

/** Two cuts, of which the pods of one alone may be stopped within an hour. */
export function twoCuts(left: Partial<Left>, more: Partial<Scenario> = {}): Scenario {
  const cluster = twoNodes()
  const runs = NODES.map((node) => approved(`cut-${node}`, planned(cluster, wholeOf(node)), 'repartition'))
  return {
    name: 'two cuts within a budget',
    cluster: withConfigs(cluster, runs),
    runs,
    left: { ...NOTHING_WRONG, ...left },
    foreign: [],
    actors: 2,
    wanted: Object.fromEntries(NODES.map((node) => [`${node} is cut into`, '7g.80gb'])),
    policy: { podsPerHour: 2 },
    ...more,
  }
}
