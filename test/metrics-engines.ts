import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A real metrics engine on a free loopback port, with its data in a folder of its own. */
export type Engine = { readonly url: string; stop(): Promise<void> }

export type PrometheusSetup = {
  /** Path of the `prometheus` binary. */
  readonly binary: string
  /** Path of `promtool`; needed for `history` only. */
  readonly promtool?: string
  /** Metrics addresses to scrape every second. */
  readonly scrape?: readonly string[]
  /** As a ServiceMonitor sets it; false is the default of dcgm-exporter's chart and moves pod labels to `exported_*`. */
  readonly honorLabels?: boolean
  /** Labels that discovery puts on every target. */
  readonly targetLabels?: Readonly<Record<string, string>>
  /** Samples of the past, as OpenMetrics text with timestamps. */
  readonly history?: string
  readonly flags?: readonly string[]
  /** Its `--web.config.file`: certificates, and which it asks for. */
  readonly web?: { readonly config: unknown; readonly isReady: (url: string) => Promise<boolean> }
}

export async function startPrometheus(setup: PrometheusSetup): Promise<Engine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'septet-prometheus-'))
  const port = await freePort()
  const config = path.join(folder, 'prometheus.yml')
  const data = path.join(folder, 'data')
  await writeFile(config, JSON.stringify(configuration(setup)))
  if (setup.history !== undefined && setup.promtool !== undefined) {
    const file = path.join(folder, 'history.txt')
    await writeFile(file, setup.history)
    await promisify(execFile)(setup.promtool, ['tsdb', 'create-blocks-from', 'openmetrics', file, data])
  }
  const flags = [`--config.file=${config}`, `--storage.tsdb.path=${data}`, `--web.listen-address=127.0.0.1:${port}`]
  const retention = '--storage.tsdb.retention.time=10y'
  const { web } = setup
  const webConfig = path.join(folder, 'web.json')
  if (web !== undefined) await writeFile(webConfig, JSON.stringify(web.config))
  const more = [...(web === undefined ? [] : [`--web.config.file=${webConfig}`]), ...(setup.flags ?? [])]
  const child = spawn(setup.binary, [...flags, retention, ...more], { stdio: 'ignore' })
  const url = `${web === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
  return ready({ child, folder, url, isReady: web?.isReady ?? answers('/-/ready') })
}

export async function startVictoriaMetrics(binary: string, flags: readonly string[] = []): Promise<Engine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'septet-victoria-'))
  const port = await freePort()
  const own = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`, '-retentionPeriod=10y']
  const child = spawn(binary, [...own, '-loggerLevel=ERROR', ...flags], { stdio: 'ignore' })
  return ready({ child, folder, url: `http://127.0.0.1:${port}`, isReady: answers('/health') })
}

/** Gives VictoriaMetrics samples of the past; they can be queried when this resolves. */
export async function importIntoVictoriaMetrics(engine: Engine, text: string): Promise<void> {
  const answer = await fetch(`${engine.url}/api/v1/import/prometheus`, { method: 'POST', body: text })
  if (!answer.ok) throw new Error(`VictoriaMetrics refused the samples: ${answer.status} ${await answer.text()}`)
  await fetch(`${engine.url}/internal/force_flush`)
}

function configuration({ scrape = [], honorLabels = true, targetLabels = {} }: PrometheusSetup): unknown {
  return {
    global: { scrape_interval: '1s', scrape_timeout: '900ms' },
    scrape_configs: scrape.map((address, index) => {
      const { host, pathname, protocol } = new URL(address)
      return {
        job_name: `exporter-${index}`,
        scheme: protocol.slice(0, -1),
        metrics_path: pathname,
        honor_labels: honorLabels,
        static_configs: [{ targets: [host], labels: targetLabels }],
      }
    }),
  }
}

export const answers =
  (at: string) =>
  async (url: string): Promise<boolean> =>
    (await fetch(`${url}${at}`).catch(() => undefined))?.ok === true

type Started = {
  readonly child: ChildProcess
  readonly folder: string
  readonly url: string
  readonly isReady: (url: string) => Promise<boolean>
}

/** Resolves once it answers; it stops with its folder. */
export async function ready({ child, folder, url, isReady }: Started): Promise<Engine> {
  const stop = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.kill('SIGTERM')) await gone
    await rm(folder, { recursive: true, force: true })
  }
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (await isReady(url)) return { url, stop }
    if (child.exitCode !== null) break
    await sleep(100)
  }
  await stop()
  throw new Error(`${child.spawnfile} did not become ready at ${url}`)
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
