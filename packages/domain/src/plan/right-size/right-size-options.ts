import { type Ratio, ratio, type Seconds, seconds } from '../../units.ts'

/** What a smaller size must keep, and what risk is accepted. */
export type RightSizeOptions = {
  /** Busy that sustained compute may reach on the smaller profile, 0 to 1. */
  readonly targetUtilization: Ratio
  /** Kept free above the peak of memory, as a share of that peak. */
  readonly memoryMargin: Ratio
  /** Measured history that is needed before anything is said. */
  readonly minimumHistory: Seconds
  /** Accepted chance of at least one overrun within the model's horizon. */
  readonly accepted: { readonly memory: Ratio; readonly compute: Ratio }
  /**
   * `fatal`: out of memory kills the work, so no size below the past peak and margin is ever advised. `survivable`: it is
   * retried or spilled, so an excursion that was seen counts as a chance that it comes again.
   */
  readonly memoryOverrun: 'fatal' | 'survivable'
  /** Whether compute limits the size too. */
  readonly compute: 'counted' | 'ignored'
  /** Busy at or under this tells nothing about what the work needs, 0 to 1. */
  readonly idleThreshold: Ratio
}

const RIGHT_SIZE_LEVELS = ['high-availability', 'production', 'development'] as const
/** How much headroom a kind of work wants. */
export type RightSizeLevel = (typeof RIGHT_SIZE_LEVELS)[number]

const COMMON = {
  memoryMargin: ratio(0.1),
  minimumHistory: seconds(86_400),
  memoryOverrun: 'fatal',
  compute: 'counted',
  idleThreshold: ratio(0.05),
} as const

/**
 * Target utilization 50, 65 and 80 %, as Kubecost's profiles have it. The accepted chances are ours: round numbers, compute
 * more than memory, because too little compute is slow and too little memory kills.
 */
export const rightSizeOptions = {
  'high-availability': {
    ...COMMON,
    targetUtilization: ratio(0.5),
    accepted: { memory: ratio(0.01), compute: ratio(0.05) },
  },
  production: { ...COMMON, targetUtilization: ratio(0.65), accepted: { memory: ratio(0.05), compute: ratio(0.2) } },
  development: { ...COMMON, targetUtilization: ratio(0.8), accepted: { memory: ratio(0.2), compute: ratio(0.5) } },
} satisfies Record<RightSizeLevel, RightSizeOptions>
