import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { descendantsOf } from '../../test/child-processes.ts'
import { openCutRelay, type CutRelay } from '../../test/cut-relay.ts'
import { callApi } from '../../test/demo-api.ts'
import { startDemo, type DemoProcess } from '../../test/demo-process.ts'
import { openEngineRelay, type EngineRelay } from '../../test/engine-relay.ts'
import { newDataDir, removeDataDir, startSeptet, type SeptetProcess } from '../../test/server-process.ts'
import { CLUSTER, lastingHeaders, noneWritten, untilWell, type Fault, type House } from './house.ts'

/** A Septet with a PostgreSQL and a disk of its own. */
type NearHouse = House & {
  readonly demo: DemoProcess
  readonly api: CutRelay
  readonly engine: EngineRelay
  restart(): Promise<void>
}

const processesOf = ({ septet }: NearHouse, command: RegExp): readonly number[] =>
  descendantsOf(septet.pid).flatMap((one) => (command.test(one.command) ? [one.pid] : []))
const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
  for (const pid of pids) process.kill(pid, name)
}
const postgres = /postgres/u

export const NEAR_FAULTS: Readonly<Record<string, Fault<NearHouse>>> = {
  'the server is killed': {
    seconds: 0,
    async begin(house) {
      await house.septet.stop('SIGKILL')
      await house.restart()
    },
  },
  'the pipeline is killed': {
    seconds: 0,
    begin: async (house) => signal(processesOf(house, /pipeline-main/u), 'SIGKILL'),
  },
  'the pipeline stands still': {
    seconds: 45,
    told: /pipeline-silent/u,
    begin: async (house) => signal(processesOf(house, /pipeline-main/u), 'SIGSTOP'),
    end: async (house) => signal(processesOf(house, /pipeline-main/u), 'SIGCONT'),
  },
  'PostgreSQL is killed': {
    seconds: 0,
    begin: async (house) => signal([postmasterOf(house)], 'SIGKILL'),
  },
  'PostgreSQL stands still': {
    seconds: 45,
    told: /usage-not-saved/u,
    begin: async (house) => signal(processesOf(house, postgres), 'SIGSTOP'),
    end: async (house) => signal(processesOf(house, postgres), 'SIGCONT'),
  },
  'the disk is full': {
    seconds: 45,
    told: /usage-not-saved/u,
    async begin({ septet }) {
      await fill(septet.dataDir)
    },
    end: async ({ septet }) => rmSync(join(septet.dataDir, 'full'), { force: true }),
  },
  'the API server is cut off': {
    seconds: 15,
    told: /unreachable/u,
    begin: async ({ api }) => api.cut(),
    end: async ({ api }) => api.mend(),
  },
  'the cluster stands still': {
    seconds: 45,
    told: /^down|telemetry-unavailable/u,
    begin: async ({ demo }) => signal([demo.pid], 'SIGSTOP'),
    end: async ({ demo }) => signal([demo.pid], 'SIGCONT'),
  },
  'the metrics engine answers garbage': {
    seconds: 15,
    told: /telemetry-unavailable/u,
    begin: async ({ engine }) => engine.spoil(),
    end: async ({ engine }) => engine.mend(),
  },
  'a storm of changes': { seconds: 0, begin: storm },
}

const postmasterOf = ({ septet }: NearHouse): number =>
  Number(readFileSync(join(septet.dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])

/** The data directory is a file system of its own. The tool that fills it ends because there is no more room. */
const fill = (dataDir: string): Promise<unknown> =>
  promisify(execFile)('dd', ['if=/dev/zero', `of=${join(dataDir, 'full')}`, 'bs=1M']).catch(() => undefined)

const STORM_MS = 10_000

/** Every node's label changes as fast as the API server takes it: some hundred times what a cluster does by itself. */
async function storm({ demo }: NearHouse): Promise<void> {
  const { body } = await callApi(demo.kubeconfigPath, { method: 'GET', path: '/api/v1/nodes' })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list of nodes, by its path
  const { items } = body as { readonly items: readonly { readonly metadata: { readonly name: string } }[] }
  const until = performance.now() + STORM_MS
  for (let change = 0; performance.now() < until; change += 1) {
    const node = items[change % items.length]?.metadata.name ?? ''
    await callApi(demo.kubeconfigPath, {
      method: 'PATCH',
      path: `/api/v1/nodes/${node}`,
      type: 'application/merge-patch+json',
      body: { metadata: { labels: { 'septet.io/storm': String(change) } } },
    })
  }
}

/** Enough for PostgreSQL and what it writes in a run. */
const DISK_MIB = 1500

export async function openNearHouse(): Promise<NearHouse> {
  const dataDir = await newDataDir()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', dataDir])
  const demo = await startDemo()
  const [api, engine] = await Promise.all([openCutRelay(demo.apiUrl), openEngineRelay(demo.prometheusUrl)])
  const kubeconfig = join(demo.folder, 'cut.kubeconfig')
  const [direct, cut] = [new URL(demo.apiUrl).host, new URL(api.url).host]
  writeFileSync(kubeconfig, readFileSync(demo.kubeconfigPath, 'utf8').replace(direct, cut))
  const environment = {
    SEPTET_DEMO: 'off',
    SEPTET_KUBECONFIG: kubeconfig,
    SEPTET_CLUSTER_NAME: CLUSTER,
    SEPTET_PROMETHEUS_URL: engine.url,
    SEPTET_PIPELINES: 'process',
  }
  const start = (): Promise<SeptetProcess> => startSeptet({ dataDir, environment })
  const septet = await start()
  const house: NearHouse = {
    septet,
    demo,
    api,
    engine,
    headers: await lastingHeaders(septet),
    written: noneWritten(),
    async restart() {
      house.septet = await start()
    },
    async close() {
      await house.septet.stop()
      await demo.stop()
      await api.close()
      await engine.close()
      execFileSync('umount', [dataDir])
      await removeDataDir(dataDir)
    },
  }
  await untilWell(house, 0)
  return house
}
