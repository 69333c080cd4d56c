import { randomBytes } from 'node:crypto'

import { call, type ContractServer } from '@septet/connectors/testing/contract-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

/** A request with the actor's token. */
export type Tried = {
  readonly says: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly target: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** An API server on which every file `deploy/actor-*.yaml` is applied as it is shipped. */
export type StolenToken = {
  /** May make and delete what is tried on, in a namespace of its own, `septet` and `gpu-operator`. */
  readonly admin: ContractServer
  /** Signed in as the service account `septet-actor` of the namespace `septet`. */
  readonly actor: ContractServer
}

const OWN = `septet-stolen-${randomBytes(4).toString('hex')}`
const GPUS = { 'nvidia.com/gpu': '2' }
const CONTAINER = {
  name: 'main',
  image: 'registry.k8s.io/pause:3.10',
  resources: { limits: { ...GPUS, cpu: '1' }, requests: { ...GPUS, cpu: '1' } },
}
const LABELS = { app: OWN }
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [CONTAINER], schedulerName: 'none' } }
const WORK = { replicas: 0, selector: { matchLabels: LABELS }, template: TEMPLATE }

const at = (path: string): string => (path.startsWith('/') ? path : `/api/v1/${path}`)
const [DEPLOYMENT, SET] = ['deployments', 'statefulsets'].map((kind) => `/apis/apps/v1/namespaces/${OWN}/${kind}/work`)
const POD = `namespaces/${OWN}/pods/pod`
const NODE = `nodes/${OWN}`
const OPERATED = 'namespaces/gpu-operator'
const MAP = `${OPERATED}/configmaps/septet-mig-config`
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const LEASES = '/apis/coordination.k8s.io/v1/namespaces'

const pod = (namespace: string, name: string, labels: object = LABELS) => ({
  target: `namespaces/${namespace}/pods`,
  body: { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec: TEMPLATE.spec },
})
const map = (name: string, data: object) => ({
  target: `${OPERATED}/configmaps`,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
})
const work = (kind: string, spec: object) => ({
  target: `/apis/apps/v1/namespaces/${OWN}/${kind.toLowerCase()}s`,
  body: { apiVersion: 'apps/v1', kind, metadata: { name: 'work', labels: LABELS, annotations: { team: 'a' } }, spec },
})
const namespace = (name: string) => ({
  target: 'namespaces',
  body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
})
const STATE = 'nvidia.com/mig.config.state'
const DEPLOYS = 'nvidia.com/gpu.deploy.dcgm-exporter'

/** What is tried on, in the order in which it can be made. What is there already stays as it is. */
const MADE = [
  ...[OWN, 'septet', 'gpu-operator'].map(namespace),
  {
    target: 'nodes',
    body: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: OWN, labels: { [STATE]: 'success', [DEPLOYS]: 'paused-for-mig-change', ...LABELS } },
    },
  },
  map('septet-mig-config', { 'config.yaml': 'version: v1\n' }),
  map('septet-device-plugin', { 'septet-whole': 'version: v1' }),
  map(`${OWN}-entrypoint`, { 'entrypoint.sh': 'exit 0' }),
  work('Deployment', WORK),
  work('StatefulSet', { ...WORK, serviceName: 'work' }),
  pod(OWN, 'pod'),
  pod('gpu-operator', OWN),
  pod('gpu-operator', `${OWN}-manager`, { app: 'nvidia-mig-manager' }),
  {
    target: `${LEASES}/septet/leases`,
    body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'septet-actor' } },
  },
]

// oxlint-disable-next-line max-params -- written many times below
const patch = (says: string, target: string, body: object): Tried => ({
  says,
  method: 'PATCH',
  target: at(target),
  body,
})
// oxlint-disable-next-line max-params -- written many times below
const post = (says: string, target: string, body: object = {}): Tried => ({
  says,
  method: 'POST',
  target: at(target),
  body,
})
const gone = (says: string, target: string): Tried => ({ says, method: 'DELETE', target: at(target) })
const look = (says: string, target: string): Tried => ({ says, method: 'GET', target: at(target) })
const inTemplate = (spec: object): object => ({ spec: { template: { spec } } })
const container = (more: object): object => inTemplate({ containers: [{ ...CONTAINER, ...more }] })
const limits = (of: object): object => container({ resources: { limits: of, requests: of } })
const HOST = { volumes: [{ name: 'host', hostPath: { path: '/' } }] }
const subject = [{ kind: 'ServiceAccount', name: 'septet-actor', namespace: 'septet' }]
const clusterAdmin = { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' } }
const named = (apiVersion: string, kind: string, more: object = {}): object => ({
  apiVersion,
  kind,
  metadata: { name: OWN },
  ...more,
})

/** What the roles let it ask for, and only the policy refuses. */
export const BY_THE_POLICY: readonly Tried[] = [
  patch('another image', DEPLOYMENT ?? '', container({ image: 'evil' })),
  patch('a command', DEPLOYMENT ?? '', container({ command: ['sh', '-c', 'id'] })),
  patch('an environment variable', DEPLOYMENT ?? '', container({ env: [{ name: 'LD_PRELOAD', value: '/tmp/x' }] })),
  patch('a privileged container', DEPLOYMENT ?? '', container({ securityContext: { privileged: true } })),
  patch('the disk of the node', DEPLOYMENT ?? '', inTemplate(HOST)),
  patch('another service account', DEPLOYMENT ?? '', inTemplate({ serviceAccountName: 'admin' })),
  patch('the processes of the node', DEPLOYMENT ?? '', inTemplate({ hostPID: true })),
  patch('another node', DEPLOYMENT ?? '', inTemplate({ nodeName: 'control-plane' })),
  patch(
    'one more container',
    DEPLOYMENT ?? '',
    inTemplate({ containers: [CONTAINER, { ...CONTAINER, name: 'evil' }] }),
  ),
  patch('an init container', DEPLOYMENT ?? '', inTemplate({ initContainers: [{ ...CONTAINER, name: 'evil' }] })),
  patch('more CPU', DEPLOYMENT ?? '', limits({ ...GPUS, cpu: '64' })),
  patch('labels of pods', DEPLOYMENT ?? '', { spec: { template: { metadata: { labels: { evil: 'yes' } } } } }),
  patch('a rollout that stands still', DEPLOYMENT ?? '', { spec: { paused: true } }),
  patch('an owner', DEPLOYMENT ?? '', {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' }] },
  }),
  patch('annotations of others', DEPLOYMENT ?? '', { metadata: { annotations: { team: 'b' } } }),
  patch('labels of work', DEPLOYMENT ?? '', { metadata: { labels: { app: 'other' } } }),
  patch('a finalizer', DEPLOYMENT ?? '', { metadata: { finalizers: ['evil.example/stay'] } }),
  patch('the disk of the node for a StatefulSet', SET ?? '', inTemplate(HOST)),
  patch('another image for a StatefulSet', SET ?? '', container({ image: 'evil' })),
  patch('a role of a node', NODE, { metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } } }),
  patch('a taint', NODE, { spec: { taints: [{ key: 'evil', effect: 'NoExecute' }] } }),
  patch('annotations of a node', NODE, { metadata: { annotations: { 'evil.example/a': '' } } }),
  patch('no exporter on a node', NODE, { metadata: { labels: { [DEPLOYS]: 'false' } } }),
  patch('a driver on a node', NODE, { metadata: { labels: { 'nvidia.com/gpu.deploy.driver': 'true' } } }),
  patch('a result that mig-manager has not told', NODE, { metadata: { labels: { [STATE]: 'failed' } } }),
  patch('a script beside the MIG configurations', MAP, { data: { 'entrypoint.sh': 'id' } }),
  patch('labels of the MIG configurations', MAP, { metadata: { labels: { a: 'b' } } }),
  patch('a script beside the sharing configurations', `${OPERATED}/configmaps/septet-device-plugin`, {
    data: { 'entrypoint.sh': 'id' },
  }),
  post('a pod evicted without the time to stop', `${POD}/eviction`, {
    ...named('policy/v1', 'Eviction'),
    metadata: { name: 'pod', namespace: OWN },
    deleteOptions: { gracePeriodSeconds: 0 },
  }),
  gone('any pod of the operator deleted', `${OPERATED}/pods/${OWN}`),
  post('the Lease of another component', `${LEASES}/septet/leases`, named('coordination.k8s.io/v1', 'Lease')),
]

/** What its roles do not let it ask for. */
export const BY_ITS_ROLES: readonly Tried[] = [
  patch('the entry script of the operator', `${OPERATED}/configmaps/${OWN}-entrypoint`, {
    data: { 'entrypoint.sh': 'id' },
  }),
  post('a ConfigMap', `${OPERATED}/configmaps`, named('v1', 'ConfigMap')),
  post('a pod', `namespaces/${OWN}/pods`, named('v1', 'Pod', { spec: { ...TEMPLATE.spec, hostPID: true } })),
  post('a Job', `/apis/batch/v1/namespaces/${OWN}/jobs`, named('batch/v1', 'Job', { spec: { template: TEMPLATE } })),
  patch('an ephemeral container', `${POD}/ephemeralcontainers`, {
    spec: { ephemeralContainers: [{ ...CONTAINER, name: 'evil' }] },
  }),
  patch('another image of a pod', POD, { spec: { containers: [{ name: 'main', image: 'evil' }] } }),
  patch('a pod of the system', 'namespaces/kube-system/pods/any', { metadata: { labels: { a: 'b' } } }),
  gone('a pod of the system deleted', 'namespaces/kube-system/pods/any'),
  gone('a pod deleted past its budget', POD),
  gone('all pods of the operator deleted', `${OPERATED}/pods`),
  post('a command in a pod', `${POD}/exec?command=id`),
  look('secrets', 'secrets'),
  look('a secret', 'namespaces/septet/secrets/septet'),
  post('a token of another account', 'namespaces/kube-system/serviceaccounts/default/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  }),
  { ...look('another user', 'nodes'), headers: { 'impersonate-user': 'system:admin' } },
  post(
    'a role binding',
    `${RBAC}/namespaces/${OWN}/rolebindings`,
    named('rbac.authorization.k8s.io/v1', 'RoleBinding', { ...clusterAdmin, subjects: subject }),
  ),
  post(
    'a cluster role binding',
    `${RBAC}/clusterrolebindings`,
    named('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', { ...clusterAdmin, subjects: subject }),
  ),
  patch('its own role', `${RBAC}/clusterroles/septet-actor-repartition`, {
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  }),
  post(
    'a webhook',
    `${ADMISSION}/mutatingwebhookconfigurations`,
    named('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', { webhooks: [] }),
  ),
  patch('another policy', `${ADMISSION}/validatingadmissionpolicies/septet-actor`, {
    spec: { failurePolicy: 'Ignore' },
  }),
  gone('no policy', `${ADMISSION}/validatingadmissionpolicies/septet-actor`),
  gone('no binding of the policy', `${ADMISSION}/validatingadmissionpolicybindings/septet-actor`),
  look('what a kubelet knows', `${NODE}/proxy`),
  patch('the status of a node', `${NODE}/status`, { status: { capacity: { 'nvidia.com/gpu': '64' } } }),
  gone('a node deleted', NODE),
  patch('a Lease of the control plane', `${LEASES}/kube-system/leases/kube-scheduler`, {
    spec: { holderIdentity: 'evil' },
  }),
  patch(
    'replicas of a system Deployment by its scale',
    '/apis/apps/v1/namespaces/kube-system/deployments/coredns/scale',
    { spec: { replicas: 0 } },
  ),
  patch('a DaemonSet of the operator', `/apis/apps/v1/${OPERATED}/daemonsets/nvidia-mig-manager`, inTemplate(HOST)),
  gone('a Deployment deleted', DEPLOYMENT ?? ''),
]

const renewed = {
  spec: { holderIdentity: 'septet', leaseDurationSeconds: 30, renewTime: '2026-01-01T00:00:00.000000Z' },
}

/** What Septet does itself. */
const RIGHTFUL: readonly Tried[] = [
  patch('stops work, and notes how it was', DEPLOYMENT ?? '', {
    metadata: { annotations: { 'septet.io/replicas-before': '1' } },
    spec: { replicas: 0 },
  }),
  patch('warns an owner', SET ?? '', { metadata: { annotations: { 'septet.io/idle-warning': 'soon' } } }),
  patch('gives work a MIG slice', DEPLOYMENT ?? '', limits({ 'nvidia.com/mig-1g.10gb': '1', cpu: '1' })),
  patch('gives a StatefulSet fewer GPUs', SET ?? '', limits({ 'nvidia.com/gpu': '1', cpu: '1' })),
  patch('cordons a node', NODE, {
    metadata: { annotations: { 'septet.io/cordoned-by': 'a' } },
    spec: { unschedulable: true },
  }),
  patch('has a node repartitioned', NODE, {
    metadata: { labels: { 'nvidia.com/mig.config': 'septet-1', [STATE]: null, [DEPLOYS]: 'true' } },
  }),
  patch('has a node share its GPUs', NODE, {
    metadata: {
      labels: { 'nvidia.com/device-plugin.config': 'septet-1' },
      annotations: { 'septet.io/device-plugin-config-before': '' },
    },
  }),
  patch('adds a MIG configuration', MAP, { data: { 'config.yaml': 'version: v1\nmig-configs: {}\n' } }),
  patch('adds a sharing configuration', `${OPERATED}/configmaps/septet-device-plugin`, {
    data: { 'septet-0123456789abcdef': 'version: v1\n' },
  }),
  gone('restarts mig-manager', `${OPERATED}/pods/${OWN}-manager`),
  post('evicts a pod', `${POD}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'pod', namespace: OWN },
  }),
  patch('renews its Lease', `${LEASES}/septet/leases/septet-actor`, renewed),
]

/** As a dry run, of which roles and policies are asked as of any other request: nothing of it is done. */
const dry = ({ target, ...tried }: Tried): Tried =>
  tried.method === 'GET' || target.includes('/exec')
    ? { ...tried, target }
    : { ...tried, target: `${target}${target.includes('?') ? '&' : '?'}dryRun=All` }

/** What the actor's token can do, and cannot, where roles and policy are in force. It takes away what it makes. */
export function stolenTokenContract(name: string, open: () => Promise<StolenToken>): void {
  describe(`a stolen token of the actor on ${name}`, () => {
    let servers: StolenToken
    let clear: (() => Promise<void>) | undefined
    const tried = async (one: Tried): Promise<number> =>
      (await call(servers.actor, { body: undefined, ...dry(one) })).status
    beforeAll(async () => {
      servers = await open()
      clear = await furnished(servers.admin)
    })
    afterAll(() => clear?.())

    test.for([...BY_THE_POLICY, ...BY_ITS_ROLES].map((one) => [one.says, one] as const))(
      'gets no %s',
      async ([, one]) => expect(await tried(one)).toBe(403),
    )

    test.for(RIGHTFUL.map((one) => [one.says, one] as const))('%s', async ([, one]) =>
      expect([200, 201]).toContain(await tried(one)),
    )
  })
}

/** Makes what is tried on, and gives what takes it away again. */
export async function furnished(admin: ContractServer): Promise<() => Promise<void>> {
  const made: string[] = []
  for (const { target, body } of MADE) {
    // A new namespace refuses pods until its default service account is there.
    const make = async (): Promise<void> => {
      const { status } = await call(admin, { method: 'POST', target: at(target), body })
      if (status === 201) made.unshift(`${at(target)}/${body.metadata.name}?propagationPolicy=Background`)
      else if (status !== 409) throw new Error(`${target} could not be made: ${status}`)
    }
    // oxlint-disable-next-line no-await-in-loop -- some of it is in what was made before
    await vi.waitFor(make, 15_000)
  }
  return async () => {
    // oxlint-disable-next-line no-await-in-loop -- the other way round
    for (const target of made) await call(admin, { method: 'DELETE', target, body: undefined })
  }
}
