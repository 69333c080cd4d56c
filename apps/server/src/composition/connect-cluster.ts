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
  type InferenceReader,
  type Log,
  type TelemetryReader,
  type WorkReader,
} from '@septet/domain'

import { openHand, type Hand } from '../act/hand.ts'
import { RunRecord } from '../repeat.ts'
import { AgentFeed, type AgentFeedParts, type ReadingFeed } from '../pipeline/agent-feed.ts'
import type { ActorSource, ClusterSource } from '../config.ts'
import type { DemoAddresses } from './demo-process.ts'

/** What one cluster is reached by. */
export type ClusterConnections = {
  readonly reader: ClusterReader
  readonly telemetry: TelemetryReader | undefined
  readonly history: HistoryReader | undefined
  /** Where it is read elsewhere. */
  readonly feed: ReadingFeed | undefined
  /** Counts what workloads did. */
  readonly work: WorkReader | undefined
  /** Says what inference engines tell of themselves. */
  readonly inference: InferenceReader | undefined
  /** How the queries to its metrics engine go; undefined where none is asked. */
  readonly engine: RunRecord | undefined
  /** By what it may be changed; undefined: by nothing. */
  readonly acting: ActingConnection | undefined
}
/** The actor's line to the cluster. Its identity is another than the reader's. */
export type ActingConnection = { readonly hand: Hand; readonly namespace: string; readonly operatorNamespace: string }

const clock = () => instant(Date.now())

/** Connectors of a configured cluster. Throws a sentence when the kubeconfig is wrong. */
export function connectCluster(source: ClusterSource, log: Log): ClusterConnections {
  const engine = source.prometheus && new RunRecord()
  const prometheus =
    source.prometheus && openPrometheus({ ...source.prometheus, clock, ...(engine && { watch: watchedBy(engine) }) })
  const exporter =
    source.exporterTargets.length === 0
      ? undefined
      : openExporterReader({ targets: source.exporterTargets.map((url) => ({ url })), clock })
  return {
    reader: openClusterReader({
      kubeconfig: clusterAddress(source),
      operatorNamespace: source.operatorNamespace,
      log,
      clock,
      random: Math.random,
    }),
    // An exporter that is named is asked directly: its values are fresher than an engine's.
    telemetry: exporter ?? prometheus,
    history: prometheus,
    feed: undefined,
    work: prometheus,
    inference: prometheus,
    engine,
    acting: source.actor === undefined ? undefined : actingBy(source.actor, source.operatorNamespace),
  }
}

const watchedBy =
  (record: RunRecord) =>
  <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
    record.run(ask)

const actingBy = (actor: ActorSource, operatorNamespace: string): ActingConnection => ({
  hand: openHand(openClusterWriter({ kubeconfig: clusterAddress(actor) })),
  namespace: actor.namespace,
  operatorNamespace,
})

/** A cluster that an agent inside it reads: nothing here reaches it. */
export function connectThroughAgent(parts: AgentFeedParts): ClusterConnections {
  const feed = new AgentFeed(parts)
  const { reader, telemetry, history } = feed
  return {
    reader,
    telemetry,
    history,
    feed,
    inference: undefined,
    work: undefined,
    engine: undefined,
    acting: undefined,
  }
}

/** Where the credentials of a cluster are. */
export function clusterAddress({ kubeconfig, context }: Pick<ClusterSource, 'kubeconfig' | 'context'>): ClusterAddress {
  if (kubeconfig === 'in-cluster') return { inCluster: true }
  return typeof kubeconfig === 'string' ? { path: kubeconfig, context } : { ...kubeconfig, context }
}

/** Connectors of the demo cluster: the same ones, to the addresses that it gave. */
export function connectDemo(addresses: DemoAddresses, log: Log): ClusterConnections {
  const engine = new RunRecord()
  const prometheus = openPrometheus({ url: addresses.prometheusUrl, clock, watch: watchedBy(engine) })
  return {
    reader: openClusterReader({ kubeconfig: { path: addresses.kubeconfigPath }, log, clock, random: Math.random }),
    telemetry: openExporterReader({ targets: { httpSd: addresses.exporterTargetsUrl }, clock }),
    history: prometheus,
    feed: undefined,
    work: prometheus,
    inference: prometheus,
    engine,
    acting:
      addresses.actorKubeconfigPath === undefined
        ? undefined
        : actingBy(
            { kubeconfig: addresses.actorKubeconfigPath, context: undefined, namespace: 'septet' },
            'gpu-operator',
          ),
  }
}
