import { describe, expect, it } from 'vitest'

import { boardFor } from '../../gpu/known-boards.ts'
import { mib } from '../../units.ts'
import { PlaceIndex } from '../place/place-index.ts'
import type { GpuWant, PlaceAsk, PlaceNode } from '../place/place-index-ask.ts'
import type { IndexedGpu } from '../place/place-index-view.ts'
import { explainGpu } from './explain-gpu.ts'
import { explainPod } from './explain-pod.ts'

const board = boardFor('A100-SXM4-80GB')

const gpu = (...instances: ReadonlyArray<readonly [string, number, number]>): IndexedGpu => ({
  kind: 'dynamic',
  id: 'GPU-1',
  instances: instances.map(([profile, start, size]) => ({
    instance: { profile, placement: { start, size } },
    held: true,
  })),
})

const node = (id: string, cpuMilli: number): PlaceNode => ({
  id,
  model: 'A100-80GB',
  board,
  room: { cpuMilli, memory: mib(64_000), labels: {}, taints: [] },
  gpus: [{ kind: 'dynamic', id: `${id}#0` }],
})

const ask = (wants: GpuWant, extra: Partial<PlaceAsk> = {}): PlaceAsk => ({
  wants,
  models: [],
  tenant: undefined,
  scheduling: { cpuMilli: 1000, memory: mib(1000), nodeSelector: {}, nodeTerms: [], tolerations: [] },
  ...extra,
})

describe('explainGpu', () => {
  it('says that 3g + 3g strands a compute slice and that nothing more fits', () => {
    const { sentences } = explainGpu(board, gpu(['3g.40gb', 0, 4], ['3g.40gb', 4, 4]))
    expect(sentences).toContain('1 compute slice of 7 stranded: no profile can reach it while this layout stays.')
    expect(sentences).toContain('Nothing more fits.')
  })

  it('names the 1g that blocks 4g and 7g', () => {
    const { blocked, fits } = explainGpu(board, gpu(['1g.10gb', 2, 1]))
    expect(blocked).toContainEqual({
      profile: '4g.40gb',
      because: '7 free memory slices but no legal start for 4g.40gb: 1g.10gb at 2 blocks start 0',
    })
    expect(fits).toContainEqual({ profile: '3g.40gb', starts: [4], together: 1 })
  })

  it('knows an instance by the name of an older driver', () => {
    const instances = [{ instance: { profile: '7g.79gb', placement: { start: 0, size: 8 } }, held: true }]
    const { blocked } = explainGpu(board, { kind: 'cut', id: 'GPU-1', instances })
    expect(blocked).toContainEqual({ profile: '7g.80gb', because: 'its only 7g.80gb instance is in use' })
  })

  it('names what is on each start where no one instance blocks all', () => {
    const { blocked } = explainGpu(board, gpu(['1g.10gb', 0, 1], ['1g.10gb', 5, 1]))
    expect(blocked.find(({ profile }) => profile === '3g.40gb')?.because).toBe(
      '6 free memory slices but no legal start for 3g.40gb: ' +
        'start 0 is blocked by 1g.10gb at 0, start 4 is blocked by 1g.10gb at 5',
    )
  })
})

describe('explainPod', () => {
  it('counts every GPU once, by the first filter that it fails', () => {
    const index = new PlaceIndex([node('a', 500), node('b', 8000), node('c', 8000)])
    for (const profile of ['1g.10gb', '1g.10gb']) index.place(ask({ kind: 'mig', profile }))
    const wish = ask({ kind: 'mig', profile: '7g.80gb' })
    const before = index.nodes()
    const first = explainPod(before, wish, index.place(wish))
    expect(first.kind).toBe('placed')
    expect(first.candidates).toBe(1)
    expect(first.refusals.map(({ because, gpus }) => [gpus, because])).toEqual([
      [1, '7g.80gb needs 8 memory slices, 6 free'],
      [1, 'fewer than 1 CPU free on the node'],
    ])
    const second = explainPod(index.nodes(), wish, index.place(wish))
    expect(second.kind).toBe('fits-nowhere')
    expect(second.sentences[0]).toBe('It fits on none of 3 GPUs on 3 nodes.')
  })

  it('names the limit where there is room for the shape but not for one more of the profile', () => {
    const index = new PlaceIndex([node('a', 8000)])
    const media = ask({ kind: 'mig', profile: '1g.10gb+me' })
    expect(index.place(media)).toBeDefined()
    const before = index.nodes()
    const { kind, refusals } = explainPod(before, media, index.place(media))
    expect([kind, refusals[0]?.because]).toEqual(['fits-nowhere', 'a GPU takes at most 1 × 1g.10gb+me'])
  })

  it('says that a want means nothing instead of finding no place', () => {
    expect(explainPod([], ask({ kind: 'whole', count: 0 }), undefined).kind).toBe('not-a-request')
  })

  it('tells tenants apart where software shares a GPU', () => {
    const index = new PlaceIndex([{ ...node('a', 8000), gpus: [{ kind: 'whole', id: 'a#0' }] }])
    index.place(ask({ kind: 'share', milli: 300 }, { tenant: 'red' }))
    const blue = ask({ kind: 'share', milli: 300 }, { tenant: 'blue' })
    expect(explainPod(index.nodes(), blue, index.place(blue)).refusals[0]?.because).toContain('never crosses tenants')
  })
})
