import { DAY_MS, type HistoryBatch, type HistoryQuery, instant, SPAN_SECONDS } from '@septet/domain'
import { DEVICE_METRICS } from '../dcgm/device-metric.ts'
import type { ScaleMemory } from '../dcgm/scale-memory.ts'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { ALL_AT_ONCE, BY_INDEX, gatherHistory, type HistoryPiece } from './history-piece.ts'
import { historyRows } from './history-rows.ts'
import type { PrometheusClient } from './prometheus-client.ts'
import { OWNER_METRICS, type RecordedOwners, recordedOwners } from './recorded-owners.ts'
import { readDeviceLabels } from '../dcgm/read-device-labels.ts'

type Source = {
  readonly client: PrometheusClient
  readonly scales: ScaleMemory
  readonly maximumSamples: number
  /** A larger cluster is read GPU index by GPU index, so that a batch stays small whatever the window is. */
  readonly devicesAtOnce: number
  readonly closing: AbortSignal
}

/** Points asked for in one answer, at most, as far as that can be foreseen; about 10 MB of JSON. */
const POINTS_AT_ONCE = 250_000
/** What the scrape interval is taken to be for the sample budget; a longer one only makes pieces smaller than needed. */
const SHORTEST_INTERVAL_SECONDS = 15

/**
 * Usage per device, holder and bucket, newest first, at most a day (of days: a week) at a time; of a large cluster the GPUs
 * of one index after those of another. Buckets lie on the span's grid in UTC and belong to the window when they begin in
 * it. A batch holds whole buckets of its GPUs. A query that the engine finds too big is asked again in halves, at last
 * by GPU index. A window without any samples has no rows: telemetry may not have been there yet. Ends quietly when the
 * caller's signal or `close` says so; otherwise failures are `TelemetryError`s.
 */
export async function* readHistory(query: HistoryQuery, source: Source): AsyncGenerator<HistoryBatch> {
  const given = query.signal instanceof AbortSignal ? [query.signal] : []
  const signal = AbortSignal.any([...given, source.closing])
  const stopped = (): boolean => query.signal?.aborted === true || signal.aborted
  try {
    yield* readPieces(query, { ...source, signal, stopped })
  } catch (error) {
    if (!(stopped() && error instanceof TelemetryError && error.code === 'canceled')) throw error
  }
}

type Reading = Source & { readonly signal: AbortSignal; readonly stopped: () => boolean }

async function* readPieces(query: HistoryQuery, source: Reading): AsyncGenerator<HistoryBatch> {
  const spanMs = SPAN_SECONDS[query.span] * 1000
  const first = Math.ceil(query.window.from / spanMs) * spanMs
  const last = Math.ceil(query.window.to / spanMs) * spanMs - spanMs
  if (last < first) return
  const names = await knownNames(source.client, { from: first, to: last + spanMs }, source.signal)
  if (DEVICE_METRICS.every(({ name }) => !names.has(name))) return
  const devices = await countDevices(source.client, names, { at: last + spanMs, signal: source.signal })
  const piece = { span: query.span, idle: query.idle, from: first, last }
  if (devices <= source.devicesAtOnce) {
    yield* readPart({ ...piece, matchers: ALL_AT_ONCE }, { ...source, names, covers: () => true })
    return
  }
  const owners = new Map<string, RecordedOwners>()
  for (const { matcher, covers } of BY_INDEX) {
    yield* readPart({ ...piece, matchers: [matcher] }, { ...source, names, owners, covers })
  }
}

type PartReading = Reading & {
  readonly names: ReadonlySet<string>
  /** By their window, where it is read again for the GPUs of the next index: they have the same owners. */
  readonly owners?: Map<string, RecordedOwners>
} & Pick<HistoryBatch, 'covers'>

async function* readPart(part: HistoryPiece, source: PartReading): AsyncGenerator<HistoryBatch> {
  const { span, from: first } = part
  const spanMs = SPAN_SECONDS[span] * 1000
  let { last } = part
  let buckets = FIRST_PIECE
  while (last >= first && !source.stopped()) {
    const from = Math.max(first, startOfPiece(last, buckets, spanMs))
    const found = await gatherHistory({ ...part, from, last }, source)
    if (found.kind === 'too-big') {
      buckets = Math.max(1, Math.floor(found.buckets / 2))
      continue
    }
    if (source.stopped()) return
    const isHeld = found.series.some(({ labels }) => labels.holder !== undefined)
    const owners = isHeld ? await ownersIn({ from, to: last + spanMs }, source) : undefined
    const usage = historyRows(found.series, { span, from, last }, owners)
    if (usage.length > 0) yield { usage, covers: source.covers }
    last = from - spanMs
    buckets = affordable(found.series.length, SPAN_SECONDS[span], source.maximumSamples)
  }
}

async function ownersIn(window: { from: number; to: number }, source: PartReading): Promise<RecordedOwners> {
  const key = `${window.from} ${window.to}`
  const owners = source.owners?.get(key) ?? (await recordedOwners(window, source))
  source.owners?.set(key, owners)
  return owners
}

/** Before the number of series is known. */
const FIRST_PIECE = 48

/** Pieces of shorter buckets end at midnight, so that a batch never spans two days; days come by the week. */
function startOfPiece(last: number, buckets: number, spanMs: number): number {
  const earliest = spanMs < DAY_MS ? Math.floor(last / DAY_MS) * DAY_MS : last - 6 * spanMs
  return Math.max(earliest, last - (buckets - 1) * spanMs)
}

/** Buckets per query that respect the size of an answer and the engine's budget of loaded samples. */
function affordable(series: number, spanSeconds: number, maximumSamples: number): number {
  const count = Math.max(1, series)
  const byPoints = POINTS_AT_ONCE / count
  const bySamples = maximumSamples / 2 / (count * (spanSeconds / SHORTEST_INTERVAL_SECONDS))
  return Math.max(1, Math.floor(Math.min(byPoints, bySamples)))
}

/** Which of our metrics the engine has in the window, so that no query is wasted on the spelling not in use. */
async function knownNames(
  client: PrometheusClient,
  window: { from: number; to: number },
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const all = [...DEVICE_METRICS.map((metric) => metric.name), ...OWNER_METRICS]
  let there: ReadonlySet<string>
  try {
    // Label queries look at whole blocks: an engine may name more than the window has, never less.
    there = new Set(await client.metricNames({ from: instant(window.from), to: instant(window.to) }, { signal }))
  } catch (error) {
    // Some proxies allow queries only; then every spelling is asked for.
    if (error instanceof TelemetryError && ['rejected', 'forbidden', 'limit', 'too-large'].includes(error.code)) {
      return new Set(all)
    }
    throw error
  }
  return new Set(all.filter((name) => there.has(name)))
}

/** How many devices had samples in the five minutes before `at`; Infinity where the engine cannot even list them. */
async function countDevices(
  client: PrometheusClient,
  names: ReadonlySet<string>,
  { at, signal }: { readonly at: number; readonly signal: AbortSignal },
): Promise<number> {
  const metrics = DEVICE_METRICS.filter((metric) => metric.field === 'busy' && names.has(metric.name))
  const asked = metrics.map(({ name }) =>
    client.range({ query: `count_over_time(${name}[5m])`, from: at, to: at, stepMs: 300_000 }, { signal }),
  )
  try {
    const found = (await Promise.all(asked)).flat()
    return new Set(found.map(({ labels }) => readDeviceLabels(labels)?.key)).size
  } catch (error) {
    if (error instanceof TelemetryError && ['limit', 'too-large', 'timeout'].includes(error.code)) return Infinity
    throw error
  }
}
