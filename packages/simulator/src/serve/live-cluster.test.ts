import { HOUR_MS, MINUTE_MS } from '@septet/domain'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { startDemoCluster, type DemoCluster } from './start-demo-cluster.ts'

type Body = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- bodies are looked at as they come
type Answer = { readonly status: number; readonly headers: Headers; readonly body: Body }

const BEGIN = Date.UTC(2026, 10, 18, 14, 3, 0)
let now = BEGIN
let folder = ''
let demo: DemoCluster

beforeEach(async () => {
  now = BEGIN
  folder = mkdtempSync(path.join(tmpdir(), 'septet-demo-'))
  // Time stands still unless a test moves it, and things happen when somebody asks.
  demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir: folder, clock: () => now, turnMs: 3_600_000 })
})
afterEach(async () => {
  await demo.close()
  rmSync(folder, { recursive: true })
})

async function call(method: string, target: string, body?: unknown): Promise<Answer> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const answer = await fetch(`${demo.apiUrl}${target}`, {
    method,
    headers: { authorization: `Bearer ${demo.token}`, 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body }
}
const items = async (target: string): Promise<readonly Body[]> => (await call('GET', target)).body['items'] as Body[]
const pods = (query = ''): Promise<readonly Body[]> => items(`/api/v1/pods${query}`)
const node = async (name: string): Promise<Body> => (await call('GET', `/api/v1/nodes/${name}`)).body
const pathOf = (pod: Body): string => `/api/v1/namespaces/${pod['metadata'].namespace}/pods/${pod['metadata'].name}`
const label = (name: string, labels: Body): Promise<Answer> =>
  call('PATCH', `/api/v1/nodes/${name}`, { metadata: { labels } })
const exposition = async (name: string): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${demo.apiUrl}/exporter/${name}/metrics`)
  return { status: answer.status, text: await answer.text() }
}
const holdsGpu = (pod: Body): boolean =>
  pod['status'].phase === 'Running' &&
  Object.keys(pod['spec'].containers[0].resources.limits ?? {}).some((name) => name.startsWith('nvidia.com/'))
const gpuPodsOn = async (name: string): Promise<readonly Body[]> =>
  (await pods(`?fieldSelector=spec.nodeName=${name}`)).filter(holdsGpu)

const evict = (pod: Body, query = ''): Promise<Answer> =>
  call('POST', `${pathOf(pod)}/eviction${query}`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: pod['metadata'].name },
  })

const clear = async (name: string): Promise<void> => {
  await call('PATCH', `/api/v1/nodes/${name}`, { spec: { unschedulable: true } })
  for (const pod of await gpuPodsOn(name)) await call('DELETE', pathOf(pod))
  now += 5000
  expect(await gpuPodsOn(name)).toEqual([])
}
const state = async (name: string): Promise<string> =>
  (await node(name))['metadata'].labels['nvidia.com/mig.config.state']

const lacking = (): Promise<readonly Body[]> =>
  pods('?fieldSelector=status.phase=Pending').then((all) =>
    all.filter((pod) => 'nvidia.com/mig-4g.40gb' in (pod['spec'].containers[0].resources.limits ?? {})),
  )

describe('pods come and go', () => {
  test('work starts, ends and is replaced as the clock moves on', async () => {
    const before = new Set((await pods()).map((pod) => pod['metadata'].uid))
    now += 5 * HOUR_MS
    const after = await pods()
    const fresh = after.filter((pod) => !before.has(pod['metadata'].uid))
    expect(fresh.length).toBeGreaterThan(10)
    expect(after.some((pod) => pod['status'].phase === 'Succeeded')).toBe(true)
    for (const pod of after.filter(holdsGpu)) expect(pod['status'].containerStatuses[0].state.running).toBeDefined()
  })

  test('requests never exceed what a node can allocate', async () => {
    for (let step = 0; step < 6; step++) {
      const used = new Map<string, number>()
      const held = (await pods()).filter(holdsGpu).flatMap((pod) =>
        Object.entries(pod['spec'].containers[0].resources.limits as Body).map(([resource, count]) => ({
          key: `${pod['spec'].nodeName} ${resource}`,
          count: resource.startsWith('nvidia.com/') ? Number(count) : 0,
        })),
      )
      for (const { key, count } of held) used.set(key, (used.get(key) ?? 0) + count)
      for (const each of await items('/api/v1/nodes')) {
        for (const [resource, count] of Object.entries(each['status'].allocatable as Body)) {
          expect(used.get(`${each['metadata'].name} ${resource}`) ?? 0).toBeLessThanOrEqual(
            Number.parseInt(String(count), 10),
          )
        }
      }
      now += 97 * MINUTE_MS
    }
  })

  test('about twenty pods and jobs wait, in the words of scheduler and queue', async () => {
    const waiting = (await pods('?fieldSelector=status.phase=Pending')).filter(
      (pod) => pod['spec'].nodeName === undefined,
    )
    const held = (await items('/apis/kueue.x-k8s.io/v1beta2/workloads')).filter(
      (workload) => workload['status'].admission === undefined,
    )
    expect(waiting.length + held.length).toBeGreaterThan(14)
    const [pod] = waiting
    expect(pod?.['status'].conditions[0]).toMatchObject({
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
    })
    expect(pod?.['status'].conditions[0].message).toMatch(
      /^0\/40 nodes are available: .*36 Insufficient nvidia\.com\/mig-\dg\.\d+gb/,
    )
    expect(held[0]?.['status'].conditions[0]).toMatchObject({ type: 'QuotaReserved', status: 'False' })
    const events = await items('/api/v1/events')
    expect(events.some((event) => event['reason'] === 'FailedScheduling')).toBe(true)
    expect(events.some((event) => event['reason'] === 'Pending' && event['involvedObject'].kind === 'Workload')).toBe(
      true,
    )
  })

  test('what happened within the last hour is in events, by who reports it; what happened before is forgotten', async () => {
    const events = await items('/api/v1/events')
    const reporters = new Map(events.map((event) => [event['reason'], event['reportingComponent']]))
    expect(Object.fromEntries(reporters)).toMatchObject({
      Scheduled: 'default-scheduler',
      Pulled: 'kubelet',
      Created: 'kubelet',
      Started: 'kubelet',
      SuccessfulCreate: expect.stringMatching(/^(job|replicaset|statefulset)-controller$/),
    })
    const newest = Math.max(...events.map((event) => Date.parse(event['lastTimestamp'])))
    const oldest = Math.min(...events.map((event) => Date.parse(event['lastTimestamp'])))
    expect(newest - oldest).toBeLessThanOrEqual(3_600_000)
    const started = events.find((event) => event['reason'] === 'Started')
    const about = (await pods()).find(({ metadata }) => metadata.uid === started?.['involvedObject'].uid)
    expect(about?.metadata.name).toBe(started?.['involvedObject'].name)
  })

  test('every owner a pod names is there', async () => {
    const kinds: Record<string, string> = {
      Job: '/apis/batch/v1/jobs',
      ReplicaSet: '/apis/apps/v1/replicasets',
      StatefulSet: '/apis/apps/v1/statefulsets',
      DaemonSet: '/apis/apps/v1/daemonsets',
      Deployment: '/apis/apps/v1/deployments',
      CronJob: '/apis/batch/v1/cronjobs',
      Notebook: '/apis/kubeflow.org/v1/notebooks',
    }
    const known = new Set<string>()
    const owned: Body[] = [...(await pods())]
    for (const target of Object.values(kinds)) {
      const all = await items(target)
      for (const each of all) known.add(each['metadata'].uid as string)
      owned.push(...all)
    }
    const references = owned.flatMap((each) => (each['metadata'].ownerReferences ?? []) as Body[])
    expect(references.length).toBeGreaterThan(300)
    expect(references.filter((reference) => !known.has(reference['uid'] as string))).toEqual([])
  })

  test('a pod made by hand runs where it fits, shows in telemetry and frees its GPU when deleted', async () => {
    const container = { name: 'main', image: 'x', resources: { limits: { 'nvidia.com/gpu': '1' } } }
    await call('POST', '/api/v1/namespaces/sandbox/pods', {
      metadata: { name: 'mine' },
      spec: { containers: [container] },
    })
    now += 10_000
    const { body } = await call('GET', '/api/v1/namespaces/sandbox/pods/mine')
    expect(body['status'].phase).toBe('Running')
    const target = body['spec'].nodeName as string
    now += 60_000
    expect((await exposition(target)).text).toContain('namespace="sandbox",pod="mine"')
    await call('DELETE', '/api/v1/namespaces/sandbox/pods/mine')
    expect((await call('GET', '/api/v1/namespaces/sandbox/pods/mine')).body['metadata'].deletionTimestamp).toBeDefined()
    now += 5000
    expect((await call('GET', '/api/v1/namespaces/sandbox/pods/mine')).status).toBe(404)
    expect((await exposition(target)).text).not.toContain('pod="mine"')
  })
})

describe('eviction', () => {
  test('takes a pod away politely and its controller makes another', async () => {
    const training = await pods('?labelSelector=app.kubernetes.io/component=training')
    const victim = training.find(holdsGpu) ?? {}
    const job = victim['metadata'].labels['batch.kubernetes.io/job-name'] as string
    const dry = await evict(victim, '?dryRun=All')
    expect(dry.status).toBe(201)
    expect((await call('GET', pathOf(victim))).body['metadata'].deletionTimestamp).toBeUndefined()
    const { status, body } = await evict(victim)
    expect(status).toBe(201)
    expect(body).toEqual({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
    const leaving = (await call('GET', pathOf(victim))).body
    expect(leaving['status'].conditions.some((each: Body) => each['type'] === 'DisruptionTarget')).toBe(true)
    now += 5000
    expect((await call('GET', pathOf(victim))).status).toBe(404)
    const again = await pods(`?labelSelector=batch.kubernetes.io/job-name=${job}`)
    const names = again.map((pod) => pod['metadata'].name as string)
    expect(names.length).toBeGreaterThan(0)
    expect(names).not.toContain(victim['metadata'].name)
  })

  test('is refused with 429 where a budget allows none', async () => {
    const budgets = await items('/apis/policy/v1/poddisruptionbudgets')
    const tight = budgets.find((budget) => budget['status'].disruptionsAllowed === 0) ?? {}
    const name = tight['metadata'].name as string
    const [pod] = await pods(`?labelSelector=app.kubernetes.io/name=${name}`)
    const { status, body, headers } = await evict(pod ?? {})
    expect(status).toBe(429)
    expect(body).toMatchObject({
      status: 'Failure',
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ reason: 'DisruptionBudget' }] },
    })
    // Nobody knows when it will.
    expect(headers.get('retry-after')).toBeNull()
  })

  test('a budget of two lets one go and then no more', async () => {
    const budgets = await items('/apis/policy/v1/poddisruptionbudgets')
    const loose = budgets.find((budget) => budget['status'].disruptionsAllowed === 1) ?? {}
    const mine = await pods(`?labelSelector=app.kubernetes.io/name=${loose['metadata'].name}`)
    expect((await evict(mine[0] ?? {})).status).toBe(201)
    expect((await evict(mine[1] ?? {})).status).toBe(429)
  })
})

describe('mig-manager', () => {
  test('refuses to cut a GPU that somebody holds, and stays failed', async () => {
    expect((await gpuPodsOn('gpu-a100-03')).length).toBeGreaterThan(0)
    await label('gpu-a100-03', { 'nvidia.com/mig.config': 'all-1g.10gb' })
    expect(await state('gpu-a100-03')).toBe('pending')
    now += 10_000
    expect(await state('gpu-a100-03')).toBe('failed')
    const { status } = await node('gpu-a100-03')
    expect(status.allocatable['nvidia.com/mig-3g.40gb']).not.toBe('0')
    now += 600_000
    expect(await state('gpu-a100-03')).toBe('failed')
  })

  test('a configuration that nobody wrote fails at once', async () => {
    await label('gpu-a100-03', { 'nvidia.com/mig.config': 'no-such-plan' })
    expect(await state('gpu-a100-03')).toBe('failed')
  })

  test('cuts an emptied node: labels, resources and telemetry follow, and waiting pods get their place', async () => {
    await clear('gpu-a100-03')
    await label('gpu-a100-03', { 'nvidia.com/mig.config': 'all-4g.40gb' })
    const during = await node('gpu-a100-03')
    expect(during['metadata'].labels).toMatchObject({
      'nvidia.com/mig.config.state': 'pending',
      'nvidia.com/gpu.deploy.device-plugin': 'paused-for-mig-change',
    })
    expect(during['status'].allocatable['nvidia.com/mig-3g.40gb']).toBe('0')
    expect((await exposition('gpu-a100-03')).status).toBe(503)
    now += 10_000
    const after = await node('gpu-a100-03')
    expect(after['metadata'].labels).toMatchObject({
      'nvidia.com/mig.config.state': 'success',
      'nvidia.com/gpu.deploy.device-plugin': 'true',
      'nvidia.com/mig-4g.40gb.count': '8',
      'nvidia.com/mig-4g.40gb.memory': '40192',
    })
    expect(after['metadata'].labels['nvidia.com/mig-3g.40gb.count']).toBeUndefined()
    expect(after['status'].allocatable).toMatchObject({ 'nvidia.com/mig-4g.40gb': '8', 'nvidia.com/mig-3g.40gb': '0' })
    const { text } = await exposition('gpu-a100-03')
    expect(text).toContain('GPU_I_PROFILE="4g.40gb"')
    expect(text).not.toContain('GPU_I_PROFILE="3g.40gb"')
    expect((await lacking()).length).toBeGreaterThan(2)
    await call('PATCH', '/api/v1/nodes/gpu-a100-03', { spec: { unschedulable: null } })
    now += 10_000
    expect(await lacking()).toEqual([])
  })

  test('reads a configuration that somebody wrote into the node’s ConfigMap, GPU by GPU', async () => {
    const map = '/api/v1/namespaces/gpu-operator/configmaps/gpu-a30-01-mig-config'
    const text = (await call('GET', map)).body['data']['config.yaml'] as string
    const written = `${text}  plan-7f3a:
    - devices: [0]
      mig-enabled: true
      mig-devices: {"4g.24gb": 1}
    - devices: [1, 2]
      device-filter: ["0x20B710DE"]
      mig-enabled: true
      mig-devices:
        "1g.6gb": 4
    - devices: [3]
      mig-enabled: false
`
    await call('PATCH', map, { data: { 'config.yaml': written } })
    await clear('gpu-a30-01')
    await label('gpu-a30-01', { 'nvidia.com/mig.config': 'plan-7f3a' })
    now += 10_000
    expect(await state('gpu-a30-01')).toBe('success')
    const { status } = await node('gpu-a30-01')
    expect(status.allocatable).toMatchObject({
      'nvidia.com/mig-4g.24gb': '1',
      'nvidia.com/mig-1g.6gb': '8',
      'nvidia.com/gpu': '1',
    })
  })

  test('what does not fit a board fails', async () => {
    const map = '/api/v1/namespaces/gpu-operator/configmaps/custom-mig-config'
    const text =
      'version: v1\nmig-configs:\n  too-much:\n    - devices: all\n      mig-enabled: true\n      mig-devices: {"4g.24gb": 2}\n'
    expect((await call('PATCH', map, { data: { 'config.yaml': text } })).status).toBe(200)
    await label('gpu-a30-01', { 'nvidia.com/mig.config': 'too-much' })
    expect(await state('gpu-a30-01')).toBe('failed')
  })
})

describe('cordon', () => {
  test('puts the taint on, keeps new pods away, and takes it off again', async () => {
    const patched = await call('PATCH', '/api/v1/nodes/gpu-t4-04', { spec: { unschedulable: true } })
    expect(patched.body['spec'].taints).toEqual([{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }])
    const back = await call('PATCH', '/api/v1/nodes/gpu-t4-04', { spec: { unschedulable: null } })
    expect(back.body['spec'].taints).toBeUndefined()
  })
})

describe('telemetry', () => {
  test('shows every defect as it would look', async () => {
    expect((await exposition('gpu-t4-10')).status).toBe(503)
    expect((await exposition('gpu-l40s-06')).status).toBe(503)
    const failed = (await exposition('gpu-h100-05')).text
    expect(failed).toMatch(/XID_ERRORS\{gpu="3".*err_code="94".*\} 94/)
    expect((await node('gpu-h100-05'))['status']).toMatchObject({
      capacity: { 'nvidia.com/gpu': '8' },
      allocatable: { 'nvidia.com/gpu': '7' },
    })
    const stuck = (await exposition('gpu-a100-02')).text
    expect(stuck).toMatch(/GPU_UTIL\{[^}]*\} [1-9]/)
    expect(stuck).not.toMatch(/GR_ENGINE_ACTIVE\{[^}]*\} 0\.\d*[1-9]/)
    const cut = (await exposition('gpu-a100-04')).text
    expect(cut).not.toContain('DCGM_FI_DEV_GPU_UTIL{')
    const reported = new Set(
      cut.match(/UUID="[^"]+".*GPU_I_ID="\d+"/g)?.map((each) => each.replace(/pci.*GPU_I_PROFILE/, '')),
    )
    const offered = Object.entries((await node('gpu-a100-04'))['status'].capacity as Body)
      .filter(([name]) => name.startsWith('nvidia.com/mig-'))
      .reduce((sum, [, count]) => sum + Number(count), 0)
    expect(reported.size).toBeLessThan(offered)
  })

  test('names the pods that the API says are there', async () => {
    const bound = (await pods()).filter((pod) => pod['spec'].nodeName !== undefined)
    const running = new Set(bound.map((pod) => `${pod['metadata'].namespace}/${pod['metadata'].name}`))
    const named = new Set<string>()
    for (const { labels } of (await (await fetch(demo.exporterTargetsUrl)).json()) as Body[]) {
      const { text } = await exposition(labels.node as string)
      for (const [, namespace, pod] of text.matchAll(/namespace="([^"]+)",pod="([^"]+)"/g))
        named.add(`${namespace}/${pod}`)
    }
    expect(named.size).toBeGreaterThan(150)
    expect([...named].filter((each) => !running.has(each))).toEqual([])
  })

  test('the exporter’s values, read for an hour, have the mean that the history tells', async () => {
    const series = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE{'
    const sums = new Map<string, { sum: number; count: number }>()
    const start = BEGIN - (BEGIN % 3_600_000) + 3_600_000
    for (let tick = 1; tick <= 120; tick++) {
      now = start + tick * 30_000
      for (const name of ['gpu-h100-01', 'gpu-h100-07', 'gpu-t4-01']) {
        for (const line of (await exposition(name)).text.split('\n').filter((each) => each.startsWith(series))) {
          const key = line.slice(series.length, line.lastIndexOf('}'))
          const known = sums.get(key) ?? { sum: 0, count: 0 }
          sums.set(key, { sum: known.sum + Number(line.slice(line.lastIndexOf(' '))), count: known.count + 1 })
        }
      }
    }
    const query = async (name: string): Promise<Map<string, number>> => {
      const text = `${name}(${series.slice(0, -1)}{Hostname=~"gpu-h100-0[17]|gpu-t4-01"}[1h])`
      const url = `${demo.prometheusUrl}/api/v1/query?query=${encodeURIComponent(text)}&time=${(start + 3_600_000) / 1000}`
      const { data } = (await (await fetch(url)).json()) as Body
      return new Map(
        data.result.map(({ metric, value }: Body) => {
          const { job: _job, instance: _instance, node: _node, ...labels } = metric as Record<string, string>
          return [
            Object.entries(labels)
              .map(([label1, text1]) => `${label1}="${text1}"`)
              .join(','),
            Number(value[1]),
          ]
        }),
      )
    }
    const [means, counts] = [await query('avg_over_time'), await query('count_over_time')]
    expect(sums.size).toBeGreaterThan(20)
    const wrong = [...sums].filter(([key, { sum, count }]) => {
      // A time-sliced GPU shows one pod's name and everybody's work, so its stretches are told to the half point.
      const off = Math.abs((means.get(key) ?? Number.NaN) - sum / count)
      return counts.get(key) !== count || !(off < 0.005)
    })
    expect(wrong).toEqual([])
  })
})

const bound = (namespace: string, name: string, spec: Body = {}): Body => ({
  metadata: { name, namespace },
  spec: {
    containers: [{ name: 'c', image: 'x', resources: { limits: { 'nvidia.com/gpu': '1' } } }],
    nodeSelector: { 'kubernetes.io/hostname': 'gpu-a100-40-02' },
    ...spec,
  },
})

describe('what decides where pods may run', () => {
  test('a taint keeps out who does not tolerate it; who sits there does, and says so', async () => {
    expect((await node('gpu-h200-01'))['spec'].taints).toEqual([
      { key: 'dedicated', value: 'large-models', effect: 'NoSchedule' },
    ])
    const there = await gpuPodsOn('gpu-h200-01')
    expect(there.length).toBeGreaterThan(0)
    for (const pod of there) {
      expect(pod['spec'].tolerations).toContainEqual(expect.objectContaining({ key: 'dedicated' }))
      expect(pod['spec'].affinity.nodeAffinity).toMatchObject({
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}] },
      })
    }
    const taints = [{ key: 'dedicated', value: 'large-models', effect: 'NoSchedule' }]
    await call('PATCH', '/api/v1/nodes/gpu-a100-40-02', { spec: { taints } })
    await call('POST', '/api/v1/namespaces/sandbox/pods', bound('sandbox', 'stranger'))
    const tolerations = [{ key: 'dedicated', operator: 'Exists' }]
    await call('POST', '/api/v1/namespaces/sandbox/pods', bound('sandbox', 'guest', { tolerations }))
    const read = async (name: string): Promise<Body> =>
      (await call('GET', `/api/v1/namespaces/sandbox/pods/${name}`)).body
    expect((await read('stranger'))['spec'].nodeName).toBeUndefined()
    expect((await read('stranger'))['status'].conditions[0].message).toContain(
      'untolerated taint {dedicated: large-models}',
    )
    expect((await read('guest'))['spec'].nodeName).toBe('gpu-a100-40-02')
  })

  test('a cordon keeps out who does not tolerate its taint', async () => {
    await call('PATCH', '/api/v1/nodes/gpu-a100-40-02', { spec: { unschedulable: true } })
    await call('POST', '/api/v1/namespaces/sandbox/pods', bound('sandbox', 'stranger'))
    const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }]
    await call('POST', '/api/v1/namespaces/sandbox/pods', bound('sandbox', 'guest', { tolerations }))
    const nodeOf = async (name: string): Promise<unknown> =>
      (await call('GET', `/api/v1/namespaces/sandbox/pods/${name}`)).body['spec'].nodeName
    expect([await nodeOf('stranger'), await nodeOf('guest')]).toEqual([undefined, 'gpu-a100-40-02'])
  })

  test('quotas and queues count what is used, and keep what people set', async () => {
    const [first] = await items('/api/v1/namespaces/data-science/resourcequotas')
    const gpuPods = (await pods()).filter((pod) => pod['metadata'].namespace === 'data-science' && holdsGpu(pod))
    const wholes = [...gpuPods].reduce(
      (sum, pod) => sum + Number(pod['spec'].containers[0].resources.requests['nvidia.com/gpu'] ?? 0),
      0,
    )
    expect(wholes).toBeGreaterThan(0)
    expect(Number(first?.['status'].used['requests.nvidia.com/gpu'])).toBeGreaterThanOrEqual(wholes)
    const queue = async (): Promise<Body> =>
      (await call('GET', '/apis/kueue.x-k8s.io/v1beta2/clusterqueues/gpu-batch')).body
    const { spec, status } = await queue()
    const nominal = Number(spec.resourceGroups[0].flavors[0].resources[0].nominalQuota)
    const total = Number(status.flavorsReservation[0].resources[0].total)
    expect(total).toBeGreaterThan(0)
    expect(nominal).toBeGreaterThan(total)
    // What waits asks for 16.
    expect(nominal - total).toBeLessThan(16)
    const held = (await items('/apis/kueue.x-k8s.io/v1beta2/workloads')).filter(
      ({ status: { admission } }) => admission === undefined,
    )
    const told = held.map((each) => each['status'].conditions[0].message)
    expect(told).not.toEqual([])
    const needed = `insufficient unused quota for nvidia.com/gpu in flavor whole-gpu, ${16 - (nominal - total)} more needed`
    expect(told.filter((message) => !message.endsWith(needed))).toEqual([])
    const events = (await items('/api/v1/events')).filter(({ reason }) => reason === 'Pending')
    expect(events.map(({ message }) => message)).toContainEqual(expect.stringMatching(/ (?:8|9|1[0-5]) more needed$/u))
    const spare = await items('/apis/kueue.x-k8s.io/v1beta2/clusterqueues')
    expect(spare.map((each) => each['metadata'].name)).toEqual(['gpu-batch', 'gpu-research'])
    now += 25 * MINUTE_MS
    await call('GET', '/version')
    expect((await queue())['spec']).toEqual(spec)
  })

  test('priorities, a pod nobody makes again, and one that must not be disrupted', async () => {
    const all = (await pods()).filter(holdsGpu)
    expect(new Set(all.map((pod) => pod['spec'].priority)).size).toBe(4)
    const bare = all.filter((pod) => pod['metadata'].ownerReferences === undefined)
    expect(bare.map((pod) => pod['metadata'].namespace)).toEqual(['sandbox'])
    const kept = all.filter((pod) => pod['metadata'].annotations?.['karpenter.sh/do-not-disrupt'] === 'true')
    expect(kept.map((pod) => pod['spec'].nodeName)).toEqual(['gpu-l40s-01'])
    expect((await evict(bare[0] ?? {})).status).toBe(201)
    now += MINUTE_MS
    await call('GET', '/version')
    const left = (await pods()).filter((pod) => pod['metadata'].name.startsWith('debug-decoder'))
    expect(left).toEqual([])
  })
})
