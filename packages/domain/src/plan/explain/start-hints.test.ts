import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { limitHints, startHints } from './start-hints.ts'

function hintsOf(snapshot: ClusterSnapshot, change: (snapshot: ClusterSnapshot) => ClusterSnapshot = (same) => same) {
  const changed = change(snapshot)
  const pod = changed.pods.find(({ node }) => node === undefined)
  const workload = changed.workloads.find(({ id }) => id === pod?.workload)
  if (pod === undefined || workload === undefined) throw new Error('nobody waits')
  return startHints(changed, pod, workload).map(({ kind, gpus, example }) => [kind, gpus, example])
}

describe('what would start a waiting pod', () => {
  test('a free slice of its profile, told before what could be cut', () => {
    const found = hintsOf(draw`
      node-a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb lab/x]
      node-b  A100-SXM4-80GB  [1g.10gb -] [1g.10gb -]
      ?  lab/waits  3g.40gb`)
    expect(found).toEqual([
      ['free', 1, 'node-a'],
      ['recut', 1, 'node-b'],
    ])
  })

  test('a GPU whose unheld instances take the room is one to be cut again, one in use is not', () => {
    const found = hintsOf(draw`
      node-a  A100-SXM4-80GB  [1g.10gb -] [1g.10gb lab/x]
      node-b  A100-SXM4-80GB  [4g.40gb lab/y] [3g.40gb lab/z]
      ?  lab/waits  3g.40gb`)
    expect(found).toEqual([
      ['recut', 1, 'node-a'],
      ['holders', 1, 'node-b'],
    ])
  })

  test('whole GPUs count only where one node has enough of them', () => {
    const found = hintsOf(draw`
      node-a  H100-80GB-HBM3  [-]
      node-a  H100-80GB-HBM3  [lab/x]
      node-b  H100-80GB-HBM3  [-]
      ?  lab/waits  gpu ×2`)
    expect(found).toEqual([['holders', 2, 'node-a']])
  })

  test('rules keep it off GPUs that would do, and the sentence says so', () => {
    const drawn = draw`
      node-a  H100-80GB-HBM3  [-]
      ?  lab/waits  gpu`
    const found = hintsOf(drawn, (snapshot) => ({
      ...snapshot,
      pods: snapshot.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, nodeSelector: { zone: 'b' } } })),
    }))
    expect(found).toEqual([['rules', 1, 'node-a']])
  })

  test('a quota that leaves too little, of its namespace or of its queue, and no other', () => {
    const [workload] = draw`
      node-a  H100-80GB-HBM3  [-]
      ?  lab/waits  gpu`.workloads
    if (workload === undefined) throw new Error('nobody waits')
    const quota = { id: 'lab/gpus/nvidia.com/gpu', namespace: 'lab', resource: 'nvidia.com/gpu', hard: 4, used: 4 }
    const quotas = [
      quota,
      { ...quota, id: 'web/gpus/nvidia.com/gpu', namespace: 'web' },
      { ...quota, id: 'lab/more', used: 3 },
      { ...quota, id: 'clusterqueue/batch/nvidia.com/gpu', namespace: '', queue: 'batch' },
    ]
    const hints = limitHints({ quotas, nodes: [], allocations: [] }, { ...workload, queue: 'batch' })
    expect(hints.map(({ kind }) => kind)).toEqual(['quota', 'queue'])
    expect(hints[0]?.sentence).toContain('0 of 4 nvidia.com/gpu left')
  })

  test('a volume that the scheduler names', () => {
    const found = hintsOf(
      draw`
        node-a  H100-80GB-HBM3  [lab/x]
        ?  lab/waits  gpu`,
      (snapshot) => ({
        ...snapshot,
        pods: snapshot.pods.map((pod) => ({
          ...pod,
          waiting: {
            reason: 'Unschedulable',
            message: '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
          },
        })),
      }),
    )
    expect(found.map(([kind]) => kind)).toEqual(['holders', 'volume'])
  })
})
