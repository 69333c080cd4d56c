import {
  DAY_MS,
  HOUR_MS,
  instant,
  MINUTE_MS,
  type PodId,
  type Ratio,
  ratio,
  type ReservedCache,
  type TokenCount,
  type TokenCounts,
  WEEK_MS,
  type Window,
} from '@septet/domain'

import { TelemetryError } from '../dcgm/telemetry-error.ts'
import type { QuerySeries } from './prometheus-answer.ts'
import type { PrometheusClient } from './prometheus-client.ts'

type Metric = { readonly name: string; readonly engine: string; readonly labels?: string }

/** Some collectors write `_` for `:`. */
const spelled = (engine: string, ...names: readonly string[]): readonly Metric[] =>
  names.flatMap((name) => [...new Set([name, name.replace(':', '_')])].map((spelling) => ({ name: spelling, engine })))

/**
 * The share of their KV cache that inference engines use, from 0 to 1 despite names that say percent. vLLM has renamed it in
 * 2025.
 */
const CACHES: readonly Metric[] = [
  ...spelled('vLLM', 'vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'),
  ...spelled('SGLang', 'sglang:token_usage'),
  { name: 'nv_trt_llm_kv_cache_block_metrics', engine: 'TensorRT-LLM', labels: '{kv_cache_block_type="fraction"}' },
  { name: 'trtllm_kv_cache_utilization', engine: 'TensorRT-LLM' },
]

/** NIM’s names are anybody’s without the model that it names. */
const NIM = { engine: 'NIM', labels: '{model_name!=""}' }

/**
 * Counters of the tokens that inference engines read and wrote; of a pod that has several, the first is taken. Triton with
 * TensorRT-LLM has a histogram by request, whose sum counts them; its gauges tell of one iteration and are not counters.
 */
const TOKENS = {
  prompt: [
    ...spelled('vLLM', 'vllm:prompt_tokens_total'),
    ...spelled('SGLang', 'sglang:prompt_tokens_total'),
    ...spelled('TensorRT-LLM', 'trtllm_prompt_tokens_total', 'nv_llm_input_token_len_sum'),
    { ...NIM, name: 'prompt_tokens_total' },
  ],
  generation: [
    ...spelled('vLLM', 'vllm:generation_tokens_total'),
    ...spelled('SGLang', 'sglang:generation_tokens_total'),
    ...spelled('TensorRT-LLM', 'trtllm_generation_tokens_total', 'nv_llm_output_token_len_sum'),
    { ...NIM, name: 'generation_tokens_total' },
  ],
} as const satisfies Record<string, readonly Metric[]>

/** What counts the tokens that are written, by which the work of a model server is measured. */
export const GENERATION_COUNTERS: readonly Metric[] = TOKENS.generation

type Asked = { readonly client: PrometheusClient; readonly signal: AbortSignal }

/** How full the caches of inference engines have been, by pod. An engine that refuses the question tells nothing of them. */
export async function readCaches(now: number, { client, signal }: Asked): Promise<ReadonlyMap<PodId, ReservedCache>> {
  const window = { from: instant(now - WEEK_MS), to: instant(now) }
  const names = new Set(await client.metricNames(window, { signal }))
  const caches = new Map<PodId, ReservedCache>()
  for (const { name, engine, labels = '' } of CACHES.filter((metric) => names.has(metric.name))) {
    const query = `max by (namespace, pod) (max_over_time(${name}${labels}[7d]))`
    for (const found of (await client.instant(query, { signal }).catch(refused)) ?? []) {
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

/** What the engines counted in a window, by pod and model. Counters that the metrics engine would not add up are named. */
export async function readTokens(window: Window, { client, signal }: Asked): Promise<TokenCounts> {
  const { from, to } = window
  const refusals: string[] = []
  if (to <= from) return { window, steps: 0, counts: [], refused: refusals }
  const steps = stepsIn(to - from)
  // The first step may begin some milliseconds before the window.
  const stepMs = Math.ceil((to - from) / steps)
  const times = { from: to - (steps - 1) * stepMs, to, stepMs }
  const names = new Set(await client.metricNames(window, { signal }))
  const counting = new Map<string, Counting>()
  for (const direction of ['prompt', 'generation'] as const) {
    const known = new Map<PodId, string>()
    for (const { name, engine, labels = '' } of TOKENS[direction].filter((metric: Metric) => names.has(metric.name))) {
      const query = `sum by (namespace, pod, model_name, model) (increase(${name}${labels}[${stepMs}ms]))`
      const found = await client.range({ query, ...times }, { signal }).catch(refused)
      if (found === undefined) refusals.push(name)
      for (const series of found ?? []) addSeries(series, { direction, name, engine, known, counting, times })
    }
  }
  return { window, steps, counts: [...counting.values()].map(countOf), refused: refusals }
}

/** Long steps for long windows: a step is what the engine loads at a time, and how closely gaps are seen. */
const STEPS = [
  { upToMs: 7 * HOUR_MS, stepMs: 5 * MINUTE_MS },
  { upToMs: 8 * DAY_MS, stepMs: HOUR_MS },
  { upToMs: Infinity, stepMs: 6 * HOUR_MS },
]

const stepsIn = (length: number): number => {
  const wanted = STEPS.find(({ upToMs }) => length <= upToMs)?.stepMs ?? HOUR_MS
  return Math.max(1, Math.round(length / wanted))
}

type Direction = keyof typeof TOKENS
type Counting = Pick<TokenCount, 'pod' | 'model' | 'engine'> & {
  readonly tokens: { [Of in Direction]?: number }
  readonly steps: Set<number>
}
type Adding = {
  readonly direction: Direction
  readonly name: string
  readonly engine: string
  /** By which counter each pod is told. */
  readonly known: Map<PodId, string>
  readonly counting: Map<string, Counting>
  readonly times: { readonly from: number; readonly stepMs: number }
}

function addSeries({ labels, samples }: QuerySeries, into: Adding): void {
  const { direction, name, engine, known, counting, times } = into
  const heard = samples.filter(({ value }) => Number.isFinite(value))
  const { pod, model } = countedIn(labels)
  if (heard.length === 0 || (known.get(pod) ?? name) !== name) return
  known.set(pod, name)
  const key = JSON.stringify([pod, model])
  const entry = counting.get(key) ?? { pod, model, engine, tokens: {}, steps: new Set() }
  counting.set(key, entry)
  entry.tokens[direction] = (entry.tokens[direction] ?? 0) + heard.reduce((sum, { value }) => sum + value, 0)
  for (const { at } of heard) entry.steps.add(Math.round((at - times.from) / times.stepMs))
}

function countedIn(labels: QuerySeries['labels']): Pick<TokenCount, 'pod' | 'model'> {
  const { namespace = '', pod = '', model: named = '', model_name: model = named } = labels
  return { pod: `${namespace}/${pod}`, model }
}

/** `increase` extrapolates to parts of a token. */
const countOf = ({ tokens, steps, ...count }: Counting): TokenCount => ({
  ...count,
  prompt: tokens.prompt && Math.round(tokens.prompt),
  generation: tokens.generation && Math.round(tokens.generation),
  steps: [...steps].toSorted((a, b) => a - b),
})

/** It has answered, and not with figures. */
function refused(error: unknown): undefined {
  if (error instanceof TelemetryError && ['limit', 'too-large', 'rejected', 'timeout'].includes(error.code))
    return undefined
  throw error
}
