import type { Store } from '@septet/domain'
import fastify, { type FastifyInstance } from 'fastify'

import type { Facts } from '../facts.ts'
import type { Answers } from '../operations/answers.ts'
import { registerApiPage } from './api-page.ts'
import type { EventLog } from './event-log.ts'
import { registerEvents } from './events.ts'
import { registerHealth } from './health.ts'
import { registerMetrics, type Metrics } from './metrics.ts'
import { answerError, registerRest } from './rest.ts'
import { securityHeaders } from './security-headers.ts'
import { registerSite } from './site.ts'

export type Faces = {
  readonly answers: Answers
  readonly facts: Facts
  readonly store: Store
  readonly events: EventLog
  readonly metrics: Metrics
  readonly version: string
  /** Folder of the built web app. */
  readonly dist: string
  readonly onUnexpected: (error: unknown, url: string) => void
}

/** The HTTP server with every face on it; listening is left to the caller. */
export async function openServer(faces: Faces): Promise<FastifyInstance> {
  const server = fastify({
    logger: false,
    bodyLimit: 256 * 1024,
    requestTimeout: 30_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 256 },
  })
  const headers = securityHeaders(faces.dist)
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers)
    done(isForeignHost(request.headers.host) ? foreignHost() : undefined)
  })
  server.setErrorHandler((error, request, reply) =>
    answerError(error, { request, reply, onUnexpected: faces.onUnexpected }),
  )
  registerRest(server, faces.answers)
  registerEvents(server, faces.events)
  registerHealth(server, faces.facts, faces.store)
  registerMetrics(server, faces.metrics, faces.facts)
  registerApiPage(server, faces.version)
  await registerSite(server, faces.dist)
  return server
}

/** A page elsewhere that had its name resolved to loopback must not read answers (DNS rebinding). */
const isForeignHost = (host: string | undefined): boolean =>
  host !== undefined && !/^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/u.test(host)

function foreignHost(): Error & { statusCode: number } {
  return Object.assign(new Error('This host name is not served here; use 127.0.0.1 or localhost.'), { statusCode: 403 })
}
