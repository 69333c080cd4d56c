import { setTimeout as sleep } from 'node:timers/promises'
import { areLabelMatchers, LABEL_MATCHERS_WORDS, type PrometheusSource, type Window } from '@septet/domain'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { boundedGet, type BoundedGet, plain, type Tls } from '../http/bounded-get.ts'
import { signAws } from '../http/sign-aws.ts'
import { type QueryAnswer, type QuerySeries, readEnvelope, readSeries, readTexts } from './prometheus-answer.ts'
import { judgeAnswer } from './prometheus-failure.ts'
import { openQueryGate, type QueryGate } from './query-gate.ts'
import { parser } from '@prometheus-io/lezer-promql'

export type PrometheusOptions = Omit<PrometheusSource, 'tls'> & {
  readonly tls?: Tls
  /** For one query, milliseconds. */
  readonly timeoutMs?: number
  /** More of one answer is not read, bytes. */
  readonly maximumBytes?: number
  /** Points per series that the engine answers at most; Prometheus has 11,000 built in. */
  readonly maximumPoints?: number
  /** Samples that the engine loads at most for one query (`--query.max-samples`, 50 million by default). */
  readonly maximumSamples?: number
  /** The past of a larger cluster is read GPU index by GPU index. */
  readonly devicesAtOnce?: number
  /** Waits before the second, third, … attempt, milliseconds. */
  readonly retryAfterMs?: readonly number[]
  readonly clock?: () => number
  readonly get?: BoundedGet
  /** Runs every query, so that it is known how they go. */
  readonly watch?: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>
}

/** Queries against any Prometheus-compatible API. Every method rejects with a `TelemetryError`. */
export type PrometheusClient = {
  /** Base address as it may be shown. */
  readonly name: string
  instant(query: string, options?: CallOptions & { readonly at?: number }): Promise<QuerySeries[]>
  range(query: RangeQuery, options?: CallOptions): Promise<QuerySeries[]>
  /** Metric names that have samples in the window. */
  metricNames(window: Window, options?: CallOptions): Promise<string[]>
}

type CallOptions = {
  readonly signal?: AbortSignal
  /** Whether it is part of something whose first query was let in. */
  readonly continues?: boolean
}

/** Evaluated at `from`, `from + step`, … up to and including `to`; milliseconds. */
type RangeQuery = {
  readonly query: string
  readonly from: number
  readonly to: number
  readonly stepMs: number
}

/**
 * Two clients of one engine under the same limits: one that is refused where a minute's queries are used up, and one that
 * waits, for what is not urgent. Throws a `TelemetryError` for label matchers that cannot be read.
 */
export function openPrometheusClients(options: PrometheusOptions): {
  readonly prompt: PrometheusClient
  readonly patient: PrometheusClient
} {
  const gate = openQueryGate(plain(options.url.replace(/\/+$/, '')), options.limits ?? {}, {
    clock: options.clock ?? Date.now,
  })
  return { prompt: clientOf(options, { gate, when: 'refused' }), patient: clientOf(options, { gate, when: 'waits' }) }
}

type Turn = { readonly gate: QueryGate; readonly when: 'refused' | 'waits' }

function clientOf(options: PrometheusOptions, { gate, when }: Turn): PrometheusClient {
  const given = { ...DEFAULTS, ...options }
  const base = given.url.replace(/\/+$/, '')
  const name = plain(base)
  const headers = requestHeaders(options)
  const { get, timeoutMs, maximumBytes, tls, matchers, aws, clock, watch } = given
  if (matchers !== undefined && !areLabelMatchers(matchers)) throw unreadMatchers(name, matchers)

  const once = async (path: string, call: CallOptions): Promise<QueryAnswer> => {
    const { signal } = call
    const limits = { timeoutMs, maximumBytes, ...(tls === undefined ? {} : { tls }) }
    const url = `${base}${path}`
    const signed = aws === undefined ? { url, headers: {} } : signAws(url, { ...aws, service: 'aps' }, clock())
    const asked = { ...limits, url: signed.url, headers: { ...headers, ...signed.headers } }
    const answer = await gate(() => get({ ...asked, ...(signal === undefined ? {} : { signal }) }), {
      when: call.continues === true ? 'goes on' : when,
      signal,
    })
    return judgeAnswer(name, answer, readEnvelope(answer.body))
  }
  const ask = async (path: string, call: CallOptions = {}): Promise<unknown> => {
    for (const wait of given.retryAfterMs) {
      try {
        return dataOf(name, await once(path, call))
      } catch (error) {
        if (!isPassing(error)) throw error
        await sleep(wait, undefined, call.signal === undefined ? {} : { signal: call.signal }).catch(() => undefined)
      }
    }
    return dataOf(name, await once(path, call))
  }
  const series = async (path: string, call?: CallOptions): Promise<QuerySeries[]> =>
    readSeries(await watch(() => ask(path, call))) ?? notUnderstood(name)

  return {
    name,
    instant: (query, call) =>
      series(
        `/api/v1/query?${parameters({ query: limitQuery(query, matchers), time: call?.at === undefined ? undefined : call.at / 1000 })}`,
        call,
      ),
    range: async ({ query: asked, from, to, stepMs }, call) => {
      const query = limitQuery(asked, matchers)
      const found: QuerySeries[][] = []
      for (const part of splitRange({ from, to, stepMs }, given.maximumPoints)) {
        const times = { start: part.from / 1000, end: part.to / 1000, step: stepMs / 1000 }
        found.push(await series(`/api/v1/query_range?${parameters({ query, ...times })}`, call))
      }
      return found.length === 1 ? (found[0] ?? []) : joinParts(found)
    },
    metricNames: async (window, call) => {
      const only = matchers === undefined ? {} : { 'match[]': `{${matchers}}` }
      const times = { start: window.from / 1000, end: window.to / 1000, ...only }
      const path = `/api/v1/label/__name__/values?${parameters(times)}`
      return readTexts(await watch(() => ask(path, call))) ?? notUnderstood(name)
    },
  }
}

const unreadMatchers = (name: string, matchers: string): TelemetryError =>
  new TelemetryError('rejected', `${matchers} cannot be read, so ${name} was not asked. Write ${LABEL_MATCHERS_WORDS}.`)

const DEFAULTS = {
  timeoutMs: 30_000,
  maximumBytes: 96 * 1024 * 1024,
  maximumPoints: 11_000,
  retryAfterMs: [500, 2000],
  get: boundedGet,
  clock: Date.now,
  watch: <Answer>(ask: () => Promise<Answer>): Promise<Answer> => ask(),
}

/** Overload and restarts pass; a wrong query, address or token does not. */
const isPassing = (error: unknown): boolean =>
  error instanceof TelemetryError && (error.code === 'server-error' || error.code === 'unreachable')

function requestHeaders({ headers, bearerToken, basic, tenant }: PrometheusOptions): Record<string, string> {
  const credentials =
    basic === undefined ? undefined : Buffer.from(`${basic.username}:${basic.password}`).toString('base64')
  return {
    accept: 'application/json',
    ...(credentials === undefined ? {} : { authorization: `Basic ${credentials}` }),
    ...(bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` }),
    ...(tenant === undefined ? {} : { 'x-scope-orgid': tenant }),
    ...headers,
  }
}

function parameters(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams()
  for (const [key, value] of Object.entries(values)) if (value !== undefined) given.set(key, String(value))
  return given.toString()
}

function dataOf(name: string, answer: QueryAnswer): unknown {
  return answer.kind === 'success' ? answer.data : notUnderstood(name)
}

function notUnderstood(name: string): never {
  throw new TelemetryError(
    'not-understood',
    `${name} does not respond like Prometheus. Check the address, with its path prefix if it has one.`,
  )
}

/** Puts the pieces of a split range together again, series by series. */
function joinParts(parts: readonly QuerySeries[][]): QuerySeries[] {
  const joined = new Map<
    string,
    { metric: string; labels: QuerySeries['labels']; samples: QuerySeries['samples'][number][] }
  >()
  for (const one of parts.flat()) {
    const key = JSON.stringify(one.labels)
    const known = joined.get(key)
    if (known === undefined) joined.set(key, { ...one, samples: [...one.samples] })
    else for (const sample of one.samples) known.samples.push(sample)
  }
  return [...joined.values()]
}

type Range = { readonly from: number; readonly to: number; readonly stepMs: number }

/** Cuts a range into pieces of at most so many points, on its own grid: no point is asked for twice or left out. */
export function splitRange({ from, to, stepMs }: Range, maximumPoints: number): Range[] {
  const pieces: Range[] = []
  const length = stepMs * (maximumPoints - 1)
  for (let start = from; start <= to; start += length + stepMs) {
    pieces.push({ from: start, to: Math.min(to, start + length), stepMs })
  }
  return pieces
}

/**
 * A query that sees only series with these labels: `matchers` is what stands between the braces of a selector, like
 * `cluster="prod"`, and is put into every selector of the query. Several clusters in one engine then never mix. Throws an
 * `Error` for a query that is none, because it would be asked without its limit.
 */
export function limitQuery(query: string, matchers: string | undefined): string {
  if (matchers === undefined) return query
  const selectors: Braces[] = []
  parser.parse(query).iterate({
    enter: ({ type, name, node }) => {
      if (type.isError) throw new Error(`This is no PromQL, so it cannot be limited to {${matchers}}: ${query}`)
      if (name !== 'VectorSelector') return
      const braces = node.getChild('LabelMatchers')
      selectors.push({ at: braces?.from ?? node.to, has: braces !== null, isEmpty: braces?.firstChild === null })
    },
  })
  let limited = query
  for (const { at, has, isEmpty } of selectors.toReversed()) {
    const words = has ? `{${matchers}${isEmpty ? '' : ','}` : `{${matchers}}`
    limited = limited.slice(0, at) + words + limited.slice(has ? at + 1 : at)
  }
  return limited
}

/** Where the matchers of a selector begin: at its brace, or after its name where it has none. */
type Braces = { readonly at: number; readonly has: boolean; readonly isEmpty: boolean }
