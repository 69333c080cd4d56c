import type { BlockView } from '@septet/contract'

/** Weekly trend of the sample data, in per cent. */
export const sampleWeek = [
  { name: 'Mon', utilization: 78, efficiency: 82 },
  { name: 'Tue', utilization: 84, efficiency: 86 },
  { name: 'Wed', utilization: 89, efficiency: 91 },
  { name: 'Thu', utilization: 92, efficiency: 94 },
  { name: 'Fri', utilization: 90, efficiency: 93 },
  { name: 'Sat', utilization: 85, efficiency: 90 },
  { name: 'Sun', utilization: 87, efficiency: 92 },
] as const

/** What the sample week's GPU-hours went to, in per cent; the hatched part idled. */
export const sampleShares = [
  { kind: 'training', name: 'ML Training', percent: 45 },
  { kind: 'inference', name: 'Inference', percent: 30 },
  { kind: 'analytics', name: 'Analytics', percent: 15 },
  { kind: 'idle', name: 'Idle', percent: 10 },
] as const

/** GPU-hours of the sample week. */
export const SAMPLE_GPU_HOURS = 41_200

/**
 * Dollars by month. The savings add up to the $324K of the savings card, and the last month saves 18 % more than the one
 * before it, as the card says.
 */
export const sampleMonths = [
  { month: 'Jan', baseline: 142_000, savings: 38_000 },
  { month: 'Feb', baseline: 147_000, savings: 46_000 },
  { month: 'Mar', baseline: 151_000, savings: 51_500 },
  { month: 'Apr', baseline: 155_000, savings: 55_500 },
  { month: 'May', baseline: 158_000, savings: 61_000 },
  { month: 'Jun', baseline: 163_000, savings: 72_000 },
] as const

/** GPU-hours that work of the sample week waited, by cause. */
export const sampleWaits = [
  {
    cause: 'fragmentation',
    hours: 240,
    workloads: 9,
    change: {
      kind: 'move',
      sentence: 'Move work off 1 more GPU of gpu-h100-01, where 7 of the 8 that it needs are free.',
    },
  },
  {
    cause: 'capacity',
    hours: 180,
    workloads: 7,
    change: {
      kind: 'evict',
      sentence: 'Stop analytics/notebook-3, which holds a 4g.40gb on GPU 0 of gpu-a100-07 idle.',
    },
  },
  {
    cause: 'shape',
    hours: 120,
    workloads: 4,
    change: {
      kind: 'recut',
      sentence: 'Repartition GPU 0 of gpu-h100-01: it then has room for a 2g.20gb, and nothing moves.',
    },
  },
  {
    cause: 'quota',
    hours: 60,
    workloads: 3,
    change: { kind: 'quota', sentence: 'Raise the quota ml-training/gpus from 32 to 40 nvidia.com/gpu.' },
  },
] as const

type SampleNode = {
  readonly node: string
  readonly model: string
  /** Memory slices in use and free: each sample node has 8 partitions. */
  readonly used: number
  readonly available: number
  readonly utilization: number
  readonly blocks: readonly BlockView[]
}

const held = (start: number, size: number, busy: number): BlockView => ({
  kind: busy <= 0.05 ? 'idle' : 'busy',
  start,
  size,
  profile: null,
  placement: 'reported',
  busy,
  holder: null,
  because: null,
})
const free = (start: number, size: number): BlockView => ({ ...held(start, size, 0), kind: 'free', busy: null })

export const sampleNodes: readonly SampleNode[] = [
  {
    node: 'gpu-a100-03',
    model: 'A100-80GB',
    used: 7,
    available: 1,
    utilization: 91,
    blocks: [held(0, 4, 1), held(4, 2, 0.7), held(6, 1, 0.8), free(7, 1)],
  },
  {
    node: 'gpu-a100-07',
    model: 'A100-80GB',
    used: 8,
    available: 0,
    utilization: 62,
    blocks: [held(0, 4, 0.5), held(4, 4, 0.02)],
  },
  {
    node: 'gpu-h100-01',
    model: 'H100-80GB',
    used: 6,
    available: 2,
    utilization: 88,
    blocks: [held(0, 1, 0.9), held(1, 1, 0.95), held(2, 4, 0.85), free(6, 2)],
  },
  { node: 'gpu-h200-02', model: 'H200-141GB', used: 8, available: 0, utilization: 97, blocks: [held(0, 8, 0.97)] },
]

export const sampleWorkloadRows = [
  {
    name: 'llm-finetune',
    class: 'training',
    namespace: 'ml-training',
    count: 4,
    model: 'A100',
    status: 'running',
    minutes: 154,
  },
  {
    name: 'recommendation-serving',
    class: 'inference',
    namespace: 'inference',
    count: 2,
    model: 'H100',
    status: 'running',
    minutes: 1335,
  },
  {
    name: 'image-batch-scoring',
    class: 'analytics',
    namespace: 'analytics',
    count: 1,
    model: 'V100',
    status: 'running',
    minutes: 47,
  },
  {
    name: 'speech-pretraining',
    class: 'training',
    namespace: 'ml-training',
    count: 8,
    model: 'H100',
    status: 'queued',
    minutes: 12,
  },
] as const
