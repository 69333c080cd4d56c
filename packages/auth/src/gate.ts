import { accountParty, type AccessStore, type Caller, type Instant } from '@septet/domain'
import type { FastifyRequest } from 'fastify'
import { notSignedIn, Refusal, notAllowed } from '@septet/contract'
import type { AuthConfig } from './auth-config.ts'
import { AuthProblem } from './auth-problem.ts'
import type { Auth } from './auth-service.ts'
import { addressKey } from './limits.ts'
import { type ServiceAccountGate, isStoreAway } from './service-account-gate.ts'
import { standingOf, standingOfToken } from './standing.ts'

/** How long after they were last let in somebody is believed while the database is away, milliseconds. */
const BELIEVED_MS = 15 * 60_000
const MOST_REMEMBERED = 10_000

type Remembered = { readonly caller: Caller; readonly until: number }

/**
 * Who was let in lately, by the hash of what they showed: for the time when the database does not answer, so that the
 * people who look at live figures then are not shut out. Nobody can be signed out, revoked or demoted in that time; what
 * was decided shortly before it, and not met by a request since, is what this can miss.
 */
class RememberedCallers {
  readonly #callers = new Map<string, Remembered>()

  /** `expiresAt`: when what they showed ends by itself. */
  keep(
    key: string,
    caller: Caller,
    { now, expiresAt }: { readonly now: Instant; readonly expiresAt: Instant | undefined },
  ): void {
    this.#callers.delete(key)
    this.#callers.set(key, { caller, until: Math.min(expiresAt ?? Infinity, now + BELIEVED_MS) })
    if (this.#callers.size <= MOST_REMEMBERED) return
    const [oldest] = this.#callers.keys()
    if (oldest !== undefined) this.#callers.delete(oldest)
  }

  forget(key: string): void {
    this.#callers.delete(key)
  }

  find(key: string, now: Instant): Caller | undefined {
    const found = this.#callers.get(key)
    return found !== undefined && now < found.until ? found.caller : undefined
  }
}

/** Says who asks. Nothing but the bearer token decides; cookies are never looked at. */
export type Gate = {
  /**
   * Throws a `Refusal`: `not-signed-in`, `second-factor-needed` or `not-allowed`, and for a service account that cannot be
   * checked `sign-in-unavailable` or `too-many-requests`. While the database does not answer,
   * whoever was let in within the last minutes is let in again.
   */
  caller(request: FastifyRequest): Promise<Caller>
}

export type GateNeeds = {
  readonly auth: Pick<Auth, 'verify'>
  readonly access: Pick<AccessStore, 'accounts' | 'members' | 'tokens'>
  readonly config: Pick<AuthConfig, 'mode' | 'authorized' | 'publicDemo'>
  /** Keyed hash under which an API token is kept. */
  readonly hashToken: (secret: string) => string
  /** Undefined where no service account comes in. */
  readonly serviceAccounts: ServiceAccountGate | undefined
  /** Clusters that visitors may look at, the sample data among them. */
  readonly publicClusters: () => readonly string[]
  readonly now: () => Instant
}

/** Every secret of an API token begins with this, so that scanners of repositories can find a lost one. */
export const TOKEN_PREFIX = 'spt_'

export function openGate(needs: GateNeeds): Gate {
  const remembered = new RememberedCallers()
  return {
    async caller(request) {
      const bearer = bearerOf(request.headers.authorization)
      if (bearer === undefined) return visitor(needs, request)
      const { serviceAccounts } = needs
      if (serviceAccounts?.claims(bearer) === true) return serviceAccounts.caller(bearer, request.ip)
      const key = needs.hashToken(bearer)
      const now = needs.now()
      const known = remembered.find(key, now)
      const asked = admitted(needs, { bearer, key, ip: request.ip }).then(
        ({ caller, expiresAt }) => {
          remembered.keep(key, caller, { now, expiresAt })
          return caller
        },
        (error: unknown) => {
          if (known !== undefined && isStoreAway(error)) return { ...known, ip: request.ip }
          if (error instanceof Refusal) remembered.forget(key)
          throw error
        },
      )
      return known === undefined ? asked : soonOr({ ...known, ip: request.ip }, asked)
    },
  }
}

const admitted = (
  needs: GateNeeds,
  { bearer, key, ip }: { readonly bearer: string; readonly key: string; readonly ip: string },
): Promise<Admitted> =>
  bearer.startsWith(TOKEN_PREFIX) ? tokenCaller(needs, key, ip) : accountCaller(needs, bearer, ip)

/** A database that stands still keeps every question, where one that is away refuses it. */
const SLOW_MS = 1000

/** Who is asked for, if that is told soon; what comes later holds from the next request on. */
async function soonOr(known: Caller, asked: Promise<Caller>): Promise<Caller> {
  const late = Promise.withResolvers<Caller>()
  const timer = setTimeout(late.resolve, SLOW_MS, known)
  asked.catch(() => undefined)
  return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer))
}

/** A caller, and when what they showed ends by itself. */
type Admitted = { readonly caller: Caller; readonly expiresAt: Instant | undefined }

/**
 * The bearer token of a request; undefined when it brings no authorization at all. The scheme's name has no case (RFC
 * 9110, section 11.1). An authorization of another kind is refused: whoever sends one does not mean to be a visitor.
 */
export function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const [, token] = /^bearer +([\w~+/.=-]+) *$/iu.exec(header) ?? []
  if (token === undefined) throw notSignedIn('The header "authorization" holds no bearer token.')
  return token
}

function visitor({ config, publicClusters }: GateNeeds, { ip }: FastifyRequest): Caller {
  if (!config.publicDemo) throw notSignedIn('This needs an account or an API token.')
  return {
    kind: 'visitor',
    // Anybody may be one: they are told apart by where they come from.
    id: `visitor:${addressKey(ip)}`,
    party: undefined,
    name: 'visitor',
    role: 'viewer',
    namespaces: undefined,
    clusters: publicClusters(),
    account: undefined,
    ip,
  }
}

async function accountCaller(needs: GateNeeds, bearer: string, ip: string): Promise<Admitted> {
  const verified = await needs.auth.verify(bearer).catch((error: unknown) => {
    // That a hosted project or a database does not answer is no reason to send people to the sign-in.
    const refused = error instanceof AuthProblem && error.status < 429
    throw refused ? notSignedIn('The access token is not valid, or its session has ended.') : error
  })
  const { accountId, email, sessionId, aal, hasFactor, expiresAt } = verified
  const standing = await standingOf(email, needs)
  if (standing === undefined) throw notAdmitted(email)
  if (hasFactor && aal !== 'aal2') {
    throw new Refusal(
      'second-factor-needed',
      `${email} has a second factor, and this session has not shown it.`,
      'Enter the code of your authenticator at /auth.',
    )
  }
  const account = { id: accountId, sessionId, secondFactor: hasFactor }
  const party = accountParty(accountId)
  const caller: Caller = {
    kind: 'account',
    id: party,
    party,
    name: email,
    ...standing,
    clusters: undefined,
    account,
    ip,
  }
  return { caller, expiresAt }
}

async function tokenCaller(needs: GateNeeds, hash: string, ip: string): Promise<Admitted> {
  const token = await needs.access.tokens.byHash(hash)
  if (token === undefined) throw notSignedIn('There is no such API token.')
  const now = needs.now()
  if (token.revokedAt !== undefined) throw notSignedIn(`The API token "${token.name}" was revoked.`)
  if (token.expiresAt !== undefined && token.expiresAt <= now) {
    throw notSignedIn(`The API token "${token.name}" has expired.`)
  }
  const standing = await standingOfToken(token, needs)
  if (standing === undefined) {
    throw notSignedIn(`${token.createdBy}, who made the API token "${token.name}", no longer has an account here.`)
  }
  if (token.lastUsedAt === undefined || now - token.lastUsedAt >= TOUCHED_EVERY_MS) {
    await needs.access.tokens.touch(token.id, now)
  }
  const caller: Caller = {
    kind: 'token',
    id: `token:${token.id}`,
    party: token.account === undefined ? undefined : accountParty(token.account),
    name: `token:${token.name}`,
    ...standing,
    clusters: token.clusters,
    account: undefined,
    madeBy: token.createdBy,
    endsAt: token.expiresAt,
    ip,
  }
  return { caller, expiresAt: token.expiresAt }
}

const TOUCHED_EVERY_MS = 60_000

const notAdmitted = (email: string): Refusal =>
  notAllowed(
    `${email} may not use this Septet.`,
    'Ask the administrator to add your address to SEPTET_AUTHORIZED_EMAIL.',
  )
