import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

/** How to connect to a host; throws `AddressRefused` where nothing may be sent. */
export type Guard = (target: URL) => { readonly lookup: LookupFunction }

export type WebhookRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly guard: Guard
  /** The whole exchange, milliseconds. */
  readonly timeoutMs: number
}

export type WebhookAnswer = {
  readonly status: number
  /** As the receiver said it. */
  readonly retryAfter: string | undefined
  /** The first 200 characters, in one line. */
  readonly start: string
}

const SHOWN_CHARACTERS = 200

/** Posts to a webhook. Redirects are not followed, and of the answer only the start is read. Throws where nobody answered in time. */
export async function postWebhook({ url, headers, body, guard, timeoutMs }: WebhookRequest): Promise<WebhookAnswer> {
  const target = new URL(url)
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  const { promise, resolve, reject } = Promise.withResolvers<WebhookAnswer>()
  const outgoing = send(
    target,
    {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'septet' },
      ...guard(target),
      signal: AbortSignal.timeout(timeoutMs),
      agent: false,
    },
    (answer) => {
      const { statusCode = 0 } = answer
      const retryAfter = answer.headers['retry-after']
      let start = ''
      const done = (): void => {
        resolve({ status: statusCode, retryAfter, start: oneLine(start) })
        answer.destroy()
      }
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => {
        start = (start + text).slice(0, SHOWN_CHARACTERS)
        if (start.length >= SHOWN_CHARACTERS) done()
      })
      answer.on('end', done)
      // The status was received; what was to follow is not needed.
      answer.on('error', done)
    },
  )
  outgoing.on('error', (error) => reject(inTime(error, timeoutMs)))
  outgoing.end(body)
  return promise
}

const inTime = (error: Error, timeoutMs: number): Error =>
  error.name === 'AbortError' || error.name === 'TimeoutError'
    ? new Error(`No answer in ${timeoutMs / 1000} seconds.`)
    : error

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
