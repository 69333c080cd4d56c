import { checkStart, judgeWaits, whyWaits, waitCause, type ClusterSnapshot, type Quota } from '@septet/domain'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../kubernetes/manifest/read-manifest.ts'
import { parseKaiQueue } from '../kubernetes/read/parse-kai-queue.ts'
import { parseNode } from '../kubernetes/read/parse-node.ts'
import { parsePod } from '../kubernetes/read/parse-pod.ts'
import { parseVolcanoGroup, parseVolcanoQueue } from '../kubernetes/read/parse-volcano.ts'
import {
  asServed,
  inventoryOf,
  nodeObject,
  NOTHING,
  ofKind,
  recorded,
  recordedObjects,
  recordings,
  snapshotOf,
  yamlBlocks,
  type Recorded,
} from './recorded.fixture.ts'

const told = ({ id, hard, used, below = [] }: Quota): string =>
  `${id}: ${used} of ${hard}${below.length === 0 ? '' : `, with ${below.join(', ')} below it`}`

/** For what each pod, and each work without pods, waits, what would start it, and which queues are too full. */
function waits(snapshot: ClusterSnapshot) {
  const judge = judgeWaits(snapshot, new Set())
  return snapshot.workloads.map((workload) => {
    const pods = snapshot.pods.filter((pod) => pod.workload === workload.id)
    const verdicts = [...(pods.length === 0 ? [undefined] : pods)].map((pod) => judge(pod, workload))
    return {
      workload: `${workload.id} in ${workload.queueOwner} ${workload.queue}`,
      says: workload.waiting === undefined ? '' : waitCause(workload.waiting),
      causes: verdicts.map(({ cause }) => cause),
      change: verdicts[0]?.change?.sentence,
      hints: whyWaits(snapshot, workload, undefined).ways.map(({ sentence }) => sentence),
    }
  })
}

const withStatus = (object: Recorded, status: unknown): Recorded => ({ ...object, status })

const node = (gpus: number) =>
  parseNode(
    nodeObject('n', {
      labels: { 'nvidia.com/gpu.product': 'Tesla-T4', 'nvidia.com/gpu.count': String(gpus) },
      resources: { 'nvidia.com/gpu': String(gpus), cpu: '64', memory: '512Gi' },
    }),
  )

/** A pod that waits for whole GPUs, with what the scheduler wrote on it. */
const waitingPod = (
  name: string,
  { reason, message, ...more }: { readonly reason?: string; readonly message?: string; readonly labels?: object },
  owner?: object,
) =>
  parsePod({
    metadata: {
      name,
      namespace: 'team',
      uid: `uid-${name}`,
      creationTimestamp: '2026-11-20T08:00:00Z',
      ...more,
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
    spec: { containers: [{ name: 'c', resources: { limits: { 'nvidia.com/gpu': '1' } } }] },
    status: {
      phase: 'Pending',
      conditions: reason === undefined ? [] : [{ type: 'PodScheduled', status: 'False', reason, message }],
    },
  })

const some = <T>(each: T | undefined): readonly T[] => (each === undefined ? [] : [each])

/** `capability` of nvidia.com/gpu beside limits of DRA classes, as its page on quotas shows it. */
const mlTeam = () =>
  ofKind(recordedObjects('volcano/docs/how_to_use_dra_quota.md'), 'Queue').find(
    ({ metadata }) => metadata.name === 'ml-team',
  ) ?? NOTHING

const JOB = { apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job', name: 'train', uid: 'uid-job', controller: true }
const FIELDS = 'volcano/crd-fields/podgroups.txt'

/** No PodGroup was captured: this one has the fields of its definition. */
const group = (status: object, minResources: object = { 'nvidia.com/gpu': '4' }): Recorded =>
  asServed({
    kind: 'PodGroup',
    metadata: { name: 'train-x', namespace: 'team', ownerReferences: [JOB] },
    spec: { minMember: 4, minResources, queue: 'ml-team' },
    status,
  })
const UNSCHEDULABLE = { type: 'Unschedulable', status: 'True', reason: 'NotEnoughResources' }

const volcano = (
  status: object,
  { gpus = 8, used = '0', pods = [] as readonly ReturnType<typeof waitingPod>[] } = {},
) =>
  snapshotOf({
    nodes: [node(gpus)],
    pods: pods.flatMap(some),
    queuedWork: some(parseVolcanoGroup(group(status))),
    limitedQueues: [parseVolcanoQueue(withStatus(mlTeam(), { allocated: { 'nvidia.com/gpu': used, cpu: '3' } }))],
  })

describe.skipIf(recordings === undefined)('recorded queues of Volcano', () => {
  test('limit GPUs by their capability alone, and all that is below them', () => {
    expect(inventoryOf({ limitedQueues: [parseVolcanoQueue(mlTeam())] }).quotas.map(told)).toEqual([
      'Volcano/ml-team/nvidia.com/gpu: 0 of 4',
    ])
    const below = asServed({ kind: 'Queue', metadata: { name: 'vision' }, spec: { parent: 'ml-team' } })
    expect(inventoryOf({ limitedQueues: [mlTeam(), below].map(parseVolcanoQueue) }).quotas.map(told)).toEqual([
      'Volcano/ml-team/nvidia.com/gpu: 0 of 4, with vision below it',
    ])
    const others = [
      ...recordedObjects('volcano/examples/queue-deployment.yaml'),
      ...recordedObjects('volcano/examples/hierarchical-queues-legacy-annotation.yaml'),
    ]
    expect(others).toHaveLength(5)
    expect(inventoryOf({ limitedQueues: others.map(parseVolcanoQueue) }).quotas).toEqual([])
  })

  test('hold back work before it has pods: it is seen, and the queue that is too full is named', () => {
    for (const field of ['spec.minResources', 'spec.queue', 'status.phase', 'status.conditions[].reason'])
      expect(recorded(FIELDS)).toContain(`${field}  <`)
    const message = '1/0 tasks in gang unschedulable: pod group is not ready, 4 minAvailable'
    const held = { phase: 'Pending', conditions: [{ ...UNSCHEDULABLE, message }] }
    expect(waits(volcano(held, { used: '2' }))).toEqual([
      {
        workload: 'team/Job/train in Volcano ml-team',
        says: 'Volcano has not let it into its queue yet: the queue or the cluster has too little left for all of its pods.',
        causes: ['quota'],
        change: 'Raise the Volcano queue ml-team from 4 to 6 nvidia.com/gpu.',
        hints: [
          'The Volcano queue ml-team has 2 of 4 nvidia.com/gpu left, and 4 are asked for: raise it, or wait until its other work ends.',
        ],
      },
    ])
  })

  test('hold work back where the queue has room and the cluster has none: then it waits for GPUs', () => {
    expect(waits(volcano({ phase: 'Pending' }, { gpus: 2 }))[0]).toMatchObject({ causes: ['capacity'], hints: [] })
    // Of what the queue is limited to enough is left, and GPUs are free: what other queues are guaranteed is not read.
    expect(waits(volcano({ phase: 'Pending' }))[0]).toMatchObject({
      causes: ['quota'],
      change: 'Raise its quota, or end other work of it.',
    })
  })

  test('wait for pods that were not made yet', () => {
    const message = 'Not enough valid tasks for gang-scheduling, valid: 2, min: 4'
    const conditions = [{ ...UNSCHEDULABLE, reason: 'NotEnoughTasks', message }]
    expect(waits(volcano({ phase: 'Pending', conditions }))[0]).toMatchObject({
      says: 'It starts only once all of its group is there, and some of its pods have not been made yet.',
      causes: ['gang'],
    })
  })

  test('say on pods that are there nothing before they are let in, and afterwards which of a gang lack a place', () => {
    const pods = [waitingPod('a', {}, JOB), waitingPod('b', {}, JOB)]
    expect(waits(volcano({ phase: 'Pending' }, { used: '4', pods }))[0]).toMatchObject({ causes: ['quota', 'quota'] })
    const gang = [
      waitingPod(
        'a',
        { reason: 'Schedulable', message: 'Pod team/a can possibly be assigned to n, once minAvailable is satisfied' },
        JOB,
      ),
      waitingPod(
        'b',
        { reason: 'Unschedulable', message: '0/1 nodes are unavailable: 1 Insufficient nvidia.com/gpu.' },
        JOB,
      ),
      waitingPod(
        'c',
        {
          reason: 'Unschedulable',
          message:
            '1/3 tasks in gang unschedulable: pod group is not ready, 3 Pending, 3 minAvailable; Pending: 1 Unschedulable, 2 Schedulable',
        },
        JOB,
      ),
    ]
    expect(waits(volcano({ phase: 'Inqueue' }, { gpus: 0, pods: gang }))[0]).toMatchObject({
      says: 'No whole GPU is free where it may run.',
      causes: ['gang', 'shape', 'gang'],
      change: 'Make room for the rest of its group: see why the other pods of it wait.',
    })
  })

  test('keep neither work without GPUs nor what has ended', () => {
    expect(parseVolcanoGroup(group({ phase: 'Pending' }, { cpu: '4' }))).toBeUndefined()
    expect(parseVolcanoGroup(group({ phase: 'Completed' }))).toBeUndefined()
  })
})

const limits = (file: string) =>
  inventoryOf({
    limitedQueues: ofKind(recordedObjects(`kai/examples/${file}`), 'Queue').map(parseKaiQueue),
  }).quotas.map(told)

const said = (message: string) =>
  waits(
    snapshotOf({
      nodes: [node(8)],
      pods: some(waitingPod('a', { reason: 'Unschedulable', message, labels: { 'kai.scheduler/queue': 'test' } })),
      limitedQueues: ofKind(recordedObjects('kai/examples/limited-queue.yaml'), 'Queue')
        .map((queue) => withStatus(queue, { allocated: { 'nvidia.com/gpu': '1' } }))
        .map(parseKaiQueue),
    }),
  )[0]

describe.skipIf(recordings === undefined)('recorded queues of KAI', () => {
  test('limit GPUs where they name a limit; -1 is none', () => {
    expect(limits('limited-queue.yaml')).toEqual(['KAI/test/nvidia.com/gpu: 0 of 1'])
    expect(limits('default-queues.yaml')).toEqual([])
    expect(limits('two-queue-oscillation-queues.yaml')).toEqual([])
    // One without a limit of its own is limited by its parent.
    expect(
      inventoryOf({
        limitedQueues: ofKind(recordedObjects('kai/docs/queues.md'), 'Queue').map(parseKaiQueue),
      }).quotas.map(told),
    ).toEqual(['KAI/research-team/nvidia.com/gpu: 0 of 2, with ml-team below it'])
  })

  test('keep pods waiting that KAI says are over the limit, or over quota without being preemptible', () => {
    for (const reason of ['OverLimit', 'NonPreemptibleOverQuota'])
      expect(recorded('kai/source/podgroup-unschedulable-reasons.go.txt')).toContain(`= "${reason}"`)
    expect(
      said(
        'OverLimit: test quota has reached the allowable limit of GPUs. Limit is 1 GPUs, currently 1 GPUs allocated and workload requested 1 GPUs',
      ),
    ).toEqual({
      workload: 'team/Pod/a in KAI test',
      says: 'Its quota is used up: it waits until other work of the quota ends.',
      causes: ['quota'],
      change: 'Raise the KAI queue test from 1 to 2 nvidia.com/gpu.',
      hints: [
        'The KAI queue test has 0 of 1 nvidia.com/gpu left, and 1 are asked for: raise it, or wait until its other work ends.',
      ],
    })
    expect(
      said(
        'NonPreemptibleOverQuota: Non-preemptible workload is over quota. Workload requested 1 GPUs, but test quota is 1 GPUs, while 1 GPUs are already allocated for non-preemptible pods. Use a preemptible workload to go over quota.',
      ),
    ).toMatchObject({
      says: 'Its queue has too little guaranteed quota left, and work that cannot be preempted gets no more than that.',
      causes: ['quota'],
    })
  })

  test('are not what a pod waits for where nodes have too little', () => {
    const message =
      "no nodes with enough resources were found: 2 node(s) had untolerated taint(s). \n5 node(s) didn't have enough resources: GPUs."
    expect(waitCause({ reason: 'Unschedulable', message })).toBe(
      'No GPU is free where it may run. Besides, 2 nodes have a taint that it does not tolerate.',
    )
  })

  test('share no quota with a queue of another system that has the same name', () => {
    const pods = some(waitingPod('a', { labels: { 'kai.scheduler/queue': 'ml-team' } }))
    const full = parseVolcanoQueue(withStatus(mlTeam(), { allocated: { 'nvidia.com/gpu': '4' } }))
    expect(waits(snapshotOf({ nodes: [node(8)], pods, limitedQueues: [full] }))[0]?.hints).toEqual([])
  })
})

/** What is said of work that is only asked about. */
function starts(text: string, parts: Parameters<typeof snapshotOf>[0]) {
  const reading = readManifest(text, 'team')
  if (reading.kind === 'refused') return reading.because
  return checkStart(snapshotOf({ nodes: [node(8)], ...parts }), reading.jobs).map(({ sentence, because, ways }) => ({
    sentence,
    because,
    ways: ways.map((way) => way.sentence),
  }))
}

describe.skipIf(recordings === undefined)('work that is only asked about', () => {
  const training = `apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: { name: train }
spec:
  queue: ml-team
  minAvailable: 3
  tasks:
    - name: worker
      replicas: 3
      template: { spec: { containers: [{ name: c, resources: { limits: { nvidia.com/gpu: 1 } } }] } }`

  test('of a full queue of Volcano: its tasks are read, and the queue is named', () => {
    const full = parseVolcanoQueue(withStatus(mlTeam(), { allocated: { 'nvidia.com/gpu': '2' } }))
    const unknown =
      'Whether Job train starts now is unknown: the scheduler volcano places it, by rules that Septet does not know.'
    expect(starts(training, { limitedQueues: [full] })).toEqual([
      {
        sentence: unknown,
        because: ['The Volcano queue ml-team has 2 nvidia.com/gpu left, and 3 are asked for.'],
        ways: ['Raise the Volcano queue ml-team for nvidia.com/gpu, or wait until other work of it ends.'],
      },
    ])
    expect(starts(training, { limitedQueues: [parseVolcanoQueue(mlTeam())] })).toEqual([
      { sentence: unknown, because: [], ways: [] },
    ])
  })

  test('of Volcano, as its page shows it: pods by task, and what their claims ask for', () => {
    const page = recorded('volcano/docs/how_to_use_dra_quota.md')
    const manifest = yamlBlocks(page).find((block) => block.includes('name: gpu-job')) ?? ''
    expect(readManifest(manifest, 'default')).toMatchObject({
      jobs: [
        {
          name: 'gpu-job',
          gang: true,
          schedulerQueue: { owner: 'Volcano', name: 'gpu-team' },
          groups: [{ part: 'worker', count: 1, claims: [{ resource: 'nvidia.com/gpu', count: 2 }] }],
        },
      ],
    })
  })

  test('of a full queue of KAI: the queue is named', () => {
    const [, queue = NOTHING] = ofKind(recordedObjects('kai/examples/limited-queue.yaml'), 'Queue')
    const full = parseKaiQueue(withStatus(queue, { allocated: { 'nvidia.com/gpu': '1' } }))
    const pod = JSON.stringify({
      kind: 'Pod',
      metadata: { name: 'p', labels: { 'kai.scheduler/queue': 'test' } },
      spec: {
        schedulerName: 'kai-scheduler',
        containers: [{ name: 'c', resources: { limits: { 'nvidia.com/gpu': 1 } } }],
      },
    })
    expect(starts(pod, { limitedQueues: [full] })).toEqual([
      {
        sentence:
          'Whether Pod p starts now is unknown: the scheduler kai-scheduler places it, by rules that Septet does not know.',
        because: ['The KAI queue test has 0 nvidia.com/gpu left, and 1 are asked for.'],
        ways: ['Raise the KAI queue test for nvidia.com/gpu, or wait until other work of it ends.'],
      },
    ])
  })
})
