import type { DemoCluster } from '@septet/simulator'

import type { RecordedRequest, Value } from './recording.ts'

type RbacRule = NonNullable<Parameters<DemoCluster['grantActor']>[0]>[number]

/** What was done outside the record: by the index of the step that it comes before. */
export type Outside = Readonly<Record<number, readonly RecordedRequest[]>>

// oxlint-disable-next-line max-params -- written many times below
const send = (method: string, path: string, body?: Value, type = 'application/json'): RecordedRequest => ({
  method,
  path,
  headers: { 'content-type': type, accept: 'application/json' },
  body,
})
const patch = (path: string, body: Value): RecordedRequest => send('PATCH', path, body, 'application/merge-patch+json')

type PodWish = {
  readonly app: string
  readonly node?: string
  readonly phase?: string
  readonly ready?: boolean
  /** What its ReplicaSet begins its names with. */
  readonly set?: string
}

/** A pod as a kubelet would have it. */
function pod(
  namespace: string,
  name: string,
  { app, node, phase, ready = true, set }: PodWish,
): readonly RecordedRequest[] {
  const pods = `/api/v1/namespaces/${namespace}/pods`
  const spec = {
    schedulerName: 'none',
    containers: [{ name: 'c', image: 'x' }],
    ...(node === undefined ? {} : { nodeName: node }),
  }
  const labels = { app, ...(set === undefined ? {} : { 'pod-template-hash': set.split('-')[1] }) }
  const made = set === undefined ? {} : { generateName: set }
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }]
  return [
    send('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...made, labels }, spec }),
    ...(phase === undefined ? [] : [patch(`${pods}/${name}/status`, { status: { phase, conditions } })]),
  ]
}
// oxlint-disable-next-line max-params -- written many times below
const running = (namespace: string, node: string, app: string, names: readonly string[]): readonly RecordedRequest[] =>
  names.flatMap((name) => pod(namespace, name, { app, node, phase: 'Running' }))

/** What the disruption controller says of a budget. */
// oxlint-disable-next-line max-params -- written many times below
const counted = (
  namespace: string,
  name: string,
  ...[allowed, healthy, desired, disruptedPods]: readonly [number, number, number, null?]
): RecordedRequest =>
  patch(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/${name}/status`, {
    status: {
      observedGeneration: 1,
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: healthy,
      ...(disruptedPods === undefined ? {} : { disruptedPods }),
    },
  })
const budget = (namespace: string, name: string, spec: Value): RecordedRequest =>
  send('POST', `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec,
  })
const tokenOf = (namespace: string): RecordedRequest =>
  send('POST', `/api/v1/namespaces/${namespace}/serviceaccounts/agent/token`, { spec: { audiences: ['septet'] } })
const map = (name: string, labels: Value, namespace = 'wl'): RecordedRequest =>
  send('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels },
    data: { a: '1' },
  })
const SERVE = ['2dqb8', '2tbv6', 'msnhp', 'x'].map((end) => `serve-69fcdff947-${end}`)
const selects = (app: string): Value => ({ matchLabels: { app } })

const POD = (name: string, node?: string): Value => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  // On no node there is.
  spec: {
    containers: [{ name: 'c', image: 'x' }],
    ...(node === undefined ? { nodeSelector: { none: '' } } : { nodeName: node }),
  },
})

const SLICE = {
  driver: 'gpu.example.com',
  nodeName: 'dra-1',
  pool: { name: 'sl1', generation: 1, resourceSliceCount: 1 },
}

const ADMISSION = '/apis/admissionregistration.k8s.io/v1/validatingadmission'

/** By file. What a step of the record itself shows of an object that nothing made is put there without being named here. */
export const OUTSIDE: Readonly<Record<string, Outside>> = {
  '1-delete': {
    171: [map('strict', undefined, 'wd')],
    204: [send('POST', '/api/v1/nodes', { metadata: { name: 'g1' } })],
  },
  '1b-delete-answers': {
    87: [send('POST', '/apis/batch/v1/namespaces/wk/jobs', { metadata: { name: 'j-background' } })],
    96: [send('POST', '/apis/apps/v1/namespaces/wk/deployments', { metadata: { name: 'd' } })],
  },
  '1c-delete-query-and-body': { 5: [map('c', undefined, 'wm')] },
  '2b-write-more': {
    9: Array.from({ length: 12 }, (_, index) =>
      patch(`/api/v1/namespaces/wb/configmaps/u?fieldManager=m${index}`, { data: { [`k${index}`]: '1' } }),
    ),
  },
  '3-eviction': {
    1: [
      ...running('we', 'ev-1', 'free', ['r1']),
      ...pod('we', 'pend', { app: 'free' }),
      ...pod('we', 'pendb', { app: 'free', node: 'ev-1' }),
      ...pod('we', 'done', { app: 'd', node: 'ev-1', phase: 'Succeeded' }),
      ...running('we', 'ev-1', 'zero', ['z1', 'z2']),
    ],
    36: [counted('we', 'zero', 0, 2, 2)],
    41: [...pod('we', 'zp', { app: 'zero' })],
    43: [...pod('we', 'zu', { app: 'zero', node: 'ev-1', phase: 'Running', ready: false })],
    44: [counted('we', 'zero', 0, 1, 2)],
    48: [...running('we', 'ev-1', 'ok', ['o1', 'o2', 'o3'])],
    49: [counted('we', 'ok', 1, 3, 2)],
    55: [counted('we', 'ok', 0, 2, 2)],
    // In the record the two were evicted under a budget made anew.
    56: [counted('we', 'ok', 1, 2, 2, null)],
    58: [counted('we', 'ok', 0, 2, 2)],
    59: [
      ...running('we', 'ev-1', 'two', ['t1']),
      budget('we', 'two-a', { minAvailable: 0, selector: selects('two') }),
      budget('we', 'two-b', { maxUnavailable: 1, selector: selects('two') }),
    ],
    62: [
      ...running('we', 'ev-1', 'mu', ['m1']),
      budget('we', 'mu', { maxUnavailable: 1, selector: selects('mu') }),
      counted('we', 'mu', 0, 1, 0),
    ],
    65: [
      send('POST', '/api/v1/namespaces/we/pods', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'fin', finalizers: ['septet.io/hold'] },
        spec: { containers: [{ name: 'c', image: 'x' }], nodeName: 'ev-1' },
      }),
    ],
  },
  '3b-eviction-more': {
    1: SERVE.flatMap((name) => pod('wf', name, { app: 's', node: 'ef-1', phase: 'Running', set: 'serve-69fcdff947-' })),
    3: [counted('wf', 'b', 1, 4, 3)],
  },
  '3c-eviction-bypass': {
    0: [
      ...running('wo3', 'o-1', 'o', ['run', 'term']),
      ...pod('wo3', 'done', { app: 'o', node: 'o-1', phase: 'Succeeded' }),
      ...pod('wo3', 'fail', { app: 'o', node: 'o-1', phase: 'Failed' }),
      ...pod('wo3', 'pend', { app: 'o' }),
    ],
    3: [counted('wo3', 'o', 0, 3, 5)],
  },
  '4-lists-watches': {
    0: [
      send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w-1' } }),
      map('kube-root-ca.crt', undefined),
      map('c0', { app: 'b', tier: 'cpu', only: '' }),
      map('c1', { app: 'a', tier: 'cpu' }),
      map('c2', { app: 'b', tier: 'cpu' }),
      map('c3', { app: 'a', tier: 'gpu' }),
      map('c4', { app: 'b', tier: 'gpu' }),
    ],
    6: [map('c9', { app: 'z' })],
    36: [
      send('POST', '/api/v1/namespaces/wl/pods', POD('p2')),
      send('POST', '/api/v1/namespaces/wl/pods', POD('p1', 'w-1')),
      patch('/api/v1/namespaces/wl/pods/p1/status', { status: { phase: 'Running' } }),
    ],
    109: Array.from({ length: 30 }, (_, index) =>
      patch('/api/v1/namespaces/wl/configmaps/c1', { data: { n: String(index) } }),
    ),
  },
  '5-errors': {
    0: [
      ...['wx', 'wy'].map((name) =>
        send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
      ),
      ...pod('wx', 'p', { app: 'p' }),
      map('one', undefined, 'wx'),
    ],
  },
  '5b-overload': { 2: [map('kube-root-ca.crt', undefined, 'wz'), ...pod('wz', 'pend', { app: 'pend' })] },
  '8b-new-kinds-gates-on': {
    7: [send('POST', '/apis/resource.k8s.io/v1/resourceslices', { metadata: { name: 'sl1' }, spec: SLICE })],
  },
  '8-new-kinds': {
    21: [
      send('POST', `${ADMISSION}policies`, {
        metadata: { name: 'septet-err' },
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['deployments'] },
            ],
          },
          validations: [{ expression: "object.metadata.annotations['nope'] == 'x'" }],
        },
      }),
      send('POST', `${ADMISSION}policybindings`, {
        metadata: { name: 'septet-err' },
        spec: { policyName: 'septet-err', validationActions: ['Deny'] },
      }),
    ],
  },
  '6-authn-authz': { 55: [send('DELETE', '/api/v1/namespaces/wt/pods/runner')] },
  '9-scheduler': {
    11: [send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 's9-high' }, value: 100_000 })],
  },
  '6b-token-cache': { 0: [tokenOf('wu')] },
}

const W1 = '/api/v1/namespaces/wl/configmaps/w1'
const CHANGES: readonly RecordedRequest[] = [
  map('w1', { app: 'a' }),
  patch(W1, { data: { x: '1' } }),
  patch(W1, { data: { x: '1' } }),
  patch(W1, { metadata: { labels: { app: 'b' } } }),
  patch(W1, { metadata: { labels: { app: 'a' } } }),
  send('DELETE', W1),
]
/** What was done while a watch ran. */
export const MEANWHILE: Readonly<Record<string, Outside>> = { '4-lists-watches': { 78: CHANGES, 79: CHANGES } }

/** How much time went by before a step, seconds, where that counts. */
export const WAITS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  '3b-eviction-more': { 11: 121 },
}

const sent = (token: string, ...steps: readonly number[]): Readonly<Record<number, string>> =>
  Object.fromEntries(steps.map((step) => [step, token]))

/** The step whose answer has the token that another step sends; of a record tokens are taken out. */
export const TOKENS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  '6-authn-authz': {
    ...sent('TokenRequest audience septet, 3600 s', 15, 16, 17, 18, 30, 57, 60),
    ...sent('TokenRequest without audience', 19),
  },
  '6b-token-cache': sent('outside', 0, 1, 2, 3, 4, 5, 6, 7),
}

// oxlint-disable-next-line max-params -- written many times below
const rule = (
  namespace: string | undefined,
  resources: readonly string[],
  verbs: readonly string[],
  more = {},
): RbacRule => ({
  ...(namespace === undefined ? {} : { namespace }),
  apiGroups: [''],
  resources,
  verbs,
  ...more,
})

/** What those may who are in the record; admin and whoever is not named may do everything. */
export const RIGHTS: Readonly<Record<string, readonly RbacRule[]>> = {
  'septet-jailed': [rule('wz', ['*'], ['*']), rule('wz', ['pods/eviction'], ['create'])],
  'system:serviceaccount:wx:reader': [
    rule('wx', ['pods'], ['get', 'list', 'watch']),
    rule('wx', ['configmaps'], ['get', 'update'], { resourceNames: ['one'] }),
    rule('wx', ['configmaps'], ['patch']),
  ],
  'system:serviceaccount:wt:agent': [
    rule('wt', ['pods'], ['get', 'list']),
    rule('wt', ['pods/eviction'], ['create']),
    rule('wt', ['deployments/scale'], ['patch'], { apiGroups: ['apps'], resourceNames: ['serve'] }),
  ],
}

/** What is made to go wrong before a step. */
export const FAULTS: Readonly<Record<string, Readonly<Record<number, Parameters<DemoCluster['faults']['add']>[0]>>>> = {
  '5b-overload': { 4: { kind: 'api-429', resource: 'configmaps', times: 1 } },
}

/** Steps that would undo what later ones need, where the demo does not refuse what the record refuses. */
const UNSENT: Readonly<Record<string, readonly number[]>> = {
  '8-new-kinds': [39],
  '8b-new-kinds-gates-on': [16],
  '5-errors': [115],
  // Of two evictions sent at once the record refused this one.
  '3b-eviction-more': [12],
}
export const isUnsent = (file: string, index: number): boolean => UNSENT[file]?.includes(index) === true
