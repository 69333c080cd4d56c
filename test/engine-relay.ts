import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A way to a metrics engine that answers garbage from `spoil` to `mend`. */
export type EngineRelay = { readonly url: string; spoil(): void; mend(): void; close(): Promise<void> }

const GARBAGE = '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"UUID":"GPU-'

/**
 * `heard` is called before a question is passed on, with the earliest moment that its address names: milliseconds since
 * 1970. Not for questions that name none there.
 */
export async function openEngineRelay(to: string, heard?: (at: number) => void): Promise<EngineRelay> {
  let isSpoiled = false
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', to)
    const at = Number(searchParams.get('start') ?? searchParams.get('time') ?? NaN) * 1000
    if (!Number.isNaN(at)) heard?.(at)
    if (isSpoiled) response.writeHead(200, { 'content-type': 'application/json' }).end(GARBAGE)
    else passOn(to, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`,
    spoil: () => void (isSpoiled = true),
    mend: () => void (isSpoiled = false),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function passOn(to: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '', method = 'GET', headers } = request
  const asked = method === 'POST' && {
    body: await buffer(request),
    headers: { 'content-type': headers['content-type'] ?? '' },
  }
  const answer = await fetch(`${to}${url}`, { method, ...asked })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end(await answer.text())
}
