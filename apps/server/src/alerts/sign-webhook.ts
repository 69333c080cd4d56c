import { createHmac, randomBytes } from 'node:crypto'

/** Between 24 and 64 bytes, says the Standard Webhooks specification. */
const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** A new signing secret in the form that receivers' libraries take. */
export const makeSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export type Signed = {
  /** Stays the same over all attempts. */
  readonly id: string
  /** Of this attempt, seconds since 1970. */
  readonly timestamp: number
  readonly body: string
  readonly secret: string
}

/** Headers by which a receiver knows who wrote, when, and that nothing was changed: Standard Webhooks, symmetric `v1`. */
export function signatureHeaders({ id, timestamp, body, secret }: Signed): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` }
}
