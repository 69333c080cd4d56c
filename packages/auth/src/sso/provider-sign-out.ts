import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { AuthContext } from '../auth-context.ts'
import type { OidcClient } from './oidc-client.ts'
import { sealedCookie } from './sealed-cookie.ts'

/** A browser keeps cookies of 4 KB; sealed and written as text a token grows by a third. */
const LONGEST_ID_TOKEN = 2600
const HOUR_S = 3600

/** Where people go who sign out at the provider too: it has to be registered there. */
const RETURN_PATH = '/auth'
/** Where everybody else goes who signs out. */
const HOME = '/'

const KeptSchema = z.object({ session: z.uuid(), idToken: z.string().optional() })

type SignedIn = { readonly session: string; readonly idToken: string }

type ProviderSignOut = {
  /** Remembers in the browser what a sign-out at the provider needs; gives the `set-cookie` header. */
  remember(request: FastifyRequest, signedIn: SignedIn): string
}

/**
 * Signing out at the provider as well (OpenID Connect RP-Initiated Logout 1.0), where it publishes an address for that. The
 * cookie comes with requests from Septet's own pages alone, so a link elsewhere signs nobody out.
 */
export function registerProviderSignOut(
  scope: FastifyInstance,
  context: AuthContext,
  { client, sessionHours }: { readonly client: OidcClient; readonly sessionHours: number },
): ProviderSignOut {
  const cookie = sealedCookie(context, {
    name: 'septet-sso-out',
    schema: KeptSchema,
    seconds: sessionHours * HOUR_S,
    strict: true,
  })
  scope.get('/sign-out', async (request, reply) => {
    const kept = cookie.read(request)
    if (kept === undefined) return reply.redirect(HOME)
    void reply.header('set-cookie', cookie.forget(request))
    // The page has ended it before, unless its request was lost: whatever the provider does, it is over here.
    await context.access.sessions.remove(kept.session)
    const there = await client
      .signOut({ idToken: kept.idToken, returnTo: `${context.siteUrl()}${RETURN_PATH}` })
      .catch((error: unknown) => {
        context.log.warn('the sign-out at the provider failed', { error: String(error), ip: request.ip })
        return undefined
      })
    return reply.redirect(there?.href ?? HOME)
  })
  return {
    remember: (request, { session, idToken }) =>
      cookie.keep(request, { session, ...(idToken.length <= LONGEST_ID_TOKEN ? { idToken } : {}) }),
  }
}
