import { randomUUID } from 'node:crypto'
import { instant, type Factor } from '@septet/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { needBearer, type Bearer } from '../bearer.ts'
import { addressKey } from '../limits.ts'
import { readBody } from '../read-body.ts'
import {
  isStaleCode,
  raiseSession,
  removeFactor,
  newTotp,
  openTotpSecret,
  sealTotpSecret,
  stepOfCode,
} from '../second-factor.ts'
import { wireSession, type WireSession } from '../sessions.ts'

/** A second factor of one's own: begin, show, finish and remove. */
export function registerFactors(server: FastifyInstance, context: AuthContext): void {
  server.post('/factors', (request) => enroll(context, request))
  server.post('/factors/:factor/challenge', (request) => challenge(context, request))
  server.post('/factors/:factor/verify', (request) => verify(context, request))
  server.delete('/factors/:factor', (request) => unenroll(context, request))
}

const EnrollBody = z.object({
  factor_type: z.string().nullish(),
  friendly_name: z.string().max(256).nullish(),
  issuer: z.string().max(256).nullish(),
})

const MOST_FACTORS = 10

async function enroll(context: AuthContext, request: FastifyRequest): Promise<object> {
  const bearer = await needBearer(context, request)
  await context.limits.spend('factor', request.ip)
  const body = readBody(EnrollBody, request)
  needTotp(body.factor_type)
  await needMayEnroll(context, bearer)
  const { account } = bearer
  const name = (body.friendly_name ?? '').trim()
  const setup = newTotp({ issuer: body.issuer?.trim() || 'Septet', label: account.email })
  const factor = unverified(context, { accountId: account.id, name, secret: setup.secret })
  if (!(await context.access.factors.create(factor))) {
    throw new AuthProblem(
      422,
      'mfa_factor_name_conflict',
      `A factor with the friendly name "${name}" for this user already exists`,
    )
  }
  await record(context, request, { bearer, factor, verb: 'enroll' })
  const totp = { qr_code: setup.picture, secret: setup.secret, uri: setup.uri }
  return { id: factor.id, type: 'totp', friendly_name: name, totp }
}

function needTotp(type: string | null | undefined): void {
  if (type === 'totp') return
  if (type === 'phone') {
    throw new AuthProblem(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
  }
  if (type === 'webauthn') {
    throw new AuthProblem(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn')
  }
  throw new AuthProblem(400, 'validation_failed', 'factor_type needs to be totp')
}

/** Anyone who only knows the password must not put a factor of their own beside the owner's. */
async function needMayEnroll(context: AuthContext, { aal, factors }: Bearer): Promise<void> {
  const stale = factors.filter((factor) => isStaleCode(factor, context.now()))
  await Promise.all(stale.map(({ id }) => context.access.factors.remove(id)))
  if (factors.length - stale.length >= MOST_FACTORS) {
    throw new AuthProblem(
      422,
      'too_many_enrolled_mfa_factors',
      `Maximum number of verified factors reached, which is ${MOST_FACTORS}; unenroll to continue`,
    )
  }
  if (aal === 'aal2' || !factors.some(({ status }) => status === 'verified')) return
  throw new AuthProblem(403, 'insufficient_aal', 'AAL2 required to enroll a new factor')
}

function unverified(
  context: AuthContext,
  { accountId, name, secret }: { readonly accountId: string; readonly name: string; readonly secret: string },
): Factor {
  const id = randomUUID()
  const at = context.now()
  return {
    id,
    accountId,
    friendlyName: name,
    status: 'unverified',
    secret: sealTotpSecret(context.secrets, id, secret),
    lastStep: undefined,
    lastChallengedAt: undefined,
    createdAt: at,
    updatedAt: at,
  }
}

/** How long a challenge can be met, milliseconds. */
const CHALLENGE_LIFE = 300_000

async function challenge(context: AuthContext, request: FastifyRequest): Promise<object> {
  const bearer = await needBearer(context, request)
  await context.limits.spend('factor', request.ip)
  const factor = ownFactor(context, request, bearer)
  const id = randomUUID()
  const at = context.now()
  const expiresAt = instant(at + CHALLENGE_LIFE)
  await context.access.factors.putChallenge({ id, factorId: factor.id, ip: addressKey(request.ip), expiresAt })
  await context.access.factors.update(factor.id, { lastChallengedAt: at, updatedAt: at })
  await record(context, request, { bearer, factor, verb: 'challenge' })
  return { id, type: 'totp', expires_at: Math.floor(expiresAt / 1000) }
}

const VerifyBody = z.object({ challenge_id: z.string().nullish(), code: z.string().nullish() })

async function verify(context: AuthContext, request: FastifyRequest): Promise<WireSession> {
  const bearer = await needBearer(context, request)
  await context.limits.spend('factor', request.ip)
  const { account, session } = bearer
  const factor = ownFactor(context, request, bearer)
  const shown = readBody(VerifyBody, request)
  // Authenticators show the digits in two groups.
  const code = (shown.code ?? '').replaceAll(/\s/gu, '')
  if (code === '') throw new AuthProblem(400, 'validation_failed', 'Code needs to be non-empty')
  const challengeId = await needChallenge(context, request, { factor, id: shown.challenge_id ?? '' })
  await takeCode(context, request, { bearer, factor, code })
  await useChallenge(context, request, { factor, id: challengeId })
  const raised = await raiseSession(context, { account, session, factor })
  const details = { session: session.id, sessionsEnded: raised.ended }
  await record(context, request, { bearer, factor, verb: 'verify', details })
  return wireSession(context, { account, session: raised.session })
}

type ShownChallenge = { readonly factor: Factor; readonly id: string }

/** A challenge is met where it was asked for: who overhears the code has another address. */
async function needChallenge(
  context: AuthContext,
  request: FastifyRequest,
  { factor, id }: ShownChallenge,
): Promise<string> {
  const found = z.uuid().safeParse(id).success ? await context.access.factors.getChallenge(id) : undefined
  if (found === undefined || found.factorId !== factor.id) {
    throw new AuthProblem(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
  }
  if (found.ip !== addressKey(request.ip)) throw wrongAddress()
  if (found.expiresAt > context.now()) return found.id
  throw new AuthProblem(
    422,
    'mfa_challenge_expired',
    `MFA challenge ${found.id} has expired, verify against another challenge or create a new challenge.`,
  )
}

type ShownCode = { readonly bearer: Bearer; readonly factor: Factor; readonly code: string }

/** Takes a right code, once: whoever saw it being typed cannot use it again (RFC 6238, section 5.2). */
async function takeCode(
  context: AuthContext,
  request: FastifyRequest,
  { bearer, factor, code }: ShownCode,
): Promise<void> {
  const { account } = bearer
  await context.limits.spendOn('factor', account.id)
  await context.limits.spendOn('factor-day', account.id)
  const attempt = context.limits.attempt(`factor of ${account.id}`, request.ip)
  const step = stepOfCode(openTotpSecret(context.secrets, factor.id, factor.secret), code, context.now())
  if (step !== undefined && (await context.access.factors.useStep(factor.id, step))) return attempt.succeeded()
  const details = { because: step === undefined ? 'wrong code' : 'code was used before' }
  await record(context, request, { bearer, factor, verb: 'verify', details, outcome: 'refused' })
  throw new AuthProblem(422, 'mfa_verification_failed', 'Invalid TOTP code entered')
}

/** One of many that arrive at once gets it. What is left of a challenge then comes from nowhere, so nobody can meet it. */
async function useChallenge(
  context: AuthContext,
  request: FastifyRequest,
  { factor, id }: ShownChallenge,
): Promise<void> {
  if (!(await context.access.factors.takeChallenge(id, addressKey(request.ip)))) throw wrongAddress()
  const expiresAt = instant(context.now() + CHALLENGE_LIFE)
  await context.access.factors.putChallenge({ id, factorId: factor.id, ip: '', expiresAt })
}

const wrongAddress = (): AuthProblem =>
  new AuthProblem(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch')

async function unenroll(context: AuthContext, request: FastifyRequest): Promise<object> {
  const bearer = await needBearer(context, request)
  await context.limits.spend('factor', request.ip)
  const factor = ownFactor(context, request, bearer)
  if (factor.status === 'verified' && bearer.aal !== 'aal2') {
    throw new AuthProblem(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor')
  }
  const lowered = await removeFactor(context, factor)
  if (lowered === undefined) throw notFound()
  const details = { status: factor.status, sessionsLowered: lowered }
  await record(context, request, { bearer, factor, verb: 'remove', details })
  return { id: factor.id }
}

const Params = z.object({ factor: z.uuid() })

function ownFactor(context: AuthContext, request: FastifyRequest, { factors }: Bearer): Factor {
  const { data } = Params.safeParse(request.params)
  if (data === undefined) throw new AuthProblem(404, 'validation_failed', 'factor_id must be an UUID')
  const found = factors.find(({ id }) => id === data.factor)
  if (found === undefined || isStaleCode(found, context.now())) throw notFound()
  return found
}

const notFound = (): AuthProblem => new AuthProblem(404, 'mfa_factor_not_found', 'Factor not found')

type Done = {
  readonly bearer: Bearer
  readonly factor: Factor
  readonly verb: 'enroll' | 'challenge' | 'verify' | 'remove'
  readonly outcome?: 'done' | 'refused'
  readonly details?: Readonly<Record<string, string | number>>
}

const record = async (
  { audit }: AuthContext,
  { ip }: FastifyRequest,
  { bearer, factor, verb, outcome = 'done', details = {} }: Done,
): Promise<unknown> =>
  audit.record({
    actor: bearer.account.email,
    action: `factor.${verb}`,
    outcome,
    ip,
    details: { factor: factor.id, name: factor.friendlyName, ...details },
  })
