import { boardFor, seconds, seededChance } from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { withArrivals } from './jobs/job-arrivals.ts'
import { readJobList, type ListedJob } from './jobs/job-list.ts'
import { jobMenu, type JobMenu } from './jobs/job-menu.ts'
import { septetJobPolicy } from './jobs/job-septet.ts'
import { type JobRun, meanCompletion, simulateJobs } from './jobs/job-simulation.ts'
import { bestStatic, wholeGpuPolicy } from './jobs/job-static.ts'
import { profilesIn, readJobSpeeds, type JobSpeeds } from './jobs/job-speeds.ts'
import { splitThroughput } from './jobs/split-throughput.ts'
import { meanInterval } from './placement/mean-interval.ts'
import { readTrace } from './trace-file.ts'

/** The default of MISO's runner. */
const PAUSE = seconds(30)
const ARRIVALS = seconds(60)
const GPUS = 8
const SEEDS = 20
const SCENARIO = 'published list, Poisson arrivals 60 s'

/** Jobs on MIG GPUs whose speed depends on the profile: ours against whole GPUs and the best static layouts. */
export const benchmark: Benchmark = {
  name: 'job-completion',
  description:
    'Jobs from MISO (SoCC 2022) on A100-40GB at measured slice speeds, under the rule of mig-manager (as in MISO): a repartition stops all jobs on that GPU for 30 s, a move only the moved job. septet does not know durations.',
  async run({ input }) {
    const inputs = readJobInputs(input)
    for (const problem of inputs.problems) console.error(problem)
    const found = Object.fromEntries(Object.entries(POLICIES).map(([name, run]) => [name, meansOf(inputs, run)]))
    return [...splitFigures(inputs), ...PUBLISHED.map(([baseline, percent]) => reduction(found, baseline, percent))]
  },
}

type Search = Omit<Parameters<typeof simulateJobs>[0], 'policy'>

const POLICIES: Readonly<Record<string, (search: Search) => JobRun | undefined>> = {
  'whole GPU': (search) => simulateJobs({ ...search, policy: wholeGpuPolicy(search.menu) }),
  'best static in hindsight': bestStatic,
  septet: (search) => simulateJobs({ ...search, policy: septetJobPolicy() }),
}

/** By how much MISO says that it lowers the mean completion time on its testbed, percent. */
const PUBLISHED = [
  ['whole GPU', 49],
  ['best static in hindsight', 16],
] as const

/** The mean completion time under one policy, for each seed of the arrivals. */
const meansOf = ({ list, menu }: JobInputs, policy: (typeof POLICIES)[string]): readonly number[] =>
  Array.from({ length: SEEDS }, (_, at) => {
    const jobs = withArrivals(list, ARRIVALS, seededChance(at + 1))
    const run = policy({ menu, jobs, gpus: GPUS, pause: PAUSE })
    if (run === undefined) throw new Error('no static layout runs every job')
    return meanCompletion(run) ?? Number.NaN
  })

/** What an even split of one GPU gives in sum, from the speed table alone. */
const splitFigures = ({ menu, speeds }: JobInputs): Figure[] =>
  splitThroughput(menu, speeds.byKind).map(({ profile, instances, kinds, mean, least, most }) => ({
    name: `throughput of ${instances} × ${profile} with one equal job each, over one such job on the whole GPU`,
    figure: mean,
    unit: 'x',
    note: `${least.toFixed(2)} to ${most.toFixed(2)} over the ${kinds} of ${speeds.byKind.size} measured kinds that fit`,
  }))

/** Reduction of the mean completion time, as the mean over seeds of the same list's reductions. */
function reduction(found: Readonly<Record<string, readonly number[]>>, baseline: string, percent: number): Figure {
  const [ours = [], theirs = []] = [found['septet'], found[baseline]]
  const { mean, halfWidth, samples } = meanInterval(
    ours.map((mine, at) => 100 * (1 - mine / (theirs[at] ?? Number.NaN))),
  )
  return {
    name: `${SCENARIO}: septet, completion time below ${baseline}`,
    figure: mean,
    unit: '%',
    seeds: samples,
    aim: `> ${percent} % (published by MISO on its testbed)`,
    note: halfWidth === undefined ? 'one seed: spread not known' : `± ${halfWidth.toFixed(1)} (95 %)`,
  }
}

type JobInputs = {
  readonly menu: JobMenu
  readonly speeds: JobSpeeds
  readonly list: readonly ListedJob[]
  /** What of the files could not be used. */
  readonly problems: readonly string[]
}

const SPEEDS = 'mig_iteration_time.csv'
const LIST = 'job_trace_100.csv'

/** The published inputs of MISO. Throws a sentence when a file is absent or nothing of it can be used. */
function readJobInputs(input: string | undefined): JobInputs {
  const set = 'miso-a100-2022'
  const board = boardFor('A100-SXM4-40GB')
  if (board === undefined) throw new Error('the catalog has no A100-SXM4-40GB')
  const text = readTrace({ set, name: SPEEDS, input })
  const known = profilesIn(text).filter((name) => board.profiles.some((profile) => profile.name === name))
  const menu = jobMenu(board, known)
  const speeds = readJobSpeeds(text, menu, SPEEDS)
  if (speeds.byKind.size === 0) throw new Error(`no speed in ${SPEEDS} can be used: ${speeds.problems.join(' ')}`)
  const { jobs: list, problems } = readJobList(readTrace({ set, name: LIST, input }), speeds, LIST)
  if (list.length === 0) throw new Error(`no job in ${LIST} can be used: ${problems.join(' ')}`)
  return { menu, speeds, list, problems: [...speeds.problems, ...problems] }
}
