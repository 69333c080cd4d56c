import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { GpuRequest, Pod } from '../cluster/workload.ts'
import { compareText, type Seconds, seconds } from '../units.ts'
import { quantileOfSorted } from './distribution.ts'
import { type Figure, known, unknown } from './figure.ts'

export type QueueFigures = {
  /** From creation to binding, over the pods of the snapshot that are bound; seconds. */
  readonly waitP50: Figure<Seconds>
  readonly waitP95: Figure<Seconds>
  readonly pendingPods: number
  readonly pendingWorkloads: number
  readonly runningWorkloads: number
  /** What queued workloads ask for, by resource, also before their pods are made. */
  readonly unmet: readonly GpuRequest[]
  readonly queues: ReadonlyArray<{ readonly name: string; readonly pending: number; readonly admitted: number }>
}

/**
 * Queue wait = bind time − creation of GPU pods, seconds, p50 and p95 over the pods of the snapshot that are bound;
 * coverage is their share of all pods, as those that still wait have no wait time yet. Unmet requests = GPUs asked for
 * by queued workloads, by resource: a queue may hold work back before there is a pod of it.
 */
export function queueFigures(snapshot: Pick<ClusterSnapshot, 'pods' | 'workloads' | 'queues'>): QueueFigures {
  const waits = snapshot.pods.flatMap((pod) => waitOf(pod) ?? []).toSorted((a, b) => a - b)
  const pending = snapshot.pods.filter((pod) => pod.node === undefined && pod.phase === 'Pending')
  const queued = snapshot.workloads.filter(({ status }) => status === 'queued')
  const coverage = waits.length / Math.max(1, snapshot.pods.length)
  const wait = (share: number): Figure<Seconds> => {
    const value = quantileOfSorted(waits, share)
    return value === undefined ? unknown('No pod that asks for a GPU was started.') : known(seconds(value), coverage)
  }
  return {
    waitP50: wait(0.5),
    waitP95: wait(0.95),
    pendingPods: pending.length,
    pendingWorkloads: queued.length,
    runningWorkloads: snapshot.workloads.filter(({ status }) => status === 'running').length,
    unmet: sumRequests(queued.flatMap(({ requests }) => requests)),
    queues: snapshot.queues
      .map(({ name, pendingWorkloads, admittedWorkloads }) => ({
        name,
        pending: pendingWorkloads,
        admitted: admittedWorkloads,
      }))
      .toSorted((a, b) => compareText(a.name, b.name)),
  }
}

/** How long a pod waited for a node, seconds; undefined while it waits. Never negative, whatever the clocks say. */
const waitOf = ({ createdAt, startedAt }: Pod): number | undefined =>
  startedAt === undefined ? undefined : Math.max(0, (startedAt - createdAt) / 1000)

/** Requests added up by resource, by name. */
function sumRequests(requests: readonly GpuRequest[]): GpuRequest[] {
  const counts = new Map<string, number>()
  for (const { resource, count } of requests) counts.set(resource, (counts.get(resource) ?? 0) + count)
  return [...counts]
    .map(([resource, count]) => ({ resource, count }))
    .toSorted((a, b) => compareText(a.resource, b.resource))
}
