import type { WorkloadId } from '../cluster/workload.ts'

/**
 * The workload that a pod's name points to, where its owner is not known any more: the name without what controllers
 * append. Deployments add a hash of the template and five letters, Jobs five letters, CronJobs a time before that,
 * StatefulSets a number. Kubernetes draws the letters from an alphabet without vowels and look-alikes.
 */
export const workloadStem = (pod: string): string =>
  pod
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}$/u, '')
    .replace(/-(?=\d*[a-z])[bcdfghjklmnpqrstvwxz2456789]{8,10}$/u, '')
    .replace(/-\d+$/u, '')

/** The id that such a workload gets: as if a bare pod of that name owned itself. */
export const workloadOfStem = (namespace: string, stem: string): WorkloadId => `${namespace}/Pod/${stem}`
