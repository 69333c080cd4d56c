import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot, Queue } from '../../cluster/inventory.ts'
import { type Quota, type QuotaFlavor, UNCONSTRAINED } from '../../cluster/scheduling.ts'
import { mib } from '../../units.ts'
import type { AskedJob } from './asked-job.ts'
import { askedJob, asking, counted } from './asked.fixture.ts'
import { isHeldBack, jobLimits, queueOf } from './job-limits.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'

const GPU = 'nvidia.com/gpu'
const idle = counted(draw`
  a  T4  [-]
  a  T4  [-]`)
const limitsOf = (more: Partial<ClusterSnapshot>, job: AskedJob) => jobLimits(countedFleet({ ...idle, ...more }), job)
type Used = readonly [hard: number, used: number]
const quota = (resource: string, [hard, used]: Used, more: Partial<Quota> = {}): Quota => ({
  id: `lab/team/${resource}`,
  namespace: 'lab',
  resource,
  hard,
  used,
  ...more,
})
const gpus = (count: number) => [{ resource: GPU, count }]

test('a namespace that is not there takes nothing, unless the manifest makes it or namespaces were not read', () => {
  const job = askedJob([asking({ count: 2 })])
  const { refused, allowed } = limitsOf({ namespaces: ['default', 'web'] }, job)
  expect([refused, allowed]).toEqual([
    ['there is no namespace lab, so the API server refuses it; create the namespace first, or name another'],
    [0],
  ])
  expect(limitsOf({ namespaces: ['lab'] }, job)).toMatchObject({ refused: [], allowed: [2] })
  expect(limitsOf({}, job)).toMatchObject({ refused: [], allowed: [2] })
  expect(limitsOf({ namespaces: ['web'] }, { ...job, makesNamespace: true }).refused).toEqual([])
})

describe('a ResourceQuota of the namespace', () => {
  const job = askedJob([
    asking({ count: 2, requests: gpus(2), scheduling: { ...UNCONSTRAINED, cpuMilli: 1500, memory: mib(1536) } }),
  ])
  test.for<[string, Quota, readonly string[]]>([
    ['has as much as is asked for', quota(GPU, [8, 4]), []],
    [
      'has too few GPUs',
      quota(GPU, [8, 5]),
      [`the ResourceQuota lab/team has 3 of 8 ${GPU} left, and 4 are asked for`],
    ],
    [
      'was lowered below what is used, so nothing is left and not less',
      quota(GPU, [2, 6]),
      [`the ResourceQuota lab/team has 0 of 2 ${GPU} left, and 4 are asked for`],
    ],
    [
      'counts CPU in cores',
      quota('cpu', [4, 2]),
      ['the ResourceQuota lab/team has 2 of 4 cpu left, and 3 are asked for'],
    ],
    [
      'counts memory in bytes, told in GiB',
      quota('memory', [4 * 1024 ** 3, 1.5 * 1024 ** 3]),
      ['the ResourceQuota lab/team has 2.5 GiB of 4 GiB memory left, and 3 GiB are asked for'],
    ],
    ['counts pods', quota('pods', [10, 9]), ['the ResourceQuota lab/team has 1 of 10 pods left, and 2 are asked for']],
    ['is about something that is not asked for', quota('nvidia.com/mig-1g.10gb', [0, 0]), []],
    ['was lowered below what is used of something that is not asked for', quota('requests.storage', [0, 9]), []],
    ['is of another namespace', quota(GPU, [0, 0], { namespace: 'web' }), []],
  ])('%s', ([, own, words]) => {
    const { ofNamespace, tight, unknown } = limitsOf({ quotas: [own] }, job)
    expect(ofNamespace).toEqual(words)
    expect(tight).toEqual(words.length > 0 ? [own] : [])
    expect(unknown).toEqual([])
  })

  test.for<[string, Quota, readonly string[]]>([
    [
      'that counts some pods only decides nothing: it says so where it would be too small',
      quota(GPU, [4, 4], { scoped: true }),
      ['which pods the ResourceQuota lab/team counts depends on its scopes, which are not judged'],
    ],
    ['that counts some pods only and has enough is no question', quota(GPU, [40, 4], { scoped: true }), []],
    [
      'on limits is told whatever is left of it',
      quota('limits.memory', [1e12, 0]),
      ['the ResourceQuota lab/team counts limits of CPU or memory, which are not judged'],
    ],
    [
      'on CPU asks every container to say how much it needs',
      quota('cpu', [100, 0]),
      [
        'the ResourceQuota lab/team takes only containers that request cpu, and whether a LimitRange fills that in is not read',
      ],
    ],
    ['on memory does not mind that CPU is unsaid', quota('memory', [1e12, 0]), []],
  ])('%s', ([, own, words]) => {
    const silent = askedJob([asking({ unsaid: ['cpu'] })])
    const { ofNamespace, unknown } = limitsOf({ quotas: [own] }, silent)
    expect([ofNamespace, unknown]).toEqual([[], words])
  })

  test('lets the pods of earlier groups be made first, and never more than are asked for', () => {
    const someQuota = fc.record({
      resource: fc.constantFrom(GPU, 'pods', 'cpu'),
      hard: fc.integer({ min: 0, max: 12 }),
      used: fc.integer({ min: 0, max: 12 }),
    })
    const someGroup = fc.record({
      count: fc.integer({ min: 0, max: 5 }),
      each: fc.integer({ min: 0, max: 3 }),
      cores: fc.integer({ min: 0, max: 2 }),
    })
    fc.assert(
      fc.property(fc.array(someQuota, { maxLength: 3 }), fc.array(someGroup, { maxLength: 4 }), (drawn, groups) => {
        const quotas = drawn.map(({ resource, hard, used }, at) =>
          quota(resource, [hard, used], { id: `lab/q${at}/r` }),
        )
        const asked = askedJob(
          groups.map(({ count, each, cores }) =>
            asking({
              count,
              requests: each === 0 ? [] : gpus(each),
              scheduling: { ...UNCONSTRAINED, cpuMilli: cores * 1000 },
            }),
          ),
        )
        // Pods are made one by one, each where every quota still has room for it.
        const used = new Map(quotas.map((one) => [one, one.used]))
        const made = groups.map(({ count, each, cores }) => {
          const asks: Readonly<Record<string, number>> = { [GPU]: each, pods: 1, cpu: cores }
          let pods = 0
          while (
            pods < count &&
            quotas.every(
              (one) => asks[one.resource] === 0 || (used.get(one) ?? 0) + (asks[one.resource] ?? 0) <= one.hard,
            )
          ) {
            for (const one of quotas) used.set(one, (used.get(one) ?? 0) + (asks[one.resource] ?? 0))
            pods += 1
          }
          return pods
        })
        const { allowed, ofNamespace } = limitsOf({ quotas }, asked)
        expect(allowed).toEqual(made)
        expect(ofNamespace.length > 0).toBe(made.some((pods, at) => pods < (groups[at]?.count ?? 0)))
      }),
    )
  })
})

const flavor: QuotaFlavor = {
  name: 'spot',
  path: '',
  resourcePath: '',
  nominal: '4',
  amount: 4,
  used: 3,
  nodeLabels: {},
}
const promised = (more: Partial<Quota> = {}): Quota =>
  quota(GPU, [4, 3], { id: `clusterqueue/batch/${GPU}`, namespace: '', queue: 'batch', flavors: [flavor], ...more })
const batch: Queue = { name: 'batch', pendingWorkloads: 0, admittedWorkloads: 3, localQueues: ['lab/main'] }
const queued = (count: number) => askedJob([asking({ count })], { queue: 'main' })

const claiming = (count: number) => askedJob([asking({ count, requests: [], claims: gpus(1) })], { queue: 'main' })

describe('a queue of Kueue', () => {
  test.for<[string, Partial<ClusterSnapshot>, number, { ofQueue?: readonly string[]; unknown?: readonly string[] }]>([
    ['lets in what it has room for', { queues: [batch], quotas: [promised()] }, 1, {}],
    [
      'has too little left',
      { queues: [batch], quotas: [promised()] },
      2,
      { ofQueue: [`the cluster queue batch has 1 ${GPU} left, and 2 are asked for`] },
    ],
    [
      'uses more than its quota, as it has borrowed',
      { queues: [batch], quotas: [promised({ used: 6, flavors: [{ ...flavor, used: 6 }] })] },
      1,
      { ofQueue: [`the cluster queue batch has 0 ${GPU} left, and 1 are asked for`] },
    ],
    [
      'may borrow too little',
      { queues: [batch], quotas: [promised({ cohort: 'team' })] },
      2,
      { ofQueue: [`the cluster queue batch has 1 ${GPU} left, with what its cohort lends, and 2 are asked for`] },
    ],
    [
      'has no quota for such devices at all',
      { queues: [batch], quotas: [] },
      1,
      { ofQueue: [`the cluster queue batch has no quota for ${GPU}, so Kueue does not let it in`] },
    ],
    [
      'may evict others for it',
      { queues: [{ ...batch, mayPreempt: true }], quotas: [promised()] },
      2,
      { unknown: ['Kueue may evict other work of the cluster queue batch for it'] },
    ],
    [
      'has several flavors',
      { queues: [batch], quotas: [promised({ flavors: [flavor, { ...flavor, name: 'own', used: 0 }] })] },
      1,
      { unknown: ['Kueue chooses between 2 flavors of the cluster queue batch'] },
    ],
    [
      'was read by an older Septet, without its flavors',
      { queues: [batch], quotas: [promised({ flavors: [] })] },
      1,
      { unknown: ['Kueue chooses between 0 flavors of the cluster queue batch'] },
    ],
    [
      'chooses nodes by topology',
      { queues: [batch], quotas: [promised({ flavors: [{ ...flavor, chosenBy: 'its topology' }] })] },
      1,
      { unknown: ['Kueue gives work of the flavor spot nodes by its topology, which is not judged'] },
    ],
    [
      'starts work in order while other work waits in it',
      { queues: [{ ...batch, strict: true, pendingWorkloads: 2 }], quotas: [promised()] },
      1,
      { ofQueue: ['the cluster queue batch starts work in order, and other work waits in it'] },
    ],
    ['starts work in order, and nothing waits', { queues: [{ ...batch, strict: true }], quotas: [promised()] }, 1, {}],
    [
      'has rules that were not read',
      { queues: [{ ...batch, unread: ['its admission checks are not judged'] }], quotas: [promised()] },
      1,
      { unknown: ['its admission checks are not judged'] },
    ],
    [
      'limits pods too',
      { queues: [{ ...batch, left: { pods: 0, cpu: 99 } }], quotas: [promised()] },
      1,
      { ofQueue: ['the cluster queue batch has less pods left than is asked for'] },
    ],
    [
      'is not there, though queues are read',
      { queues: [{ ...batch, localQueues: ['web/main'] }], quotas: [promised()] },
      1,
      { ofQueue: ['there is no local queue main in the namespace lab'] },
    ],
    [
      'cannot be judged where local queues are not read',
      { queues: [{ name: 'batch', pendingWorkloads: 0, admittedWorkloads: 0 }], quotas: [promised()] },
      1,
      { unknown: ['Septet does not read the queues of Kueue in this cluster'] },
    ],
  ])('%s', ([, snapshot, count, { ofQueue = [], unknown = [] }]) => {
    const found = limitsOf(snapshot, queued(count))
    expect([found.ofQueue, found.unknown]).toEqual([ofQueue, unknown])
    expect(isHeldBack(found)).toBe(ofQueue.length > 0)
  })

  test('limits CPU and memory of all pods together', () => {
    const scheduling = { ...UNCONSTRAINED, cpuMilli: 4000, memory: mib(2048) }
    const job = askedJob([asking({ scheduling }), asking({ part: 'more', requests: [], scheduling })], {
      queue: 'main',
    })
    const left = { cpu: 7.9, memory: 4 * 1024 ** 3 - 1 }
    expect(limitsOf({ queues: [{ ...batch, left }], quotas: [promised()] }, job).ofQueue).toEqual([
      'the cluster queue batch has less cpu left than is asked for',
      'the cluster queue batch has less memory left than is asked for',
    ])
    const enough = { cpu: 8, memory: 4 * 1024 ** 3 }
    expect(limitsOf({ queues: [{ ...batch, left: enough }], quotas: [promised()] }, job).ofQueue).toEqual([])
  })

  test('counts claims of DRA as it counts requests, and gives its nodes and tolerations to the pods', () => {
    const toleration = { key: 'spot', operator: 'Exists', value: '', effect: 'NoSchedule' } as const
    const own = promised({ flavors: [{ ...flavor, nodeLabels: { pool: 'spot' }, tolerations: [toleration] }] })
    expect(limitsOf({ queues: [batch], quotas: [own] }, claiming(1))).toMatchObject({
      ofQueue: [],
      nodeLabels: { pool: 'spot' },
      tolerations: [toleration],
    })
    expect(limitsOf({ queues: [batch], quotas: [own] }, claiming(2)).tight).toEqual([own])
  })

  test('is found by the local queue before it, in the namespace of the job only', () => {
    const queues = [
      { ...batch, localQueues: ['web/main', 'lab/other'] },
      { ...batch, name: 'second' },
    ]
    expect(queueOf(queues, 'lab/main')?.name).toBe('second')
    expect(queueOf(queues, 'lab/none')).toBeUndefined()
  })
})

const named = (name: string, count: number) =>
  askedJob([asking({ count })], { schedulerQueue: { owner: 'Volcano', name } })

describe('a queue of another scheduler', () => {
  const volcano = quota(GPU, [4, 3], { id: `Volcano/deep/${GPU}`, namespace: '', queue: 'deep', queueOwner: 'Volcano' })

  test('says what it has left', () => {
    expect(limitsOf({ quotas: [volcano] }, named('deep', 2))).toMatchObject({
      ofQueue: [`the Volcano queue deep has 1 ${GPU} left, and 2 are asked for`],
      tight: [volcano],
    })
    expect(limitsOf({ quotas: [volcano] }, named('deep', 1)).ofQueue).toEqual([])
  })
  test('limits what is in the queues below it, and nothing else', () => {
    const above = { ...volcano, below: ['deeper'] }
    expect(limitsOf({ quotas: [above] }, named('deeper', 2)).tight).toEqual([above])
    expect(limitsOf({ quotas: [above] }, named('other', 2)).tight).toEqual([])
    expect(limitsOf({ quotas: [{ ...above, queueOwner: 'KAI' }] }, named('deep', 2)).tight).toEqual([])
  })
  test('of KAI counts a share as a part of a GPU', () => {
    const kai = { ...volcano, id: `KAI/deep/${GPU}`, queueOwner: 'KAI' as const }
    const share = askedJob([asking({ requests: [{ resource: 'nvidia.com/gpu.shared', count: 1 }] })], {
      schedulerQueue: { owner: 'KAI', name: 'deep' },
    })
    expect(limitsOf({ quotas: [{ ...kai, used: 4 }] }, share).ofQueue).toEqual([
      `the KAI queue deep has 0 ${GPU} left, and a part of one is asked for`,
    ])
    expect(limitsOf({ quotas: [kai] }, share).ofQueue).toEqual([])
  })
  test('that is overused has nothing left, and not less than nothing', () => {
    expect(limitsOf({ quotas: [{ ...volcano, used: 9 }] }, named('deep', 1)).ofQueue).toEqual([
      `the Volcano queue deep has 0 ${GPU} left, and 1 are asked for`,
    ])
  })
  test('and a ResourceQuota of the namespace are told apart', () => {
    const own = quota(GPU, [1, 1])
    const { ofNamespace, ofQueue, tight } = limitsOf({ quotas: [own, volcano] }, named('deep', 2))
    expect([ofNamespace.length, ofQueue.length]).toEqual([1, 1])
    expect(tight).toEqual([own, volcano])
  })
})

test('work in no queue is held back by none', () => {
  const { ofQueue, unknown, tight } = limitsOf(
    { queues: [batch], quotas: [promised({ used: 4 })] },
    askedJob([asking()]),
  )
  expect([ofQueue, unknown, tight]).toEqual([[], [], []])
})
