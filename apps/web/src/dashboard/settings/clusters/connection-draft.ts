import type { Answer, Order } from '../../../api.ts'

type Connection = Answer<'connectionsList'>['connections'][number]
/** What is stored and never shown. */
export type Secret = Connection['prometheusSecrets'][number]

/** What was typed about a source of metrics so far. A stored secret stays where nothing is, and goes where an empty text is. */
export type MetricsDraft = Omit<Order<'connectionsMetrics'>, 'id'> & {
  readonly metrics: 'prometheus' | 'exporters' | 'none'
}

/** What was typed about a connection so far. */
export type ConnectionDraft = MetricsDraft &
  Pick<Order<'connectionsAdd'>, 'kind' | 'operatorNamespace'> & {
    readonly kubeconfig: string
    /** Undefined: the current one of the kubeconfig. */
    readonly context: string | undefined
  }

export const EMPTY_DRAFT: ConnectionDraft = {
  metrics: 'prometheus',
  kind: 'kubeconfig',
  kubeconfig: '',
  context: undefined,
  operatorNamespace: 'gpu-operator',
}

/** The source of metrics that a connection has, to be changed. */
export const metricsDraftOf = (connection: Connection): MetricsDraft => ({
  metrics:
    connection.exporterTargets.length > 0 ? 'exporters' : connection.prometheusUrl === null ? 'none' : 'prometheus',
  exporterTargets: connection.exporterTargets,
  ...Object.fromEntries(SHOWN.map((name) => [name, connection[name] ?? undefined])),
})

const SHOWN = [
  'prometheusUrl',
  'prometheusTenant',
  'prometheusMatchers',
  'prometheusUser',
  'prometheusAwsRegion',
  'prometheusAwsKeyId',
  'prometheusQueries',
  'prometheusQuerySeconds',
] as const

/** The draft as the server takes it; what belongs to a choice that was not made is left out. */
export function connectionWish({ kind, kubeconfig, context, operatorNamespace, ...metrics }: ConnectionDraft) {
  // An agent is told by itself where metrics are.
  if (kind === 'agent') return { kind }
  return { kind, ...(kind === 'kubeconfig' && { kubeconfig, context }), operatorNamespace, ...metricsOf(metrics) }
}

/** A source of metrics as the server takes it. */
export function metricsOf({ metrics, exporterTargets = [], ...prometheus }: MetricsDraft) {
  if (metrics === 'exporters') return { exporterTargets }
  return metrics === 'none' || prometheus.prometheusUrl === undefined ? {} : prometheus
}
