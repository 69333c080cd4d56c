import type { ConnectionStep } from '@septet/domain'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkCluster } from './check-cluster.ts'
import { ScriptedApiServer } from '../watch/scripted-api-server.fake.ts'

let server: ScriptedApiServer
beforeEach(async () => {
  server = await new ScriptedApiServer().start()
  server.put('nodes', {
    metadata: { name: 'gpu-1', labels: {} },
    status: { capacity: { 'nvidia.com/gpu': '8', cpu: '64' } },
  })
  server.put('nodes', { metadata: { name: 'cpu-1', labels: {} }, status: { capacity: { cpu: '64' } } })
})
afterEach(() => server.stop())

const kubeconfig = (address = server.url): string =>
  JSON.stringify({
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: address } }],
    users: [{ name: 'u', user: { token: 'let-me-in' } }],
  })

async function check(text = kubeconfig(), clock = Date.now) {
  const told: ConnectionStep[] = []
  const found = await checkCluster({
    kubeconfig: { text },
    operatorNamespace: 'gpu-operator',
    clock,
    signal: new AbortController().signal,
    tell: (step) => told.push(step),
  })
  const last = new Map(told.map((step) => [step.id, step]))
  const stateOf = (id: ConnectionStep['id']) => last.get(id)?.state
  return { found, told, last, stateOf }
}

test('a connection that works passes every step', async () => {
  const { found, last, told } = await check()
  expect([...(found.gpuNodes ?? [])]).toEqual(['gpu-1'])
  const states = [...last.values()].map(({ id, state }) => [id, state])
  expect(states.filter(([id]) => id !== 'certificate')).toEqual([
    ['credentials', 'passed'],
    ['reach', 'passed'],
    ['sign-in', 'passed'],
    ['permissions', 'passed'],
    ['gpus', 'passed'],
    ['clock', 'passed'],
  ])
  expect(last.get('gpus')?.said).toBe('1 of 2 nodes have GPUs. They offer 8 whole GPUs or replicas of GPUs.')
  // What goes on is told while it does.
  expect(told.filter(({ id, state }) => id === 'permissions' && state === 'running').length).toBeGreaterThan(5)
})

test('MIG devices that are offered as GPUs are not called whole GPUs, and whole GPUs not MIG devices', async () => {
  const labels = { 'nvidia.com/mig.strategy': 'single', 'nvidia.com/mig.config': 'all-1g.10gb' }
  server.put('nodes', {
    metadata: { name: 'cut-1', labels: { ...labels, 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3-MIG-1g.10gb' } },
    status: { capacity: { 'nvidia.com/gpu': '56' } },
  })
  server.put('nodes', {
    metadata: { name: 'whole-1', labels: { ...labels, 'nvidia.com/gpu.product': 'NVIDIA-L40S' } },
    status: { capacity: { 'nvidia.com/gpu': '4' } },
  })
  server.put('nodes', {
    metadata: { name: 'mixed-1', labels: { 'nvidia.com/mig.strategy': 'mixed' } },
    status: { capacity: { 'nvidia.com/gpu': '1', 'nvidia.com/mig-1g.10gb': '7' } },
  })
  const { last } = await check()
  expect(last.get('gpus')?.said).toBe(
    '4 of 5 nodes have GPUs. They offer 13 whole GPUs or replicas of GPUs and 63 MIG devices.',
  )
})

describe('what is missing is named', () => {
  test('a permission, with what is lost, what still works and the role that gives it', async () => {
    server.denied.add('watch pods')
    const { last } = await check()
    const step = last.get('permissions')
    expect(step).toMatchObject({ state: 'noticed', said: 'Missing: watch pods.' })
    expect(step?.items?.find(({ name }) => name === 'pods')?.said).toMatch(/^watch missing: who holds/u)
    expect(step?.manifest).toContain('resources: [pods]\n    verbs: [watch]')
  })
  test('without the nodes nothing can be shown', async () => {
    server.denied.add('list nodes')
    const { stateOf, last } = await check()
    expect([stateOf('permissions'), stateOf('gpus')]).toEqual(['failed', 'failed'])
    expect(last.get('gpus')?.said).toContain('Listing nodes is not permitted')
  })
  test('a token that is refused', async () => {
    server.misbehave = ({ path }) => (path === '/version' ? undefined : { status: 401 })
    const { stateOf, last } = await check()
    expect(last.get('sign-in')).toMatchObject({ state: 'failed', said: expect.stringContaining('401') })
    expect([stateOf('permissions'), stateOf('gpus'), stateOf('clock')]).toEqual(['skipped', 'skipped', 'skipped'])
  })
  test('a server that is not there', async () => {
    const address = server.url
    await server.stop()
    const { stateOf, last } = await check(kubeconfig(address))
    expect(last.get('reach')).toMatchObject({ state: 'failed', said: expect.stringContaining('connection is refused') })
    expect(stateOf('permissions')).toBe('skipped')
    await server.start()
  })
  test('a server that is no Kubernetes', async () => {
    server.misbehave = () => ({ text: '<h1>It works</h1>' })
    const { last } = await check()
    expect(last.get('sign-in')).toMatchObject({
      state: 'failed',
      said: expect.stringContaining('not as a Kubernetes API'),
    })
  })
  test('clocks that are apart', async () => {
    const { last } = await check(kubeconfig(), () => Date.now() + 90_000)
    expect(last.get('clock')).toMatchObject({ state: 'noticed', said: expect.stringMatching(/(89|90) s behind/u) })
  })
  test('a kubeconfig that is none', async () => {
    const { last, stateOf } = await check('nonsense')
    expect(last.get('credentials')).toMatchObject({
      state: 'failed',
      said: expect.stringContaining('not a kubeconfig'),
    })
    expect(stateOf('reach')).toBe('skipped')
  })
})
