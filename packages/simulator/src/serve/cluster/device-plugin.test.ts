import { expect, test } from 'vitest'

import { TestedDemo, type Answer, type Body } from '../demo.fixture.ts'

const demo = new TestedDemo({ migMs: 300 })

/** Nobody works here. */
const NODE = 'gpu-a100-40-02'
const PATH = `/api/v1/nodes/${NODE}`
const MAP = '/api/v1/namespaces/gpu-operator/configmaps/device-plugin-config'
const WHOLE = { strategy: 'none', replicas: '1', product: 'NVIDIA-A100-SXM4-40GB', mps: 'false', offers: '4' }
const THREE = {
  ...WHOLE,
  strategy: 'time-slicing',
  replicas: '3',
  product: 'NVIDIA-A100-SXM4-40GB-SHARED',
  offers: '12',
}

const node = async (): Promise<Body> => {
  const { metadata, status } = await demo.get(PATH)
  const label = (name: string): string => metadata.labels[`nvidia.com/${name}`]
  return {
    strategy: label('gpu.sharing-strategy'),
    replicas: label('gpu.replicas'),
    product: label('gpu.product'),
    mps: label('mps.capable'),
    offers: status.allocatable['nvidia.com/gpu'],
  }
}
async function after(milliseconds: number): Promise<Body> {
  demo.now += milliseconds
  await demo.get('/version')
  return node()
}
const wear = (config: string | null): Promise<Answer> =>
  demo.patch(PATH, { metadata: { labels: { 'nvidia.com/device-plugin.config': config } } })
const configure = (name: string, sharing: Body): Promise<Answer> =>
  demo.patch(MAP, { data: { [name]: JSON.stringify({ version: 'v1', sharing }) } })
const shared = (replicas: number): Body => ({ resources: [{ name: 'nvidia.com/gpu', replicas }] })
async function restart(): Promise<void> {
  const [plugin = {}] = await demo.items(
    `/api/v1/namespaces/gpu-operator/pods?labelSelector=app=nvidia-device-plugin-daemonset&fieldSelector=spec.nodeName=${NODE}`,
  )
  await demo.call('DELETE', `/api/v1/namespaces/gpu-operator/pods/${plugin['metadata'].name}`)
}

test('a device plugin shares GPUs by the entry that its node wears, once the file has come to it', async () => {
  await configure('three', { timeSlicing: shared(3) })
  await wear('three')
  expect(await after(50_000)).toEqual(WHOLE)
  expect(await after(11_000)).toEqual(THREE)
  await wear('shared-4')
  expect(await after(2000)).toEqual({ ...THREE, replicas: '4', offers: '16' })
  await wear(null)
  expect(await after(2000)).toEqual(WHOLE)
})

test('a device plugin that starts again has the newest files, and offers nothing meanwhile', async () => {
  await configure('four', { mps: shared(4) })
  await wear('four')
  await restart()
  expect(await after(1000)).toEqual({ ...WHOLE, offers: '0' })
  expect(await after(3000)).toEqual({ ...THREE, strategy: 'mps', replicas: '4', mps: 'true', offers: '16' })
})

test('a running device plugin keeps what it has where the label names nothing, and a new one does not start', async () => {
  await wear('shared-4')
  expect(await after(2000)).toMatchObject({ replicas: '4', offers: '16' })
  await wear('no-such-entry')
  expect(await after(120_000)).toMatchObject({ replicas: '4', offers: '16' })
  await restart()
  expect(await after(120_000)).toMatchObject({ offers: '0' })
  await wear('shared-4')
  expect(await after(11_000)).toMatchObject({ replicas: '4', offers: '16' })
})

test('no device plugin starts where the ConfigMap has no entry at all', async () => {
  await demo.patch(MAP, { data: { 'shared-4': null } })
  await restart()
  expect(await after(120_000)).toMatchObject({ offers: '0' })
})

test('late-device-plugin also holds up a device plugin that starts again', async () => {
  await demo.call('POST', '/demo/faults', { body: { kind: 'late-device-plugin', node: NODE, seconds: 30 } })
  await restart()
  expect(await after(20_000)).toMatchObject({ offers: '0' })
  expect(await after(15_000)).toEqual(WHOLE)
})

test('devices that a pod holds are not shared under it', async () => {
  const path = '/api/v1/nodes/gpu-l40s-05'
  await demo.patch(path, { metadata: { labels: { 'nvidia.com/device-plugin.config': 'shared-4' } } })
  await after(2000)
  expect((await demo.get(path))['status'].allocatable['nvidia.com/gpu']).toBe('4')
})

test('a team’s own node takes none but its pods, and these go nowhere else', async () => {
  const { spec, metadata } = await demo.get('/api/v1/nodes/gpu-l40s-05')
  expect(spec.taints).toContainEqual({ key: 'dedicated', value: 'playground', effect: 'NoSchedule' })
  expect(metadata.labels.dedicated).toBe('playground')
  const [pod] = await demo.items(
    '/api/v1/namespaces/data-science/pods?labelSelector=app.kubernetes.io/name=playground-tagger',
  )
  expect(pod?.['spec']).toMatchObject({
    nodeSelector: { dedicated: 'playground' },
    tolerations: expect.arrayContaining([expect.objectContaining({ key: 'dedicated', value: 'playground' })]),
  })
})
