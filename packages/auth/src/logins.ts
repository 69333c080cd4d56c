import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'

import { instant, type Instant, type LoginDecision, type LoginRequest, type Role } from '@septet/domain'

import type { AuthContext } from './auth-context.ts'
import { sameText } from './same-text.ts'

/**
 * How a command line gets a token without a person pasting one: it asks, a signed-in person allows it on a page, and it
 * redeems that, once. Either the person's browser returns to the machine that asked, with a code (RFC 8252), or the
 * person types what the terminal shows (RFC 8628). In both, only who holds the PKCE verifier can redeem.
 */
export type Logins = {
  begin(wish: LoginWish): Promise<BegunLogin>
  /** The request that waits under a code, however it was typed; undefined where none does. */
  find(code: string): Promise<LoginRequest | undefined>
  /** Decides a request, once. Resolves with what the browser carries back, or undefined where it was decided or over. */
  allow(request: LoginRequest, allowed: Omit<AllowedLogin, 'machine'>): Promise<Decided | undefined>
  deny(request: LoginRequest): Promise<Decided | undefined>
  /** What came of a request. `over` also where the verifier or the grant is not the right one. Takes what it gives. */
  redeem(proof: LoginProof): Promise<RedeemedLogin>
}

type LoginWish = Pick<LoginRequest, 'machine' | 'ip' | 'challenge' | 'callback' | 'role'>
type BegunLogin = {
  readonly id: string
  /** Two groups of four consonants: no words, and nothing that looks like a digit. */
  readonly code: string
  readonly expiresAt: Instant
}
export type AllowedLogin = {
  readonly machine: string
  /** Address of the person who allowed it. */
  readonly by: string
  /** Their account. */
  readonly account: string | undefined
  readonly role: Role
  readonly namespaces: readonly string[] | undefined
}
/** The address that the browser goes to now; undefined where it stays. */
type Decided = { readonly returnTo: string | undefined }
type LoginProof = { readonly id: string; readonly verifier: string; readonly grant: string | undefined }
type RedeemedLogin = 'pending' | 'denied' | 'over' | AllowedLogin

type LoginContext = Pick<AuthContext, 'access' | 'secrets' | 'now'>

export function openLogins(context: LoginContext): Logins {
  const { access, now } = context
  const waiting = (request: LoginRequest | undefined): LoginRequest | undefined =>
    request !== undefined && request.expiresAt > now() ? request : undefined
  const decide = async (request: LoginRequest, decision: LoginDecision): Promise<boolean> =>
    waiting(request) !== undefined && (await access.logins.decide(request.id, decision))
  return {
    async begin(wish) {
      const [id, code, createdAt] = [randomUUID(), newCode(), now()]
      const expiresAt = instant(createdAt + LOGIN_LIFE)
      // Anyone who adds rows also removes those that are over: strangers may add some.
      await access.logins.prune(createdAt)
      const codeHash = codeHashOf(context, code)
      await access.logins.create({ ...wish, id, codeHash, decision: undefined, createdAt, expiresAt })
      return { id, code, expiresAt }
    },
    async find(code) {
      const found = waiting(await access.logins.byCode(codeHashOf(context, code)))
      return found?.decision === undefined ? found : undefined
    },
    async allow(request, { by, account, role, namespaces }) {
      const grant = request.callback === undefined ? undefined : randomBytes(GRANT_BYTES).toString('base64url')
      const grantHash = grant === undefined ? undefined : grantHashOf(context, grant)
      const decided = await decide(request, { kind: 'allowed', by, account, role, namespaces, grantHash })
      return decided ? { returnTo: returnOf(request, grant === undefined ? {} : { code: grant }) } : undefined
    },
    async deny(request) {
      const decided = await decide(request, { kind: 'denied' })
      return decided ? { returnTo: returnOf(request, { error: 'access_denied' }) } : undefined
    },
    async redeem(proof) {
      const request = waiting(await access.logins.get(proof.id))
      if (request === undefined || !sameText(challengeOf(proof.verifier), request.challenge)) return 'over'
      const { decision, machine } = request
      if (decision === undefined) return 'pending'
      if (decision.kind === 'denied') return 'denied'
      if (!holdsGrant(context, decision.grantHash, proof.grant)) return 'over'
      const { by, account, role, namespaces } = decision
      return (await access.logins.take(request.id)) ? { machine, by, account, role, namespaces } : 'over'
    },
  }
}

/** Ten minutes, milliseconds: time to sign in and to find a second factor, and little to guess. */
const LOGIN_LIFE = 600_000
const GRANT_BYTES = 32
/** RFC 8628, section 6.1: 20^8 codes, 34 bits. */
const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8

function newCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)])
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

/** In either case, with or without its dash. */
const codeHashOf = ({ secrets }: LoginContext, code: string): string =>
  secrets.keyedHash('login-code', code.toUpperCase().replaceAll(/[^A-Z]/gu, ''))

const grantHashOf = ({ secrets }: LoginContext, grant: string): string => secrets.keyedHash('login-grant', grant)

/** A request that sends the browser back is redeemed only with what the browser brought. */
const holdsGrant = (context: LoginContext, hash: string | undefined, grant: string | undefined): boolean =>
  hash === undefined || (grant !== undefined && sameText(grantHashOf(context, grant), hash))

/** PKCE, method S256 (RFC 7636, section 4.2). */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

function returnOf({ callback }: LoginRequest, answer: Readonly<Record<string, string>>): string | undefined {
  if (callback === undefined) return undefined
  const url = new URL(callback.url)
  url.search = String(new URLSearchParams({ ...answer, state: callback.state }))
  return url.href
}
