import type { PastOwner } from '@septet/domain'

import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { workloadClass } from '../kubernetes/read/workload-class.ts'
import type { QuerySeries } from './prometheus-answer.ts'
import type { PrometheusClient } from './prometheus-client.ts'

/** What kube-state-metrics records of owners, by what is owned. */
const METRICS = {
  pod: { name: 'kube_pod_owner', label: 'pod' },
  ReplicaSet: { name: 'kube_replicaset_owner', label: 'replicaset' },
  Job: { name: 'kube_job_owner', label: 'job_name' },
} as const

export const OWNER_METRICS: readonly string[] = Object.values(METRICS).map(({ name }) => name)

/** The topmost recorded owner of a pod by namespace and name. */
export type RecordedOwners = (namespace: string, pod: string) => PastOwner | undefined

type Asked = {
  readonly client: PrometheusClient
  /** Metrics that the engine has. */
  readonly names: ReadonlySet<string>
  readonly signal: AbortSignal
}

/** The owners that were recorded in a window; of none where kube-state-metrics is not scraped, or has too much to tell. */
export async function recordedOwners(window: { from: number; to: number }, asked: Asked): Promise<RecordedOwners> {
  const [pods, replicaSets, jobs] = await Promise.all([
    ownersBy(METRICS.pod, window, asked),
    ownersBy(METRICS.ReplicaSet, window, asked),
    ownersBy(METRICS.Job, window, asked),
  ])
  const above = { ReplicaSet: replicaSets, Job: jobs }
  return (namespace, pod) => {
    const own = pods.get(`${namespace}/${pod}`)
    if (own === undefined) return undefined
    const top = own.kind === 'ReplicaSet' || own.kind === 'Job' ? above[own.kind].get(`${namespace}/${own.name}`) : own
    const { kind, name } = top === undefined || top.kind === NONE ? own : top
    return kind === NONE ? { kind: 'Pod', name: pod, class: 'unknown' } : { kind, name, class: workloadClass(kind, {}) }
  }
}

/** How kube-state-metrics says that there is no owner. */
const NONE = '<none>'

type Link = { readonly kind: string; readonly name: string }

async function ownersBy(
  { name, label }: (typeof METRICS)[keyof typeof METRICS],
  { from, to }: { readonly from: number; readonly to: number },
  { client, names, signal }: Asked,
): Promise<ReadonlyMap<string, Link>> {
  if (!names.has(name)) return new Map()
  const query = `last_over_time(${name}[${Math.ceil((to - from) / 1000)}s])`
  const found = await client.instant(query, { at: to, signal }).catch(toleratingLimits)
  return new Map(
    found.map(({ labels }) => [
      `${labels['exported_namespace'] ?? labels['namespace'] ?? ''}/${labels[`exported_${label}`] ?? labels[label] ?? ''}`,
      { kind: labels['owner_kind'] ?? NONE, name: labels['owner_name'] ?? '' },
    ]),
  )
}

/** Owners make the past easier to read; without them it is still the past. */
function toleratingLimits(error: unknown): readonly QuerySeries[] {
  if (error instanceof TelemetryError && ['limit', 'too-large', 'timeout', 'rejected'].includes(error.code)) return []
  throw error
}
