import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import { draw } from '../../cluster/draw.fixture.ts'
import { memoryOfDevice } from './memory-of-device.ts'
import { confidenceOf, freedBy, inPercent, levelOf, queryOf, requestedShare } from './proposal.ts'

test.for<[number, number, string]>([
  [0, 0, 'low'],
  [0, 0.02, 'low'],
  [0, 0.021, 'medium'],
  [1, 0, 'medium'],
  [8, 0.1, 'medium'],
  [9, 0, 'high'],
  [0, 0.11, 'high'],
])('%d displaced pods and an overrun as likely as %d are a risk that is %s', ([displaced, overrun, level]) => {
  expect(levelOf(displaced, overrun)).toBe(level)
})

describe('how sure a stretch of the past is', () => {
  test('a half once it has lasted as long as is asked for, seven eighths after seven times that', () => {
    expect(confidenceOf(24, 24, 1)).toBe(0.5)
    expect(confidenceOf(7 * 24, 24, 1)).toBe(7 / 8)
    expect(confidenceOf(24, 24, 0.5)).toBe(0.25)
    expect(confidenceOf(0, 24, 1)).toBe(0)
  })
  test('never wholly, and more the longer it was', () => {
    const hours = fc.double({ min: 0, max: 1e5, noNaN: true })
    fc.assert(
      fc.property(hours, hours, fc.double({ min: 0, max: 1, noNaN: true }), (one, more, coverage) => {
        expect(confidenceOf(one, 24, coverage)).toBeLessThan(1)
        expect(confidenceOf(one + more, 24, coverage)).toBeGreaterThanOrEqual(confidenceOf(one, 24, coverage))
      }),
    )
  })
})

/** Whether the query means a pod of this name: PromQL anchors what is matched, and reads its string once before. */
const means = (workload: string, pod: string): boolean => {
  const [, pattern = ''] = /pod=~"((?:[^"\\]|\\.)*)"/u.exec(queryOf(workload)) ?? []
  return new RegExp(`^(?:${JSON.parse(`"${pattern}"`)})$`, 'u').test(pod)
}

describe('where the metrics of a workload are asked for', () => {
  test.for<[string, string, boolean]>([
    ['lab/Pod/train', 'train', true],
    ['lab/Pod/train', 'train-1', false],
    ['lab/Deployment/web', 'web-5d4f9c7b8-x2x9k', true],
    ['lab/Deployment/web', 'web-api-5d4f9c7b8-x2x9k', false],
    ['lab/StatefulSet/db', 'db-11', true],
    ['lab/StatefulSet/db', 'db-a', false],
    ['lab/ReplicaSet/web', 'web-x2x9k', true],
    ['lab/Job/train', 'train-x2x9k', true],
    ['lab/Job/train', 'train-0-x2x9k', true],
    ['lab/RayCluster/ray', 'ray-worker-gpu-x2x9k', true],
    ['lab/RayCluster/ray', 'rayon', false],
    ['lab/Pod/v1.2', 'v1.2', true],
    ['lab/Pod/v1.2', 'v1x2', false],
  ])('%s means %s: %s', ([workload, pod, isMeant]) => {
    expect(means(workload, pod)).toBe(isMeant)
  })
  test('in its namespace, by the metric that is asked for', () => {
    expect(queryOf('lab/Pod/a')).toBe('DCGM_FI_PROF_GR_ENGINE_ACTIVE{namespace="lab",pod=~"a"}')
    expect(queryOf('lab/Pod/a', 'DCGM_FI_DEV_FB_USED')).toContain('DCGM_FI_DEV_FB_USED{')
    expect(queryOf('la"b/Pod/a')).toContain(String.raw`namespace="la\"b"`)
  })
})

test('shares as people read them', () => {
  expect([0, 0.12345, 1].map(inPercent)).toEqual([0, 12.3, 100])
})

test('what is freed is summed by pool and model, in one order', () => {
  const parts = partsOfSnapshot(draw`
    b@two  T4              [lab/x]
    a@one  A100-SXM4-80GB  [3g.40gb lab/y] [3g.40gb lab/z]
    c@one  T4              [lab/u]
    d@two  T4              [lab/v]`)
  const held = parts.filter(({ kind }) => kind === 'held')
  const freed = freedBy(held)
  expect(freed.map(({ pool, model }) => `${pool} ${model}`)).toEqual(['one A100-SXM4-80GB', 'one T4', 'two T4'])
  expect(freed.map(({ gpus }) => gpus)).toEqual([6 / 7, 1, 2].map((gpus) => expect.closeTo(gpus, 9)))
  expect(freedBy(held.toReversed()).map(({ model, pool }) => [pool, model])).toEqual(
    freed.map(({ model, pool }) => [pool, model]),
  )
  expect(freedBy([])).toEqual([])
})

test('a request in GPUs: a MIG device is its share, what is no device of the model counts as a whole one', () => {
  const model = 'A100-SXM4-80GB'
  expect(requestedShare([{ resource: 'nvidia.com/mig-3g.40gb', count: 2 }], model)).toBe(6 / 7)
  expect(requestedShare([{ resource: 'nvidia.com/gpu', count: 2 }], model)).toBe(2)
  expect(requestedShare([{ resource: 'nvidia.com/mig-3g.40gb', count: 1 }], 'T4')).toBe(1)
  expect(requestedShare([], model)).toBe(0)
})

test('memory of a device: as its board says, of a whole GPU as its driver does, none where nobody knows', () => {
  const model = 'A100-SXM4-80GB'
  expect(memoryOfDevice({ model, profile: '3g.40gb' })).toBeGreaterThan(38_000)
  expect(memoryOfDevice({ model, profile: '3g.40gb' })).toBeLessThan(41_000)
  expect(memoryOfDevice({ model, profile: '9g.90gb' })).toBeUndefined()
  expect(memoryOfDevice({ model: 'T4', profile: '1g.5gb' })).toBeUndefined()
  expect(memoryOfDevice({ model: 'T4', profile: '' })).toBeGreaterThan(14_000)
  expect(memoryOfDevice({ model: 'an unknown board', profile: '' })).toBeUndefined()
})
