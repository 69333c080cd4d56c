import type { GpuSet } from './gpu-set.ts'
import { alternativeOf } from './alternatives.ts'
import { needOn, type ScenarioNeed } from './needs.ts'
import { openGpuSet } from './open-gpu-set.ts'
import { modelsOf } from './scenario-fleet.ts'
import type { Scenario, ScenarioGroup, ScenarioShape, ScenarioSource } from './scenario.ts'

/** Where a shape may go, in the order in which it is tried. */
export type GpuSetChoice = { readonly gpuSet: number; readonly need: ScenarioNeed }

/** All that one run needs: open GPU sets, and the jobs that can run there, in the order in which they come. */
export type RunPlan = {
  readonly models: readonly string[]
  readonly gpuSets: readonly GpuSet[]
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

export type RunQuestion = {
  readonly source: ScenarioSource
  readonly scenario: Scenario
  readonly groups: readonly ScenarioGroup[]
  readonly run: string
}

/** Opens a fleet for an alternative. Throws where there is no alternative of that name. */
export function planRun({ source, scenario, groups, run }: RunQuestion): RunPlan {
  const alternative = alternativeOf(run)
  if (alternative === undefined) throw new RangeError(`There is no way to share called "${run}".`)
  const { jobs, shapes } = source
  const shape = scenario.sizes === 'fit' ? jobs.fit : jobs.shape
  const models = modelsOf(groups)
  const byPrice = models.toSorted(
    (a, b) => priceOf(groups, a) - priceOf(groups, b) || models.indexOf(a) - models.indexOf(b),
  )
  const choices = shapes.map((wanted) => choicesOf({ wanted, models, byPrice, boards: scenario.boards, groups }))
  const length = (source.to - source.from) / 1000
  const order = [...jobs.at.keys()]
    .filter((job) => (choices[shape[job] ?? 0] ?? []).length > 0)
    .toSorted((a, b) => (jobs.at[a] ?? 0) - (jobs.at[b] ?? 0) || a - b)
  const gpuSets = models.map((model) => openGpuSet({ model, groups, alternative }))
  return {
    models,
    gpuSets,
    shapes: shapes.length,
    choices,
    order,
    at: jobs.at,
    stays: jobs.stays,
    shape,
    tenant: jobs.tenant,
    work: jobs.work,
    impossible: jobs.at.length - order.length,
    length,
  }
}

type Choosing = {
  readonly wanted: ScenarioShape
  readonly models: readonly string[]
  readonly byPrice: readonly string[]
  readonly boards: Scenario['boards']
  readonly groups: readonly ScenarioGroup[]
}

/** Its own model first, then the cheapest. What asks for more GPUs than the largest node has can never run. */
function choicesOf({ wanted, models, byPrice, boards, groups }: Choosing): readonly GpuSetChoice[] {
  const ordered = [
    ...byPrice.filter((model) => model === wanted.model),
    ...byPrice.filter((model) => model !== wanted.model),
  ]
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

/** The same fleet with every group so many times as large. */
export const timesFleet = (groups: readonly ScenarioGroup[], times: number): readonly ScenarioGroup[] =>
  groups.map((group) => ({ ...group, nodes: group.nodes * times }))
