import type {
  ActionRun,
  Alert,
  AlertQuestion,
  ClusterAnalysis,
  ClusterRecord,
  ClusterSnapshot,
  ConnectionState,
  FleetPlan,
  FleetQuestion,
  Instant,
  JudgedSample,
  Outlook,
  Plan,
  PartitionId,
  PlanProgress,
  Problem,
  TargetState,
  TimeRange,
  Pod,
  ServedTokens,
  SizeStudy,
  AskedJob,
  StartAnswer,
  WaitAnswer,
  Window,
  Workload,
  WorkloadId,
  WorkloadObjects,
} from '@septet/domain'
import type { MadeParts, PlanFiles } from '@septet/plan-files'

import type { LoopState } from './repeat.ts'

/** How far the reading of past usage has come, in buckets. */
export type HistoryProgress = {
  readonly done: number
  readonly of: number
  readonly detail: string
  /** The time that is not read yet; absent in what an older Septet has kept. */
  readonly left?: readonly Window[]
}

/** Where a cluster's readings come from, as far as is known now. */
export type SourceState = {
  readonly name: 'kubernetes' | 'telemetry' | 'metrics-engine' | 'agent'
  /** `degraded`: it answers, and something of it is missing; `unknown`: it was not asked yet. */
  readonly state: 'ok' | 'degraded' | 'failing' | 'unknown'
  /** When it was first seen in this state; no earlier than the pipeline's start. */
  readonly since: Instant
  /** When it last said anything; undefined before that. */
  readonly heardAt: Instant | undefined
  /** What is wrong with it, and what to do; undefined where nothing is. */
  readonly because: string | undefined
}

/** How the work of a pipeline goes. */
export type PipelineHealth = {
  readonly loops: readonly LoopState[]
  readonly sources: readonly SourceState[]
  /** Usage rows of buckets that ended and are not stored yet. */
  readonly unwrittenRows: number
}

/** The analysis of one range. */
export type RangeAnalysis = {
  readonly analysis: ClusterAnalysis
  /** Length of one bucket of its trend, seconds. */
  readonly trendStep: number
  /** Up to when it could look; one that was limited to namespaces looks as far as that of the whole cluster. */
  readonly madeAt: Instant
  /** How far the past was read when it began: what was read since is not in it. Undefined where all of it was. */
  readonly history?: HistoryProgress | undefined
}

/** Of the snapshot what answers show: how nodes are cut and who holds what. */
export type ClusterPicture = Pick<ClusterSnapshot, 'nodes' | 'allocations' | 'workloads'> & {
  /** In the pipeline’s thread only: the read model leaves them out. */
  readonly pods?: ClusterSnapshot['pods']
  /** Partitions that others hold, who are not shown; absent where everybody is. */
  readonly heldByOthers?: ReadonlySet<PartitionId>
}

/** How large the cluster is, by the last snapshot. */
export type ClusterSize = {
  readonly serverVersion: string
  readonly nodes: number
  readonly gpus: number
  /** GPUs and GPU instances in the last reading. */
  readonly devices: number
}

/**
 * What is known of one cluster now. The pipeline writes it, operations read it; nothing here waits for the cluster,
 * so an answer takes milliseconds even while an API server is away.
 */
export type ClusterFacts = {
  readonly record: ClusterRecord
  /** The same object until anything of all this has changed; absent where that is not told. */
  readonly edition?: (() => object) | undefined
  connection(): ConnectionState
  /** Undefined before the first snapshot, as `size` is. */
  picture(): ClusterPicture | undefined
  size(): ClusterSize | undefined
  /** Newest judged sample by partition id, GPU id for whole GPUs. */
  samples(): ReadonlyMap<string, JudgedSample>
  /** Partitions that are idle-held by the policy, as of the last bucket. */
  idle(): ReadonlySet<string>
  targets(): readonly TargetState[]
  problems(): readonly Problem[]
  /** How the work of its pipeline goes; undefined before it has said so. */
  health(): PipelineHealth | undefined
  /** When telemetry or inventory was last read. */
  asOf(): Instant | undefined
  /** Undefined once all of the past is read, and where there is none to read. */
  history(): HistoryProgress | undefined
  /** Whether Septet may change it. */
  acting(): ActingState
  /** What new pods are judged by, the same object until it changes; undefined where nobody asks, and before the first snapshot. */
  admission(): PackedAdmission | undefined
  /**
   * The newest analysis over a range. When there is none yet, or only one that ends well before the newest reading, a new
   * one is waited for, a few seconds at most: then it is the old one, or undefined. With namespaces it is of what these
   * hold alone.
   */
  analysis(range: TimeRange, namespaces?: Namespaces): Promise<RangeAnalysis | undefined>
  /**
   * What it would take to reach a goal, by the newest snapshot; undefined before the first. Nothing is changed. Rejects with the
   * signal's reason once nobody waits any more.
   */
  plan(question: PlanAsked, waiting?: Waiting): Promise<FoundPlan | undefined>
  /** A plan as files to apply by hand, or why not, by the newest snapshot; undefined before the first. */
  files(plan: Plan): Promise<PlanFiles | undefined>
  /** Whether jobs would start now, by the newest snapshot; undefined before the first. Nothing is submitted. Rejects likewise. */
  start(question: StartQuestion, waiting?: Waiting): Promise<readonly StartAnswer[] | undefined>
  /** All that is known of one workload that runs or waits now; undefined when there is none of that name. */
  workload(id: WorkloadId): Promise<WorkloadDetail | undefined>
  /** The tokens that inference engines counted in a window, as the metrics engine adds them up now or did moments ago. */
  tokens(window: Window): Promise<CountedTokens>
  /** The alerts that have changed, judged by the newest reading. Nothing is written and nobody is told. */
  judge(question: AlertQuestion): Promise<readonly Alert[]>
  /**
   * Why a run that nobody has approved would fail when it begins, and what it would wait for, by all guardrails and the
   * newest reading; undefined for anyone who may not know of the whole cluster.
   */
  outlook(run: ActionRun): Promise<Outlook | undefined>
}

/** Tokens as the metrics engine added them up, and when; else why nothing is known of them, in a sentence. */
export type CountedTokens =
  | { readonly kind: 'read'; readonly served: ServedTokens; readonly readAt: Instant }
  | { readonly kind: 'unread'; readonly because: string }

/** One workload with its pods and, of what the API tells, owners and events. */
export type WorkloadDetail = {
  readonly workload: Workload
  /** The first of them by id, and how many there are. */
  readonly pods: readonly Pod[]
  readonly podCount: number
  /** Undefined while the API server has not been read since Septet began. */
  readonly objects: WorkloadObjects | undefined
  /** Why it waits; undefined where it does not. */
  readonly wait: WaitAnswer | undefined
  /** Which size it needs, by its own past; in words why that cannot be told. Undefined while it does not run. */
  readonly size: SizeStudy | string | undefined
}

/** An `AdmissionView` as bytes of `AdmissionPacker`: the thread that judges new pods unpacks it. */
export type PackedAdmission = { readonly bytes: Uint8Array }

/**
 * `observe`: nothing here can change it; `agent`: an agent reads it, which only reads; `others`: another installation acts
 * on it, and this one stands back.
 */
export type ActingState =
  | { readonly kind: 'observe' | 'agent' | 'ready' }
  | { readonly kind: 'others'; readonly holder: string }

/** Whoever waits for an answer that takes long: is told how far it is, and says by the signal that they wait no more. */
export type Waiting = {
  readonly signal?: AbortSignal | undefined
  readonly progress?: (progress: PlanProgress) => void
}

/** A goal with its limits, for the newest snapshot. */
export type PlanAsked = Omit<FleetQuestion, 'snapshot'> & { readonly operatorNamespace?: string | undefined }

/** What was found, told and written as files where it was found: of a plan of thousands of steps that takes a while. */
export type FoundPlan = {
  readonly made: MadeParts
  readonly gpus: FleetPlan['gpus']
  readonly appointment: FleetPlan['appointment'] | undefined
}

/** Jobs of one manifest; `namespaces` are those of a caller who may not see the whole cluster. */
export type StartQuestion = { readonly jobs: readonly AskedJob[]; readonly namespaces: Namespaces | undefined }

/** Names of namespaces, each once and in order. */
export type Namespaces = readonly string[]

export type Facts = {
  /** In the order they were configured; the demo cluster last. */
  clusters(): readonly ClusterFacts[]
}
