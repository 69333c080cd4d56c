import { enumerateLayouts } from '../../gpu/enumerate-layouts.ts'
import { geometryOf } from '../../gpu/layout.ts'
import type { GpuNow, ReconfigureProblem } from './reconfigure-problem.ts'

export type Truth = { readonly displaced: number; readonly gpus: number; readonly both: number }

/** Tries every combination of layouts of one class; undefined where nothing fits. */
export function bruteForce({ gpus, demands }: ReconfigureProblem): Truth | undefined {
  const need = new Map<string, number>()
  const add = (profile: string, count: number): void => void need.set(profile, (need.get(profile) ?? 0) + count)
  for (const { instances } of gpus) for (const { profile } of instances) add(profile, 1)
  for (const { count, fits } of demands) add(fits[0]?.profile ?? '', count)
  const profiles = [...need.keys()]
  const goal = profiles.map((profile) => need.get(profile) ?? 0)
  let states: States = new Map([[goal.map(() => 0).join(), new Map([[0, 0]])]])
  for (const gpu of gpus) states = extended(states, optionsOf(gpu, profiles), goal)
  const end = states.get(goal.join())
  if (end === undefined) return undefined
  const fewest = Math.min(...end.keys())
  return { displaced: Math.min(...end.values()), gpus: fewest, both: end.get(fewest) ?? Number.NaN }
}

/** What is covered so far → GPUs used → fewest displaced. */
type States = ReadonlyMap<string, ReadonlyMap<number, number>>
type Option = { readonly counts: readonly number[]; readonly lost: number; readonly used: number }

/** Of each geometry the placement that loses least is enough. */
function optionsOf(gpu: GpuNow, profiles: readonly string[]): readonly Option[] {
  const best = new Map<string, Option>()
  for (const layout of enumerateLayouts(gpu.board)) {
    const geometry = geometryOf(layout)
    const key = JSON.stringify(geometry)
    const lost = lostOn(gpu, layout)
    if (lost >= (best.get(key)?.lost ?? Infinity)) continue
    const counts = profiles.map((profile) => geometry[profile] ?? 0)
    best.set(key, { counts, lost, used: layout.length > 0 ? 1 : 0 })
  }
  return [...best.values()]
}

function lostOn({ actuator, instances }: GpuNow, layout: ReturnType<typeof enumerateLayouts>[number]): number {
  if (actuator === 'mig-manager') {
    return JSON.stringify(geometryOf(layout)) === JSON.stringify(geometryOf(instances)) ? 0 : instances.length
  }
  return instances.filter(
    (held) => !layout.some((each) => each.profile === held.profile && each.placement.start === held.placement.start),
  ).length
}

function extended(states: States, options: readonly Option[], goal: readonly number[]): States {
  const next = new Map<string, Map<number, number>>()
  for (const [key, frontier] of states) {
    const counts = key.split(',').map(Number)
    for (const option of options) {
      const covered = counts
        .map((count, index) => Math.min(goal[index] ?? 0, count + (option.counts[index] ?? 0)))
        .join()
      const target = next.get(covered) ?? new Map<number, number>()
      next.set(covered, target)
      addAll(target, frontier, option)
    }
  }
  return next
}

function addAll(target: Map<number, number>, frontier: ReadonlyMap<number, number>, option: Option): void {
  for (const [used, lost] of frontier) {
    const total = used + option.used
    target.set(total, Math.min(target.get(total) ?? Infinity, lost + option.lost))
  }
}
