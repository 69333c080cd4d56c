import { PROMETHEUS_SECRETS, type AgentSeen, type ClusterRecord, type PrometheusSource } from '@septet/domain'

import type { ClusterSource } from '../config.ts'
import type { ConnectionView } from '../operations/clusters/cluster-service.ts'
import { withoutPassword } from '../setting-values.ts'
import { IN_CLUSTER, isByAgent, type OPEN_NAMES, type StoredConnection } from './stored-connections.ts'

/** A connection that an admin added, without its credentials. */
export const storedView = (stored: StoredConnection, agent?: AgentSeen): ConnectionView => ({
  id: stored.id,
  name: stored.name,
  origin: 'settings',
  server: stored.server === IN_CLUSTER || isByAgent(stored) ? null : stored.server,
  signsInBy: stored.signsInBy,
  operatorNamespace: stored.operatorNamespace,
  ...engineView(stored),
  prometheusSecrets: stored.prometheusSecrets,
  exporterTargets: stored.exporterTargets,
  addedAt: new Date(stored.addedAt).toISOString(),
  addedBy: stored.addedBy,
  actor: stored.actor ?? null,
  agent: isByAgent(stored) ? agentView(agent) : null,
})

const NOT_SEEN = { host: null, version: null, since: null, seenAt: null, readTo: null } as const
const agentView = (agent: AgentSeen | undefined): ConnectionView['agent'] =>
  agent === undefined
    ? NOT_SEEN
    : {
        host: agent.host,
        version: agent.version,
        since: timeText(agent.since),
        seenAt: timeText(agent.seenAt),
        readTo: timeText(agent.received),
      }
const timeText = (at: number): string | null => (at === 0 ? null : new Date(at).toISOString())

const NOTHING_KNOWN = { server: null, addedAt: null, addedBy: null, agent: null } as const

type OpenWords = { readonly [Name in (typeof OPEN_NAMES)[number]]?: StoredConnection[Name] }

const engineView = (words: OpenWords): Pick<ConnectionView, keyof OpenWords> => ({
  prometheusUrl: words.prometheusUrl ?? null,
  prometheusTenant: words.prometheusTenant ?? null,
  prometheusMatchers: words.prometheusMatchers ?? null,
  prometheusUser: words.prometheusUser ?? null,
  prometheusAwsRegion: words.prometheusAwsRegion ?? null,
  prometheusAwsKeyId: words.prometheusAwsKeyId ?? null,
  prometheusQueries: words.prometheusQueries ?? null,
  prometheusQuerySeconds: words.prometheusQuerySeconds ?? null,
})

const NO_ENGINE = { ...engineView({}), prometheusSecrets: [] }

/** The same of an engine that the environment names. */
function configuredEngine({ url, bearerToken, basic, tenant, headers, matchers, aws, tls, limits }: PrometheusSource) {
  const secrets = {
    prometheusToken: bearerToken,
    prometheusPassword: basic,
    prometheusHeaders: headers,
    prometheusAwsSecret: aws,
    prometheusCa: tls?.ca,
    prometheusCert: tls?.cert,
    prometheusKey: tls?.key,
  }
  return {
    ...engineView({
      prometheusUrl: withoutPassword(url),
      prometheusTenant: tenant,
      prometheusMatchers: matchers,
      prometheusUser: basic?.username,
      prometheusAwsRegion: aws?.region,
      prometheusAwsKeyId: aws?.keyId,
      prometheusQueries: limits?.atOnce,
      prometheusQuerySeconds: limits?.secondsPerMinute,
    }),
    prometheusSecrets: PROMETHEUS_SECRETS.filter((name) => secrets[name] !== undefined),
  }
}

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
      ...NO_ENGINE,
      exporterTargets: [],
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
    ...(prometheus === undefined ? NO_ENGINE : configuredEngine(prometheus)),
    exporterTargets: exporterTargets.map(withoutPassword),
    actor: actor === undefined ? null : { signsInBy: 'kubeconfig file', namespace: actor.namespace },
  }
}
