import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import { mib } from '../../units.ts'
import type { GpuWant, PlaceAsk, PlaceGpu, PlaceNode } from '../place/place-index-ask.ts'
import { PlaceIndex } from '../place/place-index.ts'
import type { IndexedGpu } from '../place/place-index-view.ts'
import { explainGpu } from './explain-gpu.ts'
import { explainPendingPod } from './explain-pending-pod.ts'
import { explainPod } from './explain-pod.ts'

const board = boardFor('A100-SXM4-80GB')
const at = (profile: string, start: number, size: number) => ({ profile, placement: { start, size } })
const node = (id: string, gpus: readonly PlaceGpu[], more: Partial<PlaceNode> = {}): PlaceNode => ({
  id,
  model: 'A100-80GB',
  board,
  room: { cpuMilli: 8000, memory: mib(64_000), labels: {}, taints: [] },
  gpus,
  ...more,
})
const ask = (wants: GpuWant, more: Partial<PlaceAsk['scheduling']> = {}, models: readonly string[] = []): PlaceAsk => ({
  wants,
  models,
  tenant: 'red',
  scheduling: { cpuMilli: 1000, memory: mib(1000), nodeSelector: {}, nodeTerms: [], tolerations: [], ...more },
})
const explained = (nodes: readonly PlaceNode[], asked: PlaceAsk) => {
  const index = new PlaceIndex(nodes)
  const before = index.nodes()
  return explainPod(before, asked, index.place(asked))
}
const mig = (profile: string): GpuWant => ({ kind: 'mig', profile })
const whole: PlaceGpu = { kind: 'whole', id: 'a#0' }
const other: PlaceGpu = { kind: 'whole', id: 'b#0' }
const dynamic: PlaceGpu = { kind: 'dynamic', id: 'a#0' }

describe('why a GPU does not take a pod', () => {
  test.for<[string, PlaceNode, PlaceAsk]>([
    ['model A100-80GB is not among T4, A30', node('a', [dynamic]), ask(mig('1g.10gb'), {}, ['T4', 'A30'])],
    ['node selector zone=a does not match', node('a', [dynamic]), ask(mig('1g.10gb'), { nodeSelector: { zone: 'a' } })],
    ['fewer than 8.5 CPU free on the node', node('a', [dynamic]), ask(mig('1g.10gb'), { cpuMilli: 8500 })],
    [
      'less than 64001 MiB of memory free on the node',
      node('a', [dynamic]),
      ask(mig('1g.10gb'), { memory: mib(64_001) }),
    ],
    ['1 of 2 wholly free GPUs on the node', node('a', [whole]), ask({ kind: 'whole', count: 2 })],
    ['one pod holds the whole GPU', node('a', [{ ...whole, held: true }]), ask(mig('1g.10gb'))],
    ['not in MIG mode', node('a', [whole]), ask(mig('1g.10gb'))],
    ['A100-80GB has no profile that would do', node('a', [dynamic]), ask(mig('3g.20gb'))],
    ['A100-80GB has no profile that would do', node('a', [whole], { board: undefined }), ask(mig('3g.40gb'))],
    ['in MIG mode, so software does not divide it', node('a', [dynamic]), ask({ kind: 'share', milli: 500 })],
    [
      'its only 3g.40gb instance is in use',
      node('a', [{ kind: 'cut', id: 'a#0', layout: [at('3g.40gb', 0, 4)], held: [at('3g.40gb', 0, 4)] }]),
      ask(mig('3g.40gb')),
    ],
    [
      'not wholly free',
      node('a', [{ ...dynamic, held: [at('1g.10gb', 0, 1)] }]),
      ask({ kind: 'any', of: [{ model: 'A100-80GB', profile: WHOLE_GPU }] }),
    ],
    [
      '7g.80gb needs 8 memory slices, 7 free',
      node('a', [{ ...dynamic, held: [at('1g.10gb', 0, 1)] }]),
      ask({ kind: 'any', of: [{ model: 'A100-80GB', profile: '7g.80gb' }] }),
    ],
  ])('%s', ([because, own, asked]) => {
    const { kind, refusals, sentences } = explained([own], asked)
    expect(kind).toBe('fits-nowhere')
    expect(refusals).toEqual([{ because, gpus: 1, nodes: 1, example: 'a' }])
    expect(sentences).toEqual(['It fits on none of 1 GPU on 1 node.', `1 GPU on 1 node (a): ${because}.`])
  })

  test('less is free of a shared GPU than is asked for, by the same tenant', () => {
    const index = new PlaceIndex([node('a', [whole])])
    index.place(ask({ kind: 'share', milli: 600 }))
    const more = ask({ kind: 'share', milli: 500 })
    expect(explainPod(index.nodes(), more, index.place(more)).refusals[0]?.because).toBe(
      'less than 500 thousandths of the GPU free',
    )
  })

  test('reasons that several nodes share are counted together, with one of the nodes', () => {
    const nodes = ['a', 'b'].map((id) =>
      node(
        id,
        [0, 1].map((gpu) => ({ kind: 'whole', id: `${id}#${gpu}` })),
      ),
    )
    expect(explained(nodes, ask(mig('1g.10gb'))).sentences).toEqual([
      'It fits on none of 4 GPUs on 2 nodes.',
      '4 GPUs on 2 nodes (a, …): not in MIG mode.',
    ])
  })

  test('a want that means nothing is told, and a fleet of none has no place', () => {
    expect(explainPod([], ask({ kind: 'share', milli: 0 }), undefined).sentences).toEqual([
      'a share is 1 to 1000 thousandths of a GPU, not 0.',
    ])
    expect(explained([], ask(mig('1g.10gb'))).sentences).toEqual(['It fits on none of 0 GPUs on 0 nodes.'])
  })
})

describe('why it goes where it goes', () => {
  test('with the instance and what its GPU holds then', () => {
    const { sentences, candidates } = explained([node('a', [dynamic]), node('b', [other])], ask(mig('3g.40gb')))
    expect(candidates).toBe(1)
    expect(sentences[0]).toMatch(
      /^Placed on a, a#0 as 3g\.40gb at memory slice \d: of 1 GPU that could take it, none loses less room that others may ask for \([\d.]+, in GPUs times price\)\.$/u,
    )
    expect(sentences[1]).toMatch(/^That GPU afterwards: A100-80GB: 3g\.40gb at \d; 1 of 1 instance in use\./u)
    expect(sentences[2]).toBe('1 GPU on 1 node (b): not in MIG mode.')
  })
  test('with an instance that was cut beforehand', () => {
    const cut: PlaceGpu = { kind: 'cut', id: 'a#0', layout: [at('3g.40gb', 0, 4), at('3g.40gb', 4, 4)] }
    expect(explained([node('a', [cut])], ask(mig('3g.40gb'))).sentences[1]).toMatch(
      /^That GPU afterwards: A100-80GB: 3g\.40gb at 0( \(free\))?, 3g\.40gb at 4( \(free\))?; 1 of 2 instances in use\./u,
    )
  })
  test('of a whole GPU nothing is left to tell', () => {
    const { sentences } = explained([node('a', [whole])], ask({ kind: 'whole', count: 1 }))
    expect(sentences).toHaveLength(1)
    expect(sentences[0]).toContain('Placed on a, a#0: of 1 GPU that could take it')
  })
  test('where it was not looked for, says how many could take it', () => {
    const index = new PlaceIndex([node('a', [dynamic])])
    expect(explainPod(index.nodes(), ask(mig('1g.10gb')), undefined).sentences[0]).toBe('1 of 1 GPU can take it now.')
  })
})

describe('one GPU', () => {
  test.for<[string, IndexedGpu, typeof board]>([
    ['One pod holds the whole GPU.', { kind: 'held', id: 'g' }, board],
    ['Not in MIG mode and wholly free.', { kind: 'shared', id: 'g', freeMilli: 1000, holder: undefined }, board],
    [
      'Shared by software inside tenant red: 400 of 1000 thousandths free, for the same tenant only.',
      { kind: 'shared', id: 'g', freeMilli: 400, holder: { tenant: 'red' } },
      board,
    ],
    [
      'Shared by software inside pods that name no tenant: 1 of 1000 thousandths free, for the same tenant only.',
      { kind: 'shared', id: 'g', freeMilli: 1, holder: { tenant: '' } },
      board,
    ],
    [
      'Its GPU model is unknown, so what fits cannot be calculated.',
      { kind: 'dynamic', id: 'g', instances: [] },
      undefined,
    ],
  ])('%s', ([sentence, gpu, of]) => {
    expect(explainGpu(of, gpu)).toEqual({ id: 'g', instances: [], fits: [], blocked: [], sentences: [sentence] })
  })
  test('that is empty takes every profile', () => {
    const { sentences, blocked } = explainGpu(board, { kind: 'dynamic', id: 'g', instances: [] })
    expect(blocked).toEqual([])
    expect(sentences).toEqual([
      'A100-80GB: empty, 8 memory slices.',
      'Still fits: 7 × 1g.10gb; 4 × 1g.20gb; 3 × 2g.20gb; 2 × 3g.40gb; 1 × 4g.40gb; 1 × 7g.80gb.',
    ])
  })
  test('that was cut beforehand gives only what it was cut into', () => {
    const instances = [
      { instance: at('4g.40gb', 0, 4), held: true },
      { instance: at('2g.20gb', 4, 2), held: false },
    ]
    const { fits, sentences } = explainGpu(board, { kind: 'cut', id: 'g', instances })
    expect(fits).toEqual([{ profile: '2g.20gb', starts: [4], together: 1 }])
    expect(sentences[0]).toBe('A100-80GB: 4g.40gb at 0, 2g.20gb at 4 (free); 1 of 2 instances in use.')
    expect(sentences).toContain(
      '1g.10gb does not fit: not partitioned into 1g.10gb; mig-manager must repartition this GPU first.',
    )
  })
})

const one = (resource: string, count = 1): GpuRequest => ({ resource, count })

describe('a pod of a cluster', () => {
  const drawn = draw`
    a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb lab/x]
    b  T4              [1/2 lab/y] [1/2 -]
    c  T4              down  [-]
    ?  lab/waits  3g.40gb`
  const asking = (requests: readonly GpuRequest[], snapshot: ClusterSnapshot = drawn) =>
    explainPendingPod(
      { ...snapshot, pods: snapshot.pods.map((pod) => (pod.node === undefined ? { ...pod, requests } : pod)) },
      'lab/waits',
    )
  test.for<[string, readonly GpuRequest[]]>([
    ['it asks for no GPU', []],
    ['it asks for no GPU', [one('nvidia.com/gpu', 0)]],
    ['it asks for several kinds of GPU devices at once', [one('nvidia.com/gpu'), one('nvidia.com/mig-1g.10gb')]],
    ['nvidia.com/gpu.shared is no whole GPU and no MIG device', [one('nvidia.com/gpu.shared')]],
    ['nvidia.com/mig-1g.10gb.shared is no whole GPU and no MIG device', [one('nvidia.com/mig-1g.10gb.shared')]],
    ['it asks for 2 MIG devices at once, and one is placed at a time', [one('nvidia.com/mig-1g.10gb', 2)]],
  ])('has no answer where %s', ([because, requests]) => {
    expect(asking(requests)).toMatchObject({
      kind: 'not-a-request',
      sentences: [`No place was looked for: ${because}.`],
    })
  })
  test('has none where it runs already', () => {
    expect(explainPendingPod(drawn, 'lab/x')?.sentences).toEqual(['No place was looked for: it runs on a already.'])
  })
  test('is told what was not counted, the most first', () => {
    const { sentences = [] } = asking([one('nvidia.com/mig-3g.40gb')]) ?? {}
    expect(sentences.filter((each) => each.startsWith('Not counted'))).toEqual([
      'Not counted: 1 GPU (c): its node is not ready.',
      'Not counted: 1 GPU (b): software divides it into replicas.',
    ])
  })
})
