import type { Layout, PlacedInstance } from '@septet/domain'
import type { JobMenu } from './job-menu.ts'
import type { GpuSlots } from './job-policy.ts'

export type Filling = {
  readonly menu: JobMenu
  readonly old: GpuSlots
  readonly layout: Layout
  readonly jobs: readonly number[]
  /** The profile of each job, -1: none. */
  readonly profiles: Int8Array
}

/**
 * Puts jobs on the instances of a layout by profile; a job that can stay where it was, stays. Who comes from elsewhere then
 * takes an instance that is there already, since who moves on this GPU stands still in any case.
 */
export function fill({ menu, old, layout, jobs, profiles }: Filling): GpuSlots {
  const slots = Array.from<number | undefined>({ length: layout.length })
  const left: Array<{ readonly job: number; readonly profile: string; readonly own: boolean }> = []
  for (const [index, job] of jobs.entries()) {
    const profile = menu.profiles[profiles[index] ?? -1]
    if (profile === undefined) continue
    const instance = old.layout[old.jobs.indexOf(job)]
    const same = instance?.profile === profile ? layout.findIndex((other) => isSameInstance(other, instance)) : -1
    if (same >= 0) slots[same] = job
    else left.push({ job, profile, own: instance !== undefined })
  }
  for (const { job, profile } of left.toSorted((a, b) => Number(a.own) - Number(b.own))) {
    const free = [...layout.keys()].filter((at) => layout[at]?.profile === profile && slots[at] === undefined)
    const at = free.find((index) => isIn(old.layout, layout[index])) ?? free[0]
    if (at === undefined) throw new RangeError(`the layout has no free ${profile}`)
    slots[at] = job
  }
  return { layout, jobs: slots }
}

/** While nothing is cut, an instance with the same profile at the same start is the same one. */
export const isSameInstance = (a: PlacedInstance, b: PlacedInstance): boolean =>
  a.profile === b.profile && a.placement.start === b.placement.start

const isIn = (layout: Layout, instance: PlacedInstance | undefined): boolean =>
  instance !== undefined && layout.some((other) => isSameInstance(other, instance))
