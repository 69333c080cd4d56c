import { errorText } from '@septet/domain/words'
import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { AdmissionMode, Log } from '@septet/domain'

import type { ReviewAnswers } from './answer-review.ts'
import type { KeyPair } from './x509.ts'

export type ListenerParts = {
  readonly host: string
  readonly port: number
  readonly served: KeyPair
  readonly reviews: Pick<ReviewAnswers, 'answer'>
  /** Whether the address is one that was given to the API server of this cluster. */
  readonly isGiven: (cluster: string, token: string) => boolean
  readonly log: Log
  readonly clock: () => number
}

export type AdmissionListener = {
  readonly port: number
  /** Another certificate from the next connection on; those that are open keep theirs. */
  serve(served: KeyPair): void
  stop(): Promise<void>
}

/** The API server takes no object of more than 3 MiB, and a review holds one. */
const MOST_BYTES = 4 * 2 ** 20
/** Who sends more than this is hung up on. */
const GIVEN_UP_BYTES = 64 * 2 ** 20
const REQUEST_MS = 2000
/** API servers keep a few open each. */
const MOST_CONNECTIONS = 1000

/** Listens for the API server's questions over TLS. Throws where the port cannot be had. */
export async function listenForReviews(parts: ListenerParts): Promise<AdmissionListener> {
  const { host, port, served } = parts
  const server = createServer(
    {
      ...tlsOf(served),
      handshakeTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: REQUEST_MS,
    },
    (request, response) => {
      void respond(parts, request, response)
    },
  )
  server.maxConnections = MOST_CONNECTIONS
  await listening(server, { host, port })
  return {
    port: portOf(server, port),
    serve: (next) => server.setSecureContext(tlsOf(next)),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

const tlsOf = ({ certificate, key }: KeyPair) => ({ cert: certificate, key, minVersion: 'TLSv1.2' as const })

/** As it was given, where 0 was asked for. */
function portOf(server: Server, asked: number): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : asked
}

function listening(server: Server, at: { host: string; port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const failed = (error: Error): void =>
    reject(
      new Error(
        `Septet cannot listen for admission on ${at.host}:${at.port}: ${error.message}. Set SEPTET_ADMISSION_PORT to a free port.`,
        { cause: error },
      ),
    )
  server.once('error', failed)
  server.listen(at.port, at.host, () => {
    server.off('error', failed)
    resolve()
  })
  return promise
}

/** `/admission/CLUSTER/TOKEN/warn` */
const PATH = /^\/admission\/(?<cluster>[^/?]+)\/(?<token>[0-9a-f]+)\/(?<mode>warn|mutate)(?:\?|$)/u

async function respond(parts: ListenerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const began = parts.clock()
  const say = (status: number, text: string): void => {
    // What is not read any more must not be taken for the next request.
    response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      ...(status >= 400 ? { connection: 'close' } : {}),
    })
    response.end(text)
  }
  try {
    if (request.method === 'GET' && request.url === '/healthz') return say(200, 'ok')
    const asked = askedBy(request, parts)
    if (asked === undefined) {
      request.resume()
      return say(
        404,
        'Nothing is answered here. The address for the webhook configuration is in Settings → Admission (GET /api/v1/admission/setup).',
      )
    }
    if (request.method !== 'POST') return say(405, 'Reviews are posted.')
    const body = await bodyOf(request)
    if (body === undefined) {
      parts.log.warn('an admission review was too large and was not read', { cluster: asked.cluster })
      return say(
        413,
        `This is larger than ${MOST_BYTES / 2 ** 20} MiB, which no review of a pod is. It was not read, and nothing was changed.`,
      )
    }
    const raw = jsonOf(body)
    const answer = raw === undefined ? undefined : answered(parts, { ...asked, began }, raw)
    if (answer === undefined) {
      return say(400, 'This is no AdmissionReview of admission.k8s.io/v1 about an object. Nothing was changed.')
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  } catch (error) {
    parts.log.warn('an admission review could not be answered', { error: errorText(error) })
    if (!response.headersSent) say(500, 'The review could not be answered. Nothing was changed.')
  }
}

function askedBy({ url = '' }: IncomingMessage, { isGiven }: ListenerParts) {
  const { cluster = '', token = '', mode = '' } = PATH.exec(url)?.groups ?? {}
  const named = nameIn(cluster)
  if (named === undefined || !isGiven(named, token)) return undefined
  const asked: AdmissionMode = mode === 'mutate' ? 'mutate' : 'warn'
  return { cluster: named, mode: asked }
}

function nameIn(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Undefined for what is too large: it is let go by to its end, as who still sends does not read the answer. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  let chunks: Buffer[] = []
  let size = 0
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= MOST_BYTES) chunks.push(chunk)
    else chunks = []
    if (size > GIVEN_UP_BYTES) resolve(undefined)
  })
  request.on('end', () => resolve(size > MOST_BYTES ? undefined : Buffer.concat(chunks)))
  request.on('error', reject)
  request.on('close', () => reject(new Error('The connection was closed before the review had come.')))
  return promise
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function answered({ reviews, log }: ListenerParts, asked: Parameters<ReviewAnswers['answer']>[0], raw: unknown) {
  try {
    return reviews.answer(asked, raw)
  } catch (error) {
    log.warn('what was posted is no admission review', {
      cluster: asked.cluster,
      error: errorText(error).slice(0, 300),
    })
    return undefined
  }
}
