import {
  DAY_MS,
  enrichHistory,
  fillHoles,
  followInventory,
  forgetInventory,
  historyContext,
  holesIn,
  instant,
  SPAN_SECONDS,
  SEEN_KINDS,
  type AnalysisPolicy,
  type ClusterSnapshot,
  type HistoryReader,
  type Hole,
  type Instant,
  type KnownGpus,
  type SettingStore,
  type UsageRow,
  type UsageStore,
} from '@septet/domain'
import { z } from 'zod'

import { floorTo } from '../usage/segments.ts'

const BUCKET_MS = SPAN_SECONDS['5m'] * 1000
/** Samples reach a metrics engine a scrape later, and its newest are not told yet. */
const LAG_MS = 90_000
/** So long it is tried to fill a hole: engines come back, and what they did not take for a day they never will. */
const TRIED_MS = DAY_MS
const RETRY_MS = 300_000
/** Rows are read and written for so many buckets at a time, and so many times in a turn: readings wait meanwhile. */
const BUCKETS_AT_ONCE = 12
const PIECES_A_TURN = 12

const KnownSchema = z.object({
  node: z.string(),
  pool: z.string(),
  machine: z.string(),
  model: z.string(),
  gpus: z.array(z.string()),
  from: z.number().transform(instant),
  to: z.number().transform(instant).optional(),
})
const KeptSchema = z.object({
  since: z.number().transform(instant),
  /** Every bucket before it is settled, but for those that are tried again. */
  settledTo: z.number().transform(instant),
  seenAt: z.number().transform(instant),
  inventory: z.array(KnownSchema),
  /** Buckets with something that nobody saw, and when they were tried first and last. */
  open: z.array(z.object({ at: z.number(), first: z.number(), last: z.number() })),
})
type Kept = Omit<z.output<typeof KeptSchema>, 'inventory'> & { readonly inventory: readonly KnownGpus[] }

export type SettlerParts = {
  readonly cluster: string
  readonly store: { readonly usage: Pick<UsageStore, 'totals' | 'rows' | 'write'>; readonly settings: SettingStore }
  readonly history: HistoryReader | undefined
  readonly policy: () => AnalysisPolicy
  readonly snapshot: () => ClusterSnapshot | undefined
  /** A metrics engine did not answer: what is missing stays not observed until it does. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Closes a cluster's time: of every five minutes that are over it compares what was seen with what was there (inventory ×
 * time). What is missing is read from the metrics engine; what that does not know either is written down as not observed.
 */
export class Settler {
  readonly #parts: SettlerParts
  #kept: Kept | undefined
  #seenAt: Instant | undefined
  #isRead = false
  #stored = ''

  constructor(parts: SettlerParts) {
    this.#parts = parts
  }

  /** Every bucket before it is settled; undefined before the first reading. */
  settledTo = (): Instant | undefined => this.#kept?.settledTo

  /** The first bucket that is settled here; what lies before was read from a metrics engine. Undefined before a reading. */
  since = (): Instant | undefined => this.#kept?.since

  /** Adds a reading to what is known to be there. */
  async look(at: Instant, { nodes }: Pick<ClusterSnapshot, 'nodes'>): Promise<void> {
    const kept = await this.#read()
    const before = this.#seenAt ?? kept?.seenAt
    this.#seenAt = at
    const inventory = followInventory(kept?.inventory ?? [], { at, before, nodes })
    this.#kept =
      kept === undefined
        ? {
            since: floorTo(at, SPAN_SECONDS['5m']),
            settledTo: floorTo(at, SPAN_SECONDS['5m']),
            seenAt: at,
            inventory,
            open: [],
          }
        : { ...kept, seenAt: at, inventory }
    // What comes and goes must be known to whoever goes on after a kill.
    if (inventory !== kept?.inventory) await this.#write(at)
  }

  /**
   * Settles what is over by now; tells the oldest bucket to which was added what a metrics engine knew. Rows that are not
   * written yet would look like holes: call it after they are. Throws what the store throws.
   */
  async settle(now: Instant): Promise<Instant | undefined> {
    const kept = this.#kept
    if (kept === undefined || this.#seenAt === undefined) return undefined
    const upTo = floorTo(Math.min(now, this.#seenAt) - LAG_MS, SPAN_SECONDS['5m'])
    let filled: Instant | undefined
    let open = kept.open.filter(({ first }) => now - first < TRIED_MS)
    const due = open.filter(({ last }) => now - last >= RETRY_MS).map(({ at }) => at)
    const fresh = bucketsBetween(kept.settledTo, upTo)
    for (const buckets of inPieces([...due, ...fresh].toSorted((a, b) => a - b)).slice(0, PIECES_A_TURN)) {
      const left = await this.#close(kept.inventory, buckets)
      filled ??= left.filledFrom
      const before = new Map(open.map((each) => [each.at, each.first]))
      open = [
        ...open.filter(({ at }) => !buckets.includes(at)),
        ...(this.#parts.history === undefined ? [] : [...left.at]).map((at) => ({
          at,
          first: before.get(at) ?? now,
          last: now,
        })),
      ]
      this.#kept = {
        ...(this.#kept ?? kept),
        settledTo: instant(Math.max(kept.settledTo, (buckets.at(-1) ?? 0) + BUCKET_MS)),
        open,
      }
    }
    await this.#write(now)
    return filled
  }

  async #close(inventory: readonly KnownGpus[], buckets: readonly number[]) {
    const holes = await this.#holes(inventory, buckets)
    if (holes.length === 0) return { filledFrom: undefined, at: new Set<number>() }
    const { store, cluster } = this.#parts
    const gpus = [...new Set(holes.map(({ gpu }) => gpu))]
    const window = windowOf(holes.map(({ at }) => at))
    const past = await this.#past(holes)
    const stored = past.length === 0 ? [] : await store.usage.rows({ cluster, span: '5m', window, gpus })
    const { rows, left } = fillHoles(holes, { past, stored })
    await store.usage.write(cluster, rows)
    return { filledFrom: past.length > 0 ? window.from : undefined, at: new Set(left.map(({ at }) => at)) }
  }

  async #holes(inventory: readonly KnownGpus[], buckets: readonly number[]): Promise<readonly Hole[]> {
    const { store, cluster } = this.#parts
    const totals = await store.usage.totals({
      cluster,
      span: '5m',
      window: windowOf(buckets),
      by: ['at', 'gpu'],
      kinds: SEEN_KINDS,
    })
    const seen = Map.groupBy(totals, ({ key }) => Number(key.at))
    return buckets.flatMap((at) =>
      holesIn(
        inventory,
        instant(at),
        new Map((seen.get(at) ?? []).map(({ key, gpuSeconds }) => [key.gpu ?? '', gpuSeconds])),
      ),
    )
  }

  /** What the engine knows of the GPUs of holes in their buckets; nothing where it does not answer. */
  async #past(holes: readonly Hole[]): Promise<readonly UsageRow[]> {
    const { history, policy, snapshot, onFailure } = this.#parts
    if (history === undefined) return []
    const wanted = new Set(holes.map(({ at, gpu }) => `${at} ${gpu}`))
    const context = historyContext(snapshot())
    const rows: UsageRow[] = []
    try {
      const query = { window: windowOf(holes.map(({ at }) => at)), span: '5m', idle: policy().idle } as const
      for await (const batch of history.history(query)) {
        // What nothing recorded is no knowledge: it is not observed.
        const known = enrichHistory(batch, context).filter(({ reason }) => reason !== 'not-recorded')
        rows.push(...known.filter(({ at, gpu }) => wanted.has(`${at} ${gpu}`)))
      }
      return rows
    } catch (error) {
      onFailure(error)
      return []
    }
  }

  async #read(): Promise<Kept | undefined> {
    if (this.#isRead) return this.#kept
    const { settings } = this.#parts.store
    const { data } = KeptSchema.safeParse(await settings.get(this.#key()))
    this.#isRead = true
    this.#kept = data
    return this.#kept
  }

  async #write(now: Instant): Promise<void> {
    const kept = this.#kept
    if (kept === undefined) return
    const oldest = instant(Math.min(kept.settledTo, ...kept.open.map(({ at }) => at), now - TRIED_MS))
    this.#kept = { ...kept, inventory: forgetInventory(kept.inventory, oldest) }
    const text = JSON.stringify([this.#kept.settledTo, this.#kept.open, this.#kept.inventory])
    if (text === this.#stored) return
    await this.#parts.store.settings.put(this.#key(), this.#kept)
    this.#stored = text
  }

  #key = (): string => `ledger/${this.#parts.cluster}`
}

const windowOf = (buckets: readonly number[]) => ({
  from: instant(Math.min(...buckets)),
  to: instant(Math.max(...buckets) + BUCKET_MS),
})

function bucketsBetween(from: Instant, to: Instant): number[] {
  const buckets: number[] = []
  for (let at: number = from; at < to; at += BUCKET_MS) buckets.push(at)
  return buckets
}

/** Buckets that lie together, a few at a time. */
function inPieces(buckets: readonly number[]): readonly (readonly number[])[] {
  const pieces: number[][] = []
  for (const at of buckets) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length < BUCKETS_AT_ONCE && at - (last.at(-1) ?? 0) <= BUCKET_MS) last.push(at)
    else pieces.push([at])
  }
  return pieces
}
