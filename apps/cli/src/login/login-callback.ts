import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'

/** What the browser brought back. */
type Returned = {
  /** Undefined: the person denied it. */
  readonly grant: string | undefined
  /** Leads the browser on to the page, which says how it ended. */
  readonly answer: (page: string, outcome: 'done' | 'denied' | 'failed') => void
}

type LoginCallback = {
  readonly url: string
  /** Comes back with the browser: what does not bring it was not sent from here (RFC 6749, section 10.12). */
  readonly state: string
  /** Resolves once the browser has come back; undefined when nobody waits any more. */
  returned(enough: AbortSignal): Promise<Returned | undefined>
  close(): void
}

/** Listens on this machine alone for the browser that comes back from the page, once. */
export async function openCallback(): Promise<LoginCallback> {
  const state = randomBytes(24).toString('base64url')
  const back = Promise.withResolvers<Returned | undefined>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isOurs = request.method === 'GET' && pathname === '/callback' && searchParams.get('state') === state
    if (!isOurs) return void refuse(response)
    return back.resolve({
      grant: searchParams.get('code') ?? undefined,
      answer: (page, outcome) => {
        const next = new URL(page)
        next.search = `?ended=${outcome}`
        response.writeHead(303, { location: next.href, 'cache-control': 'no-store', connection: 'close' }).end()
      },
    })
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', listening)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/callback`,
    state,
    returned(enough) {
      enough.addEventListener('abort', () => back.resolve(undefined), { once: true })
      if (enough.aborted) back.resolve(undefined)
      return back.promise
    },
    // The answer to the browser is sent before the connection ends.
    close: () => void server.close(),
  }
}

const refuse = (response: ServerResponse): ServerResponse =>
  response
    .writeHead(400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    .end('This does not belong to the sign-in that septet login waits for. Go back to the terminal.\n')
