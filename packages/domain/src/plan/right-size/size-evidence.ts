import { type Instant, instant, type Ratio, ratio, type Window } from '../../units.ts'
import { type Block, blockMaxima, blockSeconds, blockEnd, peakOf } from './block-maxima.ts'
import { coverageOf, growthPerBlock } from './history-guards.ts'
import { medianOf } from './past.ts'
import type { UsageHistory } from './usage-history.ts'

/** How a workload has behaved so far. */
type Activity = 'steady' | 'bursty' | 'growing'

/** What a size was chosen from, small enough for a chart. */
export type SizeEvidence = {
  readonly window: Window
  readonly samples: number
  /** Share of the window with trustworthy telemetry. */
  readonly coverage: Ratio
  readonly activity: Activity
  /** Highest memory, MiB, and highest sustained compute, GPUs; undefined when not measured. */
  readonly memoryPeak: number | undefined
  readonly computePeak: number | undefined
  /** Highest use per block, oldest first; at most 200 each. */
  readonly memory: readonly Block[]
  readonly compute: readonly Block[]
}

/** Gathers the evidence of one history. */
export function sizeEvidence(history: UsageHistory): SizeEvidence {
  const memory = blockMaxima(history, 'memory')
  const to = blockEnd(history)
  const from = history.buckets.reduce<Instant>((first, { at }) => (at < first ? at : first), to)
  return {
    window: { from: instant(from), to },
    samples: history.buckets.filter(({ measured }) => measured > 0).length,
    coverage: ratio(coverageOf(history)),
    activity: activityOf(history, memory),
    memoryPeak: peakOf(history, 'memory'),
    computePeak: peakOf(history, 'compute'),
    memory: thinned(memory),
    compute: thinned(blockMaxima(history, 'compute')),
  }
}

/** Growing by trend; bursty when the highest block is a fifth above the middle one. */
function activityOf(history: UsageHistory, memory: readonly Block[]): Activity {
  const peaks = memory.map(({ peak }) => peak)
  const median = medianOf(peaks) ?? 0
  // A day's growth that a margin would not swallow.
  const growth = (growthPerBlock(history) * 86_400) / blockSeconds(history)
  if (growth > GROWING * median) return 'growing'
  return Math.max(0, ...peaks) > BURSTY * median ? 'bursty' : 'steady'
}

/** Neighbors become one, by their highest, until there are few enough to draw. */
function thinned(blocks: readonly Block[]): readonly Block[] {
  const step = Math.ceil(blocks.length / MOST_POINTS)
  if (step <= 1) return blocks
  const kept: Block[] = []
  for (let index = 0; index < blocks.length; index += step) {
    const group = blocks.slice(index, index + step)
    const [first] = group
    if (first !== undefined) kept.push({ at: first.at, peak: Math.max(...group.map(({ peak }) => peak)) })
  }
  return kept
}

const MOST_POINTS = 200
const GROWING = 0.05
const BURSTY = 1.2
