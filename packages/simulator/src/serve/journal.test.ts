import { describe, expect, test } from 'vitest'

import { TestedDemo, type Body } from './demo.fixture.ts'

const demo = new TestedDemo({ migMs: 300 })

const NODE = 'gpu-a100-40-02'
const journal = async (): Promise<readonly Body[]> => (await demo.get('/demo/journal'))['items'] as Body[]

async function pass(milliseconds: number): Promise<void> {
  demo.now += milliseconds
  await demo.get('/version')
}
async function evict(namespace: string, name: string, query = ''): Promise<void> {
  await demo.call('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction${query}`, {
    body: { metadata: { name } },
  })
}

describe('the journal', () => {
  test('tells who was evicted, deleted and started, where and when, and nothing of what ends by itself', async () => {
    const pods = await demo.items('/api/v1/namespaces/data-science/pods')
    const [first, second] = pods.filter(({ metadata }) => metadata.name.startsWith('playground-'))
    expect(await journal()).toEqual([])
    for (const pod of [first, second]) await evict('data-science', pod?.['metadata'].name as string, '?dryRun=All')
    await evict('data-science', first?.['metadata'].name as string)
    await demo.call('DELETE', `/api/v1/namespaces/data-science/pods/${second?.['metadata'].name}`)
    const about = (pod: Body | undefined): Body => ({
      at: new Date(demo.now).toISOString(),
      node: 'gpu-l40s-05',
      pod: `data-science/${pod?.['metadata'].name}`,
      uid: pod?.['metadata'].uid as string,
    })
    expect(await journal()).toEqual([
      { kind: 'evicted', ...about(first) },
      { kind: 'deleted', ...about(second) },
    ])
    await pass(15_000)
    const fresh = (await demo.items('/api/v1/namespaces/data-science/pods')).filter(({ metadata }) =>
      metadata.name.startsWith('playground-'),
    )
    const started = (await journal()).filter(({ kind }) => kind === 'pod-started').map(({ uid }) => uid as string)
    const known = new Set(pods.map(({ metadata }) => metadata.uid as string))
    const made = fresh.map(({ metadata }) => metadata.uid as string).filter((uid) => !known.has(uid))
    expect(made).toHaveLength(2)
    expect(started).toEqual(expect.arrayContaining(made))
    await pass(5 * 3_600_000)
    expect((await journal()).filter(({ kind }) => kind === 'evicted' || kind === 'deleted')).toHaveLength(2)
    expect(demo.cluster.journal()).toEqual(await journal())
  })

  test('tells of pods that a controller ends, and of those that went with their node', async () => {
    await demo.patch('/apis/apps/v1/namespaces/data-science/deployments/playground-tagger', { spec: { replicas: 0 } })
    await pass(5000)
    expect(await journal()).toMatchObject([
      { kind: 'deleted', node: 'gpu-l40s-05', pod: expect.stringContaining('data-science/playground-tagger-') },
    ])
    await demo.call('DELETE', '/api/v1/nodes/gpu-l40s-05')
    const gone = (await journal()).filter(({ kind }) => kind === 'deleted').map(({ pod }) => pod as string)
    expect(gone.filter((pod) => pod.startsWith('data-science/playground-'))).toHaveLength(4)
  })

  test('tells on which node a layout changed, and where mig-manager was started again', async () => {
    const pods = await demo.items(`/api/v1/namespaces/gpu-operator/pods?fieldSelector=spec.nodeName=${NODE}`)
    const manager = pods.find(({ metadata }) => metadata.name.startsWith('nvidia-mig-manager')) ?? {}
    await demo.patch(`/api/v1/nodes/${NODE}`, { metadata: { labels: { 'nvidia.com/mig.config': 'all-1g.5gb' } } })
    await pass(1000)
    await demo.call('DELETE', `/api/v1/namespaces/gpu-operator/pods/${manager['metadata'].name}`)
    await pass(1000)
    expect(await journal()).toMatchObject([
      { kind: 'reconfigured', node: NODE },
      { kind: 'deleted', node: NODE, uid: manager['metadata'].uid as string },
      { kind: 'mig-manager-restarted', node: NODE, pod: expect.stringContaining('gpu-operator/nvidia-mig-manager-') },
    ])
  })

  test('can be read, with the requests, from wherever the demo runs', async () => {
    expect(demo.cluster.journalUrl).toBe(`${demo.cluster.apiUrl}/demo/journal`)
    await demo.get('/api/v1/nodes')
    expect((await demo.get('/demo/requests'))['items']).toMatchObject([
      { user: 'demo', verb: 'list', resource: 'nodes' },
    ])
  })
})
