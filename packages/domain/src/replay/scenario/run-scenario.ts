import { HOURS_PER_MONTH } from '../../units.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { contentHash } from '../../plan/words/content-hash.ts'
import { fleetNeeded, gpusInAll, ranThrough, type FleetNeeded } from './fleet-needed.ts'
import { TRACK_POINTS, type FleetRun } from './fleet-run.ts'
import { AS_TODAY, BEST_FIT, PLACINGS, type Placing } from './placings.ts'
import { provenBound } from './proven-bound.ts'
import { isEachModelAlone, planRun, scenarioWork, type ScenarioWork } from './run-plan.ts'
import { changedFleet, gpusOf, hourlyCost, hourlyCostOf } from './scenario-fleet.ts'
import { assumptionsOf, decisionOf, HELD_OUT, reasonsOf, type Compared } from './scenario-words.ts'
import {
  SCENARIO_VERSION,
  type Scenario,
  type ScenarioGroup,
  type ScenarioOutcome,
  type ScenarioResult,
  type ScenarioSource,
  type ScenarioWay,
} from './scenario.ts'

/**
 * Computes a scenario piece by piece, so that whoever runs it can do something else between; yields the events done and,
 * as a guess, in all. Pure: the same source and scenario give the same result.
 */
export function* runScenario(
  source: ScenarioSource,
  scenario: Scenario,
): Generator<{ readonly done: number; readonly of: number }, ScenarioResult> {
  const groups = changedFleet(source.groups, scenario.changes)
  const work = scenarioWork(source, scenario, groups)
  const running = compared({ source, groups, work })
  const usual = USUAL_RUNS * 2 * Math.max(1, work.order.length)
  let done = 0
  for (let step = running.next(); ; step = running.next()) {
    if (step.done === true) return finished(source, scenario, step.value)
    done += step.value
    yield { done, of: Math.max(done, usual) }
  }
}

/** Each placing is run on a large fleet and on the one that is needed; then each way on the fleet as it is. */
const USUAL_RUNS = PLACINGS.length * 2 + 3

type Question = {
  readonly source: ScenarioSource
  readonly groups: readonly ScenarioGroup[]
  readonly work: ScenarioWork
}

function* compared(question: Question): Generator<number, Compared> {
  const { work } = question
  const found: FleetNeeded[] = []
  for (const placing of PLACINGS) found.push(yield* fleetNeeded(work, question.groups, placing))
  const own = bestOf(question, found)
  const bound = provenBound(work)
  return {
    today: yield* outcomeOf(question, 'today', ofOne(work, found, AS_TODAY)),
    bestFit: yield* outcomeOf(question, 'best-fit', ofOne(work, found, BEST_FIT)),
    septet: yield* outcomeOf(question, 'septet', own),
    bound:
      bound === undefined ? null : { gpus: bound.reduce((sum, gpus) => sum + gpus, 0), cost: monthly(question, bound) },
    rules: work.models.map((model, index) => ({ model, rule: ruleFor(model, own[index]) })),
  }
}

/** GPUs without MIG are placed as today under most rules. */
const ruleFor = (model: string, found: FleetNeeded | undefined): Placing =>
  found !== undefined && (boardFor(model) ?? found.placing.whole) !== undefined ? found.placing : AS_TODAY

const ofOne = (work: ScenarioWork, found: readonly FleetNeeded[], wanted: Placing): readonly FleetNeeded[] =>
  work.models.flatMap(() => found.filter(({ placing }) => placing === wanted))

/**
 * The rule with which each model needs the fewest GPUs, and holds the fewest of them where rules need as many. Where work
 * may go to several models one rule serves all: how few GPUs one model needs then depends on the others.
 */
function bestOf(question: Question, found: readonly FleetNeeded[]): readonly FleetNeeded[] {
  const { work } = question
  const best = (by: (one: FleetNeeded) => readonly number[]): readonly FleetNeeded[] =>
    found.toSorted((a, b) => compareInTurn(by(a), by(b))).slice(0, 1)
  if (!isEachModelAlone(work)) {
    const [one] = best(({ gpus, held }) => [
      gpusInAll(gpus) ?? Infinity,
      monthly(question, gpus) ?? Infinity,
      held.reduce((sum, seconds) => sum + seconds, 0),
    ])
    return work.models.flatMap(() => one ?? [])
  }
  return work.models.flatMap((_, model) => best(({ gpus, held }) => [gpus[model] ?? Infinity, held[model] ?? Infinity]))
}

function compareInTurn(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1
}

/** Dollars a month for so many GPUs of each model; null where a number or a price is not known. */
function monthly({ groups, work }: Question, gpus: readonly (number | null)[]): number | null {
  const known = gpus.flatMap((count) => count ?? [])
  const hourly = known.length < gpus.length ? undefined : hourlyCostOf(groups, work.models, known)
  return hourly === undefined ? null : rounded(hourly * HOURS_PER_MONTH)
}

/** Share of the time that GPUs are held that must be measured before anything is said about how busy they are. */
const LEAST_MEASURED = 0.5

function* outcomeOf(
  question: Question,
  way: ScenarioWay,
  by: readonly FleetNeeded[],
): Generator<number, ScenarioOutcome> {
  const { source, groups, work } = question
  const placings = by.map(({ placing }) => placing)
  const run = yield* ranThrough(planRun(work, groups, placings))
  const gpus = gpusOf(groups)
  const seconds = work.length
  const { usd, unpriced } = hourlyCost(groups)
  const hasTime = source.kind === 'week'
  const needed = by.map((one, model) => one.gpus[model] ?? null)
  return {
    way,
    gpus,
    usedPeak: run.usedPeak,
    usedMean: rounded(meanOf(run.used)),
    needed: gpusInAll(needed),
    needs: work.models.map((model, index) => ({ model, gpus: needed[index] ?? null })),
    ...usefulWork(run, gpus * seconds, unpriced > 0 ? undefined : usd * seconds),
    runnable: work.order.length,
    impossible: work.impossible,
    started: run.started,
    queuedMean: rounded(meanOf(run.queued)),
    queuedPeak: run.queuedPeak,
    waitP50: hasTime ? quantile(run.waits, 0.5) : null,
    waitP95: hasTime ? quantile(run.waits, 0.95) : null,
    waitAtLeast: run.started < work.order.length,
    stranded: rounded(run.stranded / seconds),
    costPerMonth: gpus > 0 && unpriced === gpus ? null : rounded(usd * HOURS_PER_MONTH),
    costNeeded: monthly(question, needed),
    unpriced,
    overTime: {
      step: seconds / TRACK_POINTS,
      used: Array.from(run.used, rounded),
      queued: Array.from(run.queued, rounded),
    },
  }
}

function finished(source: ScenarioSource, scenario: Scenario, found: Compared): ScenarioResult {
  const { today, bestFit, septet, bound } = found
  const outcomes = [today, bestFit, septet]
  return {
    says: decisionOf(source, found),
    reasons: reasonsOf(found),
    heldOut: HELD_OUT,
    version: SCENARIO_VERSION,
    jobs: source.jobs.at.length,
    length: (source.to - source.from) / 1000,
    assumptions: assumptionsOf(source, scenario),
    outcomes,
    bound,
    digest: contentHash(JSON.stringify([SCENARIO_VERSION, outcomes, bound])),
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
