import {
  DAY_MS,
  HOUR_MS,
  instant,
  type CountedWork,
  type SignsQuery,
  type WorkQuery,
  type WorkSigns,
} from '@septet/domain'

import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { GENERATION_COUNTERS } from './inference-engines.ts'
import type { PrometheusClient } from './prometheus-client.ts'

type Counter = {
  readonly metric: string
  readonly unit: string
  /** PromQL for what a workload did in a stretch before an instant; undefined where it counts nothing of that kind. */
  readonly query: Query
}
type Query = (metric: string, of: Named) => string | undefined
type Named = {
  readonly namespace: string
  readonly kind: string
  readonly name: string
  readonly pods: string
  /** How long the stretch is: `[3600s]`. */
  readonly over: string
}

/** A counter that a pod's own endpoint has: the scrape names the pod. */
const ofPods =
  (namespace: string, pod: string, more = ''): Query =>
  (metric, of) =>
    of.pods === ''
      ? undefined
      : `sum(increase(${metric}{${namespace}="${of.namespace}",${pod}=~"${of.pods}"${more}}${of.over}))`

/** The traffic that a mesh saw arrive at a workload. */
const ofMesh =
  (more = ''): Query =>
  (metric, { namespace, name, over }) =>
    `sum(increase(${metric}{reporter="destination",destination_workload_namespace="${namespace}",destination_workload="${name}"${more}}${over}))`

/** Jobs of a CronJob are named by their minute. A Job counts once, in the hour in which it was first seen to have succeeded. */
const ofCronJob: Query = (metric, { namespace, kind, name, over }) => {
  if (kind !== 'CronJob') return undefined
  const jobs = `${metric}{namespace="${namespace}",job_name=~"${escaped(name)}-[0-9]+"}${over}`
  return `sum(max_over_time(${jobs}) - min_over_time(${jobs}))`
}

/**
 * What work is counted by, the finest first: of a language model tokens, because requests differ in length. Names as of vLLM
 * 0.14, SGLang 0.5, Triton 2.60, Knative 1.17, Istio 1.27 and kube-state-metrics 2.16; some collectors write `_` for `:`.
 */
const COUNTERS: readonly Counter[] = [
  ...GENERATION_COUNTERS.map(({ name }) => ({ metric: name, unit: 'tokens' })),
  { metric: 'nv_inference_count', unit: 'inferences' },
]
  .map((counter): Counter => ({ ...counter, query: ofPods('namespace', 'pod') }))
  .concat([
    { metric: 'revision_app_request_count', unit: 'requests', query: ofPods('namespace_name', 'pod_name') },
    { metric: 'istio_requests_total', unit: 'requests', query: ofMesh() },
    { metric: 'kube_job_status_succeeded', unit: 'completions', query: ofCronJob },
  ])

/** Requests that failed, by what counts them; `all` counts every one. */
const FAILURES = [
  { metric: 'istio_requests_total', failed: ofMesh(',response_code=~"5.."'), all: ofMesh() },
  {
    metric: 'revision_app_request_count',
    failed: ofPods('namespace_name', 'pod_name', ',response_code_class="5xx"'),
    all: ofPods('namespace_name', 'pod_name'),
  },
] as const
const RESTARTS = 'kube_pod_container_status_restarts_total'

/** The days before that a stretch is compared with. */
const DAYS = 7
/** Longer than anybody scrapes apart. */
const SEEN_MS = 300_000
/** Of more pods the query is longer than servers read. */
const MOST_PODS = 100

type Asked = { readonly client: PrometheusClient; readonly signal: AbortSignal }

/** What a workload did in each hour, by the first counter that knows it; undefined where none does. */
export async function readWork(
  { workload, pods, window, source }: WorkQuery,
  { client, signal }: Asked,
): Promise<CountedWork | undefined> {
  if (window.to <= window.from || pods.length > MOST_PODS) return undefined
  const named = namedOf({ workload, pods, seconds: HOUR_MS / 1000 })
  const names = new Set(await client.metricNames(window, { signal }))
  const times = { from: window.from + HOUR_MS, to: window.to, stepMs: HOUR_MS }
  const known = COUNTERS.filter(({ metric }) => names.has(metric) && (source ?? metric) === metric)
  for (const { metric, unit, query } of known) {
    const byHour = await readValues(query(metric, named), times, { client, signal }).catch(tolerated(ANY_REFUSAL))
    if (byHour?.some((units) => units !== null)) return { unit, source: metric, byHour }
  }
  return undefined
}

/**
 * What a workload did, failed at, and how often it restarted in a stretch, beside the same stretch of the days before. Throws
 * where the engine does not answer.
 */
export async function readSigns(query: SignsQuery, asked: Asked): Promise<WorkSigns> {
  const { at, seconds, pods } = query
  if (pods.length > MOST_PODS) return { seconds }
  const window = { from: instant(at - DAYS * DAY_MS), to: at }
  const names = new Set(await asked.client.metricNames(window, { signal: asked.signal }))
  const named = namedOf(query)
  const days = async (metric: string, how: Query): Promise<OfDays | undefined> => {
    if (!names.has(metric)) return undefined
    const times = { ...window, stepMs: DAY_MS }
    const values = await readValues(how(metric, named), times, asked).catch(tolerated(WORDED_REFUSAL))
    if (values === undefined) return undefined
    return { since: values.at(-1) ?? undefined, before: values.slice(0, -1).filter((value) => value !== null) }
  }
  return {
    seconds,
    ...(await readPace(days, () => seenRunning(query, asked))),
    ...(await readFailures(days)),
    ...optional('restarts', heard(await days(RESTARTS, ofPods('namespace', 'pod')))),
  }
}

type Beside<Value> = { readonly since: Value; readonly before: readonly Value[] }
/** `since` is undefined where the counter has no sample since. */
type OfDays = { readonly since: number | undefined; readonly before: readonly number[] }
/** Undefined: nobody counts it, or it could not be asked for. */
type Days = (metric: string, how: Query) => Promise<OfDays | undefined>

const heard = (found: OfDays | undefined): Beside<number> | undefined =>
  found?.since === undefined ? undefined : { since: found.since, before: found.before }

const optional = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed key is typed as any text
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value }

/**
 * By the first counter that still counts; else the first that did on days before, where pods run of which it could. Jobs
 * complete too seldom to tell within minutes that they do so less often.
 */
async function readPace(
  days: Days,
  seen: () => Promise<boolean | undefined>,
): Promise<Pick<WorkSigns, 'work' | 'silent'>> {
  let silent: Omit<NonNullable<WorkSigns['silent']>, 'isSeen'> | undefined
  for (const { metric, unit, query } of COUNTERS.filter((each) => each.query !== ofCronJob)) {
    const found = await days(metric, query)
    const since = heard(found)
    if (since !== undefined) return { work: { ...since, unit, source: metric } }
    if (found !== undefined && found.before.length > 0) silent ??= { unit, source: metric, before: found.before }
  }
  const isSeen = silent === undefined ? undefined : await seen()
  return silent === undefined || isSeen === undefined ? {} : { silent: { ...silent, isSeen } }
}

/** Whether any series of the pods that run was there all the while; undefined where none runs. */
async function seenRunning({ workload, running, at, seconds }: SignsQuery, asked: Asked): Promise<boolean | undefined> {
  if (running.length === 0) return undefined
  const { namespace, pods } = namedOf({ workload, pods: running.slice(0, MOST_PODS), seconds })
  const query = `count(present_over_time({namespace="${namespace}",pod=~"${pods}"}[${SEEN_MS / 1000}s]))`
  const stretches = Math.floor((seconds * 1000) / SEEN_MS)
  const times = { from: at - (stretches - 1) * SEEN_MS, to: at, stepMs: SEEN_MS }
  const found = await readValues(query, times, asked).catch(tolerated(WORDED_REFUSAL))
  return found?.every((count) => (count ?? 0) > 0) ?? false
}

/** Where nothing has ever failed there is no series of failures. */
const answered = (failed: number | undefined, all: number) => ({ failed: failed ?? 0, all })

async function readFailures(days: Days): Promise<Pick<WorkSigns, 'errors'>> {
  for (const { metric, failed, all } of FAILURES) {
    const [bad, every] = [heard(await days(metric, failed)), heard(await days(metric, all))]
    if (every === undefined) continue
    const before = every.before.map((of, day) =>
      answered(bad?.before.length === every.before.length ? bad.before[day] : 0, of),
    )
    return { errors: { source: metric, since: answered(bad?.since, every.since), before } }
  }
  return {}
}

const namedOf = ({ workload, pods, seconds }: Pick<SignsQuery, 'workload' | 'pods' | 'seconds'>): Named => {
  const [namespace = '', kind = '', ...name] = workload.split('/')
  return { namespace, kind, name: name.join('/'), pods: pods.map(escaped).join('|'), over: `[${seconds}s]` }
}

type Times = { readonly from: number; readonly to: number; readonly stepMs: number }

/** One value for each instant from the first to the last; null where there is none. */
async function readValues(
  query: string | undefined,
  times: Times,
  { client, signal }: Asked,
): Promise<readonly (number | null)[]> {
  const { from, to, stepMs } = times
  const found = query === undefined ? [] : await client.range({ query, ...times }, { signal })
  const values = new Map(found.flatMap(({ samples }) => samples.map(({ at, value }) => [at, value])))
  return Array.from({ length: Math.floor((to - from) / stepMs) + 1 }, (_, order) => {
    const value = values.get(from + order * stepMs)
    return value === undefined || !Number.isFinite(value) ? null : value
  })
}

/** In a PromQL string, which reads a backslash itself before the expression does. */
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\\$&`)

/** It has answered, and not with figures. */
const WORDED_REFUSAL = ['limit', 'too-large', 'rejected']
const ANY_REFUSAL = [...WORDED_REFUSAL, 'timeout']

/** An engine that refuses the question counts nothing; one that cannot be reached may count it later. */
const tolerated =
  (codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (error instanceof TelemetryError && codes.includes(error.code)) return undefined
    throw error
  }
