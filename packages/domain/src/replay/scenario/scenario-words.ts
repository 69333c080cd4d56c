import { HOUR_MS } from '../../units.ts'
import { agree, dollars, grouped, plural } from '../../words.ts'
import { AS_TODAY, PLACINGS, type Placing } from './placings.ts'
import type { ScenarioBound, ScenarioOutcome, ScenarioSource, Scenario } from './scenario.ts'

/** The figures that the sentences are about. */
export type Compared = {
  readonly today: ScenarioOutcome
  readonly bestFit: ScenarioOutcome
  readonly septet: ScenarioOutcome
  readonly bound: ScenarioBound | null
  /** By which rule Septet places on each model. */
  readonly rules: ReadonlyArray<{ readonly model: string; readonly rule: Placing }>
}

/** Whether to change the layout, in one sentence. */
export function decisionOf(source: Pick<ScenarioSource, 'kind' | 'from' | 'to'>, { septet, today }: Compared): string {
  if (septet.runnable === 0) return 'Nothing to compare: there is no work to replay that fits this fleet.'
  const work = workWords(source)
  const [would, needed, held] =
    source.kind === 'now' ? ['would hold', 'needs', 'holds'] : ['would have held', 'needed', 'held']
  if (septet.needed === null) return `No layout holds ${work} without waiting, on up to eight times this fleet.`
  const claim = `Septet’s layout ${would} ${work} on ${plural(septet.needed, 'GPU')}`
  if (today.needed === null) return `${claim}; today’s can’t, on up to eight times this fleet.`
  if (today.needed === septet.needed && isSameCost(septet, today))
    return `Keep today’s layout: it ${held} ${work} on ${plural(septet.needed, 'GPU')}, and Septet needs as many.`
  return `${claim}; today’s ${needed} ${grouped(today.needed)}: ${difference(septet, today)}.`
}

/** What stands behind it. */
export const reasonsOf = ({ septet, bestFit, bound, rules }: Compared): readonly string[] => [
  beside(bestFit, bound),
  rulesPicked(rules),
  ...(septet.impossible === 0
    ? []
    : [
        `${plural(septet.impossible, 'pod fits', 'pods fit')} no GPU of this fleet and ${agree(septet.impossible, 'is', 'are')} left out.`,
      ]),
]

/** "last week", or "the last 3 days" where less is stored. */
function workWords({ kind, from, to }: Pick<ScenarioSource, 'kind' | 'from' | 'to'>): string {
  if (kind === 'now') return 'what runs and waits now'
  const hours = Math.round((to - from) / HOUR_MS)
  if (hours > 6.5 * 24) return 'last week'
  return `the last ${hours < 48 ? plural(hours, 'hour') : plural(Math.round(hours / 24), 'day')}`
}

const isSameCost = (septet: ScenarioOutcome, today: ScenarioOutcome): boolean =>
  Math.round(septet.costNeeded ?? 0) === Math.round(today.costNeeded ?? 0)

function difference(septet: ScenarioOutcome, today: ScenarioOutcome): string {
  const fewer = `${(today.needed ?? 0) - (septet.needed ?? 0)} fewer`
  if (septet.costNeeded === null || today.costNeeded === null) return fewer
  const less = today.costNeeded - septet.costNeeded
  if (isSameCost(septet, today)) return `${fewer} at the same cost`
  return less > 0 ? `${dollars(less)} a month less` : `${fewer}, but ${dollars(-less)} a month more`
}

function beside({ gpus, costPerMonth, needed }: ScenarioOutcome, bound: ScenarioBound | null): string {
  const needs = needed === null ? 'holds it on no fleet that was tried' : `needs ${grouped(needed)}`
  const least = bound === null ? '' : `, and no layout can do with fewer than ${grouped(bound.gpus)}`
  const cost = costPerMonth === null ? '' : ` at ${dollars(costPerMonth)} a month`
  return `The fleet has ${plural(gpus, 'GPU')}${cost}. Best fit, as kube-scheduler packs, ${needs}${least}.`
}

/** The choice is made with hindsight, which a reader must know. */
function rulesPicked(rules: Compared['rules']): string {
  const others = rules.filter(({ rule }) => rule !== AS_TODAY)
  const byRule = Map.groupBy(others, ({ rule }) => rule.words)
  const picked = [...byRule].map(([words, of]) => `${words} on ${of.map(({ model }) => model).join(', ')}`)
  if (others.length < rules.length) picked.push(picked.length === 0 ? AS_TODAY.words : `${AS_TODAY.words} elsewhere`)
  return `Septet picked the best of ${PLACINGS.length} rules for each GPU model on this same work: ${picked.join('; ')}.`
}

/** What the replay does not try, and what it knows nothing of. */
export const HELD_OUT =
  'Out of reach of this replay: moving pods, recutting partitions that they hold, and changing how GPUs without MIG are shared. Not counted: driver time, node CPU and memory, quotas, affinity, taints, gangs of pods, and faults.'

/** What a result takes for granted, in sentences: shown beside every figure. */
export const assumptionsOf = ({ kind, notes }: ScenarioSource, { boards, sizes }: Scenario): readonly string[] => [
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
  'Workloads that fit start in order of arrival, and several GPUs of one pod are on one node. Free capacity of GPUs with MIG is partitioned as needed, at once; with today’s layout it stays as it is, and GPUs beyond today’s come whole. A time-sliced GPU is shared within one namespace only, even where today’s cluster mixes them.',
  'GPUs needed are those of a fleet on which this replay ran with zero wait. They cost the mean price of their model for 730 hours a month; the cost of a useful hour is that of the whole fleet.',
]
