import type { InputOf, OutputOf, workloadsList } from '@septet/contract'
import type { ClusterAnalysis, GpuRequest, WorkloadUsage } from '@septet/domain'

import type { ClusterFacts } from '../facts.ts'
import { answeredFrom, needAnalysis } from './source.ts'
import { figureView, isoOrNull, numberView } from './view.ts'

type Workloads = OutputOf<typeof workloadsList>

/** Running and queued workloads with what they hold, use and cost over the last day. */
export async function liveWorkloads(facts: ClusterFacts, input: InputOf<typeof workloadsList>): Promise<Workloads> {
  const { analysis } = await needAnalysis(facts, '24h')
  const wanted = analysis.workloads.filter(
    ({ status }) => status !== 'ended' && (input.status === 'all' || status === input.status),
  )
  return {
    ...answeredFrom(facts, analysis.window),
    total: wanted.length,
    workloads: wanted
      .slice(input.offset, input.offset + input.limit)
      .map((workload) => workloadView(workload, analysis)),
  }
}

function workloadView(workload: WorkloadUsage, analysis: ClusterAnalysis): Workloads['workloads'][number] {
  const { window } = analysis
  return {
    id: workload.id,
    name: workload.name,
    namespace: workload.namespace,
    kind: workload.kind,
    class: workload.class,
    status: workload.status === 'queued' ? 'queued' : 'running',
    gpu: gpuText(workload),
    since: isoOrNull(workload.startedAt ?? workload.createdAt),
    busy: figureView(workload.busy, 'ratio', {
      formula: 'Σ share × busy time / Σ share × measured time',
      source: 'usage rows of this workload',
      window,
    }),
    gpuHours: workload.hours,
    cost: numberView(workload.cost, {
      unit: 'USD',
      because: workload.hours > 0 ? 'No price is known for its GPUs.' : 'It held no GPU in this window.',
      explain: { formula: 'held GPU-h × price', source: 'usage rows × price book', window },
    }),
    waiting: workload.waiting === undefined ? null : { reason: 'Waiting', message: workload.waiting },
  }
}

function gpuText({ requests, models }: WorkloadUsage): string {
  const asked = requests.map(
    ({ resource, count }: GpuRequest) => `${count} × ${resource.replace(/^nvidia\.com\//u, '')}`,
  )
  return [asked.join(' + '), models.join(', ')].filter((part) => part !== '').join(' · ')
}
