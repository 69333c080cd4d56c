import http from 'node:http'
import https from 'node:https'
import { TLSSocket } from 'node:tls'
import { z } from 'zod'
import { ConnectError } from './connect-error.ts'
import type { Credentials } from './credentials.ts'
import { toConnectError } from './unreachable.ts'

/** What one question shows of an API server before anything is read. */
export type Greeting = {
  readonly tookMs: number
  /** `v1.34.1`; empty when it does not tell. */
  readonly version: string
  /** How far its clock is ahead of ours, milliseconds; undefined when it does not tell its time. */
  readonly aheadMs: number | undefined
  /** When its certificate ends, milliseconds since 1970; undefined over plain HTTP and behind a proxy. */
  readonly certificateUntil: number | undefined
}

export type GreetOptions = { readonly timeoutMs: number; readonly signal: AbortSignal; readonly clock: () => number }

/** Asks `/version`. Any HTTP answer will do; throws a `ConnectError` when none comes. */
export async function greet(credentials: Credentials, options: GreetOptions): Promise<Greeting> {
  const { server } = credentials
  const { headers, ...material } = await credentials.requestOptions()
  const url = new URL(`${server.pathname.replace(/\/$/u, '')}/version`, server)
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const request = (server.protocol === 'https:' ? https : http).request(url, {
      // A connection of its own: one that is kept alive shows nothing of the server's certificate now.
      agent: false,
      ...material,
      headers: { ...headers, accept: 'application/json', 'user-agent': 'septet-reader' },
      signal: options.signal,
    })
    request.setTimeout(options.timeoutMs, () => {
      request.destroy(new Error(`it did not answer within ${options.timeoutMs / 1000} s`))
    })
    request.once('error', (error) =>
      reject(error instanceof ConnectError ? error : toConnectError(server.origin, error)),
    )
    request.once('response', (response) => {
      const tookMs = Math.max(1, Math.round(performance.now() - began))
      const date = Date.parse(response.headers.date ?? '')
      const { socket } = response
      const until = socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : Number.NaN
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => {
        // A version is some hundred bytes; whatever sends more is something else.
        if (chunks.length < MOST_CHUNKS) chunks.push(chunk)
        else response.destroy()
      })
      response.once('close', () =>
        resolve({
          tookMs,
          version: versionOf(Buffer.concat(chunks).toString('utf8')),
          aheadMs: Number.isNaN(date) ? undefined : aheadOf(date, options.clock()),
          certificateUntil: Number.isNaN(until) ? undefined : until,
        }),
      )
    })
    request.end()
  })
}

const MOST_CHUNKS = 16

/** The header is cut to the second, so up to one second behind is none. */
function aheadOf(date: number, now: number): number {
  const ahead = date - now
  return ahead < 0 ? Math.min(0, ahead + 1000) : ahead
}

const VersionSchema = z.object({ gitVersion: z.string() })

function versionOf(text: string): string {
  try {
    return VersionSchema.safeParse(JSON.parse(text)).data?.gitVersion ?? ''
  } catch {
    return ''
  }
}
