import { TICK_MS } from '../model/activity.ts'
import {
  METRICS,
  errorLabels,
  holderLabels,
  metricLabels,
  printed,
  tellsErrors,
  type Metric,
} from '../model/metrics.ts'
import {
  piecesOf,
  readAt,
  readOver,
  readingRowsIn,
  sampleTime,
  samplesIn,
  type Piece,
  type ModelRow,
} from '../model/readings.ts'
import type { WorldSpan, World } from '../model/world.ts'
import { reachOf, slotCounter } from './idle-slots.ts'
import type { PromqlQuery } from './promql.ts'

export type Series = { readonly metric: Record<string, string>; readonly values: [number, string][] }

/** Instants at which a query is evaluated, in milliseconds, and until when there are samples. */
export type Steps = { readonly start: number; readonly end: number; readonly step: number; readonly now: number }

// How far back an instant looks for a sample: Prometheus' default.
const LOOKBACK_MS = 5 * 60_000

/** Answers a query from the model: the same figures that a Prometheus scraping every 30 s would hold. */
export function evaluate(world: World, query: PromqlQuery, steps: Steps): readonly Series[] {
  const metrics = METRICS.filter(
    ({ name }) =>
      (query.name === undefined || query.name === name) &&
      query.matchers.every(({ label, accepts }) => label !== '__name__' || accepts(name)),
  )
  const around = query.slots === undefined ? 0 : reachOf(query.slots)
  const from = steps.start - (query.over?.milliseconds ?? LOOKBACK_MS) - around
  const window = { from, to: Math.min(steps.now, steps.end + around) + 1 }
  const found = new Map<string, Series>()
  for (const node of world.nodes) {
    if (!accepts(query, 'Hostname', node.name)) continue
    const rows = readingRowsIn(world, node, { ...window, from: Math.max(window.from, node.createdAt) })
    for (const row of rows) for (const metric of metrics) addRow(found, { world, query, steps, row, metric })
  }
  return [...found.values()]
}

/** Names of everything that can be asked for. */
export const seriesNames = (): readonly string[] => METRICS.map(({ name }) => name).toSorted()

/** The scrape configuration's own labels. */
const TARGET_LABELS = (row: ModelRow): readonly (readonly [string, string])[] => [
  ['job', 'nvidia-dcgm-exporter'],
  ['instance', `${row.node.name}:9400`],
  ['node', row.node.name],
]

const accepts = (query: PromqlQuery, label: string, value: string): boolean =>
  query.matchers.every((matcher) => matcher.label !== label || matcher.accepts(value))

type Asked = { world: World; query: PromqlQuery; steps: Steps; row: ModelRow & WorldSpan; metric: Metric }

function addRow(found: Map<string, Series>, asked: Asked): void {
  const { world, query, row, metric } = asked
  const device = [...metricLabels(row), ...(tellsErrors(metric) ? errorLabels(row) : []), ...TARGET_LABELS(row)]
  const known = new Map([['__name__', metric.name], ...device])
  const holderOnly = query.matchers.filter(({ label }) => HOLDER.has(label))
  if (!query.matchers.every(({ label, accepts: yes }) => HOLDER.has(label) || yes(known.get(label) ?? ''))) return
  for (const piece of piecesOf(world, row, row)) {
    const holder = holderLabels(piece.holder)
    if (!holderOnly.every(({ label, accepts: yes }) => yes(holder.find(([name]) => name === label)?.[1] ?? '')))
      continue
    const values = valuesOf(asked, piece)
    if (values.length === 0) continue
    const key = keyOf(asked, piece)
    const series = found.get(key)
    if (series === undefined) {
      const name = query.over === undefined ? [['__name__', metric.name] as const] : []
      found.set(key, { metric: Object.fromEntries([...name, ...device, ...holder]), values })
    } else merge(series.values, values, query)
  }
}

function keyOf({ metric, row }: Asked, piece: Piece): string {
  const { namespace, pod } = piece.holder ?? FREE
  return `${metric.name}/${row.gpu.uuid}/${row.instance?.instance}/${row.instance?.profile}/${namespace}/${pod}`
}
const FREE = { namespace: '', pod: '' }
const HOLDER: ReadonlySet<string> = new Set(['namespace', 'pod', 'container'])

/** A holder that came back within one bucket: its two parts become one value. */
function merge(into: [number, string][], more: [number, string][], query: PromqlQuery): void {
  const last = into.at(-1)
  const [first] = more
  if (last === undefined || first === undefined || last[0] !== first[0]) return void into.push(...more)
  if (query.over?.function === 'count_over_time') last[1] = String(Number(last[1]) + Number(first[1]))
  if (query.over?.function === 'max_over_time') last[1] = String(Math.max(Number(last[1]), Number(first[1])))
  into.push(...more.slice(1))
}

function valuesOf(asked: Asked, piece: Piece): [number, string][] {
  if (asked.query.slots !== undefined) return slotCounts(asked, piece)
  return asked.query.over === undefined ? samplesOf(asked, piece) : rangesOf(asked, piece)
}

function slotCounts({ world, query, steps, row, metric }: Asked, piece: Piece): [number, string][] {
  const { slots } = query
  if (slots === undefined) return []
  const count = slotCounter(slots, { world, row, metric, piece })
  const values: [number, string][] = []
  for (let at = firstStep(steps, piece.from); at <= steps.end; at += steps.step) {
    if (at - slots.milliseconds >= piece.to) break
    const counted = count(at - slots.milliseconds, at)
    if (counted > 0) values.push([at / 1000, String(counted)])
  }
  return values
}

function samplesOf({ world, steps, row, metric }: Asked, piece: Piece): [number, string][] {
  const values: [number, string][] = []
  for (let at = firstStep(steps, piece.from); at <= steps.end && at < piece.to + TICK_MS; at += steps.step) {
    const time = sampleTime(at)
    if (time < piece.from || time >= piece.to) continue
    const value = metric.value(readAt(world, row, time), row)
    if (value !== undefined) values.push([at / 1000, trimmed(printed(metric, value))])
  }
  return values
}

function rangesOf({ world, query, steps, row, metric }: Asked, piece: Piece): [number, string][] {
  const { over } = query
  if (over === undefined) return []
  const values: [number, string][] = []
  for (let at = firstStep(steps, piece.from); at <= steps.end; at += steps.step) {
    if (at - over.milliseconds >= piece.to) break
    // A range holds the samples after its beginning, up to and with its end.
    const span = { from: Math.max(piece.from, at - over.milliseconds + 1), to: Math.min(piece.to, at + 1) }
    const value = rangeValue(over.function, { world, row, metric, span, piece })
    if (value !== undefined) values.push([at / 1000, trimmed(value)])
  }
  return values
}

function rangeValue(
  name: 'avg_over_time' | 'max_over_time' | 'count_over_time',
  of: { world: World; row: ModelRow; metric: Metric; span: WorldSpan; piece: Piece },
): string | undefined {
  const { world, row, metric, span, piece } = of
  const counts = name === 'count_over_time'
  const needs = counts ? 'nothing' : metric.needs
  const reading = readOver(world, row, { ...span, peaks: name === 'max_over_time', needs, piece })
  const value = reading === undefined ? undefined : metric.value(reading, row)
  if (value === undefined) return undefined
  if (counts) return String(samplesIn(span))
  return name === 'max_over_time' ? printed(metric, value) : value.toFixed(6)
}

const firstStep = ({ start, step }: Steps, from: number): number =>
  from <= start ? start : start + Math.ceil((from - start) / step) * step

/** Prometheus prints the shortest text of a number. */
const trimmed = (text: string): string => String(Number(text))
