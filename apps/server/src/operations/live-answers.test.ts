import { workloadsList } from '@septet/contract'
import { type ClusterSnapshot, type JudgedSample, ratio, theLast } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { DRAWN_AT, draw } from '@septet/domain/testing'
import { factsOf } from './answering/facts.fixture.ts'
import { gpuView } from './fleet/gpu-view.ts'
import { livePartitions } from './partitions/partitions.ts'
import { liveQuality } from './clusters/quality.ts'
import { knownSavings } from './savings/verified-savings.ts'
import { liveSummary } from './summary/summary.ts'
import { liveWorkloads } from './workloads/workloads.ts'

const sample = (gpu: string, more: Partial<JudgedSample> = {}): JudgedSample => ({
  at: DRAWN_AT,
  node: 'a',
  gpu,
  index: 0,
  model: '',
  busy: ratio(0.5),
  quality: { kind: 'measured' },
  ...more,
})

test('a workload of which nothing was measured has no idle hours and no idle cost, and not 0 of them', async () => {
  const { workloads } = await liveWorkloads(
    factsOf(draw`a  H100-80GB-HBM3  [team/x]`, []),
    workloadsList.input.parse({}),
    [],
  )
  expect(workloads[0]).toMatchObject({
    holds: { gpus: 1, parts: [{ shape: 'whole GPU', count: 1 }] },
    idleGpuHours: null,
    idleCost: { value: null, quality: 'unknown' },
  })
  expect(workloads[0]?.cost.value).toBeGreaterThan(0)
})

const away = () => Promise.reject(Object.assign(new Error('The database is not responding.'), { name: 'StoreError' }))
const NOTHING_ELSE = { zone: 'UTC', advice: away, measured: () => knownSavings(away, 'drawn', undefined) }

describe('the cost card', () => {
  test('does not say $0 idle where nothing that was held was measured', async () => {
    const { cost } = await liveSummary(factsOf(draw`a  H100-80GB-HBM3  [team/x]`, []), theLast('24h'), NOTHING_ELSE)
    expect(cost.idleHeld).toMatchObject({ value: null, quality: 'unknown', coverage: 0 })
    expect(cost.oversized).toMatchObject({ value: null, quality: 'unknown' })
    expect(cost.unmeasured.value).toBe(cost.used.value)
  })

  test('says how much of what was held its idle money speaks of', async () => {
    const half = draw`
      a  H100-80GB-HBM3  [team/x]
      a  H100-80GB-HBM3  [team/y]`
    const { cost } = await liveSummary(factsOf(half, [sample('GPU-a-0')]), theLast('24h'), NOTHING_ELSE)
    expect(cost.idleHeld).toMatchObject({ value: 0, quality: 'partial', coverage: 0.5 })
    expect(cost.idleHeld.because).toBe('50.0% of the held time has no trustworthy measurement.')
    expect(cost.unallocated).toMatchObject({ value: 0, quality: 'measured' })
  })

  test('has no amounts, and not $0, where nothing was seen', async () => {
    const seen = draw`a  H100-80GB-HBM3  [team/x]`
    const nothing = { ...seen, nodes: [], pods: [], workloads: [], allocations: [] }
    const { cost } = await liveSummary(factsOf(nothing, []), theLast('24h'), NOTHING_ELSE)
    const { hours: _, unpricedGpuHours: _unpriced, ...parts } = cost
    for (const part of Object.values(parts)) {
      expect(part).toMatchObject({ value: null, quality: 'unknown', because: 'No GPU was seen in this window.' })
    }
  })

  test('is partial where a board has no price', async () => {
    const odd = draw`
      a  H100-80GB-HBM3  [-]
      b  X9000           [-]`
    const { cost, savings } = await liveSummary(factsOf(odd, []), theLast('24h'), NOTHING_ELSE)
    const because = '2.0 GPU-h have no price and are not in it.'
    expect(cost.capacity).toMatchObject({ quality: 'partial', because })
    expect(savings.waste).toMatchObject({ quality: 'estimated', because })
    expect(savings.bill).toMatchObject({ value: null, quality: 'unknown' })
  })
})

const barOf = (snapshot: ClusterSnapshot, samples: readonly JudgedSample[]) => {
  const facts = factsOf(snapshot, samples)
  const holders = new Map(snapshot.allocations.map((one) => [one.partition, one]))
  const gpu = snapshot.nodes[0]?.gpus[0]
  if (gpu === undefined) throw new Error('the drawing has no GPU')
  return gpuView(gpu, { holders, others: new Set(), samples: facts.samples(), idle: new Set(), withheld: new Map() })
    .blocks
}

describe('a slice bar', () => {
  test('does not give the busy of a shared GPU to each of its pods', () => {
    const bar = barOf(draw`a  T4  [1/2 team/x] [1/2 -]`, [sample('GPU-a-0')])
    expect(bar.map(({ kind, busy, because }) => [kind, busy, because])).toEqual([
      ['unknown', null, 'Pods share the GPU by time-slicing or MPS, and the exporter does not tell them apart.'],
      ['free', null, null],
    ])
  })

  test('says that an instance is not reported where the rest of its GPU is', () => {
    const seen = sample('GPU-a-0', { instance: { id: '1', profile: '3g.40gb' } })
    const bar = barOf(draw`a  A100-SXM4-80GB  [3g.40gb team/x] [3g.40gb team/y]`, [seen])
    expect(bar.map(({ kind, because }) => [kind, because])).toEqual([
      ['busy', null],
      ['unknown', 'The exporter does not report this MIG device.'],
    ])
    expect(barOf(draw`a  A100-SXM4-80GB  [3g.40gb team/x]`, []).map(({ because }) => because)).toContain(
      'No exporter reports this device.',
    )
  })
})

test('work that waits costs nothing because it holds nothing, not because a price is missing', async () => {
  const snapshot = draw`a  H100-80GB-HBM3  [team/x]`
  const waiting = snapshot.workloads.map((one) => ({
    ...one,
    id: 'team/Job/later',
    status: 'queued' as const,
    pods: [],
  }))
  const facts = factsOf({ ...snapshot, workloads: [...snapshot.workloads, ...waiting] }, [])
  const { workloads } = await liveWorkloads(facts, workloadsList.input.parse({ limit: 10 }), [])
  expect(workloads.find(({ id }) => id === 'team/Job/later')?.cost).toMatchObject({
    value: null,
    because: 'It held no GPU in this window.',
  })
})

test('only what a workload can get is available', async () => {
  const snapshot = draw`
    a  A100-SXM4-80GB  down [3g.40gb -] [3g.40gb -]
    b  H100-80GB-HBM3  [team/x]
    b  H100-80GB-HBM3  [-]
    b  H100-80GB-HBM3  [-]`
  const nodes = snapshot.nodes.map((node) =>
    node.name === 'b' ? { ...node, allocatable: { 'nvidia.com/gpu': 2 } } : node,
  )
  const facts = factsOf({ ...snapshot, nodes }, [])
  const answer = await livePartitions(facts, { mig: 'false', limit: 10, offset: 0 })
  expect(answer.nodes.map(({ node, total, used, available }) => [node, total, used, available])).toEqual([
    ['a', 2, 0, 0],
    ['b', 3, 1, 1],
  ])
})

test('the summary and the quality page count the same devices', async () => {
  const snapshot = draw`
    a  H100-80GB-HBM3  [team/x]
    b  T4              [1/2 team/y] [1/2 -]
    c  A100-SXM4-80GB  [3g.40gb team/z] [3g.40gb -]
    d  T4              [team/v]`
  const facts = factsOf(snapshot, [
    sample('GPU-a-0'),
    sample('GPU-b-0', { node: 'b' }),
    sample('GPU-c-0', { node: 'c', instance: { id: '1', profile: '3g.40gb' } }),
  ])
  const { capacity } = await liveSummary(facts, theLast('24h'), NOTHING_ELSE)
  const quality = liveQuality(facts)
  expect([quality.measuredDevices, quality.devices]).toEqual([2, 5])
  expect([capacity.measuredDevices, capacity.devices]).toEqual([2, 5])
  expect(quality.reasons.map(({ reason, devices, examples }) => [reason, devices, examples])).toEqual([
    ['missing-instance', 1, ['c: GPU-c-0/gi-2']],
    ['no-telemetry', 1, ['d: GPU-d-0']],
    ['not-attributable', 1, ['b: GPU-b-0/replica-0']],
  ])
})

test('the quality page looks again at new readings of the same GPUs', () => {
  const measured = new Map([['GPU-a-0', sample('GPU-a-0')]])
  let readings: ReadonlyMap<string, JudgedSample> = measured
  const facts = { ...factsOf(draw`a  H100-80GB-HBM3  [team/x]`, []), samples: () => readings }
  expect(liveQuality(facts)).toMatchObject({ measuredDevices: 1, devices: 1 })
  readings = new Map()
  expect(liveQuality(facts)).toMatchObject({ measuredDevices: 0, devices: 1 })
  readings = measured
  expect(liveQuality(facts)).toMatchObject({ measuredDevices: 1, devices: 1 })
})
