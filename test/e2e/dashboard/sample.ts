import type { OPERATIONS, OutputOf } from '@septet/contract'

import { drawGpu } from './bars.ts'
import { fixed, unknown } from './figures.ts'
import { liveSummary } from './live.ts'

type Answer<K extends keyof typeof OPERATIONS> = OutputOf<(typeof OPERATIONS)[K]>

const source = { id: 'sample', name: 'Sample data', kind: 'sample' as const }
const answered = { source, asOf: null, window: null }
const none = unknown('ratio', 'The sample data has no such figure; choose a cluster to see it.')

/** The fixed figures of the product's specification. */
export const sampleSummary = (): Answer<'summaryGet'> => {
  const absent = { ...none, unit: 'USD' as const }
  return {
    ...liveSummary(),
    ...answered,
    status: { kind: 'operational', headline: 'All Systems Operational', problems: [] },
    savings: {
      verified: fixed(324_000, 'USD'),
      estimated: absent,
      note: 'Sample figure',
      change: '+18% vs last month',
    },
    utilization: {
      busy: fixed(0.873, 'ratio'),
      busyOfAllocated: none,
      allocated: none,
      effective: none,
      target: 0.85,
      note: '+2.3% above target',
    },
    workloads: { active: 127, running: 104, queued: 23, unmetGpuRequests: 23 },
    mig: {
      headline: fixed(0.947, 'ratio'),
      note: 'Dynamic partitioning active',
      coverage: none,
      allocation: none,
      busy: none,
      fragmentation: none,
    },
    capacity: { nodes: 4, gpus: 4, readyGpus: 4, devices: 0, measuredDevices: 0, unknown: [], sentences: [] },
    cost: {
      capacity: absent,
      used: absent,
      unmeasured: absent,
      idleHeld: absent,
      unallocated: absent,
      stranded: absent,
      oversized: absent,
      hours: null,
      unpricedGpuHours: 0,
      downGpuHours: 0,
    },
  }
}

const WEEK = { Mon: [78, 82], Tue: [84, 86], Wed: [89, 91], Thu: [92, 94], Fri: [90, 93], Sat: [85, 90], Sun: [87, 92] }

export const sampleTrend = (): Answer<'utilizationTrend'> => ({
  ...answered,
  step: 0,
  points: Object.entries(WEEK).map(([day, [utilization = 0, efficiency = 0]]) => ({
    at: day,
    busy: utilization / 100,
    busyOfAllocated: efficiency / 100,
    allocated: null,
    coverage: null,
  })),
})

const NODES = [
  ['gpu-a100-03', 'A100-80GB', 7, 1, 91, '4:busy.99 2:busy.7 1:busy.8 1:free'],
  ['gpu-a100-07', 'A100-80GB', 8, 0, 62, '4:busy.5 4:idle.02'],
  ['gpu-h100-01', 'H100-80GB', 6, 2, 88, '1:busy.9 1:busy.95 4:busy.85 2:free'],
  ['gpu-h200-02', 'H200-141GB', 8, 0, 97, '8:busy.97'],
] as const

export const samplePartitions = (): Answer<'partitionsList'> => ({
  ...answered,
  total: NODES.length,
  facets: { models: [], pools: [], states: [] },
  nodes: NODES.map(([node, model, used, available, utilization, bar]) => ({
    node,
    model,
    pool: '',
    ready: true,
    schedulable: true,
    mig: { strategy: 'mixed', config: null, state: 'success' },
    actuator: 'mig-manager',
    sharing: null,
    coverage: none,
    allocation: none,
    fragmentation: none,
    stranded: null,
    states: [available > 0 ? 'free' : 'none-free'],
    total: used + available,
    used,
    available,
    utilization: fixed(utilization / 100, 'ratio'),
    gpus: [drawGpu(bar, { model })],
    problems: [],
  })),
})

export const sampleWorkloads = (): Answer<'workloadsList'> => ({
  ...answered,
  total: 1,
  workloads: [
    {
      id: 'ml-training/Job/speech-pretraining',
      name: 'speech-pretraining',
      namespace: 'ml-training',
      kind: 'Job',
      class: 'unknown',
      status: 'queued',
      gpu: '8 × H100',
      since: null,
      busy: none,
      gpuHours: null,
      cost: { ...none, unit: 'USD' },
      waiting: null,
    },
  ],
})
