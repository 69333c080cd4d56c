import type { ClusterSnapshot } from '@septet/domain'

/** Orders where whoever may make a pod can write beside its name: its labels, and what a scheduler says of it in an event. */
export const withOrders = (snapshot: ClusterSnapshot, order: string): ClusterSnapshot => ({
  ...snapshot,
  workloads: snapshot.workloads.map((workload) => ({
    ...workload,
    labels: { ...workload.labels, note: order },
    ...(workload.status === 'queued' ? { waiting: { reason: 'Unschedulable', message: order } } : {}),
  })),
})
