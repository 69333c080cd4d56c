import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { z } from 'zod'

import { guarded } from '../../http/address-guard.ts'
import { NotKubernetesError, readApiError, TooLargeError, StreamCutError } from './api-error.ts'
import type { Heard } from './connection.ts'
import type { Credentials } from './credentials.ts'
import type { ReaderTiming } from './timing.ts'
import { toConnectError } from './unreachable.ts'
import { sayError } from './connect-error.ts'

export type ApiQuery = Readonly<Record<string, string>>

/** Raw JSON over HTTP(S), with the credentials of one cluster. Throws `ConnectError` where no
 * connection comes about, else `ApiError`, `StreamCutError`, `TooLargeError` or `NotKubernetesError`. */
export type ApiClient = {
  get(path: string, options?: GetOptions): Promise<unknown>
  post(path: string, body: unknown): Promise<unknown>
  /** Resolves when the server ends the stream. */
  lines(path: string, options: StreamOptions): Promise<void>
  /** Reads the credentials again: a token may have been renewed. Throws a `ConnectError`. */
  reload(): void
  close(): void
}

type GetOptions = {
  readonly query?: ApiQuery
  readonly accept?: string
  readonly signal?: AbortSignal
  /** The first byte must come within so many milliseconds, where that is less than usual. */
  readonly within?: number
}

type StreamOptions = {
  readonly query: ApiQuery
  readonly signal: AbortSignal
  /** The server has accepted the request. */
  readonly onOpen: () => void
  /** Tells whether it is something that an API server says. */
  readonly onLine: (line: string) => boolean
  readonly onOversized: (bytes: number) => void
}

export type ApiClientOptions = {
  readonly load: () => Credentials
  readonly timing: Pick<ReaderTiming, 'response' | 'silence'>
  /** Called for every answer that an API server gives but 401 and server errors, and for all that a watch says. */
  readonly heard: (what: Heard) => void
}

/** Longest watch event we hold: etcd refuses objects over 1.5 MiB by default. */
const LINE_LIMIT = 8 * 1024 * 1024
/** Longest page of a list. */
const BODY_LIMIT = 64 * 1024 * 1024

export function openApiClient(options: ApiClientOptions): ApiClient {
  const { connection, json, reload, close } = openLine(options)
  return {
    get: (path, { query = {}, accept = 'application/json', signal, within } = {}) =>
      json({ method: 'GET', path, query, accept, signal, within, compressed: true }),
    post: (path, body) =>
      json({ method: 'POST', path, query: {}, accept: 'application/json', body: JSON.stringify(body) }),
    async lines(path, { query, signal, onOpen, onLine, onOversized }) {
      const response = await send(connection, { method: 'GET', path, query, accept: 'application/json', signal })
      onOpen()
      const hear = (line: string): void => {
        if (onLine(line)) options.heard('bytes')
      }
      const splitter = createLineSplitter({ limit: LINE_LIMIT, onLine: hear, onOversized })
      await consume(response, { silence: options.timing.silence, signal, onChunk: splitter.push })
      splitter.end()
    },
    reload,
    close,
  }
}

/** One request that may change the cluster. Only `kubernetes/write` asks for this. */
export type WriteCall = {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query: ApiQuery
  readonly body: unknown
  readonly contentType: string
}
export type WriteClient = {
  get(path: string, query?: ApiQuery): Promise<unknown>
  send(call: WriteCall): Promise<unknown>
  close(): void
}

/** As `openApiClient`, for anyone who may write. */
export function openWriteClient(options: ApiClientOptions): WriteClient {
  const { json, close } = openLine(options)
  const common = { accept: 'application/json', userAgent: 'septet-actor' }
  return {
    get: (path, query = {}) => json({ ...common, method: 'GET', path, query, compressed: true }),
    send: ({ body, ...call }) => json({ ...common, ...call, body: JSON.stringify(body) }),
    close,
  }
}

function openLine(options: ApiClientOptions) {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  }
  const connection = { credentials: options.load(), agents, options }
  return {
    connection,
    json: async (call: Call): Promise<unknown> => {
      const response = await send(connection, call)
      return parseJson(await readBody(response, BODY_LIMIT, { connection, signal: call.signal }), connection)
    },
    reload: (): void => {
      connection.credentials = options.load()
    },
    close: (): void => {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

type Connection = {
  credentials: Credentials
  readonly agents: { readonly 'http:': http.Agent; readonly 'https:': https.Agent }
  readonly options: ApiClientOptions
}
type Call = {
  readonly method: 'GET' | WriteCall['method']
  readonly path: string
  readonly query: ApiQuery
  readonly accept: string
  readonly userAgent?: string
  readonly contentType?: string
  readonly body?: string
  readonly signal?: AbortSignal | undefined
  readonly compressed?: boolean
  readonly within?: number | undefined
}

async function send(connection: Connection, call: Call): Promise<IncomingMessage> {
  const { credentials } = connection
  const { headers, ...material } = await credentials.requestOptions()
  const secure = credentials.server.protocol === 'https:'
  const agent = material.agent ?? connection.agents[secure ? 'https:' : 'http:']
  const request = (secure ? https : http).request(toUrl(credentials.server, call), {
    ...guardedWay(credentials.server),
    ...material,
    agent,
    headers: { ...headers, ...headersOf(call) },
    method: call.method,
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  })
  const response = await answer(request, call, connection)
  const status = response.statusCode ?? 0
  // Of a good one its body tells whether an API server gave it.
  if (status >= 200 && status < 300) return response
  return refuse(response, status, { connection, signal: call.signal })
}

type Reading = { readonly connection: Connection; readonly signal: AbortSignal | undefined }

async function refuse(response: IncomingMessage, status: number, reading: Reading): Promise<never> {
  const { credentials, options } = reading.connection
  const body = await readBody(response, ERROR_LIMIT, reading)
  if (status !== 401 && status < 500) {
    // Else a refusal by a proxy would be a right that is missing, and a 404 a cluster without pods.
    if (!isRefusal(body)) throw notKubernetes(credentials, status)
    options.heard('answer')
  }
  throw readApiError(status, tryJson(body), response.headers['retry-after'])
}

/** A few refusals of an API server are plain text. A proxy that answers in its place sends a page, or nothing. */
function isRefusal(body: string): boolean {
  const said = tryJson(body)
  return said === undefined ? body !== '' && !/^\s*</u.test(body) : SPOKEN.safeParse(said).success
}

function guardedWay(server: URL): ReturnType<typeof guarded> {
  try {
    return guarded(server, true)
  } catch (error) {
    throw toConnectError(server.origin, error)
  }
}

const headersOf = (call: Call): Readonly<Record<string, string>> => ({
  accept: call.accept,
  'user-agent': call.userAgent ?? 'septet-reader',
  ...(call.compressed === true ? { 'accept-encoding': 'gzip' } : {}),
  // Of a DELETE Node does not say by itself where its body ends.
  ...(call.body === undefined
    ? {}
    : {
        'content-type': call.contentType ?? 'application/json',
        'content-length': String(Buffer.byteLength(call.body)),
      }),
})

const ERROR_LIMIT = 256 * 1024

// The server may sit under a path, as behind Rancher: https://host/k8s/clusters/c-1.
function toUrl(server: URL, call: Call): URL {
  const url = new URL(server)
  url.pathname = server.pathname.replace(/\/$/, '') + call.path
  url.search = new URLSearchParams(call.query).toString()
  return url
}

function answer(request: ClientRequest, call: Call, { credentials, options }: Connection): Promise<IncomingMessage> {
  const server = credentials.server.origin
  const within = call.within ?? options.timing.response
  return new Promise((resolve, reject) => {
    const late = (): void => void request.destroy(new Error(`it did not answer within ${within / 1000} s`))
    let last: NodeJS.Immediate | undefined
    // A thread that was itself held up hears first what came meanwhile.
    const timer = setTimeout(() => (last = setImmediate(late)), within)
    const settled = (): void => {
      clearTimeout(timer)
      clearImmediate(last)
    }
    request.once('response', (response) => {
      settled()
      resolve(response)
    })
    request.once('error', (error) => {
      settled()
      reject(toConnectError(server, error))
    })
    request.end(call.body)
  })
}

async function readBody(
  response: IncomingMessage,
  limit: number,
  { connection, signal }: { connection: Connection; signal?: AbortSignal | undefined },
): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const onChunk = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > limit) throw new TooLargeError(bytes, `the answer is longer than ${limit / 1024 / 1024} MiB`)
    chunks.push(chunk)
  }
  await consume(unpacked(response), { silence: connection.options.timing.response, signal, onChunk })
  return Buffer.concat(chunks).toString('utf8')
}

function unpacked(response: IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response
  const gunzip = createGunzip()
  response.once('error', (error) => gunzip.destroy(error))
  response.once('aborted', () => gunzip.destroy(new Error('the connection was cut')))
  gunzip.once('close', () => response.destroy())
  return response.pipe(gunzip)
}

function parseJson(text: string, { credentials, options }: Connection): unknown {
  const value = tryJson(text)
  if (SPOKEN.safeParse(value).success) options.heard('answer')
  if (value !== undefined) return value
  throw notKubernetes(credentials)
}

const notKubernetes = ({ server }: Credentials, status?: number): Error =>
  new NotKubernetesError(
    `${server.origin} answers${status === undefined ? '' : ` ${status}`}, but not as a Kubernetes API does`,
  )

/** What every answer of an API server says of itself, its version apart. */
const SPOKEN = z.union([z.object({ kind: z.string() }), z.object({ gitVersion: z.string() })])

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reads a stream to its end. Throws `StreamCutError` when it breaks off, or when nothing comes for `silence`
 * milliseconds; throws what `onChunk` throws. Destroys the stream in every case but a clean end.
 */
function consume(
  stream: Readable,
  options: {
    readonly silence: number
    readonly signal?: AbortSignal | undefined
    readonly onChunk: (chunk: Buffer) => void
  },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const silent = setTimeout(() => {
      fail(new StreamCutError('silent', `nothing heard for ${options.silence / 1000} s`))
    }, options.silence)
    const stopped = (): void => fail(new StreamCutError('cut', 'stopped'))
    const settle = (): void => {
      clearTimeout(silent)
      options.signal?.removeEventListener('abort', stopped)
    }
    const fail = (error: unknown): void => {
      settle()
      stream.destroy()
      reject(error instanceof Error ? error : new Error(sayError(error)))
    }
    stream.on('data', (chunk: Buffer) => {
      silent.refresh()
      try {
        options.onChunk(chunk)
      } catch (error) {
        fail(error)
      }
    })
    stream.once('end', () => {
      settle()
      resolve()
    })
    stream.once('error', (error) => fail(new StreamCutError('cut', sayError(error), { cause: error })))
    stream.once('close', () => fail(new StreamCutError('cut', 'the connection was closed before the end')))
    if (options.signal?.aborted === true) stopped()
    else options.signal?.addEventListener('abort', stopped)
  })
}

type LineSplitter = {
  /** Takes the next bytes; calls back for every line they complete. */
  readonly push: (chunk: Buffer) => void
  /** The stream has ended: what is left is a line too. */
  end(): void
}

/**
 * Cuts a byte stream into lines and holds at most `limit` bytes of an unfinished one. A longer line is thrown away as
 * it arrives, and reported once with its length when it ends. Characters cut between two chunks stay whole.
 */
export function createLineSplitter(options: {
  readonly limit: number
  readonly onLine: (line: string) => void
  readonly onOversized: (bytes: number) => void
}): LineSplitter {
  let held: Buffer[] = []
  let bytes = 0

  const take = (part: Buffer): void => {
    bytes += part.length
    if (bytes > options.limit) held = []
    else if (part.length > 0) held.push(part)
  }
  const finish = (): void => {
    const line = held
    const length = bytes
    held = []
    bytes = 0
    if (length > options.limit) options.onOversized(length)
    else if (length > 0) emit(line, options.onLine)
  }
  return {
    push(chunk) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at))
        finish()
        from = at + 1
      }
      take(chunk.subarray(from))
    },
    end: finish,
  }
}

const NEWLINE = 0x0a

function emit(parts: readonly Buffer[], onLine: (line: string) => void): void {
  const line = (parts.length === 1 ? parts[0] : Buffer.concat(parts))?.toString('utf8').trim()
  if (line !== undefined && line !== '') onLine(line)
}
