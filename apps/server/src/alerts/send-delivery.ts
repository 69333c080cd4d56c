import { errorText } from '@septet/domain/words'
import type { Delivery } from '@septet/domain'

import type { Channel } from '../alert-settings.ts'
import { AlertMessageSchema, type AlertMessage } from './alert-message.ts'
import { mailForm, slackBody, webhookBody } from './message-forms.ts'
import { type Guard, postWebhook } from './post-webhook.ts'
import { signatureHeaders } from './sign-webhook.ts'

/** What came of one try. */
export type DeliveryOutcome = {
  readonly outcome: 'delivered' | 'failed'
  readonly status: number | undefined
  readonly detail: string
  readonly retryAfter: string | undefined
  /** Whether another try cannot help: the target itself is refused. */
  readonly isFinal: boolean
}

/** What is needed to send: secrets are opened only here. */
export type Carriers = {
  readonly open: (purpose: string, sealed: string) => string
  /** Sends a mail; gives `sent`, `kept here: …` or `not sent: …`. */
  readonly mail: (letter: {
    readonly to: string
    readonly subject: string
    readonly text: string
    readonly html: string
  }) => Promise<string>
  readonly guard: Guard
  readonly timeoutMs: number
  readonly now: () => number
}

/** Sends one message to its channel. Never throws: what went wrong is in the outcome, in words. */
export async function sendDelivery(delivery: Delivery, channel: Channel, carriers: Carriers): Promise<DeliveryOutcome> {
  try {
    const message = AlertMessageSchema.parse(delivery.content)
    const target = carriers.open(`channel/${channel.id}`, channel.sealedTarget)
    if (channel.kind === 'email') return await byMail(message, target, carriers)
    return await byWebhook({ delivery, channel, message, target }, carriers)
  } catch (error) {
    return failed(reasonOf(error), { isFinal: error instanceof Error && error.name === 'AddressRefused' })
  }
}

async function byMail(message: AlertMessage, to: string, { mail }: Carriers): Promise<DeliveryOutcome> {
  const outcome = await mail({ to, ...mailForm(message) })
  const isFailed = outcome.startsWith('not sent')
  return { ...failed(outcome), outcome: isFailed ? 'failed' : 'delivered' }
}

type Sending = {
  readonly delivery: Delivery
  readonly channel: Channel
  readonly message: AlertMessage
  readonly target: string
}

async function byWebhook(
  { delivery, channel, message, target }: Sending,
  carriers: Carriers,
): Promise<DeliveryOutcome> {
  const body = channel.kind === 'slack' ? slackBody(message) : webhookBody(message, delivery.createdAt)
  const secret =
    channel.sealedSecret === null ? undefined : carriers.open(`channel-secret/${channel.id}`, channel.sealedSecret)
  const timestamp = Math.floor(carriers.now() / 1000)
  const signed = secret === undefined ? {} : signatureHeaders({ id: delivery.id, timestamp, body, secret })
  const headers = { 'content-type': 'application/json', ...signed }
  const { guard, timeoutMs } = carriers
  const { status, retryAfter, start } = await postWebhook({ url: target, headers, body, guard, timeoutMs })
  const isDelivered = status >= 200 && status < 300
  const isRedirect = status >= 300 && status < 400
  const detail = isRedirect ? 'The receiver redirects elsewhere, and redirects are not followed.' : start
  return { outcome: isDelivered ? 'delivered' : 'failed', status, detail, retryAfter, isFinal: false }
}

const failed = (detail: string, { isFinal = false } = {}): DeliveryOutcome => ({
  outcome: 'failed',
  status: undefined,
  detail,
  retryAfter: undefined,
  isFinal,
})

/** One line, and never the address: that of Slack is a password. */
const reasonOf = (error: unknown): string =>
  errorText(error)
    .replaceAll(/https?:\/\/\S+/gu, 'the address')
    .replaceAll(/\s+/gu, ' ')
    .slice(0, 300)
