import { describe, expect, test } from 'vitest'

import { draw, DRAWN_AT } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { instant, seconds } from '../../units.ts'
import { openFleet, snapshotOf } from '../../fleet/fleet.ts'
import type { Action, GpuChange, SharingMode } from '../words/action.ts'
import { CAREFUL_POLICY } from '../words/plan-policy.ts'
import { applyAction } from './apply-action.ts'
import { servedByDra, withRequests } from './drawn-wishes.fixture.ts'

const OPEN = { ...CAREFUL_POLICY, maxDisplaced: 100, mayWait: true }
const drawn = draw`
  a  A100-SXM4-80GB  [-]
  a  A100-SXM4-80GB  [-]
  b  T4              [lab/web]
  ?  lab/waits  gpu`
const closed = (snapshot: ClusterSnapshot, change: Partial<GpuNode> = {}): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({ ...node, schedulable: false, ...change })),
})

/** The code and the words of the refusal, which has to leave the cluster as it was. */
function refusal(action: Action, snapshot: ClusterSnapshot = drawn): readonly string[] {
  const state = openFleet(snapshot)
  const verdict = applyAction(state, action, OPEN)
  if (verdict.kind === 'allow') return []
  expect(snapshotOf(state)).toEqual(snapshotOf(openFleet(snapshot)))
  return [verdict.code, verdict.because]
}
/** The cluster after an action that is allowed. */
function after(action: Action, snapshot: ClusterSnapshot = drawn): ClusterSnapshot {
  const state = openFleet(snapshot)
  const verdict = applyAction(state, action, OPEN)
  if (verdict.kind === 'refuse') throw new Error(verdict.because)
  return snapshotOf(state)
}
const gpus = (count: number) => [{ resource: 'nvidia.com/gpu', count }]
const repartition = (...changes: readonly GpuChange[]): Action => ({
  kind: 'repartition',
  node: 'a',
  config: 'c',
  gpus: changes,
})
const change = (index: number, to: GpuChange['to'], from: GpuChange['from'] = { migEnabled: false, layout: [] }) => ({
  gpu: `GPU-a-${index}`,
  index,
  from,
  to,
})
const mig = (geometry: Readonly<Record<string, number>>) => ({ migEnabled: true, geometry })
const whole = { migEnabled: false, geometry: {} }
const share = (to: SharingMode, from: SharingMode = { kind: 'none' }, node = 'a'): Action => ({
  kind: 'share',
  node,
  from,
  to,
  tenant: to.kind === 'none' ? '' : 'lab',
})

describe('what is not there', () => {
  test.for<[Action, string]>([
    [{ kind: 'cordon', node: 'z' }, 'The cluster has no node z.'],
    [{ kind: 'uncordon', node: 'z' }, 'The cluster has no node z.'],
    [{ kind: 'remove-node', node: 'z' }, 'The cluster has no node z.'],
    [{ ...repartition(), node: 'z' } as Action, 'The cluster has no node z.'],
    [share({ kind: 'none' }, { kind: 'none' }, 'z'), 'The cluster has no node z.'],
    [{ kind: 'resize', workload: 'lab/Job/z', from: gpus(1), to: gpus(1) }, 'The cluster has no workload lab/Job/z.'],
    [{ kind: 'scale', workload: 'lab/Job/z', from: 1, to: 0 }, 'The cluster has no workload lab/Job/z.'],
    [
      {
        kind: 'create-instance',
        gpu: 'GPU-z',
        instance: { profile: '3g.40gb', placement: { start: 0, size: 4 } },
      },
      'The cluster has no GPU GPU-z.',
    ],
    [
      { kind: 'keep-free', nodes: [{ node: 'z', gpus: 1 }], at: DRAWN_AT, until: instant(DRAWN_AT + 1) },
      'The cluster has no node z.',
    ],
  ])('%j: %s', ([action, because]) => {
    expect(refusal(action)).toEqual(['unknown-object', because])
  })
})

describe('a node', () => {
  test('goes only once it is closed and nothing runs on it', () => {
    expect(refusal({ kind: 'remove-node', node: 'a' })).toEqual([
      'not-cordoned',
      'a is not cordoned, so new pods could start on it meanwhile. Cordon it first.',
    ])
    expect(refusal({ kind: 'remove-node', node: 'b' }, closed(drawn))).toEqual([
      'in-use',
      'lab/web still runs on b. Evict it first.',
    ])
    expect(after({ kind: 'remove-node', node: 'a' }, closed(drawn)).nodes.map(({ name }) => name)).toEqual(['b'])
  })
  test('is cordoned and opened again', () => {
    const cordoned = after({ kind: 'cordon', node: 'a' })
    expect(cordoned.nodes.map(({ schedulable }) => schedulable)).toEqual([false, true])
    expect(after({ kind: 'uncordon', node: 'a' }, cordoned)).toEqual(snapshotOf(openFleet(drawn)))
  })
})

const evict = (pod: string): Action => ({ kind: 'evict', pod, uid: pod, workload: 'lab/Pod/web', because: '' })

describe('a workload', () => {
  test('loses a pod that its controller makes again, or for good', () => {
    expect(after(evict('lab/web'))).toMatchObject({ allocations: [], pods: [{ id: 'lab/web', phase: 'Pending' }, {}] })
    expect(refusal(evict('lab/waits'))).toEqual([
      'not-running',
      'lab/waits does not run, so there is nothing to evict.',
    ])
    const bare = drawn.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, managed: false } }))
    const state = openFleet({ ...drawn, pods: bare })
    expect(applyAction(state, evict('lab/web'), { ...OPEN, evictUnmanaged: ['lab/web'] }).kind).toBe('allow')
    expect(snapshotOf(state).pods.map(({ id }) => id)).toEqual(['lab/waits'])
    expect(snapshotOf(state).workloads.find(({ id }) => id === 'lab/Pod/web')?.pods).toEqual([])
  })
  test.for<[number, number, string, string]>([
    [1, -1, 'not-a-count', '-1 is not a valid number of pods for lab/Pod/web.'],
    [1, 0.5, 'not-a-count', '0.5 is not a valid number of pods for lab/Pod/web.'],
    [2, 0, 'changed', 'lab/Pod/web has 1 pod, not 2.'],
  ])('is not scaled from %d to %d', ([from, to, code, because]) => {
    expect(refusal({ kind: 'scale', workload: 'lab/Pod/web', from, to })).toEqual([code, because])
  })
  test('grows by pods that wait under new names, which no other pod has', () => {
    const [pod] = drawn.pods
    const taken = pod === undefined ? [] : [{ ...pod, id: 'lab/web-new-0', workload: 'lab/Pod/other', node: undefined }]
    const grown = after(
      { kind: 'scale', workload: 'lab/Pod/web', from: 1, to: 3 },
      { ...drawn, pods: [...drawn.pods, ...taken] },
    )
    const made = grown.pods.filter(({ workload }) => workload === 'lab/Pod/web')
    expect(made.map(({ id, node }) => [id, node])).toEqual([
      ['lab/web', 'b'],
      ['lab/web-new-1', undefined],
      ['lab/web-new-2', undefined],
    ])
  })
  test('is let run elsewhere only while it waits', () => {
    const place = { pool: '', model: '', requests: gpus(1) }
    const move = (workload: string): Action => ({
      kind: 'reschedule',
      workload,
      rules: { nodeSelector: {}, hasAffinity: false },
      from: place,
      to: { ...place, requests: gpus(2) },
    })
    expect(refusal(move('lab/Pod/web'))).toEqual(['running', 'lab/web runs already; only waiting work is rescheduled.'])
    expect(after(move('lab/Pod/waits')).pods.find(({ id }) => id === 'lab/waits')?.requests).toEqual(gpus(2))
  })
})

describe('a new partition', () => {
  test.for<[string, Action, string, string]>([
    [
      'names each GPU of its node',
      repartition(change(0, mig({ '7g.80gb': 1 }))),
      'incomplete',
      'The configuration of a does not say what becomes of GPU GPU-a-1.',
    ],
    [
      'names no other GPU',
      repartition(change(0, whole), change(1, whole), change(7, whole)),
      'unknown-object',
      'a has no GPU GPU-a-7.',
    ],
    [
      'is made of what the plan assumed',
      repartition(
        change(0, mig({ '7g.80gb': 1 }), {
          migEnabled: true,
          layout: [{ profile: '3g.40gb', placement: { start: 0, size: 4 } }],
        }),
        change(1, whole),
      ),
      'changed',
      'GPU GPU-a-0 of a no longer has the layout that the plan assumed. Create a new plan.',
    ],
  ])('%s', ([, action, code, because]) => {
    expect(refusal(action, closed(drawn))).toEqual([code, because])
  })
  test('waits until its node is closed, and until nobody holds what changes', () => {
    const both = repartition(change(0, mig({ '3g.40gb': 2 })), change(1, whole))
    expect(refusal(both)[0]).toBe('not-cordoned')
    const held = draw`
      a  A100-SXM4-80GB  [lab/x]
      a  A100-SXM4-80GB  [-]`
    expect(refusal(both, closed(held))).toEqual([
      'in-use',
      'lab/x still holds a part of GPU GPU-a-0, and the driver refuses to change what is in use. Evict it first.',
    ])
    const guessed = {
      ...held,
      allocations: held.allocations.map((each) => ({ ...each, evidence: 'guess' as const })),
    }
    expect(refusal(both, closed(guessed))).toEqual([
      'in-use',
      'No source says which GPU of a lab/x holds. Evict it first.',
    ])
  })
  test('that changes nothing needs no closed node; one that does gives what was asked for', () => {
    expect(after(repartition(change(0, whole), change(1, whole))).nodes[0]?.gpus).toEqual(drawn.nodes[0]?.gpus)
    const cut = after(repartition(change(0, mig({ '3g.40gb': 2 })), change(1, whole)), closed(drawn))
    expect(cut.nodes[0]).toMatchObject({
      mig: { config: 'c', state: 'success' },
      gpus: [{ migEnabled: true, partitions: [{ profile: '3g.40gb' }, { profile: '3g.40gb' }] }, { migEnabled: false }],
    })
  })
  test('is not made of replicas', () => {
    const shared = closed(draw`a  A100-SXM4-80GB  [1/2 -] [1/2 -]`)
    expect(refusal(repartition(change(0, mig({ '7g.80gb': 1 }))), shared)).toEqual([
      'shared',
      'GPU GPU-a-0 is shared by replicas; mig-manager cannot partition it until the sharing ends.',
    ])
  })
})

describe('sharing by software', () => {
  const two = { kind: 'time-slicing', replicas: 2 } as const
  test.for<[string, Action, ClusterSnapshot, string, string]>([
    [
      'was changed since',
      share(two, { kind: 'mps', replicas: 2 }),
      closed(drawn),
      'changed',
      'a no longer shares its GPUs as the plan assumed.',
    ],
    [
      'takes two replicas at least',
      share({ kind: 'mps', replicas: 1 }),
      closed(drawn),
      'not-a-count',
      'A GPU is shared by a whole number of replicas from 2, not by 1.',
    ],
    [
      'is of whole GPUs',
      share(two),
      closed(draw`a  A100-SXM4-80GB  MIG`),
      'does-not-fit',
      'a has GPUs in MIG mode: MPS serves whole GPUs only, and replicas of MIG devices are not planned. End MIG there first.',
    ],
    [
      'begins on a closed node',
      share(two),
      drawn,
      'not-cordoned',
      'a is not cordoned, so new pods could start on it meanwhile. Cordon it first.',
    ],
    [
      'begins where nothing runs',
      share(two),
      closed(draw`a  T4  [lab/x]`),
      'in-use',
      'lab/x runs on a, and restarting its device plugin with other replicas is not safe beside it. Evict it first.',
    ],
  ])('%s', ([, action, snapshot, code, because]) => {
    expect(refusal(action, snapshot)).toEqual([code, because])
  })
  test('makes replicas of each GPU, and whole GPUs of them again', () => {
    const shared = after(share(two), closed(drawn))
    expect(shared.nodes[0]?.gpus.map(({ partitions }) => partitions.map(({ id }) => id))).toEqual([
      ['GPU-a-0/replica-0', 'GPU-a-0/replica-1'],
      ['GPU-a-1/replica-0', 'GPU-a-1/replica-1'],
    ])
    expect(after(share({ kind: 'none' }, two), shared)).toEqual(snapshotOf(openFleet(closed(drawn))))
  })
})

const instance = (profile: string, start: number, size: number) => ({ profile, placement: { start, size } })

describe('instances of DRA', () => {
  const dra = servedByDra(draw`a  A100-SXM4-80GB  [3g.40gb lab/x]`)
  const held = dra.nodes[0]?.gpus[0]?.partitions[0]
  const at = held?.kind === 'mig' ? (held.placement?.start ?? 0) : 0
  test('come beside what is held, under the first free number', () => {
    const other = at === 0 ? 4 : 0
    const made = after({ kind: 'create-instance', gpu: 'GPU-a-0', instance: instance('3g.40gb', other, 4) }, dra)
    expect(made.nodes[0]?.gpus[0]?.partitions.map(({ id }) => id)).toEqual(['GPU-a-0/gi-1', 'GPU-a-0/gi-2'])
  })
  test('go once nobody holds them, and only where they are', () => {
    expect(refusal({ kind: 'delete-instance', gpu: 'GPU-a-0', instance: instance('3g.40gb', at, 4) }, dra)).toEqual([
      'in-use',
      'lab/x still holds a part of GPU GPU-a-0, and the driver refuses to change what is in use. Evict it first.',
    ])
    expect(refusal({ kind: 'delete-instance', gpu: 'GPU-a-0', instance: instance('1g.10gb', 6, 1) }, dra)).toEqual([
      'changed',
      'GPU GPU-a-0 no longer has 1g.10gb at memory slice 6.',
    ])
  })
  test('do not come where the GPU is not in MIG mode', () => {
    const off = servedByDra(draw`a  A100-SXM4-80GB  [-]`)
    expect(refusal({ kind: 'create-instance', gpu: 'GPU-a-0', instance: instance('3g.40gb', 0, 4) }, off)).toEqual([
      'mig-mode',
      'GPU GPU-a-0 is not in MIG mode, and this plan does not switch modes under DRA.',
    ])
  })
})

const nodes = (count: number, node = 'a') => [{ node, gpus: count }]

describe('GPUs that an appointment keeps', () => {
  const until = instant(DRAWN_AT + 7_200_000)
  const keep = (count: number, more: object = {}): Action => ({
    kind: 'keep-free',
    nodes: nodes(count),
    at: instant(DRAWN_AT + 3_600_000),
    until,
    ...more,
  })
  const busy = closed(
    withRequests(draw`
      a  T4  [lab/x]
      a  T4  [-]`),
  )
  test('are as many as are wanted, of nodes that are closed, and not over', () => {
    expect(refusal(keep(1), busy)).toEqual([])
    expect(refusal(keep(2), busy)).toEqual([
      'not-free',
      'a would have 1 GPU free, and 2 are wanted. lab/x would still hold others.',
    ])
    expect(refusal(keep(3), closed(draw`a  T4  [-]`))).toEqual([
      'not-free',
      'a would have 1 GPU free, and 3 are wanted.',
    ])
    expect(refusal(keep(1), draw`a  T4  [-]`)[0]).toBe('not-cordoned')
    expect(refusal({ ...keep(1), until: DRAWN_AT } as Action, busy)).toEqual(['over', 'The appointment is over.'])
  })
  test('are free of work that is surely gone by then', () => {
    expect(refusal(keep(2, { longest: seconds(1800) }), busy)).toEqual([])
    expect(refusal(keep(2, { longest: seconds(3600) }), busy)[0]).toBe('not-free')
    const ending = busy.pods.map((pod) => ({ ...pod, endsBy: instant(DRAWN_AT + 1_000_000) }))
    expect(refusal(keep(2), { ...busy, pods: ending })).toEqual([])
  })
})
