import { createHmac, timingSafeEqual } from 'node:crypto'

import type { Session } from '@septet/domain'

import type { Secrets } from './secrets.ts'

/** What a refresh token says once its seal was found right. */
export type RefreshClaim = {
  readonly sessionId: string
  readonly counter: number
  /** Of the session when the token was made. */
  readonly aal: Session['aal']
}

/** Of the form: version, session id, counter, seal. There is a version for each level, so that the seal covers it. */
const VERSIONS = { aal1: 1, aal2: 2 } as const
const AALS = ['aal1', 'aal2'] as const
const HEAD_BYTES = 1 + 16 + 4
const SEAL_BYTES = 32

/**
 * The refresh token of a session as it is now: version, session id and counter under an HMAC-SHA-256 with a key of that
 * session alone. Nothing of it has to be kept, and a copy of the database makes none.
 */
export function refreshTokenOf(secrets: Secrets, session: Pick<Session, 'id' | 'refreshCounter' | 'aal'>): string {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt8(VERSIONS[session.aal], 0)
  head.write(session.id.replaceAll('-', ''), 1, 'hex')
  head.writeUInt32BE(session.refreshCounter, 17)
  return Buffer.concat([head, sealOf(secrets, session.id, head)]).toString('base64url')
}

/** Undefined for everything that was not made here. */
export function readRefreshToken(secrets: Secrets, token: string): RefreshClaim | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== HEAD_BYTES + SEAL_BYTES || bytes.toString('base64url') !== token) return undefined
  const head = bytes.subarray(0, HEAD_BYTES)
  const hex = head.toString('hex', 1, 17)
  const sessionId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  const right = timingSafeEqual(bytes.subarray(HEAD_BYTES), sealOf(secrets, sessionId, head))
  const aal = AALS.find((each) => VERSIONS[each] === head[0])
  return right && aal !== undefined ? { sessionId, counter: head.readUInt32BE(17), aal } : undefined
}

const sealOf = (secrets: Secrets, sessionId: string, head: Uint8Array): Buffer =>
  createHmac('sha256', secrets.key(`refresh-token/${sessionId}`))
    .update(head)
    .digest()
