import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instant } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, toKubeconfig, type ContractServer } from '../contract-server.fixture.ts'
import { openClusterReader, type KubernetesReader } from './cluster-reader.ts'

const LABEL = 'septet.io/contract-test'
// A name of its own for each run: a namespace that is being deleted takes no more pods.
const RUN = `septet-contract-${randomBytes(4).toString('hex')}`
const NAMESPACE = RUN

const eventually = async (check: () => boolean): Promise<void> => {
  await expect.poll(check, { timeout: 15_000, interval: 20 }).toBe(true)
}

/**
 * What the reader and any Kubernetes API must do together. It makes one node and one namespace of its own where the
 * server lets it, and takes them away again.
 */
export function kubernetesContract(name: string, open: () => Promise<ContractServer>): void {
  describe(`the reader on ${name}`, () => {
    let server: ContractServer
    let reader: KubernetesReader
    let request: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>
    const nodeName = RUN
    const folder = mkdtempSync(join(tmpdir(), 'septet-contract-'))

    beforeAll(async () => {
      server = await open()
      const path = join(folder, 'kubeconfig')
      writeFileSync(path, JSON.stringify(toKubeconfig(server)))
      request = (method, target, body) => call(server, { method, target, body })
      await request('POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: NAMESPACE },
      })
      await request('POST', '/api/v1/nodes', newNode(nodeName))
      await request('PATCH', `/api/v1/nodes/${nodeName}/status`, { status: { capacity: GPUS, allocatable: GPUS } })
      const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
      reader = openClusterReader({
        kubeconfig: { path },
        log: silent,
        clock: () => instant(Date.now()),
        random: Math.random,
      })
      await reader.start()
    })
    afterAll(async () => {
      await reader?.stop()
      await request?.('DELETE', `/api/v1/nodes/${nodeName}`)
      await request?.('DELETE', `/api/v1/namespaces/${NAMESPACE}`)
      await server?.close?.()
      rmSync(folder, { recursive: true, force: true })
    })
    const podKnown = (id: string): boolean => reader.inventory()?.pods.some((pod) => pod.id === id) ?? false

    test('syncs: connected, with a version and GPU nodes', () => {
      expect(reader.state()).toMatchObject({ kind: 'connected' })
      expect(reader.inventory()?.serverVersion).toMatch(/^v1\./)
      expect(reader.inventory()?.nodes.length).toBeGreaterThan(0)
    })

    test('knows the namespaces that every cluster has', () => {
      expect(reader.inventory()?.namespaces).toEqual(expect.arrayContaining(['default', 'kube-system']))
    })

    test('knows the priority classes that every cluster has', () => {
      expect(reader.inventory()?.priorityClasses).toEqual(
        expect.arrayContaining([
          { name: 'system-cluster-critical', priority: 2_000_000_000, preempts: true },
          { name: 'system-node-critical', priority: 2_000_001_000, preempts: true },
        ]),
      )
    })

    test('sees a label change', async () => {
      const [target] = reader.inventory()?.nodes.toReversed() ?? []
      const before = target?.pool ?? ''
      const label = 'karpenter.sh/nodepool'
      const patch = (pool: string | null): Promise<{ status: number }> =>
        request('PATCH', `/api/v1/nodes/${target?.name}`, { metadata: { labels: { [label]: pool, [LABEL]: 'yes' } } })
      expect((await patch('contract')).status).toBe(200)
      await eventually(() => reader.inventory()?.nodes.find((node) => node.name === target?.name)?.pool === 'contract')
      await patch(before === '' ? null : before)
      await request('PATCH', `/api/v1/nodes/${target?.name}`, { metadata: { labels: { [LABEL]: null } } })
    })

    test('sees a GPU pod come and go', async () => {
      const id = `${NAMESPACE}/contract-pod`
      // A new namespace refuses pods until its default service account is there.
      const create = async (): Promise<number> =>
        (await request('POST', `/api/v1/namespaces/${NAMESPACE}/pods`, newPod('contract-pod'))).status
      await expect
        .poll(create, { timeout: 15_000, interval: 300 })
        .toSatisfy((status) => status === 201 || status === 409)
      await eventually(() => podKnown(id))
      expect(reader.inventory()?.pods.find((pod) => pod.id === id)).toMatchObject({
        requests: [{ resource: 'nvidia.com/gpu', count: 1 }],
        workload: `${NAMESPACE}/Pod/contract-pod`,
      })
      await request('DELETE', `/api/v1/namespaces/${NAMESPACE}/pods/contract-pod?gracePeriodSeconds=0`)
      await eventually(() => !podKnown(id))
    })

    test('the server lists in pages that add up, at one version', async () => {
      type List = { metadata: { continue?: string; resourceVersion: string }; items: { metadata: { name: string } }[] }
      const page = async (query: string): Promise<List> =>
        (await request('GET', `/api/v1/namespaces?${query}`)).body as List
      const first = await page('limit=1')
      const names = first.items.map(({ metadata }) => metadata.name)
      expect(names).toHaveLength(1)
      let { metadata } = first
      while (metadata.continue !== undefined && metadata.continue !== '') {
        expect(metadata.resourceVersion).toBe(first.metadata.resourceVersion)
        const next = await page(`limit=50&continue=${encodeURIComponent(metadata.continue)}`)
        names.push(...next.items.map((item) => item.metadata.name))
        metadata = next.metadata
      }
      expect(new Set(names).size).toBe(names.length)
      expect(names).toContain(NAMESPACE)
    })

    test('the server refuses with a Status that names the reason', async () => {
      const missing = await request('GET', `/api/v1/nodes/${RUN}-missing`)
      expect(missing).toMatchObject({ status: 404, body: { kind: 'Status', reason: 'NotFound', code: 404 } })
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }
      const taken = await request('POST', '/api/v1/namespaces', namespace)
      expect(taken).toMatchObject({ status: 409, body: { kind: 'Status', reason: 'AlreadyExists', code: 409 } })
      const stale = { metadata: { resourceVersion: '1', labels: { [LABEL]: 'yes' } } }
      const conflict = await request('PATCH', `/api/v1/nodes/${nodeName}`, stale)
      expect(conflict).toMatchObject({ status: 409, body: { kind: 'Status', reason: 'Conflict', code: 409 } })
    })

    test('can be asked what the role lacks', async () => {
      expect(await reader.checkPermissions()).toEqual(expect.any(Array))
    })
  })
}

const GPUS = { cpu: '64', 'nvidia.com/gpu': '8' }

const newNode = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: {
      'nvidia.com/gpu.present': 'true',
      'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3',
      'nvidia.com/gpu.count': '8',
    },
  },
})

const newPod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: NAMESPACE },
  spec: {
    containers: [
      {
        name: 'main',
        image: 'registry.k8s.io/pause:3.10',
        resources: { limits: { 'nvidia.com/gpu': '1' }, requests: { 'nvidia.com/gpu': '1' } },
      },
    ],
    terminationGracePeriodSeconds: 0,
    schedulerName: 'septet-contract-test',
  },
})
