import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import {
  instant,
  seconds,
  type AgentSeen,
  type AgentStore,
  type ClusterReader,
  type ClusterRecord,
  type ConnectionState,
  type HistoryReader,
  type Instant,
  type Inventory,
  type Log,
  type Problem,
  type Seconds,
  type StoredReading,
  type TelemetryReader,
  type TelemetryReading,
  type HistoryBatch,
  type HistoryQuery,
} from '@septet/domain'
import { unpackReading, unpackPast, type AgentReading, type AgentPast } from '@septet/plan-files'

/** Readings that were taken elsewhere: the pipeline works on one after the other, each as of when it was taken. */
export type ReadingFeed = {
  /** Goes on to the next one, which reader and telemetry then tell; false where none waits. */
  next(): Promise<boolean>
  /** When the current one was taken, and how far it is from others. */
  at(): Instant
  interval(): Seconds
  /** Up to which reading usage was stored when this process began; 0: none. */
  workedTo(): Instant
  /** In words why nothing comes; undefined while something does. */
  silence(): string | undefined
}

export type AgentFeedParts = {
  readonly record: ClusterRecord
  readonly agents: Pick<AgentStore, 'worked' | 'after' | 'seen' | 'wish' | 'takePast'>
  readonly log: Log
  readonly clock: () => Instant
  readonly pollSeconds: number
}

const AT_ONCE = 16
/** An agent says a word every ten seconds, however seldom it reads: one that was not heard of for so long is silent, milliseconds. */
const SILENT_MS = 25_000

/** What the agent inside a cluster has sent, as if the cluster were read from here. */
export class AgentFeed implements ReadingFeed {
  readonly #parts: AgentFeedParts
  #begun = false
  #workedTo = instant(0)
  #position = instant(0)
  #waiting: StoredReading[] = []
  #current: AgentReading | undefined
  #inventory: Inventory | undefined
  #seen: AgentSeen | undefined
  #refused: Problem | undefined

  constructor(parts: AgentFeedParts) {
    this.#parts = parts
  }

  at = (): Instant => this.#current?.at ?? this.#workedTo
  interval = (): Seconds => this.#current?.interval ?? seconds(this.#parts.pollSeconds)
  workedTo = (): Instant => this.#workedTo

  async next(): Promise<boolean> {
    if (!this.#begun) await this.#begin()
    const { agents, record } = this.#parts
    if (this.#waiting.length === 0) this.#waiting = [...(await agents.after(record.id, this.#position, AT_ONCE))]
    for (let row = this.#waiting.shift(); row !== undefined; row = this.#waiting.shift()) {
      this.#position = row.at
      const reading = await this.#read(row)
      if (reading === undefined) continue
      this.#current = reading
      this.#inventory = reading.inventory ?? this.#inventory
      return true
    }
    this.#seen = await agents.seen(record.id)
    return false
  }

  silence(): string | undefined {
    const { record, clock } = this.#parts
    if (this.#seen === undefined) return undefined
    const { host, seenAt } = this.#seen
    if (clock() - seenAt <= SILENT_MS) return undefined
    const since = seenAt > 0 ? `has not reported since ${new Date(seenAt).toISOString()}` : 'was stopped'
    return `The agent of ${record.name} on ${host} ${since}; what it last read is shown. Check that it runs and reaches Septet: what it reads meanwhile it keeps and sends later.`
  }

  readonly reader: ClusterReader = {
    start: async () => undefined,
    inventory: () => (this.#current === undefined ? undefined : this.#inventory),
    // A change is part of the next reading.
    onChange: () => undefined,
    state: () => this.#state(),
    // Owners and events stay in the cluster.
    objectsOf: () => undefined,
    stop: async () => undefined,
  }

  readonly telemetry: TelemetryReader = {
    read: async () => this.#telemetry(),
    close: async () => undefined,
  }

  readonly history: HistoryReader = { history: (query) => agentPast(query, this.#parts) }

  async #begin(): Promise<void> {
    const { agents, record } = this.#parts
    const { to, inventory } = await agents.worked(record.id)
    this.#workedTo = to
    this.#position = to
    this.#inventory = inventory && (await this.#read(inventory))?.inventory
    this.#begun = true
  }

  async #read(row: StoredReading): Promise<AgentReading | undefined> {
    const read = await unpackReading(row.body)
    if (read.kind === 'read' && read.reading.at === row.at) {
      this.#refused = undefined
      return read.reading
    }
    const because = read.kind === 'refused' ? read.because : 'it is dated otherwise than announced'
    const { record, log } = this.#parts
    log.warn('a reading of an agent was left out', { cluster: record.id, because })
    this.#refused = {
      code: 'agent-reading-refused',
      message: `A reading of the agent of ${record.name} is not one that this Septet understands, so it was left out: ${because}. Run the agent in the version of Septet.`,
      object: 'agent',
    }
    return undefined
  }

  #telemetry(): TelemetryReading {
    const { record } = this.#parts
    const current = this.#current
    if (current === undefined || current.telemetry.kind === 'failed') {
      throw new Error(
        current?.telemetry.kind === 'failed' ? current.telemetry.message : 'The agent has read nothing yet.',
      )
    }
    if (current.telemetry.kind === 'read') return current.telemetry
    return { at: current.at, samples: [], targets: [], problems: [noMetrics(record.name)] }
  }

  #state(): ConnectionState {
    const refused = this.#refused === undefined ? [] : [this.#refused]
    const told = this.#told()
    return { ...told, problems: [...told.problems, ...refused] }
  }

  #told(): ConnectionState {
    const told = this.#current?.connection
    if (this.#seen === undefined && told === undefined) {
      return { kind: 'connecting', lastContact: undefined, problems: [awaited(this.#parts.record.name)] }
    }
    const message = this.silence()
    if (message === undefined) return told ?? { kind: 'connecting', lastContact: undefined, problems: [] }
    const problems = [{ code: 'agent-silent', message, object: 'agent' }]
    return { kind: 'disconnected', lastContact: told?.lastContact, problems }
  }
}

const awaited = (name: string): Problem => ({
  code: 'agent-awaited',
  message: `No agent of ${name} has reported yet. Start it with the token shown when you added the cluster, or create a new token in Settings → Clusters.`,
  object: 'agent',
})

const noMetrics = (name: string): Problem => ({
  code: 'telemetry-not-configured',
  message: `The agent of ${name} has no source of metrics: allocation and cost work, utilization is not measured. Start it with --prometheus or --exporter.`,
  object: `telemetry of ${name}`,
})

type AgentPastParts = {
  readonly record: ClusterRecord
  readonly agents: Pick<AgentStore, 'wish' | 'takePast'>
  readonly clock: () => Instant
}

/** How often it is looked for parts, and how long for the next one. */
const LOOK_MS = 500
const WITHIN_MS = 300_000

/** What the metrics engine of an agent knows: asked for through the store, and taken from there part by part. */
async function* agentPast(query: HistoryQuery, parts: AgentPastParts): AsyncGenerator<HistoryBatch> {
  const { agents, record } = parts
  const { window, span, idle } = query
  const wish = { id: randomUUID(), window, span, idle }
  await agents.wish(record.id, wish)
  try {
    for await (const past of arriving(wish.id, query, parts)) {
      if (past.kind === 'failed') throw new Error(past.message)
      if (past.kind === 'end') return
      yield past.batch
    }
  } finally {
    await agents.wish(record.id, undefined)
  }
}

async function* arriving(
  wish: string,
  query: HistoryQuery,
  { agents, record, clock }: AgentPastParts,
): AsyncGenerator<AgentPast> {
  let heardAt = clock()
  while (query.signal?.aborted !== true) {
    const arrived = await agents.takePast(record.id, wish)
    for (const part of arrived) {
      const read = await unpackPast(part)
      if (read.kind === 'refused') throw new Error(`The agent of ${record.name} sent no past: ${read.because}.`)
      yield read.past
    }
    if (arrived.length > 0) heardAt = clock()
    else if (clock() - heardAt > WITHIN_MS) {
      throw new Error(`The agent of ${record.name} sent nothing of the past in ${WITHIN_MS / 60_000} minutes.`)
    } else await delay(LOOK_MS)
  }
}
