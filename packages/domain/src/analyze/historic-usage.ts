import type { Instant } from '../units.ts'
import type { WorkloadClass } from '../cluster/workload.ts'
import type { Measure } from './field-values.ts'
import type { Span } from './usage.ts'

/** The topmost owner of a pod, as it was recorded. */
export type PastOwner = { readonly kind: string; readonly name: string; readonly class: WorkloadClass }

/** GPU_UTIL from which on a GPU visibly works for five minutes, 0 to 1: its busy counter is stuck if it stays at 0. */
export const VISIBLE_WORK = 0.05

/** What a metrics engine knows of one device and holder in one bucket; `enrichHistory` turns it into usage rows. */
export type HistoricUsage = Readonly<Record<Measure['name'], number | undefined>> & {
  readonly at: Instant
  readonly span: Span
  readonly node: string
  /** What else may name the host, see `Located`. */
  readonly hosts?: readonly string[]
  readonly gpu: string
  readonly index: number
  readonly modelName: string
  readonly instance: { readonly id: string; readonly profile: string } | undefined
  readonly namespace: string
  readonly pod: string
  /** Who owned the pod, where that was recorded then. */
  readonly owner: PastOwner | undefined
  /** How long it was seen in the bucket, seconds. */
  readonly observedSeconds: number
  /** Of these, idle by the policy that was asked with: judged over five minutes at a time, whatever the bucket's length. */
  readonly idleSeconds: number
  /** Of these, with a busy counter stuck at 0 while GPU_UTIL told of visible work: judged five minutes at a time too. */
  readonly stuckSeconds: number
  /** Mean GPU_UTIL 0–1, which stands in for busy where there are no profiling counters. */
  readonly kernelTime: number | undefined
}

/** Whole buckets of all GPUs, or of those whose index `covers` says. */
export type HistoryBatch = {
  readonly usage: readonly HistoricUsage[]
  readonly covers: (index: number) => boolean
}
