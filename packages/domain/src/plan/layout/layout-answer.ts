import type { ProfileName } from '../../gpu/geometry.ts'
import type { Geometry } from '../../gpu/layout.ts'
import type { Ratio } from '../../units.ts'
import type { BoundCertificate } from './bound-certificate.ts'

/** How to lay out a fleet, what runs where, what cannot run and why, and how good that is. */
export type LayoutAnswer =
  | {
      readonly kind: 'planned'
      /** GPUs of a class with a geometry; `{ [WHOLE_GPU]: 1 }` is a GPU that is not cut. GPUs that are not named stay empty. */
      readonly layouts: readonly LaidOut[]
      readonly assignments: readonly Assignment[]
      readonly unplaced: readonly Unplaced[]
      readonly totals: LayoutTotals
      readonly quality: LayoutQuality
    }
  /** The question makes no sense; each reason names what is wrong and where. */
  | { readonly kind: 'invalid'; readonly because: readonly string[] }

export type LayoutPlan = Extract<LayoutAnswer, { kind: 'planned' }>

export type LaidOut = { readonly supplyClass: string; readonly geometry: Geometry; readonly gpus: number }

/** So many workloads of a demand class run on instances of a profile, one each. */
export type Assignment = {
  readonly demand: string
  readonly supplyClass: string
  readonly profile: ProfileName
  readonly count: number
}

export type Unplaced = {
  readonly demand: string
  readonly count: number
  readonly kind: 'fits-nowhere' | 'supply-short'
  readonly because: string
}

export type LayoutTotals = {
  readonly workloads: number
  readonly placed: number
  readonly gpus: number
  /** Dollars per hour of the GPUs used. Undefined where a class in use has no price. */
  readonly usdPerHour: number | undefined
  /** Compute slices of the used GPUs that no instance of their geometry covers. */
  readonly strandedComputeSlices: number
  /** Instances that are cut and that no workload takes. */
  readonly freeInstances: number
  /** What could not be placed, in GPUs: the share of a GPU that each workload's smallest fit takes, added up. */
  readonly unplacedGpus: number
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
