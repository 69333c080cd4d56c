import { describe, expect, test } from 'vitest'

import { draw } from './draw.fixture.ts'
import type { GpuNode } from './node.ts'
import { faultyGpu, unsoundGpu, unsoundNode, unrequestedUse, withheldGpus } from './soundness.ts'

const [NODE] = draw`
  a  A100-SXM4-80GB  [-]
  a  A100-SXM4-80GB  [lab/train]`.nodes

function node(change: Partial<GpuNode> = {}): GpuNode {
  if (NODE === undefined) throw new Error('nothing was drawn')
  return { ...NODE, ...change }
}
const mig = (change: Partial<GpuNode['mig']>): Partial<GpuNode> => ({ mig: { ...node().mig, ...change } })

describe('nothing is planned on a node', () => {
  test.each<[string, Partial<GpuNode>, string]>([
    [
      'that is not ready',
      { ready: false },
      'a is not ready, so what becomes of a change cannot be seen. Bring it back first.',
    ],
    [
      'that is being cut',
      mig({ config: 'x', state: 'pending' }),
      'mig-manager still works on a (pending). Wait for it; if it stays so for more than ten minutes, restore the nvidia.com/gpu.deploy labels that say paused-for-mig-change and set nvidia.com/mig.config to another name.',
    ],
    [
      'whose last cut failed',
      mig({ config: 'x', state: 'failed' }),
      'The last MIG change of a failed, and mig-manager does not try again by itself. Check its log on a, then give the node another configuration name.',
    ],
    [
      'whose cut nobody has reported on',
      mig({ config: 'all-3g.40gb' }),
      'a should get the MIG configuration all-3g.40gb, but mig-manager has not reported a result. Check that it runs there.',
    ],
    [
      'that withholds devices, in the words that were found for it',
      { problems: [{ code: 'devices-withheld', message: 'It withholds one.', object: 'node/a' }] },
      'It withholds one.',
    ],
    [
      'that offers fewer GPUs than it has',
      { allocatable: { 'nvidia.com/gpu': 1 } },
      'a offers 1 fewer GPU than it has; the device plugin calls them unhealthy or has stopped. Check its log there.',
    ],
  ])('%s', (_, change, because) => expect(unsoundNode(node(change))).toBe(because))

  test.each<[string, Partial<GpuNode>]>([
    ['as it is drawn', {}],
    ['while it is cordoned', { schedulable: false }],
    ['once its cut has succeeded', mig({ config: 'x', state: 'success' })],
    ['with a problem that is about something else', { problems: [{ code: 'x', message: '', object: 'node/a' }] }],
  ])('but on a sound one, %s', (_, change) => expect(unsoundNode(node(change))).toBeUndefined())
})

describe('GPUs that a node withholds', () => {
  const mps = { kind: 'mps', replicas: 4 } as const
  test.each<[string, Partial<GpuNode>, number]>([
    ['are those that it does not offer', { allocatable: { 'nvidia.com/gpu': 1 } }, 1],
    ['are counted in replicas where GPUs are shared', { sharing: mps, allocatable: { 'nvidia.com/gpu.shared': 5 } }, 0],
    ['are whole ones only', { sharing: mps, allocatable: { 'nvidia.com/gpu.shared': 4 } }, 1],
    ['are none where it offers all', { allocatable: { 'nvidia.com/gpu': 2 } }, 0],
    ['are none where nothing is told of what it offers', { allocatable: {} }, 0],
    ['are all where its plugin is gone', { allocatable: { 'nvidia.com/gpu': 0 } }, 2],
    ['are none where a DRA driver has taken over', { allocatable: { 'nvidia.com/gpu': 0 }, servedByDra: true }, 0],
    ['are never fewer than none', { allocatable: { 'nvidia.com/gpu': 9 } }, 0],
    [
      'are not counted where MIG devices are offered as GPUs',
      {
        ...mig({ strategy: 'single' }),
        allocatable: { 'nvidia.com/gpu': 1 },
        gpus: node().gpus.map((gpu, order) => ({ ...gpu, migEnabled: order === 0 })),
      },
      0,
    ],
    [
      'are not those that are cut',
      {
        allocatable: { 'nvidia.com/gpu': 1 },
        gpus: node().gpus.map((gpu, order) => ({ ...gpu, migEnabled: order === 0 })),
      },
      0,
    ],
  ])('%s', (_, change, count) => expect(withheldGpus(node(change))).toBe(count))
})

describe('a GPU of a sound node', () => {
  const [gpu] = node().gpus
  if (gpu === undefined) throw new Error('nothing was drawn')
  const fault = { code: 'gpu-fault', message: 'It needs a reset.', object: 'gpu/GPU-a-0' }
  const used =
    'Something uses GPU 0 of a outside Kubernetes’ requests: it is busy or has more than 1 GiB of memory in use that no pod is known to hold.'

  test('is left alone while it is broken, cannot be measured, or is used by nobody known', () => {
    expect(unsoundGpu(gpu)).toBeUndefined()
    expect(unsoundGpu({ ...gpu, fault })).toBe('It needs a reset.')
    expect(unsoundGpu({ ...gpu, stuck: true })).toBe(
      'A profiling counter on a stays at 0 while its GPU visibly works, so it is unknown whether that GPU is in use. Restart dcgm-exporter on a first.',
    )
    expect(unsoundGpu({ ...gpu, unrequestedSince: node().createdAt })).toContain(used)
  })

  test('that is used by nobody known is no worse for it', () => {
    const seen = { ...gpu, unrequestedSince: node().createdAt }
    expect([faultyGpu(seen), unrequestedUse(gpu)]).toEqual([undefined, undefined])
    expect(unsoundGpu({ ...seen, fault })).toBe('It needs a reset.')
  })
})
