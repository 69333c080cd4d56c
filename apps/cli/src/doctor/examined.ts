import type {
  ActorPolicyState,
  ClusterSnapshot,
  ConnectionStep,
  Problem,
  PrometheusWords,
  TelemetryReading,
} from '@septet/domain'

/** What is looked at. */
export type ExamineNeeds = {
  readonly kubeconfig: string
  readonly context: string | undefined
  readonly operatorNamespace: string
  readonly prometheusUrl: string | undefined
  readonly engine: PrometheusWords
  /** Metrics addresses of exporters; they win over Prometheus. */
  readonly exporterTargets: readonly string[]
  readonly clock: () => number
}

/** What one look at a cluster and its metrics found, before anybody judges it. */
export type Examined = {
  /** The connection test, step by step. */
  readonly steps: readonly ConnectionStep[]
  /** Undefined where the nodes could not be read. */
  readonly actorPolicy: ActorPolicyState | undefined
  /** Undefined where the cluster could not be read. */
  readonly snapshot: ClusterSnapshot | undefined
  readonly readProblem: string | undefined
  /** Undefined without a source of metrics that answers. */
  readonly reading: TelemetryReading | undefined
  readonly telemetryProblems: readonly Problem[]
  /** Seconds between two samples of a GPU, as the engine keeps them; undefined where it does not say. */
  readonly sampleSeconds: number | undefined
  /** How far the engine's clock is ahead of this one, milliseconds; undefined where it does not say. */
  readonly engineAheadMs: number | undefined
}
