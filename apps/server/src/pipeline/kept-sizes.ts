import {
  bucketStart,
  DAY_MS,
  HOUR_MS,
  instant,
  markOversized,
  ratio,
  sizesToForce,
  type ClusterAnalysis,
  type Instant,
  type SettingStore,
  type SizesInForce,
  type UsageStore,
} from '@septet/domain'
import { z } from 'zod'

/** A gap of the past may be filled in days later, by the sizes of its time. */
const KEPT_MS = 40 * DAY_MS

const Schema = z.array(
  z.object({
    judgedAt: z.number().transform(instant),
    from: z.number().transform(instant),
    sizes: z.array(
      z.object({ workload: z.string(), model: z.string(), profile: z.string(), share: z.number().transform(ratio) }),
    ),
  }),
)

/**
 * The sizes that a cluster's hours are closed by. They are judged once a day (UTC), over the week before, so that the hours
 * of a day go by one judgement and a week costs what its days cost.
 */
export class KeptSizes {
  readonly #settings: SettingStore
  readonly #key: string
  #judged: z.output<typeof Schema> | undefined

  constructor(settings: SettingStore, cluster: string) {
    this.#settings = settings
    this.#key = `sizes/${cluster}`
  }

  /** Oldest first. Throws what the store throws. */
  async all(): Promise<z.output<typeof Schema>> {
    this.#judged ??= Schema.safeParse(await this.#settings.get(this.#key)).data ?? []
    return this.#judged
  }

  /**
   * Puts the sizes of an analysis of the last week into force from now on, unless today's are. The first ones hold for that
   * week too, and are told, so that what is stored of it can be marked. Throws what the store throws.
   */
  async judge({ workloads, window }: Pick<ClusterAnalysis, 'workloads' | 'window'>, now: Instant): Promise<FirstSizes> {
    const before = await this.all()
    const last = before.at(-1)
    if (last !== undefined && dayOf(last.judgedAt) === dayOf(now)) return undefined
    const from = last === undefined ? window.from : bucketStart(now, '5m')
    const judged = { judgedAt: now, from, sizes: sizesToForce(workloads) }
    this.#judged = [...before.filter((sizes) => now - sizes.from < KEPT_MS), judged]
    await this.#settings.put(this.#key, this.#judged)
    return last === undefined ? judged : undefined
  }
}

type FirstSizes = SizesInForce | undefined

const dayOf = (at: Instant): number => Math.floor(at / DAY_MS)

/**
 * Marks what is stored since the sizes hold. Hours that were rolled up are not touched: their five-minute rows are, and the
 * next roll-up makes them again. Throws what the store throws; what was marked then stays.
 */
export async function markStored(
  usage: Pick<UsageStore, 'coverage' | 'rows' | 'write'>,
  cluster: string,
  { sizes, now }: { readonly sizes: SizesInForce; readonly now: Instant },
): Promise<void> {
  const fine = await usage.coverage(cluster, '5m')
  const fineFrom = instant(Math.floor(Math.max(sizes.from, fine?.from ?? now) / HOUR_MS) * HOUR_MS)
  const workloads = sizes.sizes.map(({ workload }) => workload)
  const stretches = [
    { span: '5m', from: fineFrom, to: now },
    { span: '1h', from: sizes.from, to: fineFrom },
  ] as const
  for (const { span, from, to } of stretches) {
    for (let at: number = from; at < to; at += DAY_MS) {
      const window = { from: instant(at), to: instant(Math.min(to, at + DAY_MS)) }
      const rows = await usage.rows({ cluster, span, window, workloads })
      const marked = markOversized(rows, [sizes]).filter((row, order) => row !== rows[order])
      if (marked.length > 0) await usage.write(cluster, marked)
    }
  }
}
