import type { Fence, LeadStore, Led, Log } from '@septet/domain'

import { inTime } from '../in-time.ts'
import { repeat, type Repeating, type ServerLoop } from '../repeat.ts'

/** The lead of the whole installation: whoever has it sends what goes out by itself. */
export const INSTALLATION = ''

/** Without a renewal another server may take a lead after this, milliseconds. */
const LEASE_MS = 8000
const RENEW_EVERY_MS = 3000
/** A server takes itself for out of its lead this long before others do, milliseconds. */
const MARGIN_MS = 1000
const LOOK_MS = 500
/** A server leaves a free lead to others for so long for each cluster that it leads, so that they are shared. */
const PATIENCE_MS = { each: 400, most: 1200 }
/** So often a server looks whether others lead more, milliseconds. */
const BALANCE_EVERY_MS = 10_000
/** For so long it leaves to others what it could not begin, milliseconds. */
const RETRY_MS = 30_000

export type LeadWish = {
  /** It is this server's from now on. */
  readonly gained: (lead: Fence) => void
  /** It is another's, or nobody's. */
  readonly lost: () => void
  /** A server that leads fewer asks for it: to be ended in order, and yielded. */
  readonly asked?: () => void
  /** Until when it is sure to be this server's, by `steadyNow`. */
  readonly extended?: (until: number) => void
}

type LeadsParts = {
  readonly store: LeadStore
  /** This server, as no other is called. */
  readonly holder: string
  /** By `steadyNow`. */
  readonly now: () => number
  readonly log: Log
  /** Whether no other server can reach the store, as its database is this one's own. */
  readonly alone: boolean
}

type Wished = LeadWish & {
  lead: Fence | undefined
  until: number
  freeSince: number | undefined
  /** It is being ended for another. */
  isLeaving: boolean
  /** It could not be begun here: it is not asked for. */
  isBroken: boolean
}
/** Nothing of a lead is left. */
const NONE = { lead: undefined, until: 0, freeSince: undefined, isLeaving: false } as const

/** The leads that this server wants: takes those that are free, renews those that it has, and tells of both. */
export class Leads {
  readonly #parts: LeadsParts
  readonly #wishes = new Map<string, Wished>()
  #renewedAt = -Infinity
  #balancedAt: number
  #loop: Repeating | undefined

  constructor(parts: LeadsParts) {
    this.#parts = parts
    this.#balancedAt = parts.now()
  }

  start(): void {
    const { log, alone } = this.#parts
    if (alone) return
    const onError = (error: unknown): void => log.warn('who leads could not be asked', { error: String(error) })
    this.#loop = repeat(() => this.turn(), { name: 'leads', everyMs: LOOK_MS, startMs: LOOK_MS, onError })
  }

  /** Wants a lead from now on. Gives it where it is free, and says nothing of that; undefined where another has it. */
  async want(cluster: string, wish: LeadWish): Promise<Fence | undefined> {
    const wished: Wished = { ...wish, ...NONE, isBroken: false }
    this.#wishes.set(cluster, wished)
    // Whoever had the only server's leads before is gone.
    if (this.#parts.alone) await this.#parts.store.revoke(cluster)
    return this.#take(cluster, wished)
  }

  /** Wants it no more, and leaves it to others. */
  async drop(cluster: string): Promise<void> {
    const wished = this.#wishes.get(cluster)
    this.#wishes.delete(cluster)
    if (wished?.lead !== undefined) await this.#parts.store.release(wished.lead)
  }

  /** Leaves it to others for a while: it was asked for, or could not be begun here. Never fails: it is over by itself. */
  async yield(cluster: string, isBroken = false): Promise<void> {
    const { store, now, log } = this.#parts
    const wished = this.#wishes.get(cluster)
    if (wished?.lead === undefined) return
    const { lead } = wished
    Object.assign(wished, NONE, { freeSince: now() + RETRY_MS, isBroken })
    const onError = (error: unknown): void =>
      log.warn('a lead could not be given up', { cluster, error: String(error) })
    await store.release(lead).catch(onError)
  }

  /** Until when it is sure to be this server's, by `steadyNow`; in the past where it is not. */
  until = (cluster: string): number => this.#wishes.get(cluster)?.until ?? 0

  /** Whether it is sure to be this server's now. */
  has = (cluster: string): boolean => this.#parts.now() < this.until(cluster)

  /** The clusters that it is sure to lead now. */
  clusters = (): readonly string[] => [...this.#wishes.keys()].filter((name) => name !== INSTALLATION && this.has(name))

  loops = (): readonly ServerLoop[] => (this.#loop === undefined ? [] : [this.#loop.state()])

  /** Those that were not dropped are given up. */
  async stop(): Promise<void> {
    await this.#loop?.stop()
    await Promise.all([...this.#wishes.keys()].map((cluster) => this.drop(cluster)))
  }

  async turn(): Promise<void> {
    if (this.#parts.now() - this.#renewedAt >= RENEW_EVERY_MS) await this.#renew()
    const led = await this.#parts.store.led()
    await this.#takeFree(led)
    this.#giveUp(led)
    await this.#balance(led)
  }

  async #renew(): Promise<void> {
    const { store, now } = this.#parts
    const mine = [...this.#wishes.values()].flatMap(({ lead }) => lead ?? [])
    const asked = now()
    if (mine.length === 0) return
    // On a connection that is dead no answer comes before the lead is over: it is asked again on another.
    const kept = await inTime(RENEW_EVERY_MS, store.renew(mine, LEASE_MS))
    if (kept === undefined) throw new Error('no answer came in time')
    this.#renewedAt = asked
    const still = new Set(kept)
    for (const wished of this.#wishes.values()) {
      if (wished.lead === undefined || !mine.includes(wished.lead)) continue
      if (still.has(wished.lead)) this.#extend(wished, asked + LEASE_MS - MARGIN_MS)
      else this.#lose(wished)
    }
  }

  #extend(wished: Wished, until: number): void {
    wished.until = until
    wished.extended?.(until)
  }

  #lose(wished: Wished): void {
    Object.assign(wished, NONE)
    wished.lost()
  }

  async #takeFree(led: readonly Led[]): Promise<void> {
    const { now } = this.#parts
    const held = new Set(led.map(({ cluster }) => cluster))
    for (const [cluster, wished] of this.#wishes) {
      if (wished.lead !== undefined) continue
      if (held.has(cluster)) wished.freeSince = undefined
      else wished.freeSince ??= now()
      if (wished.freeSince === undefined || now() - wished.freeSince < this.#patience(cluster)) continue
      const lead = await this.#take(cluster, wished)
      if (lead !== undefined) wished.gained(lead)
    }
  }

  /** Ends one after the other what is asked for. */
  #giveUp(led: readonly Led[]): void {
    const asked = new Set(led.flatMap(({ cluster, asked: by }) => (by === undefined ? [] : cluster)))
    const mine = [...this.#wishes].filter(([, { lead }]) => lead !== undefined)
    if (mine.some(([, { isLeaving }]) => isLeaving)) return
    const [, next] = mine.find(([cluster]) => asked.has(cluster)) ?? []
    if (next?.asked === undefined) return
    next.isLeaving = true
    next.asked()
  }

  /** Asks the server that leads the most for one of its clusters, where this one leads at least two fewer. */
  async #balance(led: readonly Led[]): Promise<void> {
    const { store, holder, now } = this.#parts
    if (now() - this.#balancedAt < BALANCE_EVERY_MS) return
    this.#balancedAt = now()
    const others = led.filter(({ cluster }) => cluster !== INSTALLATION && this.#isOthers(cluster))
    const most = [...Map.groupBy(others, (each) => each.holder).values()].toSorted((a, b) => b.length - a.length)[0]
    const [one] = most ?? []
    if (one !== undefined && (most?.length ?? 0) >= this.clusters().length + 2) await store.ask(one.cluster, holder)
  }

  /** Whether this server could watch it, and another does. */
  #isOthers(cluster: string): boolean {
    const wished = this.#wishes.get(cluster)
    return wished !== undefined && wished.lead === undefined && !wished.isBroken
  }

  #patience(cluster: string): number {
    if (cluster === INSTALLATION) return 0
    const leading = [...this.#wishes].filter(([name, { lead }]) => name !== INSTALLATION && lead !== undefined)
    return Math.min(leading.length * PATIENCE_MS.each, PATIENCE_MS.most)
  }

  async #take(cluster: string, wished: Wished): Promise<Fence | undefined> {
    const { store, holder, now, alone } = this.#parts
    const asked = now()
    const lead = await store.take(cluster, holder, LEASE_MS)
    // Dropped, or wanted anew, while it was being taken.
    const isWanted = this.#wishes.get(cluster) === wished
    if (lead !== undefined && !isWanted) await store.release(lead)
    if (lead === undefined || !isWanted) return undefined
    wished.lead = lead
    this.#extend(wished, alone ? Infinity : asked + LEASE_MS - MARGIN_MS)
    return lead
  }
}

/** What others ask of the leads of a server. */
export type OwnLeads = Pick<Leads, 'want' | 'drop' | 'yield' | 'until' | 'has' | 'clusters' | 'loops'>

/** Of a server that only answers: it leads nothing, and asks nothing. */
export const NO_LEADS: OwnLeads = {
  want: async () => undefined,
  drop: async () => undefined,
  yield: async () => undefined,
  until: () => 0,
  has: () => false,
  clusters: () => [],
  loops: () => [],
}
