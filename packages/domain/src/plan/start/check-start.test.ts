import { describe, expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import { mib } from '../../units.ts'
import type { AskedJob } from './asked-job.ts'
import { SUSPENDED } from './asked-job.ts'
import { askedJob, asking, counted } from './asked.fixture.ts'
import { checkStart } from './check-start.ts'
import type { StartAnswer } from './start-answer.ts'

const ask = (cluster: ClusterSnapshot, ...jobs: readonly AskedJob[]): StartAnswer => {
  const [first] = checkStart(cluster, jobs)
  if (first === undefined) throw new Error('no answer')
  return first
}
const changes = ({ changes: all }: StartAnswer) => all.map(({ kind, sentence }) => `${kind}: ${sentence}`)
const gpus = (count: number) => [{ resource: 'nvidia.com/gpu', count }]
const mig = (profile: string) => [{ resource: `nvidia.com/mig-${profile}`, count: 1 }]
const asks = (cores: number, gib = 0) => ({ ...UNCONSTRAINED, cpuMilli: cores * 1000, memory: mib(gib * 1024) })

const two = counted(draw`
  node-a  H100-80GB-HBM3  [-]
  node-a  H100-80GB-HBM3  [lab/other]
  node-b  A100-SXM4-80GB  [3g.40gb -] [3g.40gb web/chat]`)

describe('now', () => {
  test('a free GPU is named with its node', () => {
    expect(ask(two, askedJob([asking()]))).toMatchObject({
      verdict: 'now',
      starting: 1,
      sentence: 'Job train starts now: 1 pod on a node such as node-a.',
      places: [{ node: 'node-a', pods: 1, devices: [{ index: 0, profile: undefined }] }],
    })
  })
  test('a free MIG device likewise', () => {
    const { verdict, places } = ask(two, askedJob([asking({ requests: mig('3g.40gb') })]))
    expect([verdict, places]).toMatchObject(['now', [{ node: 'node-b', devices: [{ profile: '3g.40gb' }] }]])
  })
  test('MIG devices that a node advertises as GPUs are named as what they are', () => {
    const drawn = draw`
      node-a  A100-SXM4-40GB  [3g.20gb -] [3g.20gb -]`
    const single = counted({
      ...drawn,
      nodes: drawn.nodes.map((node) => ({ ...node, mig: { ...node.mig, strategy: 'single' as const } })),
    })
    const job = askedJob([asking({ requests: gpus(2) })])
    const slices = 'These are MIG slices (3g.20gb), not whole GPUs:'
    expect(ask(single, job).sentence).toBe(
      `Job train starts now: 1 pod on a node such as node-a. ${slices} node-a advertises them as nvidia.com/gpu. Add a node selector to avoid them.`,
    )
    const [limited] = checkStart(single, [job], { namespaces: ['lab'] })
    expect(limited?.sentence).toBe(
      `Job train starts now: 1 pod. ${slices} their node advertises them as nvidia.com/gpu. Add a node selector to avoid them.`,
    )
    const asked = ask(counted(drawn), askedJob([asking({ requests: mig('3g.20gb') })]))
    expect(asked.sentence).not.toContain('slices')
  })
  test('pods that start each for itself start as far as there is room; a gang does not', () => {
    const pods = asking({ count: 2 })
    expect(ask(two, askedJob([pods]))).toMatchObject({ verdict: 'not-now', starting: 1, pods: 2 })
    expect(ask(two, askedJob([pods], { gang: true }))).toMatchObject({ verdict: 'not-now', starting: 0 })
  })
  test('groups that ask for the same take places from one another', () => {
    const groups = [asking({ part: 'Master' }), asking({ part: 'Worker' })]
    expect(ask(two, askedJob(groups, { gang: true })).because[0]).toBe(
      'Room is free for 1 of 2 pods of Master, Worker.',
    )
  })
  test('where the scheduler decides which pods still fit, it is not known', () => {
    const cluster = counted(draw`
      a  H100-80GB-HBM3  cpu=8  [-]
      b  H100-80GB-HBM3  cpu=64 [-]`)
    const job = askedJob([asking({ part: 'small' }), asking({ part: 'large', scheduling: asks(32) })])
    expect(ask(cluster, job)).toMatchObject({
      verdict: 'unknown',
      unknown: ['where the scheduler puts its first pods decides whether the others still fit'],
    })
  })
})

describe('what keeps a job from starting, and the smallest change', () => {
  test('no room for any of several pods', () => {
    const cluster = counted(draw`a  T4  !team=red:NoSchedule  [-]`)
    expect(ask(cluster, askedJob([asking({ count: 3 })])).because[0]).toBe('No node has room for any of 3 pods.')
  })
  test('a taint: a toleration', () => {
    const cluster = counted(draw`a  T4  !team=red:NoSchedule  [-]`)
    const found = ask(cluster, askedJob([asking()]))
    expect(found.because).toEqual(['No node has room for this pod.', '1 node: untolerated taint team=red:NoSchedule.'])
    expect(found.changes[0]).toMatchObject({
      kind: 'taint',
      patch: [{ op: 'add', path: '/spec/tolerations', value: [{ key: 'team', operator: 'Equal', value: 'red' }] }],
    })
  })
  test('a node selector: without it', () => {
    const cluster = counted(draw`a  T4  zone=a  [-]`)
    const scheduling = { ...UNCONSTRAINED, nodeSelector: { zone: 'b' } }
    const found = ask(cluster, askedJob([asking({ scheduling })]))
    expect(changes(found)).toEqual(['rules: Drop zone=b from the node selector.'])
    expect(found.changes[0]?.patch).toEqual([{ op: 'remove', path: '/spec/nodeSelector/zone' }])
  })
  test('CPU and memory: as much as is left', () => {
    const cluster = counted(draw`a  T4  cpu=8 memory=64  [-]`)
    const edit = { ...asking().edit, cpu: { resources: '/r', hasRequests: true, own: 16_000 } }
    expect(changes(ask(cluster, askedJob([asking({ scheduling: asks(16, 4), edit })])))).toEqual([
      'cpu: Ask for 8 cores of CPU instead of 16 cores of CPU.',
    ])
  })
  test('a profile that is taken: the largest smaller one that is free', () => {
    const cluster = counted(draw`a  A100-SXM4-80GB  [3g.40gb x/y] [2g.20gb -] [1g.10gb -]`)
    expect(changes(ask(cluster, askedJob([asking({ requests: mig('3g.40gb') })])))).toEqual([
      'profile: Ask for 2g.20gb instead of 3g.40gb, where its memory is enough.',
    ])
  })
  test('too many GPUs a pod, and too many pods', () => {
    const found = ask(two, askedJob([asking({ requests: gpus(2), count: 1 })]))
    expect(changes(found)).toContain('gpus: Ask for 1 device a pod instead of 2.')
    expect(changes(ask(two, askedJob([asking({ count: 3 })])))).toContain('pods: Start it with 1 pod instead of 3.')
  })
  test('a suspended job, and a quota', () => {
    const suspended = askedJob([asking()], {
      stopped: [SUSPENDED],
      edit: { document: 0, queue: undefined, suspend: '/spec/suspend' },
    })
    expect(changes(ask(two, suspended))).toEqual(['resume: Set suspend to false.'])
    const quotas = [{ id: 'lab/gpus/nvidia.com/gpu', namespace: 'lab', resource: 'nvidia.com/gpu', hard: 4, used: 4 }]
    const held = ask({ ...two, quotas }, askedJob([asking()]))
    expect(held).toMatchObject({
      verdict: 'not-now',
      because: ['The ResourceQuota lab/gpus has 0 of 4 nvidia.com/gpu left, and 1 are asked for.'],
    })
    expect(changes(held)[0]).toBe('namespace: Submit it to the namespace web, where you may.')
  })
})

describe('what others could do', () => {
  test('GPUs that nobody holds are cut again before anybody moves', () => {
    const cluster = counted(draw`
      a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]
      b  A100-SXM4-80GB  [7g.80gb x/y]`)
    const { ways } = ask(cluster, askedJob([asking({ requests: mig('7g.80gb') })]))
    expect(ways).toEqual([
      {
        kind: 'recut',
        sentence: 'Repartition GPU 0 of a for 7g.80gb: no workload holds what changes, so nothing moves.',
        room: { profile: '7g.80gb', node: 'a' },
      },
    ])
  })
  test('work is moved where that makes room', () => {
    const cluster = counted(draw`
      a  A100-SXM4-80GB  [3g.40gb x/y] [3g.40gb -]
      b  A100-SXM4-80GB  [3g.40gb x/z] [3g.40gb -]`)
    const { ways } = ask(cluster, askedJob([asking({ requests: mig('7g.80gb') })]))
    expect(ways).toMatchObject([{ kind: 'move', room: { profile: '7g.80gb' } }])
  })
  test('a closed node that has what it needs', () => {
    const cluster = counted(draw`a  T4  down  [-]`)
    expect(ask(cluster, askedJob([asking()])).ways).toMatchObject([{ kind: 'repair' }])
  })
})

describe('what is not known is said, and decides nothing', () => {
  test('another scheduler leaves a yes and a no open', () => {
    const unknown = ['the scheduler volcano places it, by rules that Septet does not know']
    for (const count of [1, 9]) expect(ask(two, askedJob([asking({ count })], { unknown })).verdict).toBe('unknown')
  })
  test('a volume leaves a yes open, and not a no', () => {
    const unknown = ['whether the volume data is bound, and to which nodes, is not read']
    expect(ask(two, askedJob([asking({ unknown })])).verdict).toBe('unknown')
    expect(ask(two, askedJob([asking({ unknown, count: 9 })])).verdict).toBe('not-now')
  })
  test('a priority class may push others out, so that a lack of room is not a no', () => {
    const pods = { preempts: true, priorityClass: 'production' }
    expect(ask(two, askedJob([asking({ count: 2, ...pods })])).verdict).toBe('unknown')
    expect(ask(two, askedJob([asking({ count: 3, ...pods })])).verdict).toBe('not-now')
  })
  test('a class that is not there is a no, with those that are', () => {
    const classes = [{ name: 'batch', priority: -100, preempts: true }]
    const job = askedJob([asking({ preempts: true, priorityClass: 'urgent' })])
    const because = [
      'There is no PriorityClass urgent, so the API server refuses its pods; there are batch, system-cluster-critical and system-node-critical.',
    ]
    const cluster = { ...two, priorityClasses: classes }
    expect(ask(cluster, job)).toMatchObject({ verdict: 'not-now', starting: 0, because, unknown: [], changes: [] })
    expect(checkStart(cluster, [job], { namespaces: ['lab'] })[0]).toMatchObject({ verdict: 'not-now', because })
    expect(ask(two, job).verdict).toBe('now')
    expect(ask(cluster, askedJob([asking({ priorityClass: 'system-node-critical' })])).verdict).toBe('now')
  })
  test('a pod that the scheduler has not decided about may take the place', () => {
    const [waiting] = counted(draw`
      a  T4  [-]
      ?  x/y  gpu`).pods
    const cluster = {
      ...two,
      pods: [...two.pods, ...(waiting === undefined ? [] : [{ ...waiting, waiting: undefined }])],
    }
    expect(ask(cluster, askedJob([asking()]))).toMatchObject({
      verdict: 'unknown',
      unknown: ['the scheduler has not decided about pods that are there already'],
    })
  })
  test('what pods without a GPU take of a node', () => {
    const cluster = {
      ...two,
      nodes: two.nodes.map((node) => ({ ...node, room: { ...node.room, cpuMilli: 8000, memory: mib(9000) } })),
    }
    const unread = {
      ...cluster,
      nodes: cluster.nodes.map(({ room: { cpuUsed: _cpuUsed, ...room }, ...node }) => ({ ...node, room })),
    }
    expect(ask(cluster, askedJob([asking({ scheduling: asks(4) })])).verdict).toBe('now')
    expect(ask(unread, askedJob([asking({ scheduling: asks(4) })])).verdict).toBe('unknown')
  })
})

const APP = [{ key: 'app', operator: 'In' as const, values: ['x'] }]

describe('rules among its own pods', () => {
  const apart = [{ topologyKey: 'kubernetes.io/hostname', most: 'apart' as const, selector: APP, own: true }]
  const cluster = counted(draw`
    a  T4  zone=a  [-]
    a  T4  zone=a  [-]
    b  T4  zone=b  [-]`)
  test('anti-affinity: one on each node', () => {
    expect(ask(cluster, askedJob([asking({ count: 2, spread: apart })])).verdict).toBe('now')
    expect(ask(cluster, askedJob([asking({ count: 3, spread: apart })])).verdict).toBe('not-now')
  })
  test('topology spread: a zone without GPUs may be one that counts', () => {
    const spread = [{ topologyKey: 'zone', most: 1, selector: APP, own: true }]
    const verdicts = [2, 3, 4].map((count) => ask(cluster, askedJob([asking({ count, spread })])).verdict)
    expect(verdicts).toEqual(['now', 'unknown', 'not-now'])
  })
  test('topology spread: where others carry its labels, the zone that has none of them may take more', () => {
    const beside = counted(draw`
      a  T4  zone=a  [-]
      a  T4  zone=a  [-]
      b  T4  zone=b  [lab/like]`)
    const spread = [{ topologyKey: 'zone', most: 1, selector: APP, own: true }]
    expect(ask(beside, askedJob([asking({ count: 2, spread })])).verdict).toBe('unknown')
    expect(ask(beside, askedJob([asking({ count: 3, spread })])).verdict).toBe('not-now')
  })
})

const queued = (count: number) => askedJob([asking({ count })], { queue: 'gpus', gang: true })
describe('Kueue', () => {
  const flavor = { name: 'f', path: '', resourcePath: '', nominal: '4', amount: 4, used: 3, nodeLabels: {} }
  const quota = {
    id: 'q',
    namespace: '',
    queue: 'gpus',
    resource: 'nvidia.com/gpu',
    hard: 4,
    used: 3,
    flavors: [flavor],
  }
  const queues = [{ name: 'gpus', pendingWorkloads: 0, admittedWorkloads: 1, localQueues: ['lab/short', 'lab/gpus'] }]
  const kueue = { ...two, quotas: [quota], queues }
  test('its quota is counted before nodes are', () => {
    expect(ask(kueue, queued(1)).verdict).toBe('now')
    expect(ask(kueue, queued(2)).because[0]).toBe(
      'The cluster queue gpus has 1 nvidia.com/gpu left, and 2 are asked for.',
    )
  })
  test('its flavor decides on which nodes', () => {
    const elsewhere = { ...quota, flavors: [{ ...flavor, nodeLabels: { pool: 'other' } }] }
    expect(ask({ ...kueue, quotas: [elsewhere] }, queued(1)).verdict).toBe('not-now')
    const { nodeLabels: _, ...unread } = flavor
    expect(ask({ ...kueue, quotas: [{ ...quota, flavors: [unread] }] }, queued(1)).verdict).toBe('unknown')
  })
  test('a queue that is not there', () => {
    const job = askedJob([asking()], { queue: 'none', edit: { document: 0, queue: '/q', suspend: undefined } })
    const found = ask(kueue, job)
    expect(found.because).toEqual(['There is no local queue none in the namespace lab.'])
    expect(found.changes[0]).toMatchObject({ kind: 'queue', patch: [{ op: 'replace', path: '/q', value: 'gpus' }] })
  })
})

test('whoever is limited to namespaces hears nothing of nodes and of others', () => {
  const cluster = counted(draw`
    a  A100-SXM4-80GB  !team=red:NoSchedule  [3g.40gb x/secret] [3g.40gb -]
    b  A100-SXM4-80GB  [3g.40gb x/secret-2] [3g.40gb -]`)
  const limited = { namespaces: ['lab'] }
  const [no] = checkStart(cluster, [askedJob([asking({ requests: mig('7g.80gb') })])], limited)
  expect(JSON.stringify(no)).not.toMatch(/secret|team|red|"a"| of a|node/u)
  expect(no?.verdict).toBe('not-now')
  const [yes] = checkStart(cluster, [askedJob([asking({ requests: mig('3g.40gb') })])], limited)
  expect(yes).toMatchObject({ verdict: 'now', places: [], sentence: 'Job train starts now: 1 pod.' })
})
