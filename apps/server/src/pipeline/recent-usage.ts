import {
  addReading,
  bucketStart,
  instant,
  markIdle,
  mergeUsage,
  openBucket,
  rowsOf,
  SPAN_SECONDS,
  type AnalysisPolicy,
  type Instant,
  type OpenBucket,
  type Reading,
  type UsageRow,
  type UsageStore,
} from '@septet/domain'

const BUCKET_MS = SPAN_SECONDS['5m'] * 1000

export type RecentUsageOptions = {
  readonly cluster: string
  readonly store: UsageStore
  readonly policy: AnalysisPolicy
}

/**
 * The last minutes of usage, in memory until they are written. Every flush writes the open bucket as it is so far and
 * those earlier rows whose idle seconds have only now become known; writing is idempotent, so a flush that failed is
 * simply done again.
 */
export class RecentUsage {
  readonly #options: RecentUsageOptions
  #open: OpenBucket | undefined
  /** Ended buckets that are still written or still count for the idle stretch, oldest first. */
  #ended: EndedBucket[] = []
  /** What an earlier process had written of the bucket that was open when this one started. */
  #inherited: readonly UsageRow[] = []
  #idle: ReadonlySet<string> = new Set()
  #began = false
  /** The bucket in which this process started: what is stored up to it is its predecessor's. */
  #startedAt: Instant | undefined
  #resumed = false

  constructor(options: RecentUsageOptions) {
    this.#options = options
  }

  /**
   * Takes up what was stored before this process started, once, so that idle stretches and the open bucket go on.
   * Throws the store's error; nothing is written before it worked, and every flush tries it again.
   */
  async resume(now: Instant): Promise<void> {
    if (this.#resumed) return
    const start = (this.#startedAt ??= bucketStart(now, '5m'))
    const rows = await this.#stored(start, instant(start + BUCKET_MS))
    this.#resumed = true
    this.#inherited = rows.filter((row) => row.at === start)
    // By now that bucket may have ended.
    const ended = this.#ended.map((bucket) => ({ ...bucket, rows: this.#withInherited(bucket, bucket.rows) }))
    this.#ended = [...endedBuckets(rows.filter((row) => row.at < start)), ...ended]
  }

  /** Takes up buckets before the first one of this process that were read from a metrics engine since it started. */
  async adoptEarlier(now: Instant): Promise<void> {
    const first = this.#ended[0]?.at ?? this.#open?.at ?? bucketStart(now, '5m')
    const rows = await this.#stored(first, first)
    this.#ended = [...endedBuckets(rows), ...this.#ended]
  }

  #stored(start: Instant, to: Instant): Promise<readonly UsageRow[]> {
    const { cluster, store } = this.#options
    const from = instant(start - this.#keptBuckets() * BUCKET_MS)
    return store.rows({ cluster, span: '5m', window: { from, to } })
  }

  add(reading: Reading): void {
    const at = bucketStart(reading.at, '5m')
    this.#startedAt ??= at
    if (this.#open !== undefined && this.#open.at !== at) this.#end(this.#open)
    // The first bucket of this process begins when it does: the time before is its predecessor's, or unknown.
    this.#open ??= openBucket(at, '5m', this.#began ? at : reading.at)
    this.#began = true
    addReading(this.#open, reading)
  }

  /** Writes what is not written yet. Throws the store's error; nothing is lost then, the next flush writes it. */
  async flush(now: Instant): Promise<number> {
    if (this.#began) await this.resume(now)
    const current = this.#open === undefined ? [] : this.#withInherited(this.#open, rowsOf(this.#open, now))
    const before = this.#ended.flatMap(({ rows }) => rows)
    const idleBefore = new Map(before.map((row) => [rowKey(row), row.idle]))
    const marked = markIdle([...before, ...current], this.#options.policy.idle)
    const pending = new Set(this.#ended.filter(({ written }) => !written).map(({ at }) => at))
    const openAt = this.#open?.at
    // A reading may end the open bucket while the store writes: only what ended before now is written whole.
    const endedAt = new Set(this.#ended.map(({ at }) => at))
    const changed = marked.filter(
      (row) => row.at === openAt || pending.has(row.at) || idleBefore.get(rowKey(row)) !== row.idle,
    )
    await this.#options.store.write(this.#options.cluster, changed)
    this.#settle(marked, endedAt, openAt)
    return changed.length
  }

  /** Partitions that are idle-held, as of the last flush. */
  idle(): ReadonlySet<string> {
    return this.#idle
  }

  #end(bucket: OpenBucket): void {
    this.#ended.push({ at: bucket.at, rows: this.#withInherited(bucket, rowsOf(bucket)), written: false })
    if (this.#inherited[0]?.at === bucket.at) this.#inherited = []
    this.#open = undefined
  }

  #withInherited(bucket: { readonly at: Instant }, rows: readonly UsageRow[]): readonly UsageRow[] {
    return this.#inherited[0]?.at === bucket.at ? mergeUsage([...this.#inherited, ...rows]) : rows
  }

  /** Remembers what is written now, and forgets what is too old to count. */
  #settle(marked: readonly UsageRow[], written: ReadonlySet<Instant>, openAt: Instant | undefined): void {
    const byBucket = Map.groupBy(marked, (row) => row.at)
    const newest = openAt ?? this.#ended.at(-1)?.at ?? 0
    this.#ended = this.#ended
      .map((bucket) =>
        written.has(bucket.at) ? { ...bucket, rows: byBucket.get(bucket.at) ?? [], written: true } : bucket,
      )
      .filter(({ at }) => newest - at <= this.#keptBuckets() * BUCKET_MS)
    const latest = byBucket.get(openAt ?? this.#ended.at(-1)?.at ?? instant(0)) ?? []
    this.#idle = new Set(latest.filter((row) => row.idle > 0).map((row) => row.partition))
  }

  #keptBuckets(): number {
    return Math.ceil(this.#options.policy.idle.minimum / SPAN_SECONDS['5m']) + 1
  }
}

const rowKey = (row: UsageRow): string => `${row.at} ${row.partition} ${row.pod} ${row.kind}`

type EndedBucket = { readonly at: Instant; readonly rows: readonly UsageRow[]; readonly written: boolean }

const endedBuckets = (rows: readonly UsageRow[]): EndedBucket[] =>
  [...Map.groupBy(rows, (row) => row.at)]
    .map(([at, bucketRows]) => ({ at, rows: bucketRows, written: true }))
    .toSorted((a, b) => a.at - b.at)
