import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { enumerateLayouts, maximalGeometries } from '../../gpu/enumerate-layouts.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { geometryOf, isFeasible, type Geometry, type Layout } from '../../gpu/layout.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import { matchLayouts } from './match-layouts.ts'
import type { GpuNow } from './reconfigure-problem.ts'

const board = boardFor('A100-SXM4-40GB') ?? fail()

function fail(): never {
  throw new Error('no board')
}

const gpuOf =
  (actuator: GpuNow['actuator']) =>
  (layout: Layout, index: number): GpuNow => ({
    gpu: `gpu-${index}`,
    supplyClass: 'class',
    board,
    actuator,
    instances: layout.map((instance) => ({
      ...instance,
      partition: `gpu-${index}/${instance.placement.start}`,
      pod: `lab/${index}-${instance.placement.start}`,
      movable: true,
    })),
  })

const want = (geometry: Geometry, gpus: number) => ({ supplyClass: 'class', geometry, gpus })

const because = (gpus: readonly GpuNow[], geometry: Geometry): unknown => matchLayouts(gpus, [want(geometry, 1)])

/** Fewest displaced over every way to hand the geometries out, one GPU each. */
function bruteForce(gpus: readonly GpuNow[], geometries: readonly Geometry[]): number {
  const [first, ...rest] = geometries
  if (first === undefined) return 0
  let best = Infinity
  for (const gpu of gpus) {
    const lost = fewestLost(gpu, first)
    best = Math.min(
      best,
      lost +
        bruteForce(
          gpus.filter((each) => each !== gpu),
          rest,
        ),
    )
  }
  return best
}

function fewestLost(gpu: GpuNow, geometry: Geometry): number {
  const same = (layout: Layout): boolean => JSON.stringify(geometryOf(layout)) === JSON.stringify(geometry)
  if (gpu.actuator === 'mig-manager') return same(gpu.instances) ? 0 : gpu.instances.length
  const kept = enumerateLayouts(board)
    .filter(same)
    .map(
      (layout) =>
        gpu.instances.filter((held) =>
          layout.some((each) => each.profile === held.profile && each.placement.start === held.placement.start),
        ).length,
    )
  return gpu.instances.length - Math.max(...kept)
}

describe('matchLayouts', () => {
  test.each(['dra', 'mig-manager'] as const)('displaces as few as brute force, by %s', (actuator) => {
    const geometries = maximalGeometries(board)
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...enumerateLayouts(board)), { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...geometries), { minLength: 1, maxLength: 4 }),
        (layouts, wanted) => {
          const gpus = layouts.map(gpuOf(actuator))
          const asked = wanted.slice(0, gpus.length)
          const matched = matchLayouts(
            gpus,
            asked.map((geometry) => want(geometry, 1)),
          )
          if (matched.kind !== 'matched') throw new Error(matched.because)
          expect([matched.displaced, matched.proven]).toEqual([bruteForce(gpus, asked), true])
          for (const { layout } of matched.targets) expect(isFeasible(board, layout)).toEqual({ kind: 'feasible' })
        },
      ),
      { numRuns: 30, seed: 8 },
    )
  })

  test('leaves equal GPUs alone and gives an empty GPU what is new', () => {
    const busy: Layout = [{ profile: '3g.20gb', placement: { start: 4, size: 4 } }]
    const matched = matchLayouts([busy, []].map(gpuOf('mig-manager')), [
      want({ '3g.20gb': 1 }, 1),
      want({ '7g.40gb': 1 }, 1),
    ])
    expect(matched).toMatchObject({ kind: 'matched', displaced: 0, targets: [{ gpu: 'gpu-1' }] })
  })

  test('a GPU that is to be whole leaves MIG mode', () => {
    const busy: Layout = [{ profile: '1g.5gb', placement: { start: 0, size: 1 } }]
    const matched = matchLayouts([busy].map(gpuOf('mig-manager')), [want({ [WHOLE_GPU]: 1 }, 1)])
    expect(matched).toMatchObject({ displaced: 1, targets: [{ gpu: 'gpu-0', migEnabled: false, layout: [] }] })
  })

  test('says why a plan does not fit the fleet', () => {
    expect(because([], { '1g.5gb': 1 })).toMatchObject({
      kind: 'impossible',
      because: 'class: 1 GPU is laid out, and there are 0',
    })
    expect(because([[]].map(gpuOf('dra')), { '7g.40gb': 2 })).toMatchObject({ kind: 'impossible' })
    const fixed = [[{ profile: '1g.5gb', placement: { start: 0, size: 1 } }]].map(gpuOf('dra')).map((gpu) => ({
      ...gpu,
      instances: gpu.instances.map((instance) => ({ ...instance, movable: false })),
    }))
    expect(because(fixed, { '7g.40gb': 1 })).toMatchObject({ kind: 'impossible' })
  })
})
