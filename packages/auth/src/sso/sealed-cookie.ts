import { SSO_PATH } from '@septet/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { AuthContext } from '../auth-context.ts'
import { cookieIn } from '../cookies.ts'

/**
 * Something that a browser keeps for Septet for a while and cannot read or change, so that no server needs a row for it.
 * `strict` is for what only Septet's own pages send back; without it, it comes along when a provider sends the browser here.
 */
export type SealedCookie<Kept> = {
  /** The `set-cookie` header that makes the browser keep it. */
  keep(request: FastifyRequest, kept: Kept, id?: string): string
  /** The one that takes it away. */
  forget(request: FastifyRequest, id?: string): string
  /** Undefined where there is none, or it is over. */
  read(request: FastifyRequest, id?: string): Kept | undefined
}

type Options<Kept> = {
  readonly name: string
  readonly schema: z.ZodType<Kept>
  readonly seconds: number
  readonly strict: boolean
}

/** `id` tells several of a kind apart, such as sign-ins that were begun in two tabs. */
export function sealedCookie<Kept>(context: AuthContext, options: Options<Kept>): SealedCookie<Kept> {
  const { name, schema, seconds, strict } = options
  const { secrets, now } = context
  const Sealed = z.object({ until: z.number(), kept: schema })
  const named = (id: string | undefined): string => (id === undefined ? name : `${name}-${id}`)
  const isSecure = (request: FastifyRequest): boolean =>
    context.siteUrl().startsWith('https:') || request.protocol === 'https'
  // By its prefix no page of another host of the domain can set it (RFC 6265bis, section 4.1.3.2), or it could sign
  // somebody in as itself. The prefix wants this path.
  const worn = (request: FastifyRequest, id: string | undefined): string =>
    isSecure(request) ? `__Host-${named(id)}` : named(id)
  const set = (request: FastifyRequest, pair: string, age: number): string => {
    const where = isSecure(request) ? 'Path=/; Secure' : `Path=${SSO_PATH}`
    return `${pair}; ${where}; Max-Age=${age}; HttpOnly; SameSite=${strict ? 'Strict' : 'Lax'}`
  }
  return {
    keep(request, kept, id) {
      const text = JSON.stringify({ until: now() + seconds * 1000, kept })
      const value = Buffer.from(secrets.seal(named(id), Buffer.from(text))).toString('base64url')
      return set(request, `${worn(request, id)}=${value}`, seconds)
    },
    forget: (request, id) => set(request, `${worn(request, id)}=`, 0),
    read(request, id) {
      const value = cookieIn(request.headers.cookie, worn(request, id))
      if (value === undefined || value === '') return undefined
      try {
        const plain = secrets.unseal(named(id), Buffer.from(value, 'base64url'))
        const { data } = Sealed.safeParse(JSON.parse(Buffer.from(plain).toString('utf8')))
        return data === undefined || data.until <= now() ? undefined : data.kept
      } catch {
        // Of another server's secret, or somebody's invention.
        return undefined
      }
    },
  }
}
