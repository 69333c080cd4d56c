import type { RoleNeeds } from '@septet/auth'
import type { ClusterRecord, Fence, ModelSection } from '@septet/domain'

import type { ClusterSource } from '../config.ts'
import type { Pace } from '../pace.ts'
import type { Asking, ReadAnswer, Failure } from '../read-model/questions.ts'
import type { DemoAddresses } from './demo-process.ts'
import type { StoreAddress } from './open-store.ts'

/** All that a pipeline needs to know; it travels to its thread or process, so it is data. */
export type PipelineSettings = {
  readonly record: ClusterRecord
  readonly source:
    | { readonly kind: 'cluster'; readonly cluster: ClusterSource }
    | { readonly kind: 'demo'; readonly addresses: DemoAddresses }
    /** An agent inside it reads it, and what it sends is in the store. */
    | { readonly kind: 'agent' }
    /** Another Septet watches it: what that one writes into the store is followed. */
    | { readonly kind: 'store' }
  readonly store: StoreAddress
  /** Under which everything is written and acted, and until when that is sure, by `steadyNow`; undefined: it only follows. */
  readonly lead: { readonly fence: Fence; readonly until: number } | undefined
  readonly pace: Pace
  readonly logLevel: string
  /** Whether new pods are judged, so that what they are judged by has to be kept. */
  readonly admission: boolean
  /** By what it is told, before an approved change begins, what its approver may do now. */
  readonly auth: RoleNeeds['config']
}

export type ToPipeline =
  | { readonly kind: 'begin'; readonly settings: PipelineSettings }
  | Asking
  /** It is sure to lead until then. */
  | { readonly kind: 'lead'; readonly until: number }
  | { readonly kind: 'stop' }

/** What a pipeline tells anyone who answers. */
export type FromPipeline =
  | { readonly kind: 'begun' }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'sections'; readonly sections: readonly ModelSection[] }
  | { readonly kind: 'answer'; readonly answer: ReadAnswer }
  /** A line of its log, which it has written itself. */
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'stage'; readonly stage: string; readonly tookMs: number }
  | { readonly kind: 'stopped' }
