import {
  type IdlePolicy,
  type Measure,
  MEASURES,
  ratio,
  type SampleField,
  type Span,
  SPAN_SECONDS,
  VISIBLE_WORK,
} from '@septet/domain'
import { type DeviceMetric, DEVICE_METRICS, tells } from '../dcgm/device-metric.ts'
import type { DeviceLabels } from '../dcgm/device-labels.ts'
import { readDeviceLabels } from '../dcgm/read-device-labels.ts'
import { type ScaleMemory, readValue, saysNone } from '../dcgm/scale-memory.ts'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import type { QuerySeries } from './prometheus-answer.ts'
import { idleSlotsQuery, type Judged, slotsQuery, stuckSlotsQuery } from './idle-query.ts'
import type { PrometheusClient } from './prometheus-client.ts'

/** Some buckets, by the starts of the oldest and the newest, in milliseconds; asked for once per matcher. */
export type HistoryPiece = {
  readonly span: Span
  readonly from: number
  readonly last: number
  readonly matchers: readonly string[]
  readonly idle: IdlePolicy
}

/**
 * What the engine has of one series: for each statistic, in the units of the fields, one figure per bucket of the piece from
 * the oldest on. NaN where it tells none.
 */
export type SeriesHistory = {
  readonly labels: DeviceLabels
  readonly columns: { [K in HistoryStatistic]?: Float64Array }
}

/**
 * What is kept of the fields, GPU_UTIL that finds stuck counters, and of busy, or of GPU_UTIL where it stands in: how many
 * samples there were, in how many slots of five minutes, in how many of these the counter was stuck, and how many were idle.
 */
export type HistoryStatistic = Measure['name'] | 'kernelTime' | 'count' | 'slots' | 'stuckSlots' | 'idleSlots'

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

type Question = {
  readonly field: SampleField
  readonly how: 'avg' | 'max' | 'count' | 'slots' | 'stuck' | 'idle'
  readonly into: HistoryStatistic
}

const COUNTS: ReadonlySet<Question['how']> = new Set(['count', 'slots', 'stuck', 'idle'])
const HOW = { mean: 'avg', peak: 'max' } as const
const QUESTIONS: readonly Question[] = [
  ...MEASURES.map(({ name, field, fold }) => ({ field, how: HOW[fold], into: name })),
  { field: 'kernelTime', how: 'avg', into: 'kernelTime' },
]
const seenOf = (field: SampleField): readonly Question[] => [
  { field, how: 'count', into: 'count' },
  { field, how: 'slots', into: 'slots' },
  { field, how: 'stuck', into: 'stuckSlots' },
  { field, how: 'idle', into: 'idleSlots' },
]

/** Asks all questions about one piece; answers `too-big` when the engine or our limits want it smaller. */
export async function gatherHistory(piece: HistoryPiece, source: Source): Promise<Gathered> {
  const buckets = 1 + (piece.last - piece.from) / (SPAN_SECONDS[piece.span] * 1000)
  const series = new Map<string, SeriesHistory>()
  try {
    for (const question of [...QUESTIONS, ...seenOf('busy')]) await ask(question, piece, { ...source, series })
    // What busy has told stays; GPU_UTIL stands in for the rest.
    if (lacksBusy(series)) {
      for (const question of seenOf('kernelTime')) await ask(question, piece, { ...source, series })
    }
    return { kind: 'gathered', series: [...series.values()] }
  } catch (error) {
    if (!isTooBig(error)) throw error
    if (buckets > 1) return { kind: 'too-big', buckets }
    if (piece.matchers !== ALL_AT_ONCE) throw error
    return gatherHistory({ ...piece, matchers: BY_INDEX.map(({ matcher }) => matcher) }, source)
  }
}

/** What a query is limited to: nothing. */
export const ALL_AT_ONCE: readonly string[] = ['']
/** A node has at most 16 GPUs; the last one catches whatever calls itself otherwise. */
const INDEXES = Array.from({ length: 16 }, (_, index) => index)
/** GPUs of one index each: what selects their series, and which they are. */
export const BY_INDEX: ReadonlyArray<{ readonly matcher: string; readonly covers: (index: number) => boolean }> = [
  ...INDEXES.map((mine) => ({ matcher: `{gpu="${mine}"}`, covers: (index: number) => index === mine })),
  { matcher: `{gpu!~"${INDEXES.join('|')}"}`, covers: (index) => index >= INDEXES.length },
]

const isTooBig = (error: unknown): boolean =>
  error instanceof TelemetryError && ['limit', 'too-large', 'timeout'].includes(error.code)

const lacksBusy = (series: ReadonlyMap<string, SeriesHistory>): boolean =>
  [...series.values()].some(({ columns: { kernelTime, busy } }) =>
    kernelTime?.some((value, bucket) => !Number.isNaN(value) && !isTold(busy, bucket)),
  )

const isTold = (column: Float64Array | undefined, bucket: number): boolean =>
  column !== undefined && !Number.isNaN(column[bucket])

type Filling = Source & { readonly series: Map<string, SeriesHistory> }

async function ask(question: Question, piece: HistoryPiece, filling: Filling): Promise<void> {
  const metrics = DEVICE_METRICS.filter(({ field, name }) => field === question.field && filling.names.has(name))
  for (const metric of metrics) {
    for (const matcher of piece.matchers) {
      if (filling.stopped()) return
      if (metric.scale === 'percent-or-ratio' && !filling.scales.settled(metric.name)) {
        await settleScale(metric, piece, { ...filling, matcher })
      }
      const query = queryOf(question, metric, { ...filling, matcher, piece })
      if (query === undefined) continue
      for (const found of await range(query, piece, filling)) {
        put(found, { question, metric, piece, filling })
      }
    }
  }
}

type Asked = Filling & { readonly matcher: string; readonly piece: HistoryPiece }

/** Undefined where there is nothing to ask. */
function queryOf({ how }: Question, metric: DeviceMetric, asked: Asked): string | undefined {
  const { matcher, scales, piece } = asked
  const { span, idle } = piece
  const selector = `${metric.name}${matcher}`
  if (how === 'slots') return slotsQuery(selector, span)
  if (how === 'stuck') return stuckSlotsQuery({ selector, against: againstOf(metric, asked) }, span)
  if (how !== 'idle') return `${how}_over_time(${selector}[${span}])`
  // What is stuck makes the question three times as dear, so it is asked only where something is.
  const judged: Judged = { selector, against: hasStuck(asked.series) ? againstOf(metric, asked) : undefined }
  return idleSlotsQuery(judged, span, { ...idle, threshold: ratio(idle.threshold * scales.divisor(metric)) })
}

/** GPU_UTIL of whole GPUs, beside busy of the same exporter: where it tells of visible work, a busy of 0 is not believed. */
function againstOf({ field, exporter }: DeviceMetric, { matcher, names, scales }: Asked): Judged['against'] {
  const found = DEVICE_METRICS.find(
    (one) => field === 'busy' && one.field === 'kernelTime' && one.exporter === exporter && names.has(one.name),
  )
  if (found === undefined) return undefined
  const whole = matcher === '' ? `{${WHOLE_GPU}}` : matcher.replace('}', `,${WHOLE_GPU}}`)
  return { selector: `${found.name}${whole}`, least: VISIBLE_WORK * scales.divisor(found) }
}
const WHOLE_GPU = 'GPU_I_ID="",gpu_i_id=""'

const hasStuck = (series: ReadonlyMap<string, SeriesHistory>): boolean =>
  [...series.values()].some(({ columns: { stuckSlots } }) => stuckSlots?.some((value) => !Number.isNaN(value)))

/** Means of whole percentages look like ratios; maxima are values as they were exported. */
async function settleScale(
  metric: DeviceMetric,
  piece: HistoryPiece,
  filling: Filling & { matcher: string },
): Promise<void> {
  const found = await range(`max_over_time(${metric.name}${filling.matcher}[${piece.span}])`, piece, filling)
  for (const series of found) for (const { value } of series.samples) filling.scales.observe(metric.name, value)
}

/** The range function looks back from each point, so a bucket's figure stands at the bucket's end. */
function range(query: string, piece: HistoryPiece, { client, signal }: Source): Promise<QuerySeries[]> {
  const spanMs = SPAN_SECONDS[piece.span] * 1000
  const times = { from: piece.from + spanMs, to: piece.last + spanMs, stepMs: spanMs }
  return client.range({ query, ...times }, { signal })
}

type Place = {
  readonly question: Question
  readonly metric: DeviceMetric
  readonly piece: HistoryPiece
  readonly filling: Filling
}

function put(found: QuerySeries, { question, metric, piece, filling }: Place): void {
  const history = historyOf(found, filling)
  if (history === undefined || !isKept(metric, history.labels)) return
  const { columns } = history
  const spanMs = SPAN_SECONDS[piece.span] * 1000
  const column = (columns[question.into] ??= new Float64Array(1 + (piece.last - piece.from) / spanMs).fill(NaN))
  const before = standsIn(question) ? columns.busy : undefined
  for (const { at, value } of found.samples) {
    const read = COUNTS.has(question.how) ? value : figureOf(metric, value, filling.scales)
    const bucket = (at - spanMs - piece.from) / spanMs
    // Where both spellings are there, the older one was read first and stays.
    if (read !== undefined && !isTold(before, bucket) && !isTold(column, bucket)) column[bucket] = read
  }
}

/** GPU_UTIL stands in only for what busy does not tell. */
const standsIn = ({ field, into }: Question): boolean => field === 'kernelTime' && into !== 'kernelTime'

/** Rows take means over series: of what tiles have together they would tell the share of one. */
const isKept = (metric: DeviceMetric, labels: DeviceLabels): boolean =>
  tells(metric, labels) && (labels.part === '' || !ADDED_UP.has(metric.scale))

const ADDED_UP: ReadonlySet<DeviceMetric['scale']> = new Set(['MiB', 'bytes', 'W'])

/** What is gathered of a series so far; undefined for one that is of no device. */
function historyOf({ labels }: QuerySeries, { series }: Filling): SeriesHistory | undefined {
  const { __name__: _, ...rest } = labels
  const key = JSON.stringify(rest)
  const known = series.get(key)
  if (known !== undefined) return known
  const device = readDeviceLabels(rest)
  if (device === undefined) return undefined
  const fresh: SeriesHistory = { labels: device, columns: {} }
  series.set(key, fresh)
  return fresh
}

function figureOf(metric: DeviceMetric, value: number, scales: ScaleMemory): number | undefined {
  const read = readValue(metric, value, scales)
  return read === undefined || saysNone(metric, read) ? undefined : read
}
