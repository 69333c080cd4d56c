import type { FastifyInstance, FastifyRequest } from 'fastify'

import { userView, type UserView } from '../account-view.ts'
import type { AuthContext } from '../auth-context.ts'
import { needBearer } from '../bearer.ts'

/** `GET /user`: who is signed in, as of now. */
export function registerUser(server: FastifyInstance, context: AuthContext): void {
  server.get('/user', (request) => whoIs(context, request))
}

async function whoIs(context: AuthContext, request: FastifyRequest): Promise<UserView> {
  const { account, factors } = await needBearer(context, request)
  return userView(account, factors)
}
