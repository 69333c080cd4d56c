import type { Instant, Workload, WorkloadId, WorkloadObjects } from '@septet/domain'
import type { ApiClient } from '../connect/api-client.ts'
import type { KnownApis } from '../connect/discovery.ts'
import { openEventStore } from './event-store.ts'
import { openMirror, type Mirror } from './mirror.ts'
import type { OwnerChain } from '../read/owner-chain.ts'
import type { QueuedFacts } from '../read/queued-facts.ts'
import type { PodFacts } from '../read/parse-pod.ts'
import { ruleOf } from '../connect/resources.ts'
import type { ReaderTiming } from '../connect/timing.ts'

/** Keeps recent events of GPU workloads by list and watch, beginning once pods and owners are known. */
export type EventLog = {
  start(apis: KnownApis): void
  /** Says again whose the events are: pods and owners may have come since. */
  sort(): void
  objectsOf(workload: Workload): WorkloadObjects
  /** Why events cannot be read now; undefined while all is well, and before it has begun. */
  trouble(): Error | undefined
  cut(): void
  stop(): Promise<void>
}

export type EventLogOptions = {
  readonly client: ApiClient
  readonly timing: ReaderTiming
  readonly clock: () => Instant
  readonly random: () => number
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
  /** What is known of the cluster now. */
  readonly pods: () => Iterable<PodFacts>
  readonly queued: () => Iterable<QueuedFacts>
  readonly chainOf: (pod: PodFacts) => OwnerChain
}

export function openEventLog(options: EventLogOptions): EventLog {
  let index: ReadonlyMap<string, WorkloadId> = new Map()
  let mirror: Mirror | undefined
  const store = openEventStore({ workloadOf: (about) => index.get(about), clock: options.clock })
  const sort = (): void => {
    index = indexOf(options)
    store.sort()
  }
  return {
    start(apis) {
      const base = apis.get('events')
      if (mirror !== undefined || base === undefined) return
      sort()
      const { query } = ruleOf('events')
      mirror = openMirror({ ...options, path: `${base}/events`, query, store, optional: true })
    },
    sort,
    objectsOf(workload) {
      sort()
      return { owners: ownersOf(workload, options), events: store.of(workload.id), eventsMissing: missingWords(mirror) }
    },
    trouble: () => mirror?.trouble(),
    cut: () => mirror?.cut(),
    async stop() {
      await mirror?.stop()
    },
  }
}

function missingWords(mirror: Mirror | undefined): string | undefined {
  const trouble = mirror?.trouble()
  if (trouble !== undefined) return `Events cannot be read now: ${trouble.message}`
  return mirror?.synced() === true ? undefined : 'Events are being read for the first time.'
}

/** Whose every known object is: pods, what owns them, and what is queued for them, as `namespace/Kind/name`. */
function indexOf({ pods, queued, chainOf }: EventLogOptions): ReadonlyMap<string, WorkloadId> {
  const index = new Map<string, WorkloadId>()
  const byUid = new Map<string, WorkloadId>()
  for (const pod of pods()) {
    const { kind, name, owners, uids } = chainOf(pod)
    const workload = `${pod.namespace}/${kind}/${name}`
    index.set(`${pod.namespace}/Pod/${pod.name}`, workload)
    for (const owner of owners) index.set(`${pod.namespace}/${owner.kind}/${owner.name}`, workload)
    byUid.set(pod.uid, workload)
    for (const uid of uids) byUid.set(uid, workload)
  }
  for (const facts of queued()) {
    const { namespace, name, owner } = facts
    const workload = facts.ownerUids.map((uid) => byUid.get(uid)).find((id) => id !== undefined) ?? heldBack(facts)
    index.set(`${namespace}/${facts.queueOwner === undefined ? 'Workload' : 'PodGroup'}/${name}`, workload)
    if (owner !== undefined) index.set(`${namespace}/${owner.kind}/${owner.name}`, workload)
  }
  return index
}

/** Work that its queue holds back before it has pods. */
const heldBack = ({ namespace, name, owner }: QueuedFacts): WorkloadId =>
  owner === undefined ? `${namespace}/Workload/${name}` : `${namespace}/${owner.kind}/${owner.name}`

function ownersOf({ pods: wanted }: Workload, { pods, chainOf }: EventLogOptions): WorkloadObjects['owners'] {
  const names = new Set(wanted)
  const own = [...pods()].filter(({ namespace, name }) => names.has(`${namespace}/${name}`))
  return new Map(own.map((pod) => [`${pod.namespace}/${pod.name}`, chainOf(pod).owners]))
}
