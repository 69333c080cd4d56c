import { join } from 'node:path'
import { errorText } from '@septet/domain/words'
import type { ServerEvent } from '@septet/contract'
import type { Log, Store } from '@septet/domain'
import { AgentCalls } from './agent-calls.ts'
import { copilotModel } from './copilot/copilot-model.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { SentEventLog } from './faces/event-log.ts'
import { openMetrics, type Metrics } from './faces/metrics.ts'
import { openServer } from './faces/server.ts'
import { openLog } from './log.ts'
import { makeAnswers } from './operations/answers.ts'
import { openClusterFleet, type ClusterFleet } from './composition/cluster-fleet.ts'
import { clusterSources, type ClusterSourceRecord } from './composition/cluster-sources.ts'
import { openConnectionTests } from './composition/connection-tests.ts'
import { startDemoProcess, openDemoFaults, type DemoProcess } from './composition/demo-process.ts'
import { openAdmission, type Admission, type AdmissionParts } from './composition/open-admission.ts'
import { openAlerts } from './composition/open-alerts.ts'
import { openClusterService } from './composition/open-cluster-service.ts'
import { openIdentity, signUpHint } from './composition/open-identity.ts'
import { openReportMails } from './composition/open-report-mails.ts'
import { openStore, type OpenedStore } from './composition/open-store.ts'
import { openPipelineHost, type PipelineHost } from './composition/pipeline-host.ts'
import { runPipeline, type RunningPipeline } from './composition/run-pipeline.ts'
import { openDoor } from './composition/threads/door.ts'
import { openPdfDrawing } from './composition/threads/draw-pdf.ts'
import { replayInThread } from './composition/threads/replay-history.ts'
import { runScenarioInThread } from './composition/threads/run-scenario.ts'
import { readVersion } from './version.ts'
import type { FastifyInstance } from 'fastify'
import { repeat } from './pipeline/repeat.ts'
import { readdir, stat } from 'node:fs/promises'
import type { Installation } from './operations/settings/settings-answers.ts'

/** Joins the parts and runs until a signal. The only place where parts are constructed. */
async function main(): Promise<void> {
  const config = readConfig(process.env, process.cwd())
  const log = openLog(config.logLevel)
  const closers: (() => Promise<void>)[] = []
  // They load their code while the database and the demo cluster start.
  const hosts = [config.cluster, config.demo].flatMap((wanted) =>
    wanted === undefined || config.role === 'answer' ? [] : openPipelineHost(config.pipelines),
  )
  const stop = stopper(closers, log)
  try {
    const demo = startDemo(config, log, closers)
    // Told after what is wrong with the database, which is often why the demo cluster does not start either.
    demo.catch(() => undefined)
    const opened = await openStore(config, log)
    closers.push(() => opened.close())
    await serve({ config, log, opened, demo: await demo, closers, hosts })
    process.on('SIGINT', () => void stop(0))
    process.on('SIGTERM', () => void stop(0))
    process.on('SIGHUP', () => void stop(0))
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n`)
    await stop(1)
  }
}

type Running = {
  readonly config: Config
  readonly log: Log
  readonly opened: OpenedStore
  readonly demo: DemoProcess | undefined
  readonly closers: (() => Promise<void>)[]
  readonly hosts: readonly PipelineHost[]
}

async function serve(running: Running): Promise<void> {
  const { config, log, opened, closers } = running
  const { store } = opened
  const events = new SentEventLog(Date.now().toString(36))
  const metrics = openMetrics()
  const fleet = await openWatched(running, { events, metrics })
  const { identity, answers, agentCalls, agentKey, drawPdf } = await openServices(running, { events, fleet })
  const { auth, gate, service, logins, listensAt } = identity
  const server = await openServer({
    answers,
    agentCalls,
    agentKey,
    facts: fleet,
    store,
    events,
    metrics,
    gate,
    auth,
    logins,
    service,
    drawPdf,
    config,
    now: Date.now,
    version: readVersion(),
    dist: join(import.meta.dirname, '../../web/dist'),
    onUnexpected: (error, url) =>
      log.error('unexpected error', { url, error: error instanceof Error ? error.stack : String(error) }),
  })
  closers.push(() => server.close())
  const url = await listenOn(server, config)
  listensAt(url)
  const hint = await signUpHint(url, auth.context)
  process.stdout.write(`Septet is at ${url}/dashboard\n${hint === undefined ? '' : `${hint}\n`}`)
}

type Told = { readonly events: SentEventLog; readonly metrics: Metrics }

/** The clusters that the environment names, each with its pipeline. More come and go while Septet runs. */
async function openWatched(running: Running, told: Told): Promise<ClusterFleet> {
  const { config, log, opened, demo, hosts, closers } = running
  const fleet = openClusterFleet({
    store: opened.store.clusters,
    start: (wanted, host) => startPipeline({ ...wanted, host, opened, log, config, ...told }),
  })
  // Last opened is first closed: no request may meet a pipeline that is gone.
  closers.push(() => fleet.stop())
  if (config.role === 'answer') {
    const following = await followClusters({ store: opened.store, fleet, log })
    closers.push(() => following.stop())
    return fleet
  }
  const found = clusterSources(config, demo?.addresses, Date.now())
  await Promise.all(found.map((wanted, order) => fleet.watch(wanted, hosts[order])))
  return fleet
}

/** Who may come in, what can be asked and set, and what goes out by itself. */
async function openServices(
  { config, log, opened, demo, closers }: Running,
  { events, fleet }: { readonly events: SentEventLog; readonly fleet: ClusterFleet },
) {
  const { store } = opened
  const identity = await openIdentity({ config, store, facts: fleet, demo: demo?.addresses.kubeconfigPath, log })
  const { auth, service } = identity
  const { context } = auth
  closers.push(() => auth.close())
  const tests = openConnectionTests()
  const door = openDoor({ log })
  const configured = { configured: config.cluster, plugins: config.credentialPlugins, environment: process.env }
  const { secrets } = context
  const clusters = openClusterService({ store, secrets, fleet, tests, door, log, now: Date.now, ...configured })
  // What goes out by itself, and what admins added, is the business of the one that watches.
  const isWatching = config.role === 'all'
  if (isWatching) await clusters.restore()
  const installation = openInstallation(config)
  closers.push(async () => {
    installation.close()
    tests.close()
    door.stop()
  })
  const publish = (event: ServerEvent): void => events.publish(event)
  const alerts = openAlerts({ facts: fleet, store, log, auth: context, allowLoopback: config.webhookLoopback, publish })
  if (config.role === 'all') events.follow(({ event }) => alerts.heard(event))
  if (isWatching) alerts.start()
  closers.push(() => alerts.stop())
  const admission = await startAdmission({ config, store, storeAddress: opened.address, fleet, log, secrets, closers })
  const agentCalls = new AgentCalls({ now: Date.now, publish })
  const answers = makeAnswers({
    readManifest: door.manifest,
    facts: fleet,
    store,
    now: Date.now,
    record: (fact) => context.audit.record(fact),
    service,
    clusters,
    installation,
    alerts: alerts.service,
    agentCalls,
    admission,
    copilot: copilotModel(config.copilot, { settings: store.settings, now: Date.now, secrets: context.secrets }),
    demoFaults: demo === undefined ? undefined : openDemoFaults(demo.addresses),
    runScenario: runScenarioInThread,
    runReplay: replayInThread(opened.address),
  })
  // Ended after the mails, which wait for what is being drawn.
  const { draw: drawPdf, stop: stopDrawing } = openPdfDrawing({ log })
  closers.push(() => Promise.resolve(stopDrawing()))
  const reports = openReportMails({ answers, store, auth: context, log, drawPdf })
  if (isWatching) reports.start()
  closers.push(() => reports.stop())
  const agentKey = (cluster: string) => clusters.agentKey(cluster)
  return { identity, answers, agentCalls, agentKey, drawPdf }
}

type AdmissionNeeds = Pick<Running, 'config' | 'log' | 'closers'> &
  Pick<AdmissionParts, 'store' | 'storeAddress' | 'secrets'> & { readonly fleet: ClusterFleet }

async function startAdmission({ config, fleet, closers, ...parts }: AdmissionNeeds): Promise<Admission | undefined> {
  if (config.admission === undefined) return undefined
  const { host } = config
  const admission = await openAdmission({
    ...parts,
    facts: fleet,
    config: { ...config.admission, host },
    now: Date.now,
  })
  closers.push(() => admission.stop())
  return admission
}

type PipelineNeeds = ClusterSourceRecord &
  Pick<Running, 'opened' | 'log' | 'config'> & {
    readonly host: PipelineHost | undefined
    readonly events: SentEventLog
    readonly metrics: Metrics
  }

async function startPipeline(needs: PipelineNeeds): Promise<RunningPipeline> {
  const { record, source, opened, log, config, events, metrics } = needs
  const { authorized, serviceAccounts } = config.auth
  return runPipeline({
    settings: {
      record,
      source,
      store: opened.address,
      pace: config.pace,
      logLevel: config.logLevel,
      admission: config.admission !== undefined,
      auth: { mode: { kind: config.auth.mode.kind }, authorized, serviceAccounts },
    },
    hostKind: config.pipelines,
    host: needs.host,
    log,
    publish: (event) => events.publish(event),
    observe: (stage, tookMs) => metrics.stage.observe({ cluster: record.id, stage }, tookMs / 1000),
  })
}

async function startDemo(config: Config, log: Log, closers: (() => Promise<void>)[]): Promise<DemoProcess | undefined> {
  if (config.demo === undefined) return undefined
  const demo = await startDemoProcess(config, log)
  closers.push(() => demo.stop())
  return demo
}

/** A signal that comes this soon after the first is the same one: a supervisor tells every process of the group. */
const SAME_SIGNAL_MS = 1000

/** Closes everything, last opened first, once; a later second signal does not wait. */
function stopper(closers: (() => Promise<void>)[], log: Log): (code: number) => Promise<void> {
  let stoppingSince: number | undefined
  return async (code) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(code)
      return
    }
    stoppingSince = performance.now()
    for (const close of closers.toReversed()) {
      await close().catch((error: unknown) => log.error('could not stop in order', { error: String(error) }))
    }
    process.exit(code)
  }
}

/** Listens and gives the address; a port that is in use is told with who to ask and what to set. */
async function listenOn(server: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  try {
    const address = await server.listen({ host, port })
    return address.replace('[::1]', 'localhost')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} on ${host} is in use, perhaps by another Septet. Stop that program, or set SEPTET_PORT to a free port (0 takes any).`,
        { cause: error },
      )
    }
    if (code === 'EACCES') {
      throw new Error(`Port ${port} may not be used by this user. Set SEPTET_PORT to one above 1023.`, { cause: error })
    }
    throw error
  }
}

type Parts = {
  readonly store: Pick<Store, 'clusters' | 'readModels'>
  readonly fleet: ClusterFleet
  readonly log: Log
}

const LOOK_MS = 5000

/** Shows the clusters that another Septet watches, as they come and go. Resolves after the first look. */
async function followClusters({ store, fleet, log }: Parts): Promise<{ stop(): Promise<void> }> {
  const look = async (): Promise<void> => {
    const shown = new Set(fleet.clusters().map(({ record }) => record.id))
    const known = await store.clusters.list()
    for (const record of known) {
      // One that is watched no more has figures only, and no read model.
      const isWatched = !shown.has(record.id) && (await store.readModels.version(record.id)) !== undefined
      if (isWatched) await fleet.watch({ record, source: { kind: 'store' } })
    }
    const there = new Set(known.map(({ id }) => id))
    for (const id of shown) if (!there.has(id)) await fleet.release(id)
  }
  await look()
  return repeat(look, {
    everyMs: LOOK_MS,
    startMs: LOOK_MS,
    onError: (error) => log.warn('the clusters could not be listed', { error: String(error) }),
  })
}

const COUNT_EVERY_MS = 300_000

/** What this process knows of itself. The data directory is counted behind, as it holds thousands of files. */
function openInstallation(config: Pick<Config, 'dataDir' | 'databaseUrl'>): Installation & { close(): void } {
  let bytes: number | undefined
  const count = (): void => {
    sizeOf(config.dataDir).then(
      (size) => (bytes = size),
      () => undefined,
    )
  }
  count()
  const counting = setInterval(count, COUNT_EVERY_MS).unref()
  return {
    version: readVersion(),
    startedAt: Math.round(Date.now() - process.uptime() * 1000),
    database: config.databaseUrl === undefined ? 'embedded' : 'external',
    dataDirBytes: () => bytes,
    close: () => clearInterval(counting),
  }
}

/** Bytes of the files below a folder. Files that go meanwhile count nothing. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  let sum = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    sum += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return sum
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`)
  process.exit(1)
})
