import type { Layout } from '../../gpu/layout.ts'
import type { JobMenu } from '../jobs/job-menu.ts'
import type { GpuSlots } from './job-policy.ts'

export type Filling = {
  readonly menu: JobMenu
  readonly old: GpuSlots
  readonly layout: Layout
  readonly jobs: readonly number[]
  /** The profile of each job, -1: none. */
  readonly profiles: Int8Array
}

/** Puts jobs on the instances of a layout by profile; a job that can stay where it was, stays. */
export function fill({ menu, old, layout, jobs, profiles }: Filling): GpuSlots {
  const slots = Array.from<number | undefined>({ length: layout.length })
  const left: Array<{ readonly job: number; readonly profile: string }> = []
  for (const [index, job] of jobs.entries()) {
    const profile = menu.profiles[profiles[index] ?? -1]
    if (profile === undefined) continue
    const at = placeOf(old, job)
    const instance = at === undefined ? undefined : old.layout[at]
    const same = layout.findIndex(
      (other) => other.profile === instance?.profile && other.placement.start === instance.placement.start,
    )
    if (instance?.profile === profile && same >= 0) slots[same] = job
    else left.push({ job, profile })
  }
  for (const { job, profile } of left) {
    const at = layout.findIndex((instance, index) => instance.profile === profile && slots[index] === undefined)
    if (at < 0) throw new RangeError(`the layout has no free ${profile}`)
    slots[at] = job
  }
  return { layout, jobs: slots }
}

function placeOf({ jobs }: GpuSlots, job: number): number | undefined {
  const at = jobs.indexOf(job)
  return at < 0 ? undefined : at
}
