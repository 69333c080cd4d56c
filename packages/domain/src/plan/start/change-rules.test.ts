import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { type PodScheduling, UNCONSTRAINED } from '../../cluster/scheduling.ts'
import type { AskedJob } from './asked-job.ts'
import { SUSPENDED } from './asked-job.ts'
import { askedJob, asking, counted } from './asked.fixture.ts'
import { checkStart } from './check-start.ts'

const changesOf = (cluster: ClusterSnapshot, job: AskedJob, namespaces?: readonly string[]) =>
  checkStart(cluster, [job], { namespaces })[0]?.changes ?? []
const ruled = (rules: Partial<PodScheduling>, part = '') => asking({ part, scheduling: { ...UNCONSTRAINED, ...rules } })

describe('a toleration', () => {
  test('of a taint without a value asks only that the key exists', () => {
    const cluster = counted(draw`a  T4  !gpu:NoExecute  [-]`)
    expect(changesOf(cluster, askedJob([asking()]))).toEqual([
      {
        kind: 'taint',
        sentence: 'Let it tolerate the taint gpu:NoExecute, where those nodes are meant for it.',
        document: 0,
        patch: [
          { op: 'add', path: '/spec/tolerations', value: [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }] },
        ],
      },
    ])
  })
  test('is added to those that a pod has, in every part', () => {
    const cluster = counted(draw`
      a  T4  !team=red:NoSchedule  [-]
      a  T4  !team=red:NoSchedule  [-]`)
    const more = { ...asking().edit, spec: '/spec/worker', hasTolerations: true }
    const job = askedJob([asking({ part: 'head' }), asking({ part: 'Worker', edit: more })])
    const value = { key: 'team', operator: 'Equal', value: 'red', effect: 'NoSchedule' }
    expect(changesOf(cluster, job)[0]?.patch).toEqual([
      { op: 'add', path: '/spec/tolerations', value: [value] },
      { op: 'add', path: '/spec/worker/tolerations/-', value },
    ])
  })
  test.for([
    ['!node.kubernetes.io/not-ready:NoExecute', 'of the node controller'],
    ['!node.kubernetes.io/unschedulable:NoSchedule', 'of a cordon'],
  ])('%s, %s, is never offered', ([taint]) => {
    expect(changesOf(counted(draw`a  T4  ${taint}  [-]`), askedJob([asking()]))).toEqual([])
  })
  test('is not offered where one would not be enough, nor of a taint that only prefers', () => {
    const both = counted(draw`a  T4  !team=red:NoSchedule !spot:NoSchedule  [-]`)
    expect(changesOf(both, askedJob([asking()]))).toEqual([])
    const soft = counted(draw`
      a  T4  !team=red:PreferNoSchedule  [-]
      b  T4  down  [-]`)
    expect(changesOf(soft, askedJob([asking({ count: 2 })])).map(({ kind }) => kind)).toEqual(['pods'])
  })
})

describe('looser rules', () => {
  const zones = counted(draw`
    a  T4  zone=a disk=ssd  [-]
    b  T4  zone=b disk=hdd  [lab/x]`)
  test('drop one key of the node selector, with its slash written as JSON pointers write it', () => {
    const cluster = counted(draw`a  T4  cloud/zone=a  [-]`)
    const job = askedJob([ruled({ nodeSelector: { 'cloud/zone': 'b' } }, 'Worker')])
    expect(changesOf(cluster, job)).toEqual([
      {
        kind: 'rules',
        sentence: 'Drop cloud/zone=b from the node selector of Worker.',
        document: 0,
        patch: [{ op: 'remove', path: '/spec/nodeSelector/cloud~1zone' }],
      },
    ])
  })
  test('drop the key that is in the way and keep the other', () => {
    const job = askedJob([ruled({ nodeSelector: { disk: 'ssd', zone: 'b' } })])
    expect(changesOf(zones, job).map(({ sentence }) => sentence)).toEqual(['Drop zone=b from the node selector.'])
  })
  test('drop the required node affinity', () => {
    const nodeTerms = [[{ key: 'zone', operator: 'In' as const, values: ['b'] }]]
    expect(changesOf(zones, askedJob([ruled({ nodeTerms }, 'Worker')]))).toEqual([
      {
        kind: 'rules',
        sentence: 'Drop the required node affinity of Worker.',
        document: 0,
        patch: [{ op: 'remove', path: '/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution' }],
      },
    ])
  })
  test('are not offered where two rules stand in the way', () => {
    const nodeTerms = [[{ key: 'zone', operator: 'In' as const, values: ['b'] }]]
    expect(changesOf(zones, askedJob([ruled({ nodeTerms, nodeSelector: { disk: 'hdd' } })]))).toEqual([])
  })
})

describe('a job that is suspended', () => {
  const free = counted(draw`a  T4  [-]`)
  test('is resumed where its manifest says that it is', () => {
    const edit = { document: 2, queue: undefined, suspend: '/spec/runPolicy/suspend' }
    expect(changesOf(free, askedJob([asking()], { stopped: [SUSPENDED], edit }))).toEqual([
      {
        kind: 'resume',
        sentence: 'Set suspend to false.',
        document: 2,
        patch: [{ op: 'replace', path: '/spec/runPolicy/suspend', value: false }],
      },
    ])
    expect(changesOf(free, askedJob([asking()], { stopped: [SUSPENDED] }))).toEqual([])
  })
})

const clusterQueue = (name: string, ...localQueues: readonly string[]) => ({
  name,
  pendingWorkloads: 0,
  admittedWorkloads: 0,
  localQueues,
})

const quota = (namespace: string) => ({
  id: `${namespace}/gpus/nvidia.com/gpu`,
  namespace,
  resource: 'nvidia.com/gpu',
  hard: 4,
  used: 4,
})

describe('another queue or namespace', () => {
  const used = counted(draw`
    a  T4  [-]
    b  T4  [web/x]
    c  T4  [art/y]`)
  test('is the first namespace whose quota is not used up', () => {
    const full = { ...used, quotas: [quota('lab'), quota('art')] }
    expect(changesOf(full, askedJob([asking()]))).toEqual([
      {
        kind: 'namespace',
        sentence: 'Submit it to the namespace web, where you may.',
        document: 0,
        patch: [{ op: 'add', path: '/metadata/namespace', value: 'web' }],
      },
    ])
  })
  test('is one of those that the caller may see', () => {
    const full = { ...used, quotas: [quota('lab')] }
    expect(changesOf(full, askedJob([asking()]), ['lab'])).toEqual([])
    expect(changesOf(full, askedJob([asking()]), ['lab', 'new'])[0]?.sentence).toContain('the namespace new,')
  })
  test('is no way out where quotas are not what holds it back', () => {
    expect(
      changesOf(used, askedJob([asking({ requests: [{ resource: 'nvidia.com/mig-1g.5gb', count: 1 }] })])),
    ).toEqual([])
  })
  test('is the first local queue of the namespace that leads to a cluster queue with room', () => {
    const flavors = [{ name: 'f', path: '', resourcePath: '', nominal: '4', nodeLabels: {} }]
    const promised = (queue: string, left: number) => ({
      ...quota(''),
      id: `clusterqueue/${queue}/nvidia.com/gpu`,
      queue,
      used: 4 - left,
      flavors,
    })
    const kueue = {
      ...used,
      quotas: [promised('small', 0), promised('full', 0), promised('large', 2)],
      queues: [
        clusterQueue('small', 'lab/mine', 'lab/also'),
        clusterQueue('full', 'lab/busy'),
        clusterQueue('large', 'web/far', 'lab/near'),
      ],
    }
    const edit = { document: 0, queue: '/metadata/labels/kueue.x-k8s.io~1queue-name', suspend: undefined }
    const job = askedJob([asking()], { queue: 'mine', edit })
    expect(changesOf(kueue, job)).toEqual([
      {
        kind: 'queue',
        sentence: 'Submit it to the queue near.',
        document: 0,
        patch: [{ op: 'replace', path: edit.queue, value: 'near' }],
      },
    ])
  })
})
