import type { Ratio } from '../../units.ts'
import type { BoundCertificate } from './bound-certificate.ts'

/** What laying out a fleet comes to: how much is placed, on how many GPUs, and how good that is. */
export type LayoutPlan = {
  readonly totals: LayoutTotals
  readonly quality: LayoutQuality
}

type LayoutTotals = {
  readonly workloads: number
  readonly placed: number
  readonly gpus: number
}

/** How far from the best the answer can be, at most. Each bound can be checked with `checkBound`. */
export type LayoutQuality = {
  /** What is made small after everything is placed that can be: dollars, or GPUs where a price is missing. */
  readonly goal: 'cost' | 'gpus'
  /** Supply classes without a price, because of which GPUs are counted. */
  readonly unpriced: readonly string[]
  /** What the goal came to, and what no plan that leaves as little unplaced can go below; undefined: no bound is known. */
  readonly reached: number
  readonly bound: number | undefined
  /** (reached − bound) / bound; 0 when proven optimal. Undefined without a bound. */
  readonly gap: Ratio | undefined
  /** No plan leaves fewer unplaced, in GPUs. */
  readonly unplacedBound: number
  /** No plan that places as much uses fewer GPUs. Undefined: not known. */
  readonly gpuBound: number | undefined
  readonly certificates: readonly BoundCertificate[]
  /** `optimal`: reached = bound for the goal and for what is unplaced. */
  readonly proof: 'optimal' | 'within-gap' | 'none'
  readonly notes: readonly string[]
}
