import { describe, expect, test } from 'vitest'

import { draw as drawn } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { instant } from '../../units.ts'
import { sourcesOf, waitingFor } from '../recommend/drawn-past.fixture.ts'
import { recommend } from '../recommend/recommend.ts'
import { waitersOf } from './waiters.ts'
import { counted } from '../start/asked.fixture.ts'
import { judgeWaits } from './wait-verdict.ts'

/** A drawn cluster whose nodes offer what they are cut into. */
const draw = (text: TemplateStringsArray): ClusterSnapshot => counted(drawn(text))

const NO_DEVICE = '0/9 nodes are available: 9 Insufficient nvidia.com/gpu.'

/** The same cluster, in which the scheduler has said this to every pod that waits. */
function told(snapshot: ClusterSnapshot, message = NO_DEVICE, reason = 'Unschedulable'): ClusterSnapshot {
  const pods = snapshot.pods.map((pod) => (pod.node === undefined ? { ...pod, waiting: { reason, message } } : pod))
  return { ...snapshot, pods }
}

function verdict(snapshot: ClusterSnapshot, idle: readonly string[] = []) {
  const pod = snapshot.pods.find(({ node }) => node === undefined)
  const workload = snapshot.workloads.find(({ id }) => id === pod?.workload)
  if (workload === undefined) throw new Error('nobody waits')
  const { cause, change } = judgeWaits(snapshot, new Set(idle))(pod, workload)
  return [cause, change?.sentence]
}

const placeRecommended = (snapshot: ClusterSnapshot): string | undefined =>
  recommend(sourcesOf(waitingFor(snapshot, 2))).recommendations.find(({ kind }) => kind === 'reschedule')?.title

/** The verdict so many seconds after a pod was made that its scheduler has not looked at. */
const unseen = (snapshot: ClusterSnapshot, seconds: number) => {
  const { takenAt, ...rest } = told(snapshot, 'The scheduler gpu-scheduler has not looked at this pod yet.', 'Pending')
  return verdict({ ...rest, takenAt: instant(takenAt + seconds * 1000) })
}

describe('the cause of a wait and the cheapest single change that ends it', () => {
  test('no GPU is cut in that shape, and the one that has the space is in use', () => {
    expect(
      verdict(
        told(draw`
          node-a  A100-SXM4-80GB  [1g.10gb lab/x] [1g.10gb -]
          ?  lab/waits  3g.40gb`),
      ),
    ).toEqual([
      'fragmentation',
      'Move the 1 pod off GPU 0 of node-a and repartition it: 7 of its 8 memory slices are free, a 3g.40gb needs 4, and mig-manager changes no GPU that is in use.',
    ])
  })

  test('of GPUs with the space, none is named whose node mig-manager cannot change', () => {
    const cluster = told(draw`
      node-a  A100-SXM4-80GB  [1g.10gb lab/x] [1g.10gb -]
      node-a  A100-SXM4-80GB  [lab/y]
      node-b  A100-SXM4-80GB  [1g.10gb lab/z] [1g.10gb lab/u] [1g.10gb -]
      ?  lab/waits  3g.40gb`)
    expect(verdict(cluster)[1]).toMatch(/^Move the 1 pod off GPU 0 of node-a/u)
    const fault = { code: 'xid', message: 'XID 79', object: 'gpu/GPU-node-a-1' }
    const nodes = cluster.nodes.map((node) => ({
      ...node,
      gpus: node.gpus.map((gpu) => (gpu.id === 'GPU-node-a-1' ? { ...gpu, fault } : gpu)),
    }))
    expect(verdict({ ...cluster, nodes })[1]).toMatch(/^Move the 2 pods off GPU 0 of node-b/u)
  })

  test('no board can give that shape', () => {
    expect(
      verdict(
        told(draw`
          node-a  A30  MIG
          ?  lab/waits  3g.40gb`),
      ),
    ).toEqual(['shape', 'Add a node that can give a 3g.40gb: none that it may use can.'])
  })

  test('only nodes that it may not use have that shape', () => {
    expect(
      verdict(
        told(draw`
          node-a  A100-SXM4-80GB  !dedicated:NoSchedule  [3g.40gb lab/x] [4g.40gb lab/y]
          node-b  H100-80GB-HBM3  [lab/z]
          ?  lab/waits  4g.40gb`),
      )[1],
    ).toBe('Add one node like node-b (1 × H100-80GB-HBM3).')
    expect(
      verdict(
        told(draw`
          node-a  A100-SXM4-80GB  !dedicated:NoSchedule  [3g.40gb lab/x] [4g.40gb lab/y]
          node-b  T4  [lab/z]
          ?  lab/waits  4g.40gb`),
      ),
    ).toEqual(['shape', 'Add a node that can give a 4g.40gb: none that it may use can.'])
  })

  test('whole GPUs are free, scattered over nodes', () => {
    expect(
      verdict(
        told(draw`
          node-a  H100-80GB-HBM3  [-]
          node-a  H100-80GB-HBM3  [lab/x]
          node-b  H100-80GB-HBM3  [-]
          node-b  H100-80GB-HBM3  [lab/y]
          ?  lab/waits  gpu ×2`),
      ),
    ).toEqual(['fragmentation', 'Move work off 1 more GPU of node-a, where 1 of the 2 that it needs is free.'])
  })

  test('memory slices are free, scattered over GPUs', () => {
    expect(
      verdict(
        told(draw`
          node-a  A100-SXM4-80GB  [2g.20gb lab/x] [1g.10gb lab/y] [2g.20gb lab/z]
          node-b  A100-SXM4-80GB  [2g.20gb lab/u] [1g.10gb lab/v] [3g.40gb lab/w]
          ?  lab/waits  4g.40gb`),
      ),
    ).toEqual([
      'fragmentation',
      'Move the 3 pods off GPU 0 of node-a and repartition it: 3 of its 8 memory slices are free, a 4g.40gb needs 4, and mig-manager changes no GPU that is in use.',
    ])
  })

  test('all GPUs are held: an idle holder first, else one node more', () => {
    const held = told(draw`
      node-a  H100-80GB-HBM3  [lab/x]
      node-a  H100-80GB-HBM3  [lab/y]
      ?  lab/waits  gpu`)
    expect(verdict(held)).toEqual(['capacity', 'Add one node like node-a (2 × H100-80GB-HBM3).'])
    expect(verdict(held, ['GPU-node-a-1'])).toEqual(['capacity', 'Stop lab/y, which holds GPU 1 of node-a idle.'])
  })

  test('a node that is down or cordoned could take it', () => {
    const down = told(draw`
      node-a  H100-80GB-HBM3  [lab/x]
      node-b  H100-80GB-HBM3  down  [-]
      ?  lab/waits  gpu`)
    expect(verdict(down)).toEqual(['broken', 'Bring node-b back: it is not ready.'])
    const nodes = down.nodes.map((node) => ({ ...node, ready: true, schedulable: node.name !== 'node-b' }))
    expect(verdict({ ...down, nodes })).toEqual(['broken', 'Uncordon node-b: what it needs is free there.'])
  })

  test('its rules keep it off what is free; who names the GPU is sent nowhere else', () => {
    const elsewhere = draw`
      node-a  H100-80GB-HBM3  zone=a  [lab/x]
      node-b  H100-80GB-HBM3  zone=b  [-]
      ?  lab/waits  gpu zone=a`
    const change =
      'Let it run on node-b (H100-80GB-HBM3) too: only its node selector, affinity or a missing toleration keeps it off.'
    expect(verdict(told(elsewhere))).toEqual(['capacity', change])
    const pods = elsewhere.pods.map((pod) =>
      pod.node === undefined
        ? { ...pod, scheduling: { ...pod.scheduling, nodeSelector: { 'nvidia.com/gpu.product': 'H200' } } }
        : pod,
    )
    expect(
      verdict(
        told({ ...elsewhere, pods }, "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector."),
      )[0],
    ).toBe('affinity')
  })

  test('another place is the one that a recommendation names: of the model that it asks for, not merely the first', () => {
    const waits = draw`
      node-a@big  A100-SXM4-80GB  zone=b  [-]
      node-b@one  T4              zone=a  [lab/x]
      node-c@two  T4              zone=b  [-]
      ?  lab/waits  gpu zone=a`
    expect(verdict(told(waits))).toEqual([
      'capacity',
      'Let it run on node-c (T4 in pool two) too: only its node selector, affinity or a missing toleration keeps it off.',
    ])
    expect(placeRecommended(waits)).toBe('Let lab/waits run on T4 in pool two')
  })

  test('where a change keeps its rules, the other place is said beside it', () => {
    const waits = draw`
      node-a@one  T4              nvidia.com/gpu.product=Tesla-T4  [lab/x]
      node-b@big  A100-SXM4-80GB                                   [-]
      ?  lab/waits  gpu nvidia.com/gpu.product=Tesla-T4`
    expect(verdict(told(waits))).toEqual([
      'capacity',
      'Add one node like node-a (1 × T4). Or let it run on A100-SXM4-80GB in pool big, where only its node selector or affinity keeps it off.',
    ])
    expect(placeRecommended(waits)).toBe('Let lab/waits run on A100-SXM4-80GB in pool big')
  })

  test('a GPU is free, and too little CPU beside it', () => {
    expect(
      verdict(
        told(draw`
          node-a  H100-80GB-HBM3  cpu=4 memory=64  [-]
          ?  lab/waits  gpu cpu=8`),
      ),
    ).toEqual(['cpu-memory', 'Free CPU or memory on node-a, or ask for less: its GPU is free.'])
  })

  test('a quota, with what it would have to be', () => {
    const waits = draw`
      node-a  H100-80GB-HBM3  [-]
      ?  lab/waits  gpu ×4`
    const quotas = [{ id: 'lab/gpus/nvidia.com/gpu', namespace: 'lab', resource: 'nvidia.com/gpu', hard: 4, used: 3 }]
    expect(verdict({ ...told(waits, 'exceeded quota: gpus', 'FailedCreate'), quotas })).toEqual([
      'quota',
      'Raise the quota lab/gpus/nvidia.com/gpu from 4 to 7 nvidia.com/gpu.',
    ])
  })

  test.each([
    ['SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates', 'gate'],
    ['Unschedulable', 'pod has unbound immediate PersistentVolumeClaims', 'volume'],
    [
      'Unschedulable',
      "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) didn't match pod topology spread constraints.",
      'spread',
    ],
    ['Unschedulable', "0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.", 'spread'],
    ['Unschedulable', '0/2 nodes are available: 2 Insufficient memory.', 'cpu-memory'],
    ['Unschedulable', '0/2 nodes are available: 2 Insufficient example.com/licence.', 'other'],
    ['Unschedulable', '0/2 nodes are available: 2 node(s) had untolerated taint {team: x}.', 'affinity'],
    ['Unschedulable', '0/2 nodes are available: 2 node(s) were unschedulable.', 'broken'],
    ['Pending', 'The scheduler has not looked at this pod yet.', 'not-tried'],
  ])('%s: %s', (reason, message, cause) => {
    const waits = draw`
      node-a  H100-80GB-HBM3  [lab/x]
      ?  lab/waits  gpu`
    expect(verdict(told(waits, message, reason))[0]).toBe(cause)
  })

  test('what its scheduler has not looked at for a minute: whether that runs, whatever is free or held', () => {
    const held = draw`
      node-a  H100-80GB-HBM3  [lab/x]
      ?  lab/waits  gpu`
    const free = draw`
      node-a  H100-80GB-HBM3  [-]
      ?  lab/waits  gpu`
    for (const snapshot of [held, free]) {
      expect(unseen(snapshot, 90)).toEqual([
        'not-tried',
        'See whether the scheduler gpu-scheduler runs: it has not looked at this pod.',
      ])
      expect(unseen(snapshot, 20)).toEqual([
        'not-tried',
        'Nothing to change: it is new, and its scheduler looks at it within a minute.',
      ])
    }
  })
})

const asks = (snapshot: ClusterSnapshot) =>
  waitersOf({ snapshot, judge: judgeWaits(snapshot, new Set()), isKnown: () => false })
    .filter(({ endedAt }) => endedAt === undefined)
    .map(({ ask }) => ask())

describe('what is asked for', () => {
  test('a MIG device is its share of a GPU, and the GPUs that could serve it give the price', () => {
    const snapshot = draw`
      node-a@big  A100-SXM4-80GB  MIG
      node-b      H100-80GB-HBM3  zone=b  [-]
      node-c      T4              [1/4 -] [1/4 -]
      ?  lab/part   3g.40gb
      ?  lab/whole  gpu ×2 zone=b
      ?  lab/odd    4g.71gb`
    const [part, whole, odd] = asks(snapshot)
    expect(part).toMatchObject({ asks: '1 × nvidia.com/mig-3g.40gb', gpus: 3 / 7 })
    expect(part?.kinds).toContainEqual({ pool: 'big', model: 'A100-SXM4-80GB' })
    expect(whole).toEqual({ asks: '2 × nvidia.com/gpu', gpus: 2, kinds: [{ pool: '', model: 'H100-80GB-HBM3' }] })
    expect(odd).toMatchObject({ gpus: undefined, kinds: [] })
  })

  test('a GPU is a whole one as long as a node that it may use gives whole ones, else the part that all give', () => {
    const shared = draw`
      node-a  T4  [1/4 -] [1/4 -]
      ?  lab/x  gpu`
    const nodes = shared.nodes.map((node) => ({
      ...node,
      sharing: { kind: 'time-slicing' as const, replicas: 4 },
      allocatable: { 'nvidia.com/gpu': 4 },
    }))
    const [whole] = draw`node-b  H100-80GB-HBM3  [-]`.nodes
    if (whole === undefined) throw new Error('the drawing has no node')
    expect(asks({ ...shared, nodes })[0]?.gpus).toBe(1 / 4)
    expect(asks({ ...shared, nodes: [...nodes, { ...whole, allocatable: { 'nvidia.com/gpu': 1 } }] })[0]?.gpus).toBe(1)
  })
})
