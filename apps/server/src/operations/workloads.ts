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
    duration: durationOf(workload, analysis),
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

/** Seconds since it started or, while it waits, since it was made; as of the snapshot. */
function durationOf({ startedAt, createdAt }: WorkloadUsage, { asOf }: ClusterAnalysis): number | null {
  const since = startedAt ?? createdAt
  return since === undefined ? null : Math.max(0, Math.round((asOf - since) / 1000))
}

/** "4 × A100-80GB", "2 × 1g.10gb · A100-80GB"; without a model while it holds nothing. */
function gpuText({ requests, models }: Pick<WorkloadUsage, 'requests' | 'models'>): string {
  const [only, ...others] = models
  const model = others.length === 0 ? only : undefined
  const asked = requests.map(({ resource, count }: GpuRequest) => `${count} × ${partWords(resource, model)}`)
  const saysModel = model !== undefined && requests.every(({ resource }) => resource === WHOLE_GPU)
  return [asked.join(' + '), saysModel ? '' : models.join(', ')].filter((part) => part !== '').join(' · ')
}

const WHOLE_GPU = 'nvidia.com/gpu'

const partWords = (resource: string, model: string | undefined): string =>
  resource === WHOLE_GPU ? (model ?? 'GPU') : resource.replace(/^nvidia\.com\/(?:mig-)?/u, '')
