import { join } from 'node:path'

import { instant, type ClusterRecord, type Log, type Store } from '@septet/domain'

import { ConfigError, readConfig, type Config } from './config.ts'
import { EventLog } from './faces/event-log.ts'
import { openMetrics, type Metrics } from './faces/metrics.ts'
import { openServer } from './faces/server.ts'
import { openLog } from './log.ts'
import { makeAnswers } from './operations/answers.ts'
import { connectCluster, connectDemo, type ClusterConnections } from './parts/connect-cluster.ts'
import { startDemoProcess, type DemoProcess } from './parts/demo-process.ts'
import { listen } from './parts/listen.ts'
import { openStore } from './parts/open-store.ts'
import { ClusterPipeline } from './pipeline/cluster-pipeline.ts'
import { readVersion } from './version.ts'

/** Joins the parts and runs until a signal. The only place where parts are constructed. */
async function main(): Promise<void> {
  const config = readConfig(process.env, process.cwd())
  const log = openLog(config.logLevel)
  const closers: (() => Promise<void>)[] = []
  const stop = stopper(closers, log)
  try {
    const [opened, demo] = await Promise.all([openStore(config, log), startDemo(config, log, closers)])
    closers.push(() => opened.close())
    const url = await serve({ config, log, store: opened.store, demo, closers })
    process.stdout.write(`Septet is at ${url}/dashboard\n`)
    process.on('SIGINT', () => void stop(0))
    process.on('SIGTERM', () => void stop(0))
    process.on('SIGHUP', () => void stop(0))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await stop(1)
  }
}

type Running = {
  readonly config: Config
  readonly log: Log
  readonly store: Store
  readonly demo: DemoProcess | undefined
  readonly closers: (() => Promise<void>)[]
}

async function serve({ config, log, store, demo, closers }: Running): Promise<string> {
  const events = new EventLog(Date.now().toString(36))
  const metrics = openMetrics()
  const pipelines = await Promise.all(
    sources(config, demo, log).map(({ record, connections }) =>
      startPipeline({ record, connections, store, log, config, events, metrics }),
    ),
  )
  const facts = { clusters: () => pipelines.map((pipeline) => pipeline.facts()) }
  const server = await openServer({
    answers: makeAnswers({ facts, store, now: Date.now }),
    facts,
    store,
    events,
    metrics,
    version: readVersion(),
    dist: join(import.meta.dirname, '../../web/dist'),
    onUnexpected: (error, url) =>
      log.error('unexpected error', { url, error: error instanceof Error ? error.stack : String(error) }),
  })
  // Last opened is first closed: no request may meet a pipeline or a store that is gone.
  closers.push(async () => void (await Promise.all(pipelines.map((pipeline) => pipeline.stop()))))
  closers.push(() => server.close())
  return listen(server, config)
}

type Source = { readonly record: ClusterRecord; readonly connections: ClusterConnections }

function sources(config: Config, demo: DemoProcess | undefined, log: Log): Source[] {
  const createdAt = instant(Date.now())
  const found: Source[] = []
  if (config.cluster !== undefined) {
    const { name } = config.cluster
    found.push({
      record: { id: idOf(name), name, kind: 'cluster', createdAt },
      connections: connectCluster(config.cluster, log),
    })
  }
  if (demo !== undefined && config.demo !== undefined) {
    const { scale, seed } = config.demo
    // Another scale or seed is another cluster: its usage must not be mixed with the first one's.
    const id = scale === 'small' && seed === 7 ? 'demo' : `demo-${scale}-${seed}`
    found.push({
      record: { id, name: 'Demo cluster', kind: 'demo', createdAt },
      connections: connectDemo(demo.addresses, log),
    })
  }
  return found
}

const idOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9.-]+/gu, '-')

type PipelineNeeds = Source &
  Pick<Running, 'store' | 'log' | 'config'> & { readonly events: EventLog; readonly metrics: Metrics }

async function startPipeline({
  record,
  connections,
  store,
  log,
  config,
  events,
  metrics,
}: PipelineNeeds): Promise<ClusterPipeline> {
  await store.clusters.upsert(record)
  const pipeline = new ClusterPipeline({
    record,
    ...connections,
    store,
    log,
    clock: () => instant(Date.now()),
    pollSeconds: config.pollSeconds,
    publish: (event) => events.publish(event),
    observe: (stage, tookMs) => metrics.stage.observe({ cluster: record.id, stage }, tookMs / 1000),
  })
  pipeline.start()
  return pipeline
}

async function startDemo(config: Config, log: Log, closers: (() => Promise<void>)[]): Promise<DemoProcess | undefined> {
  if (config.demo === undefined) return undefined
  const demo = await startDemoProcess(config, log)
  closers.push(() => demo.stop())
  return demo
}

/** Closes everything, last opened first, once; a second signal does not wait. */
function stopper(closers: (() => Promise<void>)[], log: Log): (code: number) => Promise<void> {
  let stopping = false
  return async (code) => {
    if (stopping) process.exit(code)
    stopping = true
    for (const close of closers.toReversed()) {
      await close().catch((error: unknown) => log.error('could not stop in order', { error: String(error) }))
    }
    process.exit(code)
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`)
  process.exit(1)
})
