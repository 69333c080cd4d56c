import { DOOR_PATH, MAY_SIGN_UP_PATH, type Door } from '@septet/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { Auth } from '@septet/auth'
import { Refusal } from '@septet/contract'

/** What a page asks before anyone is signed in: how to sign in, and whether an address may sign up. */
export function registerDoor(server: FastifyInstance, auth: Pick<Auth, 'door' | 'maySignUp' | 'context'>): void {
  server.get(DOOR_PATH, async (request, reply) => {
    const door = await auth.door()
    // By whichever of its names the page was opened: to ask another would be a request to another origin.
    const url = door.mode === 'embedded' ? `${request.protocol}://${request.host}` : door.url
    return reply.header('cache-control', 'no-store').send({ ...door, url } satisfies Door)
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
