import { describe, expect, it } from 'vitest'

import { partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuNode } from '../../cluster/node.ts'
import { mib } from '../../units.ts'
import { explainPendingPod } from '../explain/explain-pending-pod.ts'
import { FreeRoom } from './free-room.ts'
import { RepackFleet } from '../repack/repack-fleet.ts'
import { PlaceIndex } from './place-index.ts'
import { placeNodes } from './place-nodes.ts'

const cluster = draw`
  cut-a    A100-SXM4-80GB  [4g.40gb lab/train-1] [2g.20gb -] [1g.10gb -]
  cut-a    A100-SXM4-80GB  [3g.40gb -] [3g.40gb web/chat-1]
  whole-b  H100-80GB-HBM3  cpu=8 memory=64  [lab/train-2]
  whole-b  H100-80GB-HBM3  [-]
  empty-c  A30             MIG
  down-d   T4  down        [-]
  shared-e T4              [1/2 web/chat-2] [1/2 -]
`

const changeNode = (snapshot: ClusterSnapshot, name: string, change: (node: GpuNode) => GpuNode): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => (node.name === name ? change(node) : node)),
})
const changeGpus = (node: GpuNode, change: (gpu: Gpu) => Gpu): GpuNode => ({ ...node, gpus: node.gpus.map(change) })
const reasons = (snapshot: ClusterSnapshot): readonly string[] =>
  placeNodes(snapshot).leftOut.map(({ node, because }) => `${node}: ${because}`)

const using = (phase: 'Running' | 'Succeeded'): ClusterSnapshot => ({
  ...cluster,
  pods: cluster.pods.map((pod) => ({
    ...pod,
    phase,
    scheduling: { ...pod.scheduling, cpuMilli: 3000, memory: mib(1024) },
  })),
})
const leftOnB = (snapshot: ClusterSnapshot) => {
  const found = new PlaceIndex(placeNodes(snapshot).nodes).nodes().find(({ node }) => node.id === 'whole-b')
  return [found?.cpuFree, found?.memoryFree]
}

/** What can be had now by node, as `profile` or `whole`. */
function freeByIndex(snapshot: ClusterSnapshot): readonly string[] {
  const index = new PlaceIndex(placeNodes(snapshot).nodes)
  return index
    .nodes()
    .flatMap(({ node, gpus }) =>
      gpus.flatMap((gpu) => {
        if (gpu.kind === 'held') return []
        if (gpu.kind === 'shared') return [`${node.id} whole`]
        return gpu.instances.flatMap(({ instance, held }) => (held ? [] : [`${node.id} ${instance.profile}`]))
      }),
    )
    .toSorted()
}

function freeByRecommend(snapshot: ClusterSnapshot): readonly string[] {
  const sources = {
    parts: partsOfSnapshot(snapshot),
    nodes: new Map(snapshot.nodes.map((node) => [node.name, node])),
    podsOn: Map.groupBy(snapshot.pods, ({ node = '' }) => node),
    avoid: new Set<string>(),
  }
  const room = new FreeRoom(sources)
  const profiles = ['1g.10gb', '2g.20gb', '3g.40gb', '4g.40gb']
  return ['nvidia.com/gpu', ...profiles.map((profile) => `nvidia.com/mig-${profile}`)]
    .flatMap((resource) => room.offered(resource))
    .filter(({ partition }) => partition.kind !== 'shared')
    .map(({ node, partition }) => `${node.name} ${partition.kind === 'mig' ? partition.profile : 'whole'}`)
    .toSorted()
}

function freeByRepack(snapshot: ClusterSnapshot): readonly string[] {
  return new RepackFleet(snapshot)
    .spaces()
    .filter(({ open }) => open)
    .flatMap(({ node, slots }) =>
      slots
        .filter(({ pods, shared }) => pods.length === 0 && !shared)
        .map(({ profile }) => `${node.name} ${profile === '' ? 'whole' : profile}`),
    )
    .toSorted()
}

describe('placeNodes', () => {
  it('takes what running pods hold, and leaves out with the reason what takes no pods', () => {
    expect(freeByIndex(cluster)).toEqual(['cut-a 1g.10gb', 'cut-a 2g.20gb', 'cut-a 3g.40gb', 'whole-b whole'])
    expect(reasons(cluster)).toEqual(['down-d: its node is not ready', 'shared-e: software divides it into replicas'])
    expect(placeNodes(cluster).nodes.map(({ id, gpus }) => [id, gpus.map(({ kind }) => kind)])).toEqual([
      ['cut-a', ['cut', 'cut']],
      ['empty-c', ['cut']],
      ['whole-b', ['whole', 'whole']],
    ])
  })

  it('agrees with the rooms of recommendations and of repacking on what is free', () => {
    expect(freeByRecommend(cluster)).toEqual(freeByIndex(cluster))
    expect(freeByRepack(cluster)).toEqual(freeByIndex(cluster))
  })

  it('counts running pods against CPU and memory until they end', () => {
    expect(leftOnB(using('Running'))).toEqual([5000, 63 * 1024])
    expect(leftOnB(using('Succeeded'))).toEqual([8000, 64 * 1024])
    const others = changeNode(using('Running'), 'whole-b', (node) => ({
      ...node,
      room: { ...node.room, cpuUsed: 1000 },
    }))
    expect(leftOnB(others)).toEqual([4000, 63 * 1024])
  })

  it.each<[string, (node: GpuNode) => GpuNode]>([
    ['its node is cordoned', (node) => ({ ...node, schedulable: false })],
    ['its node is being repartitioned', (node) => ({ ...node, mig: { ...node.mig, state: 'pending' } })],
    [
      'pods ask for its MIG devices as if they were GPUs',
      (node) => ({ ...node, mig: { ...node.mig, strategy: 'single' } }),
    ],
    [
      'software divides its MIG devices into replicas',
      (node) => ({ ...node, sharing: { kind: 'time-slicing', replicas: 2 } }),
    ],
    [
      'it has a fault',
      (node) =>
        changeGpus(node, (gpu) => ({ ...gpu, fault: { code: 'gpu-fault', message: 'XID 79', object: gpu.id } })),
    ],
    ['it is T4 on a node of A100-SXM4-80GB', (node) => changeGpus(node, (gpu) => ({ ...gpu, model: 'T4' }))],
    [
      'CPU and memory, and what is used of them, are 0 or more, or unknown',
      (node) => ({ ...node, room: { ...node.room, cpuMilli: Number.NaN } }),
    ],
  ])('leaves out: %s', (because, change) => {
    const changed = changeNode(cluster, 'cut-a', change)
    expect(reasons(changed).filter((reason) => reason.startsWith('cut-a'))).toEqual([
      `cut-a: ${because}`,
      `cut-a: ${because}`,
    ])
    expect(freeByIndex(changed)).toEqual(['whole-b whole'])
  })

  it('leaves out instances that the board cannot hold together, and does not throw', () => {
    const impossible = changeNode(cluster, 'cut-a', (node) =>
      changeGpus(node, (gpu) => ({
        ...gpu,
        partitions: gpu.partitions.map((partition) =>
          partition.kind === 'mig' ? { ...partition, placement: { start: 0, size: 4 } } : partition,
        ),
      })),
    )
    expect(reasons(impossible)[0]).toMatch(/^cut-a: it cannot be partitioned this way: /u)
    expect(freeByIndex(impossible)).toEqual(['whole-b whole'])
  })

  it('lets a DRA driver cut beside what is held, and only there', () => {
    const dra = changeNode(cluster, 'cut-a', (node) => ({
      ...changeGpus(node, (gpu) => ({
        ...gpu,
        partitions: gpu.partitions.map((partition) =>
          partition.kind === 'mig' ? { ...partition, placementSource: 'reported' } : partition,
        ),
      })),
      servedByDra: true,
    }))
    const { nodes } = placeNodes(dra)
    expect(nodes.find(({ id }) => id === 'cut-a')?.gpus).toMatchObject([
      { kind: 'dynamic', held: [{ profile: '4g.40gb', placement: { start: 0, size: 4 } }] },
      { kind: 'dynamic', held: [{ profile: '3g.40gb' }] },
    ])
    const stays = changeNode(cluster, 'cut-a', (node) => ({ ...node, servedByDra: true }))
    expect(
      placeNodes(stays)
        .nodes.find(({ id }) => id === 'cut-a')
        ?.gpus.map(({ kind }) => kind),
    ).toEqual(['cut', 'cut'])
    const whole = changeNode(cluster, 'whole-b', (node) => ({ ...node, servedByDra: true }))
    expect(placeNodes(whole).nodes.find(({ id }) => id === 'whole-b')?.gpus).toMatchObject([
      { kind: 'dynamic', held: 'whole' },
      { kind: 'dynamic' },
    ])
  })

  it('does not depend on the order of the snapshot', () => {
    const turned = { ...cluster, nodes: cluster.nodes.toReversed(), allocations: cluster.allocations.toReversed() }
    expect(placeNodes(turned)).toEqual(placeNodes(cluster))
  })
})

describe('explainPendingPod', () => {
  const waiting = draw`
    cut-a    A100-SXM4-80GB  cpu=8 memory=64  [4g.40gb lab/train-1] [2g.20gb -] [1g.10gb -]
    whole-b  H100-80GB-HBM3  !team:NoSchedule  [-]
    shared-e T4              [1/2 web/chat-2] [1/2 -]
    ?        lab/fits        2g.20gb
    ?        lab/no-4g       4g.40gb
    ?        lab/no-cpu      2g.20gb cpu=16
    ?        lab/tainted     gpu
    ?        lab/tolerant    gpu !team
    ?        lab/two         2g.20gb ×2
    ?        lab/odd         gpu.shared
  `
  it.each<[string, string, string]>([
    ['lab/fits', 'placed', 'Placed on cut-a, GPU-cut-a-0 as 2g.20gb at memory slice 4'],
    ['lab/no-4g', 'fits-nowhere', 'its only 4g.40gb instance is in use'],
    ['lab/no-cpu', 'fits-nowhere', 'fewer than 16 CPU free on the node'],
    ['lab/tainted', 'fits-nowhere', 'untolerated taint team:NoSchedule'],
    ['lab/tolerant', 'placed', 'Placed on whole-b'],
    ['lab/two', 'not-a-request', 'it asks for 2 MIG devices at once'],
    ['lab/odd', 'not-a-request', 'nvidia.com/gpu.shared is no whole GPU and no MIG device'],
    ['lab/train-1', 'not-a-request', 'it runs on cut-a already'],
    ['lab/tainted', 'fits-nowhere', 'Not counted: 1 GPU (shared-e): software divides it into replicas.'],
  ])('%s: %s', (pod, kind, sentence) => {
    const explanation = explainPendingPod(waiting, pod)
    expect(explanation?.kind).toBe(kind)
    expect(explanation?.sentences.join('\n')).toContain(sentence)
  })

  it('says which rules of the pod were not looked at, and knows no pod that is not there', () => {
    const unread = {
      ...waiting,
      pods: waiting.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, unread: ['podAntiAffinity'] } })),
    }
    expect(explainPendingPod(unread, 'lab/fits')?.sentences.at(-1)).toContain('podAntiAffinity may forbid more nodes')
    expect(explainPendingPod(waiting, 'lab/nobody')).toBeUndefined()
  })
})
