import { describe, expect, test } from 'vitest'

import { TestedDemo, type Answer, type Body } from '../../demo.fixture.ts'
import { FAULT_NAMES } from './fault-kinds.ts'
import type { FaultWish } from './fault-list.ts'

const demo = new TestedDemo({ migMs: 300 })

const FAULTS = '/demo/faults'
/** Nobody works here. */
const NODE = 'gpu-a100-40-02'
const PATH = `/api/v1/nodes/${NODE}`
const MAP = '/api/v1/namespaces/gpu-operator/configmaps/custom-mig-config'

async function pass(milliseconds: number): Promise<void> {
  demo.now += milliseconds
  await demo.get('/version')
}
const fault = (wish: FaultWish): Promise<Answer> => demo.call('POST', FAULTS, { body: wish })
const active = async (): Promise<readonly Body[]> => (await demo.get(FAULTS))['active'] as Body[]
const label = (labels: Body): Promise<Answer> => demo.patch(PATH, { metadata: { labels } })
const cut = (config = 'all-1g.5gb'): Promise<Answer> => label({ 'nvidia.com/mig.config': config })
const node = async (): Promise<Body> => {
  const { metadata, status, spec } = await demo.get(PATH)
  const ready = status.conditions.find((each: Body) => each['type'] === 'Ready')
  return {
    state: metadata.labels['nvidia.com/mig.config.state'],
    plugin: metadata.labels['nvidia.com/gpu.deploy.device-plugin'],
    small: status.allocatable['nvidia.com/mig-1g.5gb'] ?? '0',
    whole: status.allocatable['nvidia.com/gpu'],
    ready: ready.status,
    unreachable: (spec.taints ?? []).length > 0,
  }
}
const WHOLE = { state: 'success', plugin: 'true', small: '0', whole: '4', ready: 'True', unreachable: false }
const CUT = { ...WHOLE, small: '28', whole: '0' }
const exporter = async (): Promise<number> => (await fetch(`${demo.cluster.apiUrl}/exporter/${NODE}/metrics`)).status

const service = async (): Promise<{ readonly path: string; readonly pod: Body }> => {
  const [pod = {}] = await demo.items(
    '/api/v1/namespaces/data-science/pods?labelSelector=app.kubernetes.io/name=playground-tagger',
  )
  return { path: `/api/v1/namespaces/data-science/pods/${pod['metadata'].name}`, pod }
}
const evict = (path: string): Promise<Answer> =>
  demo.call('POST', `${path}/eviction`, { body: { metadata: { name: path.split('/').at(-1) } } })

describe('the list of faults', () => {
  test('says what can go wrong, and takes and gives back what is wanted, with either token', async () => {
    const { kinds } = await demo.get(FAULTS)
    expect(kinds.map(({ kind }: Body) => kind as string)).toEqual(FAULT_NAMES)
    for (const { says } of kinds as Body[]) expect(says).toMatch(/\w{3}.*\.$/)
    const { status, body } = await fault({ kind: 'slow-mig', node: NODE, seconds: 5 })
    expect([status, body]).toEqual([201, { id: 'fault-1', kind: 'slow-mig', node: NODE, seconds: 5, times: 1 }])
    expect(await active()).toEqual([body])
    expect((await demo.call('DELETE', `${FAULTS}/fault-1`, { as: 'reader' })).status).toBe(200)
    expect(await active()).toEqual([])
    expect((await demo.call('DELETE', `${FAULTS}/fault-1`)).status).toBe(404)
    expect(demo.cluster.faultsUrl).toBe(`${demo.cluster.apiUrl}${FAULTS}`)
    expect((await fetch(demo.cluster.faultsUrl)).status).toBe(401)
  })

  test('refuses what it does not know, and what lacks something', async () => {
    const refused = [{ kind: 'meteor' }, { kind: 'slow-mig', times: 0 }, { kind: 'withheld-device' }]
    for (const body of refused) expect((await demo.call('POST', FAULTS, { body })).status).toBe(400)
    const { body } = await fault({ kind: 'mig-failed', node: 'none' })
    expect(body).toMatchObject({ code: 400, message: 'no node none' })
    expect(await active()).toEqual([])
  })

  test('can be used in the process, too', async () => {
    const { id } = demo.cluster.faults.add({ kind: 'api-500', times: 2 })
    expect(demo.cluster.faults.active()).toMatchObject([{ id, times: 2 }])
    expect((await cut()).status).toBe(500)
    expect(demo.cluster.faults.active()).toMatchObject([{ id, times: 1 }])
    expect([demo.cluster.faults.remove(id), demo.cluster.faults.remove(id)]).toEqual([true, false])
  })
})

describe('a MIG change', () => {
  test('takes as long as the demo was told', async () => {
    await cut()
    expect(await node()).toMatchObject({ state: 'pending', plugin: 'paused-for-mig-change', whole: '0' })
    await pass(250)
    expect(await node()).toMatchObject({ state: 'pending' })
    await pass(100)
    expect(await node()).toEqual(CUT)
  })

  test('that is changed while it goes on ends as was wanted last', async () => {
    await cut()
    await pass(100)
    await cut('all-2g.10gb')
    await pass(200)
    await cut('all-disabled')
    await pass(5000)
    expect(await node()).toEqual(WHOLE)
  })

  test('mig-stuck-pending stays so until the deploy labels are back and the configuration changes', async () => {
    await fault({ kind: 'mig-stuck-pending', node: NODE })
    await cut()
    await pass(3_600_000)
    const stuck = { state: 'pending', plugin: 'paused-for-mig-change', small: '0', whole: '0' }
    expect(await node()).toMatchObject(stuck)
    expect(await exporter()).toBe(503)
    await cut('all-2g.10gb')
    await pass(10_000)
    expect(await node()).toMatchObject(stuck)
    const parts = ['device-plugin', 'gpu-feature-discovery', 'dcgm-exporter', 'dcgm', 'nvsm']
    await label(Object.fromEntries(parts.map((part) => [`nvidia.com/gpu.deploy.${part}`, 'true'])))
    expect(await node()).toMatchObject({ state: 'pending', plugin: 'true', whole: '4' })
    expect(await exporter()).toBe(200)
    await cut()
    await pass(1000)
    expect(await node()).toEqual(CUT)
  })

  test('mig-failed stays failed until mig-manager is started again', async () => {
    await fault({ kind: 'mig-failed', node: NODE })
    await cut()
    await pass(600_000)
    expect(await node()).toEqual({ ...WHOLE, state: 'failed' })
    const pods = await demo.items(`/api/v1/namespaces/gpu-operator/pods?fieldSelector=spec.nodeName=${NODE}`)
    const manager = pods.find((pod) => pod['metadata'].name.startsWith('nvidia-mig-manager'))
    await demo.call('DELETE', `/api/v1/namespaces/gpu-operator/pods/${manager?.['metadata'].name}`)
    await pass(1000)
    expect(await node()).toEqual(CUT)
  })

  test('mig-failed goes away when the label changes', async () => {
    await fault({ kind: 'mig-failed' })
    await cut()
    await pass(1000)
    await cut('all-2g.10gb')
    await pass(1000)
    expect(await node()).toMatchObject({ state: 'success', whole: '0' })
  })

  test('mig-reboot takes the node down for a while', async () => {
    await fault({ kind: 'mig-reboot', node: NODE, seconds: 30 })
    await cut()
    await pass(1000)
    expect(await node()).toMatchObject({ state: 'rebooting', ready: 'Unknown', unreachable: true, small: '0' })
    expect(await exporter()).toBe(503)
    await pass(30_000)
    expect(await node()).toEqual(CUT)
    expect(await exporter()).toBe(200)
  })

  test('slow-mig takes longer, and late-device-plugin is done before anything is allocatable', async () => {
    await fault({ kind: 'slow-mig', node: NODE, seconds: 90 })
    await fault({ kind: 'late-device-plugin', node: NODE, seconds: 15 })
    await cut()
    await pass(80_000)
    expect(await node()).toMatchObject({ state: 'pending' })
    await pass(11_000)
    expect(await node()).toMatchObject({ state: 'success', small: '0', whole: '0' })
    await pass(15_000)
    expect(await node()).toEqual(CUT)
  })

  test('drifted-layout: somebody cuts the node another way right after', async () => {
    await fault({ kind: 'drifted-layout', node: NODE, seconds: 2 })
    await cut()
    await pass(1000)
    expect(await node()).toEqual(CUT)
    await pass(5000)
    expect(await node()).toEqual(WHOLE)
    const { metadata } = await demo.get(PATH)
    expect(metadata.managedFields.at(-1)).toMatchObject({ manager: 'kubectl-label' })
  })

  test('a fault of another node does not matter', async () => {
    await fault({ kind: 'mig-failed', node: 'gpu-a100-40-01' })
    await cut()
    await pass(1000)
    expect(await node()).toEqual(CUT)
    expect(await active()).toHaveLength(1)
  })
})

const allowed = async (): Promise<readonly number[]> =>
  (await demo.items('/apis/policy/v1/poddisruptionbudgets')).map(({ status }) => status.disruptionsAllowed as number)

describe('nodes and pods', () => {
  test('withheld-device: one less is allocatable, and nobody is put there', async () => {
    const { body } = await fault({ kind: 'withheld-device', node: NODE })
    const { status } = await demo.get(PATH)
    expect([status.capacity['nvidia.com/gpu'], status.allocatable['nvidia.com/gpu']]).toEqual(['4', '3'])
    await cut()
    await pass(1000)
    expect(await node()).toEqual({ ...CUT, small: '27' })
    await demo.call('DELETE', `${FAULTS}/${body['id']}`)
    expect(await node()).toEqual(CUT)
    await fault({ kind: 'withheld-device', node: NODE, seconds: 10 })
    expect(await node()).toEqual({ ...CUT, small: '27' })
    await pass(11_000)
    expect(await node()).toEqual(CUT)
  })

  test('node-vanishes', async () => {
    await fault({ kind: 'node-vanishes', node: NODE })
    expect((await demo.call('GET', PATH)).status).toBe(404)
    expect(await active()).toEqual([])
  })

  test('ignores-sigterm: a pod takes its whole grace period', async () => {
    const { path, pod } = await service()
    await fault({ kind: 'ignores-sigterm', pod: pod['metadata'].name as string })
    await evict(path)
    await pass(29_000)
    expect((await demo.get(path))['metadata'].deletionTimestamp).toBeDefined()
    await pass(2000)
    expect((await demo.call('GET', path)).status).toBe(404)
  })

  test('budget-never-allows: 429 for as long as it lasts, also where there was no budget', async () => {
    const { path, pod } = await service()
    const { namespace, name } = pod['metadata'] as Body
    const { body } = await fault({ kind: 'budget-never-allows', pod: `${namespace}/${name}` })
    for (let time = 0; time < 3; time++) {
      const answer = await evict(path)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, null])
      await pass(60_000)
    }
    await demo.call('DELETE', `${FAULTS}/${body['id']}`)
    expect((await evict(path)).status).toBe(201)
  })

  test('budget-never-allows: the budgets there are say so, and count again afterwards', async () => {
    const before = await allowed()
    expect(Math.max(...before)).toBeGreaterThan(0)
    await fault({ kind: 'budget-never-allows', seconds: 60 })
    expect(Math.max(...(await allowed()))).toBe(0)
    await pass(61_000)
    expect(await allowed()).toEqual(before)
  })
})

const cordon = (): Promise<Answer> => demo.patch(PATH, { spec: { unschedulable: true } })

const isCordoned = async (): Promise<boolean> => (await demo.get(PATH))['spec'].unschedulable === true

const watch = async (resource: string): Promise<Response> =>
  fetch(`${demo.cluster.apiUrl}/api/v1/${resource}?watch=1&resourceVersion=0`, {
    headers: { authorization: `Bearer ${demo.cluster.token}` },
  })

describe('the API', () => {
  test('409, 429 and 500: the next writes of a resource are not done, and the ones after are', async () => {
    const codes = { 'api-409': 'Conflict', 'api-429': undefined, 'api-500': 'InternalError' } as const
    for (const [kind, reason] of Object.entries(codes)) {
      await demo.call('POST', FAULTS, {
        body: { kind, resource: 'nodes', times: 2, ...(kind === 'api-429' ? { seconds: 3 } : {}) },
      })
      expect((await demo.patch(MAP, { data: { kind } })).status).toBe(200)
      expect((await demo.patch(`${PATH}?dryRun=All`, { spec: { unschedulable: true } })).status).toBe(200)
      for (let time = 0; time < 2; time++) {
        const { status, body, headers } = await cordon()
        expect([status, body['reason']]).toEqual([Number(kind.slice(4)), reason])
        expect(headers.get('retry-after')).toBe(kind === 'api-429' ? '3' : null)
      }
      expect(await isCordoned()).toBe(false)
    }
    expect((await cordon()).status).toBe(200)
    expect(await isCordoned()).toBe(true)
  })

  test('answer-lost: it is done, and nobody hears of it', async () => {
    await fault({ kind: 'answer-lost', resource: 'nodes' })
    await expect(cordon()).rejects.toThrow('fetch failed')
    expect(await isCordoned()).toBe(true)
  })

  test('answer-wrong: it is done, and said to have failed', async () => {
    const { path } = await service()
    await fault({ kind: 'answer-wrong', resource: 'pods/eviction' })
    expect((await evict(path)).status).toBe(500)
    expect((await demo.get(path))['metadata'].deletionTimestamp).toBeDefined()
  })

  test('config-race: another manager is a moment faster', async () => {
    const { metadata } = await demo.get(MAP)
    await fault({ kind: 'config-race' })
    const { resourceVersion } = metadata
    const answer = await demo.patch(MAP, { metadata: { resourceVersion }, data: { 'config.yaml': 'mine' } })
    expect([answer.status, answer.body['reason']]).toEqual([409, 'Conflict'])
    const after = await demo.get(MAP)
    expect(after['data']['config.yaml']).toMatch(/all-disabled[^]*somebody-else-/)
    expect(after['metadata'].managedFields).toContainEqual(expect.objectContaining({ manager: 'kubectl-edit' }))
    const again = { metadata: { resourceVersion: after['metadata'].resourceVersion as string }, data: { a: 'b' } }
    expect((await demo.patch(MAP, again)).status).toBe(200)
  })

  test('watch-cut: watches end, and the next one goes on', async () => {
    const [nodes, pods] = [await watch('nodes'), await watch('pods')]
    await fault({ kind: 'watch-cut', resource: 'nodes' })
    expect(await nodes.text()).toContain(NODE)
    await fault({ kind: 'watch-cut' })
    expect(await pods.text()).toContain('playground-tagger')
  })
})
