import {
  openClusterReader,
  openClusterWriter,
  openExporterReader,
  openPrometheus,
  type ClusterAddress,
} from '@septet/connectors'
import {
  instant,
  type ClusterReader,
  type HistoryReader,
  type Log,
  type TelemetryReader,
  type WorkReader,
} from '@septet/domain'

import { openHand, type Hand } from '../act/hand.ts'
import type { ActorSource, ClusterSource } from '../config.ts'
import type { DemoAddresses } from './demo-process.ts'

/** What one cluster is reached by. */
export type ClusterConnections = {
  readonly reader: ClusterReader
  readonly telemetry: TelemetryReader | undefined
  readonly history: HistoryReader | undefined
  /** Counts what workloads did. */
  readonly work: WorkReader | undefined
  /** By what it may be changed; undefined: by nothing. */
  readonly acting: Acting | undefined
}
/** The actor's line to the cluster. Its identity is another than the reader's. */
export type Acting = { readonly hand: Hand; readonly namespace: string; readonly operatorNamespace: string }

const clock = () => instant(Date.now())

/** Connectors of a configured cluster. Throws a sentence when the kubeconfig is wrong. */
export function connectCluster(source: ClusterSource, log: Log): ClusterConnections {
  const prometheus = source.prometheus === undefined ? undefined : openPrometheus(prometheusOptions(source.prometheus))
  const exporter =
    source.exporterTargets.length === 0
      ? undefined
      : openExporterReader({ targets: source.exporterTargets.map((url) => ({ url })), clock })
  return {
    reader: openClusterReader({
      kubeconfig: addressOf(source),
      operatorNamespace: source.operatorNamespace,
      log,
      clock,
      random: Math.random,
    }),
    // An exporter that is named is asked directly: its values are fresher than an engine's.
    telemetry: exporter ?? prometheus,
    history: prometheus,
    work: prometheus,
    acting: source.actor === undefined ? undefined : actingBy(source.actor, source.operatorNamespace),
  }
}

const actingBy = (actor: ActorSource, operatorNamespace: string): Acting => ({
  hand: openHand(openClusterWriter({ kubeconfig: addressOf(actor) })),
  namespace: actor.namespace,
  operatorNamespace,
})

/** Where the credentials of a cluster are. */
export function addressOf({ kubeconfig, context }: Pick<ClusterSource, 'kubeconfig' | 'context'>): ClusterAddress {
  if (kubeconfig === 'in-cluster') return { inCluster: true }
  return typeof kubeconfig === 'string' ? { path: kubeconfig, context } : { text: kubeconfig.text, context }
}

const prometheusOptions = ({ url, token, tenant }: NonNullable<ClusterSource['prometheus']>) => ({
  url,
  clock,
  ...(token === undefined ? {} : { bearerToken: token }),
  ...(tenant === undefined ? {} : { headers: { 'X-Scope-OrgID': tenant } }),
})

/** Connectors of the demo cluster: the same ones, to the addresses that it gave. */
export function connectDemo(addresses: DemoAddresses, log: Log): ClusterConnections {
  const prometheus = openPrometheus({ url: addresses.prometheusUrl, clock })
  return {
    reader: openClusterReader({ kubeconfig: { path: addresses.kubeconfigPath }, log, clock, random: Math.random }),
    telemetry: openExporterReader({ targets: { httpSd: addresses.exporterTargetsUrl }, clock }),
    history: prometheus,
    work: prometheus,
    acting:
      addresses.actorKubeconfigPath === undefined
        ? undefined
        : actingBy(
            { kubeconfig: addresses.actorKubeconfigPath, context: undefined, namespace: 'septet' },
            'gpu-operator',
          ),
  }
}
