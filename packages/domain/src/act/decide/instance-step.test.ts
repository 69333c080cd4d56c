import { describe, expect, test } from 'vitest'

import { instantOf } from '../../analyze/time-range.ts'
import { instant } from '../../units.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { context, decided, type LiveCluster } from './decide.fixture.ts'
import { decideStep } from './decide-step.ts'
import type { StepContext } from './decision.ts'

const DRIVER = 'gpu.nvidia.com'
const INSTANCE = { profile: '3g.40gb', placement: { start: 4, size: 4 } }

/** A slice of a pool with one GPU, whose driver names its attributes so. */
const slice = (uuid: string, attribute = 'uuid', driver = DRIVER): LiveObject => ({
  spec: {
    driver,
    pool: { name: 'node-a' },
    devices: [{ name: 'gpu-0', attributes: { [attribute]: { string: uuid } } }],
  },
})

/** A claim that was given a device; `gpu-0-mig-3g40gb-9-4` is 3g.40gb at memory slice 4 of GPU 0. */
const claim = (name: string, device: string, { pool = 'node-a', driver = DRIVER, at = '' } = {}): LiveObject => ({
  metadata: { namespace: 'lab', name, creationTimestamp: at },
  status: { allocation: { devices: { results: [{ driver, pool, device }] } } },
})

const CLASS = { deviceclasses: [{ metadata: { name: 'mig.nvidia.com' } }] }
const GPU = { resourceslices: [slice('GPU-1')] }

const make = (cluster: LiveCluster, more: Partial<StepContext> = {}) =>
  decided(decideStep({ kind: 'create-instance', gpu: 'GPU-1', instance: INSTANCE }, context(more)), cluster)
const remove = (cluster: LiveCluster) =>
  decided(decideStep({ kind: 'delete-instance', gpu: 'GPU-1', instance: INSTANCE }, context()), cluster)

describe('an instance that a DRA driver makes', () => {
  test('is there once a claim holds it where the plan says', () => {
    const resourceclaims = [claim('train', 'gpu-0-mig-3g40gb-9-4')]
    expect(make({ ...GPU, ...CLASS, resourceclaims })).toEqual({
      kind: 'done',
      because: 'lab/train holds 3g.40gb at memory slice 4 of GPU GPU-1.',
    })
  })

  test('is as good at another place of the GPU, where the claim came after the plan', () => {
    const at = '2026-11-20T00:00:00Z'
    const resourceclaims = [claim('train', 'gpu-0-mig-3g40gb-9-0', { at })]
    const made = instantOf(at) ?? instant(0)
    const cluster = { ...GPU, ...CLASS, resourceclaims }
    expect(make(cluster, { plannedAt: instant(made - 1) })).toMatchObject({
      kind: 'done',
      because: 'lab/train holds 3g.40gb at memory slice 0 of GPU GPU-1.',
    })
    expect(make(cluster, { plannedAt: instant(made + 1) })).toMatchObject({
      kind: 'wait',
      because: 'No claim has been given 3g.40gb on GPU GPU-1.',
    })
  })

  test.each([
    ['another profile', claim('other', 'gpu-0-mig-1g10gb-19-4')],
    ['the same profile with media engines', claim('other', 'gpu-0-mig-3g40gbme-9-4')],
    ['a GPU whose name begins alike', claim('other', 'gpu-01-mig-3g40gb-9-4')],
    ['a GPU of that name on another node', claim('other', 'gpu-0-mig-3g40gb-9-4', { pool: 'node-b' })],
    ['a device of another driver', claim('other', 'gpu-0-mig-3g40gb-9-4', { driver: 'tpu.example.com' })],
    ['the whole GPU', claim('other', 'gpu-0')],
    ['nothing yet', { metadata: { namespace: 'lab', name: 'other' } }],
  ])('is not what holds %s', (_, other) => {
    expect(make({ ...GPU, ...CLASS, resourceclaims: [other] })).toMatchObject({ kind: 'wait', atMostMs: Infinity })
    expect(remove({ ...GPU, resourceclaims: [other] })).toMatchObject({ kind: 'done' })
  })

  test('is waited for where the cluster lists no such GPU, or has no class to ask for it by', () => {
    const wait = { kind: 'wait', because: 'No ResourceSlice of gpu.nvidia.com lists GPU GPU-1.', atMostMs: Infinity }
    expect(make({ resourceslices: [slice('GPU-2')] })).toEqual(wait)
    expect(make({ resourceslices: [slice('GPU-1', 'uuid', 'tpu.example.com')] })).toEqual(wait)
    expect(make({})).toEqual(wait)
    expect(make(GPU)).toMatchObject({ kind: 'wait', because: 'The cluster has no DeviceClass mig.nvidia.com.' })
  })

  test('is found by the qualified name of the attribute, too', () => {
    const resourceslices = [slice('GPU-1', `${DRIVER}/uuid`)]
    expect(remove({ resourceslices })).toMatchObject({ kind: 'done' })
  })

  test('is gone once no claim holds it any more', () => {
    expect(remove(GPU)).toEqual({
      kind: 'done',
      because: 'No claim holds 3g.40gb at memory slice 4 of GPU GPU-1.',
    })
    const held = (device: string) => remove({ ...GPU, resourceclaims: [claim('train', device)] })
    expect(held('gpu-0-mig-3g40gb-9-4')).toEqual({
      kind: 'wait',
      because: 'lab/train still holds 3g.40gb at memory slice 4 of GPU GPU-1.',
      atMostMs: Infinity,
    })
    expect(held('gpu-0-mig-3g40gb-9-0')).toMatchObject({ kind: 'done' })
  })

  test('is not gone while a claim holds it beside others of its profile', () => {
    const both = ['gpu-0-mig-3g40gb-me-9-4', 'gpu-0-mig-3g40gb-9-0', 'gpu-0-mig-3g40gb-9-4']
    const results = both.map((device) => ({ driver: DRIVER, pool: 'node-a', device }))
    const several = { metadata: { namespace: 'lab', name: 'train' }, status: { allocation: { devices: { results } } } }
    expect(remove({ ...GPU, resourceclaims: [several] })).toMatchObject({ kind: 'wait' })
  })
})
