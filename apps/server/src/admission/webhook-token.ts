import { createHmac, timingSafeEqual } from 'node:crypto'

/** What stands in the address of a cluster's webhooks: whoever asks about new pods there was given it. */
export const webhookToken = (key: Uint8Array, cluster: string): string =>
  createHmac('sha256', key).update(cluster).digest('hex')

/** Takes as long for a wrong token as for the right one. */
export function isWebhookToken(key: Uint8Array, cluster: string, token: string): boolean {
  const [right, given] = [Buffer.from(webhookToken(key, cluster)), Buffer.from(token)]
  return right.length === given.length && timingSafeEqual(right, given)
}
