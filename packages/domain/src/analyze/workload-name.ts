import type { Workload, WorkloadId } from '../cluster/workload.ts'

/** Letters that Kubernetes draws from: no vowels and no look-alikes. */
const DRAWN = '[bcdfghjklmnpqrstvwxz2456789]'
/** What controllers append to their own name: a hash and five letters, an index, a time, by kind. */
const APPENDED: Readonly<Record<string, RegExp>> = {
  Deployment: new RegExp(`^-${DRAWN}{1,10}-${DRAWN}{5}$`, 'u'),
  ReplicaSet: new RegExp(`^-${DRAWN}{5}$`, 'u'),
  DaemonSet: new RegExp(`^-${DRAWN}{5}$`, 'u'),
  StatefulSet: /^-\d+$/u,
  Job: new RegExp(`^(-\\d+)?-${DRAWN}{5}$`, 'u'),
  CronJob: new RegExp(`^-\\d+(-\\d+)?-${DRAWN}{5}$`, 'u'),
}

/** Whether a controller of that kind and name calls its pods so. */
export const mayOwn = ({ kind, name }: Pick<Workload, 'kind' | 'name'>, pod: string): boolean =>
  pod.startsWith(name) && APPENDED[kind]?.test(pod.slice(name.length)) === true

/**
 * The workload that the name of a pod points to, where nothing recorded its owner: what is left without the letters that
 * were drawn. Digits may be a part of the name that its owner was given, so they stay.
 */
export const workloadStem = (pod: string): string =>
  pod.replace(new RegExp(`-${DRAWN}{5}$`, 'u'), '').replace(new RegExp(`-(?=\\d*[a-z])${DRAWN}{8,10}$`, 'u'), '')

/** The id that such a workload gets: as if a bare pod of that name owned itself. */
export const workloadOfStem = (namespace: string, stem: string): WorkloadId => `${namespace}/Pod/${stem}`
