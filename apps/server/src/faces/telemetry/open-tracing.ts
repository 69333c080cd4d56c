import type { Log } from '@septet/domain'
import type { Registry } from 'prom-client'

import type { Tracing } from './tracing.ts'

type Parts = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly registry: Registry
  readonly version: string
  readonly log: Log
}

const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
]

/** Undefined where no collector is named: then nothing of OpenTelemetry is even loaded. */
export async function openTracing(parts: Parts): Promise<Tracing | undefined> {
  const { environment } = parts
  const isNamed = ENDPOINTS.some((name) => (environment[name] ?? '').trim() !== '')
  if (!isNamed || environment['OTEL_SDK_DISABLED'] === 'true') return undefined
  const { sendTelemetry } = await import('./send-telemetry.ts')
  return sendTelemetry({ ...parts, intervalMs: Number(environment['OTEL_METRIC_EXPORT_INTERVAL']) || 60_000 })
}
