import { seconds, type Seconds } from '@septet/domain'
import type { ListedJob } from './job-list.ts'
import type { SliceJob } from './slice-job.ts'

export type ArrivalRule = {
  /** Mean time between two arrivals. */
  readonly mean: Seconds
  /**
   * 'poisson': a Poisson process, so exponential gaps. 'miso-runner': as MISO's published runner draws them: each gap a
   * Poisson number of seconds, the first third of the jobs twice as dense.
   */
  readonly process: 'poisson' | 'miso-runner'
  /** Uniform on [0, 1), seeded. */
  readonly random: () => number
}

/** The jobs in random order with arrival times; MISO's runner draws the order too, because its list is sorted by duration. */
export function withArrivals(jobs: readonly ListedJob[], { mean, process, random }: ArrivalRule): readonly SliceJob[] {
  const dense = Math.floor(jobs.length / 3)
  let now = 0
  return shuffled(jobs, random).map((job, at) => {
    const wanted = process === 'miso-runner' && at <= dense ? mean / 2 : mean
    now += process === 'poisson' ? exponential(mean, random) : poisson(wanted, random)
    return { ...job, arrival: seconds(now) }
  })
}

/** As many jobs as asked for, drawn with replacement. */
export const resampled = (jobs: readonly ListedJob[], count: number, random: () => number): readonly ListedJob[] =>
  Array.from({ length: count }, (_, at) =>
    drawn(jobs, random).map((job) => ({ ...job, id: `${at}: ${job.id}` })),
  ).flat()

export type Mixture = {
  readonly count: number
  readonly durations: readonly Seconds[]
  readonly speeds: ReadonlyArray<readonly number[]>
  /** The durations are scaled so that the mean of all of them is this. */
  readonly mean: Seconds
  readonly random: () => number
}

/** Jobs with drawn durations, each of a kind drawn evenly. */
export function mixedJobs({ count, durations, speeds, mean, random }: Mixture): readonly ListedJob[] {
  const scale = (mean * durations.length) / durations.reduce((sum, duration) => sum + duration, 0)
  return Array.from({ length: count }, (_, at) =>
    drawn(durations, random).flatMap((duration) =>
      drawn(speeds, random).map((kind) => ({ id: `${at}`, work: seconds(duration * scale), speeds: kind })),
    ),
  ).flat()
}

/** One element, or none of an empty list. */
function drawn<T>(list: readonly T[], random: () => number): readonly T[] {
  const at = Math.floor(random() * list.length)
  return list.slice(at, at + 1)
}

const shuffled = <T>(list: readonly T[], random: () => number): readonly T[] =>
  list
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)

const exponential = (mean: number, random: () => number): number => -mean * Math.log(1 - random())

/** Counts exponential gaps of length 1 within `mean`. */
function poisson(mean: number, random: () => number): number {
  let count = -1
  for (let left = mean; left >= 0; left -= exponential(1, random)) count += 1
  return count
}
