import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

import {
  DAY_MS,
  DEFAULT_POLICY,
  enrichHistory,
  historyContext,
  type HistoricUsage,
  instant,
  markIdle,
  type Span,
  SPAN_SECONDS,
  type UsageRow,
} from '@septet/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  type Engine,
  importIntoVictoriaMetrics,
  startPrometheus,
  startVictoriaMetrics,
} from '../../../../test/metrics-engines.ts'
import { publishedTraces, systemTool, without } from '../../../../test/system-tools.ts'
import { openPrometheus } from './open-prometheus.ts'

const prometheus = systemTool('prometheus', 'prometheus')
const promtool = systemTool('promtool', 'prometheus')
const victoria = systemTool('victoria-metrics', 'victoria-metrics')
const idle = DEFAULT_POLICY.idle

const NOW = Date.UTC(2026, 0, 15)
const START = NOW - 2 * DAY_MS

/** A scrape interval that was made twice as short in the middle of the two days. */
const intervalAt = (at: number): number => (at < NOW - DAY_MS - 40 * 60_000 ? 60_000 : 30_000)

/** Whether a GPU works in a slot of five minutes, and whether its samples are lost: both by a fixed draw. */
const drawn = (gpu: number, slot: number): number => {
  const mixed = Math.imul((slot + 1) * 2_654_435_761 + gpu * 40_503, 2_246_822_519) >>> 0
  return mixed / 2 ** 32
}
const worksIn = (gpu: number, slot: number): boolean => drawn(gpu, Math.floor(slot / (3 + 2 * gpu))) < 0.5
const isLost = (gpu: number, slot: number): boolean => drawn(gpu + 100, slot) < 0.02

const GPUS = [0, 1, 2, 3]
const NAME = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'
const labelsOf = (gpu: string | number): string =>
  `gpu="${gpu}",UUID="GPU-${gpu}",modelName="NVIDIA H100 80GB HBM3",Hostname="n",namespace="t",pod="p-${gpu}",container="c"`

function history(stamp: (at: number) => string): string {
  const lines: string[] = publishedDay(stamp)
  for (const gpu of GPUS) {
    const labels = labelsOf(gpu)
    // The first sample after a slot's beginning: what lies on the beginning itself belongs to the slot before.
    for (let at = START + 30_000; at <= NOW; at += intervalAt(at)) {
      const slot = Math.ceil(at / 300_000)
      if (!isLost(gpu, slot)) lines.push(`${NAME}{${labels}} ${worksIn(gpu, slot) ? 0.7 : 0.01} ${stamp(at)}\n`)
    }
  }
  return lines.join('')
}

const traces = publishedTraces()
const PUBLISHED = 'pod-'

/** GenTD26: one real day of 95 inference pods, each on a GPU, a sample a minute; the second of the two days. */
function publishedDay(stamp: (at: number) => string): string[] {
  if (traces === undefined) return []
  const file = readFileSync(new URL('gentd26-2026/pod_gpu_duty_cycle_anon.csv.gz', traces))
  const rows = gunzipSync(file)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
  const pods = [...new Set(rows.map(([, , pod]) => pod))]
  const steps = [...new Set(rows.map(([step]) => Number(step)))].toSorted((a, b) => a - b)
  const minute = new Map(steps.map((step, order) => [step, order]))
  return rows.map(([step, percent, pod]) => {
    const at = NOW - DAY_MS + 30_000 + (minute.get(Number(step)) ?? 0) * 60_000
    return `${NAME}{${labelsOf(PUBLISHED + pods.indexOf(pod))}} ${Number(percent) / 100} ${stamp(at)}\n`
  })
}

async function pastOf(url: string, span: Span): Promise<readonly UsageRow[]> {
  const rows: HistoricUsage[] = []
  const window = { from: instant(START), to: instant(NOW) }
  for await (const batch of openPrometheus({ url }).history({ window, span, idle })) rows.push(...batch.usage)
  return enrichHistory({ usage: rows, covers: () => true }, historyContext(undefined))
}

/** Idle seconds by GPU and day. */
function idleByDay(rows: readonly UsageRow[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { gpu, at, idle: seconds } of rows) {
    const key = `${gpu} ${Math.floor(at / DAY_MS) - START / DAY_MS}`
    sums[key] = (sums[key] ?? 0) + seconds
  }
  return sums
}

const pastsOf = (url: string): Promise<readonly (readonly UsageRow[])[]> =>
  Promise.all([pastOf(url, '5m'), pastOf(url, '1h'), pastOf(url, '1d')])

const isPublished = ({ gpu }: UsageRow): boolean => gpu.startsWith(`GPU-${PUBLISHED}`)

const idleHours = (rows: readonly UsageRow[]): number =>
  rows.reduce((sum, { idle: seconds }) => sum + seconds, 0) / 3600

/** Idle hours of the published day by the rule, and as read at five minutes, an hour and a day. */
function publishedIdle(pasts: readonly (readonly UsageRow[])[]): { readonly rule: number; readonly read: number[] } {
  const [fine = [], ...wider] = pasts.map((rows) => rows.filter(isPublished))
  return { rule: idleHours(markIdle(fine, idle)), read: [fine, ...wider].map(idleHours) }
}

/** The largest share by which idle seconds of a GPU and day differ from the rule's, read at any width. */
function worstDifference(pasts: readonly (readonly UsageRow[])[]): number {
  const [fine = [], hourly = [], daily = []] = pasts.map((rows) => rows.filter((row) => !isPublished(row)))
  // By the rule itself, bucket by bucket.
  const marked = markIdle(fine, idle)
  const differing = marked.filter((row, order) => row.idle !== fine[order]?.idle)
  expect(differing.length).toBeLessThanOrEqual(0.005 * fine.length)
  const truth = Object.entries(idleByDay(marked))
  expect(truth).toHaveLength(2 * GPUS.length)
  expect(Math.min(...truth.map(([, seconds]) => seconds))).toBeGreaterThan(10_000)
  const sums = [fine, hourly, daily].map(idleByDay)
  return Math.max(
    ...sums.flatMap((found) => truth.map(([key, seconds]) => Math.abs((found[key] ?? 0) - seconds) / seconds)),
  )
}

/** What was seen of each GPU: all of the time but the slots whose samples are lost, at either interval. */
const allSeen = GPUS.map((gpu) => {
  const slots = Array.from({ length: 576 }, (_, order) => START / 300_000 + 1 + order)
  return slots.filter((slot) => !isLost(gpu, slot)).length * SPAN_SECONDS['5m']
})

function seenOf([, rows = []]: readonly (readonly UsageRow[])[]): number[] {
  return GPUS.map((gpu) => rows.reduce((sum, row) => sum + (row.gpu === `GPU-${gpu}` ? Math.round(row.present) : 0), 0))
}

describe.each([
  {
    name: `Prometheus${without(prometheus, 'prometheus')}`,
    isMissing: prometheus === undefined,
    start: () =>
      startPrometheus({
        binary: prometheus ?? '',
        promtool: promtool ?? '',
        history: `${history((at) => String(at / 1000))}# EOF\n`,
      }),
  },
  {
    name: `VictoriaMetrics${without(victoria, 'victoria-metrics')}`,
    isMissing: victoria === undefined,
    start: async () => {
      const engine = await startVictoriaMetrics(victoria ?? '')
      await importIntoVictoriaMetrics(
        engine,
        history((at) => String(at)),
      )
      return engine
    },
  },
])('$name', ({ isMissing, start }) => {
  let engine: Engine | undefined
  let pasts: readonly (readonly UsageRow[])[] = []
  beforeAll(async () => {
    if (isMissing) return
    engine = await start()
    pasts = await pastsOf(engine.url)
  })
  afterAll(() => engine?.stop())

  it.skipIf(isMissing)('tells the same idle time at five minutes, an hour and a day', () => {
    expect(worstDifference(pasts)).toBeLessThan(0.02)
  })
  it.skipIf(isMissing)('tells the same hours before and after the scrape interval changed', () => {
    expect(seenOf(pasts)).toEqual(allSeen)
  })
  it.skipIf(isMissing || traces === undefined)('tells the same idle time of a published day at any width', () => {
    const { rule, read } = publishedIdle(pasts)
    expect(rule).toBeGreaterThan(500)
    for (const hours of read) expect(Math.abs(hours / rule - 1)).toBeLessThan(0.01)
  })
})
