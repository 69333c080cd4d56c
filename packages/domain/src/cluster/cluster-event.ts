import type { Instant } from '../units.ts'

/** What can happen to a cluster and is kept. */
const CLUSTER_EVENT_KINDS = [
  'xid',
  'xid-cleared',
  'mig-change',
  'mig-change-failed',
  'node-joined',
  'node-gone',
  'telemetry-missing',
  'telemetry-back',
] as const
export type ClusterEventKind = (typeof CLUSTER_EVENT_KINDS)[number]

/** Something that happened to a cluster, as Septet saw it. */
export type ClusterEvent = {
  /** The same for the same event, whoever saw it and however often it is written. */
  readonly id: string
  readonly cluster: string
  /** When it was seen, which may be later than when it happened: the message says so where it is known. */
  readonly at: Instant
  readonly kind: ClusterEventKind
  /** `gpu/UUID`, `node/NAME` or `target/ADDRESS`. */
  readonly object: string
  /** Of the pod that held the object then; undefined where nobody did, or several namespaces. */
  readonly namespace: string | undefined
  /** One sentence for people. */
  readonly message: string
  readonly figures: Readonly<Record<string, string | number>>
}

export type ClusterEventQuery = {
  readonly cluster: string
  /** Only events of these objects. */
  readonly objects?: readonly string[]
  readonly kinds?: readonly ClusterEventKind[]
  /** This instant and later. */
  readonly from?: Instant
  /** Before this instant. */
  readonly to?: Instant
  readonly limit: number
  /** Only what comes after this event in the list, for the next page. */
  readonly before?: Pick<ClusterEvent, 'at' | 'id'>
}
