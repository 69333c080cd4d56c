import { instant, type Store } from '@septet/domain'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { openIssuerGate, type Auth, type Gate, type Logins, type AuthConfig } from '@septet/auth'
import {
  MCP_PATH,
  OPERATIONS,
  REPORT_FILES,
  type ReportFile,
  REPORT_FILES_PATH,
  SIGN_IN_INFO_PATH,
  MAY_SIGN_UP_PATH,
  type ServerEvent,
  type SignInInfo,
  invalidInput,
  notFound,
  refuseLargeJson,
} from '@septet/contract'
import { septetMcpServer } from '@septet/tools/mcp'
import type { AgentCalls } from '../agent-calls.ts'
import type { Config } from '../config.ts'
import type { Facts } from '../facts.ts'
import type { AccessService } from '../operations/access/access-service.ts'
import type { Answers } from '../operations/answering/answering.ts'
import type { ThisServer } from '../operations/settings/status-lines.ts'
import type { OtherServers } from '../other-servers.ts'
import { type DrawPdf, needsLines, reportFile, type MadeFile } from '../report/report-file.ts'
import { isRecord } from '../is-record.ts'
import { registerClusterAgents, type ClusterAgentNeeds } from './cluster-agents.ts'
import { limitedCallers, type CallerOf } from './call-limits.ts'
import { registerApiPage } from './api-page.ts'
import { registerAuditExport } from './audit-export.ts'
import { registerCopilotStream } from './copilot-stream.ts'
import type { SentEventLog } from './event-log.ts'
import type { BundleParts } from './diagnostics/bundle-files.ts'
import { registerDiagnostics } from './diagnostics/diagnostics.ts'
import { registerEvents } from './events.ts'
import { registerHealth } from './health.ts'
import { registerKeepPage } from './keep-page.ts'
import { registerLogins } from './logins.ts'
import { registerMcp } from './mcp/mcp.ts'
import { serveMcp, type ServeMcp } from './mcp/serve-mcp.ts'
import { registerMetrics, type Metrics } from './metrics.ts'
import { registerPagePass } from './page-pass.ts'
import { answerError, MOST_BODY, registerRest } from './rest.ts'
import { ASKED_BY_ADDRESS, servedHosts } from './served-hosts.ts'
import { registerSite } from './site.ts'
import { inTurns } from './turns.ts'
import type { Tracing } from './telemetry/tracing.ts'
import { z } from 'zod'
import { openPdfTurns } from '../report/pdf-turns.ts'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

/** What a page asks before anyone is signed in: how to sign in, and whether an address may sign up. */
function registerSignInInfo(server: FastifyInstance, auth: Pick<Auth, 'signInInfo' | 'maySignUp' | 'context'>): void {
  server.get(SIGN_IN_INFO_PATH, async (request, reply) => {
    const signInInfo = await auth.signInInfo()
    // By whichever of its names the page was opened: to ask another would be a request to another origin.
    const url = signInInfo.mode === 'embedded' ? `${request.protocol}://${request.host}` : signInInfo.url
    return reply.header('cache-control', 'no-store').send({ ...signInInfo, url } satisfies SignInInfo)
  })
  server.post(MAY_SIGN_UP_PATH, async (request, reply) => {
    // Counted before it is read, so that nobody finds out who is expected here by trying.
    await auth.context.limits.spend('may-sign-up', request.ip)
    const asked = AskedSchema.safeParse(request.body)
    if (!asked.success) {
      throw invalidInput('The body must hold an e-mail address.', 'Send {"email": "you@example.com"}.')
    }
    return reply.header('cache-control', 'no-store').send({ allowed: await auth.maySignUp(asked.data.email) })
  })
}

const AskedSchema = z.object({ email: z.string().max(320) })

const Path = z.object({ file: z.enum(REPORT_FILES) })

/** `GET /api/v1/report/files/:file`: the report, as whoever asks is answered it, as a file to keep; a PDF in turn. */
function registerReportFiles(
  server: FastifyInstance,
  answers: Pick<Answers, 'reportGet'>,
  { callerOf, now, drawPdf }: { readonly callerOf: CallerOf; readonly now: () => number; readonly drawPdf: DrawPdf },
): void {
  const inTurn = openPdfTurns(now)
  server.get(`${REPORT_FILES_PATH}/:file`, async (request, reply) => {
    const caller = await callerOf(request, reply)
    const wanted = Path.safeParse(request.params)
    if (!wanted.success) {
      throw notFound('Reports are not available in this format.', `Use one of: ${REPORT_FILES.join(', ')}.`)
    }
    const { file } = wanted.data
    const make = async (): Promise<MadeFile> =>
      reportFile(
        file,
        OPERATIONS.reportGet.output.parse(await answers.reportGet(asked(file, request.query), caller)),
        drawPdf,
      )
    const { name, type, content } = await (file === 'pdf' ? inTurn(caller, make) : make())
    return reply
      .type(type)
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(content)
  })
}

const asked = (file: ReportFile, query: unknown): object => ({
  ...(isRecord(query) ? query : {}),
  ...(needsLines(file) && { lines: 'hour' }),
})

export type Faces = {
  readonly answers: Answers
  readonly agentCalls: AgentCalls
  /** How requests to the MCP endpoint are answered; by Septet's own server when left out. */
  readonly serveMcp?: ServeMcp
  readonly facts: Facts
  readonly store: Store
  readonly events: SentEventLog
  /** Tells the clients of every server on this database. */
  readonly publish: (event: ServerEvent) => void
  readonly others: OtherServers
  readonly metrics: Metrics
  readonly thisServer: ThisServer
  /** Undefined: no collector is told of anything. */
  readonly tracing?: Tracing | undefined
  readonly log: BundleParts['log']
  readonly settings: BundleParts['settings']
  readonly secrets: BundleParts['secrets']
  readonly gate: Gate
  readonly auth: Auth
  readonly logins: Logins
  readonly service: AccessService
  readonly drawPdf: DrawPdf
  readonly agentKey: ClusterAgentNeeds['agentKey']
  readonly config: Pick<Config, 'host' | 'auth' | 'pace'>
  readonly now: () => number
  readonly version: string
  /** Folder of the built web app. */
  readonly dist: string
  readonly onUnexpected: (error: unknown, url: string) => void
}

/** How long a request may take to arrive, milliseconds: a few bytes at a time hold a connection no longer than this. */
const REQUEST_MS = 30_000
const TIMES = {
  requestTimeout: REQUEST_MS,
  // Node swaps the two where headers have longer than the whole request, and looks for late ones every 30 s by default.
  headersTimeout: REQUEST_MS,
  connectionsCheckingInterval: 5000,
  // Longer than proxies keep theirs, which else send into one that is being closed.
  keepAliveTimeout: 72_000,
}

/** The HTTP server with every face on it; listening is left to the caller. */
export async function openServer(given: Faces): Promise<FastifyInstance> {
  const faces = { ...given, answers: given.tracing?.traced(given.answers) ?? given.answers }
  const { gate, auth, config, facts } = faces
  const { trustedProxies, publicUrl, publicDemo } = config.auth
  const server = fastify({
    logger: false,
    bodyLimit: MOST_BODY,
    serverFactory: (begin) => createServer(TIMES, inTurns(begin)),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => answerUnrouted(faces, { error, request, reply }),
    // Nobody's word about where a request comes from is taken but that of the proxies that were named.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
  })
  faces.tracing?.register(server)
  guardHosts(server, config)
  boundJson(server)
  server.setErrorHandler((error, request, reply) =>
    answerError(error, { request, reply, onUnexpected: faces.onUnexpected }),
  )
  auth.register(server)
  registerSignInInfo(server, auth)
  const { logins, service, now } = faces
  registerLogins(server, { logins, service, context: auth.context, publicUrl, now })
  compressLargeAnswers(server)
  const callerOf = limitedCallers(gate, config.auth.limits)
  registerRest(server, faces.answers, callerOf)
  registerReportFiles(server, faces.answers, { callerOf, now: faces.now, drawPdf: faces.drawPdf })
  registerCopilotStream(server, faces)
  registerEvents(server, faces.events, gate)
  registerAuditExport(server, {
    callerOf,
    store: auth.context.access.audit,
    audit: auth.context.audit,
    onUnexpected: faces.onUnexpected,
  })
  registerAgents(server, faces)
  registerClusterAgents(server, {
    agents: faces.store.agents,
    agentKey: faces.agentKey,
    pollSeconds: config.pace.pollSeconds,
    now: faces.now,
  })
  registerHealth(server, { facts, store: faces.store, gate })
  registerMetrics(server, faces.metrics, { ...faces, callerOf })
  registerDiagnostics(server, {
    ...faces,
    callerOf,
    audit: auth.context.audit,
    metrics: () => faces.metrics.registry.metrics(),
  })
  registerApiPage(server, { version: faces.version, dist: faces.dist })
  registerKeepLinks(server, faces)
  const seal = (text: string): string => auth.context.secrets.keyedHash('page-pass', text)
  const mayOpenPages = registerPagePass(server, { gate, auth, seal, publicUrl, now: faces.now })
  await registerSite(server, { dist: faces.dist, publicUrl, publicDemo, mayOpenPages })
  return server
}

/** The endpoint that agents ask. */
function registerAgents(server: FastifyInstance, faces: Faces): void {
  const { auth, config } = faces
  registerMcp(server, {
    answers: faces.answers,
    gate: faces.gate,
    settings: faces.store.settings,
    notes: faces.store.notes,
    calls: faces.agentCalls,
    others: faces.others,
    limits: config.auth.limits,
    serve:
      faces.serveMcp ??
      serveMcp({
        serverFor: septetMcpServer,
        changes: faces.agentCalls.changes,
        onError: (error) => faces.onUnexpected(error, MCP_PATH),
      }),
    key: auth.context.secrets.key('mcp-questions'),
    issuer:
      config.auth.mcpIssuer &&
      openIssuerGate({
        issuer: config.auth.mcpIssuer,
        access: auth.context.access,
        config: config.auth,
        now: () => instant(faces.now()),
      }),
    publicUrl: config.auth.publicUrl,
    isServed: servedHosts(config.host, config.auth.publicUrl),
    version: faces.version,
    now: faces.now,
  })
}

/** Where a warned owner says that work is to stay. */
function registerKeepLinks(server: FastifyInstance, { auth: { context }, store, publish, now }: Faces): void {
  registerKeepPage(server, {
    actions: store.actions,
    seal: (text) => context.secrets.keyedHash('keep-link', text),
    now,
    publish,
    record: ({ name, run, ip }) =>
      context.audit.record({
        actor: `link: ${name}`,
        action: 'actions.keep',
        object: run.id,
        ip,
        details: { object: run.object },
      }),
  })
}

/** A body of JSON is looked through before anything is made of it. */
function boundJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, parsed) => {
    const text = String(body)
    refuseLargeJson(text)
    // oxlint-disable-next-line typescript/no-unsafe-argument -- handed on as it comes
    return parse(request, text, parsed)
  })
}

type Unrouted = { readonly error: unknown; readonly request: FastifyRequest; readonly reply: FastifyReply }

/** What the router refuses before any hook or handler is asked: an address that cannot be read, or an endless part of one. */
function answerUnrouted({ auth, config, onUnexpected }: Faces, { error, request, reply }: Unrouted): void {
  void reply.headers(securityHeaders(config.auth))
  if (auth.answerUnrouted({ error, request, reply })) return
  answerError(error, { request, reply, onUnexpected })
}

/** Puts the headers on every answer, and refuses requests that name a host which is not ours. */
function guardHosts(server: FastifyInstance, config: Faces['config']): void {
  const headers = securityHeaders(config.auth)
  const isServed = servedHosts(config.host, config.auth.publicUrl)
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers)
    const path = request.url.split('?')[0] ?? ''
    const served = isServed(request.host) || ASKED_BY_ADDRESS.has(path)
    done(served ? undefined : foreignHost(config.auth.publicUrl))
  })
}

function foreignHost(publicUrl: string | undefined): Error & { statusCode: number } {
  const ours = publicUrl === undefined ? '127.0.0.1 or localhost' : publicUrl
  return Object.assign(new Error(`This host name is not served here; use ${ours}.`), { statusCode: 403 })
}

/**
 * Headers of every answer. Scripts run only from our own files, none inline. Styles may be inline: charts and slice
 * bars set widths. A hosted project that holds the accounts is the only other origin that a page may ask.
 */
function securityHeaders({
  mode,
  publicUrl,
}: Pick<AuthConfig, 'mode' | 'publicUrl'>): Readonly<Record<string, string>> {
  const elsewhere = mode.kind === 'hosted' ? ` ${new URL(mode.url).origin}` : ''
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${elsewhere}`,
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'self'",
    "form-action 'self'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    // Two years: as long as browsers ask for. Subdomains are left to anyone who owns the domain.
    ...(publicUrl?.startsWith('https:') === true ? { 'strict-transport-security': 'max-age=63072000' } : {}),
  }
}

const compress = promisify(gzip)

/** Under this a network packet or two carry the answer either way, bytes. */
const WORTH_IT = 32 * 1024

/**
 * Compresses large answers of the API, and pages that stand in no file, for who takes them compressed: a fleet of ten
 * thousand GPUs is a megabyte and a half of text. None of these answers holds a secret beside what a caller wrote, so
 * their length gives nothing away.
 */
export function compressLargeAnswers(server: FastifyInstance): void {
  server.addHook<string | Buffer>('onSend', async (request, reply, payload) => {
    const isLarge = typeof payload === 'string' && payload.length >= WORTH_IT
    const isText = request.url.startsWith('/api/') || String(reply.getHeader('content-type')).startsWith('text/html')
    if (!isLarge || !isText || reply.hasHeader('content-encoding')) return payload
    void reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/u.test(request.headers['accept-encoding'] ?? '')) return payload
    const compressed = await compress(payload, { level: constants.Z_BEST_SPEED })
    void reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return compressed
  })
}
