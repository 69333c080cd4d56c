import { errorText } from '@septet/domain/words'
import type { ServerEvent } from '@septet/contract'
import {
  assembleSnapshot,
  expectedOf,
  instant,
  judgeReading,
  seconds,
  type ClusterReader,
  type ClusterRecord,
  type ClusterSnapshot,
  type InferenceReader,
  type Instant,
  type JudgedSample,
  type Log,
  type Problem,
  type QualityMemory,
  type ReservedCache,
  type TargetState,
  type TelemetryReader,
  withCaches,
} from '@septet/domain'

import type { ClusterSize } from '../facts.ts'
import type { Pace } from '../pace.ts'
import type { ReadingFeed } from './agent-feed.ts'
import { samplePartition } from '../read-model/sample-partition.ts'
import type { RecentUsage } from './recent-usage.ts'

export type CollectorParts = {
  readonly record: ClusterRecord
  readonly reader: ClusterReader
  readonly telemetry: TelemetryReader | undefined
  readonly inference: InferenceReader | undefined
  readonly recent: RecentUsage
  /** Where the cluster is read elsewhere: time is when its readings were taken. */
  readonly feed: ReadingFeed | undefined
  readonly log: Log
  readonly clock: () => Instant
  readonly pace: Pace
  readonly publish: (event: ServerEvent) => void
  readonly observe: (stage: string, tookMs: number) => void
}

const ASK_AGAIN_MS = 250
/** After a picture was made for a change, none is made for another for so many times as long as that took. */
const REST = 3
const LONGEST_REST_MS = 1000
const CACHES_EVERY_MS = 600_000

/** Joins what the API server and the exporters say into the current snapshot, and adds every reading to the usage. */
export class Collector {
  readonly #parts: CollectorParts
  #snapshot: ClusterSnapshot | undefined
  #judged: readonly JudgedSample[] = []
  #byPartition: ReadonlyMap<string, JudgedSample> = new Map()
  #targets: readonly TargetState[] = []
  #telemetryProblems: readonly Problem[] = []
  #memory: QualityMemory | undefined
  #asOf: Instant | undefined
  #closed = false
  #restUntil = 0
  #changeWaits = false
  #caches: ReadonlyMap<string, ReservedCache> = new Map()
  #cachesAt = -Infinity

  constructor(parts: CollectorParts) {
    this.#parts = parts
  }

  /** Waits for the first sync, however long the API server is away, then calls `onConnected` once. */
  async connect(onConnected: () => Promise<void>): Promise<void> {
    const { reader, record, log, publish } = this.#parts
    reader.onChange(() => this.#inventoryChanged())
    // The reader goes on trying after its first failure; its state says why it is not connected.
    await reader.start().catch((error: unknown) => {
      if (!this.#closed) log.warn('cluster is not responding yet', { cluster: record.id, error: String(error) })
    })
    while (!this.#closed && reader.inventory() === undefined) await this.#pause()
    if (this.#closed) return
    publish({ kind: 'connection', cluster: record.id, state: 'connected', asOf: this.#now() })
    await onConnected()
  }

  /** Shows what an earlier process saw last, with its time, until the cluster answers. */
  restore(snapshot: ClusterSnapshot): void {
    if (this.#snapshot !== undefined) return
    this.#snapshot = snapshot
    this.#asOf = snapshot.takenAt
  }

  /** One reading. False when there is nothing to add yet, because the API server has not answered once. */
  async collect(): Promise<boolean> {
    const inventory = this.#parts.reader.inventory()
    if (inventory === undefined) return false
    const started = performance.now()
    await Promise.all([this.#readTelemetry(), this.#readCaches()])
    this.#assemble()
    this.#addUsage()
    this.#parts.observe('collect', performance.now() - started)
    return true
  }

  snapshot = (): ClusterSnapshot | undefined => this.#snapshot
  samples = (): ReadonlyMap<string, JudgedSample> => this.#byPartition
  judged = (): readonly JudgedSample[] => this.#judged
  targets = (): readonly TargetState[] => this.#targets
  asOf = (): Instant | undefined => this.#asOf

  /** Undefined before the first snapshot. */
  size(): ClusterSize | undefined {
    if (this.#snapshot === undefined) return undefined
    const { nodes, serverVersion } = this.#snapshot
    const gpus = nodes.reduce((sum, node) => sum + node.gpus.length, 0)
    return { serverVersion, nodes: nodes.length, gpus, devices: this.#byPartition.size }
  }

  problems(): readonly Problem[] {
    const nodes = this.#snapshot?.nodes.flatMap((node) => [
      ...node.problems,
      ...node.gpus.flatMap((gpu) => (gpu.fault === undefined ? [] : [gpu.fault])),
    ])
    return [...this.#telemetryProblems, ...(this.#snapshot?.problems ?? []), ...(nodes ?? [])]
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#parts.reader.stop()
    await this.#parts.telemetry?.close()
  }

  async #readTelemetry(): Promise<void> {
    const { telemetry, record, reader } = this.#parts
    if (telemetry === undefined) {
      this.#telemetryProblems = [noTelemetry(record.name)]
      return
    }
    try {
      const reading = await telemetry.read()
      const inventory = reader.inventory()
      const judged = judgeReading({
        reading,
        memory: this.#memory,
        now: this.#time(),
        ...(inventory === undefined ? {} : { expected: expectedOf(inventory) }),
      })
      this.#memory = judged.memory
      this.#judged = judged.samples
      this.#byPartition = new Map(judged.samples.map((sample) => [samplePartition(sample), sample]))
      this.#targets = reading.targets
      this.#telemetryProblems = [...reading.problems, ...judged.problems]
      this.#asOf = reading.at
    } catch (error) {
      this.miss(errorText(error))
    }
  }

  /** Over a week they change slowly; while they cannot be read, what was read before stays. */
  async #readCaches(): Promise<void> {
    const { inference, record, log, clock } = this.#parts
    if (inference === undefined || clock() - this.#cachesAt < CACHES_EVERY_MS) return
    this.#cachesAt = clock()
    try {
      this.#caches = await inference.caches()
    } catch (error) {
      log.warn('the caches of inference engines could not be read', { cluster: record.id, error: errorText(error) })
    }
  }

  /** Telemetry is silent. The last values stay on the screen with their time; they are not counted again as usage. */
  miss(message: string): void {
    const object = `telemetry of ${this.#parts.record.name}`
    this.#judged = []
    this.#telemetryProblems = [{ code: 'telemetry-unavailable', message, object }]
  }

  /** When what is told now was read. */
  #time(): Instant {
    const { feed, clock } = this.#parts
    return feed?.at() ?? clock()
  }

  #assemble(): void {
    const { reader, record } = this.#parts
    const inventory = reader.inventory()
    if (inventory === undefined) return
    this.#snapshot = assembleSnapshot({
      cluster: record.id,
      inventory: { ...inventory, workloads: withCaches(inventory.workloads, this.#caches) },
      samples: this.#judged,
      previous: this.#snapshot,
      now: this.#time(),
    })
    if (this.#parts.telemetry === undefined || this.#asOf === undefined) this.#asOf = inventory.takenAt
  }

  #addUsage(): void {
    if (this.#snapshot === undefined) return
    const { recent, feed, pace } = this.#parts
    const interval = feed?.interval() ?? seconds(pace.pollSeconds)
    recent.add({ at: this.#time(), interval, snapshot: this.#snapshot, samples: this.#judged })
  }

  /** Between two readings the cluster may change: the picture follows at once, usage at the next reading. */
  #inventoryChanged(): void {
    if (this.#snapshot === undefined || this.#changeWaits) return
    const rest = this.#restUntil - performance.now()
    if (rest <= 0) return this.#showInventory()
    this.#changeWaits = true
    setTimeout(() => {
      this.#changeWaits = false
      if (!this.#closed) this.#showInventory()
    }, rest).unref()
  }

  /** On a large fleet this takes long; a cluster that changes all the time gets a part of the time, not all of it. */
  #showInventory(): void {
    const started = performance.now()
    this.#assemble()
    const tookMs = performance.now() - started
    this.#restUntil = started + tookMs + Math.min(tookMs * REST, LONGEST_REST_MS)
    this.#parts.observe('assemble', tookMs)
    this.#parts.publish({ kind: 'inventory', cluster: this.#parts.record.id, asOf: this.#now() })
  }

  #pause = (): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ASK_AGAIN_MS).unref()
    })

  #now = (): string => new Date(instant(this.#parts.clock())).toISOString()
}

const noTelemetry = (name: string): Problem => ({
  code: 'telemetry-not-configured',
  message: `No telemetry is configured for ${name}: allocation and cost work, utilization is not measured. Add it with a source of metrics in Settings → Clusters, or set SEPTET_PROMETHEUS_URL or SEPTET_EXPORTER_TARGETS.`,
  object: `telemetry of ${name}`,
})
