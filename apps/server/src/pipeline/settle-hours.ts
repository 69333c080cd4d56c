import {
  DAY_MS,
  enrichHistory,
  fillHoles,
  followInventory,
  forgetInventory,
  historyContext,
  holesIn,
  instant,
  isMissing,
  seconds,
  SPAN_SECONDS,
  type AnalysisPolicy,
  type ClusterSnapshot,
  type HistoryReader,
  type Hole,
  type Instant,
  type KnownGpus,
  type Problem,
  type SettingStore,
  type Told,
  type UsageRow,
  type UsageStore,
  type UsageTotal,
  type Window,
} from '@septet/domain'

import { z } from 'zod'

import { floorTo } from '../usage/segments.ts'
import { writeRows } from '../usage/write-rows.ts'
import { untoldGpus, wentBack } from './usage-problems.ts'

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
  /** Where the clock went back over time that was settled: from then on, and up to when, it is settled anew. */
  reopened: z.object({ from: z.number(), to: z.number() }).optional(),
  /** The oldest bucket to which was added and that no month was looked at for since. */
  changedFrom: z.number().transform(instant).optional(),
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
  /** The earliest reading since the last settling. */
  #backTo: Instant | undefined
  /** GPUs that the metrics engine did not tell of when it was asked last, while it told of others; with their nodes. */
  #untold: ReadonlyMap<string, string> = new Map()
  #isRead = false
  #stored = ''

  constructor(parts: SettlerParts) {
    this.#parts = parts
  }

  /** Every bucket before it is settled; undefined before the first reading. */
  settledTo = (): Instant | undefined => this.#kept?.settledTo

  /** The first bucket that is settled here; what lies before was read from a metrics engine. Undefined before a reading. */
  since = (): Instant | undefined => this.#kept?.since

  /** The oldest bucket of the past to which was added since `sealed` was called, also by an earlier process. */
  changedFrom = (): Instant | undefined => this.#kept?.changedFrom

  /** Remembers, before or after, that the past from a bucket on is changed. Throws what the store throws. */
  async change(from: Instant): Promise<void> {
    const kept = this.#kept
    if (kept === undefined || (kept.changedFrom ?? Infinity) <= from) return
    this.#set({ changedFrom: from })
    await this.#write(kept.seenAt)
  }

  /** Months were looked at for all that was changed from a bucket on. */
  async sealed(from: Instant | undefined): Promise<void> {
    const kept = this.#kept
    if (from === undefined || kept === undefined || kept.changedFrom !== from) return
    this.#set({ changedFrom: undefined })
    await this.#write(kept.seenAt)
  }

  /** What is wrong with hours that are over, and with what tells of them. */
  problems(): readonly Problem[] {
    const { reopened } = this.#kept ?? {}
    return [
      ...(reopened === undefined ? [] : [wentBack(reopened)]),
      ...(this.#untold.size === 0 ? [] : [untoldGpus(this.#untold)]),
    ]
  }

  /** Adds a reading to what is known to be there. */
  look = async (at: Instant, { nodes }: Pick<ClusterSnapshot, 'nodes'>): Promise<void> => {
    const kept = await this.#read()
    const before = this.#seenAt ?? (kept && (await this.#lastSeen(kept, at)))
    this.#seenAt = at
    this.#backTo = instant(Math.min(at, this.#backTo ?? at))
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
    if (this.#kept === undefined || this.#seenAt === undefined) return undefined
    const reopenedFrom = await this.#reopen(this.#kept)
    const kept = this.#kept
    const upTo = floorTo(Math.min(now, this.#seenAt) - LAG_MS, SPAN_SECONDS['5m'])
    const filled = reopenedFrom === undefined ? [] : [reopenedFrom]
    let open = kept.open.filter(({ first }) => now - first < TRIED_MS)
    const due = open.filter(({ last }) => now - last >= RETRY_MS).map(({ at }) => at)
    const fresh = bucketsBetween(kept.settledTo, upTo)
    for (const buckets of inPieces([...due, ...fresh].toSorted((a, b) => a - b)).slice(0, PIECES_A_TURN)) {
      const left = await this.#close(kept.inventory, buckets)
      if (left.filledFrom !== undefined) filled.push(left.filledFrom)
      const before = new Map(open.map((each) => [each.at, each.first]))
      open = [
        ...open.filter(({ at }) => !buckets.includes(at)),
        ...(this.#parts.history === undefined ? [] : [...left.at]).map((at) => ({
          at,
          first: before.get(at) ?? now,
          last: now,
        })),
      ]
      const settledTo = instant(Math.max(kept.settledTo, (buckets.at(-1) ?? 0) + BUCKET_MS))
      this.#set({ settledTo, open })
      // A kill costs no more than this piece: whoever goes on asks for none of the others again.
      await this.#write(now)
    }
    if (open.length === 0) this.#untold = new Map()
    await this.#write(now)
    return filled.length === 0 ? undefined : instant(Math.min(...filled))
  }

  /** After the clock went back over what was settled, all from there on is settled anew as it passes; tells from when on. */
  async #reopen({ settledTo, reopened }: Kept): Promise<Instant | undefined> {
    const from = floorTo(this.#backTo ?? settledTo, SPAN_SECONDS['5m'])
    this.#backTo = undefined
    if (from >= settledTo) {
      if (reopened !== undefined && settledTo >= reopened.to) this.#set({ reopened: undefined })
      return undefined
    }
    await this.change(from)
    for (const buckets of inPieces(bucketsBetween(from, settledTo))) await this.#takeBack(windowOf(buckets))
    const to = Math.max(settledTo, reopened?.to ?? 0)
    const open = this.#kept?.open.filter(({ at }) => at < from) ?? []
    this.#set({ settledTo: from, reopened: { from, to }, open: open.map((each) => ({ ...each, last: 0 })) })
    return from
  }

  #set(changes: Partial<Kept>): void {
    if (this.#kept !== undefined) this.#kept = { ...this.#kept, ...changes }
  }

  /** What was not observed of a time that had not come. What was seen stays: each GPU counts for as long as it is there. */
  async #takeBack(window: Window): Promise<void> {
    const { store, cluster } = this.#parts
    const rows = await store.usage.rows({ cluster, span: '5m', window })
    const told = rows.filter(({ kind }) => kind === 'unobserved')
    const taken = told.map((row) => ({ ...row, present: seconds(0) }))
    await writeRows(taken, { usage: store.usage, cluster })
  }

  async #close(inventory: readonly KnownGpus[], buckets: readonly number[]) {
    const holes = await this.#holes(inventory, buckets)
    if (holes.length === 0) return { filledFrom: undefined, at: new Set<number>() }
    const { store, cluster } = this.#parts
    const gpus = [...new Set(holes.map(({ gpu }) => gpu))]
    const missing = holes.filter(isMissing)
    const past = missing.length === 0 ? [] : await this.#past(missing)
    const isChanged = past.length > 0 || missing.length < holes.length
    const window = windowOf(holes.map(({ at }) => at))
    const stored = isChanged ? await store.usage.rows({ cluster, span: '5m', window, gpus }) : []
    const { rows, left } = fillHoles(holes, { past, stored })
    // First: after a kill in between a sealed month is looked at for nothing, and never left as it was in silence.
    if (isChanged) await this.change(window.from)
    await writeRows(rows, { usage: store.usage, cluster })
    return { filledFrom: isChanged ? window.from : undefined, at: new Set(left.map(({ at }) => at)) }
  }

  async #holes(inventory: readonly KnownGpus[], buckets: readonly number[]): Promise<readonly Hole[]> {
    const { store, cluster } = this.#parts
    const by = ['at', 'gpu', 'kind'] as const
    const totals = await store.usage.totals({ cluster, span: '5m', window: windowOf(buckets), by })
    const told = Map.groupBy(totals, ({ key }) => Number(key.at))
    return buckets.flatMap((at) => holesIn(inventory, instant(at), toldOf(told.get(at) ?? [])))
  }

  /** What the engine knows of the GPUs of holes in their buckets; nothing where it does not answer. */
  async #past(holes: readonly Hole[]): Promise<readonly UsageRow[]> {
    const { history, policy, snapshot, onFailure } = this.#parts
    if (history === undefined) return []
    const wanted = new Set(holes.map(({ at, gpu }) => `${at} ${gpu}`))
    const context = historyContext(snapshot())
    const rows: UsageRow[] = []
    const untold = new Map<string, string>()
    try {
      const query = { window: windowOf(holes.map(({ at }) => at)), span: '5m', idle: policy().idle } as const
      for await (const batch of history.history(query)) {
        const told = enrichHistory(batch, context).filter(({ at, gpu }) => wanted.has(`${at} ${gpu}`))
        // What nothing recorded is no knowledge: it is not observed.
        const [unknown, known] = [told.filter(isUnrecorded), told.filter((row) => !isUnrecorded(row))]
        for (const { gpu, node } of unknown) untold.set(gpu, node)
        rows.push(...known)
      }
      this.#untold = untold
      return rows
    } catch (error) {
      onFailure(error)
      return []
    }
  }

  /** When an earlier process saw what was there last, as its rows tell: they are written more often than the ledger. */
  async #lastSeen({ seenAt }: Kept, now: Instant): Promise<Instant> {
    if (now <= seenAt) return seenAt
    const { store, cluster } = this.#parts
    const window = { from: floorTo(seenAt, SPAN_SECONDS['5m']), to: now }
    const totals = await store.usage.totals({ cluster, span: '5m', window, by: ['at', 'gpu', 'kind'] })
    let last: number = seenAt
    for (const [at, some] of Map.groupBy(totals, ({ key }) => Number(key.at))) {
      for (const seen of toldOf(some).seen.values()) if (seen > 0) last = Math.max(last, at + seen * 1000)
    }
    return instant(Math.min(now, last))
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
    const { settledTo, open, inventory, reopened, changedFrom } = this.#kept
    const text = JSON.stringify([settledTo, open, inventory, reopened, changedFrom])
    if (text === this.#stored) return
    await this.#parts.store.settings.put(this.#key(), this.#kept)
    this.#stored = text
  }

  #key = (): string => `ledger/${this.#parts.cluster}`
}

const isUnrecorded = ({ reason }: UsageRow): boolean => reason === 'not-recorded'

/** GPU-seconds of each GPU, those that were seen and those that were not. */
function toldOf(totals: readonly UsageTotal[]): Told {
  const [seen, unobserved] = [new Map<string, number>(), new Map<string, number>()]
  for (const { key, gpuSeconds } of totals) {
    const sums = key.kind === 'unobserved' ? unobserved : seen
    sums.set(key.gpu ?? '', (sums.get(key.gpu ?? '') ?? 0) + gpuSeconds)
  }
  return { seen, unobserved }
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
