import { instant, nodeProblems, type Problem } from '@septet/domain'
import { describe, expect, test } from 'vitest'
import { recordedAnswer } from '../../../../../test/system-tools.ts'
import { node } from '../watch/cluster-objects.fixture.ts'
import { parseNode } from './parse-node.ts'
import { trackPending } from '../assemble/pending-since.ts'

const NOW = instant(Date.parse('2026-11-21T12:00:00Z'))
const problemsOf = (raw: unknown, changes: { pendingSince?: number; hasDevices?: boolean } = {}): readonly Problem[] =>
  nodeProblems(parseNode(raw), {
    now: NOW,
    pendingSince: changes.pendingSince === undefined ? undefined : instant(changes.pendingSince),
    hasDevices: changes.hasDevices ?? false,
  })
const SINGLE = { 'nvidia.com/mig.strategy': 'single' }

const recorded = recordedAnswer('node_status.json')
test.skipIf(recorded === undefined)('a node as a real API server returns it', () => {
  const facts = parseNode(JSON.parse(recorded ?? ''))
  expect(facts).toMatchObject({
    name: 'gpu-0',
    product: 'NVIDIA-H100-80GB-HBM3',
    ready: false,
    schedulable: true,
    gpuCount: 8,
    allocatable: { 'nvidia.com/gpu': 8 },
    isGpuNode: true,
  })
  expect(facts.createdAt).toBe(Date.parse('2026-11-21T10:14:46Z'))
})

const counted = (labels: object, capacity: object = {}): number => parseNode(node('n', { labels, capacity })).gpuCount

describe('how many GPUs the machine has', () => {
  test('the label counts them', () => expect(counted({})).toBe(8))
  test('under the single strategy the label counts MIG devices: 14 of 1g.10gb are 2 H100', () =>
    expect(
      counted({
        ...SINGLE,
        'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3-MIG-1g.10gb',
        'nvidia.com/gpu.count': '14',
      }),
    ).toBe(2))
  test('3g.40gb leaves two to a GPU', () =>
    expect(
      counted({
        ...SINGLE,
        'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3-MIG-3g.40gb',
        'nvidia.com/gpu.count': '16',
      }),
    ).toBe(8))
  test('an A30 holds four 1g.6gb', () =>
    expect(counted({ ...SINGLE, 'nvidia.com/gpu.product': 'NVIDIA-A30-MIG-1g.6gb', 'nvidia.com/gpu.count': '8' })).toBe(
      2,
    ))
  test('an invalid mixture counts as unknown', () =>
    expect(
      counted({
        ...SINGLE,
        'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3-MIG-INVALID',
        'nvidia.com/gpu.count': '0',
      }),
    ).toBe(0))
  test('a cloud label, where nothing else counts', () =>
    expect(counted({ 'nvidia.com/gpu.count': undefined, 'cloud.google.com/gke-accelerator-count': '4' })).toBe(4))
  test('the capacity of a time-sliced node is divided by its replicas', () => {
    const labels = {
      'nvidia.com/gpu.count': undefined,
      'nvidia.com/gpu.replicas': '4',
      'nvidia.com/gpu.sharing-strategy': 'time-slicing',
    }
    expect(counted(labels, { 'nvidia.com/gpu.shared': '32' })).toBe(8)
  })
  test('another vendor has only its resource', () => {
    const labels = { 'nvidia.com/gpu.count': undefined }
    expect(counted(labels, { 'amd.com/gpu': '8' })).toBe(8)
  })
})

const pool = (labels: object): string =>
  parseNode(node('n', { labels: { 'karpenter.sh/nodepool': undefined, ...labels } })).pool

test('pools, products and states come from their labels', () => {
  expect(pool({ 'cloud.google.com/gke-nodepool': 'a' })).toBe('a')
  expect(pool({ 'eks.amazonaws.com/nodegroup': 'b' })).toBe('b')
  expect(pool({ agentpool: 'c' })).toBe('c')
  expect(pool({})).toBe('')
  const cloudOnly = { 'nvidia.com/gpu.product': undefined, 'cloud.google.com/gke-accelerator': 'nvidia-tesla-t4' }
  expect(parseNode(node('n', { labels: cloudOnly })).product).toBe('T4')
  expect(parseNode(node('n', { spec: { unschedulable: true } })).schedulable).toBe(false)
  expect(parseNode(node('n', { labels: { 'nvidia.com/mig.config.state': 'odd' } })).mig).toEqual({
    strategy: 'mixed',
    config: undefined,
    state: undefined,
  })
})

const sharing = (labels: object): unknown => parseNode(node('n', { labels })).sharing

describe('sharing', () => {
  test('time-slicing and MPS by the strategy label', () => {
    const replicas = { 'nvidia.com/gpu.replicas': '4' }
    expect(sharing({ ...replicas, 'nvidia.com/gpu.sharing-strategy': 'mps' })).toEqual({ kind: 'mps', replicas: 4 })
    expect(sharing({ ...replicas, 'nvidia.com/gpu.sharing-strategy': 'time-slicing' })).toEqual({
      kind: 'time-slicing',
      replicas: 4,
    })
    expect(sharing({ ...replicas, 'nvidia.com/gpu.sharing-strategy': 'none' })).toEqual({ kind: 'none' })
  })
  test('before that label, by the suffix of the product', () =>
    expect(sharing({ 'nvidia.com/gpu.replicas': '2', 'nvidia.com/gpu.product': 'Tesla-T4-SHARED' })).toEqual({
      kind: 'time-slicing',
      replicas: 2,
    }))
  test('time-sliced MIG devices under the mixed strategy', () => {
    const labels = {
      'nvidia.com/gpu.replicas': '0',
      'nvidia.com/mig-1g.10gb.sharing-strategy': 'time-slicing',
      'nvidia.com/mig-1g.10gb.replicas': '2',
    }
    expect(sharing(labels)).toEqual({ kind: 'time-slicing', replicas: 2 })
  })
})

describe('what is wrong with a node', () => {
  test('nothing, when labels and kubelet agree', () => expect(problemsOf(node('n'))).toEqual([]))

  test('labels that count other devices than the kubelet', () => {
    const [problem] = problemsOf(
      node('n', { labels: { 'nvidia.com/mig.strategy': 'none' }, capacity: { 'nvidia.com/gpu': '7' } }),
    )
    expect(problem).toMatchObject({ code: 'label-contradicts-devices', object: 'node/n' })
    expect(problem?.message).toContain('labels count 8 of nvidia.com/gpu, the kubelet knows 7')
  })

  test('under the mixed strategy some GPUs are cut, so fewer whole ones are no contradiction; other MIG counts are', () => {
    const labels = { 'nvidia.com/mig-1g.10gb.count': '7', 'nvidia.com/mig-3g.40gb.count': '2' }
    const capacity = { 'nvidia.com/gpu': '6', 'nvidia.com/mig-1g.10gb': '7', 'nvidia.com/mig-3g.40gb': '1' }
    expect(problemsOf(node('n', { labels, capacity })).map(({ message }) => message)).toEqual([
      expect.stringContaining('labels count 2 of nvidia.com/mig-3g.40gb, the kubelet knows 1'),
    ])
  })

  test('replicas multiply, renamed or not', () => {
    const labels = { 'nvidia.com/gpu.replicas': '4', 'nvidia.com/gpu.sharing-strategy': 'time-slicing' }
    expect(problemsOf(node('n', { labels, capacity: { 'nvidia.com/gpu': '32' } }))).toEqual([])
    expect(problemsOf(node('n', { labels, capacity: { 'nvidia.com/gpu.shared': '32' } }))).toEqual([])
  })

  test('devices served by DRA are no contradiction to an absent device plugin', () => {
    const raw = node('n', { labels: { 'nvidia.com/mig.strategy': 'none' }, capacity: {} })
    expect(problemsOf(raw, { hasDevices: true })).toEqual([])
    expect(problemsOf(raw).map(({ code }) => code)).toEqual(['label-contradicts-devices'])
  })

  test.each([
    [{ 'nvidia.com/gpu.deploy.dra-driver': 'true' }, /GPUCluster.*no mig-manager.*resourceslices/u],
    [{ 'nvidia.com/gpu.deploy.mig-manager': 'false' }, /gpu\.deploy\.mig-manager is false.*set it to true/u],
  ])('no mig-manager on it: %j', (labels, words) => {
    const raw = node('n', { labels })
    expect(problemsOf(raw)).toEqual([
      { code: 'no-mig-manager', message: expect.stringMatching(words), object: 'node/n' },
    ])
    // Whose devices are read is planned for DRA.
    expect(problemsOf(raw, { hasDevices: true })).toEqual([])
  })

  test.each([
    { 'nvidia.com/gpu.deploy.mig-manager': 'true', 'nvidia.com/gpu.deploy.dra-driver': 'true' },
    { 'nvidia.com/gpu.deploy.mig-manager': 'paused-for-mig-change' },
    { 'nvidia.com/gpu.deploy.mig-manager': 'false', 'nvidia.com/gpu.product': 'Tesla-T4' },
  ])('a mig-manager, or nothing that it could cut: %j', (labels) =>
    expect(problemsOf(node('n', { labels }))).toEqual([]),
  )

  test.for<readonly [string, 'True' | 'False', boolean]>([
    ['XIDErrors', 'True', true],
    ['XIDErrors', 'False', false],
    ['GPUMissing', 'True', true],
    ['NVLinkStatusInactive', 'True', true],
    ['UnhealthyNvidiaDevicePlugin', 'True', true],
    ['GpuMemWatch', 'True', true],
    ['SysLogsXIDError', 'True', true],
    ['AcceleratedHardwareReady', 'False', true],
    ['AcceleratedHardwareReady', 'True', false],
    ['GPUClockThrottling', 'True', false],
    ['KernelDeadlock', 'True', false],
  ])('what a health monitor reports: %s is %s', ([type, status, isWrong]) => {
    const raw = node('n', { conditions: [{ type, status, message: 'Xid 79 on GPU 3.' }] })
    const said = problemsOf(raw).map(({ code, message }) => `${code} ${message}`)
    const words = `gpus-reported-unhealthy n: its health monitor reports ${type}: Xid 79 on GPU 3; nothing is changed on the node until the condition is gone.`
    expect(said).toEqual(isWrong ? [words] : [])
  })

  test('unhealthy devices that the kubelet withholds', () => {
    const raw = node('n', { capacity: { 'nvidia.com/gpu': '8' }, allocatable: { 'nvidia.com/gpu': '6' } })
    expect(problemsOf(raw)).toMatchObject([
      { code: 'devices-withheld', message: expect.stringContaining('offers 6 of 8 nvidia.com/gpu') },
    ])
  })

  test('an invalid mixture under the single strategy, and a change that failed', () => {
    const labels = {
      ...SINGLE,
      'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3-MIG-INVALID',
      'nvidia.com/gpu.count': '0',
      'nvidia.com/gpu.replicas': '0',
      'nvidia.com/mig.config': 'all-9g.90gb',
      'nvidia.com/mig.config.state': 'failed',
    }
    expect(problemsOf(node('n', { labels, capacity: {} })).map(({ code }) => code)).toEqual([
      'mig-failed',
      'mig-invalid',
    ])
  })

  const CHANGING = {
    'nvidia.com/mig.config.state': 'pending',
    'nvidia.com/gpu.deploy.device-plugin': 'paused-for-mig-change',
    'nvidia.com/gpu.deploy.dcgm-exporter': 'paused-for-mig-change',
  }
  test('a MIG change is no problem while it may still end, and is one after ten minutes with components paused', () => {
    const raw = node('n', { labels: CHANGING, capacity: {} })
    expect(problemsOf(raw, { pendingSince: NOW - 9 * 60_000 })).toEqual([])
    const [wedged] = problemsOf(raw, { pendingSince: NOW - 25 * 60_000 })
    expect(wedged?.code).toBe('mig-wedged')
    expect(wedged?.message).toContain(
      'pending for 25 minutes with components still paused (dcgm-exporter, device-plugin)',
    )
    const unpaused = node('n', { labels: { 'nvidia.com/mig.config.state': 'pending' } })
    expect(problemsOf(unpaused, { pendingSince: NOW - 25 * 60_000 })).toEqual([])
  })

  test('since when it has been pending: the earlier of what managedFields say and what we saw', () => {
    const raw = node('n', { labels: CHANGING })
    const fieldsV1 = { 'f:metadata': { 'f:labels': { 'f:nvidia.com/mig.config.state': {} } } }
    raw.metadata['managedFields'] = [{ time: '2026-11-21T11:00:00Z', fieldsV1 }]
    const since = new Map()
    trackPending(since, [parseNode(raw), parseNode(node('m', { labels: CHANGING }))], NOW)
    expect([...since]).toEqual([
      ['n', Date.parse('2026-11-21T11:00:00Z')],
      ['m', NOW],
    ])
    trackPending(since, [parseNode(node('n')), parseNode(node('m', { labels: CHANGING }))], instant(NOW + 1000))
    expect([...since]).toEqual([['m', NOW]])
  })
})
