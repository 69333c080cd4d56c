import { errorText } from '@septet/domain/words'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { rootCertificates } from 'node:tls'
import { guarded } from './address-guard.ts'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { createPrivateKey, X509Certificate } from 'node:crypto'

/** One GET whose time and size are bounded. Rejects with a `TelemetryError` (`unreachable`, `timeout`, `canceled`). */
export type BoundedGet = (request: GetRequest) => Promise<GetAnswer>

type GetRequest = {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** For the whole exchange, milliseconds. */
  readonly timeoutMs: number
  /** More of the body is not read. */
  readonly maximumBytes: number
  readonly tls?: Tls
  readonly signal?: AbortSignal
}

export type Tls = {
  /** Certificates to trust besides the well-known ones, PEM. */
  readonly ca?: string
  /** What is shown to a server that asks for a certificate, with its private key, PEM. */
  readonly cert?: string
  readonly key?: string
  /** True accepts any certificate. */
  readonly insecure?: boolean
}

export type GetAnswer = {
  readonly status: number
  readonly contentType: string
  readonly location: string | undefined
  readonly retryAfter: string | undefined
  readonly body: string
  /** Why the body is not all of it: the connection broke, or it is larger than allowed. Undefined when it is whole. */
  readonly cut: 'broken' | 'too-large' | undefined
}

export const boundedGet: BoundedGet = (asked) =>
  new Promise((resolve, reject) => {
    let sent: ClientRequest | undefined
    const fail = (error: unknown): void => {
      finish()
      reject(asError(error, asked))
    }
    const stop = (code: 'timeout' | 'canceled'): void => {
      sent?.destroy()
      fail(
        new TelemetryError(code, code === 'timeout' ? slow(asked) : `The request to ${plain(asked.url)} was canceled.`),
      )
    }
    const timer = setTimeout(stop, asked.timeoutMs, 'timeout')
    const onAbort = (): void => stop('canceled')
    const finish = (): void => {
      clearTimeout(timer)
      asked.signal?.removeEventListener('abort', onAbort)
    }
    if (asked.signal?.aborted === true) return stop('canceled')
    asked.signal?.addEventListener('abort', onAbort)
    try {
      sent = open(asked, (answer) => {
        readBody(answer, asked.maximumBytes, (read) => {
          finish()
          resolve(read)
        })
      })
      sent.on('error', fail)
      sent.end()
    } catch (error) {
      fail(error)
    }
    return undefined
  })

/** A URL without user, password and query: what may be shown. */
export function plain(url: string): string {
  if (!URL.canParse(url)) return url
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname === '/' ? '' : pathname}`
}

function open(asked: GetRequest, onAnswer: (answer: IncomingMessage) => void): ClientRequest {
  const url = new URL(asked.url)
  const headers = { 'accept-encoding': 'identity', 'user-agent': 'septet', ...asked.headers }
  const way = { headers, ...guarded(url, true) }
  if (url.protocol === 'http:') return requestHttp(url, way, onAnswer)
  const { ca, insecure, ...shown } = asked.tls ?? {}
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] }
  const tls = { ...trusted, ...shown, rejectUnauthorized: insecure !== true }
  return requestHttps(url, { ...way, ...tls }, onAnswer)
}

function readBody(answer: IncomingMessage, maximumBytes: number, onRead: (read: GetAnswer) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  let isRead = false
  const done = (cut: GetAnswer['cut']): void => {
    // An answer that has ended is closed too, and to make its text twice costs as much again.
    if (isRead) return
    isRead = true
    onRead({
      status: answer.statusCode ?? 0,
      contentType: answer.headers['content-type'] ?? '',
      location: answer.headers.location,
      retryAfter: answer.headers['retry-after'],
      body: Buffer.concat(chunks).toString('utf8'),
      cut,
    })
  }
  answer.on('data', (chunk: Buffer) => {
    const room = maximumBytes - size
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    size += chunk.length
    if (size <= maximumBytes) return
    done('too-large')
    answer.destroy()
  })
  answer.on('end', () => done(answer.complete ? undefined : 'broken'))
  answer.on('error', () => done('broken'))
  answer.on('close', () => done('broken'))
}

const slow = (asked: GetRequest): string =>
  `${plain(asked.url)} did not answer within ${asked.timeoutMs / 1000} s. It may be overloaded or behind a firewall that drops packets.`

function asError(error: unknown, asked: GetRequest): TelemetryError {
  if (error instanceof TelemetryError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = CAUSES[code]
  const cause = known ?? errorText(error)
  return new TelemetryError('unreachable', `${plain(asked.url)} cannot be reached: ${cause}`, { cause: error })
}

const WANTS_CERTIFICATE = 'it asks for a client certificate that it trusts. Give one that is still valid, with its key.'

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused). Check the address and that the service runs.',
  ENOTFOUND: 'the name does not resolve. Check the host name and DNS.',
  EAI_AGAIN: 'the name cannot be resolved now. Check DNS.',
  ECONNRESET: 'the connection was closed before an answer came. Check for a proxy in between, and http against https.',
  ETIMEDOUT: 'the connection timed out. Check firewalls and network policies.',
  EHOSTUNREACH: 'there is no route to the host. Check the address and network policies.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed. Give the certificate authority, or allow it explicitly.',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain is self-signed. Give the certificate authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified. Give the certificate authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate cannot be verified. Give the certificate authority.',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: WANTS_CERTIFICATE,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: WANTS_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: WANTS_CERTIFICATE,
  // So Node 24 names what Go servers say, also where none was shown.
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE': WANTS_CERTIFICATE,
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'the client certificate and the key do not belong together.',
  ERR_OSSL_PEM_NO_START_LINE: 'the certificate or the key given for it is not PEM.',
  CERT_HAS_EXPIRED: 'its certificate has expired. Renew it.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name. Use the name that the certificate has.',
  EPROTO: 'it does not use TLS there. Check http versus https.',
  ERR_INVALID_URL: 'the address is not a URL.',
  ERR_INVALID_PROTOCOL: 'the address must begin with http:// or https://.',
}

/** Why a certificate with its key, both PEM, cannot be shown to a server, in a sentence; undefined where they can. */
export function wrongCertificate(cert: string, key: string): string | undefined {
  const certificate = attempt(() => new X509Certificate(cert))
  if (certificate === undefined) return 'The client certificate is not a PEM certificate.'
  const privateKey = attempt(() => createPrivateKey(key))
  if (privateKey === undefined)
    return 'The key of the client certificate is not a PEM private key, or has a passphrase.'
  return certificate.checkPrivateKey(privateKey)
    ? undefined
    : 'The key is not that of the client certificate: they do not belong together.'
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** Does `work` for every item, at most `limit` at the same time; answers in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>()
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    // Workers share one iterator, so each item is taken once.
    for (const [index, item] of queue) results.set(index, await work(item))
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}
