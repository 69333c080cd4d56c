import { hoursOf, type Figure } from '../analyze/figure.ts'
import type { RightSize, RightSizing } from '../analyze/right-size.ts'
import { kindOf, sumUsage, sumUsageBy } from '../analyze/usage-sum.ts'
import type { UsageTotal } from '../analyze/usage.ts'
import { busyOfAllocated } from '../analyze/utilization.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { GpuRequest, Workload, WorkloadClass, WorkloadId } from '../cluster/workload.ts'
import { compareText, type GpuHours, type Instant, type Usd } from '../units.ts'
import type { CostGroup, CostParts } from './cost-parts.ts'

export type WorkloadUsage = {
  readonly id: string
  readonly namespace: string
  readonly kind: string
  readonly name: string
  readonly class: WorkloadClass
  readonly status: 'running' | 'queued' | 'ended'
  readonly queue: string | undefined
  readonly requests: readonly GpuRequest[]
  /** Models it held within the window, by name. */
  readonly models: readonly string[]
  readonly createdAt: Instant | undefined
  readonly startedAt: Instant | undefined
  /** Why it waits, in the scheduler's words. */
  readonly waiting: string | undefined
  readonly hours: GpuHours
  readonly idleHours: GpuHours
  /** Undefined when none of its GPUs has a price. */
  readonly cost: Usd | undefined
  /** The part of it that was idle-held. */
  readonly idleCost: Usd | undefined
  readonly busy: Figure
  readonly rightSize: RightSize
}

export type WorkloadSources = {
  readonly snapshot: Pick<ClusterSnapshot, 'workloads'>
  /** Grouped by kind, workload, workload class and model. */
  readonly totals: readonly UsageTotal[]
  /** The cost of the held totals by workload. */
  readonly workloadCosts: readonly CostGroup[]
  readonly sizing: RightSizing
}

/** Workloads of the snapshot and those that ended within the window; most GPU-hours first, then by id. */
export function workloadUsage({ snapshot, totals, workloadCosts, sizing }: WorkloadSources): WorkloadUsage[] {
  // Held by nobody known: of the past, where nothing recorded who.
  const held = totals.filter((total) => kindOf(total) === 'held' && total.key.workload !== '')
  const costs = new Map(workloadCosts.map(({ key, cost }) => [key, cost]))
  const sums = sumUsageBy(held, ({ key }) => key.workload ?? '')
  const past = pastOf(held)
  const known = new Map<WorkloadId, Workload>(snapshot.workloads.map((workload) => [workload.id, workload]))
  const ids = [...known.keys(), ...[...sums.keys()].filter((id) => !known.has(id))]
  return ids
    .map((id) => ({
      ...identityOf(id, known.get(id), past.get(id)),
      ...amountsOf(costs.get(id)),
      models: [...(past.get(id)?.models ?? [])].toSorted(),
      busy: busyOfAllocated(sums.get(id) ?? sumUsage([])),
      rightSize: sizing.of(id),
    }))
    .toSorted((a, b) => b.hours - a.hours || compareText(a.id, b.id))
}

/** What the totals tell of a workload beside its sums. */
type Past = { readonly models: Set<string>; readonly class: string }

function pastOf(held: readonly UsageTotal[]): ReadonlyMap<WorkloadId, Past> {
  const past = new Map<WorkloadId, Past>()
  for (const { key } of held) {
    const entry = past.get(key.workload ?? '') ?? { models: new Set(), class: key.workloadClass ?? '' }
    past.set(key.workload ?? '', entry)
    entry.models.add(key.model ?? '')
  }
  return past
}

type Identity = Omit<WorkloadUsage, 'hours' | 'idleHours' | 'cost' | 'idleCost' | 'models' | 'busy' | 'rightSize'>

function identityOf(id: WorkloadId, workload: Workload | undefined, past: Past | undefined): Identity {
  if (workload !== undefined) {
    const { namespace, kind, name, status, queue, requests, createdAt, startedAt, waiting } = workload
    const because = waiting === undefined ? undefined : waiting.message || waiting.reason
    return {
      id,
      namespace,
      kind,
      name,
      class: workload.class,
      status,
      queue,
      requests,
      createdAt,
      startedAt,
      waiting: because,
    }
  }
  const [namespace = '', kind = '', ...name] = id.split('/')
  return {
    id,
    namespace,
    kind,
    name: name.join('/'),
    class: CLASSES.find((known) => known === past?.class) ?? 'unknown',
    status: 'ended',
    queue: undefined,
    requests: [],
    createdAt: undefined,
    startedAt: undefined,
    waiting: undefined,
  }
}

const CLASSES: readonly WorkloadClass[] = ['training', 'inference', 'analytics', 'notebook', 'unknown']

const amountsOf = (cost: CostParts | undefined): Pick<WorkloadUsage, 'hours' | 'idleHours' | 'cost' | 'idleCost'> => ({
  hours: cost?.hours.capacity ?? hoursOf(0),
  idleHours: cost?.hours.idleHeld ?? hoursOf(0),
  cost: cost?.money?.capacity,
  idleCost: cost?.money?.idleHeld,
})
