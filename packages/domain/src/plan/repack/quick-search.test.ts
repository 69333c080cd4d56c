import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod, Workload } from '../../cluster/workload.ts'
import type { GpuTarget } from '../words/action.ts'
import { mib } from '../../units.ts'
import { layoutText, plainRepack, plainUnblock } from './plain-unblock.fake.ts'
import { podsPerNode } from './pods-per-node.ts'
import { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import { repack } from './repack.ts'
import { newEffort } from './search-effort.ts'
import { seatPods } from './seat-pods.ts'
import { unblock } from './unblock.ts'

const layoutsOf = (targets: readonly GpuTarget[]): string[] =>
  targets.map(({ gpu, layout }) => layoutText(gpu, layout)).toSorted()

describe('the quick search equals the plain one', () => {
  test('on what waits (random clusters)', () => {
    const ways = new Set<string>()
    fc.assert(
      fc.property(clusters, fc.integer({ min: 0, max: 4 }), (snapshot, limit) => {
        const { starts, displaced, targets } = unblock(snapshot, limit)
        const plain = plainUnblock(snapshot, limit)
        expect(starts.map(({ pods, by }) => [pods[0], by])).toEqual(plain.starts)
        expect(displaced).toEqual(plain.displaced)
        expect(layoutsOf(targets)).toEqual(plain.layouts)
        for (const { by } of starts) ways.add(by)
      }),
      { numRuns: 250, seed: 5 },
    )
    expect([...ways].toSorted()).toEqual(['moves', 'recut', 'room'])
  })

  test('on what is to become free (random clusters)', () => {
    let found = 0
    const goals = [
      { kind: 'free-gpu' },
      { kind: 'free-node' },
      { kind: 'room-for', profile: '3g.20gb' },
      { kind: 'room-for', profile: '2g.12gb' },
    ] as const
    fc.assert(
      fc.property(clusters, fc.constantFrom(...goals), (snapshot, goal) => {
        const answer = repack(snapshot, goal, 4)
        const plain = plainRepack(snapshot, goal, 4)
        expect(answer.kind === 'found' ? answer.displaced : undefined).toEqual(plain?.displaced)
        const made = answer.kind === 'found' ? layoutsOf(answer.targets) : undefined
        // A freed node is not cut; what is left of its layouts does not count.
        expect(goal.kind === 'free-node' ? undefined : made).toEqual(
          goal.kind === 'free-node' ? undefined : plain?.layouts,
        )
        found += answer.kind === 'found' ? 1 : 0
      }),
      { numRuns: 250, seed: 7 },
    )
    expect(found).toBeGreaterThan(60)
  })
})

describe('counting', () => {
  test('never says that fewer pods fit than do (random clusters)', () => {
    let fits = 0
    fc.assert(
      fc.property(clusters, fc.constantFrom('1g.5gb', '2g.10gb', '3g.20gb', '1g.6gb'), (snapshot, profile) => {
        const fleet = new IndexedFleet(snapshot)
        const resources = [`nvidia.com/mig-${profile}`]
        const seekers = snapshot.pods
          .filter(({ node }) => node === undefined)
          .map((pod) => ({ pod, resources, model: undefined }))
        const [first] = seekers
        if (first === undefined) return
        const equal = Array.from({ length: 8 }, () => first)
        const most = podsPerNode(fleet, first, true).reduce((sum, count) => sum + count, 0)
        const seated = equal.map((_, index) => seatPods(fleet, equal.slice(0, index + 1)).kind === 'seated')
        fits += seated.lastIndexOf(true) + 1
        expect(most).toBeGreaterThanOrEqual(seated.lastIndexOf(true) + 1)
      }),
      { numRuns: 100, seed: 9 },
    )
    expect(fits).toBeGreaterThan(20)
  })
})

describe('a search that must end', () => {
  const cluster = draw`
    node-a  A100-SXM4-40GB  [1g.5gb lab/a] [1g.5gb -]
    node-b  A100-SXM4-40GB  [1g.5gb lab/b] [2g.10gb lab/c] [1g.5gb -]
    ?       lab/big  3g.20gb ×2`

  test('tries the first way to its end, though its tries are used up', () => {
    const fleet = new IndexedFleet(draw`
      node-a  A30  [-]
      node-a  A30  [-]
      ?       lab/two  gpu ×2`)
    const pod = fleet.pods.get('lab/two')
    if (pod === undefined) throw new Error('drawn above')
    const seeker = { pod, resources: ['nvidia.com/gpu', 'nvidia.com/gpu'], model: undefined }
    expect(seatPods(fleet, [seeker], { ...newEffort(), rooms: 0 }).kind).toBe('seated')
  })

  test('says that no room exists only when it knows', () => {
    const fleet = new IndexedFleet(cluster)
    const pod = fleet.pods.get('lab/big')
    if (pod === undefined) throw new Error('drawn above')
    const seeker = { pod, resources: ['nvidia.com/mig-3g.20gb', 'nvidia.com/mig-3g.20gb'], model: undefined }
    expect(seatPods(fleet, [seeker])).toEqual({ kind: 'none', exact: true })
  })
})

/** Few nodes with few GPUs of three kinds, cut and held at random, under both actuators, with work that waits. */
const clusters = fc
  .record({
    nodes: fc.array(
      fc.record({
        model: fc.constantFrom('A100-SXM4-40GB', 'A100-SXM4-40GB', 'A30', 'T4'),
        cuts: fc.array(fc.tuple(fc.nat(4), fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })), {
          minLength: 1,
          maxLength: 3,
        }),
        words: fc.constantFrom('', '', 'zone=a', 'cpu=4 memory=64', 'cpu=8 memory=32 zone=b', '!gpu:NoSchedule'),
        dra: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    waiting: fc.array(
      fc.record({
        asks: fc.constantFrom(
          'gpu',
          'gpu ×2',
          '1g.5gb',
          '2g.10gb',
          '3g.20gb',
          '3g.20gb ×2',
          '4g.20gb',
          '7g.40gb',
          '2g.12gb',
          '4g.24gb',
        ),
        words: fc.constantFrom('', '', 'cpu=2 memory=8', 'cpu=4 memory=16 zone=a', '!gpu', 'zone=b'),
      }),
      { maxLength: 6 },
    ),
    gang: fc.boolean(),
    fixed: fc.nat(9),
  })
  .map(({ nodes, waiting, gang, fixed }) => {
    const lines = nodes.flatMap(({ model, cuts, words }, node) =>
      cuts.map(([cut, held], gpu) => {
        const ways = CUTS[model] ?? []
        const boxes = (ways[cut % ways.length] ?? []).map(
          (part, index) => `[${part} ${held[index] === true ? `lab/p${node}-${gpu}-${index}` : '-'}]`,
        )
        return `node-${node}  ${model}  ${words}  ${boxes.join(' ').replaceAll('[ ', '[')}`
      }),
    )
    const asks = waiting.map(({ asks: what, words }, index) => `? lab/w${index} ${what} ${words}`)
    const drawn = withDra(
      draw`${[...lines, ...asks].join('\n')}`,
      nodes.map(({ dra }) => dra),
    )
    const tuned = { ...drawn, pods: drawn.pods.map((pod, index) => tune(pod, index, fixed)) }
    return gang ? asGang(tuned) : tuned
  })

const CUTS: Record<string, readonly (readonly string[])[]> = {
  'A100-SXM4-40GB': [
    ['3g.20gb', '3g.20gb'],
    ['1g.5gb', '1g.5gb', '2g.10gb'],
    ['4g.20gb', '2g.10gb'],
    ['7g.40gb'],
    [''],
  ],
  A30: [['2g.12gb', '2g.12gb'], ['1g.6gb', '1g.6gb', '2g.12gb'], ['4g.24gb'], ['']],
  T4: [[''], ['1/2', '1/2']],
}

/** Some running pods ask for CPU, some may not move. */
const tune = (pod: Pod, index: number, fixed: number): Pod =>
  pod.node === undefined
    ? pod
    : {
        ...pod,
        namespace: index % 3 === 0 ? 'web' : pod.namespace,
        scheduling: {
          ...pod.scheduling,
          cpuMilli: (index % 3) * 1000,
          memory: mib((index % 2) * 4096),
          managed: index !== fixed,
        },
      }

function withDra(snapshot: ClusterSnapshot, dra: readonly boolean[]): ClusterSnapshot {
  return { ...snapshot, nodes: snapshot.nodes.map((node, index) => ({ ...node, servedByDra: dra[index] === true })) }
}

/** The first two pods that wait start together or not at all. */
function asGang(snapshot: ClusterSnapshot): ClusterSnapshot {
  const [first, second] = snapshot.pods.filter(({ node }) => node === undefined)
  if (first === undefined || second === undefined) return snapshot
  const pods = snapshot.pods.map((pod) => (pod.id === second.id ? { ...pod, workload: first.workload } : pod))
  const workloads: Workload[] = snapshot.workloads.filter(({ id }) => id !== second.workload)
  return { ...snapshot, pods, workloads }
}
