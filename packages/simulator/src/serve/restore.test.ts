import { expect, test } from 'vitest'

import { TestedDemo, type Body } from './demo.fixture.ts'

const demo = new TestedDemo({ migMs: 300 })

const LISTS = [
  '/api/v1/nodes',
  '/api/v1/pods',
  '/api/v1/configmaps',
  '/apis/apps/v1/deployments',
  '/apis/batch/v1/jobs',
]
const NODE = 'gpu-l40s-05'
const EVENTS = '/api/v1/namespaces/data-science/events'

/** Versions go up whatever happens. */
const unversioned = (object: Body): Body => ({ ...object, metadata: { ...object['metadata'], resourceVersion: '' } })
const contents = async (): Promise<unknown> =>
  Promise.all(LISTS.map(async (list) => (await demo.items(list)).map(unversioned)))
const exporter = async (): Promise<string> => (await fetch(`${demo.cluster.apiUrl}/exporter/${NODE}/metrics`)).text()

async function disturb(): Promise<void> {
  demo.cluster.faults.add({ kind: 'late-device-plugin' })
  demo.cluster.grantActor([])
  demo.cluster.grantActor(undefined)
  await demo.patch(`/api/v1/nodes/${NODE}`, { spec: { unschedulable: true } })
  const config = { metadata: { name: 'septet-stop' }, data: {} }
  await demo.call('POST', '/api/v1/namespaces/data-science/configmaps', { body: config })
  await demo.patch('/apis/apps/v1/namespaces/data-science/deployments/playground-tagger', { spec: { replicas: 0 } })
  demo.now += 3_600_000
  await demo.get('/version')
}

test('a restored cluster is as it was when it started: objects, exporters, journal, faults, requests and rights', async () => {
  const began = demo.now
  const before = [await contents(), await exporter()]
  await disturb()
  demo.cluster.grantActor([])
  expect([await contents(), await exporter()]).not.toEqual(before)
  demo.now = began
  demo.cluster.restore()
  expect(demo.cluster.requests()).toEqual([])
  expect(demo.cluster.journal()).toEqual([])
  expect(demo.cluster.faults.active()).toEqual([])
  expect([await contents(), await exporter()]).toEqual(before)
  expect((await demo.patch(`/api/v1/nodes/${NODE}`, { spec: { unschedulable: true } })).status).toBe(200)
  // It goes on as the first did.
  demo.now += 60_000
  expect((await demo.items(EVENTS)).length).toBeGreaterThan(0)
})

test('who watches goes on, and is told what differs and nothing else', async () => {
  const began = demo.now
  const { metadata } = await demo.get('/api/v1/nodes')
  const stop = new AbortController()
  const query = `watch=true&resourceVersion=${metadata.resourceVersion}`
  const headers = { authorization: `Bearer ${demo.cluster.token}` }
  const { body } = await fetch(`${demo.cluster.apiUrl}/api/v1/nodes?${query}`, { headers, signal: stop.signal })
  const lines = body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async (): Promise<Body> => JSON.parse((await lines?.read())?.value ?? '') as Body
  await demo.patch(`/api/v1/nodes/${NODE}`, { spec: { unschedulable: true } })
  const cordoned = await next()
  demo.now = began
  demo.cluster.restore()
  const restored = await next()
  expect(
    [cordoned, restored].map(({ type, object }) => [type, object.metadata.name, object.spec.unschedulable]),
  ).toEqual([
    ['MODIFIED', NODE, true],
    ['MODIFIED', NODE, undefined],
  ])
  // The next word is of the next change.
  await demo.patch('/api/v1/nodes/gpu-h100-03', { spec: { unschedulable: true } })
  expect((await next())['object'].metadata.name).toBe('gpu-h100-03')
  const versions = (await demo.items('/api/v1/nodes')).map((node) => Number(node['metadata'].resourceVersion))
  expect(Math.max(...versions)).toBeGreaterThan(Number(restored['object'].metadata.resourceVersion))
  stop.abort()
})
