import type { Instant } from '../../units.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import type { AdmissionVerdict } from './decide-admission.ts'

/** What was answered about one new pod, where something was said. Whether the pod then came to be is for others to decide. */
export type AdmissionRecord = {
  readonly at: Instant
  readonly namespace: string
  /** Its name, or how it begins. */
  readonly pod: string
  readonly workload: WorkloadId
  readonly kind: Exclude<AdmissionVerdict['kind'], 'silent'>
  /** The resource that would do, or that it was given; undefined: none would. */
  readonly suggested: string | undefined
  /** What whoever created it was told. */
  readonly said: string
}

/** What was answered, in rows that are only added. */
export type AdmissionStore = {
  add(cluster: string, records: readonly AdmissionRecord[]): Promise<void>
  /** Newest first; with namespaces of these alone. */
  list(query: AdmissionQuery & { readonly limit: number }): Promise<readonly AdmissionRecord[]>
  /** How many of each kind there are since an instant. */
  count(query: AdmissionQuery & { readonly since: Instant }): Promise<Readonly<Record<AdmissionRecord['kind'], number>>>
  /** How many pods of a cluster were changed since an instant. It may be asked every second. */
  countChanged(query: { readonly cluster: string; readonly since: Instant }): Promise<number>
  /** Drops what is older. Returns how many went. */
  prune(before: Instant): Promise<number>
  /** Deletes every row of a cluster. */
  forget(cluster: string): Promise<void>
}

type AdmissionQuery = { readonly cluster: string; readonly namespaces?: readonly string[] }
