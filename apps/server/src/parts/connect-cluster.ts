import { openClusterReader, openExporterReader, openPrometheus } from '@septet/connectors'
import { instant, type ClusterReader, type HistoryReader, type Log, type TelemetryReader } from '@septet/domain'

import type { ClusterSource } from '../config.ts'
import type { DemoAddresses } from './demo-process.ts'

/** What one cluster is reached by. */
export type ClusterConnections = {
  readonly reader: ClusterReader
  readonly telemetry: TelemetryReader | undefined
  readonly history: HistoryReader | undefined
}

const clock = () => instant(Date.now())

/** Connectors of a configured cluster. Throws a sentence when the kubeconfig is wrong. */
export function connectCluster(source: ClusterSource, log: Log): ClusterConnections {
  const kubeconfig =
    source.kubeconfig === 'in-cluster'
      ? ({ inCluster: true } as const)
      : { path: source.kubeconfig, ...(source.context === undefined ? {} : { context: source.context }) }
  const prometheus = source.prometheus === undefined ? undefined : openPrometheus(prometheusOptions(source.prometheus))
  const exporter =
    source.exporterTargets.length === 0
      ? undefined
      : openExporterReader({ targets: source.exporterTargets.map((url) => ({ url })), clock })
  return {
    reader: openClusterReader({
      kubeconfig,
      operatorNamespace: source.operatorNamespace,
      log,
      clock,
      random: Math.random,
    }),
    // An exporter that is named is asked directly: its values are fresher than an engine's.
    telemetry: exporter ?? prometheus,
    history: prometheus,
  }
}

const prometheusOptions = ({ url, token, tenant }: NonNullable<ClusterSource['prometheus']>) => ({
  url,
  clock,
  ...(token === undefined ? {} : { bearerToken: token }),
  ...(tenant === undefined ? {} : { headers: { 'X-Scope-OrgID': tenant } }),
})

/** Connectors of the demo cluster: the same ones, to the addresses that it gave. */
export function connectDemo(addresses: DemoAddresses, log: Log): ClusterConnections {
  return {
    reader: openClusterReader({ kubeconfig: { path: addresses.kubeconfigPath }, log, clock, random: Math.random }),
    telemetry: openExporterReader({ targets: { httpSd: addresses.exporterTargetsUrl }, clock }),
    history: openPrometheus({ url: addresses.prometheusUrl, clock }),
  }
}
