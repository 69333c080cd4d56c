import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

import type { Log } from '@septet/domain'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'

import { openMetrics } from '../metrics.ts'
import { openTestSeptet, type TestSeptet } from '../open-test-septet.fixture.ts'
import { openTracing } from './open-tracing.ts'
import type { Tracing } from './tracing.ts'

const Attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.union([z.string(), z.number()]).optional() }),
})
const SpanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(Attribute),
})
const TracesSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(SpanSchema) })),
    }),
  ),
})

/** A collector that takes OTLP as JSON over HTTP, or refuses or ignores it. */
function openCollector(answers: 'all' | 'nothing' | 'errors' = 'all') {
  const received: { path: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const whole = Buffer.concat(parts)
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole
      received.push({ path: request.url ?? '', headers: request.headers, body: body.toString('utf8') })
      if (answers !== 'nothing') response.writeHead(answers === 'all' ? 200 : 400).end('{}')
    })
  })
  return {
    received,
    listen: () =>
      new Promise<string>((resolve) => {
        server.listen(0, '127.0.0.1', () =>
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
          resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
        )
      }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const spansIn = (bodies: readonly string[]) =>
  bodies.flatMap((body) =>
    TracesSchema.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  )

let warnings: string[] = []
const log: Log = { info: () => undefined, warn: (message) => warnings.push(message), error: () => undefined }
let collector: ReturnType<typeof openCollector>
let septet: TestSeptet | undefined
let tracing: Tracing | undefined

async function open(answers?: 'all' | 'nothing' | 'errors'): Promise<TestSeptet> {
  collector = openCollector(answers)
  const url = await collector.listen()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-team=gpu')
  vi.stubEnv('OTEL_SERVICE_NAME', 'septet-test')
  const metrics = openMetrics()
  const environment = { ...process.env, OTEL_METRIC_EXPORT_INTERVAL: '200' }
  tracing = await openTracing({ environment, registry: metrics.registry, version: '1.2.3', log })
  septet = await openTestSeptet({ itself: { tracing, metrics } })
  return septet
}

beforeEach(() => (warnings = []))
afterEach(async () => {
  await septet?.close()
  await tracing?.stop()
  collector.close()
  vi.unstubAllEnvs()
})

describe('with a collector', () => {
  test('requests and the operations within them arrive as spans that go on with the trace of the caller', async () => {
    const { url } = await open()
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const answer = await fetch(`${url}/api/v1/workload?id=secret-team/Job/secret-job`, { headers: { traceparent } })
    await fetch(`${url}/healthz`)
    tracing?.stage('prod', 'collect', 250)
    await tracing?.stop()
    const traces = collector.received.filter(({ path }) => path === '/v1/traces')
    expect(traces[0]?.headers).toMatchObject({ 'x-team': 'gpu' })
    const bodies = traces.map(({ body }) => body)
    expect(bodies.join('')).toContain('septet-test')
    expect(bodies.join('')).not.toMatch(/secret-(?:team|job)/u)

    const spans = spansIn(bodies)
    const request = spans.find(({ name }) => name === 'GET /api/v1/workload')
    expect(request).toMatchObject({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      parentSpanId: '00f067aa0ba902b7',
      kind: 2,
      attributes: expect.arrayContaining([
        { key: 'http.request.method', value: { stringValue: 'GET' } },
        { key: 'http.route', value: { stringValue: '/api/v1/workload' } },
        { key: 'http.response.status_code', value: { intValue: answer.status } },
      ]),
    })
    const operation = spans.find(({ name }) => name === 'operation workloads.get')
    expect(operation).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId })
    expect(spans.map(({ name }) => name)).toContain('pipeline collect')
    expect(spans.map(({ name }) => name)).not.toContain('GET /healthz')
  })

  test('the series of /metrics arrive as metrics, with the same numbers', async () => {
    const opened = await open()
    const { url } = opened
    const headers = await opened.signIn('admin@septet.local')
    await fetch(`${url}/api/v1/about`)
    while (!collector.received.some(({ path, body }) => path === '/v1/metrics' && body.includes('http_request')))
      await delay(50)
    const sent = collector.received.filter(({ path }) => path === '/v1/metrics').at(-1)?.body ?? ''
    const text = await (await fetch(`${url}/metrics`, { headers })).text()
    const names = [...text.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram)$/gmu)].map(([, name = '']) => name)
    const withSeries = names.filter((name) => new RegExp(`^${name}(?:_bucket)?[{ ]`, 'mu').test(text))
    expect(withSeries.length).toBeGreaterThan(20)
    expect(withSeries.filter((name) => !sent.includes(`"${name}"`))).toEqual([])
    expect(sent).toMatch(/"name":"septet_cluster_connected".*?"asDouble":1/u)
  })

  test.each(['nothing', 'errors'] as const)(
    'one that answers with %s costs one warning and no answer',
    async (answers) => {
      const { url } = await open(answers)
      for (let turn = 0; turn < 5; turn += 1) expect((await fetch(`${url}/api/v1/about`)).status).toBe(200)
      await tracing?.stop()
      expect(warnings.length).toBeLessThanOrEqual(1)
    },
  )
})

test('without one nothing of it is loaded', async () => {
  vi.doMock('./send-telemetry.ts', () => {
    throw new Error('It was loaded.')
  })
  const { registry } = openMetrics()
  const parts = { registry, version: '1.2.3', log }
  expect(await openTracing({ ...parts, environment: {} })).toBeUndefined()
  const named = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  expect(await openTracing({ ...parts, environment: { ...named, OTEL_SDK_DISABLED: 'true' } })).toBeUndefined()
  await expect(openTracing({ ...parts, environment: named })).rejects.toThrow('mocking a module')
  vi.doUnmock('./send-telemetry.ts')
})
