import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { GpuNode } from '../cluster/node.ts'
import { brokenGpus } from './broken-gpus.ts'

const drawn = draw`
  a  A100-SXM4-80GB  [lab/train]
  a  A100-SXM4-80GB  [-]
  a  A100-SXM4-80GB  [-]`
const fault = (code: string) => ({ code, message: `It reported a ${code}.`, object: 'gpu/x' })

const broken = (change: Partial<GpuNode>, faults: Readonly<Record<number, string>> = {}) =>
  brokenGpus({
    allocations: drawn.allocations,
    nodes: drawn.nodes.map((node) => ({
      ...node,
      ...change,
      gpus: node.gpus.map((gpu) => {
        const code = faults[gpu.index]
        return code === undefined ? gpu : { ...gpu, fault: fault(code) }
      }),
    })),
  }).map(({ gpu, problem }) => [gpu.index, problem.code])

describe('GPUs that are not to be relied on', () => {
  test('are none of a sound node', () => expect(broken({})).toEqual([]))

  test('are those with a fault, held or not', () => {
    expect(broken({}, { 0: 'gpu-fault', 2: 'gpu-lost' })).toEqual([
      [0, 'gpu-fault'],
      [2, 'gpu-lost'],
    ])
  })

  test('are all of a node that is not ready, each with its own fault before that', () => {
    expect(broken({ ready: false }, { 1: 'gpu-fault' })).toEqual([
      [0, 'node-not-ready'],
      [1, 'gpu-fault'],
      [2, 'node-not-ready'],
    ])
  })

  test('are as many that nobody holds as the node withholds', () => {
    expect(broken({ allocatable: { 'nvidia.com/gpu': 2 } })).toEqual([[1, 'device-withheld']])
    expect(broken({ allocatable: { 'nvidia.com/gpu': 1 } })).toEqual([
      [1, 'device-withheld'],
      [2, 'device-withheld'],
    ])
  })

  test('are not told of twice: one with a fault that nobody holds is one that the node withholds', () => {
    expect(broken({ allocatable: { 'nvidia.com/gpu': 2 } }, { 2: 'gpu-fault' })).toEqual([[2, 'gpu-fault']])
  })
})
