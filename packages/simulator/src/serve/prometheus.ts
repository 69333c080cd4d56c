import type { World } from '../model/world.ts'
import { promqlDuration, parseQuery, type PromqlQuery } from './promql.ts'
import { evaluate, seriesNames, type Steps } from './series.ts'
import { WORK_METRICS, workSeries } from './work-series.ts'
import { podNameOf, type Owner } from '../model/timeline.ts'

/** Of kube-state-metrics the demo has who owns pods, ReplicaSets and Jobs. */
const OWNER_METRICS = ['kube_job_owner', 'kube_pod_owner', 'kube_replicaset_owner']

const QUERY = /^last_over_time\((kube_(?:pod|replicaset|job)_owner)\[(\d+)s\]\)$/

type Labels = Readonly<Record<string, string>>

/** Answers `last_over_time(kube_pod_owner[600s])` and its like; undefined for any other query. */
function ownerSeries(world: World, query: string, at: number): readonly Labels[] | undefined {
  const [, name, seconds] = QUERY.exec(query.trim()) ?? []
  if (name === undefined) return undefined
  const window = { from: at - Number(seconds) * 1000, to: at }
  const found = world.slots.flatMap((slot) =>
    world.occupancies(slot, window).flatMap((one) => SERIES[name]?.(one) ?? []),
  )
  const distinct = new Map(found.map((labels) => [JSON.stringify(labels), labels]))
  return [...distinct.values()]
}

type Occupancy = ReturnType<World['occupancies']>[number]

const ownedBy = (owner: Owner | undefined): Labels => ({
  owner_kind: owner?.kind ?? '<none>',
  owner_name: owner?.name ?? '<none>',
  owner_is_controller: owner === undefined ? '<none>' : 'true',
})

/** Owners of one kind, each with the one above it. */
const linksOf = ({ namespace, owners }: Occupancy, kind: Owner['kind'], label: string): readonly Labels[] =>
  owners.flatMap((owner, order) =>
    owner.kind === kind ? [{ namespace, [label]: owner.name, ...ownedBy(owners[order - 1]) }] : [],
  )

const SERIES: Readonly<Record<string, (of: Occupancy) => readonly Labels[]>> = {
  kube_pod_owner: (of) =>
    of.slot.seats.map((_, index) => ({
      namespace: of.namespace,
      pod: podNameOf(of, index),
      ...ownedBy(of.owners.at(-1)),
    })),
  kube_replicaset_owner: (of) => linksOf(of, 'ReplicaSet', 'replicaset'),
  kube_job_owner: (of) => linksOf(of, 'Job', 'job_name'),
}

export type PrometheusAnswer = { readonly code: number; readonly body: object }

const success = (data: unknown): PrometheusAnswer => ({ code: 200, body: { status: 'success', data } })
const failure = (code: number, errorType: string, error: string): PrometheusAnswer => ({
  code,
  body: { status: 'error', errorType, error },
})
const bad = (error: string): PrometheusAnswer => failure(400, 'bad_data', error)

/** As Prometheus, to keep one answer from growing without bound. */
const MAX_POINTS = 11_000

/** Answers what comes in under `/prometheus/api/v1/`. `path` is the rest; `now` the demo's clock in milliseconds. */
export function answerPrometheus(
  world: World,
  request: { path: string; parameters: URLSearchParams },
  now: number,
): PrometheusAnswer {
  const { path, parameters } = request
  if (path === 'status/buildinfo') return success(BUILD)
  if (path === 'labels') return success(LABELS)
  if (path === 'label/__name__/values') return success([...seriesNames(), ...OWNER_METRICS, ...WORK_METRICS])
  const label = /^label\/(Hostname|node)\/values$/.exec(path)
  if (label !== null) return success(world.nodes.map(({ name }) => name).toSorted())
  if (path === 'query') return instantQuery(world, parameters, now)
  if (path === 'query_range') return rangeQuery(world, parameters, now)
  return failure(404, 'not_found', `the demo serves no ${path}`)
}

const BUILD = {
  version: '3.5.0',
  revision: 'demo',
  branch: 'HEAD',
  buildUser: 'demo',
  buildDate: '',
  goVersion: 'go1.25',
}
const LABELS = (
  '__name__ DCGM_FI_DRIVER_VERSION GPU_I_ID GPU_I_PROFILE Hostname UUID container device err_code ' +
  'err_msg gpu instance job modelName namespace node pci_bus_id pod'
).split(' ')

function instantQuery(world: World, parameters: URLSearchParams, now: number): PrometheusAnswer {
  const at = Math.min(timeOf(parameters.get('time')) ?? now, now)
  const owners = ownerSeries(world, parameters.get('query') ?? '', at)
  if (owners !== undefined)
    return success({ resultType: 'vector', result: owners.map((metric) => ({ metric, value: [at / 1000, '1'] })) })
  const query = parseQuery(parameters.get('query') ?? '')
  if (typeof query === 'string') return bad(query)
  const result = evaluate(world, query, { start: at, end: at, step: 1, now }).map(({ metric, values }) => ({
    metric,
    value: values[0],
  }))
  return unlessDoubled(query, result, 'vector')
}

function rangeQuery(world: World, parameters: URLSearchParams, now: number): PrometheusAnswer {
  const steps = stepsOf(parameters, now)
  const worked = typeof steps === 'string' ? undefined : workSeries(world, parameters.get('query') ?? '', steps)
  if (worked !== undefined) return success({ resultType: 'matrix', result: worked })
  const query = parseQuery(parameters.get('query') ?? '')
  if (typeof query === 'string') return bad(query)
  if (typeof steps === 'string') return bad(steps)
  return unlessDoubled(query, evaluate(world, query, steps), 'matrix')
}

/** A function drops the metric's name; two metrics that then look the same cannot be told apart. */
function unlessDoubled(
  query: PromqlQuery,
  result: readonly { readonly metric: Readonly<Record<string, string>> }[],
  resultType: 'vector' | 'matrix',
): PrometheusAnswer {
  const doubled =
    query.over !== undefined && new Set(result.map(({ metric }) => JSON.stringify(metric))).size < result.length
  if (doubled) return failure(422, 'execution', 'vector cannot contain metrics with the same labelset')
  return success({ resultType, result })
}

function stepsOf(parameters: URLSearchParams, now: number): Steps | string {
  const start = timeOf(parameters.get('start'))
  const end = timeOf(parameters.get('end'))
  const step = promqlDuration(parameters.get('step') ?? '')
  if (start === undefined) return 'invalid parameter "start": cannot parse it to a valid timestamp'
  if (end === undefined) return 'invalid parameter "end": cannot parse it to a valid timestamp'
  if (!(step > 0))
    return 'invalid parameter "step": zero or negative query resolution step widths are not accepted. Try a positive integer'
  if (end < start) return 'invalid parameter "end": end timestamp must not be before start time'
  if ((end - start) / step > MAX_POINTS) {
    return 'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)'
  }
  // The future is not known yet.
  return { start, end: Math.min(end, now), step, now }
}

/** Seconds since 1970, or RFC 3339, in milliseconds. */
function timeOf(text: string | null): number | undefined {
  if (text === null || text === '') return undefined
  const milliseconds = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Math.round(Number(text) * 1000) : Date.parse(text)
  return Number.isFinite(milliseconds) ? milliseconds : undefined
}
