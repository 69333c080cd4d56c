import type { GpuSet } from './gpu-set.ts'
import { needOn, type ScenarioNeed } from './needs.ts'
import { openGpuSet } from './open-gpu-set.ts'
import { AS_TODAY, type Placing } from './placings.ts'
import { modelsOf } from './scenario-fleet.ts'
import type { Scenario, ScenarioGroup, ScenarioShape, ScenarioSource } from './scenario.ts'

/** Where a shape may go, in the order in which it is tried. */
type GpuSetChoice = { readonly gpuSet: number; readonly need: ScenarioNeed }

/** The jobs that can run in a fleet, in the order in which they come, and where each may go. */
export type ScenarioWork = {
  readonly models: readonly string[]
  /** Number of shapes. */
  readonly shapes: number
  readonly choices: ReadonlyArray<readonly GpuSetChoice[]>
  readonly order: readonly number[]
  readonly at: readonly number[]
  readonly stays: readonly (number | null)[]
  readonly shape: readonly number[]
  readonly tenant: readonly number[]
  readonly work: readonly (number | null)[]
  readonly impossible: number
  readonly length: number
}

/** All that one run needs: the work, and open GPUs of each model. */
export type RunPlan = ScenarioWork & { readonly gpuSets: readonly GpuSet[] }

/** Opens the GPUs of each model under its placing. */
export const planRun = (
  work: ScenarioWork,
  groups: readonly ScenarioGroup[],
  placings: readonly Placing[],
): RunPlan => ({
  ...work,
  gpuSets: work.models.map((model, index) => openGpuSet({ model, groups, placing: placings[index] ?? AS_TODAY })),
})

export function scenarioWork(
  source: ScenarioSource,
  scenario: Scenario,
  groups: readonly ScenarioGroup[],
): ScenarioWork {
  const { jobs, shapes } = source
  const shape = scenario.sizes === 'fit' ? jobs.fit : jobs.shape
  const models = modelsOf(groups)
  const byPrice = models.toSorted(
    (a, b) => priceOf(groups, a) - priceOf(groups, b) || models.indexOf(a) - models.indexOf(b),
  )
  const choices = shapes.map((wanted) => choicesOf({ wanted, models, byPrice, boards: scenario.boards, groups }))
  const order = [...jobs.at.keys()]
    .filter((job) => (choices[shape[job] ?? 0] ?? []).length > 0)
    .toSorted((a, b) => (jobs.at[a] ?? 0) - (jobs.at[b] ?? 0) || a - b)
  return {
    models,
    shapes: shapes.length,
    choices,
    order,
    at: jobs.at,
    stays: jobs.stays,
    shape,
    tenant: jobs.tenant,
    work: jobs.work,
    impossible: jobs.at.length - order.length,
    length: (source.to - source.from) / 1000,
  }
}

/** Whether all work is bound to one model, so that what happens on one tells nothing of another. */
export const isEachModelAlone = ({ choices }: ScenarioWork): boolean => choices.every(({ length }) => length <= 1)

type Choosing = {
  readonly wanted: ScenarioShape
  readonly models: readonly string[]
  readonly byPrice: readonly string[]
  readonly boards: Scenario['boards']
  readonly groups: readonly ScenarioGroup[]
}

/** Its own model first, then the cheapest. What asks for more GPUs than the largest node has can never run. */
function choicesOf({ wanted, models, byPrice, boards, groups }: Choosing): readonly GpuSetChoice[] {
  const isOwn = (model: string): number => Number(model === wanted.model)
  const ordered = byPrice.toSorted((a, b) => isOwn(b) - isOwn(a))
  return ordered.flatMap((model): GpuSetChoice[] => {
    const need = needOn(wanted, model, boards)
    if (need === undefined) return []
    const largest = Math.max(...groups.flatMap((group) => (group.model === model ? [group.gpusPerNode] : [])))
    return need.kind === 'whole' && need.gpus > largest ? [] : [{ gpuSet: models.indexOf(model), need }]
  })
}

function priceOf(groups: readonly ScenarioGroup[], model: string): number {
  const prices = groups.flatMap((group) => (group.model === model && group.price !== null ? [group.price] : []))
  return prices.length === 0 ? Number.MAX_VALUE : Math.min(...prices)
}
