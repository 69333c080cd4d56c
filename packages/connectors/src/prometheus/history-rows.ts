import { compareText, type HistoricUsage, instant, measurements, type Span, SPAN_SECONDS } from '@septet/domain'

import type { DeviceLabels } from '../dcgm/device-labels.ts'
import type { HistoryPiece, HistoryStatistic, SeriesHistory } from './history-piece.ts'
import { SLOT_SECONDS } from './idle-query.ts'
import type { RecordedOwners } from './recorded-owners.ts'

/** One device and holder in one bucket, with what every series that tells of it tells there. */
type HistoryRow = { readonly labels: DeviceLabels; readonly cells: readonly HistoryCell[] }
type HistoryCell = (statistic: HistoryStatistic) => number | undefined

/**
 * Makes rows of series: series of one device and holder are put together (an exporter's pod that was replaced leaves
 * two), a cut GPU is told by its instances alone, and replicas that all repeat the device are told as the device.
 * Newest bucket first, then by place.
 */
export function historyRows(
  series: readonly SeriesHistory[],
  { span, from, last }: Pick<HistoryPiece, 'span' | 'from' | 'last'>,
  ownerOf: RecordedOwners = () => undefined,
): HistoricUsage[] {
  const spanMs = SPAN_SECONDS[span] * 1000
  const named = series.map((one) => ({ ...one, who: `${one.labels.key} ${holderOf(one.labels)}` }))
  const buckets = Array.from({ length: 1 + (last - from) / spanMs }, (_, bucket) => bucket).toReversed()
  return buckets.flatMap((bucket) => {
    const devices = Map.groupBy(withoutRepeats(byHolder(named, bucket)), ({ labels }) => labels.key)
    const told = { at: from + bucket * spanMs, span, ownerOf }
    const usage = [...devices.values()].flatMap((holders) => usageOf(holders, told))
    return oneLevel(usage, SPAN_SECONDS[span]).toSorted(
      (a, b) => compareText(a.node, b.node) || a.index - b.index || compareText(place(a), place(b)),
    )
  })
}

/**
 * A device was seen in those five minutes of which there is any sample, however far samples are apart: intervals change,
 * and differ among exporters. Its holders share that time.
 */
function usageOf(holders: readonly HistoryRow[], told: Told): HistoricUsage[] {
  const slots = holders.reduce((sum, row) => sum + slotsOf(row), 0)
  const seen = Math.min(SPAN_SECONDS[told.span], slots * SLOT_SECONDS)
  const pace = Math.max(...holders.map((row) => samplesOf(row) / Math.max(1, slotsOf(row))))
  const parts = holders.map((row) => heldSlots(row, pace))
  const all = parts.reduce((sum, part) => sum + part, 0)
  return holders.map((row, order) => toUsage(row, told, all === 0 ? 0 : (seen * (parts[order] ?? 0)) / all))
}

/**
 * By its samples, at the pace of who has most in a slot: its first and its last slot may be another's too. Where that is far
 * from its slots it was scraped at another pace.
 */
function heldSlots(row: HistoryRow, pace: number): number {
  const slots = slotsOf(row)
  const bySamples = pace === 0 ? 0 : samplesOf(row) / pace
  return bySamples < ANOTHER_PACE * (slots - 2) ? slots - 1 : bySamples
}

/** A scrape interval of twice the length leaves fewer, samples that are lost now and then do not. */
const ANOTHER_PACE = 0.7

const place = ({ gpu, instance, namespace, pod }: HistoricUsage): string =>
  `${gpu}/${instance?.id ?? ''}/${instance?.profile ?? ''}/${namespace}/${pod}`

const holderOf = ({ holder }: DeviceLabels): string => (holder === undefined ? '' : `${holder.namespace}/${holder.pod}`)

function byHolder(series: ReadonlyArray<SeriesHistory & { readonly who: string }>, bucket: number): HistoryRow[] {
  const rows = new Map<string, { labels: DeviceLabels; cells: HistoryCell[] }>()
  for (const { labels, columns, who } of series) {
    if (Object.values(columns).every((column) => Number.isNaN(column[bucket]))) continue
    const cell: HistoryCell = (statistic) => {
      const figure = columns[statistic]?.[bucket]
      return Number.isNaN(figure) ? undefined : figure
    }
    const row = rows.get(who)
    if (row === undefined) rows.set(who, { labels, cells: [cell] })
    else row.cells.push(cell)
  }
  return [...rows.values()]
}

/**
 * Under virtual GPUs profiling fields are device-level in every release, so several replicas of a GPU in one bucket
 * say the same thing about the device and nothing about each pod (dcgm-exporter issues 582, 587, 642).
 */
function withoutRepeats(rows: readonly HistoryRow[]): HistoryRow[] {
  const devices = Map.groupBy(rows, ({ labels }) => `${labels.gpu}/${labels.instance?.id ?? ''}`)
  return [...devices.values()].flatMap((device) => {
    const replicas = device.filter(({ labels }) => labels.vgpu !== undefined)
    const [first] = replicas
    if (first === undefined || replicas.length < 2) return device
    const whole = device.find(({ labels }) => labels.vgpu === undefined)
    if (whole !== undefined) return [whole]
    const longest = replicas.toSorted((a, b) => samplesOf(b) - samplesOf(a))[0] ?? first
    return [{ ...longest, labels: { ...longest.labels, holder: undefined, vgpu: undefined } }]
  })
}

const sumOf = ({ cells }: HistoryRow, statistic: HistoryStatistic): number =>
  cells.reduce((sum, cell) => sum + (cell(statistic) ?? 0), 0)
const samplesOf = (row: HistoryRow): number => sumOf(row, 'count')
const slotsOf = (row: HistoryRow): number => sumOf(row, 'slots')

type Told = { readonly at: number; readonly span: Span; readonly ownerOf: RecordedOwners }

function toUsage(row: HistoryRow, { at, span, ownerOf }: Told, observedSeconds: number): HistoricUsage {
  const { labels, cells } = row
  const { holder } = labels
  // Its slots at the edges are in part another's, and what two series tell of the same time counts once.
  const perSlot = Math.min(SLOT_SECONDS, observedSeconds / Math.max(1, slotsOf(row)))
  const secondsIn = (statistic: 'idleSlots' | 'stuckSlots'): number =>
    Math.min(observedSeconds, perSlot * sumOf(row, statistic))
  return {
    at: instant(at),
    span,
    node: labels.node,
    hosts: labels.hosts,
    gpu: labels.gpu,
    index: labels.index,
    modelName: labels.model,
    instance: labels.instance,
    namespace: holder?.namespace ?? '',
    pod: holder?.pod ?? '',
    owner: holder && ownerOf(holder.namespace, holder.pod),
    observedSeconds,
    idleSeconds: secondsIn('idleSlots'),
    stuckSeconds: secondsIn('stuckSlots'),
    ...measurements(({ name, fold }) => (fold === 'peak' ? most(cells, name) : mean(cells, name))),
    kernelTime: mean(cells, 'kernelTime'),
  }
}

/** Mean over the series that have the figure, by their numbers of samples. */
function mean(cells: readonly HistoryCell[], statistic: HistoryStatistic): number | undefined {
  let sum = 0
  let weight = 0
  for (const cell of cells) {
    const value = cell(statistic)
    if (value === undefined) continue
    const samples = cell('count') ?? 1
    sum += value * samples
    weight += samples
  }
  return weight === 0 ? undefined : sum / weight
}

function most(cells: readonly HistoryCell[], statistic: HistoryStatistic): number | undefined {
  const values = cells.map((cell) => cell(statistic)).filter((value) => value !== undefined)
  return values.length === 0 ? undefined : Math.max(...values)
}

/**
 * Drops the whole GPU's row where its instances are there for the same time. A GPU that was cut or joined within the
 * bucket keeps both: then their times add up to no more than the bucket.
 */
function oneLevel(rows: readonly HistoricUsage[], seconds: number): HistoricUsage[] {
  const instances = new Map<string, number>()
  for (const row of rows) {
    if (row.instance === undefined) continue
    instances.set(row.gpu, Math.max(instances.get(row.gpu) ?? 0, row.observedSeconds))
  }
  return rows.filter((row) => {
    const cut = row.instance === undefined ? instances.get(row.gpu) : undefined
    return cut === undefined || cut + row.observedSeconds <= seconds * 1.05
  })
}
