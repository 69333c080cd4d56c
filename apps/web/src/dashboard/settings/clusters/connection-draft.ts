import type { Answer } from '../../../api.ts'
import { typedNames } from '../../words/typed-names.ts'

type Connection = Answer<'connectionsList'>['connections'][number]
/** What is stored and never shown. */
export type Secret = Connection['prometheusSecrets'][number]

const PROMETHEUS_TEXTS = [
  'prometheusToken',
  'prometheusTenant',
  'prometheusHeaders',
  'prometheusMatchers',
  'prometheusUser',
  'prometheusPassword',
  'prometheusAwsRegion',
  'prometheusAwsKeyId',
  'prometheusAwsSecret',
  'prometheusCa',
  'prometheusCert',
  'prometheusKey',
] as const
const PROMETHEUS_NUMBERS = ['prometheusQueries', 'prometheusQuerySeconds'] as const

/** What is typed of a source of metrics, each as a text. */
export type MetricsText =
  | 'prometheusUrl'
  | 'exporterTargets'
  | (typeof PROMETHEUS_TEXTS)[number]
  | (typeof PROMETHEUS_NUMBERS)[number]

/** What was typed about a source of metrics so far. */
export type MetricsDraft = { readonly [Name in MetricsText]: string } & {
  readonly metrics: 'prometheus' | 'exporters' | 'none'
  /** Stored secrets that are to go. */
  readonly removed: readonly Secret[]
}

/** What was typed about a connection so far. */
export type ConnectionDraft = MetricsDraft & {
  readonly kind: 'kubeconfig' | 'in-cluster' | 'agent'
  readonly kubeconfig: string
  /** Undefined: the current one of the kubeconfig. */
  readonly context: string | undefined
  readonly operatorNamespace: string
}

const EMPTY_METRICS: MetricsDraft = {
  metrics: 'prometheus',
  removed: [],
  prometheusUrl: '',
  prometheusToken: '',
  prometheusTenant: '',
  prometheusHeaders: '',
  prometheusMatchers: '',
  prometheusUser: '',
  prometheusPassword: '',
  prometheusAwsRegion: '',
  prometheusAwsKeyId: '',
  prometheusAwsSecret: '',
  prometheusCa: '',
  prometheusCert: '',
  prometheusKey: '',
  prometheusQueries: '',
  prometheusQuerySeconds: '',
  exporterTargets: '',
}

export const EMPTY_DRAFT: ConnectionDraft = {
  ...EMPTY_METRICS,
  kind: 'kubeconfig',
  kubeconfig: '',
  context: undefined,
  operatorNamespace: 'gpu-operator',
}

/** The source of metrics that a connection has, to be changed; its secrets are not shown, and stay while nothing is typed. */
export function metricsDraftOf(connection: Connection): MetricsDraft {
  const { exporterTargets } = connection
  const shown = Object.fromEntries(SHOWN.map((name) => [name, String(connection[name] ?? '')]))
  return {
    ...EMPTY_METRICS,
    ...shown,
    metrics: exporterTargets.length > 0 ? 'exporters' : connection.prometheusUrl === null ? 'none' : 'prometheus',
    exporterTargets: exporterTargets.join(', '),
  }
}

const SHOWN = [
  'prometheusUrl',
  'prometheusTenant',
  'prometheusMatchers',
  'prometheusUser',
  'prometheusAwsRegion',
  'prometheusAwsKeyId',
  ...PROMETHEUS_NUMBERS,
] as const

/** The draft as the server takes it; what belongs to a choice that was not made is left out. */
export function wishOf(draft: ConnectionDraft) {
  // An agent is told by itself where metrics are.
  if (draft.kind === 'agent') return { kind: draft.kind }
  return { ...reachOf(draft), operatorNamespace: draft.operatorNamespace.trim() || 'gpu-operator', ...metricsOf(draft) }
}

function reachOf({ kind, kubeconfig, context }: ConnectionDraft) {
  if (kind !== 'kubeconfig') return { kind }
  return { kind, kubeconfig, ...(context === undefined ? {} : { context }) }
}

/** A source of metrics as the server takes it. */
export function metricsOf(draft: MetricsDraft) {
  if (draft.metrics === 'exporters') return { exporterTargets: typedNames(draft.exporterTargets) ?? [] }
  if (draft.metrics === 'none' || draft.prometheusUrl.trim() === '') return {}
  const texts = PROMETHEUS_TEXTS.map((name) => [name, draft[name].trim()] as const)
  const numbers = PROMETHEUS_NUMBERS.map((name) => [name, draft[name].trim()] as const)
  return {
    prometheusUrl: draft.prometheusUrl.trim(),
    // What is empty removes what is stored; what is typed takes its place.
    ...Object.fromEntries(draft.removed.map((name) => [name, ''])),
    ...Object.fromEntries(texts.filter(([, text]) => text !== '')),
    ...Object.fromEntries(numbers.filter(([, text]) => text !== '').map(([name, text]) => [name, Number(text)])),
  }
}
