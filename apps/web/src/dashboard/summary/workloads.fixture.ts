import type { InputOf, FiguresOf, workloadsList } from '@septet/contract'

import { at, measured, unknown, windowOf } from '../figures.fixture.ts'

type Workloads = FiguresOf<typeof workloadsList>
type Row = Workloads['workloads'][number]

const QUEUE = [
  ['llama-8b-sft', 'training', '8 × GPU', 8_460, 'Needs 8 whole GPUs on one node; the largest gap is 5.'],
  ['speech-pretrain', 'speech', '4 × GPU', 5_220, 'Quota of queue speech is used up (12 of 12 GPUs).'],
  ['embed-backfill', 'search', '2 × 3g.40gb', 3_940, '6 compute slices are free, none in the shape of 3g.40gb.'],
  ['notebook-mara', 'research', '1 × 1g.10gb', 1_310, 'Fits mig-a100-03, which does not tolerate its taints.'],
  ['nightly-eval-4', 'eval', '1 × GPU', 840, 'No node of pool eval is ready.'],
] as const

const RUNNING = [
  ['llama-70b-pretrain', 'training', '16 × H100-80GB', 412_000],
  ['ranker-api', 'search', '4 × A100-80GB', 81_000],
  ['x'.repeat(253), 'n'.repeat(63), '1 × 1g.10gb · A100-80GB', 640],
] as const

/** Twenty-three wait and 208 run; these are the first of each. */
export function liveWorkloads(status: InputOf<typeof workloadsList>['status']): Workloads {
  const rows = [...(status === 'queued' ? [] : running), ...(status === 'running' ? [] : queued)]
  return {
    source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
    asOf: at(18),
    window: windowOf('24h'),
    total: { running: 208, queued: 23, ended: 0, all: 231 }[status],
    counts: { running: 208, queued: 23, ended: 0, idle: 0 },
    choices: { namespaces: [], tenants: [], classes: [] },
    waitsFor: [],
    workloads: rows,
  }
}

const none = unknown('USD', 'It does not run yet.')

const row = (about: Pick<Row, 'name' | 'namespace' | 'gpu' | 'status' | 'duration' | 'waiting'>): Row => ({
  ...about,
  id: `${about.namespace}/Job/${about.name}`,
  kind: 'Job',
  class: 'training',
  tenant: null,
  queue: null,
  requests: [],
  holds: null,
  since: about.duration === null ? null : at(about.duration),
  busy: about.status === 'running' ? measured(0.61, 'ratio', 'f') : { ...none, unit: 'ratio' },
  gpuHours: null,
  idleGpuHours: null,
  cost: none,
  idleCost: none,
  rightSize: { kind: 'unknown', profile: null, because: null },
})

const queued = QUEUE.map(([name, namespace, gpu, duration, message]) =>
  row({ name, namespace, gpu, status: 'queued', duration, waiting: { reason: 'Waiting', message } }),
)
const running = RUNNING.map(([name, namespace, gpu, duration]) =>
  row({ name, namespace, gpu, status: 'running', duration, waiting: null }),
)
