import { errorText } from '@septet/domain/words'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { World } from '../model/world.ts'
import { ANONYMOUS, type KubeCaller } from './callers.ts'
import type { Demo } from './cluster/cluster.ts'
import { answerDemo } from './demo-endpoints.ts'
import { disturbWrite, loseAnswer } from './cluster/faults/write-faults.ts'
import { VERSION } from './kube/discovery.ts'
import { isObject, parseYaml, type Json } from './kube/json.ts'
import type { Pages } from './kube/read.ts'
import { isAcceptable, type ApiRequest } from './kube/request.ts'
import type { Access } from './kube/access.ts'
import { route, type RawRequest } from './kube/router.ts'
import { Refused, badRequest, failure, forbidden, forbiddenPath, notServed, unauthorized } from './kube/status.ts'
import type { TokenAuthority } from './kube/token-authority.ts'
import { watch } from './kube/watch.ts'
import { hasWebhooks, mutated } from './kube/webhooks.ts'
import type { Api } from './kube/write.ts'
import { answerPrometheus } from './prometheus.ts'
import type { RequestLog } from './request-log.ts'
import {
  METRICS,
  errorLabels,
  holderLabels,
  metricLabels,
  printed,
  tellsErrors,
  type SeriesLabels,
} from '../model/metrics.ts'
import { labelledHolder, readAt, rowsAt, type ModelRow } from '../model/readings.ts'

/** What dcgm-exporter on a node answers at an instant; undefined when it does not answer. */
function expositionOf(world: World, nodeName: string, at: number): string | undefined {
  const node = world.node(nodeName)
  const rows = node === undefined ? [] : rowsAt(world, node, at)
  if (rows.length === 0) return undefined
  const readings = rows.map((row) => ({
    row,
    reading: readAt(world, row, at),
    labels: labelTexts(row, holderLabels(labelledHolder(world, row, at))),
  }))
  const lines: string[] = []
  for (const metric of METRICS) {
    lines.push(`# HELP ${metric.name} ${metric.help}`, `# TYPE ${metric.name} ${metric.type}`)
    for (const { row, reading, labels } of readings) {
      const value = metric.value(reading, row)
      if (value !== undefined)
        lines.push(`${metric.name}{${tellsErrors(metric) ? labels.withError : labels.plain}} ${printed(metric, value)}`)
    }
  }
  return `${lines.join('\n')}\n`
}

/** Prometheus HTTP service discovery: one target per node that runs an exporter. */
const targetsOf = (world: World, address: string): readonly object[] =>
  world.nodes
    .filter(({ name }) => world.retiredAt(name) === Infinity)
    .map((node) => ({
      targets: [address],
      labels: { __metrics_path__: `/exporter/${node.name}/metrics`, node: node.name },
    }))

/** All metrics of a row have the same labels, but for those that tell an error: written once, not for every line. */
function labelTexts(row: ModelRow, holder: SeriesLabels): { readonly plain: string; readonly withError: string } {
  const [before, error] = [labelText(metricLabels(row)), labelText(errorLabels(row))]
  const after = holder.length === 0 ? '' : `,${labelText(holder)}`
  return { plain: `${before}${after}`, withError: `${before},${error}${after}` }
}

const labelText = (labels: SeriesLabels): string =>
  labels.map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escape)}"`).join(',')

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
const escape = (character: string): string => ESCAPES[character] ?? character

/** Everything the one server answers from. */
export type Served = {
  readonly world: World
  readonly cluster: Demo
  readonly api: Api
  /** By token. */
  readonly callers: ReadonlyMap<string, KubeCaller>
  readonly tokens: TokenAuthority
  readonly requests: RequestLog
  readonly bookmarkMs: number
  readonly pages: Pages
  /** What ends each watch that runs, and the resource it is of. */
  readonly watches: Map<() => void, string>
  cutWatches(resource: string | undefined): void
  /** Lets happen what is due, so that an answer is never older than its question. */
  advance(): void
  /** `127.0.0.1:PORT` */
  address(): string
}

const MAX_BODY = 3 * 1024 * 1024

/** Answers one HTTP request: Kubernetes API, exporters, or Prometheus' query API. */
export async function serve(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    served.advance()
    await dispatch(served, new URL(request.url ?? '/', 'http://127.0.0.1'), { request, response })
  } catch (error) {
    const known = error instanceof Refused ? error : internal(error)
    const seconds = known.details?.retryAfterSeconds
    const headers = seconds === undefined ? {} : { 'Retry-After': String(seconds) }
    const isPlain = known.reason === '' && (known.code === 404 || known.code === 429)
    if (isPlain) send({ request, response, headers }, known.code, { type: PLAIN, text: `${known.message}\n` })
    else sendJson({ request, response, headers }, known.code, failure(known))
  }
}

async function dispatch(served: Served, url: URL, exchange: Exchange): Promise<void> {
  const { pathname } = url
  if (pathname.startsWith('/exporter/')) return serveExporter(served, url, exchange)
  if (pathname.startsWith('/prometheus/')) return servePrometheus(served, url, exchange)
  const caller = callerOf(served, exchange.request, pathname)
  if (HEALTH.has(pathname)) return sendText(exchange.response, 200, 'ok')
  if (pathname === '/version') return sendJson(exchange, 200, VERSION)
  if (pathname.startsWith('/demo/')) return serveDemo(served, pathname, exchange)
  return serveApi(served, url, { ...exchange, caller })
}
/** Who asks. Whoever brings no token sees no more than health and version, and is told of the rest that it is forbidden. */
// oxlint-disable-next-line complexity -- each path that is open
function callerOf({ callers }: Served, request: IncomingMessage, path: string): KubeCaller {
  const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
  const caller = token === undefined ? ANONYMOUS : callers.get(token)
  if (caller === undefined || (caller === ANONYMOUS && path.startsWith('/demo/'))) throw unauthorized()
  const isOpen = caller !== ANONYMOUS || HEALTH.has(path) || path === '/version' || /^\/apis?\/.+\/.+/u.test(path)
  if (!isOpen) throw forbiddenPath(caller.user, path)
  return caller
}

const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz'])

const internal = (error: unknown): Refused =>
  new Refused(500, 'InternalError', {
    message: `Internal error occurred: ${errorText(error)}`,
  })

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

function serveExporter(served: Served, url: URL, { request, response }: Exchange): void {
  if (url.pathname === '/exporter/targets') {
    return sendJson({ request, response }, 200, targetsOf(served.world, served.address()))
  }
  const name = /^\/exporter\/([^/]+)\/metrics$/.exec(url.pathname)?.[1] ?? ''
  const { world, cluster } = served
  if (world.node(name) === undefined || world.retiredAt(name) <= cluster.now())
    return sendText(response, 404, 'no such node\n')
  const text = cluster.paused.has(name) ? undefined : expositionOf(world, name, cluster.now())
  if (text === undefined) return sendText(response, 503, 'the exporter of this node is not responding\n')
  send({ request, response }, 200, { type: 'text/plain; version=0.0.4; charset=utf-8', text })
}

async function servePrometheus(served: Served, url: URL, { request, response }: Exchange): Promise<void> {
  const path = url.pathname.replace(/^\/prometheus\/(?:api\/v1\/)?/, '')
  if (path === '-/ready' || path === '-/healthy') return sendText(response, 200, 'Prometheus Server is Ready.\n')
  const parameters = request.method === 'POST' ? new URLSearchParams(await readBody(request)) : url.searchParams
  const answer = answerPrometheus(served.world, { path, parameters }, served.cluster.now())
  sendJson({ request, response }, answer.code, answer.body)
}

async function serveApi(
  served: Served,
  url: URL,
  { request, response, caller }: Exchange & { caller: KubeCaller },
): Promise<void> {
  const contentType = (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim() ?? ''
  const text = await readBody(request)
  checkHeaders(request, caller)
  const raw = {
    method: request.method ?? 'GET',
    url,
    body: bodyOf(text, contentType),
    hasBody: text !== '',
    contentType,
    accept: request.headers.accept ?? '',
    userAgent: request.headers['user-agent'] ?? '',
  }
  const { user } = caller
  const record = (access: Access, dryRun: boolean): void => served.requests.add({ user, ...access, dryRun })
  const { cluster } = served
  const { body, warnings: said } = await admitted(served, raw, caller)
  const warnings = [...said]
  const routed = route(
    served.api,
    { ...raw, body },
    {
      pages: served.pages,
      caller,
      tokens: served.tokens,
      record,
      address: served.address(),
      warn: (warning) => void warnings.push(warning),
      before: (asked) => disturbWrite(cluster, asked),
      after: (asked) => loseAnswer(cluster, asked),
    },
  )
  if ('watch' in routed) return serveWatch(served, routed.watch, { request, response })
  served.advance()
  if ('lost' in routed) return void response.destroy()
  sendJson({ request, response, headers: warningHeaders(warnings) }, routed.answer.code, routed.answer.body)
}

function checkHeaders({ headers }: IncomingMessage, caller: KubeCaller): void {
  const other = headers['impersonate-user']
  if (other !== undefined) {
    const access = { verb: 'impersonate', group: '', resource: 'users', namespace: undefined, name: String(other) }
    if (!caller.may(access)) throw forbidden(caller.user, { group: '', plural: 'users' }, access)
    throw notServed('let anyone act as somebody else')
  }
  if (!isAcceptable(headers.accept ?? ''))
    throw new Refused(406, 'NotAcceptable', {
      message: 'only the following media types are accepted: application/json',
    })
}

/** As kubectl reads them; a header's bytes are UTF-8, which Node writes as Latin-1. */
const warningHeaders = (warnings: readonly string[]) =>
  warnings.length === 0
    ? {}
    : { Warning: warnings.map((text) => `299 - ${Buffer.from(JSON.stringify(text)).toString('latin1')}`) }

/** A new pod as webhooks leave it; any other request as it is. */
async function admitted(
  { api }: Served,
  { method, url, body }: RawRequest,
  caller: KubeCaller,
): Promise<{ readonly body: Json; readonly warnings: readonly string[] }> {
  const namespace = /^\/api\/v1\/namespaces\/([^/]+)\/pods$/u.exec(url.pathname)?.[1]
  const access = { verb: 'create', group: '', resource: 'pods', namespace, name: undefined }
  const isAsked =
    method === 'POST' && namespace !== undefined && isObject(body) && hasWebhooks(api) && caller.may(access)
  if (!isAsked) return { body, warnings: [] }
  return mutated(api, { body, namespace, user: caller.user, dryRun: url.searchParams.get('dryRun') === 'All' })
}

// A client that leaves this much unread is too slow: it has to begin again.
const MAX_UNREAD = 64 * 1024 * 1024

function serveWatch(served: Served, asked: ApiRequest, { request, response }: Exchange): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })
  response.flushHeaders()
  const stop = watch(served.api, asked, {
    bookmarkMs: served.bookmarkMs,
    send: (line) => {
      response.write(line)
      return response.writableLength < MAX_UNREAD
    },
    end: () => response.end(),
  })
  served.watches.set(stop, asked.kind.plural)
  const end = (): void => {
    served.watches.delete(stop)
    stop()
  }
  request.on('close', end)
  response.on('error', end)
}

/** Ends all watches, or those of one resource. */
export function cutWatches(watches: Served['watches'], resource: string | undefined): void {
  for (const [stop, of] of watches) if (resource === undefined || resource === of) stop()
}

async function serveDemo(served: Served, path: string, { request, response }: Exchange): Promise<void> {
  const body = bodyOf(await readBody(request), 'application/json')
  const told = answerDemo(served, { method: request.method ?? 'GET', path, body })
  served.advance()
  sendJson({ request, response }, told.code, told.body)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const part = Buffer.from(chunk)
    size += part.length
    if (size > MAX_BODY)
      throw new Refused(413, 'RequestEntityTooLarge', { message: 'Request entity too large: limit is 3145728' })
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function bodyOf(text: string, contentType: string): Json {
  if (text === '') return {}
  if (!/json|yaml/.test(contentType)) {
    throw new Refused(415, 'UnsupportedMediaType', { message: 'the demo reads JSON and YAML alone' })
  }
  try {
    if (text.trim() === '') throw new Error('unexpected end of JSON input')
    return parseYaml(text)
  } catch (error) {
    throw badRequest(`the body could not be read: ${error instanceof Error ? error.message : ''}`)
  }
}

const sendJson = (exchange: Exchange, code: number, body: object): void =>
  send(exchange, code, { type: 'application/json', text: JSON.stringify(body) })

const PLAIN = 'text/plain; charset=utf-8'
const sendText = (response: ServerResponse, code: number, text: string): void => {
  response.writeHead(code, { 'Content-Type': PLAIN })
  response.end(text)
}

// The API server compresses answers of this size on; smaller ones are not worth it.
const COMPRESS_FROM = 128 * 1024

function send({ request, response, headers }: Exchange, code: number, of: { type: string; text: string }): void {
  if (response.headersSent) return void response.end()
  const zip = of.text.length > COMPRESS_FROM && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  const body = zip ? gzipSync(of.text, { level: 1 }) : of.text
  response.writeHead(code, { 'Content-Type': of.type, ...headers, ...(zip ? { 'Content-Encoding': 'gzip' } : {}) })
  response.end(body)
}
