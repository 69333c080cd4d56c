/**
 * One policy on one list of arrivals, advanced pod by pod. Pods are never moved, and one that fits nowhere is skipped.
 * What a fleet is, and where its pods go, is for the harness to say.
 */
export function openRun<Pod, Spot>(harness: ArrivalHarness<Pod, Spot>): ArrivalRun<Pod, Spot> {
  const run = new Run(harness)
  return {
    policy: harness.policy,
    placed: run.placed,
    skipped: run.skipped,
    advance: (pods) => run.advance(pods),
    prepare: () => run.prepare(),
    now: () => run.mark(),
    marks: () => run.marks,
  }
}

export type ArrivalRun<Pod, Spot> = {
  readonly policy: string
  /** Where the pods that were placed are, in order of arrival. */
  readonly placed: ReadonlyArray<{ readonly demand: Pod; readonly spot: Spot }>
  readonly skipped: readonly Pod[]
  /** Places the next pods, at most so many; false when none is left. */
  advance(pods: number): boolean
  /** Does a small part of what placing the next pod needs first; true when nothing of that is left. */
  prepare(): boolean
  /** The room in use now. */
  now(): Mark
  /** The room in use at each asked-for percentage of arrived request that was reached. */
  marks(): readonly Mark[]
}

export type ArrivalHarness<Pod, Spot> = {
  /** Its name. */
  readonly policy: string
  readonly arrivals: readonly Pod[]
  /** Of the whole fleet, in the unit of `sizeOf`. */
  readonly capacity: number
  /** Percentages of arrived request to record. */
  readonly recordAt: readonly number[]
  sizeOf(pod: Pod): number
  /** Takes the room; undefined where the pod fits nowhere. */
  place(pod: Pod): Spot | undefined
  /** Free room that typical pods could not use, in the unit of `sizeOf`. */
  fragmented(): number
  /** False while there is more to prepare; absent where there is nothing. */
  prepare?(pod: Pod): boolean
}

/** Shares of all GPU capacity, %. */
type Mark = {
  /** GPU request of the pods that have arrived. */
  readonly arrived: number
  readonly allocated: number
  /** Free room that the typical demands could not use, on the mean (Weng et al., USENIX ATC 2023). */
  readonly fragmented: number
  readonly skipped: number
}

class Run<Pod, Spot> {
  readonly placed: Array<{ readonly demand: Pod; readonly spot: Spot }> = []
  readonly skipped: Pod[] = []
  readonly marks: Mark[] = []
  readonly #harness: ArrivalHarness<Pod, Spot>
  readonly #percent: number
  readonly #recordAt: number[]
  #next = 0
  #arrived = 0
  #allocated = 0

  constructor(harness: ArrivalHarness<Pod, Spot>) {
    this.#harness = harness
    this.#percent = harness.capacity / 100
    this.#recordAt = harness.recordAt.toSorted((a, b) => a - b)
  }

  advance(pods: number): boolean {
    const { arrivals } = this.#harness
    const end = Math.min(arrivals.length, this.#next + pods)
    for (; this.#next < end; this.#next += 1) {
      const pod = arrivals[this.#next]
      if (pod !== undefined) this.#arrive(pod)
    }
    const over = this.#next >= arrivals.length
    // What the last pods leave within a pod of a percentage counts as having reached it.
    if (over) this.#record(this.#arrived + this.#percent)
    return !over
  }

  prepare(): boolean {
    const next = this.#harness.arrivals[this.#next]
    return next === undefined || this.#harness.prepare?.(next) !== false
  }

  mark(): Mark {
    const share = (amount: number): number => (this.#percent === 0 ? 0 : amount / this.#percent)
    return {
      arrived: share(this.#arrived),
      allocated: share(this.#allocated),
      fragmented: share(this.#harness.fragmented()),
      skipped: this.skipped.length,
    }
  }

  #arrive(demand: Pod): void {
    const size = this.#harness.sizeOf(demand)
    this.#record(this.#arrived + size)
    this.#arrived += size
    const spot = this.#harness.place(demand)
    if (spot === undefined) {
      this.skipped.push(demand)
      return
    }
    this.placed.push({ demand, spot })
    this.#allocated += size
  }

  /** Records the percentages that the arrivals up to here stay within, before more arrive. */
  #record(until: number): void {
    while (this.#percent > 0 && (this.#recordAt[0] ?? Infinity) * this.#percent < until) {
      const at = this.#recordAt.shift() ?? 0
      this.marks.push({ ...this.mark(), arrived: at })
    }
  }
}
