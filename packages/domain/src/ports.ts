import type { AccessStore } from './access/access-store.ts'
import type { PersonStore } from './access/person-store.ts'
import type { ActionStore, Fence } from './act/action-store.ts'
import type { AdmissionStore } from './act/admission/admission-store.ts'
import type { Alert, AlertMark, AlertQuery } from './alert/alert.ts'
import type { Delivery, DeliveryAttempt, DeliveryQuery } from './alert/delivery.ts'
import type { GpuStay } from './analyze/gpu-stay.ts'
import type { HistoryBatch } from './analyze/historic-usage.ts'
import type { IdlePolicy } from './analyze/policy.ts'
import type { TelemetryReading } from './analyze/sample.ts'
import type { StoredUsage } from './analyze/stored-usage.ts'
import type { Span, TotalsQuery, UsageQuery, UsageRow, UsageTotal } from './analyze/usage.ts'
import type { PastWait } from './analyze/past-wait.ts'
import type { WaitStretch, WaitTotal } from './analyze/waits.ts'
import type { AgentStore } from './analyze/agent-store.ts'
import type { ClusterEvent, ClusterEventQuery } from './cluster/cluster-event.ts'
import type { ClusterSnapshot, Inventory } from './cluster/inventory.ts'
import type { Problem } from './cluster/node.ts'
import type { WorkloadObjects } from './cluster/workload-objects.ts'
import type { Workload } from './cluster/workload.ts'
import type { PriceBook, PriceEntry } from './cost/price.ts'
import type { Advice } from './plan/recommend/recommend.ts'
import type { Dismissal } from './plan/recommend/recommendation.ts'
import type { Instant, Window } from './units.ts'

/** Keeps what the Kubernetes API says current. `start` returns after the first full sync, or throws a `ConnectError`. */
export type ClusterReader = {
  start(): Promise<void>
  /** The newest inventory; undefined before the first sync. Stays available while the API server is away. */
  inventory(): Inventory | undefined
  /** Called (debounced by the reader to at most about 4 times a second) when the inventory has changed. */
  onChange(listener: () => void): void
  state(): ConnectionState
  /** What the API tells of one workload of the inventory beside it: owners and recent events. Undefined before the first sync. */
  objectsOf(workload: Workload): WorkloadObjects | undefined
  stop(): Promise<void>
}

export type ConnectionState = {
  readonly kind: 'connecting' | 'connected' | 'disconnected'
  /** When the API server last answered. */
  readonly lastContact: Instant | undefined
  readonly problems: readonly Problem[]
}

/** One reading of every device now. Throws only when nothing at all could be read. */
export type TelemetryReader = {
  read(): Promise<TelemetryReading>
  close(): Promise<void>
}

/** Usage of past time, where an engine keeps samples. Rows come in batches, newest bucket first. */
export type HistoryReader = {
  history(query: HistoryQuery): AsyncIterable<HistoryBatch>
}
export type HistoryQuery = {
  readonly window: Window
  readonly span: Span
  /** What counts as idle. */
  readonly idle: IdlePolicy
  readonly signal?: { readonly aborted: boolean }
}
export type ClusterRecord = {
  readonly id: string
  readonly name: string
  readonly kind: 'cluster' | 'demo'
  readonly createdAt: Instant
}

export type ClusterStore = {
  upsert(cluster: ClusterRecord): Promise<void>
  list(): Promise<readonly ClusterRecord[]>
  /** Forgets a cluster with its snapshots, read model, recommendations and dismissals. Its usage stays. */
  remove(id: string): Promise<void>
}
export type SnapshotStore = {
  save(snapshot: ClusterSnapshot): Promise<void>
  latest(cluster: string): Promise<ClusterSnapshot | undefined>
}
export type UsageStore = {
  /**
   * Writes or overwrites rows by (cluster, span, at, partition, pod). Idempotent; all or nothing. `worked` says up to which
   * reading of an agent usage is stored with them.
   */
  write(cluster: string, rows: readonly UsageRow[], worked?: Instant): Promise<void>
  rows(query: UsageQuery): Promise<readonly UsageRow[]>
  totals(query: TotalsQuery): Promise<readonly UsageTotal[]>
  /** Held rows put together by pod and kind of partition, by pod. */
  stays(query: UsageQuery): Promise<readonly GpuStay[]>
  /** First and last bucket stored, per span; undefined when there is none. */
  coverage(cluster: string, span: Span): Promise<Window | undefined>
  /** Makes hourly rows from 5-minute rows and daily rows from hourly rows for every bucket that has ended. Idempotent. */
  rollUp(cluster: string, now: Instant): Promise<void>
  /** Drops what is older than retention says. Returns how many rows or partitions went. */
  prune(retention: Retention, now: Instant): Promise<number>
  /** Deletes every row of a cluster. */
  forget(cluster: string): Promise<void>
  /** What is stored of all clusters, per span and oldest first, in the parts that `prune` drops whole. */
  stored(): Promise<StoredUsage>
}
/** Seconds for which rows of each span are kept. */
export type Retention = Readonly<Record<Span, number>>
/** How long work waited, and for what. */
export type WaitStore = {
  /** Writes or overwrites stretches by (cluster, waiter, from). Idempotent; all or nothing. */
  write(cluster: string, stretches: readonly WaitStretch[]): Promise<void>
  /** The last stretch of each of these waiters that has one. */
  last(cluster: string, waiters: readonly string[]): Promise<readonly WaitStretch[]>
  /** Sums of what lies in a window, cut to the millisecond, by workload, cause and change. */
  totals(query: WaitQuery): Promise<readonly WaitTotal[]>
  /** Whole waits for one ask that ended in a window or go on, the newest first; at most so many. */
  past(query: PastWaitQuery): Promise<readonly PastWait[]>
  /** Drops what ended before. Returns how many stretches went. */
  prune(before: Instant): Promise<number>
  /** Deletes every stretch of a cluster. */
  forget(cluster: string): Promise<void>
}
export type PastWaitQuery = Pick<UsageQuery, 'cluster' | 'window' | 'namespaces'> & {
  /** As `WaitStretch.asks` says it. */
  readonly asks: string
  readonly limit: number
}
/** Namespaces and workloads as in a `UsageQuery`. */
export type WaitQuery = Pick<UsageQuery, 'cluster' | 'window' | 'workloads' | 'namespaces'>
export type PriceStore = {
  list(): Promise<PriceBook>
  put(entry: PriceEntry): Promise<void>
  remove(id: string): Promise<void>
}
/** One piece of what is known of a cluster now; one without bytes is gone. */
export type ModelSection = {
  readonly key: string
  /** Counts all that is written of one cluster, so that whoever knows one version can ask for what came after it. */
  readonly version: number
  readonly bytes: Uint8Array | undefined
}
/** The newest read model of each cluster: its pipeline writes it, and any server that shares the store answers from it. */
export type ReadModelStore = {
  /** Writes sections over those of the same key, each key once, and deletes those that are gone. All or nothing. */
  write(cluster: string, sections: readonly ModelSection[]): Promise<void>
  /** Sections above a version, lowest first. */
  read(cluster: string, after: number): Promise<readonly ModelSection[]>
  /** The highest there is; undefined where none is, also after a crash of the engine, which may forget all sections. */
  version(cluster: string): Promise<number | undefined>
  /** Deletes every section: another pipeline begins. */
  forget(cluster: string): Promise<void>
}
/**
 * Which of several servers watches a cluster. A lead is over when it was not renewed in time, by the store's clock. The
 * store of anyone who has opened it under a lead refuses their writes once that is another's.
 */
export type LeadStore = {
  /** Takes a lead that is free or over, for so long, milliseconds. Undefined: another has it, or is writing still. */
  take(cluster: string, holder: string, forMs: number): Promise<Fence | undefined>
  /** Those of them that were not taken meanwhile go on for so long from now. */
  renew(leads: readonly Fence[], forMs: number): Promise<readonly Fence[]>
  /** Gives it up, so that the next need not wait. */
  release(lead: Fence): Promise<void>
  /** Takes it from whoever has it, once what they are writing is finished. */
  revoke(cluster: string): Promise<void>
  /** Asks whoever has it to give it up, where nobody has asked yet. */
  ask(cluster: string, holder: string): Promise<void>
  /** The clusters that somebody leads now, or has led within so many milliseconds. */
  led(withinMs?: number): Promise<readonly Led[]>
}
/** Who leads a cluster, or led it last, and which server asks for it. */
export type Led = { readonly cluster: string; readonly holder: string | undefined; readonly asked: string | undefined }
/** What the planner recommends now, and what people said no to. */
export type RecommendationStore = {
  /** Replaces a cluster's recommendations, in their order. Dismissals stay. */
  replace(cluster: string, fresh: RecommendationSet): Promise<void>
  /** Undefined before the first were made. */
  current(cluster: string): Promise<RecommendationSet | undefined>
  /** Keeps a no; a second one for the same recommendation replaces the first. */
  dismiss(dismissal: Dismissal): Promise<void>
  /** Takes a no back. */
  restore(cluster: string, id: string): Promise<void>
  dismissals(cluster: string): Promise<readonly Dismissal[]>
}
/** Recommendations that were made together, best first. */
export type RecommendationSet = Pick<Advice, 'recommendations'> & {
  readonly madeAt: Instant
  /** What was judged: over which time, and whether any of what pods held in it was measured. */
  readonly judged?: { readonly window: Window; readonly isMeasured: boolean }
} & Partial<Advice>
export type SettingStore = {
  get(key: string): Promise<unknown>
  put(key: string, value: unknown): Promise<void>
  /** Puts it in place of `before`, undefined where there is none; false, and nothing is written, where something else stands there. */
  replace(key: string, before: unknown, value: unknown): Promise<boolean>
}

/** What happened to clusters. */
export type ClusterEventStore = {
  /** Adds what is not there yet, by id. All or nothing. */
  add(cluster: string, events: readonly ClusterEvent[]): Promise<void>
  /** Newest first, of one instant by id. */
  list(query: ClusterEventQuery): Promise<readonly ClusterEvent[]>
  /** Drops what is older. Returns how many went. */
  prune(before: Instant): Promise<number>
}
export type AlertStore = {
  /**
   * Writes or replaces alerts by id, with what is to be sent of them, all or nothing. Of an alert that is there it leaves
   * alone what people marked. One that is over and never fired is forgotten.
   */
  write(alerts: readonly Alert[], deliveries: readonly Delivery[]): Promise<void>
  get(id: string): Promise<Alert | undefined>
  /** Newest first, by when they began. */
  list(query: AlertQuery): Promise<readonly Alert[]>
  /** How many there are, whatever `limit` would leave. */
  count(query: Omit<AlertQuery, 'limit'>): Promise<number>
  /** Those that are not over, and of each fingerprint the last one that is over and silenced past `now`. */
  current(cluster: string, now: Instant): Promise<readonly Alert[]>
  /** What a person did; the alert as it is then, undefined when there is none. */
  mark(id: string, mark: AlertMark): Promise<Alert | undefined>
  /** Drops what was over before. Returns how many went. */
  prune(before: Instant): Promise<number>
  readonly deliveries: DeliveryStore
}
/** Messages that were sent or wait to be. */
export type DeliveryStore = {
  /** Adds it unless one with its id is there. */
  add(delivery: Delivery): Promise<void>
  get(id: string): Promise<Delivery | undefined>
  /** Newest first. */
  list(query: DeliveryQuery): Promise<readonly Delivery[]>
  /** Waiting ones whose time has come, the longest due first. */
  due(now: Instant, limit: number): Promise<readonly Delivery[]>
  /** Logs a try, and the delivery as it is after it, both or neither. */
  record(attempt: DeliveryAttempt, after: Pick<Delivery, 'state' | 'nextAt'>): Promise<void>
  /** Puts it back among the waiting ones; false when there is none. */
  retry(id: string, when: Pick<Delivery, 'giveUpAt'> & { readonly nextAt: Instant }): Promise<boolean>
  /** Of these deliveries, first try first. */
  attempts(deliveries: readonly string[]): Promise<readonly DeliveryAttempt[]>
  /** Drops those that do not wait and were made before, with their tries. Returns how many deliveries went. */
  prune(before: Instant): Promise<number>
}

/** What one server notes for a while, for others on its database to find. */
export type Note = {
  readonly kind: string
  readonly id: string
  readonly owner: string
  readonly at: Instant
  readonly until: Instant
  readonly bytes: Uint8Array
}
/** Notes by kind and id. After a crash of the engine all may be gone. */
export type NoteStore = {
  /** Adds one, in the place of one whose time was over at `at`; false, and nothing is written, where another stands there. */
  add(note: Note): Promise<boolean>
  /** Writes one that is there anew; false where it is gone. */
  renew(note: Pick<Note, 'kind' | 'id' | 'until' | 'bytes'>): Promise<boolean>
  /** Also one whose time is over, until it is pruned. */
  get(kind: string, id: string): Promise<Note | undefined>
  /** Newest first. */
  newest(kind: string, limit: number): Promise<readonly Note[]>
  /** Adds one, unless its owner has so many of its kind that are not over: then gives when the first of those is. */
  addUpTo(most: number, note: Note): Promise<Instant | undefined>
  remove(kind: string, id: string): Promise<void>
  /** Drops all but so many of a kind, the oldest first. */
  trim(kind: string, most: number): Promise<void>
  /** Drops what was over before. */
  prune(before: Instant): Promise<void>
}
/** What servers on one database tell one another at once. Nothing is kept: a server that does not listen misses it. */
export type NoticeBoard = {
  /** Tells everyone who listens, in order, the sender too. A text has up to 7,900 bytes. All or nothing. */
  post(texts: readonly string[]): Promise<void>
  /** Resolves once it listens, by a connection of its own, or tries to: one that is cut is opened again, again and again. */
  listen(ears: NoticeEars): Promise<{ stop(): Promise<void> }>
}
export type NoticeEars = {
  readonly heard: (text: string) => void
  /** The connection was cut: nothing is heard until it is open again. */
  readonly cut: () => void
  /** It is open again, and what was told meanwhile was missed. */
  readonly missed: () => void
  /** It is not opened again: the database may be used no more, for this reason. */
  readonly refused: (error: Error) => void
}

export type StoredTables = {
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[]
  readonly migrations: readonly number[]
}

/** Everything that is kept. One suite (`storeBehaves`) holds on every PostgreSQL that it may stand on. */
export type Store = {
  readonly clusters: ClusterStore
  readonly snapshots: SnapshotStore
  readonly usage: UsageStore
  readonly waits: WaitStore
  readonly prices: PriceStore
  readonly readModels: ReadModelStore
  readonly recommendations: RecommendationStore
  readonly settings: SettingStore
  readonly events: ClusterEventStore
  readonly alerts: AlertStore
  readonly actions: ActionStore
  readonly admissions: AdmissionStore
  readonly agents: AgentStore
  readonly leads: LeadStore
  readonly access: AccessStore
  readonly people: PersonStore
  readonly notes: NoteStore
  readonly notices: NoticeBoard
  /** Resolves when the engine answers; throws a sentence that says what failed and what to do. */
  ping(): Promise<void>
  /** Every table by name with its size, largest first, and when each migration that it has was written. */
  tables(): Promise<StoredTables>
  /** What engine it is; undefined what it does not tell. */
  describe(): Promise<{ readonly version: string | undefined; readonly bytes: number | undefined }>
  close(): Promise<void>
}
