import { describe, expect, test } from 'vitest'
import { ownerOfObject, whyNotWritten } from './owner-of-object.ts'

type Meta = {
  readonly annotations?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly managedFields?: readonly object[]
  readonly ownerReferences?: readonly object[]
}

const deployment = (meta: Meta) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'lab', name: 'chat', ...meta },
})
const tracked = (id: string, more: Meta = {}) =>
  deployment({ ...more, annotations: { 'argocd.argoproj.io/tracking-id': id } })
const by = (manager: string, more: object = {}) => ({ manager, operation: 'Update', ...more })
const INSTANCE = { 'app.kubernetes.io/instance': 'chat' }

describe('Argo CD', () => {
  test('a tracking id that names the object', () => {
    expect(ownerOfObject(tracked('my-app:apps/Deployment:lab/chat'))).toEqual({
      kind: 'gitops',
      tool: 'argo-cd',
      application: 'my-app',
    })
  })

  test('of what belongs to no namespace', () => {
    const queue = {
      apiVersion: 'kueue.x-k8s.io/v1beta1',
      kind: 'ClusterQueue',
      metadata: {
        name: 'gpus',
        annotations: { 'argocd.argoproj.io/tracking-id': 'queues:kueue.x-k8s.io/ClusterQueue:kueue-system/gpus' },
      },
    }
    expect(ownerOfObject(queue)).toMatchObject({ tool: 'argo-cd', application: 'queues' })
  })

  test('and of the core group, whose name is empty', () => {
    const core = { apiVersion: 'v1', kind: 'ConfigMap' }
    expect(ownerOfObject({ ...tracked('a:/ConfigMap:lab/chat'), ...core })).toMatchObject({ application: 'a' })
  })

  test.each([
    ['another name', 'my-app:apps/Deployment:lab/other'],
    ['another namespace', 'my-app:apps/Deployment:prod/chat'],
    ['another kind', 'my-app:apps/StatefulSet:lab/chat'],
    ['another group', 'my-app:extensions/Deployment:lab/chat'],
    ['no tracking id at all', 'hello'],
  ])('a tracking id that was copied from %s proves nothing', (_, id) => {
    expect(ownerOfObject(tracked(id))).toEqual({ kind: 'free', tool: undefined, application: '' })
  })

  test('app.kubernetes.io/instance alone proves nothing; with Argo CD as a manager it names the application', () => {
    expect(ownerOfObject(deployment({ labels: INSTANCE }))).toMatchObject({ kind: 'free' })
    const applied = deployment({ labels: INSTANCE, managedFields: [by('argocd-controller', { operation: 'Apply' })] })
    expect(ownerOfObject(applied)).toEqual({ kind: 'gitops', tool: 'argo-cd', application: 'chat' })
    const told = deployment({ labels: INSTANCE, managedFields: [by('argocd-controller', { subresource: 'status' })] })
    expect(ownerOfObject(told)).toMatchObject({ kind: 'free' })
  })

  test('a restart from its page is not a management', () => {
    expect(ownerOfObject(deployment({ managedFields: [by('argocd-server')] }))).toMatchObject({ kind: 'free' })
  })

  test('its own label counts, as nobody else sets it', () => {
    expect(ownerOfObject(deployment({ labels: { 'argocd.argoproj.io/instance': 'my-app' } }))).toMatchObject({
      kind: 'gitops',
      application: 'my-app',
    })
  })

  test('a Helm chart that Argo CD renders is Argo CD’s', () => {
    const labels = { 'app.kubernetes.io/managed-by': 'Helm', ...INSTANCE }
    expect(ownerOfObject(tracked('my-app:apps/Deployment:lab/chat', { labels }))).toMatchObject({ tool: 'argo-cd' })
  })
})

describe('Flux', () => {
  test.each(['kustomize', 'helm'])('its %s labels', (part) => {
    const labels = {
      [`${part}.toolkit.fluxcd.io/name`]: 'apps',
      [`${part}.toolkit.fluxcd.io/namespace`]: 'flux-system',
    }
    expect(ownerOfObject(deployment({ labels }))).toEqual({
      kind: 'gitops',
      tool: 'flux',
      application: 'flux-system/apps',
    })
  })

  test('its controller among the managers', () => {
    const managedFields = [by('kubectl-client-side-apply'), by('kustomize-controller', { operation: 'Apply' })]
    expect(ownerOfObject(deployment({ managedFields }))).toMatchObject({ kind: 'gitops', tool: 'flux' })
  })

  test('an object that Flux was told to leave alone is still written in git', () => {
    const labels = {
      'kustomize.toolkit.fluxcd.io/name': 'apps',
      'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
    }
    const annotations = { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' }
    expect(ownerOfObject(deployment({ labels, annotations }))).toMatchObject({ kind: 'gitops' })
  })
})

describe('a Helm release', () => {
  test('by label and annotation together, or by who wrote it', () => {
    const labels = { 'app.kubernetes.io/managed-by': 'Helm', ...INSTANCE }
    const annotations = { 'meta.helm.sh/release-name': 'chat', 'meta.helm.sh/release-namespace': 'lab' }
    expect(ownerOfObject(deployment({ labels, annotations }))).toEqual({
      kind: 'gitops',
      tool: 'helm',
      application: 'lab/chat',
    })
    expect(ownerOfObject(deployment({ managedFields: [by('helm')] }))).toMatchObject({ tool: 'helm', application: '' })
    expect(ownerOfObject(deployment({ labels }))).toMatchObject({ kind: 'free' })
  })
})

describe('free', () => {
  test('kubectl, and nobody', () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' }
    expect(ownerOfObject(deployment({ annotations }))).toMatchObject({ kind: 'free', tool: 'kubectl' })
    expect(ownerOfObject(deployment({ managedFields: [by('kubectl')] }))).toMatchObject({ tool: 'kubectl' })
    expect(ownerOfObject(deployment({ managedFields: [by('kubectl-scale', { subresource: 'scale' })] }))).toEqual({
      kind: 'free',
      tool: undefined,
      application: '',
    })
    expect(ownerOfObject({})).toMatchObject({ kind: 'free' })
  })
})

describe('a child', () => {
  const child = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      namespace: 'lab',
      name: 'chat-5d9',
      // A Deployment's annotations are copied to its ReplicaSets.
      annotations: { 'argocd.argoproj.io/tracking-id': 'my-app:apps/Deployment:lab/chat' },
      labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'chat', controller: true }],
    },
  }

  test('is nobody’s by its copied signs: its owner is to be asked', () => {
    expect(ownerOfObject(child)).toEqual({ kind: 'child', of: { group: 'apps', kind: 'Deployment', name: 'chat' } })
  })

  test('is none where the owner only wants it to be collected with it', () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'group' }]
    expect(ownerOfObject(deployment({ ownerReferences }))).toMatchObject({ kind: 'free' })
  })
})

test('the words say who manages it and what to do', () => {
  expect(whyNotWritten({ kind: 'gitops', tool: 'flux', application: 'flux-system/apps' }, 'lab/chat')).toBe(
    "lab/chat is managed by Flux (flux-system/apps), so Septet does not write to it. Make the change in git; the exact change is in the plan's files.",
  )
  expect(whyNotWritten({ kind: 'gitops', tool: 'argo-cd', application: '' }, 'lab/chat')).toContain(
    'is managed by Argo CD, so',
  )
  expect(whyNotWritten({ kind: 'child', of: { group: 'ray.io', kind: 'RayJob', name: 'tune' } }, 'lab/tune-x')).toBe(
    'lab/tune-x is made by RayJob tune, which would change it back. Change RayJob tune instead.',
  )
  expect(whyNotWritten({ kind: 'gitops', tool: 'helm', application: 'lab/chat' }, 'lab/chat')).toContain(
    'Make the change in the values of its release',
  )
  expect(whyNotWritten({ kind: 'free', tool: 'kubectl', application: '' }, 'lab/chat')).toBeUndefined()
})
