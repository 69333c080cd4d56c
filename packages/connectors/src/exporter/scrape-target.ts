import { FIELDS, type Instant, type TargetState } from '@septet/domain'

import { deviceMetrics } from '../dcgm/device-metric.ts'
import type { DeviceLabels } from '../dcgm/device-labels.ts'
import { readDeviceLabels } from '../dcgm/read-device-labels.ts'
import type { DeviceFold } from '../dcgm/fold-devices.ts'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { type GetAnswer, plain } from '../http/bounded-get.ts'
import { type LabelMemory, openLabelMemory } from './label-memory.ts'
import { type ExpositionSummary, parseExposition } from './parse-exposition.ts'
import type { ExporterTarget } from './targets.ts'

/** What is remembered of an exporter between scrapes. */
export type Known = {
  readonly target: ExporterTarget
  readonly labels: LabelMemory<DeviceLabels | undefined>
  node: string | undefined
  lastSeen: Instant | undefined
  failures: number
  detail: string
}

/** How one scrape went: what could be read, or why nothing could. */
export type Scraped = {
  readonly known: Known
  readonly summary: ExpositionSummary | undefined
  readonly error: Error | undefined
  /** The connection broke, or the answer was larger than allowed. */
  readonly cut: GetAnswer['cut']
}

/** From so many failures in a row on, an exporter is `down`; before, it is `stale`. */
const FAILURES_UNTIL_DOWN = 3

export function knownTarget(target: ExporterTarget): Known {
  const given = { node: target.node, hosts: [plain(target.url)] }
  const labels = openLabelMemory((found) => readDeviceLabels(found, given))
  return { target, labels, node: target.node, lastSeen: undefined, failures: 0, detail: 'not scraped yet' }
}

/** Reads one answer into the fold. Never throws: what is wrong with the answer is in the result. */
export function scrape(known: Known, answer: GetAnswer, into: { fold: DeviceFold; at: Instant }): Scraped {
  if (answer.status !== 200) return missed(known, refusal(known, answer))
  const source = plain(known.target.url)
  const summary = parseExposition(answer.body, {
    labels: known.labels,
    openMetrics: answer.contentType.includes('openmetrics'),
    sinkFor: (name) => {
      const metrics = deviceMetrics(name)
      if (metrics.length === 0) return undefined
      return (labels, value, at) => {
        if (labels === undefined) return
        known.node ??= labels.node === '' ? undefined : labels.node
        for (const metric of metrics) into.fold.add(metric, labels, { value, source, at })
      }
    },
  })
  const { cut } = answer
  if (summary.samples === 0) return missed(known, nothingUseful(known, summary, cut))
  known.failures = 0
  known.lastSeen = into.at
  known.detail = `${summary.samples} samples`
  return { known, summary, error: undefined, cut }
}

/** Notes a failed scrape. */
export function missed(known: Known, error: Error): Scraped {
  known.failures += 1
  known.detail = error.message
  return { known, summary: undefined, error, cut: undefined }
}

export function targetState(known: Known): TargetState {
  const { target, node, lastSeen, failures, detail } = known
  const lost = lastSeen === undefined || failures >= FAILURES_UNTIL_DOWN
  return { target: plain(target.url), node, kind: failures === 0 ? 'up' : lost ? 'down' : 'stale', lastSeen, detail }
}

function refusal({ target }: Known, { status }: GetAnswer): TelemetryError {
  const where = plain(target.url)
  if (status === 401)
    return new TelemetryError('unauthorized', `${where} asks for a sign-in (401). Give its credentials.`)
  if (status === 403) {
    return new TelemetryError('forbidden', `${where} refuses access (403). Let Septet’s service account read metrics.`)
  }
  if (status >= 500) {
    const advice = 'It may be starting or have lost the driver: check its pod’s log.'
    return new TelemetryError('server-error', `${where} answers with status ${status}. ${advice}`)
  }
  const advice = 'Check that it is the exporter’s metrics address.'
  return new TelemetryError('rejected', `${where} answers with status ${status}. ${advice}`)
}

function nothingUseful({ target }: Known, summary: ExpositionSummary, cut: GetAnswer['cut']): TelemetryError {
  const where = plain(target.url)
  if (cut !== undefined || summary.truncated) {
    return new TelemetryError(
      'not-understood',
      `${where} broke off before the first usable line. It may have been restarting.`,
    )
  }
  if (summary.malformed > 0 && summary.skipped === 0) {
    return new TelemetryError('not-understood', `${where} does not return metrics. Check the path, usually /metrics.`)
  }
  const looked = `${[...FIELDS.busy.metrics, FIELDS.kernelTime.metrics[0]].join(', ')} and others`
  return new TelemetryError(
    'no-series',
    `${where} answers, but with none of the metrics that Septet reads (${looked}). Check the exporter’s counters file.`,
  )
}
