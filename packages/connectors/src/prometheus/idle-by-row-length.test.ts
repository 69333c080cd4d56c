import {
  DAY_MS,
  DEFAULT_POLICY,
  enrichHistory,
  historyContext,
  type HistoricUsage,
  instant,
  markIdle,
  type Span,
  type UsageRow,
} from '@septet/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  type Engine,
  importIntoVictoriaMetrics,
  startPrometheus,
  startVictoriaMetrics,
} from '../../../../test/metrics-engines.ts'
import { systemTool, without } from '../../../../test/system-tools.ts'
import { openPrometheus } from './open-prometheus.ts'

const prometheus = systemTool('prometheus', 'prometheus')
const promtool = systemTool('promtool', 'prometheus')
const victoria = systemTool('victoria-metrics', 'victoria-metrics')
const idle = DEFAULT_POLICY.idle

const MINUTE_MS = 60_000
const SLOT_MS = 5 * MINUTE_MS
const NOW = Date.UTC(2026, 0, 15)
const START = NOW - 5 * DAY_MS
const MODEL = 'NVIDIA H100 80GB HBM3'
const BUSY = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'

/** How a GPU is told; the scrape interval of each is halved at some time, and samples stop for minutes to hours. */
const GPUS = [
  { name: 'steady', worst: { lost: 0, stuck: false, restarts: false } },
  { name: 'restarted', worst: { lost: 0, stuck: false, restarts: true } },
  { name: 'lossy', worst: { lost: 0.75, stuck: false, restarts: false } },
  { name: 'stuck', worst: { lost: 0, stuck: true, restarts: false } },
  { name: 'everything', worst: { lost: 0.5, stuck: true, restarts: true } },
] as const

type Sample = {
  readonly at: number
  readonly gpu: string
  readonly pod: string
  readonly exporter: number
  readonly busy: number
  readonly kernelTime: number
}

/** The same numbers from 0 to 1 for the same seed. */
function drawFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) >>> 0
    return (Math.imul(state ^ (state >>> 13), 0x5bd1e995) >>> 0) / 2 ** 32
  }
}

/** Turns that last from so many to so many minutes, short ones as likely as long ones; the name of each counts up. */
function turns(draw: () => number, lengthOf: (turn: number) => readonly [number, number]): (at: number) => number {
  let [turn, until] = [-1, START]
  return (at) => {
    for (; at >= until; turn++) {
      const [shortest, longest] = lengthOf(turn + 1)
      until += shortest * (longest / shortest) ** draw() * MINUTE_MS
    }
    return turn
  }
}

/** Pods come and go, with free time between; work and idle stretches of 10 minutes to 3 days alternate beneath them. */
function samplesOf({ name, worst }: (typeof GPUS)[number], order: number): Sample[] {
  const draw = drawFrom(order + 1)
  const holding = turns(draw, (turn) => (turn % 3 === 2 ? [10, 300] : [20, 4000]))
  const working = turns(draw, (turn) => (turn % 2 === 0 ? [3, 600] : [10, 4320]))
  const scraping = turns(draw, (turn) => (turn % 2 === 0 ? [300, 2000] : [2, 200]))
  const exporting = turns(draw, () => [700, 3000])
  const sticking = turns(draw, () => [200, 2000])
  const found: Sample[] = []
  for (let at = START + 1500 + order * 7000; at <= NOW; at += at > NOW - 2.4 * DAY_MS ? 30_000 : MINUTE_MS) {
    const [holder, isWorking] = [holding(at), working(at) % 2 === 0]
    const [exporter, isStuck] = [worst.restarts ? exporting(at) : 0, worst.stuck && sticking(at) % 2 === 1]
    if (scraping(at) % 2 === 1 || draw() < worst.lost) continue
    const load = loadOf(isWorking, draw)
    found.push({ ...load, ...(isStuck ? { busy: 0 } : {}), at, gpu: name, pod: podOf(name, holder), exporter })
  }
  return found
}

const podOf = (gpu: string, turn: number): string => (turn % 3 === 2 ? '' : `${gpu}-${turn}`)

function loadOf(isWorking: boolean, draw: () => number): Pick<Sample, 'busy' | 'kernelTime'> {
  const busy = isWorking ? 0.2 + 0.7 * draw() : 0.01
  return { busy, kernelTime: isWorking ? busy : 0 }
}

const SAMPLES = GPUS.flatMap(samplesOf)

function history(stamp: (at: number) => string): string {
  const told = SAMPLES.map(({ at, gpu, pod, exporter, busy, kernelTime }) => {
    const holder = pod === '' ? '' : `,namespace="t",pod="${pod}",container="c"`
    const index = GPUS.findIndex(({ name }) => name === gpu)
    const labels = `{gpu="${index}",UUID="${gpu}",modelName="${MODEL}",Hostname="n",instance="10.0.0.${exporter}:9400"${holder}}`
    return [
      `${BUSY}${labels} ${busy} ${stamp(at)}\n`,
      `DCGM_FI_DEV_GPU_UTIL${labels} ${Math.round(100 * kernelTime)} ${stamp(at)}\n`,
    ]
  })
  return told.map(([busy]) => busy).join('') + told.map(([, kernelTime]) => kernelTime).join('')
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The rule itself over five-minute buckets that are made of the samples; one with a stuck counter tells nothing. */
function ruled(): UsageRow[] {
  const buckets = Map.groupBy(SAMPLES, ({ gpu, at }) => `${gpu} ${Math.ceil(at / SLOT_MS)}`)
  const rows = [...buckets.values()].flatMap((bucket) =>
    [...Map.groupBy(bucket, ({ pod }) => pod).values()].map((mine) => {
      const busy = meanOf(mine.map((sample) => sample.busy))
      const seconds = (300 * mine.length) / bucket.length
      const isStuck = busy === 0 && meanOf(mine.map(({ kernelTime }) => Math.round(100 * kernelTime))) >= 5
      return historic(mine[0], { busy, observedSeconds: seconds, stuckSeconds: isStuck ? seconds : 0 })
    }),
  )
  return markIdle(enrichHistory({ usage: rows, covers: () => true }, historyContext(undefined)), idle)
}

type Counted = Pick<HistoricUsage, 'busy' | 'observedSeconds' | 'stuckSeconds'>
function historic(sample: Sample | undefined, counted: Counted): HistoricUsage {
  if (sample === undefined) throw new Error('a bucket holds at least one sample')
  const { at, gpu, pod } = sample
  return {
    ...NOTHING,
    ...counted,
    at: instant((Math.ceil(at / SLOT_MS) - 1) * SLOT_MS),
    gpu,
    pod,
    namespace: pod === '' ? '' : 't',
  }
}
const NOTHING = {
  span: '5m',
  node: 'n',
  index: 0,
  modelName: MODEL,
  instance: undefined,
  owner: undefined,
  idleSeconds: 0,
  busyPeak: undefined,
  effective: undefined,
  memoryUsed: undefined,
  memoryPeak: undefined,
  power: undefined,
  memoryTemperature: undefined,
  kernelTime: undefined,
} as const

async function pastOf(url: string, span: Span): Promise<readonly UsageRow[]> {
  const rows: HistoricUsage[] = []
  const window = { from: instant(START), to: instant(NOW) }
  for await (const batch of openPrometheus({ url }).history({ window, span, idle })) rows.push(...batch.usage)
  return enrichHistory({ usage: rows, covers: () => true }, historyContext(undefined))
}

/** By GPU, and of all. */
function idleHours(rows: readonly UsageRow[]): Record<string, number> {
  const hours: Record<string, number> = { all: 0 }
  for (const { gpu, idle: seconds } of rows) {
    for (const key of [gpu, 'all']) hours[key] = (hours[key] ?? 0) + seconds / 3600
  }
  return hours
}

/** By how many percent the idle hours of each GPU, and of all, differ from the rule's. */
function differences(rows: readonly UsageRow[]): Record<string, number> {
  const [found, rule] = [idleHours(rows), idleHours(TRUTH)]
  return Object.fromEntries(Object.entries(rule).map(([key, hours]) => [key, 100 * ((found[key] ?? 0) / hours - 1)]))
}
const TRUTH = ruled()

describe.each([
  {
    name: `Prometheus${without(prometheus, 'prometheus')}`,
    isMissing: prometheus === undefined,
    start: () => {
      const text = `${history((at) => String(at / 1000))}# EOF\n`
      return startPrometheus({ binary: prometheus ?? '', promtool: promtool ?? '', history: text })
    },
  },
  {
    name: `VictoriaMetrics${without(victoria, 'victoria-metrics')}`,
    isMissing: victoria === undefined,
    start: async () => {
      const engine = await startVictoriaMetrics(victoria ?? '')
      await importIntoVictoriaMetrics(engine, history(String))
      return engine
    },
  },
])('$name', ({ isMissing, start }) => {
  let engine: Engine | undefined
  beforeAll(async () => {
    if (!isMissing) engine = await start()
  })
  afterAll(() => engine?.stop())

  it.skipIf(isMissing).each([
    // What was reached, in percent.
    { span: '5m', reached: '+0.04' },
    { span: '1h', reached: '−0.01' },
    { span: '1d', reached: '−0.01' },
  ] as const)('tells the idle time of the rule within 1 % by rows of $span (reached: $reached %)', async ({ span }) => {
    expect(Math.min(...Object.values(idleHours(TRUTH)))).toBeGreaterThan(20)
    const { all = NaN, ...byGpu } = differences(await pastOf(engine?.url ?? '', span))
    expect(Math.abs(all)).toBeLessThan(1)
    for (const percent of Object.values(byGpu)) expect(Math.abs(percent)).toBeLessThan(2)
  })
})
