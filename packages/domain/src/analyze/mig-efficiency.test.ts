import { describe, expect, test } from 'vitest'

import { NO_PEAKS } from './field-values.ts'
import { draw } from '../cluster/draw.fixture.ts'
import { migEfficiency, strandedSlices } from './mig-efficiency.ts'
import type { UsageTotal } from './usage.ts'

const total = (key: UsageTotal['key'], gpuSeconds: number, busyGpuSeconds: number | undefined): UsageTotal => ({
  key,
  gpuSeconds,
  measuredGpuSeconds: busyGpuSeconds === undefined ? 0 : gpuSeconds,
  busyGpuSeconds: busyGpuSeconds ?? 0,
  effectiveMeasuredGpuSeconds: 0,
  effectiveGpuSeconds: 0,
  idleGpuSeconds: 0,
  oversizedGpuSeconds: 0,
  seconds: gpuSeconds,
  measuredSeconds: gpuSeconds,
  ...NO_PEAKS,
  rows: 1,
})

const cluster = draw`
  a  A100-SXM4-80GB  [3g.40gb team/x] [3g.40gb -]
  a  A100-SXM4-80GB  [1g.10gb team/y]
  b  A100-SXM4-80GB  [team/z]
  c  A30             MIG
  d  A100-SXM4-80GB  down [7g.80gb -]`

describe('the four MIG numbers', () => {
  const mig = migEfficiency(cluster, [
    total({ kind: 'held', profile: '3g.40gb' }, 3000, 1500),
    total({ kind: 'held', profile: '1g.10gb' }, 1000, undefined),
    total({ kind: 'held', profile: '' }, 9000, 9000),
    total({ kind: 'free', profile: '3g.40gb' }, 3000, 0),
  ])

  const of = (model: string, profile: string) =>
    mig.byProfile.find((entry) => entry.model === model && entry.profile === profile)

  test('count compute slices of ready GPUs in MIG mode', () => {
    // Two A100 of 7 and an A30 of 4; 3 + 3 + 1 of them in instances; 3 + 1 of these held.
    expect(mig.sliceCoverage).toMatchObject({ value: 7 / 18 })
    expect(mig.sliceAllocation).toMatchObject({ value: 4 / 7 })
  })

  test('take slice busy from held instances that were measured, and from no whole GPU', () => {
    expect(mig.sliceBusy).toEqual({ kind: 'known', value: 0.5, coverage: 0.75 })
  })

  test('tell fragmentation per model and profile', () => {
    // Beside 3g + 3g nothing is free; beside a 1g seven memory slices are, and a 3g takes four of them.
    expect(of('A100-SXM4-80GB', '3g.40gb')).toMatchObject({
      placeable: 1,
      fragmentation: { value: expect.closeTo(3 / 7, 9) },
    })
    expect(of('A100-SXM4-80GB', '7g.80gb')).toMatchObject({ placeable: 0, fragmentation: { value: 1 } })
    expect(of('A30', '4g.24gb')).toMatchObject({ placeable: 1, fragmentation: { value: 0 } })
  })

  test('tell what is stranded by construction', () => {
    expect([mig.structurallyStranded, mig.strandedByPlacement]).toEqual([1, 0])
  })

  test('are unknown without MIG', () => {
    const none = migEfficiency(draw`a  T4  [team/x]`, [])
    expect(
      [none.sliceCoverage, none.sliceAllocation, none.sliceBusy, none.fragmentation].map(({ kind }) => kind),
    ).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
  })
})

describe('what is stranded on each node', () => {
  const nodes = draw`
    a  A100-SXM4-80GB  [3g.40gb team/x] [3g.40gb -]
    a  A100-SXM4-80GB  [3g.40gb team/x] [3g.40gb -]
    b  A100-SXM4-80GB  [7g.80gb -]
    c  A30             MIG
    d  A100-SXM4-80GB  down [3g.40gb -] [3g.40gb -]
    e  H100-80GB-HBM3  [team/z]`.nodes

  test('is the same as the four numbers say of it alone', () => {
    const alone = nodes.map((node) => {
      const mig = migEfficiency({ nodes: [node], allocations: [] }, [])
      return [node.name, mig.structurallyStranded + mig.strandedByPlacement]
    })
    expect([...strandedSlices(nodes)]).toEqual(alone)
    expect(strandedSlices(nodes).get('a')).toBe(2)
  })
})
