import { OPERATIONS, type OutputOf } from '@septet/contract'

import { at, measured, windowOf } from '../figures.fixture.ts'

type Waits = OutputOf<typeof OPERATIONS.queueWaits>
type Cause = Waits['causes'][number]

const cause = (name: string, hours: number, sentence: string | null): Cause => ({
  cause: name.toLowerCase(),
  name,
  meaning: 'enough is free in sum, and nowhere enough in one place',
  seconds: hours * 1800,
  gpuHours: hours,
  usd: hours * 2,
  workloads: 2,
  waiting: sentence === null ? 0 : 1,
  change: sentence === null ? null : { kind: 'move', sentence },
})

const FRAGMENTED = cause('Fragmentation', 40, 'Move work off 1 more GPU of gpu-h100-01.')
const UNWATCHED = cause('Not watched', 10, null)
const UNSIZED = { ...cause('Quota', 4, 'Raise the quota lab/gpus from 8 to 16.'), gpuHours: null, usd: null }

/** Three causes, of one of which it is not known how many GPUs were asked for; two workloads. */
export function liveWaits(workload?: string): Waits {
  const workloads = [
    waited('lab/Job/train', [FRAGMENTED, UNWATCHED]),
    { ...waited('web/Job/chat', [UNSIZED]), gpuHours: null, usd: null },
  ].filter(({ id }) => workload === undefined || id === workload)
  const causes = workload === undefined ? [FRAGMENTED, UNWATCHED, UNSIZED] : workloads.flatMap((one) => one.causes)
  return OPERATIONS.queueWaits.output.parse({
    source: { id: 'demo', name: 'Demo cluster', kind: 'demo' },
    asOf: at(18),
    window: windowOf('24h'),
    seconds: causes.reduce((sum, { seconds }) => sum + seconds, 0),
    hours: measured(50, 'GPU-h', 'GPUs asked for × time from creation to binding'),
    cost: measured(100, 'USD', 'GPU-h waited × price'),
    causes,
    workloads,
    total: workloads.length,
    note: 'Priced at the cheapest GPU that could have run it, not money lost on a bill.',
    withheld: null,
  })
}

const waited = (id: string, causes: readonly Cause[]): Waits['workloads'][number] => ({
  id,
  name: id.split('/')[2] ?? '',
  namespace: id.split('/')[0] ?? '',
  asks: '8 × nvidia.com/gpu',
  seconds: causes.reduce((sum, { seconds }) => sum + seconds, 0),
  gpuHours: causes.reduce((sum, { gpuHours }) => sum + (gpuHours ?? 0), 0),
  usd: causes.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
  waitsFor: causes[0]?.cause ?? null,
  causes: [...causes],
})
