import { instant, type Store } from '@septet/domain'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

import { openIssuerGate, type Auth, type Gate, type Logins } from '@septet/auth'
import { MCP_PATH } from '@septet/contract'
import { septetMcpServer } from '@septet/tools/mcp'
import type { AgentCalls } from '../agent-calls.ts'
import type { Config } from '../config.ts'
import type { Facts } from '../facts.ts'
import type { AccessService } from '../operations/access/access-service.ts'
import type { Answers } from '../operations/answers.ts'
import type { DrawPdf } from '../report/report-file.ts'
import { registerClusterAgents, type ClusterAgentNeeds } from './cluster-agents.ts'
import { registerApiPage } from './api-page.ts'
import { registerAuditExport } from './audit-export.ts'
import { registerCopilotStream } from './copilot-stream.ts'
import { compressLargeAnswers } from './compressed.ts'
import { registerSignInInfo } from './sign-in-info.ts'
import type { EventLog } from './event-log.ts'
import { registerEvents } from './events.ts'
import { registerHealth } from './health.ts'
import { registerKeepPage } from './keep-page.ts'
import { registerLogins } from './logins.ts'
import { registerMcp } from './mcp/mcp.ts'
import { serveMcp, type ServeMcp } from './mcp/serve-mcp.ts'
import { registerMetrics, type Metrics } from './metrics.ts'
import { registerPagePass } from './page-pass.ts'
import { registerReportFiles } from './report-files.ts'
import { answerError, MOST_BODY, registerRest } from './rest.ts'
import { securityHeaders } from './security-headers.ts'
import { ASKED_BY_ADDRESS, servedHosts } from './served-hosts.ts'
import { registerSite } from './site.ts'

export type Faces = {
  readonly answers: Answers
  readonly agentCalls: AgentCalls
  /** How requests to the MCP endpoint are answered; by Septet's own server when left out. */
  readonly serveMcp?: ServeMcp
  readonly facts: Facts
  readonly store: Store
  readonly events: EventLog
  readonly metrics: Metrics
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

/** The HTTP server with every face on it; listening is left to the caller. */
export async function openServer(faces: Faces): Promise<FastifyInstance> {
  const { gate, auth, config, facts } = faces
  const { trustedProxies, publicUrl, publicDemo } = config.auth
  const server = fastify({
    logger: false,
    bodyLimit: MOST_BODY,
    requestTimeout: REQUEST_MS,
    // Node swaps the two where headers have longer than the whole request, and looks for late ones every 30 s by default.
    http: { headersTimeout: REQUEST_MS, connectionsCheckingInterval: 5000 },
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => answerUnrouted(faces, { error, request, reply }),
    // Nobody's word about where a request comes from is taken but that of the proxies that were named.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
  })
  guardHosts(server, config)
  server.setErrorHandler((error, request, reply) =>
    answerError(error, { request, reply, onUnexpected: faces.onUnexpected }),
  )
  auth.register(server)
  registerSignInInfo(server, auth)
  const { logins, service, now } = faces
  registerLogins(server, { logins, service, context: auth.context, publicUrl, now })
  compressLargeAnswers(server)
  registerRest(server, faces.answers, gate)
  registerReportFiles(server, faces.answers, { gate, now: faces.now, drawPdf: faces.drawPdf })
  registerCopilotStream(server, faces)
  registerEvents(server, faces.events, gate)
  registerAuditExport(server, {
    gate,
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
  registerMetrics(server, faces.metrics, { facts, gate, store: faces.store })
  registerApiPage(server, { version: faces.version, dist: faces.dist })
  registerKeepLinks(server, faces)
  const seal = (text: string): string => auth.context.secrets.keyedHash('page-pass', text)
  const mayOpenPages = registerPagePass(server, { gate, auth, seal, publicUrl, now: faces.now })
  await registerSite(server, { dist: faces.dist, publicDemo, mayOpenPages })
  return server
}

/** The endpoint that agents ask. */
function registerAgents(server: FastifyInstance, faces: Faces): void {
  const { auth, config } = faces
  registerMcp(server, {
    answers: faces.answers,
    gate: faces.gate,
    settings: faces.store.settings,
    calls: faces.agentCalls,
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
function registerKeepLinks(server: FastifyInstance, { auth: { context }, store, events, now }: Faces): void {
  registerKeepPage(server, {
    actions: store.actions,
    seal: (text) => context.secrets.keyedHash('keep-link', text),
    now,
    publish: (event) => events.publish(event),
    record: ({ name, run, ip }) =>
      context.audit.record({
        actor: `link: ${name}`,
        action: 'actions.keep',
        object: run.id,
        outcome: 'done',
        ip,
        details: { object: run.object },
      }),
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
