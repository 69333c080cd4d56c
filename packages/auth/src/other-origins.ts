import type { FastifyReply, FastifyRequest } from 'fastify'

import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'

/**
 * Any page may ask: a browser adds nothing to such a request by itself, as no cookie is ever looked at here, and
 * credentials are not allowed across origins. Another Septet uses this one as its hosted project that way.
 *
 * Not so where Septet is reached on this machine alone. Being here is then what proves its owner, who makes the first
 * account without a setup secret, and a page from elsewhere in the owner's browser is here too: it could make that
 * account first. Browsers name the page's origin with every POST (Fetch standard, section 3.2).
 */
export function openToOtherOrigins(context: Pick<AuthContext, 'siteUrl'>) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (isFromElsewhere(context, request)) return done(foreignPage())
    void reply.headers({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-supabase-api-version, x-total-count, link, retry-after',
    })
    if (request.method === 'OPTIONS') {
      void reply.headers({
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info, x-supabase-api-version',
        'access-control-max-age': '600',
      })
    }
    return done()
  }
}

function isFromElsewhere({ siteUrl }: Pick<AuthContext, 'siteUrl'>, request: FastifyRequest): boolean {
  const { origin } = request.headers
  if (origin === undefined || !isLoopback(new URL(siteUrl()))) return false
  // `null`, which sandboxed pages and files send, is no URL: nobody knows whose page it is.
  const page = URL.parse(origin)
  return page === null || !(isLoopback(page) || page.host === request.host)
}

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/u.test(hostname)

const foreignPage = (): AuthProblem =>
  new AuthProblem(
    403,
    'validation_failed',
    'Pages of other sites may not ask a Septet that is reached on this machine alone. Set SEPTET_PUBLIC_URL if others use it.',
  )
