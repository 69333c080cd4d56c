import {
  compareText,
  FIELDS,
  type Instant,
  instant,
  SAMPLE_FIELDS,
  type TargetState,
  type TelemetryReading,
} from '@septet/domain'

import { deviceMetrics, metricNames } from '../dcgm/device-metric.ts'
import { readDeviceLabels } from '../dcgm/read-device-labels.ts'
import { type DeviceFold, openDeviceFold } from '../dcgm/fold-devices.ts'
import type { ScaleMemory } from '../dcgm/scale-memory.ts'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { inParallel } from '../http/bounded-get.ts'
import type { QuerySeries } from './prometheus-answer.ts'
import type { PrometheusClient } from './prometheus-client.ts'

type Source = {
  readonly client: PrometheusClient
  readonly scales: ScaleMemory
  readonly clock: () => number
  readonly signal: AbortSignal
}

/** An exporter as the engine's `instance` label names it. */
type Seen = { node: string | undefined; at: Instant; missed: number }

/** Readings without an exporter's series until it counts as down; and how long one is remembered, milliseconds. */
const MISSED_UNTIL_DOWN = 3
const FORGET_AFTER = 24 * 3600 * 1000

/** Reads every device as the engine has it now, with one query per field so that no answer gets huge. */
export function openReading({ client, scales, clock, signal }: Source): () => Promise<TelemetryReading> {
  const exporters = new Map<string, Seen>()
  return async () => {
    const fold = openDeviceFold(scales)
    // Two at a time: engines commonly allow 20 queries at once, for all of their users together.
    const answers = await inParallel(SAMPLE_FIELDS, 2, (field) =>
      client.instant(selector(metricNames(field)), { signal, continues: field !== SAMPLE_FIELDS[0] }),
    )
    const at = instant(clock())
    const now = new Map<string, string>()
    for (const series of answers.flat()) addSeries(fold, series, { now, name: client.name })
    if (now.size === 0 && exporters.size === 0) throw nothingThere(client.name)
    const { samples, problems } = fold.finish(at)
    return { at, samples, targets: follow(exporters, now, at), problems }
  }
}

const selector = (names: readonly string[]): string =>
  names.length === 1 ? (names[0] ?? '') : `{__name__=~"${names.join('|')}"}`

function addSeries(fold: DeviceFold, series: QuerySeries, into: { now: Map<string, string>; name: string }): void {
  const metrics = deviceMetrics(series.metric)
  const labels = readDeviceLabels(series.labels)
  const sample = series.samples.at(-1)
  if (metrics.length === 0 || labels === undefined || sample === undefined) return
  const source = series.labels['instance'] ?? into.name
  into.now.set(source, labels.node)
  for (const metric of metrics) fold.add(metric, labels, { value: sample.value, source, at: sample.at })
}

/** An engine drops the series of an exporter that it cannot scrape, so absence is what there is to go by. */
function follow(exporters: Map<string, Seen>, now: ReadonlyMap<string, string>, at: Instant): TargetState[] {
  for (const [source, seen] of exporters) {
    seen.missed += 1
    if (at - seen.at > FORGET_AFTER) exporters.delete(source)
  }
  for (const [source, node] of now) exporters.set(source, { node: node === '' ? undefined : node, at, missed: 0 })
  return [...exporters]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([target, { node, at: lastSeen, missed }]) => ({
      target,
      node,
      kind: missed === 0 ? 'up' : missed < MISSED_UNTIL_DOWN ? 'stale' : 'down',
      lastSeen,
      detail: missed === 0 ? 'the engine has its series' : `the engine has had no series of it for ${missed} readings`,
    }))
}

/** The sentence for an engine that answers and knows no GPU. */
function nothingThere(name: string): TelemetryError {
  const looked = [FIELDS.busy, FIELDS.kernelTime, FIELDS.memoryUsed].flatMap(({ metrics }) => metrics).join(', ')
  return new TelemetryError(
    'no-series',
    `${name} answers, but has no series of dcgm-exporter, nor of AMD’s or Intel’s. Septet looked for ${looked} and others. ` +
      'Check that it scrapes the exporter (a ServiceMonitor or scrape job), and that this is the right tenant.',
  )
}
