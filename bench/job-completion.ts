import { seconds, seededChance } from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { readJobInputs, type JobInputs } from './job-completion-inputs.ts'
import { withArrivals } from './jobs/job-arrivals.ts'
import { jobMetrics, type JobMetrics } from './jobs/job-metrics.ts'
import { septetJobPolicy } from './jobs/job-septet.ts'
import { type JobRun, simulateJobs } from './jobs/job-simulation.ts'
import { bestStatic, wholeGpuPolicy } from './jobs/job-static.ts'
import { splitThroughput } from './jobs/split-throughput.ts'
import { meanInterval } from './placement/mean-interval.ts'

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
    const found = Object.fromEntries(Object.entries(POLICIES).map(([name, run]) => [name, metricsOf(inputs, run)]))
    return [
      ...splitFigures(inputs),
      ...Object.entries(found).map(([name, metrics]) => metricFigure(`${SCENARIO}: ${name}`, metrics)),
      ...PUBLISHED.map(([baseline, percent]) => reduction(found, baseline, percent)),
    ]
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

/** Of one policy, a run for each seed of the arrivals. */
const metricsOf = ({ list, menu }: JobInputs, policy: (typeof POLICIES)[string]): readonly JobMetrics[] =>
  Array.from({ length: SEEDS }, (_, at) => {
    const jobs = withArrivals(list, ARRIVALS, seededChance(at + 1))
    const run = policy({ menu, jobs, gpus: GPUS, pause: PAUSE })
    if (run === undefined) throw new Error('no static layout runs every job')
    return jobMetrics(run, GPUS)
  })

/** What an even split of one GPU gives in sum, from the speed table alone. */
const splitFigures = ({ menu, speeds }: JobInputs): Figure[] =>
  splitThroughput(menu, speeds.byKind).map(({ profile, instances, kinds, mean, least, most }) => ({
    name: `throughput of ${instances} × ${profile} with one equal job each, over one such job on the whole GPU`,
    figure: mean,
    unit: 'x',
    note: `${least.toFixed(2)} to ${most.toFixed(2)} over the ${kinds} of ${speeds.byKind.size} measured kinds that fit`,
  }))

function metricFigure(name: string, metrics: readonly JobMetrics[]): Figure {
  const over = (read: (each: JobMetrics) => number | undefined) =>
    meanInterval(metrics.map((each) => read(each) ?? Number.NaN))
  const { mean, halfWidth, samples } = over(({ meanCompletion }) => meanCompletion)
  const note = [
    interval(halfWidth, 0),
    `p50 ${over((each) => each.p50Completion).mean.toFixed(0)}`,
    `p95 ${over((each) => each.p95Completion).mean.toFixed(0)}`,
    `makespan ${over((each) => each.makespan).mean.toFixed(0)} s`,
    `throughput ${over((each) => each.throughput).mean.toFixed(3)} per GPU`,
    `${over((each) => each.held).mean.toFixed(1)} GPU-h held`,
    `${over((each) => each.recuts).mean.toFixed(0)} repartitions`,
    `${over((each) => each.pauses).mean.toFixed(0)} pauses`,
    `${over((each) => each.refused).mean.toFixed(0)} refused`,
  ].join(', ')
  return { name: `${name}, mean completion time`, figure: Math.round(mean), unit: 's', seeds: samples, note }
}

const interval = (halfWidth: number | undefined, digits: number): string =>
  halfWidth === undefined ? 'one seed: spread not known' : `± ${halfWidth.toFixed(digits)} (95 %)`

/** Reduction of the mean completion time, as the mean over seeds of the same list's reductions. */
function reduction(found: Readonly<Record<string, readonly JobMetrics[]>>, baseline: string, percent: number): Figure {
  const [ours = [], theirs = []] = [found['septet'], found[baseline]]
  const { mean, halfWidth, samples } = meanInterval(
    ours.map(({ meanCompletion = Number.NaN }, at) => 100 * (1 - meanCompletion / (theirs[at]?.meanCompletion ?? 0))),
  )
  return {
    name: `${SCENARIO}: septet, completion time below ${baseline}`,
    figure: mean,
    unit: '%',
    seeds: samples,
    aim: `> ${percent} % (published by MISO on its testbed)`,
    note: interval(halfWidth, 1),
  }
}
