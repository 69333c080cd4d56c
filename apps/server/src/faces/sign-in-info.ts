import { SIGN_IN_INFO_PATH, MAY_SIGN_UP_PATH, Refusal, type SignInInfo } from '@septet/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { Auth } from '@septet/auth'

/** What a page asks before anyone is signed in: how to sign in, and whether an address may sign up. */
export function registerSignInInfo(
  server: FastifyInstance,
  auth: Pick<Auth, 'signInInfo' | 'maySignUp' | 'context'>,
): void {
  server.get(SIGN_IN_INFO_PATH, async (request, reply) => {
    const signInInfo = await auth.signInInfo()
    // By whichever of its names the page was opened: to ask another would be a request to another origin.
    const url = signInInfo.mode === 'embedded' ? `${request.protocol}://${request.host}` : signInInfo.url
    return reply.header('cache-control', 'no-store').send({ ...signInInfo, url } satisfies SignInInfo)
  })
  server.post(MAY_SIGN_UP_PATH, async (request, reply) => {
    // Counted before it is read, so that nobody finds out who is expected here by trying.
    await auth.context.limits.spend('may-sign-up', request.ip)
    const asked = AskedSchema.safeParse(request.body)
    if (!asked.success) {
      throw new Refusal('invalid-input', 'The body must hold an e-mail address.', 'Send {"email": "you@example.com"}.')
    }
    return reply.header('cache-control', 'no-store').send({ allowed: await auth.maySignUp(asked.data.email) })
  })
}

const AskedSchema = z.object({ email: z.string().max(320) })
