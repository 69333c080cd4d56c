import { plural } from '../../words.ts'
import type { GpuId } from '../../cluster/node.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import type { LinearSolver, SolveLimits } from '../linear/linear-program.ts'
import { gpusNow } from '../reconfigure/gpus-now.ts'
import { reconfigure } from '../reconfigure/reconfigure.ts'
import type { GpuNow, PlannedMove, Reconfiguration } from '../reconfigure/reconfigure-problem.ts'
import { holdingsOf } from '../repack/repack-answer.ts'
import type { RepackFleet } from '../repack/repack-fleet.ts'
import { RESERVED } from '../repack/repack-regions.ts'
import type { RepackSlot, RepackSpace } from '../repack/repack-space.ts'
import { unblockStep } from '../repack/unblock.ts'
import { WHOLE_GPU_RESOURCE } from '../state/gpu-state.ts'
import type { FleetSearch } from './fleet-question.ts'
import type { FleetDraft } from './plan-fleet-answer.ts'
import type { Consolidation } from './plan-fleet-consolidate.ts'
import { draftOf } from './plan-fleet-cost.ts'
import { heldSlots } from './plan-fleet-problem.ts'

export type ExactSolving = { readonly solver: LinearSolver; readonly limits: SolveLimits }

/**
 * Starts what waits, then packs the GPUs that this leaves alone as a solver finds best: fewest in use for so many moves, and
 * of these the fewest moves. Undefined where it finds nothing. GPUs of DRA drivers are left to the quick search.
 */
export async function draftExactCost(
  search: FleetSearch,
  { solver, limits }: ExactSolving,
): Promise<FleetDraft | undefined> {
  const { searched, maxDisplaced } = search
  const step = unblockStep(searched, maxDisplaced)
  const gpus = gpusNow(searched).gpus.filter((gpu) => canBePacked(gpu, step.fleet))
  const answer = await reconfigure(
    { gpus, demands: [] },
    {
      goal: 'fewest-displaced-at-fewest-gpus',
      solver,
      limits,
      mostDisplaced: maxDisplaced - step.moved.length,
    },
  )
  if (answer.kind !== 'found' || answer.moves.length === 0) return undefined
  const packed = packedBy(answer, gpus, { search, step })
  return packed === undefined ? undefined : draftOf(search, step, packed)
}

/** In MIG mode under mig-manager, and as it was before work was started. */
function canBePacked({ gpu, actuator, instances }: GpuNow, fleet: RepackFleet): boolean {
  const space = fleet.space(gpu)
  if (space === undefined || actuator !== 'mig-manager' || space.changed || !space.gpu.migEnabled) return false
  if (space.node.mig.strategy !== 'mixed') return false
  const before = instances.flatMap(({ pod }) => pod ?? []).toSorted()
  const now = heldSlots(space).flatMap(({ pods }) => pods)
  return before.join() === now.toSorted().join()
}

type Found = Extract<Reconfiguration, { readonly kind: 'found' }>
type Around = { readonly search: FleetSearch; readonly step: ReturnType<typeof unblockStep> }

/** The fleet as the answer leaves it; undefined where a move finds no instance, which the answer rules out. */
function packedBy(answer: Found, gpus: readonly GpuNow[], { search, step }: Around): Consolidation | undefined {
  const fleet = step.fleet.fork()
  const holdings = holdingsOf(search.searched, fleet)
  const movers = new Set(answer.moves.map(({ pod }) => pod))
  for (const pod of movers) fleet.lift(pod, holdings.get(pod) ?? [])
  for (const { gpu, layout } of answer.targets) {
    const space = fleet.space(gpu)
    if (space !== undefined) fleet.set({ ...space, changed: true, slots: layout.map(freshSlot) })
  }
  for (const move of answer.moves) if (!seat(fleet, move)) return undefined
  const freed = freedBy(gpus, movers, fleet)
  for (const gpu of freed) {
    const space = fleet.space(gpu)
    if (space !== undefined) fleet.set({ ...space, changed: true, slots: [KEPT_FREE] })
  }
  const pods = [...movers].flatMap((id) => fleet.pods.get(id) ?? [])
  const moves = answer.moves.map(({ pod, from, to }) => ({ pod, from, to }))
  const because =
    answer.unproven === undefined
      ? `no layout takes fewer GPUs for ${plural(search.maxDisplaced, 'move')} with pods that must stay left in place`
      : `the solver had no more time: ${answer.unproven}`
  return { fleet, moved: [...step.moved, ...pods], moves, freed, because }
}

const freshSlot = ({ profile, placement }: Found['targets'][number]['layout'][number]): RepackSlot => ({
  profile,
  resource: resourceOfProfile(profile),
  placement,
  partition: undefined,
  shared: false,
  pods: [],
})

/** A GPU that is emptied leaves MIG mode, so that it can be asked for whole. */
const KEPT_FREE: RepackSlot = {
  profile: WHOLE_GPU,
  resource: WHOLE_GPU_RESOURCE,
  placement: undefined,
  partition: undefined,
  shared: false,
  pods: [RESERVED],
}

/** Gives a pod the instance that is kept for it. */
function seat(fleet: RepackFleet, { pod, to, instance }: PlannedMove): boolean {
  const space = fleet.space(to.gpu)
  const free = space?.slots.filter(({ pods, profile }) => pods.length === 0 && profile === instance.profile) ?? []
  const slot = free.find(({ placement }) => placement?.start === instance.placement.start) ?? free[0]
  if (space === undefined || slot === undefined) return false
  fleet.set({ ...space, slots: space.slots.map((each) => (each === slot ? { ...each, pods: [pod] } : each)) })
  return true
}

const freedBy = (gpus: readonly GpuNow[], movers: ReadonlySet<string>, fleet: RepackFleet): readonly GpuId[] =>
  gpus.flatMap(({ gpu, instances }) => {
    const left = instances.some(({ pod }) => pod !== undefined && movers.has(pod))
    return left && isEmpty(fleet.space(gpu)) ? gpu : []
  })

const isEmpty = (space: RepackSpace | undefined): boolean => space !== undefined && heldSlots(space).length === 0
