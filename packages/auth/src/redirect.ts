import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { AuthContext } from './auth-context.ts'

/** Where the request wants its link to lead (`redirect_to` of the query), if it may. */
export function redirectOf(context: Pick<AuthContext, 'siteUrl'>, request: FastifyRequest): string {
  const { data } = z.object({ redirect_to: z.string() }).safeParse(request.query)
  return safeRedirect(data?.redirect_to, context.siteUrl())
}

/**
 * Where a link may lead its reader: the address that was asked for if it is the site's own, else the site. On loopback
 * any port of this machine counts as the site's own, so that a development server can be signed in to.
 */
export function safeRedirect(wanted: string | undefined, siteUrl: string): string {
  const site = new URL(siteUrl)
  const target = wanted === undefined ? undefined : plainUrl(wanted)
  if (target === undefined || !isOwn(target, site)) return site.href
  target.hash = ''
  // Only where one is there: taking it out writes the whole query again.
  for (const name of RESERVED) if (target.searchParams.has(name)) target.searchParams.delete(name)
  return target.href
}

/** What only this service may say to a page that waits for a sign-in: a link must not bring it along. */
const RESERVED = [
  'code',
  'error',
  'error_code',
  'error_description',
  'access_token',
  'refresh_token',
  'token_hash',
  'sb',
] as const
const LONGEST = 2048
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const DEFAULT_PORTS = new Map([
  ['http:', '80'],
  ['https:', '443'],
])

/**
 * An http(s) URL that reads as it is meant. Browsers and parsers mend what is malformed (WHATWG URL, section 4.4):
 * backslashes become slashes, line ends vanish, `0x7f000001` becomes 127.0.0.1, full-width digits become digits. What
 * would have to be mended is refused, so nobody can read an address in two ways.
 */
function plainUrl(text: string): URL | undefined {
  if (text.length > LONGEST || !/^[\u0021-\u005b\u005d-\u007e]+$/u.test(text)) return undefined
  const [, authority = ''] = /^https?:\/\/([^/?#]+)/iu.exec(text) ?? []
  const url = authority === '' ? null : URL.parse(text)
  if (url === null) return undefined
  const asParsed = [url.host, `${url.host}:${DEFAULT_PORTS.get(url.protocol) ?? ''}`]
  return asParsed.includes(authority.toLowerCase()) ? url : undefined
}

function isOwn(target: URL, site: URL): boolean {
  if (target.origin === site.origin) return true
  return target.protocol === site.protocol && LOOPBACK.has(site.hostname) && LOOPBACK.has(target.hostname)
}
