import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { recordedAnswer } from '../../../../test/system-tools.ts'

import { startDemoCluster, type DemoCluster, type DemoOptions } from './start-demo-cluster.ts'

type Body = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- bodies are looked at as they come
type Answer = { readonly status: number; readonly headers: Headers; readonly body: Body }

const BEGIN = Date.UTC(2026, 10, 18, 14, 3, 7)
const folders: string[] = []
const clusters: DemoCluster[] = []
let now = BEGIN

async function start(options: Partial<DemoOptions> = {}): Promise<DemoCluster> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'septet-demo-'))
  folders.push(dataDir)
  const demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir, clock: () => now, turnMs: 20, ...options })
  clusters.push(demo)
  return demo
}

let demo: DemoCluster
beforeAll(async () => {
  demo = await start()
})
afterAll(async () => {
  for (const each of clusters) await each.close()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

type Sent = {
  readonly body?: unknown
  readonly type?: string
  readonly accept?: string
  readonly cluster?: DemoCluster
}
async function call(method: string, target: string, sent: Sent = {}): Promise<Answer> {
  const cluster = sent.cluster ?? demo
  const answer = await fetch(`${cluster.apiUrl}${target}`, {
    method,
    headers: {
      authorization: `Bearer ${cluster.token}`,
      'content-type': sent.type ?? 'application/json',
      'user-agent': 'curl/8',
      ...(sent.accept === undefined ? {} : { accept: sent.accept }),
    },
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body }
}
const get = (target: string, cluster = demo): Promise<Answer> => call('GET', target, { cluster })

/** Answers of a real 1.32 API server. */
const areRecorded = recordedAnswer('version.json') !== undefined
const recorded = (file: string): Body => JSON.parse(recordedAnswer(file) ?? '') as Body
const POD = { metadata: { name: 'train' }, spec: { containers: [{ name: 'c', image: 'x' }] } }
const gpuPod = (name: string, limit: string, requests = limit): Body => ({
  metadata: { name },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'x',
        resources: { limits: { 'nvidia.com/gpu': limit }, requests: { 'nvidia.com/gpu': requests } },
      },
    ],
  },
})
const apps = (body: Body): Body => body['groups'].find((group: Body) => group['name'] === 'apps')

const shape = (table: Body): unknown =>
  table['columnDefinitions'].map(({ name, type, format, priority }: Body) => ({ name, type, format, priority }))

const taint = (value: string): Body => ({ spec: { taints: [{ key: 'x', value, effect: 'NoSchedule' }] } })

async function lines(target: string, stop: (seen: readonly Body[]) => boolean): Promise<readonly Body[]> {
  const abort = new AbortController()
  const answer = await fetch(`${demo.apiUrl}${target}`, {
    headers: { authorization: `Bearer ${demo.token}` },
    signal: abort.signal,
  })
  expect(answer.status).toBe(200)
  const seen: Body[] = []
  let rest = ''
  for await (const chunk of answer.body ?? []) {
    rest += Buffer.from(chunk).toString('utf8')
    const parts = rest.split('\n')
    rest = parts.pop() ?? ''
    seen.push(...parts.map((line) => JSON.parse(line) as Body))
    if (stop(seen)) break
  }
  abort.abort()
  return seen
}

const PODS = '/api/v1/namespaces/default/pods'

const MERGE = 'application/merge-patch+json'

describe('errors are those of a real API server', () => {
  test.skipIf(!areRecorded)('401 with a token that nobody knows, and 403 without one', async () => {
    expect((await fetch(`${demo.apiUrl}/api/v1/nodes`)).status).toBe(403)
    const answer = await fetch(`${demo.apiUrl}/api/v1/nodes`, { headers: { authorization: 'Bearer nobody' } })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual(recorded('err_401.json'))
  })

  test.skipIf(!areRecorded)('404 for a pod that is not there', async () => {
    const { status, body } = await get(`${PODS}/none`)
    expect(status).toBe(404)
    expect(body).toEqual(recorded('err_404.json'))
  })

  test.skipIf(!areRecorded)('409 for a name that is taken', async () => {
    await call('POST', PODS, { body: POD })
    const { status, body } = await call('POST', PODS, { body: POD })
    expect(status).toBe(409)
    expect(body).toEqual(recorded('err_409_exists.json'))
  })

  test.skipIf(!areRecorded)('422 for a bad name and for GPU requests that differ from limits', async () => {
    const bad = await call('POST', PODS, { body: { metadata: { name: 'Bad_Name' }, spec: {} } })
    expect(bad.status).toBe(422)
    expect(bad.body).toEqual(recorded('err_422_invalid.json'))
    const unequal = await call('POST', PODS, { body: gpuPod('q', '2', '1') })
    expect(unequal.status).toBe(422)
    expect(unequal.body).toEqual(recorded('err_422_gpu_requests_ne_limits.json'))
  })

  test.skipIf(!areRecorded)('403 names the user, the verb and the resource', async () => {
    const poor = await start({ forbidden: ['nodes'] })
    const { status, body } = await get('/api/v1/nodes', poor)
    expect(status).toBe(403)
    const wanted = recorded('err_403.json')
    expect(body).toEqual({ ...wanted, message: String(wanted['message']).replace('"viewer"', '"demo"') })
  })

  test('404 for a path that nothing is served at, 415 for an unknown patch, 405 for a wrong method', async () => {
    expect((await get('/apis/resource.k8s.io/v1/resourcepools')).status).toBe(404)
    expect((await call('PATCH', '/api/v1/nodes/gpu-t4-01', { body: {}, type: 'text/plain' })).status).toBe(415)
    expect((await call('PUT', '/api/v1/nodes', { body: {} })).status).toBe(405)
  })
})

describe('discovery', () => {
  test.skipIf(!areRecorded)('has the shape of a real server', async () => {
    const core = await get('/api')
    expect(Object.keys(core.body)).toEqual(Object.keys(recorded('api.json')))
    const version = await get('/version')
    expect(version.body).toEqual(recorded('version.json'))
    const groups = await get('/apis')
    expect(apps(groups.body)).toEqual(apps(recorded('apis.json')))
    const leases = await get('/apis/coordination.k8s.io/v1')
    const [wanted] = recorded('apis_coordination.k8s.io_v1.json')['resources']
    const [found] = leases.body['resources']
    expect(found).toMatchObject({ name: wanted.name, namespaced: true, kind: 'Lease' })
    expect(found.verbs).toEqual(wanted.verbs.filter((verb: string) => verb !== 'deletecollection'))
  })

  test('every kind it names can be listed', async () => {
    const groups = await get('/apis')
    const versions = [
      '/api/v1',
      ...groups.body['groups'].map((group: Body) => `/apis/${group['preferredVersion'].groupVersion}`),
    ]
    for (const version of versions) {
      const { body } = await get(version)
      for (const resource of body['resources']) {
        if (!resource.verbs.includes('list')) continue
        const list = await get(`${version}/${resource.name}`)
        expect(list.status).toBe(200)
        expect(list.body['kind']).toBe(`${resource.kind}List`)
      }
    }
  })

  test.skipIf(!areRecorded)('SelfSubjectAccessReview answers as recorded', async () => {
    const wanted = recorded('ssar.json')
    const { kind, apiVersion, spec } = wanted
    const { status, body } = await call('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      body: { kind, apiVersion, spec },
    })
    expect(status).toBe(201)
    const time = body['metadata'].managedFields[0].time
    wanted['metadata'].managedFields[0].time = time
    const fields = wanted['metadata'].managedFields[0].fieldsV1
    delete fields['f:spec']['f:resourceAttributes']['.']
    expect(body).toEqual(wanted)
  })
})

describe('objects', () => {
  test.skipIf(!areRecorded)('a created pod looks as a real server returns it', async () => {
    const { status, body } = await call('POST', '/api/v1/namespaces/sandbox/pods', {
      body: { ...gpuPod('train', '1'), spec: { ...gpuPod('train', '1')['spec'], nodeName: 'gpu-0' } },
    })
    expect(status).toBe(201)
    const wanted = recorded('pod_created.json')
    expect(body['spec']).toEqual(wanted['spec'])
    expect(body['status']).toEqual(wanted['status'])
    expect(Object.keys(body['metadata']).toSorted()).toEqual(Object.keys(wanted['metadata']).toSorted())
  })

  test.skipIf(!areRecorded)('paged lists add up to the whole list, and keep to one moment', async () => {
    const whole = await get('/api/v1/pods')
    const names: string[] = []
    let token = ''
    do {
      const page = await get(`/api/v1/pods?limit=100&continue=${token}`)
      expect(page.body['metadata'].resourceVersion).toBe(whole.body['metadata'].resourceVersion)
      names.push(...page.body['items'].map((pod: Body) => pod['metadata'].uid))
      token = page.body['metadata'].continue ?? ''
    } while (token !== '')
    expect(names).toEqual(whole.body['items'].map((pod: Body) => pod['metadata'].uid))
    expect(Object.keys(whole.body['items'][0])).toEqual(Object.keys(recorded('list_limit1.json')['items'][0]))
    const late = await get(`/api/v1/pods?limit=2&continue=${Buffer.from('{"v":"1","at":2}').toString('base64url')}`)
    expect(late.status).toBe(410)
    expect(late.body['reason']).toBe('Expired')
  })

  test('selectors choose by label and field', async () => {
    const onNode = await get('/api/v1/pods?fieldSelector=spec.nodeName%3Dgpu-h100-01,status.phase!%3DSucceeded')
    expect(onNode.body['items'].length).toBeGreaterThan(8)
    for (const pod of onNode.body['items']) expect(pod.spec.nodeName).toBe('gpu-h100-01')
    const services = await get('/api/v1/pods?labelSelector=app.kubernetes.io/component in (inference),!job-name')
    expect(services.body['items'].length).toBeGreaterThan(20)
    const none = await get('/api/v1/nodes?labelSelector=nvidia.com/gpu.present!=true')
    expect(none.body['items']).toEqual([])
    const one = await get('/api/v1/nodes?fieldSelector=metadata.name=gpu-t4-01')
    expect(one.body['items']).toHaveLength(1)
  })

  test.skipIf(!areRecorded)('the Table view has the columns of a real server', async () => {
    const { body } = await call('GET', '/api/v1/nodes', {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    })
    const wanted = recorded('nodes_table_2rows.json')
    expect(shape(body)).toEqual(shape(wanted))
    expect(Object.keys(body['rows'][0])).toEqual(Object.keys(wanted['rows'][0]))
    expect(body['rows'][0].object.kind).toBe('PartialObjectMetadata')
    expect(body['rows'].map((row: Body) => row['cells'][1])).toContain('NotReady')
  })

  test('a write with an old resourceVersion is refused; leases can be fought over', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    const made = await call('POST', leases, { body: { metadata: { name: 'leader' }, spec: { holderIdentity: 'a' } } })
    expect(made.status).toBe(201)
    const taken = { ...made.body, spec: { holderIdentity: 'b' } }
    expect((await call('PATCH', `${leases}/leader`, { body: taken, type: MERGE })).status).toBe(200)
    const lost = await call('PATCH', `${leases}/leader`, {
      body: { ...made.body, spec: { holderIdentity: 'c' } },
      type: MERGE,
    })
    expect(lost.status).toBe(409)
    expect(lost.body['message']).toContain('the object has been modified')
    const stale = await call('DELETE', `${leases}/leader`, { body: { preconditions: { resourceVersion: '1' } } })
    expect(stale.status).toBe(409)
    expect((await call('DELETE', `${leases}/leader`)).status).toBe(200)
    expect((await get(`${leases}/leader`)).status).toBe(404)
  })

  test('patches: merge, strategic and JSON with a test; dry run keeps nothing', async () => {
    const node = '/api/v1/nodes/gpu-t4-02'
    const merged = await call('PATCH', node, {
      body: { metadata: { labels: { a: '1' } } },
      type: 'application/merge-patch+json',
    })
    expect(merged.body['metadata'].labels.a).toBe('1')
    const test1 = [
      { op: 'test', path: '/metadata/labels/a', value: '1' },
      { op: 'replace', path: '/metadata/labels/a', value: '2' },
    ]
    const json = 'application/json-patch+json'
    expect((await call('PATCH', node, { body: test1, type: json })).body['metadata'].labels.a).toBe('2')
    expect((await call('PATCH', node, { body: test1, type: json })).status).toBe(422)
    const strategic = 'application/strategic-merge-patch+json'
    await call('PATCH', node, { body: taint('1'), type: strategic })
    const twice = await call('PATCH', node, { body: taint('2'), type: strategic })
    expect(twice.body['spec'].taints).toEqual([{ key: 'x', value: '2', effect: 'NoSchedule' }])
    const dry = await call('PATCH', `${node}?dryRun=All`, { body: { spec: { unschedulable: true } }, type: strategic })
    expect(dry.body['spec'].unschedulable).toBe(true)
    expect((await get(node)).body['spec'].unschedulable).toBeUndefined()
    await call('PATCH', node, { body: { spec: { taints: null } }, type: 'application/merge-patch+json' })
  })
})

describe('watches', () => {
  test.skipIf(!areRecorded)('an old resourceVersion gets an ERROR event of 410, as recorded', async () => {
    const [event] = await lines('/api/v1/nodes?watch=1&resourceVersion=1', (seen) => seen.length > 0)
    const wanted = recorded('watch_rv1.ndjson')
    const numbers = /\d{4,}/g
    const plain = (value: Body | undefined): string => JSON.stringify(value).replaceAll(numbers, 'N')
    expect(plain(event)).toBe(plain(wanted))
  })

  test('tells a change to anyone it concerns, and its end to a selector it leaves', async () => {
    const { body } = await get('/api/v1/nodes?limit=1')
    const version = body['metadata'].resourceVersion
    const merge = 'application/merge-patch+json'
    const label = (value: string | null): Promise<Answer> =>
      call('PATCH', '/api/v1/nodes/gpu-t4-03', { body: { metadata: { labels: { watched: value } } }, type: merge })
    await label('yes')
    const target = `/api/v1/nodes?watch=true&labelSelector=watched&resourceVersion=${version}`
    const watching = lines(target, (seen) => seen.length >= 2)
    await label(null)
    const seen = await watching
    expect(seen.map((event) => event['type'])).toEqual(['ADDED', 'DELETED'])
    expect(Number(seen[1]?.['object'].metadata.resourceVersion)).toBeGreaterThan(
      Number(seen[0]?.['object'].metadata.resourceVersion),
    )
  })

  test('sends bookmarks, and the initial events where they are asked for', async () => {
    const quick = await start({ bookmarkMs: 20 })
    const before = demo
    demo = quick
    try {
      const target =
        '/api/v1/namespaces?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
      const seen = await lines(target, (all) => all.filter((event) => event['type'] === 'BOOKMARK').length >= 2)
      const first = seen.findIndex((event) => event['type'] === 'BOOKMARK')
      expect(first).toBeGreaterThan(20)
      expect(seen[first]?.['object'].metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' })
      expect(seen.at(-1)?.['object'].metadata.annotations).toBeUndefined()
    } finally {
      demo = before
    }
  })
})

describe('one seed, one cluster', () => {
  test('the same time gives the same bytes', async () => {
    const twin = await start()
    const fresh = await start()
    for (const target of [
      '/api/v1/nodes',
      '/api/v1/pods',
      '/apis/batch/v1/jobs',
      '/apis/kueue.x-k8s.io/v1beta2/workloads',
    ]) {
      expect((await get(target, twin)).body).toEqual((await get(target, fresh)).body)
    }
    const texts = await Promise.all(
      [twin, fresh].map(async ({ apiUrl }) => (await fetch(`${apiUrl}/exporter/gpu-a100-03/metrics`)).text()),
    )
    expect(texts[0]).toBe(texts[1])
    const other = await start({ seed: 8 })
    expect((await get('/api/v1/pods', other)).body).not.toEqual((await get('/api/v1/pods', fresh)).body)
  })

  test('the kubeconfig is for its owner only and names the cluster over TLS', async () => {
    expect(statSync(demo.kubeconfigPath).mode & 0o777).toBe(0o600)
    const text = readFileSync(demo.kubeconfigPath, 'utf8')
    const server = /server: (\S+)/.exec(text)?.[1] ?? ''
    const ca = Buffer.from(/certificate-authority-data: (\S+)/.exec(text)?.[1] ?? '', 'base64').toString('utf8')
    expect(server).toBe(demo.apiUrl.replace('http:', 'https:'))
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${/token: (\S+)/.exec(text)?.[1]}` }
      httpsRequest(`${server}/api/v1/nodes`, { ca, headers }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(200)
  })

  test('a second start in the folder keeps token and certificate', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'septet-demo-'))
    const first = await start({ dataDir: folder })
    const text = readFileSync(first.kubeconfigPath, 'utf8')
    const port = Number(new URL(first.apiUrl).port)
    await first.close()
    const second = await start({ dataDir: folder, port })
    expect(readFileSync(second.kubeconfigPath, 'utf8')).toBe(text)
    await expect(start({ port })).rejects.toThrow(`port ${port} is in use`)
  })
})
