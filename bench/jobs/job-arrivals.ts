import { seconds, type Seconds } from '@septet/domain'
import type { ListedJob } from './job-list.ts'
import type { SliceJob } from './slice-job.ts'

/**
 * The jobs in random order with the arrival times of a Poisson process: exponential gaps of this mean. The order is drawn too,
 * because the published list is sorted by duration. `random` is uniform on [0, 1), seeded.
 */
export function withArrivals(jobs: readonly ListedJob[], mean: Seconds, random: () => number): readonly SliceJob[] {
  let now = 0
  return shuffled(jobs, random).map((job) => {
    now -= mean * Math.log(1 - random())
    return { ...job, arrival: seconds(now) }
  })
}

const shuffled = <T>(list: readonly T[], random: () => number): readonly T[] =>
  list
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
