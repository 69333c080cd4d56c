import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../test/server-process.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { eventsOf } from './event-client.ts'
import { LARGE_DEMO } from './large-demo.ts'
import { machineLoad } from './machine-load.ts'
import { memoryOf } from './process-memory.ts'
import { quantile } from './quantile.ts'

const DASHBOARDS = 200
/** How often each asks again: the pace at which readings change what is shown. */
const EVERY_MS = 15_000
/** What a dashboard that is open on Summary asks for. */
const ASKED = ['/api/v1/summary', '/api/v1/clusters', '/api/v1/utilization?range=24h', '/api/v1/alerts?limit=5']

/** 200 open dashboards on 10,000 GPUs, then three times as many requests as can be answered. */
export const benchmark: Benchmark = {
  name: 'load',
  description:
    'A real Septet on a demo cluster of 10,000 GPUs with 200 open dashboards, each with an event stream and four questions every 15 s; then three times as many requests as it can answer. PostgreSQL, the demo cluster and the dashboards run on the same machine.',
  onDemand: true,
  run: async ({ minutes = 5 }) => {
    const dataDir = await newDataDir()
    const load = machineLoad()
    const septet = await startSeptet({
      dataDir,
      environment: LARGE_DEMO,
    })
    try {
      const callers = await manyCallers(septet)
      await untilAnswered(septet, callers)
      return [load, ...(await openDashboards(septet, callers, minutes)), ...(await overCapacity(septet, callers))]
    } finally {
      await septet.stop()
      await removeDataDir(dataDir)
    }
  },
}

type Headers = { readonly authorization?: string }
type Answered = { readonly status: number; readonly ms: number }

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

const ask = (septet: SeptetProcess, path: string, headers: Headers): Promise<Answered> =>
  new Promise((resolve) => {
    const began = performance.now()
    const answered = (status: number) => resolve({ status, ms: performance.now() - began })
    get(`${septet.url}${path}`, { agent, headers }, (response) => {
      response.resume().once('end', () => answered(response.statusCode ?? 0))
    }).once('error', () => answered(0))
  })

/** As many as one account may have. */
const TOKENS = 100

/** Each caller has limits of its own. */
async function manyCallers(septet: SeptetProcess): Promise<readonly Headers[]> {
  const owner = await signIn(septet)
  const made: Headers[] = []
  for (let number = 0; number < TOKENS; number += 1) {
    const answer = await fetch(`${septet.url}/api/v1/tokens`, {
      method: 'POST',
      headers: { ...owner, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `dashboard-${number}` }),
    })
    if (!answer.ok) throw new Error(`no token was made: ${await answer.text()}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the contract says it answers
    const { secret } = (await answer.json()) as { secret: string }
    made.push({ authorization: `Bearer ${secret}` })
  }
  return made
}

const FIRST_WITHIN_MS = 120_000

async function untilAnswered(septet: SeptetProcess, [caller]: readonly Headers[]): Promise<void> {
  if (caller === undefined) throw new Error('nobody asks')
  const began = performance.now()
  while ((await ask(septet, ASKED[0] ?? '', caller)).status !== 200) {
    if (performance.now() - began > FIRST_WITHIN_MS) throw new Error('no summary came in time')
    await sleep(500)
  }
}

async function openDashboards(
  septet: SeptetProcess,
  callers: readonly Headers[],
  minutes: number,
): Promise<readonly Figure[]> {
  const dashboards = Array.from({ length: DASHBOARDS }, (_, order) => callers[order % callers.length] ?? {})
  const streams = await Promise.all(dashboards.map((headers) => eventsOf(`${septet.url}/api/v1/events`, headers)))
  const before = (await memoryOf(septet.pid)).own
  const until = performance.now() + minutes * 60_000
  const [answers, probes] = await Promise.all([
    Promise.all(dashboards.map((headers, order) => dashboard(septet, headers, { order, until }))),
    probing(septet, until),
  ])
  for (const stream of streams) stream.close()
  const all = answers.flat()
  const note = `${all.length} requests over ${minutes} min`
  return [
    {
      name: '200 dashboards: requests that failed',
      figure: all.filter(({ status }) => status !== 200).length,
      unit: 'requests',
      aim: '0',
      note,
    },
    {
      name: '200 dashboards: answers, p99',
      figure: quantile(timesOf(all), 0.99),
      unit: 'ms',
      baseline: { name: 'p50', figure: quantile(timesOf(all), 0.5) },
      aim: '≤ 50 ms',
      note,
    },
    { name: '200 dashboards: /healthz, p99', figure: quantile(probes, 0.99), unit: 'ms' },
    {
      name: '200 dashboards: memory of the server process after',
      figure: (await memoryOf(septet.pid)).own,
      unit: 'MiB',
      baseline: { name: 'before', figure: before },
    },
  ]
}

async function dashboard(
  septet: SeptetProcess,
  headers: Headers,
  { order, until }: { readonly order: number; readonly until: number },
): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  await sleep((order * EVERY_MS) / DASHBOARDS)
  while (performance.now() < until) {
    const next = performance.now() + EVERY_MS
    answers.push(...(await Promise.all(ASKED.map((path) => ask(septet, path, headers)))))
    await sleep(Math.max(0, Math.min(next, until) - performance.now()))
  }
  return answers
}

const PROBE_MS = 250

async function probing(septet: SeptetProcess, until: number): Promise<readonly number[]> {
  const times: number[] = []
  while (performance.now() < until) {
    times.push((await ask(septet, '/healthz', {})).ms)
    await sleep(PROBE_MS)
  }
  return times
}

const CAPACITY_CLIENTS = 32
const CAPACITY_MS = 15_000
const OVER = 3
const OVER_MS = 20_000

/** Capacity is what callers get who ask again as soon as they are answered; then requests come three times as fast. */
async function overCapacity(septet: SeptetProcess, callers: readonly Headers[]): Promise<readonly Figure[]> {
  const capacity = await answeredPerSecond(septet, callers.slice(0, CAPACITY_CLIENTS))
  const until = performance.now() + OVER_MS
  const [answers, probes] = await Promise.all([
    offered(septet, callers, { perSecond: OVER * capacity, until }),
    probing(septet, until),
  ])
  const admitted = answers.filter(({ status }) => status === 200)
  const told = answers.filter(({ status }) => status === 429 || status === 503)
  const note = `${Math.round(OVER * capacity)} requests a second for ${OVER_MS / 1000} s`
  return [
    { name: 'GET /api/v1/summary: capacity', figure: Math.round(capacity), unit: 'requests/s' },
    {
      name: 'three times capacity: answered, p99',
      figure: quantile(timesOf(admitted), 0.99),
      unit: 'ms',
      aim: '≤ 1,000 ms',
      note: `${admitted.length} answered, ${told.length} refused with 429 or 503; ${note}`,
    },
    {
      name: 'three times capacity: neither answered nor refused',
      figure: answers.length - admitted.length - told.length,
      unit: 'requests',
      aim: '0',
      note,
    },
    { name: 'three times capacity: /healthz, p99', figure: quantile(probes, 0.99), unit: 'ms', aim: '≤ 100 ms' },
  ]
}

async function answeredPerSecond(septet: SeptetProcess, callers: readonly Headers[]): Promise<number> {
  const until = performance.now() + CAPACITY_MS
  const counts = await Promise.all(
    callers.map(async (headers) => {
      let count = 0
      while (performance.now() < until) {
        if ((await ask(septet, '/api/v1/summary', headers)).status === 200) count += 1
      }
      return count
    }),
  )
  return (counts.reduce((sum, count) => sum + count, 0) * 1000) / CAPACITY_MS
}

async function offered(
  septet: SeptetProcess,
  callers: readonly Headers[],
  { perSecond, until }: { readonly perSecond: number; readonly until: number },
): Promise<readonly Answered[]> {
  const asked: Promise<Answered>[] = []
  const began = performance.now()
  while (performance.now() < until) {
    const due = ((performance.now() - began) * perSecond) / 1000
    while (asked.length < due) {
      const headers = callers[asked.length % callers.length]
      if (headers !== undefined) asked.push(ask(septet, '/api/v1/summary', headers))
    }
    await sleep(5)
  }
  return Promise.all(asked)
}

const timesOf = (answers: readonly Answered[]): readonly number[] => answers.map(({ ms }) => ms)
