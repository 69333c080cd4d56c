import { agree, percent, plural } from '../words.ts'
import type { WorkloadUsage } from '../cost/workload-usage.ts'
import { tenantOf } from '../cost/tenant.ts'
import type { Allocation } from '../cluster/inventory.ts'
import type { Workload } from '../cluster/workload.ts'
import { SECONDS_PER_HOUR } from '../units.ts'
import {
  isFresh,
  judgeCeiling,
  NOTHING_SEEN,
  rounded,
  type AlertEvidence,
  type Observation,
  type Observed,
} from './observation.ts'

const HOUR_MS = SECONDS_PER_HOUR * 1000
const DAY_HOURS = 24

/**
 * Workloads that hold GPUs idle. Idle hours = the share of its held time that was idle in the last 24 hours (7 days for
 * longer thresholds) × how long it has held GPUs in it. Only what is idle now counts, and only time that was measured.
 */
export function observeIdle(evidence: AlertEvidence): Observed {
  const { threshold } = evidence.rules['idle-held']
  const analysis = threshold <= DAY_HOURS ? evidence.day : evidence.week
  if (!isFresh(evidence) || analysis === undefined || evidence.picture === undefined) return NOTHING_SEEN
  const usage = new Map(analysis.workloads.map((one) => [one.id, one]))
  const held = Map.groupBy(evidence.picture.allocations, ({ workload }) => workload)
  const windowHours = (analysis.window.to - analysis.window.from) / HOUR_MS
  const observations = evidence.picture.workloads.flatMap((workload) => {
    const allocations = held.get(workload.id)
    const of = usage.get(workload.id)
    if (allocations === undefined || of === undefined) return []
    return [idleObservation(evidence, workload, { allocations, usage: of, windowHours })]
  })
  return { observations, complete: true }
}

type Held = {
  readonly allocations: readonly Allocation[]
  readonly usage: WorkloadUsage
  readonly windowHours: number
}

function idleObservation(evidence: AlertEvidence, workload: Workload, held: Held): Observation {
  const { threshold } = evidence.rules['idle-held']
  const { allocations, usage, windowHours } = held
  const idleShare = usage.hours > 0 ? usage.idleHours / usage.hours : 0
  const since = usage.startedAt ?? Math.min(...allocations.map((each) => each.since))
  const heldHours = Math.min(windowHours, Math.max(0, evidence.now - since) / HOUR_MS)
  const hours = idleShare * heldHours
  const partitions = new Set(allocations.map(({ partition }) => partition))
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
      `(limit ${rounded(threshold)} h); ${percent(usage.busy.coverage, 0)} of its time was measured.`,
    advice: 'Ask its owner to release them: scale it to 0 replicas, end the notebook, or request a smaller slice.',
  }
}

function idleVerdict(evidence: AlertEvidence, partitions: ReadonlySet<string>, hours: number): Observation['verdict'] {
  const { threshold } = evidence.rules['idle-held']
  const all = [...partitions]
  if (all.every((id) => evidence.idle.has(id))) return judgeCeiling(hours, threshold)
  // What counts as idle begins anew after a gap, as over a restart. Only work that is seen says that it is over.
  const { threshold: idleBelow = 0 } = evidence.day?.policy.idle ?? {}
  const works = all.some((id) => (evidence.samples.get(id)?.busy ?? 0) > idleBelow)
  return works ? 'clear' : 'unknown'
}

const whose = ({ tenants }: AlertEvidence, workload: Workload): Pick<Observation, 'namespace' | 'tenant'> => ({
  namespace: workload.namespace,
  tenant: tenantOf(workload, tenants),
})
