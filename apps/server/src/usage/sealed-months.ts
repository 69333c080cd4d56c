import { createHash } from 'node:crypto'

import {
  COST_PARTS,
  costOf,
  costPeriods,
  DAY_MS,
  HOUR_MS,
  instant,
  ledgerSums,
  pricesOf,
  recordOf,
  shippedPrices,
  SPAN_SECONDS,
  withCorrection,
  type GpuNode,
  type Instant,
  type PriceBook,
  type SealedMonth,
  type SettingStore,
  type Store,
  type Window,
} from '@septet/domain'
import { z } from 'zod'

import { planBy, storedContext, type PlanContext } from './range-plan.ts'
import { readPeriods } from './read-totals.ts'

const AmountSchema = z.object({ gpuHours: z.number(), usd: z.number() })
const SumsSchema = z.object(recordOf(COST_PARTS, () => AmountSchema))
const MonthSchema = z.object({
  month: z.string(),
  sealedAt: z.number().transform(instant),
  sums: SumsSchema,
  digest: z.string(),
  corrections: z.array(z.object({ at: z.number().transform(instant), reason: z.string(), change: SumsSchema })),
})
const KeptSchema = z.object({ prices: z.string(), months: z.array(MonthSchema) })

const keyOf = (cluster: string): string => `sealed-months/${cluster}`

/** The months of a cluster that were sealed, oldest first. Throws what the store throws. */
export const readSealedMonths = async (settings: SettingStore, cluster: string): Promise<readonly SealedMonth[]> =>
  KeptSchema.safeParse(await settings.get(keyOf(cluster))).data?.months ?? []

/** A month is sealed when its last hour is settled, and an hour more for what comes late. */
const REST_MS = HOUR_MS
/** So long a metrics engine that is away is waited for, which would tell of the past: what it tells later is a correction. */
const LONGEST_REST_MS = 7 * DAY_MS
/** Why a month is looked at the first time. */
const SEALED = ''
/** As far as months are told. */
const MOST_MONTHS = 13

type Look = {
  readonly now: Instant
  /** Every hour before it is settled. */
  readonly settledTo: Instant
  /** Whether all is stored that a metrics engine tells of the time before first contact. */
  readonly isPastRead: boolean
  /** The oldest bucket that was added to since the last look; undefined: none. */
  readonly filledFrom: Instant | undefined
  /** Since when days are kept: of a month that begins before not all is there any more, and it stays as it was sealed. */
  readonly keptFrom: Instant
  readonly nodes: readonly GpuNode[]
}

/**
 * Seals each calendar month (UTC) of a cluster once it is over, and looks at sealed ones again where prices of the past
 * changed or a gap was filled: what they come to then differs by a correction, never silently.
 */
export class MonthSealer {
  readonly #store: Pick<Store, 'usage' | 'prices' | 'settings'>
  readonly #cluster: string

  constructor(store: Pick<Store, 'usage' | 'prices' | 'settings'>, cluster: string) {
    this.#store = store
    this.#cluster = cluster
  }

  /** Throws what the store throws; the next look does it then. */
  async look({ now, settledTo, isPastRead, filledFrom, keptFrom, nodes }: Look): Promise<void> {
    const { settings, prices: book } = this.#store
    const prices = await book.list()
    const digest = digestOf(prices.map((entry) => JSON.stringify(entry)))
    const kept = KeptSchema.safeParse(await settings.get(keyOf(this.#cluster))).data ?? { prices: digest, months: [] }
    const context = await storedContext(this.#store.usage, { cluster: this.#cluster, now })
    const reading = { context, nodes, prices: [...prices, ...shippedPrices] }
    const changes = { pricesChanged: kept.prices !== digest, filledFrom, keptFrom }
    const dueTo = settledTo - (isPastRead ? REST_MS : LONGEST_REST_MS)
    const months: SealedMonth[] = []
    for (const window of monthsBefore(now)) {
      const sealed = kept.months.find(({ month }) => month === monthName(window))
      const due = window.to <= dueTo ? SEALED : undefined
      const reason = sealed === undefined ? due : reasonOf(changes, window)
      // oxlint-disable-next-line no-await-in-loop -- a month at a time: each reads a month of rows
      const found = reason === undefined ? undefined : await this.#found(window, { reading, reason })
      months.push(...judged(sealed, found))
    }
    const next = { prices: digest, months }
    if (JSON.stringify(next) !== JSON.stringify(kept)) await settings.put(keyOf(this.#cluster), next)
  }

  async #found(window: Window, { reading, reason }: { reading: Reading; reason: string }): Promise<Found | undefined> {
    const found = await this.#read(window, reading)
    return found && { ...found, month: monthName(window), at: reading.context.now, reason }
  }

  /** What the lines of a month come to; undefined where there are none. */
  async #read(window: Window, { context, nodes, prices }: Reading): Promise<Sealing | undefined> {
    const cluster = this.#cluster
    if (Object.values(context.stored).every((kept) => kept === undefined || kept.from >= window.to)) return undefined
    const periods = await readPeriods(this.#store.usage, {
      cluster,
      book: prices,
      plan: planBy(window, '1d', context),
      by: ['at', 'kind', 'namespace', 'model', 'pool', 'machine'],
      stepSeconds: SPAN_SECONDS['1d'],
    })
    const priceOf = pricesOf(prices, { cluster, nodes, at: context.now })
    const costed = costPeriods(periods, priceOf)
    if (costed.length === 0) return undefined
    const lines = costed.map(({ total: { key }, split }) =>
      JSON.stringify([key, split.map((seconds) => Math.round(seconds * 1000))]),
    )
    return { sums: ledgerSums(costOf(costed)), digest: digestOf(lines) }
  }
}

type Sealing = Pick<SealedMonth, 'sums' | 'digest'>
type Found = Sealing & Pick<SealedMonth, 'month'> & { readonly at: Instant; readonly reason: string }

/** Where nothing was looked at, or nothing is stored any more, it stays as it is. */
function judged(sealed: SealedMonth | undefined, found: Found | undefined): readonly SealedMonth[] {
  if (found === undefined) return sealed === undefined ? [] : [sealed]
  if (sealed !== undefined) return [withCorrection(sealed, found)]
  const { month, at: sealedAt, sums, digest } = found
  return [{ month, sealedAt, sums, digest, corrections: [] }]
}

type Reading = { readonly context: PlanContext; readonly nodes: readonly GpuNode[]; readonly prices: PriceBook }

type Changes = Pick<Look, 'filledFrom' | 'keptFrom'> & { readonly pricesChanged: boolean }

function reasonOf({ pricesChanged, filledFrom, keptFrom }: Changes, window: Window): string | undefined {
  if (window.from < keptFrom) return undefined
  if (filledFrom !== undefined && filledFrom < window.to) return 'Usage that was missing was read later.'
  return pricesChanged ? 'Prices of the past were changed.' : undefined
}

const digestOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')

const monthName = ({ from }: Window): string => new Date(from).toISOString().slice(0, 7)

/** Calendar months (UTC) that are over, oldest first. */
function monthsBefore(now: Instant): readonly Window[] {
  const date = new Date(now)
  const start = (back: number): Instant => instant(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back))
  return Array.from({ length: MOST_MONTHS }, (_, order) => MOST_MONTHS - order).map((back) => ({
    from: start(back),
    to: start(back - 1),
  }))
}
