import { DEVICE_METRICS } from '../dcgm/device-metric.ts'
import { readDeviceLabels } from '../dcgm/read-device-labels.ts'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import type { PrometheusClient } from './prometheus-client.ts'

/** How many devices had samples in the five minutes before `at`; Infinity where the engine cannot even list them. */
export async function countDevices(
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
