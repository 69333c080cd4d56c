import type { Account, Factor, Instant, Session } from '@septet/domain'
import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { renderSVG } from 'uqr'
import type { Secrets } from './secrets.ts'

/** A second factor whose enrolment was begun and not finished is gone after this long, milliseconds. */
export const UNVERIFIED_FACTOR_MS = 300_000

/** Whether the enrolment of a factor was begun too long ago to be finished. */
export const isStaleCode = (factor: Factor, now: Instant): boolean =>
  factor.status === 'unverified' && now - factor.createdAt >= UNVERIFIED_FACTOR_MS

type Raise = { readonly account: Account; readonly session: Session; readonly factor: Factor }

/**
 * Raises a session that has just shown a factor. The factor counts from now on. Anyone who is in with less is out: the
 * account's other sessions without a second factor end, and enrolments that nobody finished go. The counter jumps by two,
 * so that no refresh token from before is the current one or the one before that.
 */
export async function raiseSession(
  context: AuthContext,
  { account, session, factor }: Raise,
): Promise<{ readonly session: Session; readonly ended: number }> {
  const counted = await context.access.factors.update(factor.id, { status: 'verified', updatedAt: context.now() })
  if (counted === undefined) throw new AuthProblem(404, 'mfa_factor_not_found', 'The factor was removed meanwhile')
  const raised = await raiseRow(context, session, factor.id)
  const ended = await endLesserSessions(context, account.id, raised.id)
  for (const other of await context.access.factors.ofAccount(account.id)) {
    // oxlint-disable-next-line no-await-in-loop -- at most nine
    if (other.status === 'unverified') await context.access.factors.remove(other.id)
  }
  return { session: raised, ended }
}

/** A refresh at the same moment changes the counter first: then it is read again. */
async function raiseRow(context: AuthContext, session: Session, factorId: string): Promise<Session> {
  let current: Session | undefined = session
  while (current !== undefined) {
    const at = Math.floor(context.now() / 1000)
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    const raised = await context.access.sessions.advance(current.id, current.refreshCounter, {
      aal: 'aal2',
      factorId,
      methods: [{ method: METHOD, at }, ...withoutFactor(current)],
      refreshCounter: current.refreshCounter + 2,
      refreshedAt: context.now(),
    })
    if (raised !== undefined) return raised
    // oxlint-disable-next-line no-await-in-loop -- as above
    current = await context.access.sessions.get(current.id)
  }
  throw new AuthProblem(403, 'session_not_found', 'The session ended while the code was checked')
}

async function endLesserSessions(context: AuthContext, accountId: string, except: string): Promise<number> {
  const sessions = await context.access.sessions.ofAccount(accountId)
  const lesser = sessions.filter(({ id, aal }) => id !== except && aal !== 'aal2')
  const gone = await Promise.all(lesser.map(({ id }) => context.access.sessions.remove(id)))
  return gone.filter(Boolean).length
}

/** Removes a factor; the sessions that it raised fall back. How many did; undefined when the factor was gone. */
export async function removeFactor(context: AuthContext, factor: Factor): Promise<number | undefined> {
  if (!(await context.access.factors.remove(factor.id))) return undefined
  const sessions = await context.access.sessions.ofAccount(factor.accountId)
  const raised = sessions.filter(({ factorId }) => factorId === factor.id)
  await Promise.all(
    raised.map((session) =>
      context.access.sessions.update(session.id, {
        aal: 'aal1',
        factorId: undefined,
        methods: withoutFactor(session),
      }),
    ),
  )
  return raised.length
}

/** The protocol's word for a time-based one-time password. */
const METHOD = 'totp'

const withoutFactor = ({ methods }: Session): Session['methods'] => methods.filter(({ method }) => method !== METHOD)

/** What an authenticator app needs to know, in the three forms that people give it. Shown once. */
type TotpSetup = {
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
