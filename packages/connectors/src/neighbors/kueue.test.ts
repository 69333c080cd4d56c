import { checkStart } from '@septet/domain'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../kubernetes/manifest/read-manifest.ts'
import { parseNode } from '../kubernetes/read/parse-node.ts'
import {
  parseClusterQueue,
  parseFlavor,
  parseKueueWorkload,
  parseLocalQueue,
  parseCohort,
} from '../kubernetes/read/parse-kueue.ts'
import {
  asServed,
  inventoryOf,
  nodeObject,
  objectsIn,
  ofKind,
  recorded,
  recordedObjects,
  recordings,
  snapshotOf,
  type Recorded,
} from './recorded.fixture.ts'

/** The queues of a file as sentences: what each flavor gives of what, from which nodes, and what decides beside. */
function queuesIn(file: string) {
  const objects = recordedObjects(file)
  const inventory = inventoryOf({
    clusterQueues: ofKind(objects, 'ClusterQueue').map(parseClusterQueue),
    localQueues: ofKind(objects, 'LocalQueue').map(parseLocalQueue),
    flavors: ofKind(objects, 'ResourceFlavor').map(parseFlavor),
  })
  return {
    quotas: inventory.quotas.map(({ queue, resource, hard, used, cohort, flavors = [] }) => {
      const of = flavors.map(({ name, amount, borrowing, lending, nodeLabels }) =>
        [
          `${name} ${amount}`,
          ...(borrowing === undefined ? [] : [`borrows ${borrowing}`]),
          ...(lending === undefined ? [] : [`lends ${lending}`]),
          nodeLabels === undefined ? 'nodes unknown' : `nodes ${JSON.stringify(nodeLabels)}`,
        ].join(', '),
      )
      return `${queue}: ${hard} ${resource}, ${used} used, ${cohort ?? 'alone'} (${of.join('; ')})`
    }),
    queues: inventory.queues.map(({ name, localQueues, unread = [], left = {} }) => ({
      name,
      localQueues,
      unread,
      left,
    })),
  }
}

/** The same file as if it were about GPUs: the project's own examples share CPU. */
const aboutGpus = (objects: readonly Recorded[]): readonly Recorded[] =>
  objectsIn(objects.map((object) => JSON.stringify(object).replaceAll('"cpu"', '"nvidia.com/gpu"')).join('\n---\n'))

const cohortsOf = (queues: readonly Recorded[]) =>
  queues.map((queue) => {
    const [quota] = parseClusterQueue(queue).quotas
    const [flavor] = quota?.flavors ?? []
    return `${quota?.queue}: ${quota?.hard} of ${quota?.cohort}, borrows ${flavor?.borrowing ?? 'all'}, lends ${flavor?.lending ?? 'all'}`
  })

const left = (cohorts: readonly (Recorded | undefined)[], queues: readonly Recorded[]) => {
  const parts = {
    clusterQueues: queues.map(parseClusterQueue),
    localQueues: [{ id: 'team/q', clusterQueue: queues[0]?.metadata.name ?? '' }],
    cohorts: cohorts.flatMap((each) => parseCohort(each) ?? []),
  }
  const asking = JSON.stringify({
    kind: 'Pod',
    metadata: { name: 'p', labels: { 'kueue.x-k8s.io/queue-name': 'q' } },
    spec: { containers: [{ name: 'c', resources: { limits: { 'nvidia.com/gpu': 99 } } }] },
  })
  const reading = readManifest(asking, 'team')
  const [answer] = checkStart(snapshotOf(parts), reading.kind === 'read' ? reading.jobs : [])
  return answer?.because[0]
}
const words = (queue: string, count: number) =>
  `The cluster queue ${queue} has ${count} nvidia.com/gpu left, with what its cohort lends, and 99 are asked for.`
const inCohort = (queue: Recorded, cohortName: string): Recorded => ({
  ...queue,
  spec: { ...queue.spec, cohortName },
})

describe.skipIf(recordings === undefined)('recorded queues of Kueue', () => {
  test('with topology-aware scheduling: 16 GPUs of one flavor, whose nodes a topology decides', () => {
    expect(queuesIn('kueue/examples/tas-gpu-topology-flavor-cq-lq.yaml')).toEqual({
      quotas: [
        'tas-cluster-queue: 16 nvidia.com/gpu, 0 used, alone (tas-flavor 16, nodes {"cloud.provider.com/node-group":"tas-group"})',
      ],
      queues: [
        {
          name: 'tas-cluster-queue',
          localQueues: ['default/tas-user-queue'],
          unread: [],
          left: { cpu: 100, memory: 100 * 1024 ** 3 },
        },
      ],
    })
  })

  test('with topology-aware scheduling: which of its nodes work gets is unknown, and that it gets no others is not', () => {
    const objects = recordedObjects('kueue/examples/tas-gpu-topology-flavor-cq-lq.yaml')
    // A GPU needs a limit, which is its request too.
    const asked = recorded('kueue/examples/tas-job-required.yaml')
      .replaceAll('cpu: "1"', 'nvidia.com/gpu: "1"')
      .replaceAll('requests:', 'limits:')
    const reading = readManifest(asked, 'default')
    const starts = (group: string, gpus: number) =>
      checkStart(
        snapshotOf({
          nodes: [
            parseNode({
              ...nodeObject('n', {
                labels: { 'cloud.provider.com/node-group': group, 'nvidia.com/gpu.product': 'Tesla-T4' },
                resources: { 'nvidia.com/gpu': String(gpus), cpu: '64', memory: '512Gi' },
              }),
              // The flavor tolerates it for its work.
              spec: { taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }] },
            }),
          ],
          clusterQueues: ofKind(objects, 'ClusterQueue').map(parseClusterQueue),
          localQueues: ofKind(objects, 'LocalQueue').map(parseLocalQueue),
          flavors: ofKind(objects, 'ResourceFlavor').map(parseFlavor),
        }),
        reading.kind === 'read' ? reading.jobs : [],
      ).map(({ sentence }) => sentence)
    expect(starts('tas-group', 16)).toEqual([
      'Whether Job tas-sample-required starts now is unknown: Kueue gives work of the flavor tas-flavor nodes by the topology default, which is not judged.',
    ])
    for (const [group, gpus] of [
      ['tas-group', 8],
      ['other', 16],
    ] as const)
      expect(starts(group, gpus)).toEqual([
        'Job tas-sample-required does not start now: its 10 pods have to start together.',
      ])
  })

  test('for HAMi: 20 shares, and virtual resources of which nothing is left that is known', () => {
    expect(queuesIn('kueue/examples/hami-vgpu-queue.yaml')).toEqual({
      quotas: ['hami-queue: 20 nvidia.com/gpu, 0 used, alone (hami-flavor 20, nodes {"gpu":"on"})'],
      queues: [
        {
          name: 'hami-queue',
          localQueues: ['kueue-test/user-queue'],
          unread: [
            'how much nvidia.com/total-gpucores its cluster queue has left is unknown',
            'how much nvidia.com/total-gpumem its cluster queue has left is unknown',
          ],
          left: {},
        },
      ],
    })
  })

  test('for devices of DRA: counters are no count of GPUs', () => {
    const { quotas, queues } = queuesIn('kueue/examples/dra-counter-queues.yaml')
    expect(quotas).toEqual([])
    expect(queues[0]?.unread).toEqual(['how much gpu.memory its cluster queue has left is unknown'])
  })

  test('in a cohort: what each may borrow and lends, in v1beta2 and by the name that v1beta1 has for the cohort', () => {
    const objects = aboutGpus(recordedObjects('kueue/examples/cohort-borrowing-limits.yaml'))
    const expected = [
      'team-a-cq: 9 of team-ab, borrows all, lends all',
      'team-b-cq: 12 of team-ab, borrows all, lends all',
      'team-a-cq: 9 of team-ab, borrows 1, lends all',
      'team-b-cq: 12 of team-ab, borrows all, lends all',
      'team-a-cq: 9 of team-ab, borrows all, lends all',
      'team-b-cq: 12 of team-ab, borrows all, lends 1',
    ]
    expect(cohortsOf(objects)).toEqual(expected)
    expect(recorded('kueue/crd-fields-v1beta1/clusterqueues.txt')).toMatch(/^spec\.cohort +<string>/mu)
    expect(
      cohortsOf(
        objectsIn(
          JSON.stringify(objects)
            .replaceAll('cohortName', 'cohort')
            .slice(1, -1)
            .replaceAll('},{"kind"', '}\n---\n{"kind"'),
        ),
      ),
    ).toEqual(expected)
  })

  test('under cohorts: a cohort’s own quota is there to borrow, and so is what cohorts under one parent lend', () => {
    const [, , shared, empty, root, important, regular] = aboutGpus(
      recordedObjects('kueue/examples/cohort-hierarchy.yaml'),
    )
    if (empty === undefined) throw new Error('the recorded queue is not there')
    expect(left([shared], [empty])).toBe(words('my-cluster-queue', 12))
    expect(left([], [empty])).toBe(words('my-cluster-queue', 0))
    const [teamA = empty, teamB = empty] = aboutGpus(recordedObjects('kueue/examples/cohort-borrowing-limits.yaml'))
    const queues = [inCohort(teamA, 'important-org'), inCohort(teamB, 'regular-org')]
    expect(left([root, important, regular], queues)).toBe(words('team-a-cq', 9 + 12))
    expect(left([], queues)).toBe(words('team-a-cq', 9))
    expect([root, important].map(parseCohort)).toEqual([
      undefined,
      { name: 'important-org', parent: 'root-cohort', quotas: [] },
    ])
  })

  test('that are not active say so, whatever is left of their quota', () => {
    const [queue] = aboutGpus(recordedObjects('kueue/examples/cluster-queue-doc-flavors.yaml'))
    const read = (text: string) =>
      objectsIn(text).map(({ status }) =>
        parseClusterQueue({ ...queue, status }).queue.unread?.filter((each) => each.includes('active')),
      )
    const statuses = recorded('kueue/workload-states/queue-inactive-statuses.yaml')
    expect(read(statuses)).toEqual([
      ['the cluster queue is not active (ClusterQueueIsInactive)'],
      ['the cluster queue is not active (FlavorNotFound)'],
      [],
    ])
  })
})

const JOB = {
  apiVersion: 'kueue.x-k8s.io/v1beta2',
  metadata: { name: 'w', namespace: 'team', uid: 'w', creationTimestamp: '2026-11-01T08:00:00Z' },
  spec: {
    queueName: 'user-queue',
    podSets: [
      { count: 3, template: { spec: { containers: [{ resources: { requests: { 'nvidia.com/gpu': '1' } } }] } } },
    ],
  },
}
const waitingFor = (file: string) =>
  objectsIn(recorded(`kueue/workload-states/${file}`)).map(
    ({ status }) => parseKueueWorkload({ ...JOB, status })?.waiting?.reason,
  )

const statesIn = (file: string) =>
  objectsIn(recorded(`kueue/workload-states/${file}`).replaceAll(/^ *\.\.\.\n/gmu, '')).map(({ status }) =>
    parseKueueWorkload({ ...JOB, status }),
  )

describe.skipIf(recordings === undefined)('recorded states of Kueue’s workloads', () => {
  test.each([
    ['pending-no-quota.yaml', ['Pending']],
    ['evicted-preempted-then-pending.yaml', ['Pending']],
    ['inadmissible-missing-localqueue.yaml', ['Inadmissible']],
    // Before and after version 0.19, which has names of its own for why work waits.
    [
      'kep10852-before-after-conditions.yaml',
      [
        'Pending',
        'PendingEvaluation',
        'Pending',
        'WaitingForQuota',
        'Inadmissible',
        'Misconfigured',
        'Inadmissible',
        'NoMatchingFlavor',
      ],
    ],
  ])('in %s: why it waits, in Kueue’s words', (file, reasons) => {
    expect(waitingFor(file)).toEqual(reasons)
  })

  test('quota alone is not admission, and what is admitted does not wait', () => {
    expect(statesIn('quota-reserved-waiting-admission-check.yaml')[0]).toMatchObject({
      clusterQueue: 'dws-cluster-queue',
      waiting: { reason: 'UnsatisfiedAdmissionChecks' },
    })
    expect(statesIn('admitted-conditions.yaml.txt')[0]).toMatchObject({
      waiting: undefined,
      requests: [{ resource: 'nvidia.com/gpu', count: 3 }],
    })
  })

  test('work that was deactivated waits for nothing', () => {
    expect(parseKueueWorkload(JOB)?.waiting?.reason).toBe('Pending')
    expect(parseKueueWorkload({ ...JOB, spec: { ...JOB.spec, active: false } })).toBeUndefined()
  })

  test('of its own example asks for no GPU', () => {
    expect(
      recordedObjects('kueue/workload-states/spec-podsets-example.yaml').map(asServed).map(parseKueueWorkload),
    ).toEqual([undefined])
  })
})
