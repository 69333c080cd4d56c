import type { HistoryReader, InferenceReader, TelemetryReader, WorkReader } from '@septet/domain'

import { openScaleMemory } from '../dcgm/scale-memory.ts'
import { readHistory } from './history.ts'
import { readCaches, readTokens } from './inference-engines.ts'
import { openPrometheusClients, type PrometheusClient, type PrometheusOptions } from './prometheus-client.ts'
import { openReading } from './prometheus-reading.ts'
import { readSigns, readWork } from './work-counters.ts'

/** A Prometheus-compatible engine as a source of telemetry: queries, the devices now, their past, and what work was done. */
export type Prometheus = PrometheusClient & TelemetryReader & HistoryReader & WorkReader & InferenceReader

/**
 * Opens Prometheus, Thanos, Mimir or VictoriaMetrics. Nothing is asked until the first call; every call rejects with a
 * `TelemetryError` whose message says what failed and what to do.
 */
export function openPrometheus(options: PrometheusOptions): Prometheus {
  const { prompt: client, patient } = openPrometheusClients(options)
  const scales = openScaleMemory()
  const closing = new AbortController()
  const { clock = Date.now, maximumSamples = 50_000_000, devicesAtOnce = 3000 } = options
  const read = openReading({ client, scales, clock, signal: closing.signal })
  return {
    ...client,
    read,
    history: (query) =>
      readHistory(query, { client: patient, scales, maximumSamples, devicesAtOnce, closing: closing.signal }),
    work: (query) => readWork(query, { client: patient, signal: closing.signal }),
    signs: (query) => readSigns(query, { client: patient, signal: closing.signal }),
    caches: () => readCaches(clock(), { client: patient, signal: closing.signal }),
    // Somebody waits for it.
    tokens: (window) => readTokens(window, { client, signal: closing.signal }),
    close: () => {
      closing.abort()
      return Promise.resolve()
    },
  }
}
