export type BackOff = {
  /** The next delay, milliseconds; each is about twice the one before, up to the cap. */
  next(): number
  /** Things went well: start again from the base. */
  reset(): void
}

/**
 * Exponential delays with jitter: between half and all of `base × 2^n`, never more than `cap`. `random` yields [0, 1),
 * so that many readers cut off by one restart do not come back in step.
 */
export function createBackOff(options: {
  readonly base: number
  readonly cap: number
  readonly random: () => number
}): BackOff {
  let attempt = 0
  return {
    next() {
      const full = Math.min(options.cap, options.base * 2 ** attempt)
      if (full < options.cap) attempt += 1
      return full * (0.5 + options.random() / 2)
    },
    reset() {
      attempt = 0
    },
  }
}
