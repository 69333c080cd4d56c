import { DAY_MS, MINUTE_MS } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { TestedDemo, type Answer, type Body } from './demo.fixture.ts'

const demo = new TestedDemo()

const GPU = 'nvidia.com/gpu'
const of = (kind: keyof typeof GROUPS, namespace: string, name: string): string =>
  `/apis/${GROUPS[kind]}/namespaces/${namespace}/${kind}/${name}`
const GROUPS = {
  deployments: 'apps/v1',
  replicasets: 'apps/v1',
  statefulsets: 'apps/v1',
  jobs: 'batch/v1',
  cronjobs: 'batch/v1',
  notebooks: 'kubeflow.org/v1',
  workloads: 'kueue.x-k8s.io/v1beta2',
} as const
const deployment = (namespace: string, name: string): string => of('deployments', namespace, name)

/** Lets time pass, and what is due happen. */
async function pass(milliseconds: number): Promise<void> {
  demo.now += milliseconds
  await demo.get('/version')
}

const podsOf = (object: Body): Promise<readonly Body[]> =>
  demo.items(
    `/api/v1/namespaces/${object['metadata'].namespace}/pods?labelSelector=app.kubernetes.io/name=${object['metadata'].labels['app.kubernetes.io/name']}`,
  )
const isLeaving = (pod: Body): boolean => pod['metadata'].deletionTimestamp !== undefined
const isRunning = (pod: Body): boolean => pod['status'].phase === 'Running' && !isLeaving(pod)
const scale = (path: string, replicas: number): Promise<Answer> => demo.patch(`${path}/scale`, { spec: { replicas } })
const limitsOf = (pod: Body): Body => pod['spec'].containers[0].resources.limits as Body
const exposition = async (node: string): Promise<string> =>
  await (await fetch(`${demo.cluster.apiUrl}/exporter/${node}/metrics`)).text()
const named = (namespace: string, pod: string): string => `namespace="${namespace}",pod="${pod}"`

describe('replicas', () => {
  const path = deployment('document-understanding', 'entity-link')

  test('none: the pods end politely, and GPU, telemetry and status are free of them at once', async () => {
    const object = await demo.get(path)
    const [pod] = await podsOf(object)
    const [name, node] = [pod?.['metadata'].name as string, pod?.['spec'].nodeName as string]
    expect(await exposition(node)).toContain(named('document-understanding', name))
    expect((await demo.get(`${path}/scale`))['spec']).toEqual({ replicas: 1 })
    const { body } = await scale(path, 0)
    expect(body).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: {} })
    expect((await podsOf(object)).map(isLeaving)).toEqual([true])
    await pass(4000)
    expect(await podsOf(object)).toEqual([])
    expect(await exposition(node)).not.toContain(named('document-understanding', name))
    const { metadata, status } = await demo.get(path)
    expect(status).toEqual({ observedGeneration: metadata.generation })
    expect(metadata.managedFields.at(-1)).toMatchObject({ subresource: 'scale', operation: 'Update' })
    const sets = await demo.items('/apis/apps/v1/namespaces/document-understanding/replicasets')
    const mine = sets.find((each) => each['metadata'].ownerReferences[0].uid === metadata.uid)
    expect([mine?.['spec'].replicas, mine?.['status'].replicas]).toEqual([0, 0])
    // Somebody waits for this pool, and has the GPU at once.
    const there = await demo.items(`/api/v1/pods?fieldSelector=spec.nodeName=${node}`)
    expect(there.filter((each) => Date.parse(each['status'].startTime) > demo.now - 2000)).toHaveLength(1)
  })

  test('none: history tells nothing of the pod from then on, and of before what it always told', async () => {
    const [pod] = await podsOf(await demo.get(path))
    const selector = `DCGM_FI_PROF_GR_ENGINE_ACTIVE{pod="${pod?.['metadata'].name}"}`
    const told = async (query: string, time: number): Promise<unknown> => {
      const url = `${demo.cluster.prometheusUrl}/api/v1/query?query=${encodeURIComponent(query)}&time=${time / 1000}`
      return ((await (await fetch(url)).json()) as Body)['data'].result
    }
    const [hour, then] = [`avg_over_time(${selector}[1h])`, demo.now]
    const before = await told(hour, then)
    expect(before).toHaveLength(1)
    await scale(path, 0)
    await pass(20 * MINUTE_MS)
    expect(await told(`count_over_time(${selector}[10m])`, demo.now)).toEqual([])
    expect(await told(hour, then)).toEqual(before)
    await scale(path, 2)
    await pass(20 * MINUTE_MS)
    expect(await told(hour, then)).toEqual(before)
  })

  test('none stays none beyond the day when the work would have ended, and comes back when it is wanted', async () => {
    const object = await demo.get(path)
    await scale(path, 0)
    for (let day = 0; day < 2; day++) {
      await pass(DAY_MS)
      expect(await podsOf(object)).toEqual([])
      expect((await demo.get(path))['spec'].replicas).toBe(0)
    }
    await scale(path, 1)
    await pass(10_000)
    expect((await podsOf(object)).map(isRunning)).toEqual([true])
    expect((await demo.get(path))['status']).toMatchObject({ replicas: 1, readyReplicas: 1, updatedReplicas: 1 })
    await pass(2 * DAY_MS)
    expect((await podsOf(object)).filter(isRunning)).toHaveLength(1)
  })

  test('fewer or more, by a patch of the object', async () => {
    const budgets = await demo.items('/apis/policy/v1/poddisruptionbudgets')
    const guarded = budgets.find(({ status }) => status.expectedPods === 4) ?? {}
    const { namespace, name } = guarded['metadata'] as Body
    const target = deployment(namespace, name)
    const service = await demo.get(target)
    const before = (await podsOf(service)).map((pod) => pod['metadata'].uid as string)
    await demo.patch(target, { spec: { replicas: 2 } })
    await pass(10_000)
    const left = await podsOf(service)
    expect(left.map(isRunning)).toEqual([true, true])
    expect(before).toEqual(expect.arrayContaining(left.map((pod) => pod['metadata'].uid as string)))
    await demo.patch(target, { spec: { replicas: 3 } })
    await pass(10_000)
    expect((await podsOf(service)).map(isRunning)).toEqual([true, true, true])
    expect((await demo.get(target))['status']).toMatchObject({ replicas: 3, readyReplicas: 3 })
    const budget = await demo.get(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/${name}`)
    expect(budget['spec'].minAvailable).toBe(3)
    expect(budget['status']).toMatchObject({ expectedPods: 3, currentHealthy: 3, disruptionsAllowed: 0 })
  })

  test('of a StatefulSet: the same name comes back, once the one before has left', async () => {
    const target = of('statefulsets', 'research-vision', 'explore-thesis')
    const object = await demo.get(target)
    const current = await demo.get(`${target}/scale`)
    await demo.patch(`${target}/scale`, {
      metadata: { resourceVersion: current['metadata'].resourceVersion as string },
      spec: { replicas: 0 },
    })
    await demo.patch(target, { spec: { replicas: 1 } })
    expect((await podsOf(object)).map(isLeaving)).toEqual([true])
    const [old] = await podsOf(object)
    await pass(MINUTE_MS)
    const [fresh] = await podsOf(object)
    expect(fresh?.['metadata'].name).toBe('explore-thesis-0')
    expect(fresh?.['metadata'].uid).not.toBe(old?.['metadata'].uid)
    expect(fresh?.['status'].phase).toBe('Running')
  })

  test('that cannot be are refused, and a version that has passed is a conflict', async () => {
    expect((await scale(path, -1)).status).toBe(422)
    const current = await demo.get(`${path}/scale`)
    const metadata = { ...current['metadata'], resourceVersion: '1' }
    expect((await demo.patch(`${path}/scale`, { metadata })).status).toBe(409)
    expect((await demo.patch(`${path}/scale?dryRun=All`, { spec: { replicas: 0 } })).status).toBe(200)
    await pass(10_000)
    expect((await podsOf(await demo.get(path))).map(isRunning)).toEqual([true])
  })

  test('that are beyond all measure make no more pods than the demo can bear', async () => {
    expect((await scale(path, 1_000_000_000)).status).toBe(200)
    expect(await podsOf(await demo.get(path))).toHaveLength(500)
  })

  test('the ReplicaSet below is set back to what its Deployment says', async () => {
    const { metadata } = await demo.get(path)
    const sets = await demo.items('/apis/apps/v1/namespaces/document-understanding/replicasets')
    const mine = sets.find((each) => each['metadata'].ownerReferences[0].uid === metadata.uid)
    const below = of('replicasets', 'document-understanding', mine?.['metadata'].name as string)
    await scale(below, 0)
    await pass(10_000)
    expect((await demo.get(below))['spec'].replicas).toBe(1)
    expect((await podsOf(await demo.get(path))).map(isRunning)).toEqual([true])
  })

  test('a deleted Deployment takes its pods along and does not come back', async () => {
    const object = await demo.get(path)
    expect((await demo.call('DELETE', path)).status).toBe(200)
    await pass(10_000)
    expect(await podsOf(object)).toEqual([])
    const sets = await demo.items('/apis/apps/v1/namespaces/document-understanding/replicasets')
    expect(sets.filter((each) => each['metadata'].ownerReferences[0].uid === object['metadata'].uid)).toEqual([])
    await pass(2 * DAY_MS)
    expect((await demo.call('GET', path)).status).toBe(404)
    expect(await podsOf(object)).toEqual([])
  })
})

const training = async (): Promise<Body> => {
  const jobs = await demo.items('/apis/batch/v1/namespaces/ml-platform/jobs')
  return jobs.find((each) => each['status'].active > 0 && each['metadata'].ownerReferences === undefined) ?? {}
}
const pathOf = (job: Body): string => of('jobs', job['metadata'].namespace, job['metadata'].name)

describe('Jobs', () => {
  test('a suspended Job has no pods, and does what it had left when it goes on', async () => {
    const job = await training()
    const count = job['spec'].parallelism as number
    expect((await podsOf(job)).filter(isRunning)).toHaveLength(count)
    await demo.patch(pathOf(job), { spec: { suspend: true } })
    await pass(10_000)
    expect(await podsOf(job)).toEqual([])
    const { status } = await demo.get(pathOf(job))
    expect(status.active).toBeUndefined()
    expect(status.conditions).toMatchObject([{ type: 'Suspended', status: 'True', reason: 'JobSuspended' }])
    await pass(3 * DAY_MS)
    expect((await demo.get(pathOf(job)))['spec'].suspend).toBe(true)
    await demo.patch(pathOf(job), { spec: { suspend: false } })
    await pass(2000)
    expect(await podsOf(job)).toHaveLength(count)
    const resumed = (await demo.get(pathOf(job)))['status']
    expect(resumed).toMatchObject({ active: count, conditions: [{ type: 'Suspended', status: 'False' }] })
    await pass(4 * DAY_MS)
    expect((await podsOf(job)).filter(isRunning)).toEqual([])
  })

  test('a Job that waits for a place can be suspended too, and its pod is made again when it is evicted', async () => {
    const pods = await demo.items('/api/v1/pods?fieldSelector=status.phase=Pending')
    const waiting = pods.find((pod) => pod['metadata'].ownerReferences?.[0]?.kind === 'Job') ?? {}
    const name = waiting['metadata'].labels['batch.kubernetes.io/job-name'] as string
    const job = await demo.get(of('jobs', waiting['metadata'].namespace, name))
    await demo.patch(pathOf(job), { spec: { suspend: true } })
    expect(await podsOf(job)).toEqual([])
    await demo.patch(pathOf(job), { spec: { suspend: false } })
    const [fresh] = await podsOf(job)
    expect(fresh?.['metadata'].uid).not.toBe(waiting['metadata'].uid)
    expect(fresh?.['spec'].nodeSelector).toEqual(waiting['spec'].nodeSelector)
    await demo.call('DELETE', `/api/v1/namespaces/${job['metadata'].namespace}/pods/${fresh?.['metadata'].name}`)
    await pass(4000)
    expect(await podsOf(job)).toHaveLength(1)
  })

  test('a Workload that is no longer active gives its quota back, and its Job runs again when it is', async () => {
    const job = await training()
    const workloads = await demo.items('/apis/kueue.x-k8s.io/v1beta2/namespaces/ml-platform/workloads')
    const mine = workloads.find((each) => each['metadata'].ownerReferences[0].name === job['metadata'].name) ?? {}
    const path = of('workloads', 'ml-platform', mine['metadata'].name)
    const total = async (): Promise<number> => {
      const { status } = await demo.get('/apis/kueue.x-k8s.io/v1beta2/clusterqueues/gpu-batch')
      return Number(status.flavorsReservation[0].resources[0].total)
    }
    const before = await total()
    await demo.patch(path, { spec: { active: false } })
    await pass(10_000)
    expect(await podsOf(job)).toEqual([])
    const { status } = await demo.get(path)
    expect(status.admission).toBeUndefined()
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Evicted', reason: 'Deactivated' }))
    expect(await total()).toBeLessThan(before)
    // Kueue serves the version before as well.
    const older = path.replace('v1beta2', 'v1beta1')
    const answer = await demo.patch(older, { spec: { active: true } })
    expect([answer.status, answer.body['apiVersion']]).toEqual([200, 'kueue.x-k8s.io/v1beta1'])
    await pass(10_000)
    expect((await podsOf(job)).filter(isRunning)).toHaveLength(job['spec'].parallelism as number)
    expect(await total()).toBe(before)
  })

  test('a Job that Kueue holds back is suspended again when somebody lets it go on', async () => {
    const workloads = await demo.items('/apis/kueue.x-k8s.io/v1beta2/workloads')
    const held = workloads.find(({ status }) => status.admission === undefined) ?? {}
    const { namespace, ownerReferences } = held['metadata'] as Body
    const path = of('jobs', namespace, ownerReferences[0].name)
    await demo.patch(path, { spec: { suspend: false } })
    await pass(10_000)
    const job = await demo.get(path)
    expect(job['spec'].suspend).toBe(true)
    expect(await podsOf(job)).toEqual([])
  })

  test('a suspended CronJob makes no more Jobs', async () => {
    const [cron = {}] = await demo.items('/apis/batch/v1/cronjobs')
    const { namespace, name } = cron['metadata'] as Body
    await demo.patch(of('cronjobs', namespace, name), { spec: { suspend: true } })
    await pass(2 * DAY_MS)
    const jobs = await demo.items(`/apis/batch/v1/namespaces/${namespace}/jobs`)
    expect(jobs.filter((job) => job['metadata'].ownerReferences?.[0]?.name === name)).toEqual([])
    expect((await demo.get(of('cronjobs', namespace, name)))['spec'].suspend).toBe(true)
  })
})

const containersWith = (count: string): Body => {
  const resources = { limits: { [GPU]: count }, requests: { [GPU]: count } }
  return { spec: { template: { spec: { containers: [{ name: 'notebook', image: 'x', resources }] } } } }
}

describe('a changed template', () => {
  test('gives a service new pods that ask for what it says, one after another, under a new ReplicaSet', async () => {
    const all = await demo.items('/apis/apps/v1/deployments')
    const service =
      all.find(({ spec }) => spec.replicas === 3 && 'nvidia.com/mig-1g.10gb' in limitsOf(spec.template)) ?? {}
    const { namespace, name } = service['metadata'] as Body
    const target = deployment(namespace, name)
    const before = await podsOf(service)
    expect(before.filter(isRunning)).toHaveLength(3)
    const [container] = service['spec'].template.spec.containers as Body[]
    const asked = { cpu: '8', memory: '48Gi', 'nvidia.com/mig-2g.20gb': '1' }
    const containers = [{ ...container, resources: { limits: asked, requests: asked } }]
    await demo.patch(target, { spec: { template: { spec: { containers } } } })
    await pass(1000)
    const during = await podsOf(service)
    expect(during.filter(isLeaving)).toHaveLength(1)
    expect(during.filter(isRunning)).toHaveLength(2)
    await pass(5 * MINUTE_MS)
    const after = await podsOf(service)
    expect(after.filter(isRunning).map(limitsOf)).toEqual([asked, asked, asked])
    const { status, metadata } = await demo.get(target)
    expect(status).toMatchObject({ observedGeneration: 2, updatedReplicas: 3, readyReplicas: 3 })
    const sets = await demo.items(`/apis/apps/v1/namespaces/${namespace}/replicasets`)
    const mine = sets.filter((each) => each['metadata'].ownerReferences[0].uid === metadata.uid)
    expect(new Set(mine.map((each) => each['spec'].replicas as number))).toEqual(new Set([0, 3]))
    await demo.patch(target, { spec: { template: { spec: { containers: [container] } } } })
    await pass(5 * MINUTE_MS)
    expect((await podsOf(service)).map(limitsOf)).toEqual(before.map(limitsOf))
  })

  test('that nothing can take stops at the first pod, which has to go before its StatefulSet goes on', async () => {
    const target = of('statefulsets', 'research-vision', 'explore-thesis')
    const object = await demo.get(target)
    await demo.patch(target, containersWith('99'))
    await pass(MINUTE_MS)
    const [stuck] = await podsOf(object)
    expect(stuck?.['status'].conditions[0]).toMatchObject({ reason: 'Unschedulable' })
    expect((await demo.get(target))['status'].readyReplicas).toBeUndefined()
    await demo.patch(target, containersWith('1'))
    await pass(MINUTE_MS)
    expect((await podsOf(object)).map(isRunning)).toEqual([false])
    const { namespace, name } = (stuck ?? {})['metadata'] as Body
    await demo.call('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`)
    await pass(MINUTE_MS)
    expect((await podsOf(object)).map(isRunning)).toEqual([true])
  })
})

describe('other owners', () => {
  test('a Notebook stands above its StatefulSet, and stops while the annotation is there', async () => {
    const [notebook = {}] = await demo.items('/apis/kubeflow.org/v1/notebooks')
    const { namespace, name, uid } = notebook['metadata'] as Body
    const set = of('statefulsets', namespace, name)
    expect((await demo.get(set))['metadata'].ownerReferences).toMatchObject([
      { kind: 'Notebook', uid, controller: true },
    ])
    const target = of('notebooks', namespace, name)
    const stop = (value: string | null): Promise<Answer> =>
      demo.patch(target, { metadata: { annotations: { 'kubeflow-resource-stopped': value } } })
    await stop('2026-11-18T14:03:00Z')
    await pass(10_000)
    expect((await demo.get(set))['spec'].replicas).toBe(0)
    expect(await podsOf(notebook)).toEqual([])
    await scale(set, 1)
    await pass(10_000)
    expect((await demo.get(set))['spec'].replicas).toBe(0)
    await stop(null)
    await pass(10_000)
    expect((await podsOf(notebook)).map(isRunning)).toEqual([true])
  })

  test('two services are kept by tools that would set them back', async () => {
    const argo = (await demo.get(deployment('media-encoding', 'frame-upscale')))['metadata'] as Body
    expect(argo['annotations']).toEqual({
      'argocd.argoproj.io/tracking-id': 'media-encoding:apps/Deployment:media-encoding/frame-upscale',
    })
    const apply = (): Promise<Answer> =>
      demo.call('PATCH', `${deployment('media-encoding', 'frame-upscale')}?fieldManager=septet`, {
        type: 'application/apply-patch+yaml',
        body: { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 0 } },
      })
    // Only a real server merges so: the demo says that it does not.
    expect((await apply()).status).toBe(415)
    expect(argo['managedFields'][0]).toMatchObject({
      manager: 'argocd-controller',
      operation: 'Apply',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    })
    const helm = (await demo.get(deployment('document-understanding', 'table-extract')))['metadata'] as Body
    expect(helm['labels']['app.kubernetes.io/managed-by']).toBe('Helm')
    expect(helm['annotations']).toEqual({
      'meta.helm.sh/release-name': 'table-extract',
      'meta.helm.sh/release-namespace': 'document-understanding',
    })
    expect(helm['managedFields'][0]).toMatchObject({ manager: 'helm', operation: 'Update' })
  })

  test('autoscalers and node pools are kept as they are written', async () => {
    const kept = [
      ['/apis/autoscaling/v2/namespaces/sandbox/horizontalpodautoscalers', { minReplicas: 1, maxReplicas: 4 }],
      ['/apis/keda.sh/v1alpha1/namespaces/sandbox/scaledobjects', { minReplicaCount: 0 }],
      ['/apis/karpenter.sh/v1/nodepools', { disruption: { consolidateAfter: '1m' } }],
      ['/apis/karpenter.sh/v1/nodeclaims', { expireAfter: '720h' }],
    ] as const
    for (const [path, spec] of kept) {
      expect((await demo.call('POST', path, { body: { metadata: { name: 'mine' }, spec } })).status).toBe(201)
      expect((await demo.get(`${path}/mine`))['spec']).toEqual(spec)
    }
  })
})

test('a deleted node takes its pods and its exporter along, and its work goes elsewhere', async () => {
  const name = 'gpu-l40s-01'
  const work = await demo.get(deployment('media-encoding', 'audio-cleanup'))
  expect((await podsOf(work))[0]?.['spec'].nodeName).toBe(name)
  expect((await demo.call('DELETE', `/api/v1/nodes/${name}`)).status).toBe(200)
  await pass(10_000)
  expect((await demo.call('GET', `/api/v1/nodes/${name}`)).status).toBe(404)
  expect(await demo.items(`/api/v1/pods?fieldSelector=spec.nodeName=${name}`)).toEqual([])
  expect((await fetch(`${demo.cluster.apiUrl}/exporter/${name}/metrics`)).status).toBe(404)
  const targets = (await (await fetch(demo.cluster.exporterTargetsUrl)).json()) as Body[]
  expect(targets.map(({ labels }) => labels.node as string)).not.toContain(name)
  const [moved] = await podsOf(work)
  expect(moved?.['spec'].nodeName).not.toBe(name)
  await pass(3 * DAY_MS)
  expect(await demo.items(`/api/v1/pods?fieldSelector=spec.nodeName=${name}`)).toEqual([])
})

test('the same writes at the same time give the same cluster', async () => {
  const after = async (): Promise<unknown> => {
    await scale(deployment('document-understanding', 'entity-link'), 0)
    await pass(MINUTE_MS)
    await scale(deployment('document-understanding', 'entity-link'), 2)
    await pass(DAY_MS)
    return (await demo.items('/api/v1/pods')).map(({ metadata, status }) => [metadata.name, metadata.uid, status.phase])
  }
  const first = await after()
  demo.now -= DAY_MS + MINUTE_MS
  await demo.restart()
  expect(await after()).toEqual(first)
})
