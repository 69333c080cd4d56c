import { typedNames } from '../role-words.ts'

/** What was typed about a connection so far. */
export type ConnectionDraft = {
  readonly kind: 'kubeconfig' | 'in-cluster'
  readonly kubeconfig: string
  /** Undefined: the current one of the kubeconfig. */
  readonly context: string | undefined
  readonly operatorNamespace: string
  readonly metrics: 'prometheus' | 'exporters' | 'none'
  readonly prometheusUrl: string
  readonly prometheusToken: string
  readonly prometheusTenant: string
  readonly exporterTargets: string
}

export const EMPTY_DRAFT: ConnectionDraft = {
  kind: 'kubeconfig',
  kubeconfig: '',
  context: undefined,
  operatorNamespace: 'gpu-operator',
  metrics: 'prometheus',
  prometheusUrl: '',
  prometheusToken: '',
  prometheusTenant: '',
  exporterTargets: '',
}

/** The draft as the server takes it; what belongs to a choice that was not made is left out. */
export function wishOf(draft: ConnectionDraft) {
  return { ...reachOf(draft), operatorNamespace: draft.operatorNamespace.trim() || 'gpu-operator', ...metricsOf(draft) }
}

function reachOf({ kind, kubeconfig, context }: ConnectionDraft) {
  if (kind === 'in-cluster') return { kind }
  return { kind, kubeconfig, ...(context === undefined ? {} : { context }) }
}

function metricsOf(draft: ConnectionDraft) {
  if (draft.metrics === 'exporters') return { exporterTargets: typedNames(draft.exporterTargets) ?? [] }
  if (draft.metrics === 'none' || draft.prometheusUrl.trim() === '') return {}
  const token = draft.prometheusToken.trim()
  const tenant = draft.prometheusTenant.trim()
  return {
    prometheusUrl: draft.prometheusUrl.trim(),
    ...(token === '' ? {} : { prometheusToken: token }),
    ...(tenant === '' ? {} : { prometheusTenant: tenant }),
  }
}
