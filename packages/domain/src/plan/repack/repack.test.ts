import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod } from '../../cluster/workload.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { geometryOf, isFeasible } from '../../gpu/layout.ts'
import { repack, type RepackAnswer } from './repack.ts'
import { unblock } from './unblock.ts'

const found = (answer: RepackAnswer) => {
  if (answer.kind !== 'found') throw new Error(answer.because)
  const { displaced, moves, targets, bound, node } = answer
  return {
    node,
    displaced,
    bound,
    to: moves.map(({ pod, to }) => `${pod} ${to?.gpu} ${to?.profile}`),
    targets: targets.map(({ gpu, migEnabled, layout }) => [gpu, migEnabled, geometryOf(layout)]),
  }
}

const withPod = (snapshot: ClusterSnapshot, id: string, change: Partial<Pod['scheduling']>): ClusterSnapshot => ({
  ...snapshot,
  pods: snapshot.pods.map((pod) => (pod.id === id ? { ...pod, scheduling: { ...pod.scheduling, ...change } } : pod)),
})

/** The cluster with a fault of GPU 1 of node-a. */
const withFault = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({
    ...node,
    gpus: node.gpus.map((gpu) =>
      gpu.id === 'GPU-node-a-1'
        ? { ...gpu, fault: { code: 'xid', message: 'XID 79', object: 'gpu/GPU-node-a-1' } }
        : gpu,
    ),
  })),
})

describe('repack', () => {
  const spread = draw`
    node-a  A100-SXM4-40GB  [3g.20gb lab/a] [3g.20gb -]
    node-b  A100-SXM4-40GB  [3g.20gb lab/b] [1g.5gb lab/c]
    node-c  A100-SXM4-40GB  [7g.40gb lab/d]`

  test('frees the GPU with fewest pods, whose pod takes the room that is there', () => {
    const cluster = draw`
      node-a  A100-SXM4-40GB  [3g.20gb lab/a] [3g.20gb lab/b]
      node-b  A100-SXM4-40GB  [3g.20gb lab/c] [3g.20gb -]
      node-c  A100-SXM4-40GB  [3g.20gb -] [3g.20gb lab/d]`
    const answer = found(repack(cluster, { kind: 'free-gpu' }))
    expect(answer).toEqual({
      node: 'node-b',
      displaced: ['lab/c'],
      bound: 1,
      to: ['lab/c GPU-node-c-0 3g.20gb'],
      targets: [['GPU-node-b-0', false, {}]],
    })
    expect(found(repack(cluster, { kind: 'free-gpu' }))).toEqual(answer)
  })

  test('when no pod has room elsewhere, says so, with what it would take at least', () => {
    expect(repack(spread, { kind: 'free-gpu' })).toEqual({
      kind: 'refused',
      because: 'node-a: no room elsewhere for lab/a',
      bound: 2,
    })
  })

  test('frees a named node, and says how many moves would be needed beyond the limit', () => {
    expect(repack(spread, { kind: 'free-node', node: 'node-b' }, 1)).toEqual({
      kind: 'refused',
      because: '2 moves would be needed; limit 1',
      bound: 2,
    })
  })

  test('room for a profile on an empty GPU displaces nobody', () => {
    const cluster = draw`
      node-a  A100-SXM4-40GB  [3g.20gb lab/a] [3g.20gb -]
      node-b  A100-SXM4-40GB  [1g.5gb -] [1g.5gb -]`
    expect(found(repack(cluster, { kind: 'room-for', profile: '4g.20gb' }))).toEqual({
      node: 'node-b',
      displaced: [],
      bound: 0,
      to: [],
      targets: [['GPU-node-b-0', true, { '4g.20gb': 1, '1g.5gb': 2 }]],
    })
  })

  test('moves one pod to make room for a large profile', () => {
    const cluster = draw`
      node-a  A100-SXM4-40GB  [1g.5gb lab/a] [1g.5gb -]
      node-b  A100-SXM4-40GB  [1g.5gb lab/b] [2g.10gb lab/c] [1g.5gb -]`
    expect(found(repack(cluster, { kind: 'room-for', profile: '7g.40gb' }))).toEqual({
      node: 'node-a',
      displaced: ['lab/a'],
      bound: 1,
      to: ['lab/a GPU-node-b-0 1g.5gb'],
      targets: [['GPU-node-a-0', true, { '7g.40gb': 1 }]],
    })
  })

  test('leaves alone what must not move, with the reason', () => {
    const cluster = draw`
      node-a  A100-SXM4-40GB  [1g.5gb lab/a] [1g.5gb -]
      node-b  A100-SXM4-40GB  [1g.5gb lab/b] [2g.10gb lab/c] [1g.5gb -]`
    const goal = { kind: 'room-for', profile: '7g.40gb', node: 'node-a' } as const
    const because = (snapshot: ClusterSnapshot): string => {
      const answer = repack(snapshot, goal)
      return answer.kind === 'refused' ? answer.because : 'found'
    }
    expect(because(withPod(cluster, 'lab/a', { managed: false }))).toContain('has no controller')
    expect(because(withPod(cluster, 'lab/a', { evictable: false }))).toContain('marked as not evictable')
    expect(because(withPod(cluster, 'lab/a', { unread: ['podAntiAffinity'] }))).toContain('known only in part')
    expect(because({ ...cluster, budgets: [{ id: 'lab/slow', pods: ['lab/a'], allowed: 0 }] })).toContain(
      'lab/slow allows 0',
    )
    expect(because(cluster)).toBe('found')
  })

  test('a pod goes only where labels, taints, CPU, memory and the GPU model let it', () => {
    const goal = { kind: 'free-node', node: 'node-a' } as const
    const to = (line: string, scheduling: Partial<Pod['scheduling']> = {}) => {
      const cluster = draw`
        node-a  A30  cpu=8 memory=64  [lab/a]
        ${line}`
      return repack(withPod(cluster, 'lab/a', { cpuMilli: 4000, ...scheduling }), goal).kind
    }
    expect(to('node-b  A30  cpu=8 memory=64  [-]')).toBe('found')
    expect(to('node-b  A30  cpu=2 memory=64  [-]')).toBe('refused')
    expect(to('node-b  A30  cpu=8 memory=64 !gpu:NoSchedule  [-]')).toBe('refused')
    expect(to('node-b  A30  cpu=8 memory=64 zone=a  [-]', { nodeSelector: { zone: 'b' } })).toBe('refused')
    expect(to('node-b  A30 down  [-]')).toBe('refused')
    expect(to('node-b  T4  cpu=8 memory=64  [-]')).toBe('refused')
  })

  test.each(['Succeeded', 'Failed'] as const)('a pod that has %s leaves its CPU to others', (phase) => {
    const cluster = draw`
      node-a  A30  cpu=8 memory=64  [lab/a]
      node-b  A30  cpu=8 memory=64  [lab/b] [-]`
    const busy = withPod(withPod(cluster, 'lab/a', { cpuMilli: 4000 }), 'lab/b', { cpuMilli: 8000 })
    const over = {
      ...busy,
      pods: busy.pods.map((pod) => (pod.id === 'lab/b' ? { ...pod, phase } : pod)),
      allocations: busy.allocations.filter(({ pod }) => pod !== 'lab/b'),
    }
    const goal = { kind: 'free-node', node: 'node-a' } as const
    expect([repack(busy, goal).kind, repack(over, goal).kind]).toEqual(['refused', 'found'])
  })

  test('replicas of one GPU go to one namespace only', () => {
    const goal = { kind: 'free-node', node: 'node-a' } as const
    const same = draw`
      node-a  T4  [1/2 web/a] [1/2 -]
      node-b  T4  [1/2 web/b] [1/2 -]`
    const other = draw`
      node-a  T4  [1/2 web/a] [1/2 -]
      node-b  T4  [1/2 lab/b] [1/2 -]`
    expect([repack(same, goal).kind, repack(other, goal).kind]).toEqual(['found', 'refused'])
  })

  test('says when nothing can become what is wanted', () => {
    expect(repack(draw`node-a  T4  [-]`, { kind: 'room-for', profile: '1g.5gb' })).toMatchObject({ kind: 'refused' })
  })

  test('on random clusters every move ends in room of its own, and the bound is not above the moves', () => {
    let answered = 0
    fc.assert(
      fc.property(clusters, fc.constantFrom(...GOALS), fc.boolean(), (lines, goal, dra) => {
        const drawn = draw`${lines.join('\n')}`
        const snapshot = dra ? servedByDra(drawn) : drawn
        const answer = repack(snapshot, goal)
        expect(repack(snapshot, goal)).toEqual(answer)
        if (answer.kind === 'refused') return
        answered += 1
        checkAnswer(snapshot, answer)
      }),
      { numRuns: 300, seed: 6 },
    )
    expect(answered).toBeGreaterThan(50)
  })
})

const GOALS = [
  { kind: 'free-gpu' },
  { kind: 'free-node' },
  { kind: 'room-for', profile: '4g.24gb' },
  { kind: 'room-for', profile: '2g.12gb' },
] as const

/** One to five A30s, cut in one of the ways that fill it, some instances held. */
const clusters = fc
  .array(
    fc.record({
      cut: fc.constantFrom(
        ['4g.24gb'],
        ['2g.12gb', '2g.12gb'],
        ['2g.12gb', '1g.6gb', '1g.6gb'],
        ['1g.6gb', '1g.6gb', '1g.6gb', '1g.6gb'],
        ['1g.6gb'],
      ),
      held: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((gpus) =>
    gpus.map(({ cut, held }, gpu) => {
      const boxes = cut.map((profile, index) => `[${profile} ${held[index] === true ? `lab/p${gpu}-${index}` : '-'}]`)
      return `node-${gpu}  A30  ${boxes.join(' ')}`
    }),
  )

const servedByDra = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({
    ...node,
    gpus: node.gpus.map((gpu) => ({
      ...gpu,
      partitions: gpu.partitions.map((each) =>
        each.kind === 'mig' ? { ...each, placementSource: 'reported' as const } : each,
      ),
    })),
  })),
})

/** Throws where an answer does not work: more pods than instances of a profile on a GPU, or a layout that cannot be. */
function checkAnswer(snapshot: ClusterSnapshot, answer: Extract<RepackAnswer, { kind: 'found' }>): void {
  expect(answer.bound).toBeLessThanOrEqual(answer.displaced.length)
  expect(new Set(answer.moves.map(({ pod }) => pod))).toEqual(new Set(answer.displaced))
  const targets = new Map(answer.targets.map(({ gpu, layout }) => [gpu, layout]))
  const gone = new Set(answer.displaced)
  for (const gpu of snapshot.nodes.flatMap(({ gpus }) => gpus)) {
    const board = boardFor(gpu.model ?? '')
    if (board === undefined) throw new Error('no board')
    const now = gpu.partitions.flatMap((each) => (each.kind === 'mig' ? [each.profile] : []))
    const layout = targets.get(gpu.id)
    expect(isFeasible(board, layout ?? [])).toEqual({ kind: 'feasible' })
    const profiles = layout?.map(({ profile }) => profile) ?? now
    const stays = snapshot.allocations.flatMap(({ pod, partition }) => {
      const held = gpu.partitions.find(({ id }) => id === partition)
      return held?.kind === 'mig' && !gone.has(pod) ? [held.profile] : []
    })
    const comes = answer.moves.flatMap(({ to }) => (to?.gpu === gpu.id ? [to.profile] : []))
    for (const profile of new Set([...stays, ...comes])) {
      const count = (list: readonly string[]): number => list.filter((each) => each === profile).length
      expect(count(stays) + count(comes)).toBeLessThanOrEqual(count(profiles))
    }
    // mig-manager cuts only what nobody holds.
    const isDra = gpu.partitions.some((each) => each.kind === 'mig' && each.placementSource === 'reported')
    expect(layout !== undefined && !isDra && stays.length > 0).toBe(false)
  }
}

describe('unblock', () => {
  test('starts work by cutting an empty GPU again, without displacing anyone', () => {
    const cluster = draw`
      node-a  A100-SXM4-40GB  [1g.5gb lab/a] [1g.5gb -]
      node-b  A100-SXM4-40GB  [1g.5gb -] [1g.5gb -]
      ?       lab/big  3g.20gb ×2`
    const answer = unblock(cluster)
    expect(answer.starts).toEqual([{ workload: 'lab/Pod/big', pods: ['lab/big'], by: 'recut', on: ['GPU-node-b-0'] }])
    expect(answer.displaced).toEqual([])
    expect(answer.targets.map(({ gpu, layout }) => [gpu, geometryOf(layout)])).toEqual([
      ['GPU-node-b-0', { '3g.20gb': 2 }],
    ])
  })

  test('cuts a GPU of another node where mig-manager could not, for a fault of its neighbor', () => {
    const cluster = withFault(draw`
      node-a  A100-SXM4-40GB  [1g.5gb -]
      node-a  A100-SXM4-40GB  [lab/a]
      node-b  A100-SXM4-40GB  [1g.5gb -]
      ?       lab/waits  3g.20gb`)
    expect(unblock(cluster).targets.map(({ gpu }) => gpu)).toEqual(['GPU-node-b-0'])
    expect(found(repack(cluster, { kind: 'free-gpu' })).node).toBe('node-b')
    expect(found(repack(cluster, { kind: 'room-for', profile: '3g.20gb' })).node).toBe('node-b')
  })

  test('moves pods where nothing else helps, and says what still waits', () => {
    const cluster = draw`
      node-a  A100-SXM4-40GB  [1g.5gb lab/a] [1g.5gb -]
      node-b  A100-SXM4-40GB  [1g.5gb lab/b] [2g.10gb lab/c] [1g.5gb -]
      ?       lab/big   7g.40gb
      ?       lab/more  7g.40gb
      ?       lab/odd   7g.80gb`
    const answer = unblock(cluster)
    expect(answer.starts).toEqual([{ workload: 'lab/Pod/big', pods: ['lab/big'], by: 'moves', on: ['GPU-node-a-0'] }])
    expect(answer.displaced).toEqual(['lab/a'])
    expect(answer.waits.map(({ workload }) => workload)).toEqual(['lab/Pod/more', 'lab/Pod/odd'])
  })

  test('says that room is there already, and keeps to a full queue', () => {
    const cluster = draw`
      node-a  A30  [-]
      ?       lab/a  gpu queue=gpus`
    expect(unblock(cluster).starts).toMatchObject([{ by: 'room' }])
    const full = {
      ...cluster,
      quotas: [
        {
          id: 'clusterqueue/gpus/nvidia.com/gpu',
          namespace: '',
          queue: 'gpus',
          resource: 'nvidia.com/gpu',
          hard: 2,
          used: 2,
        },
      ],
    }
    expect(unblock(full).waits).toEqual([
      { workload: 'lab/Pod/a', because: 'quota clusterqueue/gpus/nvidia.com/gpu has 0 of nvidia.com/gpu left' },
    ])
  })
})
