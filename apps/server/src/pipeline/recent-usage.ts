import {
  addReading,
  bucketStart,
  idleNow,
  instant,
  markIdle,
  markOversized,
  mergeUsage,
  openBucket,
  openStretches,
  rowsOf,
  SPAN_SECONDS,
  type AnalysisPolicy,
  type Instant,
  type OpenBucket,
  type Reading,
  type SizesInForce,
  type UsageRow,
  type UsageStore,
} from '@septet/domain'
import { writeRows } from '../usage/write-rows.ts'

const BUCKET_MS = SPAN_SECONDS['5m'] * 1000

export type RecentUsageOptions = {
  readonly cluster: string
  readonly store: Pick<UsageStore, 'rows' | 'write'>
  readonly policy: AnalysisPolicy
  /** The sizes that rows are marked by; left out: none. Throws what the store throws. */
  readonly sizes?: () => Promise<readonly SizesInForce[]>
  /**
   * Where readings are kept until usage is made of them: up to which one an earlier process had stored it. What follows
   * goes on from there, and with the rows is stored up to which reading they go.
   */
  readonly workedTo?: (() => Instant) | undefined
}

/**
 * The last minutes of usage, in memory until they are written. Every flush writes the open bucket as it is so far and
 * those earlier rows whose idle seconds have only now become known; writing is idempotent, so a flush that failed is
 * simply done again. Of what is written only the stretches are kept that may still become idle, or longer.
 */
export class RecentUsage {
  readonly #options: RecentUsageOptions
  #open: OpenBucket | undefined
  /** Buckets that ended and are not written yet, oldest first. */
  #ended: EndedBucket[] = []
  /** Written rows whose idle seconds the next bucket may change. */
  #undecided: readonly UsageRow[] = []
  /** What an earlier process had written of the bucket that was open when this one started. */
  #inherited: readonly UsageRow[] = []
  #idle: ReadonlySet<string> = new Set()
  #began = false
  /** The bucket in which this process started: what is stored up to it is its predecessor's. */
  #startedAt: Instant | undefined
  #resumed = false
  /** The newest reading that was added. */
  #added: Instant | undefined
  /** The newest bucket that was opened. */
  #newest = instant(-1)
  #earlierCame = false

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
    if (start !== this.#startedAt) return this.resume(now)
    this.#resumed = true
    // What was told as not observed is settled anew.
    this.#inherited = rows.filter((row) => row.at === start && row.kind !== 'unobserved')
    this.#undecided = rows.filter((row) => row.at < start)
    // By now that bucket may have ended.
    this.#ended = this.#ended.map((bucket) => ({ ...bucket, rows: this.#withInherited(bucket, bucket.rows) }))
  }

  /** Buckets before the first one of this process were read from a metrics engine: the next flush looks at them. */
  adoptEarlier(): void {
    this.#earlierCame = true
  }

  async #adopt(now: Instant): Promise<void> {
    const first = this.#ended[0]?.at ?? this.#open?.at ?? bucketStart(now, '5m')
    this.#undecided = await this.#stored(first, first)
    this.#earlierCame = false
  }

  #stored(start: Instant, to: Instant): Promise<readonly UsageRow[]> {
    const { cluster, store, policy } = this.#options
    const buckets = Math.ceil(policy.idle.minimum / SPAN_SECONDS['5m']) + 1
    return store.rows({ cluster, span: '5m', window: { from: instant(start - buckets * BUCKET_MS), to } })
  }

  /** Where the clock went back a bucket comes again: what was counted of it stays, and what is read now is added to it. */
  add(reading: Reading): void {
    const at = bucketStart(reading.at, '5m')
    this.#startedAt ??= at
    const isBack = reading.at < (this.#added ?? 0)
    if (this.#open !== undefined && (isBack || this.#open.at !== at)) this.#end(this.#open, isBack)
    this.#open ??= this.#openedAt(at, this.#began && !isBack ? at : this.#firstFrom(at, reading.at))
    this.#began = true
    addReading(this.#open, reading)
    this.#added = reading.at
  }

  #openedAt(at: Instant, from: Instant): OpenBucket {
    if (at <= this.#newest) this.#openAgain(at)
    this.#newest = instant(Math.max(at, this.#newest))
    return openBucket(at, '5m', from)
  }

  #openAgain(at: Instant): void {
    const unwritten = this.#ended.find((bucket) => bucket.at === at)
    this.#inherited = unwritten?.rows ?? []
    this.#ended = this.#ended.filter((bucket) => bucket !== unwritten)
    this.#startedAt = at
    this.#resumed = unwritten !== undefined
  }

  /** The first bucket of this process begins when it does: the time before is its predecessor's, or unknown. */
  #firstFrom(bucket: Instant, reading: Instant): Instant {
    const workedTo = this.#options.workedTo?.() ?? 0
    return workedTo === 0 || workedTo > reading ? reading : instant(Math.max(bucket, workedTo))
  }

  /** Writes what is not written yet. Throws the store's error; nothing is lost then, the next flush writes it. */
  async flush(now: Instant): Promise<number> {
    const { cluster, store, policy, sizes } = this.#options
    const judged = (await sizes?.()) ?? []
    if (this.#began) await this.resume(now)
    if (this.#earlierCame) await this.#adopt(now)
    // A reading may end the open bucket while the store writes: only what ended before now is written whole.
    const ended = new Set(this.#ended)
    const openAt = this.#open?.at
    const worked = this.#options.workedTo === undefined ? undefined : this.#added
    // What comes after the newest of such readings is counted when the next one has come.
    const until = worked ?? now
    const current = this.#open === undefined ? [] : this.#withInherited(this.#open, rowsOf(this.#open, until))
    const written = this.#undecided
    const rows = [...written, ...this.#ended.flatMap((bucket) => bucket.rows), ...current]
    const marked = markOversized(markIdle(rows, policy.idle), judged)
    const changed = marked.filter((row, order) => order >= written.length || row !== rows[order])
    await writeRows(changed, { usage: store, cluster, worked })
    this.#ended = this.#ended.filter((bucket) => !ended.has(bucket))
    this.#undecided = openStretches(
      marked.filter((row) => row.at !== openAt),
      policy.idle,
    )
    const latest = openAt ?? marked.reduce((newest, { at }) => Math.max(newest, at), 0)
    this.#idle = idleNow(marked, latest)
    return changed.length
  }

  /** Rows of buckets that ended and are not written yet. */
  unwritten = (): number => this.#ended.reduce((sum, { rows }) => sum + rows.length, 0)

  /** Partitions that are idle-held, as of the last flush. */
  idle(): ReadonlySet<string> {
    return this.#idle
  }

  /** What is read last holds for the rest of its bucket, unless that rest comes again. */
  #end(bucket: OpenBucket, isBack: boolean): void {
    const until = isBack ? bucket.last?.at : undefined
    this.#ended.push({ at: bucket.at, rows: this.#withInherited(bucket, rowsOf(bucket, until)) })
    if (this.#inherited[0]?.at === bucket.at) this.#inherited = []
    this.#open = undefined
  }

  #withInherited(bucket: { readonly at: Instant }, rows: readonly UsageRow[]): readonly UsageRow[] {
    return this.#inherited[0]?.at === bucket.at ? mergeUsage([...this.#inherited, ...rows]) : rows
  }
}

type EndedBucket = { readonly at: Instant; readonly rows: readonly UsageRow[] }
