import {
  AccessRefused,
  instant,
  isServiceAccount,
  serviceAccountName,
  serviceAccountUser,
  type Caller,
  type Instant,
  type Log,
  type TokenReviewer,
} from '@septet/domain'
import { Refusal, notAllowed } from '@septet/contract'
import { decodeJwt } from 'jose'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { ServiceAccountGrant } from './auth-config.ts'
import { openFairQueue, type FairQueue } from './fair-queue.ts'
import { addressKey } from './limits.ts'

/** Lets in service accounts of connected clusters by the tokens that the kubelet gives their pods. */
export type ServiceAccountGate = {
  /** Whether a token says that it is a service account's, which nobody has checked yet. */
  claims(token: string): boolean
  /** Throws a `Refusal`: `not-signed-in`, `not-allowed`, `too-many-requests`, or `sign-in-unavailable` while its cluster cannot be asked. */
  caller(token: string, ip: string): Promise<Caller>
}

type ServiceAccountNeeds = {
  readonly grants: readonly ServiceAccountGrant[]
  /** How people reach Septet: what tokens are issued for begins with it. */
  readonly publicUrl: string
  /** Who asks the API server of a cluster; undefined where Septet has no connection to it. */
  readonly reviewerOf: (cluster: string) => Promise<Pick<TokenReviewer, 'review'> | undefined>
  /** Keyed hash under which a token is remembered. */
  readonly hashToken: (secret: string) => string
  readonly now: () => Instant
  readonly log: Log
}

/** Reviews of one cluster at a time, and how many may wait: an API server that hangs holds up no other. */
const AT_ONCE = 8
const MOST_WAITING = 200
/** Tokens of one network address that API servers may refuse before no more are sent to them, and in how many seconds. */
const REFUSED = { points: 30, duration: 60 }

/** What a token for one cluster is issued for. It says which API server to ask, so that no token is shown to another. */
const audienceOf = (publicUrl: string, cluster: string): string => `${publicUrl}/clusters/${cluster}`

export function openServiceAccountGate(needs: ServiceAccountNeeds): ServiceAccountGate {
  const { grants, publicUrl, now } = needs
  const reviewed = new ReviewedTokens()
  const refusals = new RateLimiterMemory(REFUSED)
  const clusters = new Map(
    grants.map(({ cluster }) => [cluster, { audience: audienceOf(publicUrl, cluster), inTurn: turnsOf(cluster) }]),
  )
  return {
    claims: (token) => isServiceAccount(claimsIn(token)?.sub ?? ''),
    async caller(token, ip) {
      const { sub, aud, exp } = claimsIn(token) ?? {}
      const [named] = [...clusters].filter(([, { audience }]) => [aud].flat().includes(audience))
      if (named === undefined) throw forAnother(publicUrl)
      const [cluster, { audience, inTurn }] = named
      if (exp === undefined || exp * 1000 <= now()) throw expired()
      const from = addressKey(ip)
      const user = await reviewed.find(needs.hashToken(token), {
        now,
        expiresAt: instant(exp * 1000),
        review: async () => {
          if (((await refusals.get(from))?.remainingPoints ?? 1) <= 0) throw tooManyRefused()
          const found = await inTurn(from, () => verdictOf(needs, cluster, { token, audience }))
          // Nobody but the API server has checked the claims: they count where it says the same.
          if (found !== undefined && found === sub) return found
          await refusals.consume(from).catch(() => undefined)
          return undefined
        },
      })
      if (user === undefined) throw notAccepted(cluster)
      return callerOf(needs, { cluster, user, ip })
    },
  }
}

const turnsOf = (cluster: string): FairQueue =>
  openFairQueue({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING, refusal: () => unanswered(cluster) })

function claimsIn(token: string): ReturnType<typeof decodeJwt> | undefined {
  try {
    return decodeJwt(token)
  } catch {
    return undefined
  }
}

async function verdictOf(
  { reviewerOf, log }: ServiceAccountNeeds,
  cluster: string,
  { token, audience }: { readonly token: string; readonly audience: string },
): Promise<string | undefined> {
  try {
    const reviewer = await reviewerOf(cluster)
    if (reviewer === undefined) throw notConnected(cluster)
    return await reviewer.review(token, audience)
  } catch (error) {
    if (error instanceof Refusal || isStoreAway(error)) throw error
    log.warn('a service account token could not be reviewed', { cluster, error: String(error) })
    throw error instanceof AccessRefused ? mayNotAsk(cluster) : unanswered(cluster)
  }
}

type Known = { readonly cluster: string; readonly user: string; readonly ip: string }

function callerOf({ grants }: ServiceAccountNeeds, { cluster, user, ip }: Known): Caller {
  const grant = grants.find((each) => each.cluster === cluster && serviceAccountUser(each) === user)
  if (grant === undefined) {
    throw notAllowed(
      `${user} of ${cluster} may not use this Septet.`,
      'Ask the administrator to add it to SEPTET_SERVICE_ACCOUNTS.',
    )
  }
  const { role, namespaces } = grant
  const name = serviceAccountName(grant)
  return {
    kind: 'token',
    // Its cluster gives the name to one at a time, and the settings say by it what it may do.
    id: name,
    party: name,
    name,
    role,
    namespaces,
    clusters: [cluster],
    account: undefined,
    ip,
  }
}

const forAnother = (publicUrl: string): Refusal =>
  new Refusal(
    'not-signed-in',
    'This service account token was not issued for this Septet.',
    `Project a token with the audience ${audienceOf(publicUrl, 'CLUSTER')}, where CLUSTER is the ID of its cluster in Septet.`,
  )

const expired = (): Refusal =>
  new Refusal(
    'not-signed-in',
    'This service account token has expired.',
    'Read the token from its file again; the kubelet renews it there.',
  )

const notAccepted = (cluster: string): Refusal =>
  new Refusal(
    'not-signed-in',
    `The API server of ${cluster} does not accept this service account token.`,
    'Read the token from its file again, and check that the pod and its service account still exist.',
  )

const tooManyRefused = (): Refusal =>
  new Refusal('too-many-requests', 'Too many service account tokens from this address were refused.', {
    words: 'Wait a minute, then try again with a valid token.',
    retryAfter: REFUSED.duration,
  })

const unavailable = (detail: string, todo: string): Refusal =>
  new Refusal('sign-in-unavailable', detail, {
    words: `${todo} API tokens of Septet still work.`,
    retryAfter: 5,
  })

const unanswered = (cluster: string): Refusal =>
  unavailable(
    `The API server of ${cluster} does not respond, so its service account tokens cannot be checked.`,
    'Try again in a moment.',
  )

const mayNotAsk = (cluster: string): Refusal =>
  unavailable(
    `Septet is not allowed to check service account tokens in ${cluster}.`,
    'Ask the administrator to grant it "create tokenreviews" there.',
  )

const notConnected = (cluster: string): Refusal =>
  unavailable(
    `Septet has no connection to the API server of ${cluster}, so its service account tokens cannot be checked.`,
    'A cluster that an agent reads cannot be asked.',
  )

/** How long a yes is believed, milliseconds: so long a pod that is gone can still be let in. */
const YES_MS = 30_000
/** And a no, or that no answer came. */
const NO_MS = 5000
const MOST_REMEMBERED = 10_000

type Verdict = { readonly user: Promise<string | undefined>; until: number }

type Asked = {
  readonly now: () => Instant
  readonly expiresAt: Instant
  readonly review: () => Promise<string | undefined>
}

/** Whose tokens API servers said lately they are, by hash. Who asks again before the answer has come waits for the same one. */
export class ReviewedTokens {
  readonly #verdicts = new Map<string, Verdict>()

  find(key: string, { now, expiresAt, review }: Asked): Promise<string | undefined> {
    const known = this.#verdicts.get(key)
    if (known !== undefined && now() < known.until) return known.user
    const verdict: Verdict = { user: review(), until: Infinity }
    const holds = (until: number): void => {
      verdict.until = until
    }
    verdict.user.then(
      (user) => holds(user === undefined ? now() + NO_MS : Math.min(now() + YES_MS, expiresAt)),
      () => holds(now() + NO_MS),
    )
    this.#keep(key, verdict)
    return verdict.user
  }

  #keep(key: string, verdict: Verdict): void {
    this.#verdicts.delete(key)
    this.#verdicts.set(key, verdict)
    if (this.#verdicts.size <= MOST_REMEMBERED) return
    const [oldest] = this.#verdicts.keys()
    if (oldest !== undefined) this.#verdicts.delete(oldest)
  }
}

/** Whether an error says that the database does not answer. */
export const isStoreAway = (error: unknown): boolean => error instanceof Error && error.name === 'StoreError'
