import { AsyncLocalStorage } from 'node:async_hooks'

import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { OPERATIONS, Refusal } from '@septet/contract'
import { recordOf, type Log } from '@septet/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'

import { inTime } from '../../in-time.ts'
import { OPERATION_KEYS, type Answer } from '../../operations/answering/answering.ts'
import type { Tracing } from './tracing.ts'
import { registryProducer } from './registry-producer.ts'

type Parts = {
  readonly registry: Registry
  readonly version: string
  readonly log: Log
  readonly intervalMs: number
}

const STOP_WITHIN_MS = 3000
/** Probes and scrapes come every few seconds and say nothing. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics'])

/** Sends spans and the series of `/metrics`, as the standard variables say. What a collector does not take is dropped. */
export function sendTelemetry({ registry, version, log, intervalMs }: Parts): Tracing {
  warnOnce(log)
  const resource = resourceFromAttributes({ 'service.name': 'septet', 'service.version': version }).merge(
    detectResources({ detectors: [envDetector] }),
  )
  const spans = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const metrics = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: intervalMs,
        exportTimeoutMillis: Math.min(intervalMs, 30_000),
        metricProducers: [registryProducer(registry)],
      }),
    ],
  })
  const tracer = spans.getTracer('septet', version)
  return {
    ...requestSpans(tracer),
    stage(cluster, stage, tookMs) {
      const ended = Date.now()
      const attributes = { 'septet.cluster': cluster, 'septet.stage': stage }
      tracer.startSpan(`pipeline ${stage}`, { startTime: ended - tookMs, attributes }, ROOT_CONTEXT).end(ended)
    },
    stop: async () => {
      const over = Promise.allSettled([spans.shutdown(), metrics.shutdown()])
      await inTime(STOP_WITHIN_MS, over)
      diag.disable()
    },
  }
}

/** A collector that is away costs one line of the log, and nothing else. */
function warnOnce(log: Log): void {
  let isSaid = false
  const say = (message: string, ...more: readonly unknown[]): void => {
    if (isSaid) return
    isSaid = true
    const error = [message, ...more.map(String)].join(' ').slice(0, 500)
    log.warn('traces or metrics could not be sent to the OpenTelemetry collector; Septet works without', { error })
  }
  const logger = { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}

const nothing = (): void => undefined

/** Spans of requests and, within them, of operations: names of routes and operations, and nothing that was asked or answered. */
function requestSpans(tracer: Tracer): Pick<Tracing, 'register' | 'traced'> {
  const current = new AsyncLocalStorage<Context>()
  const open = new WeakMap<FastifyRequest, Span>()
  return {
    register(server: FastifyInstance) {
      server.addHook('onRequest', (request, _reply, done) => {
        const route = request.routeOptions.url
        if (route !== undefined && UNTRACED.has(route)) return done()
        const span = tracer.startSpan(nameOf(request), serverSpan(request), parentOf(request))
        open.set(request, span)
        current.run(trace.setSpan(ROOT_CONTEXT, span), done)
      })
      server.addHook('onResponse', (request, reply, done) => {
        const span = open.get(request)
        if (span !== undefined) endServerSpan(span, reply)
        done()
      })
    },
    traced: (answers) =>
      recordOf(OPERATION_KEYS, (key) => tracedAnswer(OPERATIONS[key].name, answers[key], { tracer, current })),
  }
}

const nameOf = ({ method, routeOptions: { url } }: FastifyRequest): string =>
  url === undefined ? method : `${method} ${url}`

/** By the semantic conventions for HTTP; `url.path` and the query are left out, as they name workloads and people. */
const serverSpan = (request: FastifyRequest) => ({
  kind: SpanKind.SERVER,
  attributes: {
    'http.request.method': request.method,
    'url.scheme': request.protocol,
    'network.protocol.version': request.raw.httpVersion,
    ...(request.routeOptions.url === undefined ? {} : { 'http.route': request.routeOptions.url }),
  },
})

function endServerSpan(span: Span, { statusCode }: FastifyReply): void {
  span.setAttribute('http.response.status_code', statusCode)
  if (statusCode >= 500) span.setAttribute('error.type', String(statusCode)).setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/u

function parentOf({ headers: { traceparent } }: FastifyRequest): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(String(traceparent)) ?? []
  const isGiven = traceId !== undefined && spanId !== undefined && flags !== undefined
  if (!isGiven || /^0+$/u.test(traceId) || /^0+$/u.test(spanId)) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true })
}

type Within = { readonly tracer: Tracer; readonly current: AsyncLocalStorage<Context> }

function tracedAnswer(name: string, answer: Answer, { tracer, current }: Within): Answer {
  return async (input, caller, listening) => {
    const parent = current.getStore() ?? ROOT_CONTEXT
    const span = tracer.startSpan(`operation ${name}`, { attributes: { 'septet.operation': name } }, parent)
    try {
      return await current.run(trace.setSpan(parent, span), () => answer(input, caller, listening))
    } catch (error) {
      // A refusal is an answer; its words may name anything, so only its code is told.
      if (error instanceof Refusal) span.setAttribute('error.type', error.code)
      else span.setAttribute('error.type', 'internal').setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}
