import { HOURS_PER_MONTH, compareText } from '../../units.ts'
import { contentHash } from '../words/content-hash.ts'
import { FleetRun, TRACK_POINTS } from './fleet-run.ts'
import { planRun, timesFleet, type RunPlan } from './run-plan.ts'
import { changedFleet, gpusOf, hourlyCost, hourlyCostOf } from './scenario-fleet.ts'
import {
  SCENARIO_VERSION,
  type Scenario,
  type ScenarioGroup,
  type ScenarioOutcome,
  type ScenarioResult,
  type ScenarioSource,
} from './scenario.ts'
import type { Board } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { checkBound } from '../layout/bound-certificate.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import type { LayoutProblem } from '../layout/layout-problem.ts'
import { modelOf } from '../layout/layout-model.ts'
import { gpuCertificate } from '../layout/relax-layout.ts'
import type { ScenarioNeed } from './needs.ts'

/** A scenario that is being computed, in pieces as small as whoever runs it likes. */
export type ScenarioRun = {
  /** Goes on by at most so many events; false when the result is there. */
  advance(events: number): boolean
  /** Events done and in all; the second can grow while it is found out how many GPUs are needed. */
  progress(): { readonly done: number; readonly of: number }
  /** Undefined before the end. */
  result(): ScenarioResult | undefined
}

/**
 * Opens a scenario. Pure: the same source and scenario give the same result, wherever and however it is advanced. Throws
 * where a run's name is not known.
 */
export function openScenario(source: ScenarioSource, scenario: Scenario): ScenarioRun {
  const groups = changedFleet(source.groups, scenario.changes)
  const opened = [...new Set(scenario.runs)].map((run) => new AlternativeRun({ source, scenario, groups, run }))
  let at = 0
  let result: ScenarioResult | undefined
  return {
    advance(events) {
      const current = opened[at]
      if (current !== undefined && !current.advance(events)) at += 1
      if (at < opened.length) return true
      result ??= finished(source, scenario, { groups, outcomes: opened.map((one) => one.outcome()) })
      return false
    },
    progress: () => ({
      done: opened.reduce((sum, { done }) => sum + done, 0),
      of: opened.reduce((sum, one) => sum + one.events(), 0),
    }),
    result: () => result,
  }
}

function finished(
  source: ScenarioSource,
  scenario: Scenario,
  { groups, outcomes }: { readonly groups: readonly ScenarioGroup[]; readonly outcomes: readonly ScenarioOutcome[] },
): ScenarioResult {
  return {
    version: SCENARIO_VERSION,
    seed: scenario.seed,
    jobs: source.jobs.at.length,
    length: (source.to - source.from) / 1000,
    assumptions: assumptionsOf(source, scenario),
    outcomes,
    digest: contentHash(JSON.stringify([SCENARIO_VERSION, groups, outcomes])),
  }
}

/** So many times the fleet is tried at most to find how many GPUs are needed so that nobody waits. */
const LARGEST = 8
/** Share of the time that GPUs are held that must be measured before anything is said about how busy they are. */
const LEAST_MEASURED = 0.5

type Question = {
  readonly source: ScenarioSource
  readonly scenario: Scenario
  readonly groups: readonly ScenarioGroup[]
  readonly run: string
}

/** One alternative: its run on the fleet and, where somebody waited, further ones on larger fleets. */
class AlternativeRun {
  done = 0
  private readonly question: Question
  private plan: RunPlan
  private main: FleetRun
  private larger: { readonly times: number; readonly run: FleetRun } | undefined
  private runs = 1
  private needed: number | null = null
  private costNeeded: number | null = null
  private bound: number | null = null

  constructor(question: Question) {
    this.question = question
    this.plan = planRun(question)
    this.main = new FleetRun(this.plan)
  }

  advance(events: number): boolean {
    this.done += events
    const current = this.larger?.run ?? this.main
    if (current.advance(events)) return true
    return this.after(current)
  }

  /** Arrivals and departures. */
  events(): number {
    return Math.max(this.done, this.runs * 2 * Math.max(1, this.plan.order.length))
  }

  outcome(): ScenarioOutcome {
    const { plan, main, question } = this
    const gpus = gpusOf(question.groups)
    const seconds = plan.length
    const { usd, unpriced } = hourlyCost(question.groups)
    const hasTime = question.source.kind === 'week'
    return {
      run: question.run,
      gpus,
      usedPeak: main.usedPeak,
      usedMean: rounded(meanOf(main.used)),
      needed: this.needed,
      bound: this.bound,
      ...usefulWork(main, gpus * seconds, unpriced > 0 ? undefined : usd * seconds),
      runnable: plan.order.length,
      impossible: plan.impossible,
      started: main.started,
      queuedMean: rounded(meanOf(main.queued)),
      queuedPeak: main.queuedPeak,
      waitP50: hasTime ? quantile(main.waits, 0.5) : null,
      waitP95: hasTime ? quantile(main.waits, 0.95) : null,
      waitAtLeast: main.started < plan.order.length,
      stranded: rounded(main.stranded / seconds),
      costPerMonth: gpus > 0 && unpriced === gpus ? null : rounded(usd * HOURS_PER_MONTH),
      costNeeded: this.costNeeded,
      unpriced,
      overTime: {
        step: seconds / TRACK_POINTS,
        used: Array.from(main.used, rounded),
        queued: Array.from(main.queued, rounded),
      },
      score: main.score.score(),
    }
  }

  /** What is left to do when a run has ended; false: nothing. */
  private after(ended: FleetRun): boolean {
    if (this.larger === undefined) {
      this.bound = busiestBound(this.plan) ?? null
    }
    if (ended.queuedPeak === 0) {
      this.needed = ended.usedPeak
      const hourly = hourlyCostOf(this.question.groups, this.plan.models, ended.peakBySet)
      this.costNeeded = hourly === undefined ? null : rounded(hourly * HOURS_PER_MONTH)
      return false
    }
    const times = (this.larger?.times ?? 1) * 2
    if (times > LARGEST) return false
    const groups = timesFleet(this.question.groups, times)
    this.larger = { times, run: new FleetRun(planRun({ ...this.question, groups })) }
    this.runs += 1
    return true
  }
}

/** Its utilization over so many GPU-seconds of the fleet, which cost so much; what was not measured is no work in it. */
function usefulWork({ worked, knownSeconds, heldSeconds }: FleetRun, gpuSeconds: number, cost: number | undefined) {
  const measured = heldSeconds === 0 ? 0 : rounded(knownSeconds / heldSeconds)
  const isKnown = measured >= LEAST_MEASURED && gpuSeconds > 0
  return {
    busy: isKnown ? rounded(worked / gpuSeconds) : null,
    measured,
    costPerUsefulHour: isKnown && cost !== undefined && worked > 0 ? rounded(cost / worked) : null,
  }
}

const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Nine digits: sums in another order must not make two results of one. */
const rounded = (value: number): number => Number(value.toPrecision(9))

/** The value that so large a share of them does not exceed, of those there are; null of none. */
const quantile = (values: readonly number[], share: number): number | null =>
  values.map(rounded).toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? null

/** What a result takes for granted, in sentences: shown beside every figure. */
const assumptionsOf = ({ kind, notes }: ScenarioSource, { boards, sizes }: Scenario): readonly string[] => [
  ...notes,
  kind === 'week'
    ? 'Each workload arrives when it was first seen to hold a GPU and stays as long as it did. How long it had waited before is unknown, so waiting here is what the scenario adds.'
    : 'All running and waiting workloads start at once and stay. Time is not simulated, so there is no waiting time.',
  sizes === 'held'
    ? 'Each workload gets what it held.'
    : 'Where enough was measured, each workload gets the smallest size that fits its measured peak, with 10% of memory kept free and at most 65% busy at the peak.',
  boards === 'same'
    ? 'Work runs only on the GPU model that it was seen on.'
    : 'Work runs on every model with as much memory for it. A compute slice counts the same on every model and a pod takes as long there: speed is not modeled.',
  'Workloads that fit start in order of arrival; none is moved, preempted or stopped early. Free capacity is partitioned as needed and instantly; driver time is not counted.',
  'CPU, memory of the node, quotas, affinity, taints, gangs of several pods and faults are not in it. Several GPUs of one pod are on one node.',
  'Cost is that of the GPUs needed so that no workload waits; the cost of a useful hour is that of the whole fleet, at the shown prices.',
]

/**
 * GPUs below which nobody can serve what runs at the busiest moment if nobody waits: counted,
 * or proven by a certificate that is checked here. Undefined where work may go to several models, or nothing was proven.
 */
function busiestBound(plan: RunPlan): number | undefined {
  if (plan.choices.some((choices) => choices.length > 1)) return undefined
  const running = runningAt(plan, busiestMoment(plan))
  let total = 0
  for (const [gpuSet, model] of plan.models.entries()) {
    const needs = running.flatMap(({ gpuSet: at, need }) => (at === gpuSet ? [need] : []))
    const part = boardFor(model) === undefined ? countedBound(needs) : provenBound(needs, model)
    if (part === undefined) return undefined
    total += part
  }
  return total
}

/** GPUs that a need takes at the least. */
const leastGpus = (need: ScenarioNeed): number => (need.kind === 'whole' ? need.gpus : need.milli / 1000)

/** When most GPUs' worth runs, had nobody ever waited. */
function busiestMoment({ order, at, stays, shape, choices, length }: RunPlan): number {
  const changes = order.flatMap((job) => {
    const [first] = choices[shape[job] ?? 0] ?? []
    const gpus = first === undefined ? 0 : leastGpus(first.need)
    const from = at[job] ?? 0
    const to = from + (stays[job] ?? Infinity)
    return [{ time: from, by: gpus }, ...(to <= length ? [{ time: to, by: -gpus }] : [])]
  })
  let [now, most, moment] = [0, 0, 0]
  for (const { time, by } of changes.toSorted((a, b) => a.time - b.time || a.by - b.by)) {
    now += by
    if (now > most + 1e-9) [most, moment] = [now, time]
  }
  return moment
}

function runningAt({ order, at, stays, shape, choices }: RunPlan, moment: number) {
  return order.flatMap((job) => {
    const from = at[job] ?? 0
    const runs = from <= moment && moment < from + (stays[job] ?? Infinity)
    return runs ? (choices[shape[job] ?? 0] ?? []).slice(0, 1) : []
  })
}

const countedBound = (needs: readonly ScenarioNeed[]): number =>
  Math.ceil(needs.reduce((sum, need) => sum + leastGpus(need), 0) - 1e-6)

function provenBound(needs: readonly ScenarioNeed[], model: string): number | undefined {
  const board = boardFor(model)
  const counts = countsByProfile(needs, board)
  if (counts.size === 0) return 0
  const supply = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const problem: LayoutProblem = {
    classes: [{ id: 'gpu', model, pool: '', board, supply, price: undefined, actuator: 'dra' }],
    demands: [...counts]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([profile, count]) => ({ id: profile, count, fits: [{ supplyClass: 'gpu', profile }] })),
  }
  const proven = gpuCertificate(modelOf(problem), 0)
    .map((certificate) => checkBound(problem, certificate))
    .flatMap((check) => (check.kind === 'proven' ? [check.atLeast] : []))
  return proven.length === 0 ? undefined : Math.max(...proven)
}

/** Instances of each profile; a whole GPU is one of the largest. */
function countsByProfile(needs: readonly ScenarioNeed[], board: Board | undefined): ReadonlyMap<string, number> {
  const largest = board?.profiles.find(({ computeSlices }) => computeSlices === board.computeSlices)?.name ?? WHOLE_GPU
  const counts = new Map<string, number>()
  for (const need of needs) {
    const [profile, count] = need.kind === 'whole' ? [largest, need.gpus] : [need.profile?.name ?? largest, 1]
    counts.set(profile, (counts.get(profile) ?? 0) + count)
  }
  return counts
}
