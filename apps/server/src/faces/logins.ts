import {
  LOGIN_PAGE,
  LOGIN_REDEMPTION_PATH,
  LoginProofSchema,
  LOGINS_PATH,
  LoginWishSchema,
  type Refusal,
  wrongFields,
  type LoginBegunSchema,
  type LoginRedeemedSchema,
  invalidInput,
  notAllowed,
  notFound,
} from '@septet/contract'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'

import type { Auth, AllowedLogin, Logins } from '@septet/auth'
import type { AccessService } from '../operations/access/access-service.ts'
import { createLoginToken } from '../operations/access/tokens.ts'

type LoginNeeds = {
  readonly logins: Logins
  readonly service: AccessService
  readonly context: Pick<Auth['context'], 'limits' | 'audit'>
  readonly publicUrl: string | undefined
  readonly now: () => number
}

/** How often a command line may ask what came of its request, seconds. */
const POLL_SECONDS = 3

/**
 * Where a command line that nobody is signed in at asks for a token, and gets it once a person has allowed it. Both are
 * POST: nothing is given to anyone who only follows a link.
 */
export function registerLogins(server: FastifyInstance, needs: LoginNeeds): void {
  const { logins, context, publicUrl } = needs
  server.post(LOGINS_PATH, async (request, reply) => {
    await context.limits.spend('login', request.ip)
    const { machine, challenge, callback, role } = parsed(LoginWishSchema, request.body)
    const { id, code, expiresAt } = await logins.begin({ machine, challenge, callback, role, ip: request.ip })
    // By the name that the command line used: its browser finds that one, too.
    const page = new URL(LOGIN_PAGE, publicUrl ?? `${request.protocol}://${request.host}`)
    // A code that a page is opened with is not one that its reader has typed: then a link could have brought it.
    if (callback !== undefined) page.searchParams.set('code', code)
    const begun = { id, code, page: page.href, expiresAt: new Date(expiresAt).toISOString(), pollSeconds: POLL_SECONDS }
    return reply.header('cache-control', 'no-store').send(begun satisfies z.output<typeof LoginBegunSchema>)
  })
  server.post(LOGIN_REDEMPTION_PATH, async (request, reply) => {
    await context.limits.spend('login-poll', request.ip)
    const { id, verifier, grant } = parsed(LoginProofSchema, request.body)
    const redeemed = await logins.redeem({ id, verifier, grant })
    if (redeemed === 'over') throw OVER()
    if (redeemed === 'denied') throw DENIED()
    const told = redeemed === 'pending' ? { state: redeemed } : await givenToken(needs, redeemed, request.ip)
    return reply.header('cache-control', 'no-store').send(told satisfies z.output<typeof LoginRedeemedSchema>)
  })
}

async function givenToken({ service, context, now }: LoginNeeds, allowed: AllowedLogin, ip: string) {
  const { name, secret } = await createLoginToken(service, allowed, now())
  await context.audit.record({
    actor: allowed.by,
    action: 'logins.redeem',
    object: name,
    ip,
    details: { machine: allowed.machine, role: allowed.role },
  })
  return { state: 'allowed', name, secret } as const
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  throw invalidInput(
    `The request is not one that septet login makes: ${wrongFields(read.error)}.`,
    'Use the septet of the same version as the server.',
  )
}

const OVER = (): Refusal =>
  notFound(
    'This sign-in was used, has expired, or is not yours.',
    'Run septet login again; you have ten minutes to allow it.',
  )
const DENIED = (): Refusal =>
  notAllowed('The request was denied on the page.', 'Run septet login again if that was a mistake.')
