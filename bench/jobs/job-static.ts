import type { Layout } from '@septet/domain'
import type { JobMenu } from './job-menu.ts'
import { type JobRun, type JobSimulation, meanCompletion, simulateJobs } from './job-simulation.ts'
import type { GpuSlots, SlotTarget, JobPolicy, JobView } from './job-policy.ts'

/**
 * Layouts that never change, one for each GPU (the last one repeats). A waiting job, in order of arrival, takes the free
 * instance on which it runs fastest; one that does not fit lets the next one pass. With `promote`, a job moves to a
 * larger instance of its own GPU that came free while nobody waits, as in the runner of MISO.
 */
export const staticPolicy = (layouts: readonly Layout[], promote = false): JobPolicy => ({
  name: promote ? 'static with promotion' : 'static',
  start: (gpus) => Array.from({ length: gpus }, (_, gpu) => layouts[Math.min(gpu, layouts.length - 1)] ?? []),
  decide: (view) => {
    const gpus = view.gpus.map((gpu) => ({ layout: gpu.layout, jobs: [...gpu.jobs] }))
    const changed = new Set<number>()
    let left = 0
    for (const job of view.waiting) {
      const spot = fastestFree(view, gpus, job)
      if (spot === undefined) left += 1
      else assign(spot, job)
    }
    if (promote && left === 0) for (const gpu of gpus.keys()) promoteOn(gpu)
    return targets(gpus, changed)

    function assign({ gpu, at }: Spot, job: number): void {
      const slots = gpus[gpu]
      if (slots === undefined) return
      slots.jobs[at] = job
      changed.add(gpu)
    }

    function promoteOn(gpu: number): void {
      const slots = gpus[gpu]
      if (slots === undefined) return
      const free = bestPromotion(view, slots)
      if (free === undefined) return
      slots.jobs[free.from] = undefined
      assign({ gpu, at: free.to }, free.job)
    }
  },
})

/** Every GPU whole, first come, first served. */
export const wholeGpuPolicy = (menu: JobMenu): JobPolicy => ({
  ...staticPolicy([wholeLayout(menu)]),
  name: 'whole GPU',
})

/**
 * The run with the least mean completion time for this very list under a static layout, found in hindsight: every maximal
 * layout on all GPUs, with and without promotion. Layouts on which some job never runs do not count. The strongest of the
 * static baselines, since no operator can know it beforehand. Undefined when no layout runs every job.
 */
export function bestStatic(search: Omit<JobSimulation, 'policy'>): JobRun | undefined {
  const { menu, jobs } = search
  const able = jobs.filter((job) => job.speeds.some((speed) => speed > 0)).length
  const runs = menu.maximal
    .flatMap((state) => [false, true].map((promote) => staticPolicy([menu.layouts[state] ?? []], promote)))
    .map((policy) => simulateJobs({ ...search, policy }))
    .filter(({ completions }) => completions.length === able)
  return runs.toSorted((a, b) => (meanCompletion(a) ?? Infinity) - (meanCompletion(b) ?? Infinity))[0]
}

/** One instance that covers the whole GPU: the maximal layout with the largest profile. */
export function wholeLayout(menu: JobMenu): Layout {
  const last = menu.profiles.length - 1
  const state = menu.counts.findIndex((counts) => counts[last] === 1 && counts.every((n, p) => p === last || n === 0))
  return menu.layouts[state] ?? []
}

type Spot = { readonly gpu: number; readonly at: number }

function fastestFree(view: JobView, gpus: readonly GpuSlots[], job: number): Spot | undefined {
  let best: Spot | undefined
  let top = 0
  for (const [gpu, { layout, jobs }] of gpus.entries()) {
    for (const [at, instance] of layout.entries()) {
      if (jobs[at] !== undefined) continue
      const speed = view.speeds[job]?.[view.menu.profiles.indexOf(instance.profile)] ?? 0
      if (speed <= top) continue
      top = speed
      best = { gpu, at }
    }
  }
  return best
}

type Promotion = { readonly job: number; readonly from: number; readonly to: number }

function bestPromotion(view: JobView, { layout, jobs }: GpuSlots): Promotion | undefined {
  let best: Promotion | undefined
  let top = 0
  for (const [from, job] of jobs.entries()) {
    if (job === undefined) continue
    for (const [to, other] of jobs.entries()) {
      if (other !== undefined) continue
      const gain = speedAt(view, job, layout[to]?.profile) - speedAt(view, job, layout[from]?.profile)
      if (gain <= top) continue
      top = gain
      best = { job, from, to }
    }
  }
  return best
}

const speedAt = (view: JobView, job: number, profile: string | undefined): number =>
  profile === undefined ? 0 : (view.speeds[job]?.[view.menu.profiles.indexOf(profile)] ?? 0)

const targets = (gpus: readonly GpuSlots[], changed: ReadonlySet<number>): readonly SlotTarget[] =>
  [...changed].map((gpu) => ({ gpu, layout: gpus[gpu]?.layout ?? [], jobs: gpus[gpu]?.jobs ?? [] }))
