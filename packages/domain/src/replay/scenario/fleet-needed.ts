import { FleetRun } from './fleet-run.ts'
import { cutsOf } from './open-gpu-set.ts'
import type { Placing } from './placings.ts'
import { isEachModelAlone, planRun, type RunPlan, type ScenarioWork } from './run-plan.ts'
import type { ScenarioGroup } from './scenario.ts'

/** GPUs of each model of a fleet on which a replay under this placing lets nobody wait; null where none was found. */
export type FleetNeeded = {
  readonly placing: Placing
  readonly gpus: readonly (number | null)[]
  /** GPU-seconds that were held, by model: of two that need as many, the one that leaves more of them free is better. */
  readonly held: readonly number[]
}

/** So many times the fleet is tried at most. */
const LARGEST = 8
const EVENTS = 1000

/** Runs a plan to its end; yields the events done since. */
export function* ranThrough(plan: RunPlan): Generator<number, FleetRun> {
  const run = new FleetRun(plan)
  while (run.advance(EVENTS)) yield EVENTS
  return run
}

/**
 * Finds a small fleet that holds the work: as many GPUs as were in use at a time on one that is large enough, taken from
 * those that were held longest, and more of them until the replay on exactly these lets nobody wait.
 */
export function* fleetNeeded(
  work: ScenarioWork,
  groups: readonly ScenarioGroup[],
  placing: Placing,
): Generator<number, FleetNeeded> {
  const placings = work.models.map(() => placing)
  const large = yield* largeEnough(work, groups, placings)
  const gpus = large.map((one) => one?.peak ?? null)
  for (let round = 0; ; round += 1) {
    const kept = large.flatMap((one, model) => (one === undefined ? [] : longestHeld(one, gpus[model] ?? 0)))
    const { hasWaited } = yield* ranThrough(planRun(work, kept, placings))
    const canGrow = large.map((one, model) => one !== undefined && (gpus[model] ?? 0) < one.heldFor.length)
    const short = canGrow.map((can, model) => can && hasWaited[model] === true)
    // Where work may go elsewhere, it may be another model that is short.
    const isElsewhere = !isEachModelAlone(work) && hasWaited.includes(true) && !short.includes(true)
    const grown = isElsewhere ? canGrow : short
    if (!grown.includes(true)) break
    for (const [model, one] of large.entries())
      if (one !== undefined && grown[model] === true)
        gpus[model] = Math.min(one.heldFor.length, (gpus[model] ?? 0) + Math.max(1, Math.floor(round / 4)))
  }
  return {
    placing,
    gpus,
    held: large.map((one) => one?.heldFor.reduce((sum, seconds) => sum + seconds, 0) ?? Infinity),
  }
}

/** The GPUs of a model in a fleet that was large enough for it, and how they were used. */
type Large = { readonly groups: readonly ScenarioGroup[]; readonly peak: number; readonly heldFor: Float64Array }

/** For each model the first of the fleet, twice it, and so on, on which nobody waits. */
function* largeEnough(
  work: ScenarioWork,
  groups: readonly ScenarioGroup[],
  placings: readonly Placing[],
): Generator<number, (Large | undefined)[]> {
  const found = work.models.map((): Large | undefined => undefined)
  for (let times = 1; times <= LARGEST && found.includes(undefined); times *= 2) {
    const fleet = groups.map((group) => ({ ...group, nodes: group.nodes * times }))
    const { peaks, heldFor, hasWaited } = yield* ranThrough(planRun(work, fleet, placings))
    const isShort = !isEachModelAlone(work) && hasWaited.includes(true)
    for (const [index, model] of work.models.entries()) {
      if (isShort || hasWaited[index] === true) continue
      found[index] ??= {
        groups: fleet.filter((group) => group.model === model),
        peak: peaks[index] ?? 0,
        heldFor: heldFor[index] ?? new Float64Array(0),
      }
    }
  }
  return found
}

/** So many GPUs, on the nodes on which they are and cut as they are. */
function longestHeld({ groups, heldFor }: Large, gpus: number): readonly ScenarioGroup[] {
  const cuts = cutsOf(groups).flatMap((cut) => Array.from({ length: cut.gpus }, () => ({ ...cut, gpus: 1 })))
  // Of those that never held anything, whole ones serve whatever comes.
  const isCut = (gpu: number): number => Number(cuts[gpu]?.replicas !== 1 || cuts[gpu].profiles.length > 0)
  const order = [...heldFor.keys()].toSorted(
    (a, b) => (heldFor[b] ?? 0) - (heldFor[a] ?? 0) || isCut(a) - isCut(b) || a - b,
  )
  const kept = new Set(order.slice(0, gpus))
  let first = 0
  return groups.flatMap((group) =>
    Array.from({ length: group.nodes }, (): ScenarioGroup => {
      const own = Array.from({ length: group.gpusPerNode }, (_, gpu) => first + gpu).filter((gpu) => kept.has(gpu))
      first += group.gpusPerNode
      return { ...group, nodes: 1, gpusPerNode: own.length, cuts: own.flatMap((gpu) => cuts[gpu] ?? []) }
    }).filter(({ gpusPerNode }) => gpusPerNode > 0),
  )
}

/** GPUs of all models; null where one is not known. */
export const gpusInAll = (gpus: readonly (number | null)[]): number | null =>
  gpus.reduce((sum: number | null, one) => (sum === null || one === null ? null : sum + one), 0)
