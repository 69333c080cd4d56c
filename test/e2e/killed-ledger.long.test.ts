import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { OPERATIONS } from '@septet/contract'
import { startDemoCluster, type DemoCluster } from '@septet/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

import { callApi } from '../demo-api.ts'
import { randomFrom } from '../../bench/random-from.ts'
import { openEngineRelay } from '../engine-relay.ts'
import { newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

// Whatever Septet was doing when it was killed: in the end each hour that is over is inventory × time.

const SHIFTED_CLOCK = new URL('../shifted-clock.ts', import.meta.url)
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * HOUR_MS
const KILLS = 20
const SEED = Number(process.env['SEPTET_KILL_SEED'] ?? 20_261_130)
/** What an outage may last that no one wished for, and what is left of the last start to close its hours. */
const LONGEST_OUTAGE_MS = 100 * MINUTE_MS
const HEALED_WITHIN_MS = 10 * MINUTE_MS
const DAYS_BEFORE = 1

const NodesSchema = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ creationTimestamp: z.string(), labels: z.record(z.string(), z.string()) }),
    }),
  ),
})

/** Where every GPU of a node is cut alike, its label counts instances: so many of them fit on a GPU. */
const gpusOf = (labels: Readonly<Record<string, string>>): number =>
  Number(labels['nvidia.com/gpu.count'] ?? 0) / Math.floor(7 / Number(labels['nvidia.com/gpu.slices.gi'] ?? 7))

/** GPU-hours that the demo's own API server tells of an hour: the GPUs of its nodes, for as long as they were there. */
async function inventoryOf(demo: DemoCluster): Promise<(from: number) => number> {
  const { body } = await callApi(demo.kubeconfigPath, { method: 'GET', path: '/api/v1/nodes' })
  const nodes = NodesSchema.parse(body).items.map(({ metadata: { creationTimestamp, labels } }) => ({
    since: Date.parse(creationTimestamp),
    gpus: gpusOf(labels),
  }))
  return (from) =>
    nodes.reduce(
      (sum, { since, gpus }) => sum + (gpus * Math.max(0, from + HOUR_MS - Math.max(from, since))) / HOUR_MS,
      0,
    )
}

type Window = { readonly from: number; readonly to: number }
type Hour = { readonly gpuHours: number; readonly unobserved: number }

/** What the ledger tells of each hour of a window. */
async function ledgerOf(septet: SeptetProcess, { from, to }: Window): Promise<ReadonlyMap<number, Hour>> {
  const range = encodeURIComponent([from, to].map((at) => new Date(at).toISOString()).join('/'))
  const answer = await fetch(`${septet.url}/api/v1/cost/ledger?cluster=prod&zone=UTC&step=hour&range=${range}`, {
    headers: await signIn(septet),
  })
  if (!answer.ok) throw new Error(`the ledger was not told: ${answer.status} ${await answer.text()}`)
  const hours = new Map<number, Hour>()
  for (const { from: start, part, gpuHours } of OPERATIONS.costLedger.output.parse(await answer.json()).lines) {
    const known = hours.get(Date.parse(start)) ?? { gpuHours: 0, unobserved: 0 }
    hours.set(Date.parse(start), {
      gpuHours: known.gpuHours + gpuHours,
      unobserved: known.unobserved + (part === 'unobserved' ? gpuHours : 0),
    })
  }
  return hours
}

/** The hours of a window from the first that is told on, beside the inventory. */
function judge(hours: ReadonlyMap<number, Hour>, { to }: Window, inventory: (from: number) => number) {
  const from = Math.min(to, ...hours.keys())
  const starts = Array.from({ length: (to - from) / HOUR_MS }, (_, hour) => from + hour * HOUR_MS)
  const told = starts.map((at) => {
    const { gpuHours, unobserved } = hours.get(at) ?? { gpuHours: 0, unobserved: 0 }
    return { at, gpuHours, unobserved, there: inventory(at), off: Math.abs(gpuHours / inventory(at) - 1) }
  })
  return {
    from,
    checked: told.length,
    worst: Math.max(...told.map(({ off }) => off)),
    unobserved: told.reduce((sum, each) => sum + each.unobserved, 0),
    gpuHours: told.reduce((sum, each) => sum + each.gpuHours, 0),
    wrong: told.flatMap(({ at, gpuHours, there, off }) =>
      off <= 1e-6 ? [] : [`${new Date(at).toISOString()}: ${gpuHours} of ${there}`],
    ),
  }
}

const nothing: (at: number) => void = () => undefined

test(
  `after ${KILLS} kills every hour that is over is inventory × time`,
  async () => {
    const draw = randomFrom(SEED)
    const time = { ahead: 0 }
    const now = (): number => Date.now() + time.ahead
    const [folder, dataDir] = [await mkdtemp(join(tmpdir(), 'septet-killed-')), await newDataDir()]
    const demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir: folder, clock: now })
    const began = now()
    /** Called with each question about the past. */
    let asked = nothing
    const relay = await openEngineRelay(demo.prometheusUrl, (at) => {
      if (at < now() - 3 * MINUTE_MS) asked(at)
    })
    const running = new Set<SeptetProcess>()
    onTestFinished(async () => {
      // In order: its database would still write into the folder that is removed.
      for (const septet of running) await septet.stop()
      await relay.close()
      await demo.close()
      await removeDataDir(dataDir)
      await rm(folder, { recursive: true })
    })
    const start = async (): Promise<SeptetProcess> => {
      const septet = await startSeptet({
        dataDir,
        environment: {
          SEPTET_DEMO: 'off',
          SEPTET_CLUSTER_NAME: 'prod',
          SEPTET_KUBECONFIG: demo.kubeconfigPath,
          SEPTET_PROMETHEUS_URL: relay.url,
          SEPTET_STORE_SECONDS: '1',
          SEPTET_HISTORY_DAYS: String(DAYS_BEFORE),
          TEST_CLOCK_AHEAD_MS: String(time.ahead),
          NODE_OPTIONS: `--import=${SHIFTED_CLOCK.href}`,
        },
      })
      running.add(septet)
      return septet
    }

    const kills: string[] = []
    for (let kill = 1; kill <= KILLS; kill += 1) {
      /** Of two kills one hits when so many questions about the past are out: while a gap or the past is being read. */
      const questions = kill % 2 === 1 ? 1 + Math.floor(draw() * 40) : Infinity
      const [afterMs, laterMs] = [Math.floor(draw() * 9000), Math.floor(draw() * 400)]
      const sawOne = Promise.withResolvers<void>()
      const heard = { count: 0, last: 0 }
      asked = (at) => {
        heard.count += 1
        heard.last = at
        if (heard.count >= questions) sawOne.resolve()
      }
      const septet = await start()
      await Promise.race([sawOne.promise.then(() => sleep(laterMs)), sleep(questions < Infinity ? 20_000 : afterMs)])
      const doing =
        heard.count === 0 ? 'nothing asked yet' : `${heard.count} asked, last of ${new Date(heard.last).toISOString()}`
      await septet.stop('SIGKILL')
      running.delete(septet)
      asked = nothing
      const outage = Math.floor(draw() * LONGEST_OUTAGE_MS)
      kills.push(
        `kill ${kill} at ${new Date(now()).toISOString()}: ${doing}; away for ${Math.round(outage / MINUTE_MS)} min`,
      )
      time.ahead += outage
    }
    process.stdout.write(`seed ${SEED}\n${kills.join('\n')}\n`)

    const septet = await start()
    const started = now()
    const window = { from: began - 2 * DAY_MS, to: Math.floor(started / HOUR_MS) * HOUR_MS }
    const inventory = await inventoryOf(demo)
    let judged = judge(new Map(), window, inventory)
    // How far back the past is read is counted from when it was read, which is this start at the latest.
    const isHealed = (): boolean => judged.wrong.length === 0 && judged.from <= started - DAYS_BEFORE * DAY_MS
    while (!isHealed() && now() - started < HEALED_WITHIN_MS) {
      await sleep(1000)
      judged = judge(await ledgerOf(septet, window).catch(() => new Map<number, Hour>()), window, inventory)
    }
    const minutes = (now() - started) / MINUTE_MS
    const { checked, worst, unobserved, gpuHours } = judged
    process.stdout.write(
      `${checked} hours, worst relative difference ${worst}, ${minutes.toFixed(1)} min to heal, ${unobserved.toFixed(1)} of ${gpuHours.toFixed(1)} GPU-h not observed\n`,
    )
    expect(judged.wrong).toEqual([])
    expect(isHealed()).toBe(true)
  },
  30 * MINUTE_MS,
)
