import type { AlertRules, Delivery } from '@septet/domain'

/** What operations need of the part that sends alerts, handed to them as a port. */
export type AlertService = {
  /** Encrypts for one purpose, as text. */
  seal(purpose: string, plain: string): string
  makeSigningSecret(): string
  /** Throws a sentence where a webhook may not go to this address. */
  checkTarget(url: string): Promise<void>
  /** A test message to a channel, not yet sent. */
  testDelivery(channel: string): Delivery
  /** Sends what is due and waits until this message was tried, for 15 seconds at most. */
  settled(delivery: string): Promise<void>
  /** Judges all clusters again, as rules or silences have changed. */
  reconsider(): void
  prometheusRule(rules: AlertRules): string
  /** No mail server is set: mails stay in the outbox. */
  readonly keepsMails: boolean
}
