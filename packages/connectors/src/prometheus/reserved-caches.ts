import { WEEK_MS, instant, type PodId, type Ratio, ratio, type ReservedCache } from '@septet/domain'

import { TelemetryError } from '../dcgm/telemetry-error.ts'
import type { QuerySeries } from './prometheus-answer.ts'
import type { PrometheusClient } from './prometheus-client.ts'

type CacheMetric = { readonly name: string; readonly engine: string; readonly labels: string }

/**
 * The share of their KV cache that inference engines use, from 0 to 1 despite names that say percent. vLLM has renamed it in
 * 2025, and some collectors write `_` for `:`.
 */
const METRICS: readonly CacheMetric[] = [
  ...['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'].map((name) => ({ name, engine: 'vLLM', labels: '' })),
  { name: 'sglang:token_usage', engine: 'SGLang', labels: '' },
]
  .flatMap((metric) => [metric, { ...metric, name: metric.name.replace(':', '_') }])
  .concat([
    { name: 'nv_trt_llm_kv_cache_block_metrics', engine: 'TensorRT-LLM', labels: '{kv_cache_block_type="fraction"}' },
    { name: 'trtllm_kv_cache_utilization', engine: 'TensorRT-LLM', labels: '' },
  ])

/** How full the caches of inference engines have been, by pod. An engine that refuses the question tells nothing of them. */
export async function readCaches(
  client: PrometheusClient,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<ReadonlyMap<PodId, ReservedCache>> {
  const window = { from: instant(now - WEEK_MS), to: instant(now) }
  const names = new Set(await client.metricNames(window, { signal }))
  const caches = new Map<PodId, ReservedCache>()
  for (const { name, engine, labels } of METRICS.filter((metric) => names.has(metric.name))) {
    const query = `max by (namespace, pod) (max_over_time(${name}${labels}[7d]))`
    for (const found of await client.instant(query, { signal }).catch(refused)) {
      const pod = podOf(found)
      const peak = peakOf(found)
      if (pod === undefined || peak === undefined || peak < (caches.get(pod)?.peak ?? 0)) continue
      caches.set(pod, { engine, peak })
    }
  }
  return caches
}

const podOf = ({ labels: { namespace, pod } }: QuerySeries): PodId | undefined =>
  namespace === undefined || pod === undefined ? undefined : `${namespace}/${pod}`

function peakOf({ samples }: QuerySeries): Ratio | undefined {
  const peak = samples.at(-1)?.value ?? NaN
  return peak >= 0 && peak <= 1 ? ratio(peak) : undefined
}

function refused(error: unknown): readonly never[] {
  if (error instanceof TelemetryError && ['limit', 'too-large', 'rejected', 'timeout'].includes(error.code)) return []
  throw error
}
