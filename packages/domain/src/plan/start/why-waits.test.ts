import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { instant } from '../../units.ts'
import { counted } from './asked.fixture.ts'
import { whyWaits } from './why-waits.ts'

function answer(drawn: ClusterSnapshot, change: (snapshot: ClusterSnapshot) => ClusterSnapshot = (same) => same) {
  const snapshot = change(counted(drawn))
  const pod = snapshot.pods.find(({ node }) => node === undefined)
  const workload = snapshot.workloads.find(({ id }) => id === pod?.workload)
  if (pod === undefined || workload === undefined) throw new Error('nobody waits')
  const { ways, ...rest } = whyWaits(snapshot, workload, pod)
  return { ...rest, ways: ways.map(({ kind, sentence }) => `${kind}: ${sentence}`) }
}

const refused = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
  ...snapshot,
  pods: snapshot.pods.map((pod) => (pod.node === undefined ? { ...pod, refusedAt: instant(1) } : pod)),
})

const unseen = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
  ...snapshot,
  takenAt: instant(snapshot.takenAt + 120_000),
  pods: snapshot.pods.map((pod) =>
    pod.node === undefined
      ? { ...pod, waiting: { reason: 'Pending', message: 'The scheduler slow has not looked at this pod yet.' } }
      : pod,
  ),
})

const used = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({
    ...node,
    gpus: node.gpus.map((gpu) => ({ ...gpu, unrequestedSince: instant(0) })),
  })),
})

describe('why work waits', () => {
  test('nothing keeps it where there is room: nobody has tried', () => {
    const drawn = draw`
      node-a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb lab/x]
      node-b  A100-SXM4-80GB  [1g.10gb -] [1g.10gb -]
      ?  lab/waits  3g.40gb`
    expect(answer(drawn)).toEqual({
      verdict: 'now',
      because: [],
      unknown: [],
      ways: ['free: It fits now: the scheduler has not tried since, or something other than GPUs blocks it.'],
    })
  })

  test('a GPU whose instances nobody holds is cut again', () => {
    const drawn = draw`
      node-a  A100-SXM4-80GB  [1g.10gb -] [1g.10gb -]
      node-b  A100-SXM4-80GB  [4g.40gb lab/y] [3g.40gb lab/z]
      ?  lab/waits  3g.40gb`
    expect(answer(drawn)).toEqual({
      verdict: 'not-now',
      because: ['No node has room for this pod.', '2 nodes: no nvidia.com/mig-3g.40gb is free.'],
      unknown: [],
      ways: ['recut: Repartition GPU 0 of node-a for 3g.40gb: no workload holds what changes, so nothing moves.'],
    })
  })

  test('the reasons of nodes add up to the nodes of the cluster', () => {
    const drawn = draw`
      node-a  H100-80GB-HBM3  zone=a  [-]
      node-b  H100-80GB-HBM3  zone=b  [lab/x]
      node-c  H100-80GB-HBM3  zone=b  down  [-]
      ?  lab/waits  gpu zone=b`
    expect(answer(drawn, refused)).toMatchObject({
      because: [
        'No node has room for this pod.',
        '1 node: no nvidia.com/gpu is free.',
        '1 node: node selector zone=b does not match.',
        '1 node: the node is cordoned.',
      ],
      ways: ['repair: Bring node-c back, which is not ready: what it needs is free there.'],
    })
  })

  test('a GPU that may be in use leaves the answer open, and says which', () => {
    const drawn = draw`
      node-a  H100-80GB-HBM3  [-]
      ?  lab/waits  gpu`
    expect(answer(drawn, used)).toMatchObject({
      verdict: 'unknown',
      unknown: ['something uses GPU 0 of node-a that no pod is known to hold'],
    })
  })

  test('a pod that its scheduler has not looked at waits for that first, whatever is free', () => {
    const look = 'free: See whether the scheduler slow runs: it has not looked at this pod.'
    const held = draw`
      node-a  H100-80GB-HBM3  [lab/x]
      ?  lab/waits  gpu`
    expect(answer(held, unseen)).toMatchObject({
      because: ['Its scheduler slow has not looked at it yet.', 'No node has room for this pod.', expect.any(String)],
      ways: [look],
    })
    const free = draw`
      node-a  H100-80GB-HBM3  [-]
      ?  lab/waits  gpu`
    expect(answer(free, unseen)).toMatchObject({ verdict: 'now', because: [], ways: [look] })
  })

  test('a pod that another scheduler places gets no confident no', () => {
    const drawn = draw`
      node-a  T4  [lab/x]
      ?  lab/waits  gpu.shared`
    const elsewhere = 'gpu-memory asks KAI or Run:ai for a share of a GPU, by rules that Septet does not know'
    const placed = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
      ...snapshot,
      pods: snapshot.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, elsewhere } })),
    })
    expect(answer(drawn)).toMatchObject({ verdict: 'not-now' })
    expect(answer(drawn, placed)).toMatchObject({ verdict: 'unknown', unknown: [elsewhere] })
  })

  test('a quota of its queue, whatever is free, and a volume that the scheduler names', () => {
    const drawn = draw`
      node-a  H100-80GB-HBM3  [lab/x]
      ?  lab/waits  gpu queue=batch`
    const quota = {
      id: 'clusterqueue/batch/nvidia.com/gpu',
      namespace: '',
      queue: 'batch',
      resource: 'nvidia.com/gpu',
      hard: 4,
      used: 4,
    }
    const message = '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.'
    const { ways } = answer(drawn, (snapshot) => ({
      ...snapshot,
      quotas: [quota],
      pods: snapshot.pods.map((pod) => ({ ...pod, waiting: { reason: 'Unschedulable', message } })),
    }))
    expect(ways).toEqual([
      'queue: The cluster queue batch has 0 of 4 nvidia.com/gpu left, and 1 are asked for: raise it, or wait until its other work ends.',
      'volume: It waits for a volume as well: see the events of its PersistentVolumeClaim.',
    ])
  })

  test('a quota of its namespace has counted a pod that is there', () => {
    const drawn = draw`
      node-a  H100-80GB-HBM3  [-]
      ?  lab/waits  gpu`
    const quota = { id: 'lab/gpus/nvidia.com/gpu', namespace: 'lab', resource: 'nvidia.com/gpu', hard: 1, used: 1 }
    expect(answer(drawn, (snapshot) => ({ ...snapshot, quotas: [quota] })).verdict).toBe('now')
  })

  test('work that its queue holds back has no pod to find a place for', () => {
    const snapshot = counted(draw`
      node-a  H100-80GB-HBM3  [-]
      ?  lab/waits  gpu`)
    const [workload] = snapshot.workloads
    if (workload === undefined) throw new Error('nobody waits')
    expect(whyWaits(snapshot, workload, undefined)).toEqual({ verdict: undefined, because: [], unknown: [], ways: [] })
  })
})
