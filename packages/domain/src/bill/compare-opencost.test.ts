import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { CostRow } from '../cost/fleet-cost.ts'
import { compareOpenCost, type OpenCostFigures } from './compare-opencost.ts'

const snapshot = draw`
  a  H100-80GB-HBM3  [ml/train]
  b  A100-SXM4-80GB  [3g.40gb web/chat] [3g.40gb -]
  c  H100-80GB-HBM3  [-]`

/** A row of an analysis: what it is of, GPU-hours, dollars. */
const row = (key: string, hours: number, dollars: number): CostRow =>
  ({ key, cost: { hours: { capacity: hours }, money: { capacity: dollars } } }) as unknown as CostRow
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
