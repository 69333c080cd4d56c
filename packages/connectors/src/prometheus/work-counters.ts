import type { CountedWork, WorkQuery } from '@septet/domain'

import { TelemetryError } from '../dcgm/telemetry-error.ts'
import type { QuerySeries } from './prometheus-answer.ts'
import type { PrometheusClient } from './prometheus-client.ts'

type Counter = {
  readonly metric: string
  readonly unit: string
  /** PromQL for what a workload did in the hour before an instant; undefined where it counts nothing of that kind. */
  readonly query: (metric: string, of: Named) => string | undefined
}
type Named = { readonly namespace: string; readonly kind: string; readonly name: string; readonly pods: string }

const HOUR = '[3600s]'

/** A counter that a pod's own endpoint has: the scrape names the pod. */
const ofPods =
  (namespace: string, pod: string): Counter['query'] =>
  (metric, of) =>
    of.pods === '' ? undefined : `sum(increase(${metric}{${namespace}="${of.namespace}",${pod}=~"${of.pods}"}${HOUR}))`

/** The traffic that a mesh saw arrive at a workload. */
const ofMesh: Counter['query'] = (metric, { namespace, name }) =>
  `sum(increase(${metric}{reporter="destination",destination_workload_namespace="${namespace}",destination_workload="${name}"}${HOUR}))`

/** Jobs of a CronJob are named by their minute. A Job counts once, in the hour in which it was first seen to have succeeded. */
const ofCronJob: Counter['query'] = (metric, { namespace, kind, name }) => {
  if (kind !== 'CronJob') return undefined
  const jobs = `${metric}{namespace="${namespace}",job_name=~"${escaped(name)}-[0-9]+"}${HOUR}`
  return `sum(max_over_time(${jobs}) - min_over_time(${jobs}))`
}

/**
 * What work is counted by, the finest first: of a language model tokens, because requests differ in length. Names as of vLLM
 * 0.14, SGLang 0.5, Triton 2.60, Knative 1.17, Istio 1.27 and kube-state-metrics 2.16; some collectors write `_` for `:`.
 */
const COUNTERS: readonly Counter[] = [
  ...['vllm:generation_tokens_total', 'vllm_generation_tokens_total'].map((metric) => ({ metric, unit: 'tokens' })),
  ...['sglang:generation_tokens_total', 'sglang_generation_tokens_total'].map((metric) => ({ metric, unit: 'tokens' })),
  { metric: 'nv_inference_count', unit: 'inferences' },
]
  .map((counter): Counter => ({ ...counter, query: ofPods('namespace', 'pod') }))
  .concat([
    { metric: 'revision_app_request_count', unit: 'requests', query: ofPods('namespace_name', 'pod_name') },
    { metric: 'istio_requests_total', unit: 'requests', query: ofMesh },
    { metric: 'kube_job_status_succeeded', unit: 'completions', query: ofCronJob },
  ])

const HOUR_MS = 3_600_000
/** Of more pods the query is longer than servers read. */
const MOST_PODS = 100

/** What a workload did in each hour, by the first counter that knows it; undefined where none does. */
export async function readWork(
  { workload, pods, window, source }: WorkQuery,
  { client, signal }: { readonly client: PrometheusClient; readonly signal: AbortSignal },
): Promise<CountedWork | undefined> {
  if (window.to <= window.from || pods.length > MOST_PODS) return undefined
  const [namespace = '', kind = '', ...name] = workload.split('/')
  const named = { namespace, kind, name: name.join('/'), pods: pods.map(escaped).join('|') }
  const names = new Set(await client.metricNames(window, { signal }))
  const times = { from: window.from + HOUR_MS, to: window.to, stepMs: HOUR_MS }
  const known = COUNTERS.filter(({ metric }) => names.has(metric) && (source ?? metric) === metric)
  for (const { metric, unit, query } of known) {
    const asked = query(metric, named)
    const found = asked === undefined ? [] : await client.range({ query: asked, ...times }, { signal }).catch(tolerated)
    const byHour = hoursOf(found, window)
    if (byHour.some((units) => units !== null)) return { unit, source: metric, byHour }
  }
  return undefined
}

function hoursOf(found: readonly QuerySeries[], { from, to }: WorkQuery['window']): readonly (number | null)[] {
  const values = new Map(found.flatMap(({ samples }) => samples.map(({ at, value }) => [at, value])))
  return Array.from({ length: (to - from) / HOUR_MS }, (_, order) => {
    const units = values.get(from + (order + 1) * HOUR_MS)
    return units === undefined || !Number.isFinite(units) ? null : units
  })
}

/** In a PromQL string, which reads a backslash itself before the expression does. */
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\\$&`)

/** An engine that refuses the question counts nothing; one that cannot be reached may count it later. */
function tolerated(error: unknown): readonly QuerySeries[] {
  if (error instanceof TelemetryError && ['limit', 'too-large', 'timeout', 'rejected'].includes(error.code)) return []
  throw error
}
