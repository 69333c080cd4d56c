import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'

import {
  type SignInInfo,
  SIGN_IN_INFO_PATH,
  EVENTS_PATH,
  OPERATIONS,
  PAGE_PASS_PATH,
  type ServerEvent,
} from '@septet/contract'

// Sample data is fixed: what the server says of it is what the page must show.
import {
  sampleMonthsAnswer,
  samplePartitions,
  sampleRecommendations,
  sampleSummary,
  sampleTrend,
  sampleWaitsAnswer,
  sampleWorkloads,
} from '@septet/server/testing/sample'
import {
  at,
  liveMonths,
  livePartitions,
  liveRecommendations,
  liveSummary,
  liveTrend,
  liveWaits,
  liveWorkloads,
} from '@septet/web/testing'

/** A path's answer: a body, or a status with one, or "hang up". */
type Reply = { readonly status?: number; readonly body: unknown } | 'hang-up'
type Answers = Record<string, (query: URLSearchParams, told?: Told) => Reply>
/** What the page told the server to do; asking is none of it. */
type Told = { readonly method: string; readonly path: string; readonly body: unknown }

const clusters = [
  {
    id: 'demo',
    name: 'Demo cluster',
    kind: 'demo',
    state: 'connected',
    lastContact: at(4),
    asOf: at(4),
    serverVersion: 'v1.34.1',
    nodes: 40,
    gpus: 196,
    history: null,
    problems: [],
  },
  {
    id: 'sample',
    name: 'Sample data',
    kind: 'sample',
    state: 'not-live',
    lastContact: null,
    asOf: null,
    serverVersion: null,
    nodes: null,
    gpus: null,
    history: null,
    problems: [],
  },
]

const isSample = (query: URLSearchParams): boolean => query.get('cluster') === 'sample'
const either =
  (live: (range: string) => unknown, sample: () => unknown) =>
  (query: URLSearchParams): Reply => ({ body: isSample(query) ? sample() : live(query.get('range') ?? '24h') })

/** What a healthy server with the demo cluster and sample data would answer. */
const healthy = (): Answers => ({
  '/api/v1/clusters': () => ({ body: { clusters } }),
  '/api/v1/summary': either(liveSummary, sampleSummary),
  '/api/v1/utilization': either(liveTrend, sampleTrend),
  '/api/v1/partitions': either(livePartitions, () => samplePartitions()),
  '/api/v1/cost/months': either(liveMonths, sampleMonthsAnswer),
  '/api/v1/workloads': (query) => {
    const input = OPERATIONS.workloadsList.input.parse(Object.fromEntries(query))
    return { body: isSample(query) ? sampleWorkloads(input) : liveWorkloads(input.status) }
  },
  '/api/v1/waits': (query) => {
    const input = OPERATIONS.queueWaits.input.parse(Object.fromEntries(query))
    return { body: isSample(query) ? sampleWaitsAnswer(input) : liveWaits(input.workload) }
  },
  '/api/v1/recommendations': either(liveRecommendations, sampleRecommendations),
})

const SIGN_IN_INFO: SignInInfo = { mode: 'embedded', url: '', key: 'public', demo: true, needsSetupSecret: false }

export type FixtureServer = {
  readonly url: string
  /** Replaced by tests to change what is answered. */
  answers: Answers
  /** Paths asked since the start, with their query. */
  readonly asked: string[]
  /** What it was told to do since the start, first to last. */
  readonly told: Told[]
  readonly send: (event: ServerEvent) => void
  readonly close: () => Promise<void>
}

/** Serves a built page and the answers of a table, with an event stream, on a free loopback port. */
export async function openFixtureServer(dist: string): Promise<FixtureServer> {
  const streams = new Set<ServerResponse>()
  const asked: string[] = []
  const told: Told[] = []
  const reply = async (request: IncomingMessage, url: URL): Promise<Reply> => {
    const order = request.method === 'GET' ? undefined : await orderOf(request, url)
    if (order !== undefined) told.push(order)
    return fixture.answers[url.pathname]?.(url.searchParams, order) ?? { status: 404, body: {} }
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://fixture')
    if (url.pathname === EVENTS_PATH) return stream(response, streams)
    if (url.pathname === SIGN_IN_INFO_PATH) return sendReply({ body: SIGN_IN_INFO }, response)
    if (url.pathname === PAGE_PASS_PATH) return void response.writeHead(204).end()
    if (!url.pathname.startsWith('/api/')) return void sendFile(dist, url.pathname, response)
    asked.push(`${url.pathname}${url.search}`)
    return void reply(request, url).then((answer) => sendReply(answer, response))
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The fixture server has no port.')
  const fixture: FixtureServer = {
    url: `http://127.0.0.1:${address.port}`,
    answers: healthy(),
    asked,
    told,
    send: (event) => {
      for (const open of streams) open.write(`event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`)
    },
    close: () =>
      new Promise((closed) => {
        for (const open of streams) open.end()
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
  return fixture
}

async function orderOf(request: IncomingMessage, url: URL): Promise<Told> {
  const text = (await request.setEncoding('utf8').toArray()).join('')
  return {
    method: request.method ?? '',
    path: `${url.pathname}${url.search}`,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

function stream(response: ServerResponse, streams: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write('retry: 200\n\n')
  streams.add(response)
  response.on('close', () => streams.delete(response))
}

function sendReply(reply: Reply, response: ServerResponse): void {
  if (reply === 'hang-up') {
    response.destroy()
    return
  }
  const { status = 200, body } = reply
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

async function sendFile(dist: string, path: string, response: ServerResponse): Promise<void> {
  const name = extname(path) === '' ? '/app.html' : path
  try {
    const content = await readFile(join(dist, name))
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    // As the real server has it: a built file's name is of its content.
    const keeping = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    response.writeHead(200, { 'content-type': type, 'cache-control': keeping }).end(content)
  } catch {
    response.writeHead(404).end()
  }
}
