/** Grows whenever the same scenario may come to other figures than before. */
export const SCENARIO_VERSION = 7

/** GPUs that are alike: one model in one pool, on nodes of one size. */
export type ScenarioGroup = {
  /** Catalog name, or the product as labeled for a board that is not known. */
  readonly model: string
  readonly pool: string
  readonly nodes: number
  readonly gpusPerNode: number
  /** Dollars for one GPU for one hour; null where no price is known. */
  readonly price: number | null
  /** How its GPUs are cut now, node by node: runs of equal cuts. What is not told is whole. */
  readonly cuts: readonly GpuCut[]
}

/** So many GPUs in a row that hold these parts: MIG profiles, or replicas; none of both is a whole GPU. */
export type GpuCut = { readonly gpus: number; readonly profiles: readonly string[]; readonly replicas: number }

/** What one workload's pod held, or is right-sized to. */
export type ScenarioShape = {
  /** The model that it was seen on. */
  readonly model: string
  readonly size:
    | { readonly kind: 'whole'; readonly gpus: number }
    | { readonly kind: 'mig'; readonly profile: string }
    /** Thousandths of a GPU, from a time-sliced or MPS-shared one. */
    | { readonly kind: 'share'; readonly milli: number }
}

/** What arrived, in columns; one entry is one pod. Times are seconds since the start. */
export type ScenarioJobs = {
  readonly at: readonly number[]
  /** For how long it held its GPU; null: to the end, or longer than what is known. */
  readonly stays: readonly (number | null)[]
  /** Index of what it held. */
  readonly shape: readonly number[]
  /** Index of what its measured peak would fit; the same where nothing smaller would do or too little is known. */
  readonly fit: readonly number[]
  /** Number of its namespace: software shares never cross it. */
  readonly tenant: readonly number[]
  /** GPUs' worth of compute that it kept busy on the mean while it ran; null: not measured. */
  readonly work: readonly (number | null)[]
}

/** What a scenario starts from: a fleet, and what came to it. */
export type ScenarioSource = {
  readonly cluster: string
  readonly kind: ScenarioStart
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly groups: readonly ScenarioGroup[]
  readonly shapes: readonly ScenarioShape[]
  readonly jobs: ScenarioJobs
  /** What this is made from, and what it leaves out, in sentences. */
  readonly notes: readonly string[]
}

/** `now`: what runs and waits at this moment, without an end. `week`: what held GPUs in the last seven days, again. */
export type ScenarioStart = 'now' | 'week'

export type FleetChange =
  | {
      readonly kind: 'add'
      readonly model: string
      readonly pool: string
      readonly nodes: number
      readonly gpusPerNode: number
      readonly price: number | null
    }
  | { readonly kind: 'remove'; readonly model: string; readonly pool: string; readonly nodes: number }
  | { readonly kind: 'price'; readonly model: string; readonly pool: string; readonly price: number }

/** What is supposed. */
export type Scenario = {
  readonly from: ScenarioStart
  readonly changes: readonly FleetChange[]
  /** `same`: work runs on the model that it was seen on. `any`: on every model with as much memory for it. */
  readonly boards: 'same' | 'any'
  /** `held`: everybody gets what they held. `fit`: what their measured peak fits. */
  readonly sizes: 'held' | 'fit'
}

/** Whose way to share GPUs and place work: GPUs cut as today; cut on demand, placed by best fit; or Septet's. */
export type ScenarioWay = 'today' | 'best-fit' | 'septet'

/** One way, over the whole scenario. Figures that cannot be known are null. */
export type ScenarioOutcome = {
  readonly way: ScenarioWay
  /** GPUs of the fleet. */
  readonly gpus: number
  /** The most GPUs that held anything at one time, and the mean over time. */
  readonly usedPeak: number
  readonly usedMean: number
  /** GPUs of a fleet on which the same replay lets nobody wait, in all and of each model; null where none was found. */
  readonly needed: number | null
  readonly needs: readonly NeededGpus[]
  /** Compute kept busy over all GPUs, 0 to 1; null: nothing of what ran was measured. */
  readonly busy: number | null
  /** Share of the GPU time that ran whose busy is known. */
  readonly measured: number
  /** Pods that could run at all in this fleet. */
  readonly runnable: number
  /** Pods that fit no GPU of the fleet. */
  readonly impossible: number
  readonly started: number
  /** Mean and highest number of pods that waited. */
  readonly queuedMean: number
  readonly queuedPeak: number
  /** Seconds; lower bounds where `waitAtLeast`. Null where the start has no time. */
  readonly waitP50: number | null
  readonly waitP95: number | null
  readonly waitAtLeast: boolean
  /** GPUs' worth, free in a shape that nothing can use, on the mean. */
  readonly stranded: number
  /** Dollars a month for the GPUs of the fleet with a price; null where none has one. */
  readonly costPerMonth: number | null
  /** Dollars a month for the GPUs that are needed; null where their number or a price is not known. */
  readonly costNeeded: number | null
  /** GPUs without a price, which the cost leaves out. */
  readonly unpriced: number
  /** Fleet cost over the compute that was kept busy; null where a price is missing or most of the work was not measured. */
  readonly costPerUsefulHour: number | null
  readonly overTime: ScenarioTrack
}

type NeededGpus = { readonly model: string; readonly gpus: number | null }

/** GPUs below which no layout serves everything without waiting, and what they cost a month; null where a price is not known. */
export type ScenarioBound = { readonly gpus: number; readonly cost: number | null }

/** Means over equal stretches of the window. */
type ScenarioTrack = {
  readonly step: number
  readonly used: readonly number[]
  readonly queued: readonly number[]
}

export type ScenarioResult = {
  /** What comes of it, in one sentence that decides. */
  readonly says: string
  /** What stands behind it, in sentences. */
  readonly reasons: readonly string[]
  /** What the replay does not try, in one line. */
  readonly heldOut: string
  readonly version: number
  readonly jobs: number
  /** Seconds. */
  readonly length: number
  readonly assumptions: readonly string[]
  readonly outcomes: readonly ScenarioOutcome[]
  /** Null where nothing was proven. */
  readonly bound: ScenarioBound | null
  /** Equal for equal figures. */
  readonly digest: string
}
