import { instant, type Delivery, type DeliveryAttempt, type Log, type Store } from '@septet/domain'

import { readChannels, type Channel } from '../alert-settings.ts'
import { nextTry } from './retry-delay.ts'
import { sendDelivery, type Carriers, type DeliveryOutcome } from './send-delivery.ts'

type Needs = {
  readonly store: Pick<Store, 'alerts' | 'settings'>
  readonly carriers: Carriers
  readonly log: Log
}

const LOOK_MS = 2000
const AT_ONCE = 8

/**
 * Sends what waits, and keeps it waiting until it has arrived or is given up. All of it is in the store, so a restart goes
 * on where it was; a message whose answer was lost by a crash is sent again, with the same id.
 */
export class Dispatcher {
  readonly #needs: Needs
  readonly #sending = new Map<string, Promise<void>>()
  #timer: ReturnType<typeof setInterval> | undefined
  #looking = Promise.resolve()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  start(): void {
    this.#timer = setInterval(() => void this.wake(), LOOK_MS)
    this.#timer.unref()
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
    await Promise.all(this.#sending.values())
  }

  /** Looks now for what is due. Never fails: what the store refuses is tried at the next look. */
  wake(): Promise<void> {
    this.#looking = this.#looking
      .then(() => this.#look())
      .catch((error: unknown) => {
        this.#needs.log.warn('notifications wait: the store is not responding', { error: String(error) })
      })
    return this.#looking
  }

  /** Waits until a message was tried once more than `attempts` times, or for so many milliseconds. */
  async settled(id: string, waitMs: number): Promise<void> {
    await this.wake()
    const giveUp = Promise.withResolvers<void>()
    const timer = setTimeout(giveUp.resolve, waitMs)
    await Promise.race([this.#sending.get(id), giveUp.promise])
    clearTimeout(timer)
  }

  async #look(): Promise<void> {
    const { store, carriers } = this.#needs
    const room = AT_ONCE - this.#sending.size
    if (room <= 0) return
    const due = await store.alerts.deliveries.due(instant(carriers.now()), AT_ONCE)
    const waiting = due.filter(({ id }) => !this.#sending.has(id)).slice(0, room)
    if (waiting.length === 0) return
    const channels = new Map((await readChannels(store.settings)).map((channel) => [channel.id, channel]))
    for (const delivery of waiting) {
      const sent = this.#send(delivery, channels.get(delivery.channel))
        .catch((error: unknown) => this.#needs.log.warn('a notification could not be logged', { error: String(error) }))
        .finally(() => this.#sending.delete(delivery.id))
      this.#sending.set(delivery.id, sent)
    }
  }

  async #send(delivery: Delivery, channel: Channel | undefined): Promise<void> {
    const { store, carriers } = this.#needs
    const started = carriers.now()
    const outcome = channel === undefined ? GONE : await sendDelivery(delivery, channel, carriers)
    const now = instant(carriers.now())
    const { status, retryAfter, isFinal } = outcome
    const isDone = outcome.outcome === 'delivered' || isFinal
    const nextAt = isDone ? undefined : nextTry({ delivery, status, retryAfter, now })
    const attempt: DeliveryAttempt = {
      delivery: delivery.id,
      attempt: delivery.attempts + 1,
      at: instant(started),
      outcome: outcome.outcome,
      status,
      detail: outcome.detail,
      tookMs: Math.max(0, now - started),
      nextAt,
    }
    const failed = nextAt === undefined ? 'failed' : 'waiting'
    const state = outcome.outcome === 'delivered' ? 'delivered' : failed
    await store.alerts.deliveries.record(attempt, { state, nextAt })
  }
}

const GONE: DeliveryOutcome = {
  outcome: 'failed',
  status: undefined,
  detail: 'The channel was removed.',
  retryAfter: undefined,
  isFinal: true,
}
