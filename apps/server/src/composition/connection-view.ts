import type { ClusterRecord } from '@septet/domain'

import type { ClusterSource } from '../config.ts'
import type { ConnectionView } from '../operations/clusters/cluster-service.ts'
import { withoutPassword } from '../settings.ts'
import { IN_CLUSTER, type StoredConnection } from './stored-connections.ts'

/** A connection that an admin added, without its credentials. */
export const storedView = (stored: StoredConnection): ConnectionView => ({
  id: stored.id,
  name: stored.name,
  origin: 'settings',
  server: stored.server === IN_CLUSTER ? null : stored.server,
  signsInBy: stored.signsInBy,
  operatorNamespace: stored.operatorNamespace,
  prometheusUrl: stored.prometheusUrl ?? null,
  prometheusTenant: stored.prometheusTenant ?? null,
  hasPrometheusToken: stored.hasPrometheusToken,
  exporterTargets: stored.exporterTargets.length,
  addedAt: new Date(stored.addedAt).toISOString(),
  addedBy: stored.addedBy,
  actor: stored.actor ?? null,
})

const NOTHING_KNOWN = { server: null, addedAt: null, addedBy: null } as const

/** A cluster that is not decided here: the demo, or the one of the environment. */
export function fixedView({ id, name, kind }: ClusterRecord, configured: ClusterSource | undefined): ConnectionView {
  if (kind === 'demo' || configured === undefined) {
    return {
      ...NOTHING_KNOWN,
      id,
      name,
      origin: 'demo',
      signsInBy: 'token',
      operatorNamespace: 'gpu-operator',
      prometheusUrl: null,
      prometheusTenant: null,
      hasPrometheusToken: false,
      exporterTargets: 0,
      actor: { signsInBy: 'token', namespace: 'septet' },
    }
  }
  const { kubeconfig, operatorNamespace, prometheus, exporterTargets, actor } = configured
  return {
    ...NOTHING_KNOWN,
    id,
    name,
    origin: 'environment',
    signsInBy: kubeconfig === IN_CLUSTER ? 'service account of the pod' : 'kubeconfig file',
    operatorNamespace,
    prometheusUrl: prometheus === undefined ? null : withoutPassword(prometheus.url),
    prometheusTenant: prometheus?.tenant ?? null,
    hasPrometheusToken: prometheus?.token !== undefined,
    exporterTargets: exporterTargets.length,
    actor: actor === undefined ? null : { signsInBy: 'kubeconfig file', namespace: actor.namespace },
  }
}
