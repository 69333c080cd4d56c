import type { Instant } from '../units.ts'

/** One message to one channel. It is kept until it has arrived or is given up, so a restart loses none. */
export type Delivery = {
  /** Also the message's id for receivers: it stays the same over all attempts. */
  readonly id: string
  /** Id of the channel; empty texts are never channels. */
  readonly channel: string
  readonly cluster: string
  readonly about: 'firing' | 'resolved' | 'test'
  /** Ids of the alerts that it tells of. */
  readonly alerts: readonly string[]
  /** One line for people. */
  readonly title: string
  /** What is said, before a channel puts it into its own form. */
  readonly content: unknown
  readonly createdAt: Instant
  readonly state: 'waiting' | 'delivered' | 'failed'
  /** How often it was tried. */
  readonly attempts: number
  /** When it is tried next; undefined when it is not. */
  readonly nextAt: Instant | undefined
  /** After this it is not tried again. */
  readonly giveUpAt: Instant
}

/** One try to deliver, as the log shows it. */
export type DeliveryAttempt = {
  readonly delivery: string
  /** 1, 2, 3 … */
  readonly attempt: number
  readonly at: Instant
  readonly outcome: 'delivered' | 'failed'
  /** HTTP status; undefined where there was none. */
  readonly status: number | undefined
  /** For people: why, and the start of what the receiver said. */
  readonly detail: string
  readonly tookMs: number
  /** When it is tried again; undefined when it is not. */
  readonly nextAt: Instant | undefined
}

export type DeliveryQuery = {
  readonly channel?: string
  readonly state?: Delivery['state']
  readonly limit: number
  /** Only what comes after this one in the list, for the next page. */
  readonly before?: Pick<Delivery, 'createdAt' | 'id'>
}
