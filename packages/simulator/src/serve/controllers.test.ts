import { MINUTE_MS } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { type Answer, type Body } from './demo.fixture.ts'
import {
  GPU,
  demo,
  deployment,
  exposition,
  isLeaving,
  isRunning,
  limitsOf,
  named,
  of,
  pass,
  pathOf,
  podsOf,
  scale,
  training,
} from './controllers.fixture.ts'

/** Asks to take the pods of a service that a tool keeps. */
const takePods = (): Promise<Answer> =>
  demo.call('PATCH', `${deployment('media-encoding', 'frame-upscale')}?fieldManager=septet`, {
    type: 'application/apply-patch+yaml',
    body: { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 0 } },
  })

/** What the queue of batch work has reserved. */
const reservedByBatch = async (): Promise<number> => {
  const { status } = await demo.get('/apis/kueue.x-k8s.io/v1beta2/clusterqueues/gpu-batch')
  return Number(status.flavorsReservation[0].resources[0].total)
}

/** What the metrics engine answers of an instant. */
const toldAt = async (query: string, time: number): Promise<unknown> => {
  const url = `${demo.cluster.prometheusUrl}/api/v1/query?query=${encodeURIComponent(query)}&time=${time / 1000}`
  return ((await (await fetch(url)).json()) as Body)['data'].result
}

const containersWith = (count: string): Body => {
  const resources = { limits: { [GPU]: count }, requests: { [GPU]: count } }
  return { spec: { template: { spec: { containers: [{ name: 'notebook', image: 'x', resources }] } } } }
}

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
    const [hour, then] = [`avg_over_time(${selector}[1h])`, demo.now]
    const before = await toldAt(hour, then)
    expect(before).toHaveLength(1)
    await scale(path, 0)
    await pass(20 * MINUTE_MS)
    expect(await toldAt(`count_over_time(${selector}[10m])`, demo.now)).toEqual([])
    expect(await toldAt(hour, then)).toEqual(before)
    await scale(path, 2)
    await pass(20 * MINUTE_MS)
    expect(await toldAt(hour, then)).toEqual(before)
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
})

describe('Jobs', () => {
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
    const before = await reservedByBatch()
    await demo.patch(path, { spec: { active: false } })
    await pass(10_000)
    expect(await podsOf(job)).toEqual([])
    const { status } = await demo.get(path)
    expect(status.admission).toBeUndefined()
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Evicted', reason: 'Deactivated' }))
    expect(await reservedByBatch()).toBeLessThan(before)
    // Kueue serves the version before as well.
    const older = path.replace('v1beta2', 'v1beta1')
    const answer = await demo.patch(older, { spec: { active: true } })
    expect([answer.status, answer.body['apiVersion']]).toEqual([200, 'kueue.x-k8s.io/v1beta1'])
    await pass(10_000)
    expect((await podsOf(job)).filter(isRunning)).toHaveLength(job['spec'].parallelism as number)
    expect(await reservedByBatch()).toBe(before)
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
})

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
    // Only a real server merges so: the demo says that it does not.
    expect((await takePods()).status).toBe(415)
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
