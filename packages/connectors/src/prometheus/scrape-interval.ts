import { DCGM_METRICS } from '../dcgm/dcgm-metric.ts'
import { readDeviceLabels } from '../dcgm/device-labels.ts'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import type { PrometheusClient } from './prometheus-client.ts'

/** Samples of one device and holder in one bucket. */
export type Counted = { readonly at: number; readonly device: string; readonly samples: number }

/** A device with at least so many buckets has its own interval; others take the cluster's. */
const OWN_FROM = 6

/**
 * The scrape interval of each device in seconds, inferred: the length of a bucket over the median number of samples
 * that devices have in a bucket. Holders of one device are added up first, for a device is scraped throughout while its
 * pods come and go. The median makes gaps show as missing time, as long as fewer than half of the buckets have one; where
 * samples are few because telemetry began just now, `recent` tells that the interval is shorter.
 */
export function scrapeIntervals(
  rows: readonly Counted[],
  bucketSeconds: number,
  recent: ReadonlyMap<string, number>,
): (device: string) => number {
  const counts = new Map<string, Map<number, number>>()
  for (const { at, device: key, samples } of rows) {
    if (samples === 0) continue
    const device = counts.get(key) ?? new Map<number, number>()
    device.set(at, (device.get(at) ?? 0) + samples)
    counts.set(key, device)
  }
  const all = interval([...counts.values()].flatMap((device) => [...device.values()]))
  return (key) => {
    const own = [...(counts.get(key)?.values() ?? [])]
    return Math.min(own.length >= OWN_FROM ? interval(own) : all, recent.get(key) ?? Infinity)
  }

  function interval(found: readonly number[]): number {
    const median = found.toSorted((a, b) => a - b)[Math.floor(found.length / 2)]
    return median === undefined ? 0 : bucketSeconds / median
  }
}

const RECENT_SECONDS = 300

/** Each device's interval in seconds as the last five minutes before `at` show it; devices without samples are absent. */
export async function recentIntervals(
  client: PrometheusClient,
  names: ReadonlySet<string>,
  { at, signal }: { readonly at: number; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, number>> {
  const intervals = new Map<string, number>()
  for (const { name } of DCGM_METRICS.filter((metric) => metric.field === 'busy' && names.has(metric.name))) {
    const query = `count_over_time(${name}[${RECENT_SECONDS / 60}m])`
    const found = await client
      .range({ query, from: at, to: at, stepMs: RECENT_SECONDS * 1000 }, { signal })
      .catch(toleratingLimits)
    for (const { labels, samples } of found) {
      const key = readDeviceLabels(labels)?.key
      const count = samples.at(-1)?.value ?? 0
      if (key === undefined || !(count > 0)) continue
      intervals.set(key, Math.min(intervals.get(key) ?? Infinity, RECENT_SECONDS / count))
    }
  }
  return intervals
}

/** Without it intervals are inferred from the buckets alone. */
function toleratingLimits(error: unknown): [] {
  if (error instanceof TelemetryError && ['limit', 'too-large', 'timeout'].includes(error.code)) return []
  throw error
}
