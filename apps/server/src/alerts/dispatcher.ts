import {
  instant,
  HOUR_MS,
  type Delivery,
  type DeliveryAttempt,
  type Log,
  type Store,
  type Instant,
} from '@septet/domain'

import { readChannels, type Channel } from '../alert-settings.ts'
import { sendDelivery, type Carriers, type DeliveryOutcome } from './send-delivery.ts'
import { inTime } from '../in-time.ts'
import { LoopRecord, type LoopState } from '../repeat.ts'

type Needs = {
  readonly store: Pick<Store, 'alerts' | 'settings'>
  readonly carriers: Carriers
  readonly log: Log
  /** False: another server may send. */
  readonly isLeading: () => boolean
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
  readonly #record = new LoopRecord('notifications', LOOK_MS)
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
      .then(() => this.#record.run(() => this.#look()))
      .catch((error: unknown) => {
        this.#needs.log.warn('notifications wait: the store is not responding', { error: String(error) })
      })
    return this.#looking
  }

  loop = (): LoopState => this.#record.state()

  /** Waits until a message was tried once more than `attempts` times, or for so many milliseconds. */
  async settled(id: string, waitMs: number): Promise<void> {
    await this.wake()
    await inTime(waitMs, Promise.resolve(this.#sending.get(id)))
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
    const { store, carriers, isLeading } = this.#needs
    if (!isLeading()) return
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

const SECOND = 1000
const MINUTE = 60 * SECOND

/** After each failed try the next one is so much later, milliseconds; the last one repeats. */
const DELAYS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
] as const
const LAST = 4 * HOUR_MS
/** Of the client errors, those that may be over later: timeout, too early, too many requests. */
const TRY_LATER = new Set([408, 425, 429])

/** Whether it makes sense to try again: where nobody answered, or the receiver says that it is not our fault. */
const isWorthAnother = (status: number | undefined): boolean =>
  status === undefined || status >= 500 || TRY_LATER.has(status)

type FailedDelivery = {
  readonly delivery: Pick<Delivery, 'attempts' | 'giveUpAt'>
  readonly status: number | undefined
  readonly retryAfter: string | undefined
  readonly now: Instant
}

/** When to try again; undefined when not. A receiver that says when is heard. */
function nextTry({ delivery, status, retryAfter, now }: FailedDelivery): Instant | undefined {
  if (!isWorthAnother(status)) return undefined
  const wait = Math.max(DELAYS[delivery.attempts] ?? LAST, asked(retryAfter, now))
  const at = instant(now + wait)
  return at > delivery.giveUpAt ? undefined : at
}

/** `Retry-After` as seconds or as a date (RFC 9110), milliseconds from now. */
function asked(retryAfter: string | undefined, now: Instant): number {
  if (retryAfter === undefined) return 0
  if (/^\d{1,9}$/u.test(retryAfter)) return Number(retryAfter) * SECOND
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
