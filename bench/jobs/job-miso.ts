import type { Layout } from '@septet/domain'
import { bestAssignment } from './best-assignment.ts'
import type { JobMenu } from './job-menu.ts'
import { jobPlacements } from './job-placements.ts'
import type { GpuSlots, SlotTarget, JobPolicy, JobView } from './job-policy.ts'
import { fill } from './job-slots.ts'
import { wholeLayout } from './job-static.ts'

/**
 * Our re-implementation of the rules of MISO (Li et al., SoCC 2022, and its published runner): strict first come, first
 * served; a job goes to the GPU with the fewest jobs on which all of them still fit, and that GPU takes the layout with the
 * greatest summed speed of its jobs, none left out; when nobody waits, a GPU with a free instance is optimized again. In
 * its favor, speeds are known: its 30 s of profiling under MPS are not charged.
 */
export const misoPolicy = (): JobPolicy => ({
  name: 'MISO-like',
  start: (gpus, menu) => Array.from({ length: gpus }, () => wholeLayout(menu)),
  decide: (view) => {
    const changed = new Map<number, SlotTarget>()
    const now = (gpu: number): GpuSlots => changed.get(gpu) ?? view.gpus[gpu] ?? { layout: [], jobs: [] }
    let left = view.waiting.length
    for (const job of view.waiting) {
      const target = leastLoaded(view, now, job)
      if (target === undefined) break
      changed.set(target.gpu, target)
      left -= 1
    }
    if (left > 0) return [...changed.values()]
    for (const gpu of view.gpus.keys()) {
      const { jobs } = now(gpu)
      if (jobs.every((job) => job !== undefined)) continue
      const target = optimized(view, { gpu, slots: now(gpu), jobs: jobs.filter((job) => job !== undefined) })
      if (target !== undefined && target.layout.length !== jobs.length) changed.set(gpu, target)
    }
    return [...changed.values()]
  },
})

function leastLoaded(view: JobView, slots: (gpu: number) => GpuSlots, job: number): SlotTarget | undefined {
  const loads = [...view.gpus.keys()]
    .map((gpu) => ({ gpu, jobs: slots(gpu).jobs.filter((held) => held !== undefined) }))
    .toSorted((a, b) => a.jobs.length - b.jobs.length || a.gpu - b.gpu)
  for (const { gpu, jobs } of loads) {
    const target = optimized(view, { gpu, slots: slots(gpu), jobs: [...jobs, job] })
    if (target !== undefined) return target
  }
  return undefined
}

/** More than any sum of speeds, so that no job is left out to speed others up. */
const PLACED = 1000

type Load = { readonly gpu: number; readonly slots: GpuSlots; readonly jobs: readonly number[] }

function optimized({ menu, speeds, actuator }: JobView, { gpu, slots, jobs }: Load): SlotTarget | undefined {
  const width = menu.profiles.length
  const values = new Float64Array(jobs.length * width)
  for (const [at, job] of jobs.entries()) {
    for (let profile = 0; profile < width; profile += 1) {
      const speed = speeds[job]?.[profile] ?? 0
      values[at * width + profile] = speed > 0 ? PLACED + speed : -Infinity
    }
  }
  const { value, profiles, state } = bestAssignment(menu, values)
  if (value < PLACED * jobs.length) return undefined
  const layout = jobs.length === 0 ? wholeLayout(menu) : layoutFor(actuator === 'dra')
  return { gpu, ...fill({ menu, old: slots, layout, jobs, profiles }) }

  function layoutFor(beside: boolean): Layout {
    if (!beside) return menu.layouts[state] ?? []
    const same = slots.layout.filter((instance, at) => {
      const job = jobs.indexOf(slots.jobs[at] ?? -1)
      return job >= 0 && menu.profiles[profiles[job] ?? -1] === instance.profile
    })
    return keepingMost({ menu, same, state, old: slots.layout })
  }
}

/** A layout of this geometry in which as many jobs as possible keep their instance; a favor too, MISO re-cuts whole GPUs. */
function keepingMost({ menu, same, state, old }: { menu: JobMenu; same: Layout; state: number; old: Layout }): Layout {
  const placements = jobPlacements(menu)
  const subsets = Array.from({ length: 1 << same.length }, (_, subset) =>
    same.filter((__, at) => (subset & (1 << at)) !== 0),
  )
  for (const kept of subsets.toSorted((a, b) => b.length - a.length)) {
    const counts = (menu.counts[state] ?? []).map(
      (count, profile) => count - kept.filter((instance) => instance.profile === menu.profiles[profile]).length,
    )
    const rest = menu.counts.findIndex((vector) => vector.every((count, at) => count === counts[at]))
    if (rest >= 0 && placements.beside(kept).includes(rest)) return placements.place(kept, rest, old)
  }
  return menu.layouts[state] ?? []
}
