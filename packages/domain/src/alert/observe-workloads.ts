import { agree, percent, plural } from '../words.ts'
import type { WorkloadUsage } from '../cost/workload-usage.ts'
import { tenantOf } from '../cost/tenant.ts'
import { type GpuPart, partsOfSnapshot } from '../analyze/gpu-parts.ts'
import type { PartitionId } from '../cluster/node.ts'
import type { Workload } from '../cluster/workload.ts'
import { HOUR_MS, SECONDS_PER_HOUR } from '../units.ts'
import {
  isFreshObservation,
  judgeCeiling,
  NOTHING_SEEN,
  rounded,
  type AlertEvidence,
  type Observation,
  type Observed,
} from './observation.ts'

const DAY_HOURS = 24
/** How its owner ends what holds GPUs. */
const SCALE = 'scale it to 0 replicas'
const ENDINGS = new Map([
  ['Deployment', SCALE],
  ['StatefulSet', SCALE],
  ['Notebook', 'stop the notebook'],
])

/**
 * Workloads that hold GPUs idle. Idle hours = its idle GPU-hours of the last 24 hours (7 days for longer thresholds) ÷ the
 * GPUs that it holds. Only what is idle now counts, and only time that was watched and measured: how long it has run says
 * nothing about the hours before Septet looked.
 */
export function observeIdle(evidence: AlertEvidence): Observed {
  const { threshold } = evidence.rules['idle-held']
  const analysis = threshold <= DAY_HOURS ? evidence.day : evidence.week
  if (!isFreshObservation(evidence) || analysis === undefined || evidence.picture === undefined) return NOTHING_SEEN
  const usage = new Map(analysis.workloads.map((one) => [one.id, one]))
  const allocations = Map.groupBy(evidence.picture.allocations, ({ workload }) => workload)
  const parts = Map.groupBy(partsOfSnapshot(evidence.picture), ({ workload }) => workload)
  const observedHours = Math.min(
    analysis.observedSeconds / SECONDS_PER_HOUR,
    (analysis.window.to - analysis.window.from) / HOUR_MS,
  )
  const observations = evidence.picture.workloads.flatMap((workload) => {
    const partitions = new Set(allocations.get(workload.id)?.map(({ partition }) => partition))
    const of = usage.get(workload.id)
    if (partitions.size === 0 || of === undefined) return []
    const held = { partitions, parts: parts.get(workload.id) ?? [], usage: of, observedHours }
    return [idleObservation(evidence, workload, held)]
  })
  return { observations, complete: true }
}

type Held = {
  readonly partitions: ReadonlySet<PartitionId>
  /** Of those partitions; none of a GPU that is out of use. */
  readonly parts: readonly GpuPart[]
  readonly usage: WorkloadUsage
  /** For how long the cluster was watched. */
  readonly observedHours: number
}

function idleObservation(evidence: AlertEvidence, workload: Workload, held: Held): Observation {
  const { threshold } = evidence.rules['idle-held']
  const { partitions, usage } = held
  const watched = watchedHours(evidence, held)
  const hours = usage.hours > 0 ? (watched * usage.idleHours) / usage.hours : 0
  const gpus = plural(partitions.size, 'GPU or slice', 'GPUs or slices')
  return {
    kind: 'idle-held',
    object: `workload/${workload.id}`,
    ...whose(evidence, workload),
    verdict: idleVerdict(evidence, partitions, hours),
    figure: { value: hours, threshold, unit: 'hours', coverage: usage.busy.coverage },
    title: `${workload.name} holds ${gpus} idle`,
    message:
      `${workload.kind} ${workload.name} in ${workload.namespace} holds ${gpus} that ${agree(partitions.size, 'was', 'were')} idle for ${rounded(hours)} h ` +
      `of the ${rounded(watched)} h for which Septet watched it (limit ${rounded(threshold)} h); ${percent(usage.busy.coverage, 0)} of those were measured.`,
    advice: `Ask its owner to release them: ${ENDINGS.get(workload.kind) ?? 'end it'}, or request less.`,
  }
}

/** Mean hours of usage of each GPU that it holds; work that held more before was not watched for longer than the cluster was. */
function watchedHours({ now }: AlertEvidence, { partitions, parts, usage, observedHours }: Held): number {
  const known = new Set(parts.map(({ partition }) => partition))
  const gpus = parts.reduce((sum, { share }) => sum + share, 0) + partitions.size - known.size
  const ranFor = usage.startedAt === undefined ? Infinity : Math.max(0, now - usage.startedAt) / HOUR_MS
  return gpus > 0 ? Math.min(usage.hours / gpus, ranFor, observedHours) : 0
}

function idleVerdict(evidence: AlertEvidence, partitions: ReadonlySet<string>, hours: number): Observation['verdict'] {
  const { threshold } = evidence.rules['idle-held']
  const all = [...partitions]
  if (all.every((id) => evidence.idle.has(id))) return judgeCeiling(hours, threshold)
  // What counts as idle begins again after a gap, as over a restart. Only work that is seen says that it is over.
  const { threshold: idleBelow = 0 } = evidence.day?.policy.idle ?? {}
  const works = all.some((id) => (evidence.samples.get(id)?.busy ?? 0) > idleBelow)
  return works ? 'clear' : 'unknown'
}

const whose = ({ tenants }: AlertEvidence, workload: Workload): Pick<Observation, 'namespace' | 'tenant'> => ({
  namespace: workload.namespace,
  tenant: tenantOf(workload, tenants),
})
