import { grouped, percent, plural } from '../../words.ts'
import type { WorkloadId } from '../../cluster/workload.ts'

/**
 * What was counted of a workload since a change, beside windows of the same length at the same time of the days before it.
 * What an engine does not count is left out.
 */
export type WorkSigns = {
  readonly seconds: number
  readonly work?: Beside<number> & Counted
  /**
   * A counter that knew the work on days before, and has not one sample of its running pods since. `isSeen`: other metrics of
   * these pods arrived all the while, so the engine itself is what stopped.
   */
  readonly silent?: Counted & { readonly before: readonly number[]; readonly isSeen: boolean }
  readonly errors?: Beside<Answered> & { readonly source: string }
  readonly restarts?: Beside<number>
}
type Counted = { readonly unit: string; readonly source: string }
type Beside<Count> = { readonly since: Count; readonly before: readonly Count[] }
/** Requests that failed, of all. */
type Answered = { readonly failed: number; readonly all: number }

/** Of fewer days before nothing is said. */
const LEAST_DAYS = 5
/** Less of a fall or rise than this is nobody's reason to disturb a workload again, however sure it is. */
const LEAST_FALL = 0.3
const LEAST_MORE_ERRORS = 0.01
const LEAST_FAILED = 20
const LEAST_RESTARTS = 3
/** How unlikely so many restarts must be without a reason. */
const CHANCE = 0.001

/** Whether work goes on as before a change; `because` is one sentence. `fine`: also where nothing counts it. */
export type WorkVerdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'worse'; readonly because: string }
  | { readonly kind: 'unknown'; readonly because: string }

/**
 * Whether a workload does worse than on the days before a change; it is fine while that may be chance. Each sign has to be
 * worse than on every day before, by more than it varied from day to day, and by enough to matter. Work that is not counted
 * any more is taken for none where its pods are seen to run, and is unknown elsewhere.
 */
export function judgeWork(workload: WorkloadId, signs: WorkSigns): WorkVerdict {
  const because =
    slower(workload, signs) ?? stopped(workload, signs) ?? moreErrors(workload, signs) ?? moreRestarts(workload, signs)
  if (because !== undefined) return { kind: 'worse', because }
  const unknown = unheard(workload, signs)
  return unknown === undefined ? { kind: 'fine' } : { kind: 'unknown', because: unknown }
}

function slower(workload: WorkloadId, { seconds, work }: WorkSigns): string | undefined {
  if (work === undefined || work.before.length < LEAST_DAYS || !isLess(work)) return undefined
  const { since, before, unit, source } = work
  return `${workload} does ${anHour(since, seconds)} ${unit} an hour since the change, ${anHour(meanOf(before), seconds)} at this time of the ${before.length} days before (${source}).`
}

/** Nothing counted at all, of pods that are seen to run. */
function stopped(workload: WorkloadId, { seconds, silent }: WorkSigns): string | undefined {
  if (silent === undefined || !silent.isSeen || silent.before.length < LEAST_DAYS) return undefined
  const { before, unit, source } = silent
  if (!isLess({ since: 0, before })) return undefined
  return `The metrics of ${workload} have stopped since the change, while its pods run and their other metrics arrive: no ${unit} are counted (${source}), against ${anHour(meanOf(before), seconds)} an hour at this time of the ${before.length} days before.`
}

function unheard(workload: WorkloadId, { silent }: WorkSigns): string | undefined {
  if (silent === undefined) return undefined
  const { before, unit, source, isSeen } = silent
  const none = `No ${unit} of ${workload} are counted since the change (${source})`
  if (!isSeen) return `${none}, and no other metrics of its pods arrive either.`
  return before.length < LEAST_DAYS
    ? `${none}, and ${plural(before.length, 'day')} before it are too few to compare with.`
    : undefined
}

function isLess({ since, before }: Beside<number>): boolean {
  const mean = meanOf(before)
  // Load grows and falls by factors; of few events chance alone leaves fewer (three standard deviations of Poisson's law).
  const low = Math.min(Math.exp(limitOf(before.map(logOf), -1)) - 1, mean - 3 * Math.sqrt(mean))
  return since < Math.min(...before) && since < low && since < mean * (1 - LEAST_FALL)
}

const anHour = (count: number, seconds: number): string => grouped((count / seconds) * 3600, 0)

function moreErrors(workload: WorkloadId, { errors }: WorkSigns): string | undefined {
  if (errors === undefined) return undefined
  const before = errors.before.flatMap(({ failed, all }) => (all > 0 ? [failed / all] : []))
  const { failed, all } = errors.since
  if (before.length < LEAST_DAYS || failed < LEAST_FAILED) return undefined
  const [share, mean] = [failed / all, meanOf(before)]
  const isMore = share > 2 * Math.max(...before) && share > limitOf(before, 1) && share - mean >= LEAST_MORE_ERRORS
  return isMore
    ? `${percent(share)} of what ${workload} is asked fails since the change, ${percent(mean)} at this time of the days before (${errors.source}).`
    : undefined
}

function moreRestarts(workload: WorkloadId, { restarts }: WorkSigns): string | undefined {
  if (restarts === undefined || restarts.before.length < LEAST_DAYS) return undefined
  const { since, before } = restarts
  const count = Math.round(since)
  if (count < LEAST_RESTARTS || count <= 2 * Math.max(...before)) return undefined
  const known = Math.round(sumOf(before))
  if (atLeast(count, count + known, 1 / (before.length + 1)) >= CHANCE) return undefined
  return `Containers of ${workload} restarted ${plural(count, 'time')} since the change, ${plural(known, 'time')} in ${before.length} stretches as long before it.`
}

/** The 99.5 % points of Student's t for 4, 5, 6 degrees of freedom; more days are taken for as few. */
const STUDENT = [4.604, 4.032, 3.707]

/** Below which (−1) or above which (1) one more of these would lie in one of two hundred cases. */
function limitOf(values: readonly number[], side: 1 | -1): number {
  const mean = meanOf(values)
  const variance = sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1)
  const point = STUDENT[Math.min(values.length - LEAST_DAYS, STUDENT.length - 1)] ?? Infinity
  return mean + side * point * Math.sqrt(variance * (1 + 1 / values.length))
}

const logOf = (count: number): number => Math.log(count + 1)
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
const meanOf = (values: readonly number[]): number => sumOf(values) / values.length

/** The chance of at least so many of all in one of several stretches that are alike (binomial). */
function atLeast(count: number, all: number, chance: number): number {
  let term = (1 - chance) ** all
  let below = 0
  for (let hits = 0; hits < count; hits += 1) {
    below += term
    term *= ((all - hits) / (hits + 1)) * (chance / (1 - chance))
  }
  return 1 - below
}
