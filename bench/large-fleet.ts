import { setTimeout as sleep } from 'node:timers/promises'

import { OPERATIONS } from '@septet/contract'

import { callApi } from '../test/demo-api.ts'
import { newDataDir, removeDataDir, startSeptet, type SeptetProcess } from '../test/server-process.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { eventsOf } from './event-client.ts'
import { LARGE_DEMO } from './large-demo.ts'
import { machineLoad } from './machine-load.ts'
import { quantile } from './quantile.ts'
import { memoryOf, processorSecondsOf } from './process-memory.ts'

/** One Septet that watches a demo cluster of 1,250 nodes, 10,000 GPUs and 50,000 pods, from an empty database. */
export const benchmark: Benchmark = {
  name: 'large-fleet',
  description:
    'A real Septet on a demo cluster of 1,250 nodes, 10,000 GPUs and 50,000 pods: first sync, memory, analysis, answers and events. PostgreSQL and the demo cluster run on the same machine.',
  run: async () => {
    const dataDir = await newDataDir()
    const load = machineLoad()
    const started = performance.now()
    const septet = await startSeptet({ dataDir, environment: LARGE_DEMO })
    try {
      const first = await firstAnswers(septet, started)
      const answers = await answerTimes(septet)
      const events = await eventTimes(septet)
      const history = await historyRead(septet, started)
      const taken = await memory(septet)
      return [load, ...first, ...answers, ...events, ...history, ...taken, ...(await steady(septet))]
    } finally {
      await septet.stop()
      await removeDataDir(dataDir)
    }
  },
}

const FIRST_WITHIN_MS = 90_000

async function firstAnswers(septet: SeptetProcess, started: number): Promise<Figure[]> {
  const ready = await untilOk(`${septet.url}/readyz`, started)
  await untilOk(`${septet.url}/api/v1/summary`, started)
  const note = 'empty database, demo cluster starts too'
  return [{ name: 'start to initial sync (/readyz answers 200)', figure: ready, unit: 's', note }]
}

async function untilOk(url: string, started: number): Promise<number> {
  while (performance.now() - started < FIRST_WITHIN_MS) {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    if (answer.ok) return (performance.now() - started) / 1000
    await sleep(50)
  }
  throw new Error(`${url} did not answer 200 within ${FIRST_WITHIN_MS / 1000} s`)
}

/** Requests are spread over more than two flushes and four readings, so that all of the pipeline's turns are met. */
const ROUNDS = 300
const CLIENTS = 2
const PAUSE_MS = 200

async function answerTimes(septet: SeptetProcess): Promise<Figure[]> {
  const summary: number[] = []
  const health: number[] = []
  const client = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      summary.push(await answered(`${septet.url}/api/v1/summary`))
      await sleep(PAUSE_MS / 2)
      health.push(await answered(`${septet.url}/healthz`))
      await sleep(PAUSE_MS / 2)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const note = `${summary.length} requests, ${CLIENTS} at a time, over ${Math.round((ROUNDS * PAUSE_MS) / 1000)} s`
  return [
    {
      name: 'GET /api/v1/summary, p99',
      figure: quantile(summary, 0.99),
      unit: 'ms',
      baseline: { name: 'GET /healthz', figure: quantile(health, 0.99) },
      aim: '≤ 50 ms',
      note,
    },
  ]
}

async function answered(url: string): Promise<number> {
  const started = performance.now()
  const answer = await fetch(url)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return performance.now() - started
}

const CHANGES = 20
const SEEN_WITHIN_MS = 20_000
const POOL_LABEL = 'karpenter.sh/nodepool'

/** A node's pool is changed through the Kubernetes API; seen is the first event after which Septet answers the new pool. */
async function eventTimes(septet: SeptetProcess): Promise<Figure[]> {
  const kubeconfig = `${septet.dataDir}/demo.kubeconfig`
  const events = await eventsOf(`${septet.url}/api/v1/events`)
  const times: number[] = []
  try {
    const node = (await firstNode(septet)).node
    for (let change = 0; change < CHANGES; change += 1) {
      const pool = `bench-${change}`
      const started = performance.now()
      const changed = await callApi(kubeconfig, {
        method: 'PATCH',
        path: `/api/v1/nodes/${node}`,
        type: 'application/merge-patch+json',
        body: { metadata: { labels: { [POOL_LABEL]: pool } } },
      })
      if (changed.status !== 200) throw new Error(`the demo cluster refused a label: ${JSON.stringify(changed.body)}`)
      let at = started
      do at = await events.later('inventory', at, started + SEEN_WITHIN_MS)
      while ((await firstNode(septet)).pool !== pool)
      times.push((at - started) / 1000)
      await sleep(500)
    }
  } finally {
    events.close()
  }
  const what = 'a label changed in the cluster → inventory event that shows it'
  return [{ name: `${what}, slowest of ${CHANGES}`, figure: quantile(times, 1), unit: 's', aim: '≤ 2 s' }]
}

async function firstNode(septet: SeptetProcess): Promise<{ node: string; pool: string }> {
  const answer = await fetch(`${septet.url}/api/v1/partitions?limit=1`)
  const { nodes } = OPERATIONS.partitionsList.output.parse(await answer.json())
  if (nodes[0] === undefined) throw new Error('no MIG node is shown')
  return nodes[0]
}

const REST_MS = 35_000
const HISTORY_WITHIN_MS = 900_000

async function historyRead(septet: SeptetProcess, started: number): Promise<Figure[]> {
  while (await isReading(septet)) {
    if (performance.now() - started > HISTORY_WITHIN_MS) {
      return [{ name: 'past usage was still being read after', figure: HISTORY_WITHIN_MS / 1000, unit: 's' }]
    }
    await sleep(1000)
  }
  // The heap is looked at in its steady state, not at the moment the past was taken in.
  await sleep(REST_MS)
  const figure = Math.round((performance.now() - started) / 1000)
  return [{ name: 'start until past usage was read, and 35 s of rest', figure, unit: 's' }]
}

/** What reading the past took. */
async function memory(septet: SeptetProcess): Promise<Figure[]> {
  const { own, postgres } = await memoryOf(septet.pid)
  return [
    { name: 'resident memory of the server process', figure: own, unit: 'MiB', aim: '≤ 768 MiB' },
    { name: 'memory of PostgreSQL, shared pages counted once', figure: postgres, unit: 'MiB' },
  ]
}

/** Whether the metrics engine's past is still on its way into the store. */
async function isReading(septet: SeptetProcess): Promise<boolean> {
  const answer = await fetch(`${septet.url}/api/v1/clusters`)
  const { clusters } = OPERATIONS.clustersList.output.parse(await answer.json())
  return clusters[0]?.history !== null
}

const STEADY_MS = 120_000

/** What it goes on taking when nobody asks: steady only where nothing of the past is left to read, and named for that. */
async function steady(septet: SeptetProcess): Promise<Figure[]> {
  const before = await processorSecondsOf(septet.pid)
  await sleep(STEADY_MS)
  const used = (await processorSecondsOf(septet.pid)) - before
  const { own } = await memoryOf(septet.pid)
  const when = (await isReading(septet)) ? 'while the past is still read' : 'steady'
  const over = `over ${STEADY_MS / 1000} s`
  return [
    { name: `resident memory, ${when}`, figure: own, unit: 'MiB', aim: '≤ 512 MiB' },
    {
      name: `processor time, ${when}`,
      figure: (used * 1000) / STEADY_MS,
      unit: 'cores',
      aim: '≤ 0.25 of a core',
      note: over,
    },
    ...(await stages(septet)),
  ]
}

const STAGE_AIMS = { analyze: '≤ 2 s', recommend: '≤ 5 s' }

async function stages(septet: SeptetProcess): Promise<Figure[]> {
  const text = await (await fetch(`${septet.url}/metrics`)).text()
  return Object.entries(STAGE_AIMS).flatMap(([stage, aim]) => {
    const mean = stageSeconds(text, stage)
    if (mean === undefined) return []
    return [{ name: `one turn of ${stage}, mean`, figure: mean.seconds, unit: 's', note: `${mean.turns} turns`, aim }]
  })
}

/** Mean seconds of a pipeline stage in a /metrics text; undefined before its first turn. */
function stageSeconds(metrics: string, stage: string): { seconds: number; turns: number } | undefined {
  const value = (suffix: string): number =>
    Number(
      new RegExp(`^septet_stage_duration_seconds_${suffix}\\{[^}]*stage="${stage}".* (\\S+)$`, 'mu').exec(
        metrics,
      )?.[1] ?? 0,
    )
  const turns = value('count')
  return turns === 0 ? undefined : { seconds: value('sum') / turns, turns }
}
