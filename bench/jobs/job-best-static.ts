import type { Layout } from '@septet/domain'
import { jobMetrics } from './job-metrics.ts'
import { type JobRun, type JobSimulation, simulateJobs } from './job-simulation.ts'
import { staticPolicy } from './job-static.ts'

export type StaticAnswer = {
  readonly layouts: readonly Layout[]
  readonly promote: boolean
  readonly run: JobRun
  readonly mean: number
}

export type StaticSearch = Omit<JobSimulation, 'policy'>

/**
 * The static layout with the least mean completion time for this very list, found in hindsight: every maximal layout on all
 * GPUs, with and without promotion. Layouts on which some job never runs do not count. The strongest of the static
 * baselines, since no operator can know it beforehand. Undefined when no layout runs every job.
 */
export function bestUniformStatic(search: StaticSearch): StaticAnswer | undefined {
  const { menu } = search
  const tried = menu.maximal.flatMap((state) =>
    [false, true].map((promote) => tryStatic(search, [menu.layouts[state] ?? []], promote)),
  )
  return least(tried)
}

/**
 * A mix of layouts over the GPUs, improved from the best uniform one by changing one GPU at a time until no change helps
 * this list; a local optimum, found in hindsight too.
 */
export function bestMixedStatic(search: StaticSearch): StaticAnswer | undefined {
  let best = bestUniformStatic(search)
  while (best !== undefined) {
    const better = least(neighbors(search, best))
    if (better === undefined || better.mean >= best.mean) break
    best = better
  }
  return best
}

function neighbors(search: StaticSearch, { layouts, promote }: StaticAnswer): readonly StaticAnswer[] {
  const { menu, gpus } = search
  const fleet = Array.from({ length: gpus }, (_, gpu) => layouts[Math.min(gpu, layouts.length - 1)] ?? [])
  // Equal GPUs are interchangeable: changing the first of each layout is enough.
  const firsts = [...new Set(fleet)].map((layout) => fleet.indexOf(layout))
  return firsts.flatMap((gpu) =>
    menu.maximal
      .map((state) => menu.layouts[state] ?? [])
      .filter((layout) => layout !== fleet[gpu])
      .map((layout) => tryStatic(search, fleet.with(gpu, layout), promote)),
  )
}

function tryStatic(search: StaticSearch, layouts: readonly Layout[], promote: boolean): StaticAnswer {
  const run = simulateJobs({ ...search, policy: staticPolicy(layouts, promote) })
  const able = search.jobs.filter((job) => job.speeds.some((speed) => speed > 0)).length
  const complete = run.completions.length === able
  return {
    layouts,
    promote,
    run,
    mean: complete ? (jobMetrics(run, search.gpus).meanCompletion ?? Infinity) : Infinity,
  }
}

function least(answers: readonly StaticAnswer[]): StaticAnswer | undefined {
  let best: StaticAnswer | undefined
  for (const answer of answers) if (answer.mean < (best?.mean ?? Infinity)) best = answer
  return best
}
