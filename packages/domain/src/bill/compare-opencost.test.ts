import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { CostGroup } from '../cost/cost-parts.ts'
import { compareOpenCost, type OpenCostFigures, reasonsOnce } from './compare-opencost.ts'

const snapshot = draw`
  a  H100-80GB-HBM3  [ml/train]
  b  A100-SXM4-80GB  [3g.40gb web/chat] [3g.40gb -]
  c  H100-80GB-HBM3  [-]`

/** A row of an analysis: what it is of, GPU-hours, dollars. */
const row = (key: string, hours: number, dollars: number): CostGroup =>
  ({ key, cost: { hours: { capacity: hours }, money: { capacity: dollars } } }) as unknown as CostGroup
const cost = {
  byNode: [row('a', 24, 165.12), row('b', 24, 82.32), row('c', 20, 137.6)],
  byNamespace: [row('ml', 24, 165.12), row('web', 12, 41.16), row('', 32, 178.76)],
}

const node = (
  name: string,
  more: Partial<OpenCostFigures['nodes'][number]> = {},
): OpenCostFigures['nodes'][number] => ({
  name,
  providerId: '',
  instanceType: '',
  gpuHours: 24,
  gpuCost: 56.14,
  totalCost: 165.12,
  ...more,
})
const figures: OpenCostFigures = {
  nodes: [node('a'), node('b', { gpuCost: 82.32, totalCost: 82.32 }), node('x', { gpuHours: 0 })],
  namespaces: [
    { name: 'ml', gpuHours: 24, gpuCost: 56.14 },
    { name: 'web', gpuHours: 0, gpuCost: 0 },
    { name: '__idle__', gpuHours: undefined, gpuCost: 82.32 },
    { name: '__unallocated__', gpuHours: 1, gpuCost: 1 },
  ],
}
const compared = compareOpenCost({ figures, cost, snapshot })
const nodeNamed = (name: string) => compared.nodes.find((each) => each.name === name)
const reasonsOf = (name: string): string =>
  compared.namespaces.find((each) => each.name === name)?.because.join(' ') ?? 'not there'

describe('our figures beside those of OpenCost', () => {
  test('differ by what it gives to CPU and memory, which is told apart from hours and price', () => {
    expect(nodeNamed('a')).toMatchObject({
      ours: { gpuHours: 24, cost: 165.12 },
      theirs: { gpuHours: 24, cost: 165.12 },
      theirGpuCost: 56.14,
      difference: { hours: 0, host: 108.98, price: 0 },
    })
    expect(nodeNamed('a')?.because.join()).toContain('OpenCost gives 34% of this machine to its GPUs')
  })

  test('add up to the difference, to the cent, whatever it is', () => {
    const odd = {
      figures: { nodes: [node('c', { gpuHours: 30, gpuCost: 77.77, totalCost: 200.01 })], namespaces: [] },
      cost,
      snapshot,
    }
    const [, , beside] = compareOpenCost(odd).nodes
    const { hours, host, price } = beside?.difference ?? { hours: 0, host: 0, price: 0 }
    expect(Math.round((hours + host + price) * 100)).toBe(Math.round((137.6 - 77.77) * 100))
    expect(hours).toBeCloseTo(-68.8, 2)
    expect(beside?.because.join()).toContain('10.0 GPU-hours more')
  })

  test('leave out nodes without GPUs, and say which nodes it does not know', () => {
    expect(compared.nodes.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(nodeNamed('b')?.because).toEqual([])
    expect(nodeNamed('c')?.because.join()).toContain('OpenCost does not know this node')
    expect(nodeNamed('c')?.theirs).toEqual({ gpuHours: undefined, cost: undefined })
  })

  test('by namespace say that MIG devices are no GPU to it, and what idle is', () => {
    expect(compared.namespaces.map(({ name }) => name)).toEqual(['', 'ml', 'web'])
    expect(reasonsOf('ml')).toBe('')
    expect(reasonsOf('web')).toContain('MIG devices, which OpenCost counts as no GPU')
    expect(reasonsOf('')).toContain('OpenCost calls capacity idle that no pod requests')
  })
})

/** What is said of node a, of which OpenCost says this and we have so many GPU-hours and dollars. */
function nodeBeside(theirs: Partial<OpenCostFigures['nodes'][number]>, byNode: CostGroup[] = [row('a', 24, 165.12)]) {
  const [first] = compareOpenCost({
    figures: { nodes: [node('a', { gpuCost: 165.12, totalCost: 165.12, ...theirs })], namespaces: [] },
    cost: { byNode, byNamespace: [] },
    snapshot: { nodes: snapshot.nodes.slice(0, 1), allocations: [] },
  }).nodes
  return first
}

describe('why a node differs', () => {
  test.each([
    ['nothing, where both sides sample the same', { gpuHours: 23.9, gpuCost: 164.5, totalCost: 164.5 }, []],
    [
      'fewer hours',
      { gpuHours: 20, gpuCost: 137.6, totalCost: 137.6 },
      ['OpenCost counts 4.0 GPU-hours less: the node was there, its count of GPUs came later.'],
    ],
    [
      'GPUs of another maker',
      { gpuHours: 0 },
      [
        'OpenCost counts no GPU here. It knows nvidia.com/gpu and nvidia.com/gpu.shared only, not AMD or Intel.',
        'Another price: ours is lower for the same hours.',
      ],
    ],
    [
      'a lower price of theirs',
      { gpuCost: 100, totalCost: 100 },
      ['Another price: ours is higher for the same hours.'],
    ],
  ])('%s', (_, theirs, because) => expect(nodeBeside(theirs)?.because).toEqual(because))

  test('GPUs that were never ready while Septet looked are charged for by OpenCost alone', () => {
    const because = ['OpenCost charges for GPUs that Septet saw at no time: not ready, or before it looked.']
    expect(nodeBeside({}, [])).toMatchObject({ difference: undefined, because })
    expect(nodeBeside({}, [row('a', 0, 0)])?.because).toContain(because[0])
    expect(nodeBeside({ gpuHours: 0 }, [])?.because).toEqual([])
  })

  test('is not split into parts where one side has no price', () => {
    const unpriced = { key: 'a', cost: { hours: { capacity: 24 }, money: undefined } } as unknown as CostGroup
    expect(nodeBeside({}, [unpriced])).toMatchObject({ ours: { gpuHours: 24, cost: undefined }, difference: undefined })
    expect(nodeBeside({ gpuCost: undefined })?.difference).toBeUndefined()
    expect(nodeBeside({ totalCost: undefined })?.difference).toBeUndefined()
  })

  test('counts the steps of an answer together, those that say nothing left out', () => {
    const steps = [12, undefined, 12].map((gpuHours) => node('a', { gpuHours, gpuCost: 80, totalCost: 80 }))
    const { nodes } = compareOpenCost({ figures: { nodes: steps, namespaces: [] }, cost, snapshot })
    expect(nodes[0]?.theirs).toEqual({ gpuHours: 24, cost: 240 })
  })
})

const namespaces = (ours: CostGroup[], theirs: OpenCostFigures['namespaces']) =>
  compareOpenCost({ figures: { nodes: [], namespaces: theirs }, cost: { byNode: [], byNamespace: ours }, snapshot })
    .namespaces

describe('why a namespace differs', () => {
  test('by DRA it holds what no request tells of', () => {
    expect(namespaces([row('ml', 24, 100)], [{ name: 'ml', gpuHours: 0, gpuCost: 0 }])[0]?.because).toEqual([
      'Septet counts who holds a GPU, also by DRA; OpenCost counts requests of nvidia.com/gpu.',
    ])
  })

  test('of a shared GPU it holds a part only', () => {
    expect(namespaces([row('ml', 6, 25)], [{ name: 'ml', gpuHours: 24, gpuCost: 100 }])[0]?.because).toEqual([
      'OpenCost counts what pods request, also where a shared GPU is a part only.',
    ])
  })

  test('is told of OpenCost’s alone, too, but not where neither has GPUs', () => {
    const theirs = [
      { name: 'gone', gpuHours: 2, gpuCost: 8 },
      { name: 'cpu', gpuHours: undefined, gpuCost: undefined },
    ]
    expect(namespaces([], theirs)).toMatchObject([
      { name: 'gone', ours: { gpuHours: undefined }, theirs: { gpuHours: 2, cost: 8 } },
    ])
  })
})

test('each reason is told once, with the first that it is about and how many more', () => {
  const rows = [
    { name: 'a', because: ['x.', 'y.'] },
    { name: 'b', because: ['x.'] },
    { name: 'c', because: ['x.'] },
    { name: 'd', because: [] },
  ]
  expect(reasonsOnce(rows)).toEqual(['a and 2 more: x.', 'a: y.'])
})
