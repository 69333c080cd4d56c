import { expect, test } from 'vitest'

import { draw, mix } from '../model/hash.ts'
import { TestedDemo, type Body } from './demo.fixture.ts'
import { FAULT_NAMES } from './cluster/faults/fault-kinds.ts'

const demo = new TestedDemo({ migMs: 300 })

const SECOND = 1000
const limitsOf = (pod: Body): Body => (pod['spec'].containers[0].resources.limits ?? {}) as Body
const gpusOf = (pod: Body): readonly (readonly [string, number])[] =>
  Object.entries(limitsOf(pod)).flatMap(([name, count]) =>
    name.startsWith('nvidia.com/') ? [[name, Number(count)] as const] : [],
  )
const pathOf = (group: string, plural: string, { metadata }: Body): string =>
  `/${group === 'v1' ? 'api' : 'apis'}/${group}/namespaces/${metadata.namespace}/${plural}/${metadata.name}`

type Chance = {
  readonly pick: (list: readonly Body[]) => Body
  readonly upTo: (most: number) => number
}
const hasGpu = (object: Body): boolean => JSON.stringify(object['spec']).includes('nvidia.com/')

async function breakSomething({ pick, upTo }: Chance): Promise<unknown> {
  const node = pick(await demo.items('/api/v1/nodes'))['metadata'].name as string
  const body = { kind: FAULT_NAMES[upTo(FAULT_NAMES.length - 1)], node, seconds: 5 + upTo(20) }
  return demo.call('POST', '/demo/faults', { body })
}

/** One thing that a person or a program may do to the cluster. */
const DEEDS: readonly ((chance: Chance) => Promise<unknown>)[] = [
  breakSomething,
  breakSomething,
  async ({ pick, upTo }) => {
    const one = pick((await demo.items('/apis/apps/v1/deployments')).filter(hasGpu))
    return demo.patch(`${pathOf('apps/v1', 'deployments', one)}/scale`, { spec: { replicas: upTo(4) } })
  },
  async ({ pick, upTo }) => {
    const one = pick((await demo.items('/apis/apps/v1/statefulsets')).filter(hasGpu))
    return demo.patch(pathOf('apps/v1', 'statefulsets', one), { spec: { replicas: upTo(2) } })
  },
  async ({ pick, upTo }) => {
    const one = pick(await demo.items('/apis/batch/v1/jobs'))
    return demo.patch(pathOf('batch/v1', 'jobs', one), { spec: { suspend: upTo(1) === 1 } })
  },
  async ({ pick, upTo }) => {
    const one = pick((await demo.items('/apis/apps/v1/deployments')).filter(hasGpu))
    const [container] = one['spec'].template.spec.containers as Body[]
    const [resource] = Object.keys(container?.['resources'].limits as Body).filter((name) => name.includes('/'))
    const asked = { cpu: '8', [resource ?? '']: String(1 + upTo(1)) }
    const containers = [{ ...container, resources: { limits: asked, requests: asked } }]
    return demo.patch(pathOf('apps/v1', 'deployments', one), { spec: { template: { spec: { containers } } } })
  },
  async ({ pick, upTo }) => {
    const one = pick((await demo.items('/api/v1/pods')).filter(hasGpu))
    const path = pathOf('v1', 'pods', one)
    return upTo(1) === 1
      ? demo.call('DELETE', path)
      : demo.call('POST', `${path}/eviction`, { body: { metadata: { name: one['metadata'].name } } })
  },
  async ({ pick, upTo }) => {
    const one = pick(await demo.items('/api/v1/nodes'))
    return demo.patch(`/api/v1/nodes/${one['metadata'].name}`, { spec: { unschedulable: upTo(2) === 0 ? true : null } })
  },
  async ({ pick, upTo }) => {
    const one = pick(
      (await demo.items('/api/v1/nodes')).filter((node) => 'nvidia.com/mig.config' in node['metadata'].labels),
    )
    const config = ['all-disabled', 'all-balanced', 'all-enabled'][upTo(2)]
    const labels = { 'nvidia.com/mig.config': config }
    return demo.patch(`/api/v1/nodes/${one['metadata'].name}`, { metadata: { labels } })
  },
  async ({ pick, upTo }) => {
    const one = pick(await demo.items('/apis/kubeflow.org/v1/notebooks'))
    const value = upTo(1) === 1 ? 'now' : null
    const annotations = { 'kubeflow-resource-stopped': value }
    return demo.patch(pathOf('kubeflow.org/v1', 'notebooks', one), { metadata: { annotations } })
  },
  async ({ pick, upTo }) => {
    const one = pick(await demo.items('/apis/kueue.x-k8s.io/v1beta2/workloads'))
    return demo.patch(pathOf('kueue.x-k8s.io/v1beta2', 'workloads', one), { spec: { active: upTo(1) === 1 } })
  },
  async ({ pick, upTo }) =>
    upTo(9) === 0
      ? demo.call('DELETE', `/api/v1/nodes/${pick(await demo.items('/api/v1/nodes'))['metadata'].name}`)
      : undefined,
  async ({ pick, upTo }) =>
    upTo(9) === 0
      ? demo.call('DELETE', pathOf('apps/v1', 'deployments', pick(await demo.items('/apis/apps/v1/deployments'))))
      : undefined,
]

/** What is wrong with the cluster now. */
async function complaints(): Promise<readonly string[]> {
  const pods = (await demo.items('/api/v1/pods')).filter((pod) => gpusOf(pod).length > 0)
  const holding = pods.filter(
    (pod) => pod['spec'].nodeName !== undefined && !['Succeeded', 'Failed'].includes(pod['status'].phase as string),
  )
  return [...(await overused(holding)), ...(await ownersWrong(pods)), ...(await labelsWrong(holding))]
}

/** Nobody runs on a node that is gone, and what runs holds no more than there is. */
async function overused(holding: readonly Body[]): Promise<readonly string[]> {
  const nodes = new Map((await demo.items('/api/v1/nodes')).map((node) => [node['metadata'].name as string, node]))
  const gone = holding.filter((pod) => !nodes.has(pod['spec'].nodeName as string))
  const held = holding
    .filter((pod) => pod['status'].phase === 'Running')
    .flatMap((pod) => gpusOf(pod).map(([name, count]) => ({ key: `${pod['spec'].nodeName} ${name}`, count })))
  const used = [...Map.groupBy(held, ({ key }) => key)].map(([key, all]) => {
    const [node = '', resource = ''] = key.split(' ')
    const there = Number(nodes.get(node)?.['status'].capacity[resource] ?? 0)
    return { key, there, sum: all.reduce((sum, { count }) => sum + count, 0) }
  })
  return [
    ...gone.map(({ metadata, spec }) => `${metadata.name} is on ${spec.nodeName}, which is gone`),
    ...used.filter(({ sum, there }) => sum > there).map(({ key, sum, there }) => `${key}: ${sum} of ${there} are used`),
  ]
}

async function ownersWrong(pods: readonly Body[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const kind of ['replicasets', 'statefulsets']) {
    for (const { metadata, spec, status } of (await demo.items(`/apis/apps/v1/${kind}`)).filter(hasGpu)) {
      const mine = pods.filter((pod) => pod['metadata'].ownerReferences?.[0]?.uid === metadata.uid)
      const staying = mine.filter((pod) => pod['metadata'].deletionTimestamp === undefined).length
      if (staying > spec.replicas) found.push(`${metadata.name} wants ${spec.replicas} and has ${staying}`)
      if (staying !== status.replicas) found.push(`${metadata.name} says ${status.replicas} and has ${staying}`)
    }
  }
  return found
}

/** Who does not have what is wanted, long after the last change: pods that wait for a place count. */
async function unsettled(): Promise<readonly string[]> {
  const found: string[] = []
  for (const kind of ['deployments', 'statefulsets']) {
    for (const { metadata, spec, status } of (await demo.items(`/apis/apps/v1/${kind}`)).filter(hasGpu)) {
      if ((status.replicas ?? 0) !== spec.replicas)
        found.push(`${metadata.name}: ${status.replicas} of ${spec.replicas}`)
    }
  }
  const jobs = (await demo.items('/apis/batch/v1/jobs')).filter((job) => !isOver(job))
  for (const { metadata, spec, status } of jobs) {
    const wanted = spec.suspend === true ? 0 : (spec.parallelism as number)
    if ((status.active ?? 0) !== wanted) found.push(`${metadata.name}: ${status.active} of ${wanted}`)
  }
  return found
}

const isOver = ({ status }: Body): boolean =>
  (status.conditions ?? []).some(({ type }: Body) => type === 'Complete' || type === 'Failed')

/** Whom the exporters name must run there. */
async function labelsWrong(holding: readonly Body[]): Promise<readonly string[]> {
  const there = new Set(holding.map(({ metadata, spec }) => `${spec.nodeName} ${metadata.namespace}/${metadata.name}`))
  const found: string[] = []
  for (const { labels } of (await (await fetch(demo.cluster.exporterTargetsUrl)).json()) as Body[]) {
    const text = await (await fetch(`${demo.cluster.apiUrl}/exporter/${labels.node}/metrics`)).text()
    for (const [, namespace, pod] of text.matchAll(/^DCGM_FI_DEV_SM_CLOCK.*namespace="([^"]+)",pod="([^"]+)"/gm)) {
      const name = `${labels.node} ${namespace}/${pod}`
      if (!there.has(name)) found.push(`the exporter names ${name}`)
    }
  }
  return found
}

test('whatever is done to it, nobody has what is not there or another has, and owners tell what they have', async () => {
  for (let turn = 0; turn < 15; turn++) {
    const own = mix(11, turn)
    let drawn = 0
    const next = (): number => draw(own, ++drawn)
    const upTo = (most: number): number => Math.floor(next() * (most + 1))
    const pick = (list: readonly Body[]): Body => list[upTo(list.length - 1)] ?? {}
    for (let deed = upTo(3); deed >= 0; deed--) {
      // An answer may be lost: that is one of the faults.
      await DEEDS[upTo(DEEDS.length - 1)]?.({ pick, upTo }).catch(() => undefined)
    }
    demo.now += [0, SECOND, 5 * SECOND, 30 * SECOND, 1800 * SECOND][upTo(4)] ?? 0
    await demo.get('/version')
    expect({ turn, complaints: await complaints() }).toEqual({ turn, complaints: [] })
  }
  demo.now += 300 * SECOND
  await demo.get('/version')
  expect(await unsettled()).toEqual([])
})
