import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { AskedPods } from './asked-job.ts'
import { askedJob, asking, counted } from './asked.fixture.ts'
import { checkStart } from './check-start.ts'
import type { JobChange } from './start-answer.ts'

const GPU = 'nvidia.com/gpu'
const changeOf = (kind: JobChange['kind'], cluster: ClusterSnapshot, ...groups: readonly AskedPods[]) =>
  checkStart(cluster, [askedJob(groups)])[0]?.changes.find((change) => change.kind === kind)
const gpus = (count: number) => [{ resource: GPU, count }]
const mig = (profile: string, count = 1) => [{ resource: `nvidia.com/mig-${profile}`, count }]

describe('a smaller MIG device', () => {
  const cut = counted(draw`
    a  A100-SXM4-80GB  [3g.40gb lab/x] [2g.20gb -] [1g.10gb -]
    b  A30             [2g.12gb -] [1g.6gb -] [1g.6gb -]`)
  test('is the largest that is smaller than a whole GPU', () => {
    expect(changeOf('profile', cut, asking({ requests: gpus(1) }))).toEqual({
      kind: 'profile',
      sentence: 'Ask for 2g.12gb instead of a whole GPU, where its memory is enough.',
      document: 0,
      patch: [
        { op: 'remove', path: '/spec/containers/0/resources/limits/nvidia.com~1gpu' },
        { op: 'add', path: '/spec/containers/0/resources/limits/nvidia.com~1mig-2g.12gb', value: '1' },
      ],
    })
  })
  test('is told of the part that takes it, in each list that names the device', () => {
    const edit = { ...asking().edit, gpu: { resources: '/r', lists: ['requests', 'limits'] as const } }
    const worker = asking({ part: 'Worker', requests: mig('3g.40gb'), edit })
    const change = changeOf('profile', cut, asking({ part: 'head', requests: mig('1g.6gb') }), worker)
    expect(change?.sentence).toBe('Ask for 2g.20gb instead of 3g.40gb of Worker, where its memory is enough.')
    expect(change?.patch.map(({ path }) => path)).toEqual([
      '/r/requests/nvidia.com~1mig-3g.40gb',
      '/r/requests/nvidia.com~1mig-2g.20gb',
      '/r/limits/nvidia.com~1mig-3g.40gb',
      '/r/limits/nvidia.com~1mig-2g.20gb',
    ])
  })
  test('of a profile that no node offers is judged by its name', () => {
    // 4 of 7 compute slices: 2g.12gb of an A30 is half a GPU, and smaller.
    expect(changeOf('profile', cut, asking({ requests: mig('4g.40gb') }))?.sentence).toContain('Ask for 2g.12gb')
    expect(changeOf('profile', cut, asking({ requests: mig('1g.5gb') }))).toBeUndefined()
  })
  test('is none for what is not a device of MIG, and where a pod asks for several or its container is not known', () => {
    expect(changeOf('profile', cut, asking({ requests: [{ resource: 'nvidia.com/gpu.shared', count: 1 }] }))).toBe(
      undefined,
    )
    expect(changeOf('profile', cut, asking({ requests: mig('3g.40gb', 2) }))).toBeUndefined()
    expect(changeOf('profile', cut, asking({ requests: [...mig('3g.40gb'), ...gpus(1)] }))).toBeUndefined()
    const edit = { ...asking().edit, gpu: undefined }
    expect(changeOf('profile', cut, asking({ requests: mig('3g.40gb'), edit }))).toBeUndefined()
  })
})

describe('fewer GPUs for each pod', () => {
  const three = counted(draw`
    a  T4  [-]
    a  T4  [-]
    a  T4  [-]
    b  T4  [-]`)
  test('are the most that lets it start', () => {
    expect(changeOf('gpus', three, asking({ requests: gpus(8) }))).toEqual({
      kind: 'gpus',
      sentence: 'Ask for 3 devices a pod instead of 8.',
      document: 0,
      patch: [{ op: 'replace', path: '/spec/containers/0/resources/limits/nvidia.com~1gpu', value: '3' }],
    })
    expect(changeOf('gpus', three, asking({ requests: gpus(8), count: 2 }))?.sentence).toContain('1 device a pod')
    expect(changeOf('gpus', three, asking({ requests: gpus(8), count: 5 }))).toBeUndefined()
  })
  test('are not offered where a claim says how many, as a claim is a document of its own', () => {
    expect(changeOf('gpus', three, asking({ requests: [], claims: gpus(8) }))).toBeUndefined()
  })
})

describe('fewer pods', () => {
  const two = counted(draw`
    a  T4  [-]
    b  T4  [-]`)
  test('are as many as have room', () => {
    expect(changeOf('pods', two, asking({ count: 5 }))).toEqual({
      kind: 'pods',
      sentence: 'Start it with 2 pods instead of 5.',
      document: 0,
      patch: [{ op: 'replace', path: '/spec/replicas', value: 2 }],
    })
  })
  test('are as many as a quota leaves', () => {
    const quotas = [{ id: 'lab/q/pods', namespace: 'lab', resource: 'pods', hard: 3, used: 2 }]
    expect(changeOf('pods', { ...two, quotas }, asking({ count: 2 }))?.sentence).toBe(
      'Start it with 1 pod instead of 2.',
    )
  })
  test('of the part that lacks room, beside the other parts', () => {
    const parts = [
      asking({ part: 'head', scheduling: { ...asking().scheduling, priority: 1 } }),
      asking({ part: 'Worker', count: 4 }),
    ]
    expect(changeOf('pods', two, ...parts)?.sentence).toBe('Start it with 1 pod instead of 4 of Worker.')
  })
  test('are not offered where the manifest does not say how many, or there is one', () => {
    const edit = { ...asking().edit, count: undefined }
    expect(changeOf('pods', two, asking({ count: 5, edit }))).toBeUndefined()
    expect(changeOf('pods', two, asking({ count: 1, requests: gpus(2) }))).toBeUndefined()
  })
})
