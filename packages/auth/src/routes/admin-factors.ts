import type { FastifyInstance, FastifyRequest } from 'fastify'

import { factorView } from '../account-view.ts'
import { needNotOwners, recordDeed, targetAccount, targetFactor } from '../admin-target.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { needAdmin } from '../bearer.ts'
import { removeFactor } from '../second-factor.ts'

/** Second factors of others, for an admin: someone who lost their phone comes in again once theirs is removed. */
export function registerAdminFactors(server: FastifyInstance, context: AuthContext): void {
  server.get('/admin/users/:user/factors', (request) => listFactors(context, request))
  server.delete('/admin/users/:user/factors/:factor', (request) => dropFactor(context, request))
}

async function listFactors(context: AuthContext, request: FastifyRequest): Promise<readonly object[]> {
  await needAdmin(context, request)
  const account = await targetAccount(context, request)
  return (await context.access.factors.ofAccount(account.id)).map(factorView)
}

async function dropFactor(context: AuthContext, request: FastifyRequest): Promise<object> {
  const admin = await needAdmin(context, request)
  const account = await targetAccount(context, request)
  const factor = await targetFactor(context, request, account)
  await needNotOwners(context, { admin, request, email: account.email })
  const lowered = await removeFactor(context, factor)
  if (lowered === undefined) throw new AuthProblem(404, 'mfa_factor_not_found', 'Factor not found')
  await recordDeed(context, {
    admin,
    request,
    action: 'factor.remove',
    object: account.email,
    details: { factor: factor.id, name: factor.friendlyName, status: factor.status, sessionsLowered: lowered },
  })
  return factorView(factor)
}
