import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { type Instant, instant, ratio, type Seconds, seconds } from '../units.ts'
import { type Measure, MEASURES, type SampleField } from './field-values.ts'
import { FIELDS } from './fields.ts'
import { type GpuPart, partsOfSnapshot } from './gpu-parts.ts'
import { indexSamples, type PartTelemetry, telemetryOf } from './part-telemetry.ts'
import type { JudgedSample, QualityReason } from './sample.ts'
import { completeRow, type Span, SPAN_SECONDS, type UsageRow } from './usage.ts'

/** A bucket that is still being filled. It belongs to its caller: `addReading` changes it in place. */
export type OpenBucket = {
  readonly at: Instant
  readonly span: Span
  /** From when on its readings count: its beginning, or when the collector started within it. */
  readonly from: Instant
  readonly cells: Map<string, Cell>
  /** The newest reading; undefined before the first. */
  last: { readonly at: Instant; readonly interval: Seconds } | undefined
  readings: number
}

/** One reading of the whole cluster. */
export type Reading = {
  readonly at: Instant
  /** How far readings are apart when none fails, seconds. */
  readonly interval: Seconds
  readonly snapshot: ClusterSnapshot
  readonly samples: readonly JudgedSample[]
}

/** When the bucket begins that an instant falls into; buckets are aligned to the epoch. */
export const bucketStart = (at: Instant, span: Span): Instant => {
  const length = SPAN_SECONDS[span] * 1000
  return instant(Math.floor(at / length) * length)
}

/**
 * An empty bucket that begins at `at`. A collector that starts within a bucket says from when on it counts, so that it
 * does not count again what the one before it has written.
 */
export const openBucket = (at: Instant, span: Span = '5m', from: Instant = at): OpenBucket => ({
  at,
  span,
  from,
  cells: new Map(),
  last: undefined,
  readings: 0,
})

/**
 * Adds a reading to a bucket. It stands for the time since the reading before it, or since the bucket began. Where that
 * is more than two intervals, readings were missed: then it stands for one interval, and the rest is unknown, not 0.
 * Throws when the reading is outside the bucket or older than the last one.
 */
export function addReading(bucket: OpenBucket, reading: Reading): void {
  const end = bucket.at + SPAN_SECONDS[bucket.span] * 1000
  const from = bucket.last?.at ?? bucket.from
  if (reading.at < from || reading.at >= end) throw new Error('a reading must be inside its bucket, in order of time')
  const gap = (reading.at - from) / 1000
  const cover = gap > 2 * reading.interval ? reading.interval : gap
  bucket.readings += 1
  bucket.last = { at: reading.at, interval: reading.interval }
  const index = indexSamples(reading.samples)
  for (const part of partsOfSnapshot(reading.snapshot)) {
    const telemetry = telemetryOf(part, index)
    const cell = bucket.cells.get(part.key) ?? emptyCell(part, telemetry)
    bucket.cells.set(part.key, cell)
    cell.part = part
    cell.telemetry = telemetry
    cell.reading = bucket.readings
    extend(cell, cover)
  }
}

/**
 * The usage rows of a bucket so far. For every GPU, Σ share × present = the seconds that it was known. `until` is now for
 * a bucket that has not ended: the last reading holds until then, or until the end, if that is at most two intervals.
 * The `idle` seconds are filled in by `markIdle`, which needs the buckets before.
 */
export function rowsOf(bucket: OpenBucket, until?: Instant): UsageRow[] {
  const { last, at, span } = bucket
  const end = at + SPAN_SECONDS[span] * 1000
  const rest = last === undefined ? 0 : (Math.min(end, until ?? end) - last.at) / 1000
  const tail = last !== undefined && rest > 0 && rest <= 2 * last.interval ? rest : 0
  const rows: UsageRow[] = []
  for (const cell of bucket.cells.values()) {
    const whole = cell.reading === bucket.readings && tail > 0 ? extend(copyOf(cell), tail) : cell
    // Also without a second: a row that was written for the rest of an earlier look must be written over.
    rows.push(rowOf(whole, { at, span }))
  }
  return rows
}

/** What is summed up of one part: a partition and its holder. */
type Cell = {
  /** As of the last reading that had it. */
  part: GpuPart
  telemetry: PartTelemetry
  /** Number of that reading. */
  reading: number
  present: number
  /** The mean over those seconds; exactly the part's where that never changed. */
  share: number
  measured: number
  /** Seconds by reason; undefined while everything was measured, as it is for most. */
  reasons: Map<QualityReason, number> | undefined
  /** What is summed up of each field of `FOLDED`. */
  readonly folded: Folded
}
/** Three numbers a field: Σ value × seconds, the seconds, and the highest value. One list of numbers takes least. */
type Folded = number[]

/** The fields that a row keeps anything of. */
const FOLDED = [...new Set(MEASURES.map(({ field }) => field))].map((field) => ({ field, of: FIELDS[field].of }))
const SLOTS: Partial<Record<SampleField, number>> = Object.fromEntries(
  FOLDED.map(({ field }, order) => [field, 3 * order]),
)
const NO_VALUES: Folded = FOLDED.flatMap(() => [0, 0, -Infinity])

/** A part that has not been met in this bucket before. */
const emptyCell = (part: GpuPart, telemetry: PartTelemetry): Cell => ({
  part,
  telemetry,
  reading: 0,
  present: 0,
  share: 0,
  measured: 0,
  reasons: undefined,
  folded: [...NO_VALUES],
})

const copyOf = (cell: Cell): Cell => ({
  ...cell,
  reasons: cell.reasons && new Map(cell.reasons),
  folded: [...cell.folded],
})

/** Lets a cell's part and telemetry hold for some seconds more. */
function extend(cell: Cell, cover: number): Cell {
  const { part, telemetry } = cell
  if (cover === 0) return cell
  cell.present += cover
  cell.share += (part.share - cell.share) * (cover / cell.present)
  if (telemetry.busy !== undefined) cell.measured += cover
  else if (telemetry.reason !== undefined) {
    cell.reasons ??= new Map()
    cell.reasons.set(telemetry.reason, (cell.reasons.get(telemetry.reason) ?? 0) + cover)
  }
  foldIn(cell.folded, telemetry, cover)
  return cell
}

function foldIn(folded: Folded, { sample, believed }: PartTelemetry, cover: number): void {
  if (sample === undefined) return
  let slot = 0
  for (const { field, of } of FOLDED) {
    const value = believed[of] ? sample[field] : undefined
    if (value !== undefined) {
      folded[slot] = (folded[slot] ?? 0) + value * cover
      folded[slot + 1] = (folded[slot + 1] ?? 0) + cover
      folded[slot + 2] = Math.max(folded[slot + 2] ?? value, value)
    }
    slot += 3
  }
}

function rowOf(cell: Cell, { at, span }: Pick<OpenBucket, 'at' | 'span'>): UsageRow {
  const { key: _, series: __, among: ___, ...part } = cell.part
  const row = {
    ...part,
    at,
    span,
    share: cell.present > 0 ? ratio(cell.share) : cell.part.share,
    present: seconds(cell.present),
    measured: seconds(cell.measured),
    idle: seconds(0),
    oversized: seconds(0),
    reason: longest(cell.reasons),
  }
  return completeRow(row, (measure) => foldedValue(cell.folded, measure))
}

function foldedValue(folded: Folded, { field, fold }: Measure): number | undefined {
  const slot = SLOTS[field] ?? 0
  const length = folded[slot + 1] ?? 0
  if (length <= 0) return undefined
  return fold === 'peak' ? folded[slot + 2] : (folded[slot] ?? 0) / length
}

/** The reason that explains most of the time; the first of equals. */
function longest(reasons: ReadonlyMap<QualityReason, number> = new Map()): QualityReason | undefined {
  let found: QualityReason | undefined
  for (const [reason, length] of reasons) {
    if (found === undefined || length > (reasons.get(found) ?? 0)) found = reason
  }
  return found
}
