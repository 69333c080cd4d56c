import { describe, expect, test } from 'vitest'

import { TestedDemo, type Body } from './demo.fixture.ts'

const demo = new TestedDemo()
const PODS = '/api/v1/namespaces/default/pods'
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'

/** A pod without a GPU: only the other filters decide about it. */
const pod = (name: string, spec: object, labels: object = { app: name }): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }], ...spec },
})

async function placed(name: string, spec: object, labels?: object): Promise<Body> {
  const made = await demo.call('POST', PODS, { body: pod(name, spec, labels) })
  expect(made.status).toBe(201)
  return demo.get(`${PODS}/${name}`)
}
const nodeOf = (body: Body): string | undefined => body['spec'].nodeName
const messageOf = (body: Body): string => body['status'].conditions[0].message
const asking = (requests: object): object => ({
  containers: [{ name: 'main', image: 'registry.example.com/app:1', resources: { requests } }],
})

const terms = (term: object) => ({ affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [term] } } } })
const apart = (app: string): object => ({
  nodeSelector: { 'kubernetes.io/hostname': 'gpu-a100-03' },
  affinity: {
    podAntiAffinity: {
      [REQUIRED]: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } }],
    },
  },
})
const spread = (more: object): object => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'spread' } },
    },
  ],
  ...more,
})

describe('the scheduler', () => {
  test('places nothing that asks for more CPU or memory than any node has left', async () => {
    expect(nodeOf(await placed('small', asking({ cpu: '100m', memory: '64Mi' })))).toBeDefined()
    const large = await placed('large', asking({ cpu: '10k' }))
    expect(nodeOf(large)).toBeUndefined()
    expect(messageOf(large)).toContain('Insufficient cpu')
    expect(messageOf(await placed('fat', asking({ memory: '90Ti' })))).toContain('Insufficient memory')
  })

  test('keeps to node affinity by labels and by the name of the node', async () => {
    const byName = terms({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['gpu-a100-03'] }] })
    expect(nodeOf(await placed('named', byName))).toBe('gpu-a100-03')
    const nowhere = terms({ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'DoesNotExist' }] })
    expect(messageOf(await placed('nowhere', nowhere))).toContain("didn't match Pod's node affinity/selector")
  })

  test('puts no two pods on one node that keep apart, and lets those that run keep others away', async () => {
    expect(nodeOf(await placed('one', apart('web'), { app: 'web' }))).toBe('gpu-a100-03')
    expect(messageOf(await placed('two', apart('web'), { app: 'web' }))).toContain(
      "didn't match pod anti-affinity rules",
    )
    const other = { nodeSelector: { 'kubernetes.io/hostname': 'gpu-a100-03' } }
    expect(messageOf(await placed('three', other, { app: 'web' }))).toContain('existing pods anti-affinity rules')
    expect(nodeOf(await placed('four', other, { app: 'db' }))).toBe('gpu-a100-03')
  })

  test('spreads over zones, and counts no zone that the pod itself rules out', async () => {
    const nodes = await demo.items('/api/v1/nodes')
    const zone = (name: string | undefined): string =>
      nodes.find((node) => node['metadata'].name === name)?.['metadata'].labels['topology.kubernetes.io/zone']
    const all = new Set(nodes.map((node) => zone(node['metadata'].name)))
    const used = new Set<string>()
    for (const at of all) used.add(zone(nodeOf(await placed(`spread-${at}`, spread({}), { app: 'spread' }))))
    expect(used).toEqual(all)
    const [only] = all
    const inOne = spread({ nodeSelector: { 'topology.kubernetes.io/zone': only } })
    for (const at of [1, 2]) expect(nodeOf(await placed(`only-${at}`, inOne, { app: 'spread' }))).toBeDefined()
  })
})

test('a pod gets the number of its priority class, and one that names a class that is not there is refused', async () => {
  const make = (name: string, priorityClassName: string) =>
    demo.call('POST', PODS, { body: pod(name, { priorityClassName }) })
  const [known, unknown] = [await make('urgent-one', 'production'), await make('lost-one', 'urgent')]
  expect([known.status, known.body['spec'].priority]).toEqual([201, 1000])
  expect([unknown.status, unknown.body['message']]).toEqual([
    403,
    'pods "lost-one" is forbidden: no PriorityClass with name urgent was found',
  ])
  await demo.call('DELETE', `${PODS}/urgent-one?gracePeriodSeconds=0`)
})

test('a ResourceQuota refuses what is more than is left, and pods that do not say what it counts', async () => {
  const quota = { hard: { pods: '2', 'requests.cpu': '1' } }
  await demo.call('POST', '/api/v1/namespaces/default/resourcequotas', {
    body: { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: quota },
  })
  const make = (name: string, spec: object) => demo.call('POST', PODS, { body: pod(name, spec) })
  expect((await make('first', asking({ cpu: '600m' }))).status).toBe(201)
  const over = await make('second', asking({ cpu: '600m' }))
  expect([over.status, over.body['message']]).toEqual([
    403,
    'pods "second" is forbidden: exceeded quota: few, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
  ])
  expect((await make('third', {})).body['message']).toContain('must specify requests.cpu')
  await demo.call('DELETE', `${PODS}/first?gracePeriodSeconds=0`)
  expect((await make('second', asking({ cpu: '600m' }))).status).toBe(201)
})
