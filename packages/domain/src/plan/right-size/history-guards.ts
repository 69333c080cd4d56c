import { DAY_MS, type Instant, SECONDS_PER_HOUR } from '../../units.ts'
import { type Block, blockMaxima, blockSeconds, blockEnd, peakOf, levelAt } from './block-maxima.ts'
import type { RightSizeOptions } from './right-size-options.ts'
import { medianOf } from './past.ts'
import type { UsageHistory } from './usage-history.ts'

/** Why a history cannot carry a smaller size: too little is known, or what is known says to keep the size. */
export type Objection = { readonly kind: 'unknown' | 'keep'; readonly because: string }

/** The first reason not to size a workload from its history; undefined when there is none. */
export function objectionTo(history: UsageHistory, options: RightSizeOptions): Objection | undefined {
  for (const guard of GUARDS) {
    const objection = guard(history, options)
    if (objection !== undefined) return objection
  }
  return undefined
}

/** Share of the time since the first bucket that was measured, 0 to 1. */
export function coverageOf(history: UsageHistory): number {
  const first = history.buckets.reduce((least, { at }) => Math.min(least, at), Infinity)
  const span = (blockEnd(history) - first) / 1000
  return span > 0 ? Math.min(1, measuredSeconds(history) / span) : 0
}

/** MiB that the median block grew per block when memory grows without falling back; 0 when it does not. */
export function growthPerBlock(history: UsageHistory): number {
  const peaks = blockMaxima(history, 'memory').map(({ peak }) => peak)
  if (peaks.length < LEAST_TREND) return 0
  const slopes: number[] = []
  let signs = 0
  // A trend shows in two hundred blocks as well as in all; the pairs grow with the square.
  const recent = peaks.slice(-200)
  for (const [later, high] of recent.entries()) {
    for (let earlier = 0; earlier < later; earlier += 1) {
      const rise = high - (recent[earlier] ?? high)
      slopes.push(rise / (later - earlier))
      signs += Math.sign(rise)
    }
  }
  // Kendall's tau: 1 when every later block is higher. The slope is that of Theil and Sen, which outliers do not bend.
  return signs / slopes.length >= LEAST_TAU ? Math.max(0, medianOf(slopes) ?? 0) : 0
}

/** In how many of the blocks with known busy a workload was over the idle threshold. */
type Working = { readonly busy: number; readonly known: number }

function workingBlocks(history: UsageHistory, idleThreshold: number): Working {
  const length = blockSeconds(history) * 1000
  const busy = new Set<number>()
  const known = new Set<number>()
  for (const bucket of history.buckets) {
    const compute = levelAt(bucket, 'compute')
    if (compute === undefined) continue
    const block = Math.floor(bucket.at / length)
    known.add(block)
    if ((bucket.computePeak ?? compute) > idleThreshold) busy.add(block)
  }
  return { busy: busy.size, known: known.size }
}

const worked = ({ busy, known }: Working): boolean => busy >= LEAST_WORKING && busy >= LEAST_WORKING_SHARE * known

/** Whether a history shows what its work needs: what was near idle would make every other workload look safe. */
export const hasWorked = (history: UsageHistory, idleThreshold: number): boolean =>
  worked(workingBlocks(history, idleThreshold))

type Guard = (history: UsageHistory, options: RightSizeOptions) => Objection | undefined

const GUARDS: readonly Guard[] = [
  untrusted,
  unmeasured,
  stuckAtZero,
  tooShort,
  tooManyGaps,
  restarting,
  nearIdle,
  justRisen,
]

function untrusted({ untrusted: because }: UsageHistory): Objection | undefined {
  return because === undefined ? undefined : { kind: 'unknown', because }
}

function unmeasured({ buckets }: UsageHistory, { compute }: RightSizeOptions): Objection | undefined {
  if (buckets.every((bucket) => levelAt(bucket, 'memory') === undefined)) return unknown('its memory was not measured')
  const busyUnknown = buckets.every((bucket) => levelAt(bucket, 'compute') === undefined)
  return busyUnknown && compute === 'counted' ? unknown('how busy it was is not measured') : undefined
}

/** A process that uses a GPU holds memory there, so a figure that never leaves 0 is not a measurement. */
function stuckAtZero(history: UsageHistory, { idleThreshold }: RightSizeOptions): Objection | undefined {
  const stuck = (peakOf(history, 'memory') ?? 0) <= 0 && hasWorked(history, idleThreshold)
  return stuck ? unknown('its memory reads 0 MiB while it works, so it is not measured') : undefined
}

function tooShort(history: UsageHistory, { minimumHistory }: RightSizeOptions): Objection | undefined {
  const measured = measuredSeconds(history)
  if (measured < minimumHistory) return unknown(`not enough history: ${hours(measured)} of ${hours(minimumHistory)}`)
  const blocks = blockMaxima(history, 'memory').length
  return blocks < LEAST_BLOCKS
    ? unknown(`not enough history: ${blocks} of ${LEAST_BLOCKS} blocks of it are whole`)
    : undefined
}

function tooManyGaps(history: UsageHistory): Objection | undefined {
  const coverage = coverageOf(history)
  return coverage < LEAST_COVERAGE
    ? unknown(`only ${Math.floor(coverage * 100)}% of its history is measured`)
    : undefined
}

/** Work that keeps starting again may be running out of memory already. */
function restarting(history: UsageHistory): Objection | undefined {
  const [end, length] = [blockEnd(history), blockSeconds(history)]
  const last = history.restarts.reduce<number>((latest, at) => Math.max(latest, at), -Infinity)
  const span = length > SECONDS_PER_HOUR ? 'day' : 'hour'
  if (end - last < length * 1000) return keep(`it restarted within the last ${span}: what it needs now is unknown`)
  const day = history.restarts.filter((at) => end - at < DAY_MS).length
  return day >= MOST_RESTARTS
    ? keep(`it restarted ${day} times within a day, as work does that runs out of memory`)
    : undefined
}

/** Work that has hardly run says nothing about what it needs once it does. */
function nearIdle(history: UsageHistory, { idleThreshold }: RightSizeOptions): Objection | undefined {
  const { busy, known } = workingBlocks(history, idleThreshold)
  if (known === 0) return keep('how busy it was is unknown, so its memory may be that of idle work')
  return worked({ busy, known })
    ? undefined
    : keep(`near idle so far: it worked in ${busy} of ${known} blocks of its history, so what it needs is unknown`)
}

/** A rise after which every block is above every block before counts as a new workload with a short history. */
function justRisen(history: UsageHistory, { minimumHistory }: RightSizeOptions): Objection | undefined {
  const rise = lastRise(blockMaxima(history, 'memory'))
  if (rise === undefined) return undefined
  const since = (blockEnd(history) - rise.at) / 1000
  if (since >= minimumHistory) return undefined
  return keep(
    `its memory rose from ${Math.round(rise.from)} to ${Math.round(rise.to)} MiB ${hours(since)} ago: ${hours(since)} of ${hours(minimumHistory)} since`,
  )
}

function lastRise(blocks: readonly Block[]): { at: Instant; from: number; to: number } | undefined {
  let lowestAfter = Infinity
  const highestBefore: number[] = []
  for (const { peak } of blocks) highestBefore.push(Math.max(peak, highestBefore.at(-1) ?? 0))
  for (let index = blocks.length - 1; index >= 1; index -= 1) {
    const block = blocks[index]
    const before = highestBefore[index - 1]
    if (block === undefined || before === undefined) return undefined
    lowestAfter = Math.min(lowestAfter, block.peak)
    const after = blocks.length - index
    // The first blocks are a start, not a level: models load there.
    if (after >= 2 && index >= 2 && lowestAfter > before * SHIFT) return { at: block.at, from: before, to: lowestAfter }
  }
  return undefined
}

const LEAST_BLOCKS = 3
const LEAST_TREND = 6
const LEAST_TAU = 0.6
const LEAST_COVERAGE = 0.5
const LEAST_WORKING = 2
const LEAST_WORKING_SHARE = 0.1
const MOST_RESTARTS = 3
const SHIFT = 1.25

const measuredSeconds = (history: UsageHistory): number =>
  history.buckets.reduce((sum, bucket) => sum + (levelAt(bucket, 'memory') === undefined ? 0 : bucket.measured), 0)

const hours = (length: number): string => {
  const whole = Math.floor(length / SECONDS_PER_HOUR)
  return whole >= 1 || length < 60 ? `${whole} h` : `${Math.floor(length / 60)} min`
}
const unknown = (because: string): Objection => ({ kind: 'unknown', because })
const keep = (because: string): Objection => ({ kind: 'keep', because })
