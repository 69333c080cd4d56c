import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'

import { openClusterReader, openExporterReader, openPrometheus } from '@septet/connectors'
import { ScriptedApiServer, writeKubeconfig, type Raw } from '@septet/connectors/testing/api-server'
import {
  analyzeCluster,
  DEFAULT_POLICY,
  instant,
  seconds,
  shippedPrices,
  type ClusterAnalysis,
  type ClusterSnapshot,
  type Instant,
  type Problem,
  type TelemetryReader,
  type UsageRow,
  type UsageStore,
  type Window,
} from '@septet/domain'
import { analysisTotals } from '@septet/domain/testing'
import { Collector } from '@septet/server/testing/collect'
import { RecentUsage } from '@septet/server/testing/recent-usage'
import { parseAllDocuments } from 'yaml'

/** One case as Septet reads it: through its readers, collector and usage, by the clock of the case. */
export type OpenCase = {
  /** One reading of API and exporters, at that moment. */
  readonly read: (at: Instant) => Promise<void>
  /** Writes usage as the pipeline does, so that idle stretches are marked. */
  readonly flush: (at: Instant) => Promise<void>
  readonly snapshot: () => ClusterSnapshot
  readonly problems: () => readonly Problem[]
  /** Partitions that are idle now. */
  readonly idle: () => ReadonlySet<string>
  readonly samples: Collector['samples']
  readonly rows: () => readonly UsageRow[]
  readonly analysis: (window: Window) => ClusterAnalysis
  readonly close: () => Promise<void>
}

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
/** How far readings are apart. */
export const READING = seconds(60)

/** What somebody means to submit, which is not there yet. */
export const isAsked = (file: string): boolean => file.startsWith('ask-')

/** Serves the objects of a folder by a small API, its texts by small exporters or its series by a small engine, and reads them. */
export async function openCase(folder: URL): Promise<OpenCase> {
  let now = instant(0)
  const clock = (): Instant => now
  const files = readdirSync(folder)
  const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8')
  const api = await serveObjects(
    files.filter((file) => file.endsWith('.yaml') && !isAsked(file)).flatMap((file) => objectsIn(textOf(file))),
    files.includes('version.txt') ? textOf('version.txt').trim() : undefined,
  )
  const metrics = await serveMetrics(files, textOf, clock)
  const kubeconfig = writeKubeconfig(api.url)
  const rows = new Map<string, UsageRow>()
  const recent = new RecentUsage({ cluster: 'case', store: keeping(rows), policy: DEFAULT_POLICY })
  const collector = new Collector({
    record: { id: 'case', name: 'case', kind: 'cluster', createdAt: instant(0) },
    reader: openClusterReader({ kubeconfig, log, clock, random: () => 0.5 }),
    telemetry: metrics.reader,
    inference: undefined,
    feed: undefined,
    pace: { pollSeconds: READING, storeSeconds: 30, recommendSeconds: 30, historyDays: 0 },
    publish: () => undefined,
    observe: () => undefined,
    recent,
    log,
    clock,
  })
  await collector.connect(() => Promise.resolve())
  const snapshot = (): ClusterSnapshot => {
    const read = collector.snapshot()
    if (read === undefined) throw new Error('nothing was read yet')
    return read
  }
  return {
    read: async (at) => {
      now = at
      await collector.collect()
    },
    flush: async (at) => void (await recent.flush(at)),
    snapshot,
    problems: () => collector.problems(),
    idle: () => recent.idle(),
    samples: collector.samples,
    rows: () => [...rows.values()],
    analysis: (window) =>
      analyzeCluster({
        snapshot: snapshot(),
        totals: analysisTotals([...rows.values()].filter(({ at }) => at >= window.from && at < window.to)),
        prices: shippedPrices,
        window,
        samples: collector.judged(),
      }),
    close: async () => {
      await collector.close()
      await api.stop()
      for (const server of metrics.servers) server.close()
      kubeconfig.remove()
    },
  }
}

type Metrics = { readonly reader: TelemetryReader; readonly servers: readonly Server[] }

/** Exporters where the folder has texts of any, else the engine that holds its series. */
async function serveMetrics(
  files: readonly string[],
  textOf: (file: string) => string,
  clock: () => Instant,
): Promise<Metrics> {
  const texts = files.filter((file) => file.endsWith('.prom'))
  const series = texts.length > 0 ? undefined : files.find((file) => file.endsWith('.series'))
  if (series !== undefined) {
    const engine = await serveSeries(textOf(series), clock)
    return { reader: openPrometheus({ url: addressOf(engine), clock }), servers: [engine] }
  }
  const servers = await Promise.all(texts.map((file) => serve(() => textOf(file))))
  const targets = servers.map((server) => ({ url: `${addressOf(server)}/metrics` }))
  return { reader: openExporterReader({ targets, clock }), servers }
}

async function serve(answer: (url: URL) => string): Promise<Server> {
  const server = createServer((request, response) =>
    response.end(answer(new URL(request.url ?? '/', 'http://127.0.0.1'))),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** What a metrics engine answers that holds these series: those whose name the query asks for, as of now. */
function serveSeries(text: string, clock: () => Instant): Promise<Server> {
  const series = text
    .split('\n')
    .filter((line) => line.includes('{'))
    .map((line) => {
      const labels = [...line.matchAll(/(\w+)="([^"]*)"/gu)].map(([, name, value]) => [name, value])
      const name = line.slice(0, line.indexOf('{'))
      return { name, labels: Object.fromEntries(labels), value: line.slice(line.lastIndexOf(' ') + 1) }
    })
  return serve((url) => {
    const query = url.searchParams.get('query') ?? ''
    const names = /^\w+$/u.test(query) ? [query] : (/__name__=~"([^"]*)"/u.exec(query)?.[1] ?? '').split('|')
    const result = series
      .filter(({ name }) => names.includes(name))
      .map(({ name, labels, value }) => ({ metric: { __name__: name, ...labels }, value: [clock() / 1000, value] }))
    return JSON.stringify({ status: 'success', data: { resultType: 'vector', result } })
  })
}

function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port')
  return `http://127.0.0.1:${address.port}`
}

const objectsIn = (text: string): readonly Raw[] =>
  parseAllDocuments(text).flatMap((document) => {
    const object: Raw | null = document.toJS()
    return object === null ? [] : [object]
  })

/** Every kind of the objects is served under the group version that they name, beside what every cluster has. */
async function serveObjects(objects: readonly Raw[], version: string | undefined): Promise<ScriptedApiServer> {
  const api = new ScriptedApiServer()
  api.gitVersion = version ?? api.gitVersion
  const groups = Map.groupBy(objects, ({ apiVersion }) => (apiVersion === 'v1' ? '' : String(apiVersion)))
  for (const [group, own] of groups) {
    const kinds = own.map(({ kind }) => pluralOf(String(kind)))
    api.serve(group, [...new Set([...(api.served(group) ?? []), ...kinds])])
    for (const object of own) api.put(pluralOf(String(object['kind'])), asServed(object))
  }
  return api.start()
}

/** Reports leave out what the API server writes. */
const asServed = (object: Raw): Raw => ({
  ...object,
  metadata: { creationTimestamp: '2026-11-27T08:00:00Z', ...object.metadata },
})

const pluralOf = (kind: string): string => {
  const name = kind.toLowerCase()
  if (name.endsWith('s')) return `${name}es`
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`
}

/** Usage in memory, by what its rows are told apart by. */
const keeping = (rows: Map<string, UsageRow>): Pick<UsageStore, 'rows' | 'write'> => ({
  write: (_, written) => {
    for (const row of written) rows.set([row.span, row.at, row.partition, row.pod].join(' '), row)
    return Promise.resolve()
  },
  rows: ({ span, window }) =>
    Promise.resolve(
      [...rows.values()].filter((row) => row.span === span && row.at >= window.from && row.at < window.to),
    ),
})
