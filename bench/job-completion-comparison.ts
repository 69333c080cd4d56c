import { seconds, seededChance, type Actuator } from '@septet/domain'
import { meanInterval } from './placement/mean-interval.ts'

import type { Figure } from './benchmark.ts'
import { readJobInputs, type JobInputs } from './job-completion-inputs.ts'
import { bestMixedStatic, bestUniformStatic } from './jobs/job-best-static.ts'
import { expectedSpeeds, type JobSpeeds } from './jobs/job-speeds.ts'
import { jobMetrics, type JobMetrics } from './jobs/job-metrics.ts'
import { misoPolicy } from './jobs/job-miso.ts'
import { mixedJobs, resampled, withArrivals } from './jobs/job-arrivals.ts'
import { septetJobPolicy } from './jobs/job-septet.ts'
import { simulateJobs } from './jobs/job-simulation.ts'
import { wholeGpuPolicy } from './jobs/job-static.ts'
import type { JobPolicy } from './jobs/job-policy.ts'
import type { ListedJob } from './jobs/job-list.ts'
import type { SliceJob } from './jobs/slice-job.ts'

/** The default of MISO's runner. */
const PAUSE = seconds(30)
const SEEDS = 20
const FEWER_SEEDS = 8

/** Whole GPUs and static layouts never re-cut, so these runs are the same under every rule and are made once. */
const unchanging = new Map<string, Result>()

/** Every policy that re-cuts runs under this one rule; figures of two rules are never mixed. */
export function compareUnder(actuator: Actuator, input: string | undefined): Figure[] {
  const inputs = { ...readJobInputs(input), actuator }
  for (const problem of inputs.problems) console.error(problem)
  if (inputs.durations === undefined)
    console.error('trace1.csv (Philly, from Muri) is absent: that scenario is left out.')
  return [
    ...mainFigures(inputs, {
      name: 'published list, Poisson arrivals 60 s',
      gpus: 8,
      lists: published(inputs, 'poisson'),
    }),
    ...plainFigures(inputs, {
      name: "published list, arrivals as MISO's runner",
      gpus: 8,
      lists: published(inputs, 'miso-runner'),
    }),
    ...scenariosOf(inputs).flatMap((scenario) => plainFigures(inputs, scenario)),
  ]
}

type E6Run = JobInputs & { readonly actuator: Actuator }

type Scenario = { readonly name: string; readonly gpus: number; readonly lists: ReadonlyArray<readonly SliceJob[]> }

const seedsOf = (count: number, first: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => first + at)

const published = ({ list }: JobInputs, process: 'poisson' | 'miso-runner'): Scenario['lists'] =>
  seedsOf(SEEDS, 1).map((seed) => withArrivals(list, { mean: seconds(60), process, random: seededChance(seed) }))

/** Other lists of the same family, so that nothing is judged on one list alone. */
function scenariosOf({ list, durations, speeds }: JobInputs): readonly Scenario[] {
  const boot = (mean: number, gpus: number): Scenario => ({
    name: `resampled list, arrivals ${mean} s, ${gpus} GPUs`,
    gpus,
    lists: seedsOf(FEWER_SEEDS, 1000).map((seed) => {
      const random = seededChance(seed)
      return withArrivals(resampled(list, 100, random), { mean: seconds(mean), process: 'poisson', random })
    }),
  })
  const cases = [boot(30, 8), boot(60, 8), boot(60, 4), boot(120, 4)]
  return durations === undefined ? cases : [...cases, phillyScenario({ list, durations, speeds })]
}

type Philly = { readonly list: readonly ListedJob[]; readonly durations: readonly number[]; readonly speeds: JobSpeeds }

function phillyScenario({ list, durations, speeds }: Philly): Scenario {
  const mean = seconds(list.reduce((sum, job) => sum + job.work, 0) / list.length)
  const lists = seedsOf(FEWER_SEEDS, 2000).map((seed) => {
    const random = seededChance(seed)
    const kinds = [...speeds.byKind.values()]
    const jobs = mixedJobs({ count: 100, durations: durations.map(seconds), speeds: kinds, mean, random })
    return withArrivals(jobs, { mean: seconds(60), process: 'poisson', random })
  })
  return {
    name: `Philly durations scaled to a mean of ${Math.round(mean)} s, kinds drawn evenly, arrivals 60 s`,
    gpus: 8,
    lists,
  }
}

type Policies = Readonly<Record<string, (jobs: readonly SliceJob[], inputs: E6Run) => JobPolicy>>

const COMPARED: Policies = {
  'MISO-like': () => misoPolicy(),
  septet: () => septetJobPolicy(),
  'septet knowing durations': (jobs) => septetJobPolicy({ work: jobs.map((job) => job.work) }),
}

type Result = { readonly metrics: readonly JobMetrics[]; readonly means: readonly number[] }

function mainFigures(inputs: E6Run, scenario: Scenario): Figure[] {
  const { menu, speeds } = inputs
  const found = compare(inputs, scenario)
  found.set(
    'septet without ages',
    runAll(inputs, scenario, () => septetJobPolicy({ byAge: false })),
  )
  found.set(
    'septet, speeds guessed from memory',
    measured(scenario, (jobs) => {
      const believed = jobs.map((job) => guessed(inputs, job, speeds))
      return jobMetrics(
        simulateJobs({
          menu,
          jobs,
          gpus: scenario.gpus,
          policy: septetJobPolicy(),
          pause: PAUSE,
          believed,
          actuator: inputs.actuator,
        }),
        scenario.gpus,
      )
    }),
  )
  found.set(
    'best static mix in hindsight',
    once(scenario, 'best static mix in hindsight', (jobs) => {
      const best = bestMixedStatic({ menu, jobs, gpus: scenario.gpus, pause: PAUSE })
      if (best === undefined) throw new Error('no static layout runs every job')
      return jobMetrics(best.run, scenario.gpus)
    }),
  )
  return figuresOf(scenario, found)
}

const plainFigures = (inputs: E6Run, scenario: Scenario): Figure[] => figuresOf(scenario, compare(inputs, scenario))

const figuresOf = (scenario: Scenario, found: ReadonlyMap<string, Result>): Figure[] => [
  ...[...found].flatMap(([name, result]) => metricFigures(`${scenario.name}: ${name}`, result)),
  ...reductions(scenario, found, [
    'septet',
    'septet knowing durations',
    'MISO-like',
    'septet without ages',
    'septet, speeds guessed from memory',
  ]),
]

function compare(inputs: E6Run, scenario: Scenario): Map<string, Result> {
  const { menu } = inputs
  const { gpus } = scenario
  const found = new Map<string, Result>()
  found.set(
    'whole GPU',
    once(scenario, 'whole GPU', (jobs) =>
      jobMetrics(simulateJobs({ menu, jobs, gpus, policy: wholeGpuPolicy(menu), pause: PAUSE }), gpus),
    ),
  )
  found.set(
    'best static in hindsight',
    once(scenario, 'best static in hindsight', (jobs) => {
      const best = bestUniformStatic({ menu, jobs, gpus, pause: PAUSE })
      if (best === undefined) throw new Error('no static layout runs every job')
      return jobMetrics(best.run, gpus)
    }),
  )
  for (const [name, policy] of Object.entries(COMPARED))
    found.set(
      name,
      runAll(inputs, scenario, (jobs) => policy(jobs, inputs)),
    )
  return found
}

const runAll = (inputs: E6Run, scenario: Scenario, policy: (jobs: readonly SliceJob[]) => JobPolicy): Result =>
  measured(scenario, (jobs) => {
    const { menu } = inputs
    return jobMetrics(
      simulateJobs({ menu, jobs, gpus: scenario.gpus, policy: policy(jobs), pause: PAUSE, actuator: inputs.actuator }),
      scenario.gpus,
    )
  })

function once(scenario: Scenario, name: string, run: (jobs: readonly SliceJob[]) => JobMetrics): Result {
  const key = `${scenario.name}: ${name}`
  const known = unchanging.get(key) ?? measured(scenario, run)
  unchanging.set(key, known)
  return known
}

function measured({ lists }: Scenario, run: (jobs: readonly SliceJob[]) => JobMetrics): Result {
  const metrics = lists.map(run)
  return { metrics, means: metrics.map((each) => each.meanCompletion ?? Number.NaN) }
}

/** What would be believed of a job had none of its model ever been measured: its memory, and the mean speeds of the others. */
function guessed({ menu }: JobInputs, job: SliceJob, speeds: JobSpeeds): readonly number[] {
  const kind = [...speeds.byKind].find(([, known]) => known === job.speeds)?.[0] ?? ''
  const model = kind.split(' ')[0] ?? ''
  const others = new Map([...speeds.byKind].filter(([other]) => !other.startsWith(`${model} `)))
  return expectedSpeeds({ ...speeds, byKind: others }, menu, speeds.memoryMib.get(kind))
}

function metricFigures(name: string, { metrics, means }: Result): Figure[] {
  const { mean, halfWidth, samples } = meanInterval(means)
  const over = (read: (each: JobMetrics) => number | undefined): number =>
    meanInterval(metrics.map((each) => read(each) ?? Number.NaN)).mean
  const figure = Math.round(mean)
  const note = [
    interval(halfWidth, 0),
    `p50 ${over((each) => each.p50Completion).toFixed(0)}`,
    `p95 ${over((each) => each.p95Completion).toFixed(0)}`,
    `makespan ${over((each) => each.makespan).toFixed(0)} s`,
    `throughput ${over((each) => each.throughput).toFixed(3)} per GPU`,
    `${over((each) => each.held).toFixed(1)} GPU-h held`,
    `${over((each) => each.recuts).toFixed(0)} repartitions`,
    `${over((each) => each.pauses).toFixed(0)} pauses`,
    `${over((each) => each.refused).toFixed(0)} refused`,
  ].join(', ')
  return [{ name: `${name}, mean completion time`, figure, unit: 's', seeds: samples, note }]
}

const interval = (halfWidth: number | undefined, digits: number): string =>
  halfWidth === undefined ? 'one seed: spread not known' : `± ${halfWidth.toFixed(digits)} (95 %)`

const CLAIMS = [
  { baseline: 'whole GPU', published: 49 },
  { baseline: 'best static in hindsight', published: 16 },
  { baseline: 'best static mix in hindsight', published: undefined },
  { baseline: 'MISO-like', published: undefined },
]

/** Reduction of the mean completion time, as the mean over seeds of the same list's reductions. */
function reductions(scenario: Scenario, found: ReadonlyMap<string, Result>, names: readonly string[]): Figure[] {
  return names.flatMap((name) =>
    CLAIMS.flatMap(({ baseline, published: claim }): Figure[] => {
      const ours = found.get(name)?.means
      const theirs = found.get(baseline)?.means
      if (ours === undefined || theirs === undefined || name === baseline) return []
      const { mean, halfWidth, samples } = meanInterval(
        ours.map((value, at) => 100 * (1 - value / (theirs[at] ?? Number.NaN))),
      )
      const aim = claim === undefined ? {} : { aim: `> ${claim} % (published by MISO on its testbed)` }
      return [
        {
          name: `${scenario.name}: ${name}, completion time below ${baseline}`,
          figure: mean,
          unit: '%',
          seeds: samples,
          note: interval(halfWidth, 1),
          ...aim,
        },
      ]
    }),
  )
}
