import type { Instant, Inventory, Log, Problem, Workload, WorkloadObjects } from '@septet/domain'
import type { ApiClient } from '../connect/api-client.ts'
import { ApiError } from '../connect/api-error.ts'
import { assembleInventory } from '../assemble/assemble-inventory.ts'
import { toContactFailure, type Connection } from '../connect/connection.ts'
import { discover, readServerVersion, type KnownApis } from '../connect/discovery.ts'
import { openEventLog, type EventLog } from './event-log.ts'
import { openMirrorSet, type MirrorSet } from './mirror-set.ts'
import type { Notices } from './notices.ts'
import { openOwnerLookup, type OwnerLookup } from './owner-lookup.ts'
import { type PodFacts, parseFinishedPod } from '../read/parse-pod.ts'
import type { QueuedFacts } from '../read/queued-facts.ts'
import { trackPending } from '../assemble/pending-since.ts'
import { readProblems } from './read-problems.ts'
import { pause, type ReaderTiming } from '../connect/timing.ts'
import { listPages } from '../connect/list-pages.ts'

/** Of more than this the newest are enough to say how long work waits. */
const MOST = 2_000

/**
 * Pods that held GPUs and have finished, the newest first: read once, since the watch leaves them out and a cluster may have
 * many. Throws when they cannot be listed; one that cannot be understood is left out.
 */
async function readFinishedPods(client: ApiClient, signal: AbortSignal): Promise<readonly PodFacts[]> {
  const found: PodFacts[] = []
  for (const phase of ['Succeeded', 'Failed']) {
    const query = { fieldSelector: `status.phase=${phase}` }
    const onItem = (item: unknown): void => {
      const facts = readable(item)
      if (facts?.phase === phase) found.push(facts)
    }
    await listPages({ client, path: '/api/v1/pods', query, signal, onItem })
  }
  return found.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, MOST)
}

function readable(item: unknown): PodFacts | undefined {
  try {
    return parseFinishedPod(item)
  } catch {
    return undefined
  }
}

/** One cluster being read: lives from the first answer of its API server until the reader is stopped. */
export type WatchSession = {
  /** Keeps everything current; `onSynced` is called once, after the first full sync. Returns when stopped. */
  run(onSynced: () => void): Promise<void>
  /** Finds the owners of new pods; waits for them only a moment. Never throws. */
  prepare(): Promise<void>
  inventory(): Inventory | undefined
  objectsOf(workload: Workload): WorkloadObjects | undefined
  problems(): readonly Problem[]
}

export type SessionOptions = {
  readonly log: Log
  readonly clock: () => Instant
  readonly random: () => number
  readonly timing: ReaderTiming
  readonly operatorNamespace: string
  readonly stopping: AbortController
  readonly connection: Connection
  readonly notices: Notices
  readonly openClient: () => ApiClient
}

/** Makes contact: version and discovery. Throws when the server cannot be reached or refuses the credentials. */
export async function connectSession(options: SessionOptions): Promise<WatchSession> {
  const client = options.openClient()
  try {
    const version = await readServerVersion(client)
    const apis = await discover(client)
    return openSession(options, client, { version, apis })
  } catch (error) {
    client.close()
    throw error
  }
}

type State = {
  readonly options: SessionOptions
  readonly client: ApiClient
  readonly mirrors: MirrorSet
  readonly owners: OwnerLookup
  readonly events: EventLog
  readonly pending: Map<string, Instant>
  finished: readonly PodFacts[]
  version: string
  discoveredAt: Instant
  reloadedAt: Instant
  synced: boolean
  looking: Promise<void> | undefined
  assembled: { readonly version: number; readonly inventory: Inventory } | undefined
}

function openSession(
  options: SessionOptions,
  client: ApiClient,
  known: { readonly version: string; readonly apis: KnownApis },
): WatchSession {
  const { clock, log, notices, timing, stopping } = options
  const said = new Map<string, string>()
  const failed = (subject: string, error: unknown): void => {
    if (stopping.signal.aborted) return
    // What is forbidden is tried again and again: the log says it once.
    if (said.get(subject) !== String(error))
      log.warn('cannot read a resource', { resource: subject, error: String(error) })
    said.set(subject, String(error))
    lineFailed(state, error)
  }
  const mirrors = openMirrorSet({ ...options, client, onChange: notices.changed, onError: failed })
  const owners = openOwnerLookup({
    client,
    clock,
    signal: stopping.signal,
    retryAfter: timing.retryForbidden,
    onError: (error) => failed('owners', error),
  })
  const events = openEventLog({
    ...options,
    client,
    onChange: notices.changed,
    onError: (error) => failed('events', error),
    pods: () => mirrors.values('pods'),
    queued: () => queuedIn(mirrors),
    chainOf: owners.chainOf,
  })
  const state: State = {
    options,
    client,
    mirrors,
    owners,
    events,
    pending: new Map(),
    finished: [],
    version: known.version,
    discoveredAt: clock(),
    reloadedAt: clock(),
    synced: false,
    looking: undefined,
    assembled: undefined,
  }
  return {
    run: (onSynced) => run(state, known.apis, onSynced),
    prepare: () => prepare(state),
    inventory: () => (state.synced ? currentInventory(state) : undefined),
    objectsOf: (workload) => (state.synced ? events.objectsOf(workload) : undefined),
    problems: () => problemsOf(state),
  }
}

const problemsOf = ({ mirrors, owners, events, options }: State): readonly Problem[] =>
  readProblems({ mirrors, owners, events }, options)

async function run(state: State, apis: KnownApis, onSynced: () => void): Promise<void> {
  const { stopping, timing } = state.options
  await state.mirrors.arrange(apis)
  const syncing = firstSync(state, apis, onSynced)
  while (!stopping.signal.aborted) {
    await pause(timing.heartbeat, stopping.signal)
    if (!stopping.signal.aborted) await upkeep(state)
  }
  await Promise.all([state.mirrors.stop(), state.events.stop()])
  await Promise.all([syncing, state.looking])
  state.client.close()
}

async function firstSync(state: State, apis: KnownApis, onSynced: () => void): Promise<void> {
  await state.mirrors.settled()
  await Promise.all([lookUpOwners(state), lookBack(state)])
  if (state.options.stopping.signal.aborted) return
  state.synced = true
  // Only once it is known whose they are: a busy cluster has many events, and few are of GPU pods.
  state.events.start(apis)
  onSynced()
  state.options.notices.changed()
}

/** Without what has finished the past waits are those that were watched: less is known, and nothing is wrong. */
async function lookBack(state: State): Promise<void> {
  const { stopping, log } = state.options
  try {
    state.finished = await readFinishedPods(state.client, stopping.signal)
  } catch (error) {
    if (!stopping.signal.aborted) log.warn('cannot list finished pods', { error: String(error) })
  }
}

async function upkeep(state: State): Promise<void> {
  const { clock, connection, timing, notices } = state.options
  const silentFor = clock() - (connection.lastContact() ?? 0)
  // By a clock that was set back it is not known since when.
  const isSilent = silentFor >= timing.heartbeat || silentFor < 0
  if (isSilent || connection.failure() !== undefined) await probe(state)
  if (clock() - state.discoveredAt >= timing.rediscover) await rediscover(state)
  state.events.sort()
  // In a quiet cluster nothing else would ask for owners again once they are granted.
  if (state.owners.isDue()) notices.changed()
  // A pending MIG change becomes a problem by time alone.
  if (state.pending.size > 0) notices.changed()
}

// Watches on a dead line may hang for long; asking for the version tells at once.
async function probe(state: State): Promise<void> {
  try {
    state.version = await readServerVersion(state.client, state.options.timing.probe)
  } catch (error) {
    if (state.options.stopping.signal.aborted) return
    const { connection } = state.options
    const before = connection.failure()
    lineFailed(state, error)
    connection.failed(toContactFailure(error))
    if (before !== undefined || connection.failure() === undefined) return
    state.mirrors.cut()
    state.events.cut()
  }
}

async function rediscover(state: State): Promise<void> {
  state.discoveredAt = state.options.clock()
  try {
    await state.mirrors.arrange(await discover(state.client))
  } catch (error) {
    lineFailed(state, error)
  }
}

function lineFailed(state: State, error: unknown): void {
  const { connection, clock, timing } = state.options
  connection.failed(error)
  if (!(error instanceof ApiError) || error.status !== 401) return
  if (clock() - state.reloadedAt < timing.heartbeat) return
  state.reloadedAt = clock()
  try {
    state.client.reload()
  } catch (unusable) {
    connection.failed(unusable)
  }
}

/** Longest that a notice waits for owners, milliseconds; until then names follow the rules. */
const OWNER_WAIT = 1000

async function prepare(state: State): Promise<void> {
  trackPending(state.pending, state.mirrors.values('nodes'), state.options.clock())
  if (!state.synced || state.looking !== undefined) return
  const done = new AbortController()
  const looking = lookUpOwners(state).finally(() => {
    state.looking = undefined
    state.assembled = undefined
    if (!done.signal.aborted) done.abort()
    else state.options.notices.changed()
  })
  state.looking = looking
  await Promise.race([looking, pause(OWNER_WAIT, done.signal)])
  done.abort()
}

const lookUpOwners = (state: State): Promise<void> => state.owners.lookUp([...state.mirrors.values('pods')])

function currentInventory(state: State): Inventory {
  const { connection, notices, clock } = state.options
  const takenAt = connection.lastContact() ?? clock()
  const version = notices.version()
  if (state.assembled?.version !== version) {
    state.assembled = { version, inventory: assemble(state, takenAt) }
  }
  const { inventory } = state.assembled
  // What was read is as fresh as the last word of the server, though nothing has changed since.
  return inventory.takenAt === takenAt ? inventory : { ...inventory, takenAt }
}

/** Where several say of one owner what holds it back, the last counts: Kueue comes before a scheduler. */
const queuedIn = (mirrors: MirrorSet): readonly QueuedFacts[] => [
  ...mirrors.values('podgroups.scheduling.volcano.sh'),
  ...mirrors.values('workloads'),
]

const assemble = (state: State, takenAt: Instant): Inventory =>
  assembleInventory({
    nodes: state.mirrors.values('nodes'),
    pods: state.mirrors.values('pods'),
    finishedPods: state.finished,
    hostUse: state.mirrors.hostUse(),
    bystanders: state.mirrors.bystanders(),
    menus: state.mirrors.values('configmaps'),
    slices: state.mirrors.values('resourceslices'),
    claims: state.mirrors.values('resourceclaims'),
    queuedWork: queuedIn(state.mirrors),
    clusterQueues: state.mirrors.values('clusterqueues'),
    localQueues: state.mirrors.values('localqueues'),
    flavors: state.mirrors.values('resourceflavors'),
    cohorts: state.mirrors.values('cohorts'),
    limitedQueues: [
      ...state.mirrors.values('queues.scheduling.volcano.sh'),
      ...state.mirrors.values('queues.scheduling.run.ai'),
    ],
    budgets: state.mirrors.values('poddisruptionbudgets'),
    quotas: state.mirrors.values('resourcequotas'),
    namespaces: state.mirrors.values('namespaces'),
    priorityClasses: state.mirrors.values('priorityclasses'),
    chainOf: state.owners.chainOf,
    pendingSince: (node) => state.pending.get(node),
    now: state.options.clock(),
    takenAt,
    serverVersion: state.version,
    problems: problemsOf(state),
  })
