import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerEventBus } from '@modelcontextprotocol/server'
import type { ServerEvent } from '@septet/contract'
import { instant, type ClusterRecord, type ClusterSnapshot, type Log } from '@septet/domain'
import { openPostgresStore } from '@septet/storage'
import { openTestStore, type TestStore } from '@septet/storage/testing'
import { draw } from '@septet/domain/testing'
import { steadyNow } from '../steady-clock.ts'
import { AgentCalls } from '../agent-calls.ts'
import { readConfig } from '../config.ts'
import type { Facts } from '../facts.ts'
import { readManifest } from '@septet/connectors'
import { joinOthers, publishEverywhere } from '../other-servers.ts'
import { copilotModel } from '../copilot/copilot-model.ts'
import { KeptAnswers } from '../operations/answering/kept-answers.ts'
import { makeAnswers } from '../operations/answers.ts'
import { factsOf } from '../operations/answering/facts.fixture.ts'
import { serviceOver, standingInstallation } from '../composition/cluster-service.fixture.ts'
import { openAlerts } from '../composition/open-alerts.ts'
import { openIdentity, type Identity } from '../composition/open-identity.ts'
import { reportPdf } from '../report/pdf/report-pdf.ts'
import type { DrawPdf } from '../report/report-file.ts'
import { SentEventLog } from './event-log.ts'
import { type RunScenario, runScenarioHere } from '../operations/scenarios/scenario-service.ts'
import type { ServeMcp } from './mcp/serve-mcp.ts'
import { openMetrics } from './metrics.ts'
import { openServer, type Faces } from './server.ts'
import { hiddenSettings, settingText, shownSettings } from '../settings.ts'

/** A Septet with every face and real sign-in, over an empty store and two clusters that stand still. */
export type TestSeptet = {
  readonly url: string
  readonly store: TestStore
  readonly events: SentEventLog
  /** Tells the clients of every Septet on its database. */
  readonly publish: (event: ServerEvent) => void
  readonly identity: Identity
  /** Signs up where there is no account yet, and signs in; gives the header. */
  signIn(email: string): Promise<{ authorization: string }>
  close(): Promise<void>
}

export type TestSeptetOptions = {
  readonly environment?: Readonly<Record<string, string>>
  readonly dist?: string
  readonly clusters?: readonly ClusterRecord['kind'][]
  /** What is known of the clusters, instead of two that stand still; a test may change the list while it runs. */
  readonly facts?: Facts
  /** Computes scenarios; in the thread of the test when left out. */
  readonly runScenario?: RunScenario
  /** How requests to the MCP endpoint are answered; as in production when left out. */
  readonly serveMcp?: (changes: ServerEventBus) => ServeMcp
  /** How it itself does; well when left out. */
  readonly itself?: Partial<Pick<Faces, 'thisServer' | 'log' | 'metrics' | 'tracing'>>
  /** Another one, with whom it shares the database; it has one of its own when left out. */
  readonly beside?: Pick<TestSeptet, 'store'>
  /** Draws PDFs; in the thread of the test when left out. */
  readonly drawPdf?: DrawPdf
}

export async function openTestSeptet({
  environment = {},
  dist = '/nowhere',
  clusters = ['cluster', 'demo'],
  facts = standingFacts(clusters),
  runScenario = runScenarioHere,
  drawPdf = reportPdf,
  itself,
  serveMcp,
  beside,
}: TestSeptetOptions = {}): Promise<TestSeptet> {
  const dataDir = await mkdtemp(join(tmpdir(), 'septet-test-'))
  const config = readConfig({ ...environment, SEPTET_DATA_DIR: dataDir, SEPTET_PORT: '0' }, dataDir)
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const { store, events, others, publish } = await openShared(beside, log)
  // What a hash takes in production is most of the work of signing in.
  const hashCost = { memoryCost: 64, timeCost: 1 }
  const identity = await openIdentity({ config, store, facts, log, hashCost })
  const { auth, gate, service, logins } = identity
  const alerts = openAlerts({
    facts,
    store,
    log,
    auth: auth.context,
    allowLoopback: config.webhookLoopback,
    publish,
    others,
  })
  sendFromOne(beside, () => alerts.start(store, () => true))
  events.follow(({ event }) => {
    // Clusters that stand still are not judged.
    if (event.kind === 'actions') alerts.heard(event)
  })
  const agentCalls = new AgentCalls({ notes: store.notes, now: Date.now, publish, others })
  const clusterService = serviceOver(facts, store)
  const server = await openServer({
    agentCalls,
    agentKey: (cluster) => clusterService.agentKey(cluster),
    ...(serveMcp === undefined ? {} : { serveMcp: serveMcp(agentCalls.changes) }),
    answers: makeAnswers({
      readManifest,
      facts,
      store,
      now: Date.now,
      record: (fact) => auth.context.audit.record(fact),
      service,
      clusters: clusterService,
      installation: standingInstallation,
      alerts: alerts.service,
      agentCalls,
      copilot: copilotModel(config.copilot, { settings: store.settings, now: Date.now, secrets: auth.context.secrets }),
      runScenario,
      kept: new KeptAnswers(steadyNow, events),
    }),
    facts,
    store,
    events,
    publish,
    others,
    metrics: openMetrics(),
    thisServer: standingInstallation,
    log: () => [],
    ...itself,
    settings: shownSettings(settingText(environment)),
    secrets: hiddenSettings(settingText(environment)),
    gate,
    auth,
    logins,
    service,
    drawPdf,
    config,
    now: Date.now,
    version: '1.2.3',
    dist,
    onUnexpected: (error) => {
      throw error
    },
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  identity.listensAt(url)
  return {
    url,
    store,
    events,
    publish,
    identity,
    signIn: (email) => signIn(url, email, environment['SEPTET_SETUP_SECRET']),
    async close() {
      await server.close()
      await alerts.stop()
      await auth.close()
      await others.stop()
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** As the lead of an installation is one server's. */
function sendFromOne(beside: TestSeptetOptions['beside'], start: () => void): void {
  if (beside === undefined) start()
}

async function openShared(beside: TestSeptetOptions['beside'], log: Log) {
  const store =
    beside === undefined
      ? await openTestStore()
      : { ...beside.store, ...(await openPostgresStore({ connection: beside.store.connection, log })) }
  const self = beside === undefined ? 'run' : 'beside'
  const events = new SentEventLog(self, steadyNow)
  const missed = (): void => events.interrupted()
  const others = await joinOthers({ notices: store.notices, self, log, missed, refused: () => undefined })
  return { store, events, others, publish: publishEverywhere(events, others) }
}

/** What both of its clusters look like; drawn anew, as what is worked out of a picture is kept with it. */
export const standingCluster = (): ClusterSnapshot => draw`a  H100-80GB-HBM3  [team/x]`

/** They are drawn once: each is asked for with every question. */
function standingFacts(kinds: readonly ClusterRecord['kind'][]): Facts {
  const clusters = kinds.map(standing)
  return { clusters: () => clusters }
}

const standing = (kind: ClusterRecord['kind']) =>
  factsOf(standingCluster(), [], {
    id: kind === 'demo' ? 'demo' : 'production',
    name: kind,
    kind,
    createdAt: instant(0),
  })

async function signIn(url: string, email: string, setupSecret?: string): Promise<{ authorization: string }> {
  const post = (path: string): Promise<Response> =>
    fetch(`${url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'a long enough password', data: { setup_secret: setupSecret } }),
    })
  await (await post('signup')).arrayBuffer()
  const answer = await post('token?grant_type=password')
  const body = (await answer.json()) as { access_token?: string }
  if (body.access_token === undefined) throw new Error(`${email} could not sign in: ${JSON.stringify(body)}`)
  return { authorization: `Bearer ${body.access_token}` }
}
