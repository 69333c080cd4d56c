import type { SignInInfo } from '@septet/contract'
import { instant, type Instant, type Log, type Store, HOUR_MS } from '@septet/domain'
import type { FastifyInstance } from 'fastify'
import { ACCESS_TOKEN_SECONDS, readAccessToken } from './access-token.ts'
import { admits } from './admission.ts'
import { openAudit } from './audit.ts'
import type { AuthConfig } from './auth-config.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import { needNotBanned } from './bearer.ts'
import { openHostedVerify, type VerifiedToken } from './hosted-verify.ts'
import { openLimits } from './limits.ts'
import { openLiveSessions } from './live-sessions.ts'
import { openMailer } from './mailer.ts'
import { openRootKey } from './root-key.ts'
import { openPasswords, type HashCost } from './passwords.ts'
import { answerUnrouted, registerAuthRoutes, type FailedSignIn } from './routes/auth-routes.ts'
import { UNVERIFIED_FACTOR_MS } from './second-factor.ts'
import type { Secrets } from './secrets.ts'
import { IDLE_MS } from './sessions.ts'
import { needsSetupSecret } from './setup-secret.ts'
import { openSigningKeys } from './signing-keys.ts'
import { forgetGroups } from './sso/enter.ts'
import { registerSso } from './sso/sso-routes.ts'

/** Who signs in, and how that is proven. Works over accounts of its own (embedded) or those of a hosted project. */
export type Auth = {
  /** Puts `/auth/v1` on the server, and the ways in by a sign-in provider; nothing in hosted mode. */
  register(server: FastifyInstance): void
  /** Answers what the router refused, in the protocol's form, if its path is of the service; true when it did. */
  answerUnrouted(failed: FailedSignIn): boolean
  /** Checks an access token, in both modes. Throws `AuthProblem`: 401 or 403 for a bad token, 503 when the hosted project does not answer. */
  verify(accessToken: string): Promise<VerifiedToken>
  /** What a page needs to know before anyone is signed in. */
  signInInfo(): Promise<SignInInfo>
  /** Whether an address may have an account here. Count such questions: `context.limits.spend('may-sign-up', ip)`. */
  maySignUp(email: string): Promise<boolean>
  readonly context: AuthContext
  close(): Promise<void>
}

export type AuthNeeds = {
  readonly config: AuthConfig
  readonly store: Pick<Store, 'access' | 'notes' | 'settings'>
  readonly dataDir: string
  readonly now: () => Instant
  readonly log: Log
  /** How people reach Septet, without a trailing slash; asked again each time, as the port may be known late. */
  readonly siteUrl: () => string
  /** What a password's hash takes; as in production when left out. */
  readonly hashCost?: HashCost | undefined
  /** For the keys of a hosted project. */
  readonly fetch?: typeof fetch
}

/** Opens the auth service; in embedded mode a signing key is made on first start. */
export async function openAuth(needs: AuthNeeds): Promise<Auth> {
  const { config } = needs
  const { masterSecret, masterSecretBefore } = config
  const rootKey = await openRootKey({ masterSecret, masterSecretBefore, dataDir: needs.dataDir }, needs.store.settings)
  const context = openContext(needs, rootKey.secrets)
  const { mode } = config
  // A key that cannot be opened must stop the start, not the first sign-in.
  if (mode.kind === 'embedded') await context.signingKeys.publicKeys()
  await rootKey.keep()
  await forgetGroups(context)
  const sweeping = setInterval(() => void sweep(context), SWEEP_MS)
  sweeping.unref()
  return {
    context,
    register(server) {
      if (mode.kind !== 'embedded') return
      registerAuthRoutes(server, context)
      if (config.sso !== undefined) registerSso(server, context, config.sso)
    },
    answerUnrouted: (failed) => mode.kind === 'embedded' && answerUnrouted(context, failed),
    verify:
      mode.kind === 'embedded'
        ? (token) => verifyOwn(context, token)
        : openHostedVerify({ mode, now: needs.now, fetch: needs.fetch ?? fetch }),
    signInInfo: async () => ({
      mode: mode.kind,
      url: mode.kind === 'embedded' ? context.siteUrl() : mode.url,
      key: mode.kind === 'embedded' ? PUBLIC_KEY : mode.anonKey,
      demo: config.publicDemo,
      needsSetupSecret: mode.kind === 'embedded' && (await needsSetupSecret(context)),
      sso: config.sso && { name: config.sso.name },
    }),
    maySignUp: async (email) => admits(config.authorized, email),
    async close() {
      clearInterval(sweeping)
      await context.mailer.close()
    },
  }
}

/** Clients want a key to send along; ours opens nothing. */
const PUBLIC_KEY = 'sb_publishable_septet'
/** How often what is over is removed, milliseconds. */
const SWEEP_MS = HOUR_MS

function openContext(needs: AuthNeeds, secrets: Secrets): AuthContext {
  const { config, log, now, siteUrl, store } = needs
  const { access, live } = openLiveSessions(store.access, now)
  return {
    config,
    access,
    live,
    secrets,
    log,
    now,
    siteUrl,
    settings: store.settings,
    notes: store.notes,
    signingKeys: openSigningKeys({ keys: access.keys, secrets, now }),
    passwords: openPasswords({ cost: needs.hashCost }),
    limits: openLimits({ now, notes: store.notes, limits: config.limits }),
    mailer: openMailer({
      smtp: config.smtp,
      mails: access.mails,
      log,
      now,
      ...config.limits.letters,
      owner: config.authorized.admin,
    }),
    audit: openAudit(access.audit, secrets, now),
  }
}

/** A token of our own counts while its session does. What the rows say wins over what the token says. */
async function verifyOwn(context: AuthContext, token: string): Promise<VerifiedToken> {
  const claims = await readAccessToken(context, token)
  const found = claims.session_id === undefined ? undefined : await context.live.find(claims.session_id)
  if (found === undefined || found.account.id !== claims.sub) {
    throw new AuthProblem(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
  }
  const { account, session, factors } = found
  needNotBanned(context, account)
  return {
    accountId: account.id,
    email: account.email,
    sessionId: session.id,
    // A token from before the second factor stays what it was; one from before the factor was removed does not.
    aal: session.aal === 'aal2' && claims.aal === 'aal2' ? 'aal2' : 'aal1',
    hasFactor: factors.some(({ status }) => status === 'verified'),
    expiresAt: instant(claims.exp * 1000),
  }
}

/** Removes what is over. A failure is no reason to stop: it is tried again. */
async function sweep({ access, notes, log, now }: AuthContext): Promise<void> {
  try {
    const at = now()
    await access.sessions.prune(at, instant(at - IDLE_MS))
    await access.codes.prune(at)
    await access.logins.prune(at)
    await access.keys.prune(instant(at - ACCESS_TOKEN_SECONDS * 1000))
    await access.factors.prune(at, instant(at - UNVERIFIED_FACTOR_MS))
    await notes.prune(instant(at - SWEEP_MS))
  } catch (error) {
    log.warn('could not remove old sessions and codes', { because: String(error) })
  }
}
