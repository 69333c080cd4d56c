import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorText } from '@septet/domain/words'
import type { ServerEvent } from '@septet/contract'
import type { Log, Store } from '@septet/domain'
import { AgentCalls } from './agent-calls.ts'
import { copilotModel } from './copilot/copilot-model.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { SentEventLog } from './faces/event-log.ts'
import { openMetrics, registerLeadGauge, type Metrics } from './faces/metrics.ts'
import { openServer } from './faces/server.ts'
import { KeptLines, openLog } from './log.ts'
import { hiddenSettings, settingText, shownSettings } from './settings.ts'
import { openTracing } from './faces/telemetry/open-tracing.ts'
import type { Tracing } from './faces/telemetry/tracing.ts'
import { KeptAnswers } from './operations/answering/kept-answers.ts'
import { makeAnswers } from './operations/answers.ts'
import { joinOthers, NO_OTHERS, publishEverywhere, type OtherServers } from './other-servers.ts'
import { openClusterFleet, type ClusterFleet } from './composition/cluster-fleet.ts'
import { clusterSources, demoId } from './composition/cluster-sources.ts'
import { openConnectionTests } from './composition/connection-tests.ts'
import { startDemoProcess, openDemoFaults, type DemoProcess } from './composition/demo-process.ts'
import { openAdmission, type Admission, type AdmissionParts } from './composition/open-admission.ts'
import { openAlerts } from './composition/open-alerts.ts'
import { openClusterService } from './composition/open-cluster-service.ts'
import { openIdentity, signUpHint } from './composition/open-identity.ts'
import { openReportMails } from './composition/open-report-mails.ts'
import { openStore, type OpenedStore } from './composition/open-store.ts'
import { Leads, NO_LEADS, type OwnLeads } from './composition/leads.ts'
import { openPipelineHost, SpareHost, type PipelineHost } from './composition/pipeline-host.ts'
import { runPipeline, type PipelineStart, type RunningPipeline } from './composition/run-pipeline.ts'
import { startSending } from './composition/send-out.ts'
import { openDoor } from './composition/threads/door.ts'
import { openPdfDrawing } from './composition/threads/draw-pdf.ts'
import { replayInThread } from './composition/threads/replay-history.ts'
import { runScenarioInThread } from './composition/threads/run-scenario.ts'
import { steadyNow } from './steady-clock.ts'
import { readVersion } from './version.ts'
import type { FastifyInstance } from 'fastify'
import { hostname } from 'node:os'
import { repeat, type Repeating, type ServerLoop } from './repeat.ts'
import { readdir, stat } from 'node:fs/promises'
import type { Installation } from './operations/settings/settings-answers.ts'

/** Joins the parts and runs until a signal. The only place where parts are constructed. */
async function main(): Promise<void> {
  const config = readConfig(process.env, process.cwd())
  const kept = new KeptLines()
  const log = openLog(config.logLevel, kept.add)
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
    await serve({ config, log, kept, opened, demo: await demo, closers, hosts, stop })
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
  readonly kept: KeptLines
  readonly opened: OpenedStore
  readonly demo: DemoProcess | undefined
  readonly closers: (() => Promise<void>)[]
  readonly hosts: readonly PipelineHost[]
  readonly stop: (code: number) => Promise<void>
}

async function serve(running: Running): Promise<void> {
  const { config, log, kept, opened, closers } = running
  const { store } = opened
  const self = randomUUID()
  const events = new SentEventLog(self, steadyNow)
  const others = await findOthers(running, { self, missed: () => events.interrupted() })
  const publish = publishEverywhere(events, others)
  const metrics = openMetrics()
  const version = readVersion()
  const tracing = await openTracing({ environment: process.env, registry: metrics.registry, version, log })
  if (tracing !== undefined) closers.push(() => tracing.stop())
  const { fleet, leads } = await openWatched(running, { events, metrics, tracing })
  const { identity, answers, agentCalls, agentKey, drawPdf, installation } = await openServices(running, {
    events,
    publish,
    others,
    fleet,
    leads,
  })
  const { auth, gate, service, logins, listensAt } = identity
  const server = await openServer({
    answers,
    tracing,
    agentCalls,
    agentKey,
    facts: fleet,
    store,
    events,
    publish,
    others,
    metrics,
    thisServer: installation,
    log: kept.all,
    settings: shownSettings(settingText(process.env)),
    secrets: hiddenSettings(settingText(process.env)),
    gate,
    auth,
    logins,
    service,
    drawPdf,
    config,
    now: Date.now,
    version,
    dist: fileURLToPath(new URL('../../web/dist', import.meta.url)),
    onUnexpected: (error, url) =>
      log.error('unexpected error', { url, error: error instanceof Error ? error.stack : String(error) }),
  })
  closers.push(() => server.close())
  const url = await listenOn(server, config)
  listensAt(url)
  const hint = await signUpHint(url, auth.context)
  process.stdout.write(`Septet is at ${url}/dashboard\n${hint === undefined ? '' : `${hint}\n`}`)
}

/** The bundled database is this server's alone: it costs nothing there. */
async function findOthers(
  { config, log, opened, closers, stop }: Running,
  told: { readonly self: string; readonly missed: () => void },
): Promise<OtherServers> {
  if (config.databaseUrl === undefined) return NO_OTHERS
  const refused = (error: Error): void => {
    process.stderr.write(`${error.message}\n`)
    void stop(1)
  }
  const others = await joinOthers({ notices: opened.store.notices, log, refused, ...told })
  closers.push(() => others.stop())
  return others
}

type Told = { readonly events: SentEventLog; readonly metrics: Metrics; readonly tracing: Tracing | undefined }
type Watched = { readonly fleet: ClusterFleet; readonly leads: OwnLeads }

/** The clusters that the environment names. More come and go while Septet runs. */
async function openWatched(running: Running, { events, metrics, tracing }: Told): Promise<Watched> {
  const { config, log, kept, opened, demo, hosts, closers } = running
  const { store } = opened
  const alone = config.databaseUrl === undefined
  const watches = config.role === 'all'
  const leads = watches ? startLeads(running, alone) : NO_LEADS
  const spare = alone || !watches ? undefined : new SpareHost(() => openPipelineHost(config.pipelines))
  closers.push(async () => spare?.stop())
  const fleet = openClusterFleet({
    store: store.clusters,
    leads,
    log,
    publish: (event) => events.publish(event),
    start: (what) => {
      const host = what.host ?? (what.lead === undefined ? undefined : spare?.take())
      return startPipeline({ ...what, host, opened, log, kept, config, metrics, tracing })
    },
  })
  // Last opened is first closed: no request may meet a pipeline that is gone.
  closers.push(() => fleet.stop())
  registerLeadGauge(metrics, () => leads.clusters())
  const found = watches ? clusterSources(config, demo?.addresses, Date.now()) : []
  await Promise.all(found.map((wanted, order) => fleet.watch(wanted, hosts[order])))
  return { fleet, leads }
}

function startLeads({ log, opened, closers }: Running, alone: boolean): Leads {
  const holder = `${hostname()} ${randomUUID()}`
  const leads = new Leads({ store: opened.store.leads, holder, now: steadyNow, log, alone })
  closers.push(() => leads.stop())
  leads.start()
  return leads
}

/** What the servers on one database tell one another. */
type Shared = { readonly publish: (event: ServerEvent) => void; readonly others: OtherServers }

/** Who may come in, what can be asked and set, and what goes out by itself. */
async function openServices(
  { config, log, opened, demo, closers }: Running,
  { events, publish, others, fleet, leads }: Shared & Watched & Pick<Told, 'events'>,
) {
  const { store } = opened
  const identity = await openIdentity({ config, store, facts: fleet, demo: demo?.addresses.kubeconfigPath, log })
  const { auth, service } = identity
  const { context } = auth
  closers.push(() => auth.close())
  const tests = openConnectionTests(store)
  const door = openDoor({ log })
  const { secrets } = context
  const watches = config.role === 'all'
  const configured = { configured: config.cluster, plugins: config.credentialPlugins, environment: process.env }
  const kept = { store, secrets, fleet, watches, tests, door, log }
  const clusters = openClusterService({ ...kept, now: Date.now, ...configured })
  const looking = await startLooking(() => clusters.look(), log)
  closers.push(() => looking.stop())
  closers.push(async () => {
    tests.close()
    door.stop()
  })
  const told = { facts: fleet, store, log, auth: context, publish, others }
  const alerts = openAlerts({ ...told, allowLoopback: config.webhookLoopback })
  events.follow(({ event }) => alerts.heard(event))
  closers.push(() => alerts.stop())
  const admission = await startAdmission({ config, store, storeAddress: opened.address, fleet, log, secrets, closers })
  // Ended after the mails, which wait for what is being drawn.
  const { draw: drawPdf, stop: stopDrawing } = openPdfDrawing({ log })
  closers.push(() => Promise.resolve(stopDrawing()))
  const beside: { loops(): readonly ServerLoop[] }[] = [alerts, leads, { loops: () => [looking.state()] }]
  if (admission !== undefined) beside.push(admission)
  const installation = openInstallation({ config, store, log, beside, admission })
  closers.push(() => installation.close())
  const agentCalls = new AgentCalls({ notes: store.notes, now: Date.now, publish, others })
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
    demoFaults: demo === undefined ? undefined : openDemoFaults(demo.addresses, () => leads.has(demoId(config))),
    runScenario: runScenarioInThread,
    runReplay: replayInThread(opened.address),
    kept: new KeptAnswers(steadyNow, events),
  })
  const openReports = (under: Store) => openReportMails({ answers, store: under, auth: context, log, drawPdf })
  const asSender = { leads, log, address: opened.address, alerts, openReports }
  const sending = await startSending(asSender)
  beside.push(sending)
  closers.push(() => sending.stop())
  const agentKey = (cluster: string) => clusters.agentKey(cluster)
  return { identity, answers, agentCalls, agentKey, drawPdf, installation }
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

type PipelineNeeds = PipelineStart &
  Pick<Running, 'opened' | 'log' | 'kept' | 'config'> &
  Pick<Told, 'metrics' | 'tracing'>

async function startPipeline(needs: PipelineNeeds): Promise<RunningPipeline> {
  const { record, source, facts, lead, host, opened, log, kept, config, metrics, tracing } = needs
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
    facts,
    lead,
    host,
    hostKind: config.pipelines,
    log,
    logged: kept.add,
    observe: (stage, tookMs) => {
      metrics.stage.observe({ cluster: record.id, stage }, tookMs / 1000)
      tracing?.stage(record.id, stage, tookMs)
    },
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

/** How soon a server shows what admins have asked another one, milliseconds. */
const LOOK_MS = 5000

/** Looks now, and then again and again. */
async function startLooking(look: () => Promise<void>, log: Log): Promise<Repeating> {
  await look()
  const onError = (error: unknown): void => log.warn('the clusters could not be listed', { error: String(error) })
  return repeat(look, { name: 'clusters', everyMs: LOOK_MS, startMs: LOOK_MS, onError })
}

const COUNT_EVERY_MS = 300_000
const PING_EVERY_MS = 5000

type OwnParts = {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'role'>
  readonly store: Pick<Store, 'ping'>
  readonly log: Log
  /** What has loops of its own. */
  readonly beside: readonly { loops(): readonly ServerLoop[] }[]
  readonly admission: Pick<Admission, 'interruption'> | undefined
}

/** What this process knows of itself. The data directory is counted behind, as it holds thousands of files. */
function openInstallation({
  config,
  store,
  log,
  beside,
  admission,
}: OwnParts): Installation & { close(): Promise<void> } {
  let bytes: number | undefined
  const count = (): void => {
    sizeOf(config.dataDir).then(
      (size) => (bytes = size),
      () => undefined,
    )
  }
  count()
  const counting = setInterval(count, COUNT_EVERY_MS).unref()
  const onError = (error: unknown): void => log.warn('the database is not responding', { error: String(error) })
  const asking = repeat(() => store.ping(), { name: 'database', everyMs: PING_EVERY_MS, onError })
  return {
    version: readVersion(),
    startedAt: Math.round(Date.now() - process.uptime() * 1000),
    database: config.databaseUrl === undefined ? 'embedded' : 'external',
    dataDirBytes: () => bytes,
    server: { name: hostname(), role: config.role },
    loops: () => beside.flatMap((each) => each.loops()),
    databaseRuns: () => asking.state(),
    admission: () => admission?.interruption(),
    close: () => {
      clearInterval(counting)
      return asking.stop()
    },
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
