import { describe, expect, test } from 'vitest'

import { TestedDemo, type Answer, type Body } from '../demo.fixture.ts'

const demo = new TestedDemo()

const evict = (pod: Body, preconditions: Body = {}): Promise<Answer> =>
  demo.call('POST', `/api/v1/namespaces/${pod['metadata'].namespace}/pods/${pod['metadata'].name}/eviction`, {
    body: { metadata: { name: pod['metadata'].name }, deleteOptions: { preconditions } },
  })
const read = (pod: Body): Promise<Body> =>
  demo.get(`/api/v1/namespaces/${pod['metadata'].namespace}/pods/${pod['metadata'].name}`)

describe('eviction', () => {
  test('of another pod than the one that is meant is a conflict, and so is its deletion', async () => {
    const [pod = {}] = await demo.items('/api/v1/namespaces/sandbox/pods')
    const { name, uid } = pod['metadata'] as Body
    const said = {
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on Pod "${name}": the UID in the precondition (other) does not match the UID in record (${uid})`,
    }
    expect((await evict(pod, { uid: 'other' })).body).toMatchObject(said)
    const path = `/api/v1/namespaces/sandbox/pods/${name}`
    const options = { preconditions: { uid: 'other' } }
    expect((await demo.call('DELETE', path, { body: options })).body).toMatchObject(said)
    expect((await read(pod))['metadata'].deletionTimestamp).toBeUndefined()
    expect((await evict(pod, { uid })).status).toBe(201)
    expect((await read(pod))['metadata'].deletionTimestamp).toBeDefined()
  })

  test('of a pod that leaves already, or does not run, asks no budget', async () => {
    const budgets = await demo.items('/apis/policy/v1/poddisruptionbudgets')
    const loose = budgets.find(({ status }) => status.disruptionsAllowed === 1) ?? {}
    const { namespace, name } = loose['metadata'] as Body
    const query = `labelSelector=app.kubernetes.io/name=${name}`
    const [first = {}, second = {}] = await demo.items(`/api/v1/namespaces/${namespace}/pods?${query}`)
    expect((await evict(first)).status).toBe(201)
    expect((await evict(second)).status).toBe(429)
    expect((await evict(first)).status).toBe(201)
  })
})

test('a group that is served in two versions tells both, the preferred one first', async () => {
  const group = await demo.get('/apis/kueue.x-k8s.io')
  expect(group['versions'].map(({ version }: Body) => version as string)).toEqual(['v1beta2', 'v1beta1'])
  expect(group['preferredVersion'].version).toBe('v1beta2')
  const { groups } = await demo.get('/apis')
  const names = groups.map(({ name }: Body) => name as string) as string[]
  expect(new Set(names).size).toBe(names.length)
  const list = await demo.get('/apis/kueue.x-k8s.io/v1beta1/clusterqueues')
  expect(list).toMatchObject({ apiVersion: 'kueue.x-k8s.io/v1beta1', kind: 'ClusterQueueList' })
  expect(list['items']).toHaveLength(2)
})
