import { bitCount } from '../../gpu/occupancy.ts'
import { profileOf, type Board, type MigProfile } from '../../gpu/board.ts'
import { inferPlacements } from '../../gpu/infer-placements.ts'
import { placementMask, type Layout, type Mask } from '../../gpu/layout.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import type { MigPolicy } from '../place/mig-policy.ts'
import { migTables, type MigTables } from '../place/mig-tables.ts'

/**
 * GPU Operator's built-in configurations as policies: every GPU is cut alike beforehand, and a workload takes the smallest
 * free instance that has its compute and its memory, on the fullest GPU. What is larger than every instance never runs.
 */
export function staticLayouts(board: Board): readonly MigPolicy[] {
  const { profiles } = migTables(board)
  const uniform = profiles.map((profile) => ({
    name: `static-${shortName(profile, profiles)}`,
    configuration: `all-${profile.name}`,
    profiles: repeat(profile.name, profile.max),
  }))
  const balanced = {
    name: 'static-balanced',
    configuration: 'all-balanced',
    profiles: balancedProfiles(board),
  }
  return [...uniform, balanced].flatMap(({ name, configuration, profiles: cut }) => {
    const layout = inferPlacements(board, cut)
    if (layout === undefined) return []
    const description = `GPU Operator's ${configuration}: every GPU partitioned into ${geometryText(cut)}`
    return [staticLayout({ name, description }, board, layout)]
  })
}

/** Whole GPUs: each workload holds one, whatever it asked for. */
export const wholeGpus: MigPolicy = {
  name: 'whole-gpus',
  description: 'no MIG: one workload on each GPU, whatever it asked for',
  start:
    ({ tables }) =>
    (_, gpusByMask) =>
      (gpusByMask[0] ?? 0) > 0 ? { mask: 0, taken: 2 ** tables.board.memorySlices - 1 } : undefined,
  usable:
    ({ board }) =>
    (mask) =>
      mask === 0 ? board.memorySlices : 0,
}

/** One policy for one layout that all GPUs have. */
function staticLayout(named: Pick<MigPolicy, 'name' | 'description'>, board: Board, layout: Layout): MigPolicy {
  return {
    ...named,
    start: ({ tables }) => {
      const menu = menuOf(tables, board, layout)
      return (profile, gpusByMask) => {
        for (const taken of menu[profile] ?? []) {
          const mask = fullestWithout(gpusByMask, taken)
          if (mask !== undefined) return { mask, taken }
        }
        return undefined
      }
    },
    usable: (tables) => {
      const menu = menuOf(tables, board, layout)
      return (mask, profile) =>
        (menu[profile] ?? []).reduce((sum, taken) => sum + ((taken & mask) === 0 ? bitCount(taken) : 0), 0)
    },
  }
}

/** `1g`; the whole name where a smaller profile has as many compute slices. */
function shortName({ name, computeSlices, size }: MigProfile, menu: readonly MigProfile[]): string {
  const smaller = menu.some((other) => other.computeSlices === computeSlices && other.size < size)
  return smaller ? name : `${computeSlices}g`
}

/** `2 × 1g.10gb + 2g.20gb + 3g.40gb`. */
function geometryText(profiles: readonly ProfileName[]): string {
  return [...new Set(profiles)]
    .map((name) => ({ name, count: profiles.filter((other) => other === name).length }))
    .map(({ name, count }) => (count === 1 ? name : `${count} × ${name}`))
    .join(' + ')
}

// mig-parted's builder: 2 × 1g + 1 × 2g + 1 × 3g on boards with seven compute slices, 2 × 1g + 1 × 2g on those with four.
function balancedProfiles(board: Board): readonly ProfileName[] {
  const { profiles } = migTables(board)
  const smallest = (slices: number): readonly ProfileName[] =>
    profiles
      .filter(({ computeSlices }) => computeSlices === slices)
      .toSorted((a, b) => a.size - b.size)
      .slice(0, 1)
      .map(({ name }) => name)
  const [one, two, three] = [smallest(1), smallest(2), smallest(3)]
  return [...one, ...one, ...two, ...three]
}

/** For each profile the instances that can stand in for it, smallest first. */
function menuOf(tables: MigTables, board: Board, layout: Layout): ReadonlyArray<readonly Mask[]> {
  return tables.profiles.map((wanted) =>
    layout
      .flatMap(({ profile, placement }) => {
        const cut = profileOf(board, profile)
        if (cut === undefined || cut.computeSlices < wanted.computeSlices || cut.size < wanted.size) return []
        return [{ compute: cut.computeSlices, size: cut.size, taken: placementMask(placement) }]
      })
      .toSorted((a, b) => a.compute - b.compute || a.size - b.size || a.taken - b.taken)
      .map(({ taken }) => taken),
  )
}

/** The mask with most memory slices taken, of those that some GPU has and that leave these free. */
function fullestWithout(gpusByMask: Int32Array, taken: Mask): Mask | undefined {
  let best: Mask | undefined
  for (let mask = 0; mask < gpusByMask.length; mask += 1) {
    if ((gpusByMask[mask] ?? 0) === 0 || (mask & taken) !== 0) continue
    if (best === undefined || bitCount(mask) > bitCount(best)) best = mask
  }
  return best
}

const repeat = (name: ProfileName, count: number): readonly ProfileName[] => Array.from({ length: count }, () => name)
