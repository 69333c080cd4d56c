import { PAGE_PASS_PATH, notSignedIn } from '@septet/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { bearerOf, cookieIn, sameText, type Auth, type Gate } from '@septet/auth'

export type PagePassNeeds = {
  readonly gate: Gate
  readonly auth: Pick<Auth, 'verify'>
  /** Keyed hash that only this server can make. */
  readonly seal: (text: string) => string
  readonly publicUrl: string | undefined
  readonly now: () => number
}

const COOKIE = 'septet-page'

/**
 * A cookie that lets a browser open documents below `/dashboard` while its access token lives. It opens pages and
 * nothing else: no operation looks at it, so that no other site can act with it.
 */
export function registerPagePass(server: FastifyInstance, needs: PagePassNeeds): (request: FastifyRequest) => boolean {
  const { gate, auth, seal, now } = needs
  server.put(PAGE_PASS_PATH, async (request, reply) => {
    const caller = await gate.caller(request)
    const bearer = bearerOf(request.headers.authorization)
    if (caller.kind !== 'account' || bearer === undefined) throw notSignedIn('Only signed-in people can open pages.')
    const { expiresAt } = await auth.verify(bearer)
    const value = `${expiresAt}.${seal(String(expiresAt))}`
    const seconds = Math.max(0, Math.floor((expiresAt - now()) / 1000))
    return reply
      .status(204)
      .header('set-cookie', cookie(needs, request, { value, seconds }))
      .send()
  })
  server.delete(PAGE_PASS_PATH, (request, reply) =>
    reply
      .status(204)
      .header('set-cookie', cookie(needs, request, { value: '', seconds: 0 }))
      .send(),
  )
  return (request) => isValid(cookieIn(request.headers.cookie, COOKIE), { seal, now })
}

function cookie(
  { publicUrl }: PagePassNeeds,
  request: FastifyRequest,
  { value, seconds }: { readonly value: string; readonly seconds: number },
): string {
  const secure = publicUrl?.startsWith('https:') === true || request.protocol === 'https' ? '; Secure' : ''
  return `${COOKIE}=${value}; Path=/dashboard; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

function isValid(value: string | undefined, { seal, now }: Pick<PagePassNeeds, 'seal' | 'now'>): boolean {
  const [, expiresAt = '', sealed = ''] = /^(\d{1,15})\.([0-9a-f]{64})$/u.exec(value ?? '') ?? []
  if (expiresAt === '' || Number(expiresAt) <= now()) return false
  return sameText(sealed, seal(expiresAt))
}
