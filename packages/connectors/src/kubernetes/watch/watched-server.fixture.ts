import { instant, type Inventory } from '@septet/domain'
import { afterEach, expect, test } from 'vitest'
import { node, pod } from './cluster-objects.fixture.ts'
import { openClusterReader, type ClusterReaderOptions, type KubernetesReader } from './cluster-reader.ts'
import { DEFAULT_RESOURCES, ScriptedApiServer, writeKubeconfig } from './scripted-api-server.fake.ts'

/** Opens what the tests of a file look at, and closes it after them. */
export function openBeforeTests(): void {
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
  })
}

const QUICK = {
  backOffBase: 10,
  backOffCap: 80,
  response: 60_000,
  silence: 60_000,
  steady: 60_000,
  retryForbidden: 100,
  retryAbsent: 100,
  heartbeat: 40,
  probe: 60_000,
  rediscover: 100_000,
  debounce: 5,
  firstSync: 60_000,
}
export const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
export const cleanUps: (() => Promise<void> | void)[] = []

export async function serve(resources: Record<string, string[]> = DEFAULT_RESOURCES): Promise<ScriptedApiServer> {
  const server = await new ScriptedApiServer(resources).start()
  cleanUps.push(() => server.stop())
  return server
}

export function read(server: { url: string }, changes: Partial<ClusterReaderOptions> = {}): KubernetesReader {
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

export const has = (reader: KubernetesReader): Inventory => {
  const inventory = reader.inventory()
  if (inventory === undefined) throw new Error('nothing read yet')
  return inventory
}
export const reported = (name: string, object: object, reason: string) => ({
  metadata: { name, namespace: 'team', creationTimestamp: '2026-01-01T00:00:00Z' },
  involvedObject: { namespace: 'team', ...object },
  reason,
  message: `${reason} it`,
  type: 'Normal',
  lastTimestamp: '2026-01-01T00:00:00Z',
})
export const podNames = (reader: KubernetesReader): string[] => (reader.inventory()?.pods ?? []).map(({ name }) => name)
export async function eventually(check: () => void): Promise<void> {
  await expect.poll(() => attempt(check), { timeout: 10_000, interval: 5 }).toBe('ok')
}
function attempt(check: () => void): string {
  try {
    check()
    return 'ok'
  } catch (error) {
    return String(error)
  }
}

/** A list that a mirror goes on from: not of finished pods, which are read once. */
export const isMirrored = ({ query }: ScriptedApiServer['calls'][number]): boolean =>
  !query.has('watch') && query.get('fieldSelector')?.startsWith('status.phase=') !== true

export const lists = (server: ScriptedApiServer, resource: string): number =>
  server.calls.filter((call) => call.path.endsWith(`/${resource}`) && isMirrored(call)).length

const agent = (cpu: string) =>
  pod('kube-system', 'agent', { spec: { nodeName: 'gpu-0', containers: [{ resources: { requests: { cpu } } }] } })
test('what pods without a GPU ask for is taken of their node, and given back when they go', async () => {
  const server = await serve(DEFAULT_RESOURCES)
  server.put('nodes', node('gpu-0'))
  server.put('pods', agent('1500m'))
  const reader = read(server)
  await reader.start()
  const used = () => has(reader).nodes[0]?.room.cpuUsed
  expect(used()).toBe(1500)
  server.put('pods', agent('2'))
  await eventually(() => expect(used()).toBe(2000))
  server.remove('pods', 'kube-system/agent')
  await eventually(() => expect(used()).toBe(0))
  expect(has(reader).pods).toEqual([])
  await reader.stop()
})

const exporter = (name: string, status: object = {}) =>
  pod('monitoring', name, { metadata: { labels: { app: 'dcgm-exporter' } }, resources: {}, status })
test('a node is known by its addresses and by the exporters that run on it, as they come and go', async () => {
  const server = await serve(DEFAULT_RESOURCES)
  const addresses = [
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'Hostname', address: 'rack-7' },
  ]
  server.put('nodes', node('gpu-0', { addresses }))
  server.put('pods', exporter('one'))
  server.put('pods', agent('1'))
  const reader = read(server)
  await reader.start()
  const knownAs = () => has(reader).nodes[0]?.knownAs
  expect(knownAs()).toEqual(['10.0.0.1', 'rack-7', 'monitoring/one'])
  server.put('pods', exporter('one', { podIP: '10.1.0.1' }))
  await eventually(() => expect(knownAs()).toEqual(['10.0.0.1', 'rack-7', 'monitoring/one', '10.1.0.1']))
  server.remove('pods', 'monitoring/one')
  server.put('pods', exporter('two'))
  await eventually(() => expect(knownAs()).toEqual(['10.0.0.1', 'rack-7', 'monitoring/two']))
  await reader.stop()
})
