import { writeFileSync } from 'node:fs'
import type { Inventory } from '@septet/domain'
import { instant } from '@septet/domain'
import { afterEach, describe, expect, test } from 'vitest'
import { node, ownedBy, owner, pod } from './cluster-objects.suite.ts'
import type { ClusterReaderOptions, KubernetesReader } from './cluster-reader.ts'
import { openClusterReader } from './cluster-reader.ts'
import {
  DEFAULT_RESOURCES,
  DRA,
  KUEUE,
  recordedAnswer,
  ScriptedApiServer,
  writeKubeconfig,
} from './scripted-api-server.suite.ts'

const QUICK = {
  backOffBase: 10,
  backOffCap: 80,
  response: 400,
  silence: 60_000,
  steady: 60_000,
  retryForbidden: 100,
  heartbeat: 40,
  rediscover: 100_000,
  debounce: 5,
  firstSync: 5000,
}
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const cleanUps: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function serve(resources: Record<string, string[]> = DEFAULT_RESOURCES): Promise<ScriptedApiServer> {
  const server = await new ScriptedApiServer(resources).start()
  cleanUps.push(() => server.stop())
  return server
}

function read(server: { url: string }, changes: Partial<ClusterReaderOptions> = {}): KubernetesReader {
  const kubeconfig = writeKubeconfig(server.url)
  const reader = openClusterReader({
    kubeconfig,
    log,
    clock: () => instant(Date.now()),
    random: () => 0.5,
    ...changes,
    timing: { ...QUICK, ...changes.timing },
  })
  cleanUps.push(kubeconfig.remove, () => reader.stop())
  return reader
}

const has = (reader: KubernetesReader): Inventory => {
  const inventory = reader.inventory()
  if (inventory === undefined) throw new Error('nothing read yet')
  return inventory
}
const podNames = (reader: KubernetesReader): string[] => (reader.inventory()?.pods ?? []).map(({ name }) => name)
const eventually = (check: () => void): Promise<void> =>
  expect.poll(() => attempt(check), { timeout: 10_000, interval: 5 }).toBe('ok')
function attempt(check: () => void): string {
  try {
    check()
    return 'ok'
  } catch (error) {
    return String(error)
  }
}

describe('reading a cluster', () => {
  test('start returns with the whole inventory: nodes, GPU pods, owners found above them', async () => {
    const server = await serve()
    server.put('nodes', node('gpu-0'))
    server.put(
      'nodes',
      node('cpu-0', {
        labels: {
          'nvidia.com/gpu.present': undefined,
          'nvidia.com/gpu.product': undefined,
          'nvidia.com/gpu.count': undefined,
        },
        capacity: { cpu: '8' },
      }),
    )
    server.put('pods', pod('team', 'web-7d4-x', { metadata: { ...ownedBy('ReplicaSet', 'web-7d4') } }))
    server.put('pods', pod('team', 'plain', { resources: { cpu: '1' } }))
    server.put('replicasets', owner('team', ['ReplicaSet', 'web-7d4'], ownedBy('Deployment', 'web')))
    server.put('deployments', owner('team', ['Deployment', 'web']))
    const reader = read(server)
    await reader.start()
    const inventory = has(reader)
    expect(inventory.serverVersion).toBe('v1.34.1')
    expect(inventory.nodes.map(({ name, gpuCount, pool, ready }) => ({ name, gpuCount, pool, ready }))).toEqual([
      { name: 'gpu-0', gpuCount: 8, pool: 'h100', ready: true },
    ])
    expect(inventory.pods.map(({ id, workload }) => ({ id, workload }))).toEqual([
      { id: 'team/web-7d4-x', workload: 'team/Deployment/web' },
    ])
    expect(inventory.workloads).toMatchObject([
      {
        id: 'team/Deployment/web',
        class: 'inference',
        status: 'running',
        requests: [{ resource: 'nvidia.com/gpu', count: 1 }],
      },
    ])
    expect(inventory.problems).toEqual([])
    expect(reader.state()).toMatchObject({ kind: 'connected', problems: [] })
  })

  test('a label, a pod that comes and a pod that goes are seen through the watch', async () => {
    const server = await serve()
    server.put('nodes', node('gpu-0'))
    const reader = read(server)
    await reader.start()
    let notices = 0
    reader.onChange(() => {
      notices += 1
    })
    server.put('nodes', node('gpu-0', { labels: { 'nvidia.com/mig.config': 'all-1g.10gb' } }))
    await eventually(() => expect(has(reader).nodes[0]?.mig.config).toBe('all-1g.10gb'))
    server.put('pods', pod('team', 'a'))
    await eventually(() => expect(podNames(reader)).toEqual(['a']))
    server.put('pods', pod('team', 'a', { status: { phase: 'Succeeded' } }))
    await eventually(() => expect(podNames(reader)).toEqual([]))
    server.put('pods', pod('team', 'b'))
    await eventually(() => expect(podNames(reader)).toEqual(['b']))
    server.remove('pods', 'team/b')
    await eventually(() => expect(podNames(reader)).toEqual([]))
    expect(notices).toBeGreaterThan(0)
  })

  test('lists by pages of 500', async () => {
    const server = await serve()
    server.seed(
      'pods',
      Array.from({ length: 1201 }, (_, index) => pod('team', `p${index}`)),
    )
    const reader = read(server)
    await reader.start()
    expect(has(reader).pods).toHaveLength(1201)
    const lists = server.calls.filter(({ path, query }) => path === '/api/v1/pods' && !query.has('watch'))
    expect(lists.map(({ query }) => [query.get('limit'), query.get('continue')])).toEqual([
      ['500', null],
      ['500', '500'],
      ['500', '1000'],
    ])
    expect(lists[0]?.authorization).toBe('Bearer secret')
  })
})
