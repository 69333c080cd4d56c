import type {
  costMonths,
  FigureView,
  InputOf,
  FiguresOf,
  OutputOf,
  summaryGet,
  utilizationTrend,
  workloadsList,
} from '@septet/contract'

import { SAMPLE_ANSWERED } from '../answering/source.ts'
import {
  SAMPLE_GPU_HOURS,
  sampleMonths,
  sampleNodes,
  sampleShares,
  sampleWeek,
  sampleWorkloadRows,
} from './sample-tables.ts'

const explain = { formula: 'a fixed sample figure', window: null, source: 'sample data' }

export const fixed = (value: number, unit: FigureView['unit']): FigureView => ({
  value,
  unit,
  quality: 'sample',
  because: null,
  coverage: null,
  explain,
})
export const absent = (unit: FigureView['unit']): FigureView => ({
  value: null,
  unit,
  quality: 'unknown',
  because: 'The sample data has no such figure; choose a cluster to see it.',
  coverage: null,
  explain,
})

const SAVINGS: OutputOf<typeof summaryGet>['savings'] = {
  verified: fixed(324_000, 'USD'),
  freed: absent('USD'),
  bill: absent('USD/mo'),
  capacity: absent('USD/mo'),
  waste: absent('USD/mo'),
  note: 'Sample figure',
  change: '+18% vs last month',
}

export const sampleSummary = (): FiguresOf<typeof summaryGet> => ({
  ...SAMPLE_ANSWERED,
  status: { kind: 'operational', headline: 'All Systems Operational', problems: [] },
  savings: SAVINGS,
  utilization: {
    busy: fixed(0.873, 'ratio'),
    busyOfAllocated: absent('ratio'),
    allocated: absent('ratio'),
    effective: absent('ratio'),
    target: 0.85,
    note: '+2.3% above target',
  },
  workloads: { active: 127, running: 104, queued: 23, unmetGpuRequests: 23 },
  mig: {
    headline: fixed(0.947, 'ratio'),
    note: 'Dynamic partitioning active',
    coverage: absent('ratio'),
    allocation: absent('ratio'),
    busy: absent('ratio'),
    fragmentation: absent('ratio'),
  },
  distribution: {
    total: fixed(SAMPLE_GPU_HOURS, 'GPU-h'),
    parts: sampleShares.map(({ kind, name, percent }) => ({
      kind,
      name,
      share: fixed(percent / 100, 'ratio'),
      hours: fixed((SAMPLE_GPU_HOURS * percent) / 100, 'GPU-h'),
    })),
  },
  capacity: {
    nodes: sampleNodes.length,
    gpus: sampleNodes.length,
    readyGpus: sampleNodes.length,
    devices: 0,
    measuredDevices: 0,
    unknown: [],
    sentences: [],
  },
  cost: {
    capacity: absent('USD'),
    used: absent('USD'),
    unmeasured: absent('USD'),
    idleHeld: absent('USD'),
    unallocated: absent('USD'),
    stranded: absent('USD'),
    oversized: absent('USD'),
    broken: absent('USD'),
    unrequested: absent('USD'),
    unobserved: absent('USD'),
    hours: null,
    unpricedGpuHours: 0,
  },
  notes: [],
})

export const sampleTrend = (): FiguresOf<typeof utilizationTrend> => ({
  ...SAMPLE_ANSWERED,
  step: 0,
  points: sampleWeek.map(({ name, utilization, efficiency }) => ({
    at: name,
    busy: utilization / 100,
    busyOfAllocated: efficiency / 100,
    allocated: null,
    coverage: null,
  })),
  models: [],
})

export const sampleMonthsAnswer = (): OutputOf<typeof costMonths> => ({
  ...SAMPLE_ANSWERED,
  months: sampleMonths.map(({ month, baseline, savings }) => ({
    month,
    from: null,
    to: null,
    coverage: null,
    sealed: null,
    baseline: fixed(baseline, 'USD'),
    optimized: fixed(baseline - savings, 'USD'),
    savings: { estimated: fixed(savings, 'USD'), verified: absent('USD'), freed: absent('USD') },
  })),
  note: 'Sample figures: what the GPUs cost before and after optimization, and the difference.',
})

export function sampleWorkloads({
  status,
  offset,
  limit,
}: InputOf<typeof workloadsList>): FiguresOf<typeof workloadsList> {
  const rows = sampleWorkloadRows.filter((row) => status === 'all' || row.status === status)
  return {
    ...SAMPLE_ANSWERED,
    total: rows.length,
    counts: { running: sampleCount('running'), queued: sampleCount('queued'), ended: 0, idle: 0 },
    choices: { namespaces: [], tenants: [], classes: [] },
    waitsFor: [],
    workloads: rows.slice(offset, offset + limit).map(workloadView),
  }
}

const sampleCount = (wanted: 'running' | 'queued'): number =>
  sampleWorkloadRows.filter(({ status }) => status === wanted).length

const workloadView = ({
  name,
  namespace,
  status,
  minutes,
  class: workClass,
  count,
  model,
}: (typeof sampleWorkloadRows)[number]): OutputOf<typeof workloadsList>['workloads'][number] => ({
  id: `${namespace}/Job/${name}`,
  name,
  namespace,
  kind: 'Job',
  class: workClass,
  status,
  tenant: null,
  queue: null,
  gpu: `${count} × ${model}`,
  requests: [],
  // Whole GPUs, of which nothing is said to be idle.
  holds: status === 'running' ? { gpus: count, idle: 0, parts: [{ shape: 'whole GPU', model, count }] } : null,
  since: null,
  duration: minutes * 60,
  busy: absent('ratio'),
  gpuHours: null,
  idleGpuHours: null,
  cost: absent('USD'),
  idleCost: absent('USD'),
  rightSize: { kind: 'unknown', profile: null, because: null },
  waiting: null,
})
