import type { Instant } from '@septet/domain'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { renderSVG } from 'uqr'

import type { Secrets } from './secrets.ts'

/** What an authenticator app needs to know, in the three forms that people give it. Shown once. */
export type TotpSetup = {
  /** Base32, 160 bits. */
  readonly secret: string
  /** `otpauth://totp/…` */
  readonly uri: string
  /** The URI as a QR code: an SVG element, without a header. */
  readonly picture: string
}

/** A new time-based one-time password (RFC 6238) with the values that every app knows: SHA-1, six digits, 30 seconds. */
export function newTotp({ issuer, label }: { readonly issuer: string; readonly label: string }): TotpSetup {
  const secret = generateSecret({ length: SECRET_BYTES })
  const uri = generateURI({ issuer, label, secret, algorithm: 'sha1', digits: DIGITS, period: STEP_SECONDS })
  return { secret, uri, picture: renderSVG(uri, { border: QUIET_MODULES }) }
}

/**
 * The time step that a code belongs to: the one now, the one before or the one after, as clocks differ and people type
 * slowly. Undefined for a wrong code. Accept a step once only: `factors.useStep`.
 */
export function stepOfCode(secret: string, code: string, now: Instant): number | undefined {
  if (!/^\d{6}$/u.test(code)) return undefined
  const found = verifySync({
    secret,
    token: code,
    algorithm: 'sha1',
    digits: DIGITS,
    period: STEP_SECONDS,
    epoch: Math.floor(now / 1000),
    epochTolerance: STEP_SECONDS,
  })
  return found.valid && 'timeStep' in found ? found.timeStep : undefined
}

/** The secret as it is kept: only the factor's own row opens it. */
export const sealTotpSecret = (secrets: Secrets, factorId: string, secret: string): Uint8Array =>
  secrets.seal(purposeOf(factorId), Buffer.from(secret))

/** Throws when it was sealed for another factor or with another master secret. */
export const openTotpSecret = (secrets: Secrets, factorId: string, sealed: Uint8Array): string =>
  Buffer.from(secrets.unseal(purposeOf(factorId), sealed)).toString()

const DIGITS = 6
const STEP_SECONDS = 30
/** As long as the hash, as RFC 4226, section 4, recommends. */
const SECRET_BYTES = 20
/** White around the code, in modules: ISO/IEC 18004 asks for four. */
const QUIET_MODULES = 4

const purposeOf = (factorId: string): string => `factor/${factorId}`
