import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { AuthContext } from '../auth-context.ts'
import { needBearer, type Bearer } from '../bearer.ts'
import { readQuery } from '../read-body.ts'

const Query = z.object({ scope: z.enum(['global', 'local', 'others']).default('global') })
type Scope = z.infer<typeof Query>['scope']

/** `POST /logout`: ends sessions at once; every token that names one is refused from then on. */
export function registerSignOut(server: FastifyInstance, context: AuthContext): void {
  server.post('/logout', async (request, reply) => {
    const { scope } = readQuery(Query, request)
    const bearer = await needBearer(context, request)
    const ended = await end[scope](context, bearer)
    await context.audit.record({
      actor: bearer.account.email,
      action: 'account.sign-out',
      object: bearer.account.email,
      outcome: 'done',
      ip: request.ip,
      details: { scope, ended, session: bearer.session.id },
    })
    return reply.status(204).send()
  })
}

/** How many sessions ended, by scope. */
const end = {
  global: ({ access }, { account }) => access.sessions.removeOf(account.id),
  local: async ({ access }, { session }) => ((await access.sessions.remove(session.id)) ? 1 : 0),
  others: ({ access }, { account, session }) => access.sessions.removeOf(account.id, session.id),
} satisfies Record<Scope, (context: AuthContext, bearer: Bearer) => Promise<number>>
