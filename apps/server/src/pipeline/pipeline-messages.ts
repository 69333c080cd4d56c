import type { Range, ServerEvent } from '@septet/contract'
import type { ConnectionState, Draft, Instant, JudgedSample, Problem, TargetState } from '@septet/domain'

import type { ClusterSize, HistoryProgress, Namespaces, WorkloadDetail } from '../facts.ts'
import type { Packed } from './pack.ts'
import type { PackedAnalysis } from './packed-analysis.ts'
import type { PackedPicture } from './packed-picture.ts'

/** What is small enough to be told whole, whenever any of it changes. */
export type PipelineState = {
  readonly connection: ConnectionState
  readonly problems: readonly Problem[]
  readonly asOf: Instant | undefined
  readonly history: HistoryProgress | undefined
  readonly size: ClusterSize | undefined
}

/** What a pipeline tells the thread that answers. */
export type FromPipeline =
  | { readonly kind: 'begun' }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'fact'; readonly fact: FactMessage }
  | { readonly kind: 'event'; readonly event: ServerEvent }
  | { readonly kind: 'stage'; readonly stage: string; readonly tookMs: number }
  | { readonly kind: 'stopped' }

/** Something that is known of the cluster and has changed. */
export type FactMessage =
  | { readonly kind: 'state'; readonly state: PipelineState }
  | { readonly kind: 'picture'; readonly picture: PackedPicture }
  | { readonly kind: 'samples'; readonly samples: Packed<ReadonlyMap<string, JudgedSample>> }
  | { readonly kind: 'targets'; readonly targets: Packed<readonly TargetState[]> }
  | { readonly kind: 'idle'; readonly idle: ReadonlySet<string> }
  | AnswerMessage

/** What was asked of the pipeline. */
export type AnswerMessage =
  | { readonly kind: 'analysis'; readonly of: AnalysisOf; readonly analysis: PackedAnalysis | undefined }
  | { readonly kind: 'analysis-failed'; readonly of: AnalysisOf; readonly failure: Failure }
  | { readonly kind: 'drafted'; readonly number: number; readonly draft: Draft | undefined }
  | { readonly kind: 'draft-failed'; readonly number: number; readonly failure: Failure }
  | { readonly kind: 'workload'; readonly number: number; readonly detail: WorkloadDetail | undefined }
  | { readonly kind: 'workload-failed'; readonly number: number; readonly failure: Failure }

const ANSWERS: Readonly<Record<AnswerMessage['kind'], true>> = {
  analysis: true,
  'analysis-failed': true,
  drafted: true,
  'draft-failed': true,
  workload: true,
  'workload-failed': true,
}

/** Whether somebody waits for it. */
export const isAnswer = (message: FactMessage): message is AnswerMessage => Object.hasOwn(ANSWERS, message.kind)

/** Which analysis: its range, and the namespaces that it is limited to. */
export type AnalysisOf = { readonly range: Range; readonly namespaces: Namespaces | undefined }

/** Text that is equal for equal ones. No namespaces at all and all of them are told apart. */
export const analysisKey = ({ range, namespaces }: AnalysisOf): string => JSON.stringify([range, namespaces ?? 'all'])

/** Of how many ranges and sets of namespaces analyses are kept at once; of more the ones asked for last. */
export const NAMESPACE_SETS_KEPT = 64

/** Of how many windows of the calendar, or that somebody chose, analyses are kept at once. */
export const WINDOWS_KEPT = 24

/** An error on its way: its class is lost between threads, its name and words are not. */
export type Failure = { readonly name: string; readonly message: string }

export const failureOf = (error: unknown): Failure =>
  error instanceof Error ? { name: error.name, message: error.message } : { name: 'Error', message: String(error) }

export const errorOf = ({ name, message }: Failure): Error => Object.assign(new Error(message), { name })
