import { setTimeout as sleep } from 'node:timers/promises'

import { newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../test/server-process.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { LARGE_DEMO } from './large-demo.ts'
import { machineLoad } from './machine-load.ts'
import { mainThreadSecondsOf } from './process-memory.ts'
import { quantile } from './quantile.ts'
import { steadily } from './steadily.ts'

const PER_SECOND = 50
const STRETCH_SECONDS = 4
const READY_WITHIN_MS = 300_000

/** What agents ask, each with what it costs most with. */
const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  fleet_summary: { range: '7d' },
  utilization_trend: { range: '7d' },
  list_workloads: { range: '7d', limit: 50 },
  explain_queue: {},
  cost_breakdown: { range: '7d' },
  find_problems: {},
  inspect_gpus: { profile: '1g.20gb' },
  list_recommendations: {},
  savings_and_actions: {},
  search: { query: 'h100' },
}
const BASELINE = 'ping'

/** How long an agent waits for a tool. */
export const benchmark: Benchmark = {
  name: 'agent-calls',
  description: `Calls to each read tool over MCP, ${PER_SECOND} a second, to a Septet that also watches a demo cluster of 1,250 nodes and 10,000 GPUs; each timed from when it was due. For comparison: a ping, which asks nothing.`,
  onDemand: true,
  run: async () => {
    const load = machineLoad()
    const dataDir = await newDataDir()
    const septet = await startSeptet({ dataDir, environment: { ...LARGE_DEMO, SEPTET_HISTORY_DAYS: '8' } })
    try {
      const call = await ready(septet)
      const figures: Figure[] = []
      const ping = await measured(septet, () => call('ping', {}))
      for (const [name, given] of Object.entries(CALLS)) {
        const params = { name, arguments: given }
        await steadily(PER_SECOND, 1, () => call('tools/call', params))
        figures.push(...figuresOf(name, await measured(septet, () => call('tools/call', params)), ping))
      }
      return [load, ...figures]
    } finally {
      await septet.stop()
      await removeDataDir(dataDir)
    }
  },
}

type Measured = { readonly times: readonly number[]; readonly lost: number; readonly milliseconds: number }

async function measured(septet: SeptetProcess, ask: () => Promise<boolean>): Promise<Measured> {
  const before = await mainThreadSecondsOf(septet.pid)
  const all = await steadily(PER_SECOND, STRETCH_SECONDS, ask)
  const seconds = (await mainThreadSecondsOf(septet.pid)) - before
  const times = all.filter((time) => time !== undefined)
  return { times, lost: all.length - times.length, milliseconds: (1000 * seconds) / all.length }
}

const figuresOf = (name: string, of: Measured, ping: Measured): Figure[] => [
  {
    name: `${name}, p99`,
    figure: quantile(of.times, 0.99),
    unit: 'ms',
    baseline: { name: BASELINE, figure: quantile(ping.times, 0.99) },
    aim: '≤ 100 ms',
    note: `${of.times.length} answers, ${of.lost} lost; p50 ${quantile(of.times, 0.5).toFixed(1)} ms`,
  },
  {
    name: `${name}, processor time of the main thread`,
    figure: of.milliseconds,
    unit: 'ms a call',
    baseline: { name: BASELINE, figure: ping.milliseconds },
    aim: `≤ ${1000 / PER_SECOND} ms, or ${PER_SECOND} a second cannot be answered`,
  },
]

type Call = (method: string, params: object) => Promise<boolean>

/** Resolves when the fleet was read, so that there is something to answer. */
async function ready(septet: SeptetProcess): Promise<Call> {
  const { authorization } = await signIn(septet)
  const call: Call = async (method, params) => {
    const answer = await fetch(`${septet.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const text = await answer.text()
    return answer.status === 200 && text.includes('"result"') && !text.includes('"isError":true')
  }
  const began = performance.now()
  const answersAll = async (): Promise<boolean> => {
    for (const [name, given] of Object.entries(CALLS)) {
      if (!(await call('tools/call', { name, arguments: given }))) return false
    }
    return true
  }
  while (!(await answersAll())) {
    if (performance.now() - began > READY_WITHIN_MS) throw new Error('The fleet was not read in time.')
    await sleep(1000)
  }
  return call
}
