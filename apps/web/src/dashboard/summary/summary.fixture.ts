import type { Answer } from '../septet.fake.ts'

import { drawGpu } from '../gpu/bars.fixture.ts'
import { at, measured, NOW, spanOf, unknown, windowOf } from '../figures.fixture.ts'

const source = { id: 'demo', name: 'Demo cluster', kind: 'demo' as const }
const answered = (range = '24h') => ({ source, asOf: at(18), window: windowOf(range) })

const problems = [
  {
    code: 'gpu-fault',
    message:
      'GPU 2 of mig-h100-02 reported XID 79: it has fallen off the bus. Its pods run on; drain the node and restart it.',
    object: 'node/mig-h100-02',
  },
  {
    code: 'stale-target',
    message:
      'The exporter on a30-04 has not answered for 12 min. Its GPUs count as capacity; their use is not measured.',
    object: 'node/a30-04',
  },
]

const PARTS = [
  ['training', 'ML Training', 1360],
  ['inference', 'Inference', 941],
  ['analytics', 'Analytics', 122],
  ['other', 'Other', 338],
  ['idle', 'Idle', 702],
  ['unallocated', 'Unallocated', 1217],
] as const

const distribution: Answer<'summaryGet'>['distribution'] = {
  total: measured(4680, 'GPU-h', 'Σ ready GPUs × time'),
  parts: PARTS.map(([kind, name, hours]) => ({
    kind,
    name,
    share: measured(hours / 4680, 'ratio', `GPU-h of ${name}`),
    hours: measured(hours, 'GPU-h', `GPU-h of ${name}`),
  })),
}

const mig: Answer<'summaryGet'>['mig'] = {
  headline: measured(0.781, 'ratio', 'compute slices of held instances / compute slices of created instances'),
  note: 'Share of the created MIG slices that workloads hold now',
  coverage: measured(0.934, 'ratio', 'compute slices in created instances / compute slices of GPUs in MIG mode'),
  allocation: measured(0.781, 'ratio', 'compute slices of held instances / compute slices of created instances'),
  busy: measured(0.512, 'ratio', 'Σ share × busy over held instances / Σ share over held instances'),
  fragmentation: measured(0.364, 'ratio', '1 − (instances of a profile placeable now × its size) / free slices'),
}

export const liveSummary = (range = '24h'): Answer<'summaryGet'> => ({
  ...answered(range),
  status: { kind: 'degraded', headline: 'GPU fault, and more', problems },
  savings: {
    verified: unknown('USD', 'Nothing verified yet: Septet has not applied a change to this cluster.'),
    freed: unknown('USD', 'Nothing verified yet: Septet has not applied a change to this cluster.'),
    bill: { ...measured(84_210, 'USD/mo', 'Σ GPU-hours a month × price'), quality: 'estimated' },
    capacity: { ...measured(23_400, 'USD/mo', 'Σ GPU-hours a month × price'), quality: 'estimated' },
    waste: {
      ...measured(110_400, 'USD/mo', '(idle-held + unallocated + stranded + oversized) per hour × 730 h'),
      quality: 'estimated',
    },
    note: 'What the open recommendations would take off the bill',
    change: null,
  },
  utilization: {
    busy: measured(0.418, 'ratio', 'Σ share × busy time / Σ share × ready time, over measured GPUs'),
    busyOfAllocated: measured(0.563, 'ratio', 'Σ busy GPU-h / Σ measured allocated GPU-h'),
    allocated: measured(0.742, 'ratio', 'allocated GPU-h / capacity GPU-h'),
    effective: unknown('ratio', 'The exporter does not export SM activity.'),
    target: 0.85,
    note: '43.2 points below target',
  },
  workloads: { active: 231, running: 208, queued: 23, unmetGpuRequests: 61 },
  mig,
  distribution,
  capacity: {
    nodes: 40,
    gpus: 196,
    readyGpus: 195,
    devices: 322,
    measuredDevices: 301,
    unknown: [{ reason: 'no-telemetry', devices: 21 }],
    sentences: ['3 of 40 nodes report no metrics.'],
  },
  cost: {
    capacity: measured(11_236, 'USD', 'GPU-h of all GPUs × price'),
    used: measured(5_730, 'USD', 'held GPU-h that were neither idle nor oversized × price'),
    unmeasured: measured(674, 'USD', 'the part of used that no trustworthy telemetry covers'),
    idleHeld: measured(1_685, 'USD', 'held, busy ≤ 5% for ≥ 30 min in a row, × price'),
    unallocated: measured(2_360, 'USD', 'free GPU-h in a usable shape × price'),
    stranded: measured(562, 'USD', 'free GPU-h in a shape that no profile can use × price'),
    oversized: measured(899, 'USD', '(share held − share of the size in force then) × working hours × price'),
    broken: measured(0, 'USD', 'GPU-h of nodes not ready, withheld devices and stopped GPUs × price'),
    unrequested: measured(0, 'USD', 'GPU-h of GPUs that work without a request × price'),
    unobserved: measured(0, 'USD', 'GPU-h of known GPUs that were not observed × price'),
    hours: {
      capacity: 4680,
      used: 2387,
      unmeasured: 281,
      idleHeld: 702,
      unallocated: 983,
      stranded: 234,
      oversized: 374,
      broken: 0,
      unrequested: 0,
      unobserved: 0,
    },
    unpricedGpuHours: 0,
  },
  notes: [],
})

const BUCKETS = 96
export function liveTrend(range = '24h'): Answer<'utilizationTrend'> {
  const step = Math.round(spanOf(range) / BUCKETS)
  const points = livePoints(range, step)
  // The first model is as busy as the fleet, each after it less so.
  const models = MODELS.map((model, index) => ({
    model,
    busy: points.map(({ busy }) => busy && busy / (1 + index / 2)),
    allocated: points.map(({ allocated }) => allocated),
  }))
  return { ...answered(range), step, points, models }
}

const MODELS = ['H100-80GB-HBM3', 'A100-SXM4-80GB', 'L40S']

const livePoints = (range: string, step: number): Answer<'utilizationTrend'>['points'] =>
  Array.from({ length: BUCKETS }, (_, index) => {
    const newest = Math.floor(NOW / 1000 / step) * step
    const time = new Date((newest - (BUCKETS - 1 - index) * step) * 1000)
    const day = Math.sin((index / BUCKETS) * Math.PI * (range === '7d' ? 14 : 2) - 1.3)
    const noise = Math.sin(index * 1.7) * 0.018 + Math.sin(index * 0.61) * 0.022
    const missing = (index > 37 && index < 44) || index === 71
    const allocated = 0.72 + day * 0.08 + noise / 2
    const busy = 0.41 + day * 0.12 + noise
    return {
      at: time.toISOString(),
      busy: missing ? null : busy,
      busyOfAllocated: missing ? null : busy / allocated,
      allocated,
      coverage: missing ? 0 : 0.94,
    }
  })

const node = (
  name: string,
  gpus: Answer<'partitionsList'>['nodes'][number]['gpus'],
  about: Partial<Answer<'partitionsList'>['nodes'][number]> = {},
): Answer<'partitionsList'>['nodes'][number] => {
  const blocks = gpus.flatMap((gpu) => gpu.blocks).filter(({ kind }) => kind !== 'stranded')
  const used = blocks.filter(({ kind }) => kind !== 'free').length
  return {
    node: name,
    model: gpus[0]?.model ?? 'A100-80GB',
    pool: 'mig',
    ready: true,
    schedulable: true,
    mig: { strategy: 'mixed', config: 'all-balanced', state: 'success' },
    actuator: 'mig-manager',
    sharing: null,
    coverage: measured(0.89, 'ratio', 'f'),
    allocation: measured(0.76, 'ratio', 'f'),
    fragmentation: measured(0.21, 'ratio', 'f'),
    stranded: { structural: 0, byPlacement: 0 },
    states: [blocks.length - used > 0 ? 'free' : 'none-free'],
    total: blocks.length,
    used,
    available: blocks.length - used,
    utilization: measured(0.61, 'ratio', 'Σ share × busy over what was held and measured / Σ share of it'),
    gpus: gpus.map((gpu, index) => ({ ...gpu, index, id: `GPU-${name}-${index}` })),
    problems: [],
    ...about,
  }
}

const A = '4:busy.81:4g.40gb:ml/vllm-7 2:busy.64:2g.20gb:ml/etl-3 1:busy.92:1g.10gb:search/rerank 1:free:1g.10gb'
const B = '4:busy.47:4g.40gb:research/lora-12 4:idle.02:3g.40gb:research/notebook-ana'
const C =
  '1:busy.88:1g.10gb:search/embed 1:busy.95:1g.10gb:search/embed-2 2:busy.72:2g.20gb:tts/synth 2:free 1:free 1:stranded'
const D = '8:busy.97:7g.80gb:training/llama-8b'
const E = '2:unknown:2g.20gb:vision/ocr 2:unknown:2g.20gb:vision/ocr-2 3:idle.0:3g.40gb:vision/notebook 1:stranded'
const F = '~4:busy.35:3g.40gb:eval/nightly 4:free:3g.40gb'
const H100 = { model: 'H100-80GB' }
const A30 = { model: 'A30-24GB', slots: 4 }

const manyGpus = [
  node(
    'a30-04',
    [drawGpu('2:unknown:2g.12gb:analytics/spark-3 1:unknown:1g.6gb:analytics/jupyter 1:free:1g.6gb', A30)],
    {
      utilization: unknown('ratio', 'No exporter reports this device.'),
      problems: problems.slice(1),
    },
  ),
  node(
    'mig-a100-01',
    [A, C, B, F].map((line) => drawGpu(line)),
  ),
  node(
    'mig-a100-02',
    [B, D].map((line) => drawGpu(line)),
    { utilization: measured(0.724, 'ratio', 'f') },
  ),
  node(
    'mig-a100-03',
    [A].map((line) => drawGpu(line)),
    { utilization: measured(0.766, 'ratio', 'f') },
  ),
  node(
    'mig-h100-01',
    [A, C, B, D, F, A, E, C].map((line) => drawGpu(line, H100)),
    { utilization: measured(0.583, 'ratio', 'f') },
  ),
  node(
    'mig-h100-02',
    [drawGpu(D, H100), drawGpu(D, H100), drawGpu(B, { ...H100, fault: problems[0] ?? null }), drawGpu(D, H100)],
    { utilization: measured(0.871, 'ratio', 'f'), problems: problems.slice(0, 1) },
  ),
  node(
    'mig-h200-01',
    [D, D, D, D, D, D, D, D].map((line) => drawGpu(line, { model: 'H200-141GB' })),
    { utilization: measured(0.968, 'ratio', 'f') },
  ),
]

const oddGpus = [
  node(
    'mixed-t4-02',
    [
      drawGpu('8:busy.41::infer/asr 8:busy.22::infer/ner 8:idle.01::infer/old 8:free', {
        model: 'T4',
        mode: 'shared',
      }),
      drawGpu('8:busy.7::infer/rank', { model: 'T4', mode: 'whole' }),
    ],
    { utilization: measured(0.402, 'ratio', 'f') },
  ),
  node(
    'mig-a100-04',
    [E].map((line) => drawGpu(line)),
    { utilization: unknown('ratio', 'The profiling counter stays at 0 while the GPU visibly works.') },
  ),
  node(
    'mig-a100-05',
    [F, C].map((line) => drawGpu(line)),
  ),
  node(
    'mig-a100-06',
    [A, B].map((line) => drawGpu(line)),
    { ready: false },
  ),
]

export const livePartitions = (): Answer<'partitionsList'> => ({
  ...answered('1h'),
  total: manyGpus.length + oddGpus.length,
  facets: { models: [{ name: 'A100-80GB', nodes: 7 }], pools: [{ name: 'mig', nodes: 11 }], states: [] },
  nodes: [...manyGpus, ...oddGpus],
})
