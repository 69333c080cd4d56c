import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import { mib } from '../../units.ts'
import type { AskedJob } from './asked-job.ts'
import { SUSPENDED } from './asked-job.ts'
import { askedJob, asking, counted } from './asked.fixture.ts'
import { judgeJob } from './judge-job.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { drawnFleet } from '../../fleet/drawn-fleet.fixture.ts'

const judge = (cluster: ClusterSnapshot, job: AskedJob, ...beside: readonly AskedJob[]) => {
  const { verdict, starting, unknown } = judgeJob(countedFleet(cluster), job, beside)
  return [verdict, starting, unknown]
}
const PREEMPTS = 'its priority may let the scheduler evict other pods for it, and which pods it would evict is unknown'
const asksFor = (priority: number, cores = 0, gib = 0) => ({
  ...UNCONSTRAINED,
  priority,
  cpuMilli: cores * 1000,
  memory: mib(gib * 1024),
})

describe('a priority that is a number', () => {
  const held = counted(draw`
    a  T4  cpu=8 memory=32  [web/low]
    b  T4  cpu=8 memory=32  [web/high]`)
  const cluster = {
    ...held,
    pods: held.pods.map((pod) => ({
      ...pod,
      scheduling: { ...pod.scheduling, priority: pod.name === 'low' ? 0 : 100, cpuMilli: 6000, memory: mib(24 * 1024) },
    })),
  }
  test.for<[string, number, number, 'now' | 'not-now']>([
    ['above that of a pod in its place pushes it out', 1, 1, 'now'],
    ['equal to it pushes nobody out', 0, 1, 'not-now'],
    ['above one of two makes room for one', 100, 2, 'not-now'],
    ['above both makes room for two', 101, 2, 'now'],
  ])('%s', ([, priority, count, verdict]) => {
    const job = askedJob([asking({ count, preempts: true, scheduling: asksFor(priority, 8, 32) })])
    expect(judge({ ...cluster, priorityClasses: [] }, job)).toEqual([verdict, verdict === 'now' ? count : 0, []])
  })
  test('a class that was not read leaves it open', () => {
    const job = askedJob([asking({ preempts: true, priorityClass: 'gold', scheduling: asksFor(0, 8, 32) })])
    expect(judge(cluster, job)).toEqual(['unknown', 0, [PREEMPTS]])
  })
  const classes = [
    { name: 'even', priority: 0, preempts: true },
    { name: 'high', priority: 500, preempts: true },
    { name: 'meek', priority: 500, preempts: false },
  ]
  test.for<[string, string | undefined, 'now' | 'not-now']>([
    ['of 0', 'even', 'not-now'],
    ['above others', 'high', 'now'],
    ['above others that pushes nobody out', 'meek', 'not-now'],
    ['of the system', 'system-node-critical', 'now'],
    ['none, so the number that the pod has,', undefined, 'not-now'],
  ])('a class %s is as high as the cluster says', ([, priorityClass, verdict]) => {
    const named = priorityClass === undefined ? {} : { priorityClass }
    const job = askedJob([asking({ preempts: true, scheduling: asksFor(0, 8, 32), ...named })])
    expect(judge({ ...cluster, priorityClasses: classes }, job)[0]).toBe(verdict)
  })
  test('of pods that name no class is that of the default class', () => {
    const job = askedJob([asking({ preempts: true, scheduling: asksFor(0, 8, 32) })])
    const priorityClasses = classes.map((each) => ({ ...each, isDefault: true as const }))
    expect(judge({ ...cluster, priorityClasses: priorityClasses.slice(1) }, job)[0]).toBe('now')
    expect(judge({ ...cluster, priorityClasses: priorityClasses.slice(2) }, job)[0]).toBe('not-now')
  })
  test('frees no more CPU than its pods asked for', () => {
    const job = askedJob([asking({ preempts: true, scheduling: asksFor(1, 9) })])
    expect(judge(cluster, job)[0]).toBe('not-now')
  })
  test('does not help where a quota or its owner holds it back, or where the pod never preempts', () => {
    const pods = asking({ preempts: true, scheduling: asksFor(1000) })
    expect(judge(cluster, askedJob([pods], { stopped: [SUSPENDED] }))[0]).toBe('not-now')
    const quotas = [{ id: 'lab/q/pods', namespace: 'lab', resource: 'pods', hard: 0, used: 0 }]
    expect(judge({ ...cluster, quotas }, askedJob([pods]))[0]).toBe('not-now')
    expect(judge(cluster, askedJob([{ ...pods, preempts: false }]))[0]).toBe('not-now')
  })
  test('of a job with claims is open wherever some pod is lower, as devices of DRA are not counted back', () => {
    const claims = [{ resource: 'nvidia.com/gpu', count: 1 }]
    const job = (priority: number) =>
      askedJob([asking({ requests: [], claims, preempts: true, scheduling: asksFor(priority) })])
    expect(judge(cluster, job(1))[0]).toBe('unknown')
    expect(judge(cluster, job(0))[0]).toBe('not-now')
  })
})

const claiming = (resource: string, count = 1) => askedJob([asking({ requests: [], claims: [{ resource, count }] })])

describe('claims', () => {
  const drawnClaim = fc.record({
    resource: fc.constantFrom('nvidia.com/gpu', 'nvidia.com/mig-1g.10gb', 'nvidia.com/mig-7g.80gb', 'amd.com/gpu'),
    count: fc.integer({ min: 1, max: 16 }),
    unread: fc.constantFrom('resourceslices', 'resourceclaims'),
    code: fc.constantFrom('forbidden', 'unreadable-resource'),
  })

  test('are told no confident no where nobody may read what there is of devices and claims', () => {
    fc.assert(
      fc.property(drawnFleet(), drawnClaim, (fleet, { resource, count, unread, code }) => {
        const snapshot = { ...fleet, problems: [{ code, message: '', object: unread }] }
        const pending = asking({ requests: [{ resource, count }], scheduling: { ...UNCONSTRAINED, claims: true } })
        expect(judge(snapshot, claiming(resource, count))[0]).not.toBe('not-now')
        expect(judge(snapshot, askedJob([pending]))[0]).not.toBe('not-now')
      }),
      { numRuns: 60 },
    )
  })

  test('wait where all is read and held, and may yet share a GPU that claims share', () => {
    const drawn = counted(draw`node-a  A100-SXM4-80GB  [1/2 lab/a] [1/2 lab/b]`)
    const byClaims = { ...drawn, nodes: drawn.nodes.map((node) => ({ ...node, servedByDra: true })) }
    const shares = 'claims share GPU 0 of node-a, and whether one more may is not judged'
    expect(judge(byClaims, claiming('nvidia.com/gpu'))).toEqual(['unknown', 0, [shares]])
    expect(judge(byClaims, askedJob([asking()]))[0]).toBe('not-now')
    const held = counted(draw`node-a  A100-SXM4-80GB  [lab/a]`)
    expect(judge(held, claiming('nvidia.com/gpu'))[0]).toBe('not-now')
  })
})

const naming = (key: string, value: string) =>
  askedJob([asking({ scheduling: { ...UNCONSTRAINED, nodeSelector: { [key]: value } } })])

describe('a node that Karpenter would make', () => {
  const held = counted(draw`
    a  T4  karpenter.sh/nodepool=spot  [web/one]
    b  T4  karpenter.sh/nodepool=spot  [-]`)
  const MAYBE = 'Karpenter may make a node for it, and what its NodePools and NodeOverlays would make is not read'

  test('may take what no node that is there is of the kind for', () => {
    const job = naming('node.kubernetes.io/instance-type', 'p5.48xlarge')
    expect(judge(held, job)).toEqual(['unknown', 0, [MAYBE]])
    expect(judge(held, { ...job, isSubmitted: true })[0]).toBe('not-now')
    const others = { ...held, nodes: held.nodes.map((node) => ({ ...node, room: { ...node.room, labels: {} } })) }
    expect(judge(others, job)[0]).toBe('not-now')
    // Whoever names a pool of Karpenter has one, though none of its nodes is there.
    expect(judge(others, naming('karpenter.sh/nodepool', 'gpus'))[0]).toBe('unknown')
  })

  test('is not waited for where nodes of the kind are there and full', () => {
    const two = askedJob([asking({ count: 2, scheduling: { ...UNCONSTRAINED, nodeSelector: {} } })], { gang: true })
    expect(judge(held, two)[0]).toBe('not-now')
  })
})

describe('parts of a job', () => {
  const two = counted(draw`
    a  T4  [-]
    b  T4  [-]`)
  test('that are alike are one to the scheduler, whatever they are called', () => {
    const parts = ['a', 'b'].map((part) => asking({ part }))
    expect(judgeJob(countedFleet(two), askedJob(parts), []).seatings).toMatchObject([
      { pods: { part: 'a, b', count: 2 }, sure: 2 },
    ])
  })
  test('differ by labels only where pods that run keep some labels away', () => {
    const parts = ['x', 'y'].map((app) => asking({ part: app, labels: { app } }))
    const count = (cluster: ClusterSnapshot) => judgeJob(countedFleet(cluster), askedJob(parts), []).seatings.length
    expect(count(two)).toBe(1)
    const selector = [{ key: 'app', operator: 'In' as const, values: ['x'] }]
    const repulsion = { pod: 'lab/x', topologyKey: 'kubernetes.io/hostname', domain: 'a', namespaces: 'all' as const }
    expect(count({ ...two, neighbors: { repulsions: [{ ...repulsion, selector }], labels: [] } })).toBe(2)
  })
  test('of 0 pods wait for nothing, and a job without parts starts', () => {
    expect(
      judge(two, askedJob([asking({ count: 0, requests: [{ resource: 'example.com/none', count: 1 }] })])),
    ).toEqual(['now', 0, []])
    expect(judge(two, askedJob([]))).toEqual(['now', 0, []])
  })
})

describe('what comes beside it', () => {
  const one = counted(draw`
    a  T4  [-]
    b  T4  [-]`)
  const beside = ['other work of this manifest may take its places']
  test('other work of the manifest may take its places, where there are not enough for both', () => {
    expect(judge(one, askedJob([asking()]), askedJob([asking()], { name: 'other' }))).toEqual(['now', 1, []])
    const larger = askedJob([asking({ count: 2 })], { name: 'other' })
    expect(judge(one, askedJob([asking()]), larger)).toEqual(['unknown', 0, beside])
  })
  test('pods that the scheduler refused or that are gated do not, nor those that have ended', () => {
    const ahead = 'the scheduler has not decided about pods that are there already'
    const drawn = counted(draw`
      a  T4  [-]
      ?  web/ahead  gpu`)
    const [pod] = drawn.pods
    if (pod === undefined) throw new Error('nobody waits')
    const withPod = (more: Partial<typeof pod>) =>
      judge({ ...drawn, pods: [{ ...pod, ...more }] }, askedJob([asking()]))
    expect(withPod({ waiting: undefined })).toEqual(['unknown', 0, [ahead]])
    expect(withPod({ waiting: { reason: 'SchedulingGated', message: '' } })).toEqual(['now', 1, []])
    expect(withPod({ waiting: { reason: 'Unschedulable', message: '' } })).toEqual(['now', 1, []])
    expect(withPod({ waiting: undefined, refusedAt: drawn.takenAt })).toEqual(['now', 1, []])
    expect(withPod({ waiting: undefined, phase: 'Succeeded' })).toEqual(['now', 1, []])
  })
})

describe('how many of its pods start', () => {
  const two = counted(draw`
    a  T4  [-]
    b  T4  [-]`)
  test('as many as have room and as a quota lets be made', () => {
    const job = askedJob([asking({ count: 3 })])
    expect(judge(two, job)).toEqual(['not-now', 2, []])
    const quotas = [{ id: 'lab/q/pods', namespace: 'lab', resource: 'pods', hard: 1, used: 0 }]
    expect(judge({ ...two, quotas }, job)).toEqual(['not-now', 1, []])
  })
  test('none of a gang, of work that is suspended, and of what is unknown', () => {
    const pods = [asking({ count: 3 })]
    expect(judge(two, askedJob(pods, { gang: true }))[1]).toBe(0)
    expect(judge(two, askedJob(pods, { stopped: [SUSPENDED] }))[1]).toBe(0)
    expect(judge(two, askedJob(pods, { unknown: ['a webhook changes it'] }))).toEqual([
      'unknown',
      0,
      ['a webhook changes it'],
    ])
  })
})
