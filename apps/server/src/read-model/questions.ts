import { rangeText, type PlanProgress, type TimeRange } from '@septet/domain'

import type { ClusterFacts, Namespaces } from '../facts.ts'

/** What was asked of a pipeline and is not a part of the read model. */
export type ReadAnswer =
  /** There is no analysis, or none that is newer than the one that whoever asked has. */
  | { readonly kind: 'no-news'; readonly of: AnalysisOf }
  | { readonly kind: 'analysis-failed'; readonly of: AnalysisOf; readonly failure: Failure }
  | NumberedAnswer
  /** How far the answer to a plan is. */
  | { readonly kind: 'progress'; readonly of: 'plan'; readonly number: number; readonly progress: PlanProgress }
  | { readonly kind: 'failed'; readonly of: Numbered; readonly number: number; readonly failure: Failure }

/** What is answered once, to the one who asked. */
export type Numbered = 'plan' | 'files' | 'start' | 'workload' | 'tokens' | 'judge' | 'outlook'
/** What is asked for each, and what it answers. */
export type AskedOf = { readonly [Of in Numbered]: Parameters<ClusterFacts[Of]>[0] }
export type AnswerOf = { readonly [Of in Numbered]: Awaited<ReturnType<ClusterFacts[Of]>> }

/** What a pipeline is asked. */
export type Asking =
  /** `kept`: what whoever asks has of it already. They wait for what is new unless that is fresh. */
  | { readonly kind: 'analysis'; readonly of: AnalysisOf; readonly kept: 'nothing' | 'outdated' | 'fresh' }
  | NumberedQuestion
  /** Nobody waits for that answer any more. */
  | { readonly kind: 'forget'; readonly of: Forgettable; readonly number: number }

/** `number`: what the answer must name. */
export type NumberedQuestion<Of extends Numbered = Numbered> = {
  readonly kind: 'ask'
  readonly of: Of
  readonly number: number
  readonly question: AskedOf[Of]
}

export type NumberedAnswer<Of extends Numbered = Numbered> = {
  readonly kind: 'answered'
  readonly of: Of
  readonly number: number
  readonly answer: AnswerOf[Of]
}

/** What takes long enough that it is worth leaving out once nobody waits for it. */
export type Forgettable = Extract<Numbered, 'plan' | 'start'>

/** Which analysis: its range, and the namespaces that it is limited to. */
export type AnalysisOf = { readonly range: TimeRange; readonly namespaces: Namespaces | undefined }

/** Text that is equal for equal ones. No namespaces at all and all of them are told apart. */
export const analysisKey = ({ range, namespaces }: AnalysisOf): string =>
  JSON.stringify([rangeText(range), namespaces ?? 'all'])

/** An error on its way: its class is lost between threads, its name and words are not. */
export type Failure = { readonly name: string; readonly message: string }

export const failureOf = (error: unknown): Failure =>
  error instanceof Error ? { name: error.name, message: error.message } : { name: 'Error', message: String(error) }

export const errorOf = ({ name, message }: Failure): Error => Object.assign(new Error(message), { name })
