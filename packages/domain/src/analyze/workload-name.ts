import type { WorkloadId } from '../cluster/workload.ts'

/**
 * The workload that a pod's name points to, where its owner is not known any more: the name without what controllers
 * append. Deployments add a hash of the template and five letters, Jobs five letters, StatefulSets a number.
 */
export const workloadStem = (pod: string): string =>
  pod
    .replace(/-[bcdf-hj-np-tv-xz2-9]{5}$/u, '')
    .replace(/-(?=[0-9]*[a-z])[bcdf-hj-np-tv-xz2-9]{8,10}$/u, '')
    .replace(/-\d{1,5}$/u, '')

/** The id that such a workload gets: as if a bare pod of that name owned itself. */
export const workloadOfStem = (namespace: string, stem: string): WorkloadId => `${namespace}/Pod/${stem}`
