import { wrongCertificate } from '@septet/connectors'
import { invalidInput } from '@septet/contract'
import { PROMETHEUS_SECRETS, wrongPrometheusWords, type PrometheusWords } from '@septet/domain'

import type { ClusterService, ConnectionView } from '../operations/clusters/cluster-service.ts'
import { changeConnection, type ConnectionParts } from './change-connection.ts'
import {
  withCredentials,
  credentialsIn,
  isByAgent,
  OPEN_NAMES,
  type StoredCredentials,
  type StoredConnection,
} from './stored-connections.ts'

type MetricsWish = PrometheusWords & { readonly exporterTargets?: readonly string[] | undefined }

/** Keeps where the metrics of a cluster are, and connects it again. */
export const setMetrics = (
  parts: ConnectionParts,
  { id, ...wish }: Parameters<ClusterService['setMetrics']>[0],
): Promise<ConnectionView> =>
  changeConnection(parts, id, (before) => {
    if (isByAgent(before)) {
      throw invalidInput(
        `The metrics of ${before.name} are read by its agent.`,
        'Start the agent with --prometheus or --exporter.',
      )
    }
    // What opens one server is not sent to another because its address was changed.
    const isSame = wish.prometheusUrl !== undefined && originOf(wish.prometheusUrl) === originOf(before.prometheusUrl)
    const kept = isSame ? { ...credentialsIn(parts.secrets, before), ...wish } : wish
    refuseWrongMetrics(kept)
    return { ...withCredentials(parts.secrets, before, sealedMetrics(kept)), ...openMetricsSource(kept) }
  })

const originOf = (address: string | undefined): string | undefined => address && new URL(address).origin

/** Throws a `Refusal` for what does not go together. */
export function refuseWrongMetrics(words: PrometheusWords): void {
  const { prometheusCert: cert = '', prometheusKey: key = '' } = words
  const wrong = wrongPrometheusWords(words) ?? (cert === '' ? undefined : wrongCertificate(cert, key))
  if (wrong !== undefined) throw invalidInput(wrong, 'Correct the source of metrics.')
}

/** Of a source of metrics what whoever sees the connection may read, and which secrets there are. */
export const openMetricsSource = (
  wish: MetricsWish,
): Pick<StoredConnection, (typeof OPEN_NAMES)[number] | 'prometheusSecrets' | 'exporterTargets'> => ({
  ...Object.fromEntries(OPEN_NAMES.map((name) => [name, said(wish[name])])),
  prometheusSecrets: PROMETHEUS_SECRETS.filter((name) => said(wish[name]) !== undefined),
  exporterTargets: [...(wish.exporterTargets ?? [])],
})

/** And what nobody may. */
export const sealedMetrics = (wish: MetricsWish): Pick<StoredCredentials, (typeof PROMETHEUS_SECRETS)[number]> =>
  Object.fromEntries(PROMETHEUS_SECRETS.map((name) => [name, said(wish[name])]))

const said = <Value>(value: Value | undefined | ''): Value | undefined => (value === '' ? undefined : value)
