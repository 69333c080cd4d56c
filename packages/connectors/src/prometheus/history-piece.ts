import { type Measure, MEASURES, type SampleField, type Span, SPAN_SECONDS } from '@septet/domain'

import { type DcgmMetric, DCGM_METRICS } from '../dcgm/dcgm-metric.ts'
import { type DeviceLabels, readDeviceLabels } from '../dcgm/device-labels.ts'
import { readValue, saysNone } from '../dcgm/read-value.ts'
import type { ScaleMemory } from '../dcgm/scale-memory.ts'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import type { QuerySeries } from './prometheus-answer.ts'
import type { PrometheusClient } from './prometheus-client.ts'

/** Some buckets, by the starts of the oldest and the newest, in milliseconds; asked for once per matcher. */
export type HistoryPiece = {
  readonly span: Span
  readonly from: number
  readonly last: number
  readonly matchers: readonly string[]
}

/** What the engine has of one series: a few figures per bucket, by the bucket's start. */
export type SeriesHistory = { readonly labels: DeviceLabels; readonly cells: Map<number, Cell> }

/** Samples counted and the statistics of one bucket, in the units of the fields. */
export type Cell = { [K in Statistic]?: number }
/** What is kept of the fields, GPU_UTIL that finds stuck counters, and how many samples busy and GPU_UTIL had. */
export type Statistic = Measure['name'] | 'kernelTime' | 'count' | 'kernelCount'

type Source = {
  readonly client: PrometheusClient
  readonly scales: ScaleMemory
  readonly names: ReadonlySet<string>
  readonly signal: AbortSignal
  readonly stopped: () => boolean
}

export type Gathered =
  | { readonly kind: 'gathered'; readonly series: readonly SeriesHistory[] }
  | { readonly kind: 'too-big'; readonly buckets: number }

type Question = { readonly field: SampleField; readonly how: 'avg' | 'max' | 'count'; readonly into: Statistic }

const HOW = { mean: 'avg', peak: 'max' } as const
const QUESTIONS: readonly Question[] = [
  ...MEASURES.map(({ name, field, fold }) => ({ field, how: HOW[fold], into: name })),
  { field: 'busy', how: 'count', into: 'count' },
  { field: 'kernelTime', how: 'avg', into: 'kernelTime' },
]

/** Asks all questions about one piece; answers `too-big` when the engine or our limits want it smaller. */
export async function gatherHistory(piece: HistoryPiece, source: Source): Promise<Gathered> {
  const buckets = 1 + (piece.last - piece.from) / (SPAN_SECONDS[piece.span] * 1000)
  const series = new Map<string, SeriesHistory>()
  try {
    for (const question of QUESTIONS) await ask(question, piece, { ...source, series })
    if (lacksBusy(series)) {
      await ask({ field: 'kernelTime', how: 'count', into: 'kernelCount' }, piece, { ...source, series })
    }
    return { kind: 'gathered', series: [...series.values()] }
  } catch (error) {
    if (!isTooBig(error)) throw error
    if (buckets > 1) return { kind: 'too-big', buckets }
    if (piece.matchers !== ALL_AT_ONCE) throw error
    return gatherHistory({ ...piece, matchers: BY_INDEX }, source)
  }
}

/** What a query is limited to: nothing. */
export const ALL_AT_ONCE: readonly string[] = ['']
/** A node has at most 16 GPUs; the last one catches whatever calls itself otherwise. */
const INDEXES = Array.from({ length: 16 }, (_, index) => String(index))
export const BY_INDEX: readonly string[] = [
  ...INDEXES.map((index) => `{gpu="${index}"}`),
  `{gpu!~"${INDEXES.join('|')}"}`,
]

const isTooBig = (error: unknown): boolean =>
  error instanceof TelemetryError && ['limit', 'too-large', 'timeout'].includes(error.code)

const lacksBusy = (series: ReadonlyMap<string, SeriesHistory>): boolean =>
  [...series.values()].some(({ cells }) =>
    [...cells.values()].some((cell) => cell.kernelTime !== undefined && cell.busy === undefined),
  )

type Filling = Source & { readonly series: Map<string, SeriesHistory> }

async function ask(question: Question, piece: HistoryPiece, filling: Filling): Promise<void> {
  const metrics = DCGM_METRICS.filter(({ field, name }) => field === question.field && filling.names.has(name))
  for (const metric of metrics) {
    for (const matcher of piece.matchers) {
      if (filling.stopped()) return
      if (metric.scale === 'percent-or-ratio' && !filling.scales.settled(metric.name)) {
        await settleScale(metric, piece, { ...filling, matcher })
      }
      for (const found of await range(`${metric.name}${matcher}`, question.how, { piece, filling })) {
        put(found, { question, metric, span: piece.span, filling })
      }
    }
  }
}

/** Means of whole percentages look like ratios; maxima are values as they were exported. */
async function settleScale(
  metric: DcgmMetric,
  piece: HistoryPiece,
  filling: Filling & { matcher: string },
): Promise<void> {
  const found = await range(`${metric.name}${filling.matcher}`, 'max', { piece, filling })
  for (const series of found) for (const { value } of series.samples) filling.scales.observe(metric.name, value)
}

/** The range function looks back from each point, so a bucket's figure stands at the bucket's end. */
function range(
  selector: string,
  how: Question['how'],
  { piece, filling }: { piece: HistoryPiece; filling: Filling },
): Promise<QuerySeries[]> {
  const spanMs = SPAN_SECONDS[piece.span] * 1000
  const query = `${how}_over_time(${selector}[${piece.span}])`
  const times = { from: piece.from + spanMs, to: piece.last + spanMs, stepMs: spanMs }
  return filling.client.range({ query, ...times }, { signal: filling.signal })
}

type Place = {
  readonly question: Question
  readonly metric: DcgmMetric
  readonly span: Span
  readonly filling: Filling
}

function put(found: QuerySeries, { question, metric, span, filling }: Place): void {
  const { __name__: _, ...rest } = found.labels
  const key = JSON.stringify(rest)
  const labels = filling.series.get(key)?.labels ?? readDeviceLabels(rest)
  if (labels === undefined) return
  const { cells } = filling.series.get(key) ?? { cells: new Map<number, Cell>() }
  filling.series.set(key, { labels, cells })
  for (const { at, value } of found.samples) {
    const read = question.how === 'count' ? value : figureOf(metric, value, filling.scales)
    if (read === undefined) continue
    const start = at - SPAN_SECONDS[span] * 1000
    const cell = cells.get(start) ?? {}
    // Where both spellings are there, the older one was read first and stays.
    cell[question.into] ??= read
    cells.set(start, cell)
  }
}

function figureOf(metric: DcgmMetric, value: number, scales: ScaleMemory): number | undefined {
  const read = readValue(metric, value, scales)
  return read === undefined || saysNone(metric, read) ? undefined : read
}
