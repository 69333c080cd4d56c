import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { ratio } from '../units.ts'
import { sharedPartitions, sharesOfGpu } from './gpu-share.ts'
import type { GpuShare, InventoryNode } from './inventory.ts'

const share = (part: number, change: Partial<GpuShare> = {}): GpuShare => ({
  gpu: 'GPU-1',
  index: 0,
  pod: 'lab/a',
  share: ratio(part),
  ...change,
})
const nodeWith = (...shares: GpuShare[]) => ({ name: 'a', shares }) as unknown as InventoryNode
const GPU = { id: 'GPU-1', index: 0, identified: 'telemetry' }
const sizes = (...shares: GpuShare[]) =>
  sharedPartitions(GPU, nodeWith(...shares)).map((each) => (each.kind === 'shared' ? each.share : undefined))

describe('shares that a scheduler gave of a GPU', () => {
  test('are each a partition, and what is left is one more', () => {
    expect(sizes(share(0.5), share(0.25))).toEqual([0.5, 0.25, 0.25])
    expect(sizes(share(0.5), share(0.5))).toEqual([0.5, 0.5])
    expect(sizes()).toEqual([1])
  })

  test('are one GPU together, however much was promised', () => {
    const parts = fc.array(fc.double({ min: 0.01, max: 2, noNaN: true }), { maxLength: 12 })
    fc.assert(
      fc.property(parts, (given) => {
        const partitions = sharedPartitions(GPU, nodeWith(...given.map((part) => share(part))))
        const sum = partitions.reduce((all, each) => all + (each.kind === 'shared' ? (each.share ?? 0) : 0), 0)
        // What is left is left out below a thousandth: that is rounding.
        expect(Math.abs(sum - 1)).toBeLessThanOrEqual(0.001 + 1e-9)
        expect(new Set(partitions.map(({ id }) => id)).size).toBe(partitions.length)
        const ours = sharesOfGpu(GPU, nodeWith(...given.map((part) => share(part))))
        expect(ours.map(({ partition }) => partition)).toEqual(partitions.slice(0, given.length).map(({ id }) => id))
      }),
    )
  })

  test('are known by the GPU’s UUID, and by its index only where no exporter tells the UUID', () => {
    const [other, counted] = [share(0.5, { gpu: 'GPU-2', index: 1 }), share(0.5, { gpu: 'GPU-9', index: 0 })]
    expect(sharesOfGpu(GPU, nodeWith(other, counted))).toEqual([])
    expect(sharesOfGpu({ ...GPU, identified: 'label' }, nodeWith(other, counted))).toMatchObject([{ gpu: 'GPU-9' }])
  })

  test('are none where whole GPUs are given', () => {
    expect(sharesOfGpu(GPU, { name: 'a' } as unknown as InventoryNode)).toEqual([])
  })
})
