import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, test } from 'vitest'

import { TestedDemo, type Answer, type Body } from './demo.fixture.ts'

const demo = new TestedDemo({}, 'actor')

const NODE = '/api/v1/nodes/gpu-t4-04'
const CORDON = { spec: { unschedulable: true } }
const REVIEW = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
const ACTOR = 'system:serviceaccount:septet:septet-actor'
const review = async (resourceAttributes: Body, as: 'actor' | 'reader' = 'actor'): Promise<boolean> =>
  (await demo.call('POST', REVIEW, { as, body: { spec: { resourceAttributes } } })).body['status'].allowed as boolean
const evict = (namespace: string, name: string, query = ''): Promise<Answer> =>
  demo.call('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction${query}`, { body: { metadata: { name } } })

describe('who acts', () => {
  test('has a kubeconfig of its own for the same cluster, and both users stay known over a restart', async () => {
    const { kubeconfigPath, actorKubeconfigPath, token, actorToken } = demo.cluster
    expect(actorKubeconfigPath).toBe(path.join(demo.folder, 'demo-actor.kubeconfig'))
    expect(statSync(actorKubeconfigPath).mode & 0o777).toBe(0o600)
    const [reads, acts] = [kubeconfigPath, actorKubeconfigPath].map((file) => readFileSync(file, 'utf8'))
    expect(reads).toContain(token)
    expect(reads).not.toContain(actorToken)
    expect(acts).toContain(actorToken)
    expect(acts).toContain('user: septet-demo-actor')
    const server = /server: \S+/
    expect(acts?.match(server)?.[0]).toBe(reads?.match(server)?.[0])
    await demo.restart()
    expect([demo.cluster.token, demo.cluster.actorToken]).toEqual([token, actorToken])
    expect((await demo.call('GET', NODE)).status).toBe(200)
  })

  test('may do everything unless rules say otherwise', async () => {
    expect((await demo.patch(NODE, CORDON)).status).toBe(200)
    expect(await review({ verb: 'patch', group: '', resource: 'nodes' })).toBe(true)
  })

  test('is refused what its rules do not name, in the words of an API server, and told so when it asks', async () => {
    demo.cluster.grantActor([
      { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'patch'] },
      { namespace: 'sandbox', apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
      {
        namespace: 'gpu-operator',
        apiGroups: [''],
        resources: ['configmaps'],
        verbs: ['get', 'patch'],
        resourceNames: ['custom-mig-config'],
      },
    ])
    expect((await demo.patch(NODE, CORDON)).status).toBe(200)
    expect((await demo.call('DELETE', NODE)).body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'nodes "gpu-t4-04" is forbidden: User "system:serviceaccount:septet:septet-actor" cannot delete resource "nodes" in API group "" at the cluster scope',
      details: { name: 'gpu-t4-04', kind: 'nodes' },
    })
    expect((await demo.call('GET', '/api/v1/pods')).body['message']).toBe(
      'pods is forbidden: User "system:serviceaccount:septet:septet-actor" cannot list resource "pods" in API group "" at the cluster scope',
    )
    expect((await evict('media-encoding', 'x')).body['message']).toBe(
      'pods "x" is forbidden: User "system:serviceaccount:septet:septet-actor" cannot create resource "pods/eviction" in API group "" in the namespace "media-encoding"',
    )
    expect((await evict('sandbox', 'none')).status).toBe(404)
    const map = '/api/v1/namespaces/gpu-operator/configmaps/custom-mig-config'
    expect((await demo.patch(map, { data: { 'config.yaml': 'b' } })).status).toBe(200)
    expect((await demo.patch(map.replace('custom', 'other'), { data: { 'config.yaml': 'b' } })).status).toBe(403)
    expect(await review({ verb: 'patch', group: '', resource: 'nodes', name: 'gpu-t4-04' })).toBe(true)
    expect(await review({ verb: 'delete', group: '', resource: 'nodes' })).toBe(false)
    const eviction = { verb: 'create', group: '', resource: 'pods', subresource: 'eviction' }
    expect(await review({ ...eviction, namespace: 'sandbox' })).toBe(true)
    expect(await review({ ...eviction, namespace: 'media-encoding' })).toBe(false)
    expect(await review(eviction)).toBe(false)
    expect((await demo.call('DELETE', NODE, { as: 'reader' })).status).toBe(200)
  })

  test('loses its rights while it works, and gets them back', async () => {
    demo.cluster.grantActor([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }])
    expect((await demo.patch(NODE, CORDON)).status).toBe(200)
    demo.cluster.grantActor([])
    expect((await demo.patch(NODE, { spec: { unschedulable: null } })).status).toBe(403)
    expect((await demo.get(NODE))['spec'].unschedulable).toBe(true)
    demo.cluster.grantActor(undefined)
    expect((await demo.patch(NODE, { spec: { unschedulable: null } })).status).toBe(200)
  })
})

test('every API request is recorded with who made it, and equal ones are counted', async () => {
  const [pod] = await demo.items('/api/v1/namespaces/sandbox/pods')
  const name = pod?.['metadata'].name as string
  await demo.get('/api/v1/namespaces/sandbox/pods')
  await evict('sandbox', name, '?dryRun=All')
  demo.cluster.grantActor([])
  await evict('sandbox', name)
  await review({ verb: 'get', group: '', resource: 'pods' })
  const common = { group: '', namespace: 'sandbox' }
  expect(demo.cluster.requests()).toEqual([
    { user: 'demo', verb: 'list', resource: 'pods', ...common, name: undefined, dryRun: false, count: 2 },
    { user: ACTOR, verb: 'create', resource: 'pods/eviction', ...common, name, dryRun: true, count: 1 },
    { user: ACTOR, verb: 'create', resource: 'pods/eviction', ...common, name, dryRun: false, count: 1 },
    {
      user: ACTOR,
      verb: 'create',
      group: 'authorization.k8s.io',
      resource: 'selfsubjectaccessreviews',
      namespace: undefined,
      name: undefined,
      dryRun: false,
      count: 1,
    },
  ])
})
