import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { HOUR_MS } from '@septet/domain'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@septet/storage'

import { startAgent, type AgentProcess } from '../../test/agent-process.ts'
import type { Ailments } from '../../test/ailing-machine.ts'
import { openCutRelay, openTlsRelay, type CutRelay, type TlsRelay } from '../../test/cut-relay.ts'
import { startDemo, type DemoProcess } from '../../test/demo-process.ts'
import { openEngineRelay } from '../../test/engine-relay.ts'
import { newDataDir, removeDataDir, startSeptet, type SeptetProcess } from '../../test/server-process.ts'
import { CLUSTER, lastingHeaders, noneWritten, untilWell, type Fault, type House } from './house.ts'

/** A Septet that finds all it needs by name on other machines, and reads a second cluster through an agent. */
type FarHouse = House & {
  readonly api: TlsRelay
  readonly engine: TlsRelay
  readonly store: CutRelay
  readonly agentLine: CutRelay
  agent: AgentProcess
  restartAgent(): void
  /** What ails the machine that Septet runs on from now on. */
  ail(ailments: Partial<Ailments>): void
}

const NAMES = { api: 'api.septet.test', engine: 'engine.septet.test', store: 'store.septet.test' } as const
const INSIDE = 'inside'

/** A name that is gone is noticed by who connects: whoever is connected would go on. */
const nameGone = (of: keyof typeof NAMES, told?: RegExp): Fault<FarHouse> => ({
  seconds: 30,
  ...(told && { told }),
  async begin(house) {
    house.ail({ unknown: [NAMES[of]] })
    await sleep(LOOKED_MS)
    house[of].drop()
  },
  end: async (house) => house.ail({ unknown: [] }),
})
/** Until a machine's ailments are known to all who have it. */
const LOOKED_MS = 200

const certificateExpired = (of: 'api' | 'engine', told: RegExp): Fault<FarHouse> => ({
  seconds: 30,
  told,
  begin: async (house) => house[of].expire(),
  end: async (house) => house[of].renew(),
})

const clockJumped = (aheadMs: number, told: RegExp): Fault<FarHouse> => ({
  seconds: 30,
  told,
  begin: async (house) => house.ail({ aheadMs }),
  end: async (house) => house.ail({ aheadMs: 0 }),
})

let filled = 0

export const FAR_FAULTS: Readonly<Record<string, Fault<FarHouse>>> = {
  'the name of the API server does not resolve': nameGone('api', /unreachable/u),
  'the name of the metrics engine does not resolve': nameGone('engine', /telemetry-unavailable/u),
  'the name of PostgreSQL does not resolve': nameGone('store', /usage-not-saved/u),
  'the certificate of the API server has expired': certificateExpired('api', /certificate-refused/u),
  'the certificate of the metrics engine has expired': certificateExpired('engine', /telemetry-unavailable/u),
  'the clock jumps an hour ahead': clockJumped(HOUR_MS, /clock-skew/u),
  'the clock jumps an hour back': clockJumped(-HOUR_MS, /clock-skew/u),
  'the pipelines run out of memory': {
    seconds: 0,
    async begin(house) {
      filled += 1
      house.ail({ filled })
    },
  },
  'the agent is killed': {
    seconds: 45,
    cluster: INSIDE,
    told: /agent-silent/u,
    begin: async ({ agent }) => void (await agent.stop('SIGKILL')),
    end: async (house) => house.restartAgent(),
  },
  'the agent is cut off': {
    seconds: 45,
    cluster: INSIDE,
    told: /agent-silent/u,
    begin: async ({ agentLine }) => agentLine.cut(),
    end: async ({ agentLine }) => agentLine.mend(),
  },
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const AILING_MACHINE = new URL('../../test/ailing-machine.ts', import.meta.url)
/** Of each heap, so that one that is filled up is full soon. */
const HEAP_MIB = 400

export async function openFarHouse(): Promise<FarHouse> {
  const folder = await newDataDir()
  for (const name of ['postgres', 'septet', 'agent']) mkdirSync(join(folder, name))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: silent })
  const demo = await startDemo()
  const lines = await openLines(postgres, demo)
  const ailments = join(folder, 'ailments.json')
  let ailing: Ailments = { aheadMs: 0, unknown: [], filled: 0 }
  const ail = (now: Partial<Ailments>): void => {
    ailing = { ...ailing, ...now }
    writeFileSync(ailments, JSON.stringify(ailing))
  }
  ail({})
  const { store, api, engine, addressed } = lines
  const septet = await startSeptet({
    dataDir: join(folder, 'septet'),
    environment: {
      DATABASE_URL: store.url,
      SEPTET_DEMO: 'off',
      SEPTET_KUBECONFIG: farKubeconfig(demo, api),
      SEPTET_CLUSTER_NAME: CLUSTER,
      SEPTET_PROMETHEUS_URL: engine.url,
      SEPTET_PROMETHEUS_CA: engine.ca,
      TEST_AILMENTS: ailments,
      NODE_OPTIONS: `--import=${AILING_MACHINE.href} --max-old-space-size=${HEAP_MIB}`,
    },
  })
  const headers = await lastingHeaders(septet)
  const agentLine = await openCutRelay(septet.url)
  const token = await addAgent(septet, headers)
  const words = ['--server', agentLine.url, '--kubeconfig', demo.kubeconfigPath, '--dir', join(folder, 'agent')]
  const start = () => startAgent([...words, '--prometheus', demo.prometheusUrl], token)
  const house: FarHouse = {
    septet,
    api,
    engine,
    store: store.relay,
    agentLine,
    agent: start(),
    headers,
    written: noneWritten(),
    restartAgent: () => (house.agent = start()),
    ail,
    async close() {
      await house.agent.stop('SIGKILL')
      await septet.stop()
      await demo.stop()
      await Promise.all([api, engine, addressed, store.relay, agentLine].map((relay) => relay.close()))
      await postgres.stop()
      await removeDataDir(folder)
    },
  }
  await untilWell(house, 0)
  await untilWell(house, 0, { cluster: INSIDE })
  return house
}

async function openLines({ connection }: EmbeddedPostgres, demo: DemoProcess) {
  const { host, port, user, password, database } = connection
  // The demo's engine answers to its own address alone, and this relay asks it by that.
  const addressed = await openEngineRelay(demo.prometheusUrl)
  const [relay, api, engine] = await Promise.all([
    openCutRelay(`unix:${host}/.s.PGSQL.${port}`),
    openTlsRelay(demo.apiUrl, NAMES.api),
    openTlsRelay(addressed.url, NAMES.engine),
  ])
  const url = `postgresql://${user}:${password}@${NAMES.store}:${new URL(relay.url).port}/${database}`
  return { store: { relay, url }, api, engine, addressed }
}

/** That of the demo by the name of its API server, which is trusted by another certificate. */
function farKubeconfig(demo: DemoProcess, { url, ca }: TlsRelay): string {
  const file = join(demo.folder, 'far.kubeconfig')
  const text = readFileSync(demo.kubeconfigPath, 'utf8')
    .replace(/server: \S+/u, `server: ${url}`)
    .replace(/(certificate-authority-data: )\S+/u, `$1${Buffer.from(ca).toString('base64')}`)
  writeFileSync(file, text)
  return file
}

/** Gives the token of the agent that may read the second cluster. */
async function addAgent({ url }: SeptetProcess, headers: FarHouse['headers']): Promise<string> {
  const answer = await fetch(`${url}/api/v1/connections`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'agent', name: INSIDE }),
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the contract says it answers
  const { agentToken } = (await answer.json()) as { readonly agentToken: string }
  return agentToken
}
