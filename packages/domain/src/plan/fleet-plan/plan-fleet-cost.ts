import { agree, plural } from '../../words.ts'
import type { GpuId } from '../../cluster/node.ts'
import { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import { targetsOf } from '../repack/repack-answer.ts'
import { unblockStep } from '../repack/unblock.ts'
import type { FleetSearch } from './fleet-question.ts'
import type { FleetDraft, FleetUse } from './plan-fleet-answer.ts'
import { consolidate, openAs, withoutOffers, type Consolidation } from './plan-fleet-consolidate.ts'
import { asInWhole, neverPlaced, savingOf, useOf, waitingPods } from './plan-fleet-figures.ts'
import { fleetProblem, heldSlots } from './plan-fleet-problem.ts'

/** Starts as much waiting work as possible. */
export function draftFit({ snapshot, searched, prices, maxDisplaced }: FleetSearch): FleetDraft {
  const { answer, fleet } = unblockStep(searched, maxDisplaced)
  const { targets, moves, starts, waits } = answer
  const waiting = waitingPods(snapshot)
  const before = fleetProblem(snapshot, new IndexedFleet(snapshot), { prices, waiting })
  const after = fleetProblem(snapshot, asInWhole(fleet, snapshot), { prices, waiting: [] })
  const never = neverPlaced(before)
  const all = starts.length + waits.length
  const most = Math.max(starts.length, all - never.workloads)
  return {
    answer: {
      starts,
      waits,
      isBest: all === 0 ? undefined : starts.length === most,
      use: useOf(before, after, []).use,
      saving: undefined,
      leftOut: before.leftOut,
      notes: waiting.length === 0 ? ['Nothing waits.'] : never.notes,
    },
    wishes: targets.length === 0 ? [] : [{ kind: 'layout', targets, moves }],
    title: all === 0 ? 'Nothing waits' : `Start ${starts.length} of ${plural(all, 'waiting workload')}`,
    bound:
      all === 0
        ? undefined
        : `${plural(starts.length, 'waiting workload')} of ${all} can start; no plan starts more than ${most}`,
  }
}

/** Starts what waits, then empties GPUs with the fewest moves, and says how few GPUs any layout could do with. */
export function planCost(search: FleetSearch): FleetDraft {
  const { searched, maxDisplaced } = search
  const step = unblockStep(searched, maxDisplaced)
  return draftOf(search, step, consolidate(searched, step, maxDisplaced))
}

/** What starting work and packing the rest come to: figures, notes, and the wish for the steps. */
export function draftOf(
  { snapshot, prices }: FleetSearch,
  step: ReturnType<typeof unblockStep>,
  packed: Consolidation,
): FleetDraft {
  const before = fleetProblem(snapshot, new IndexedFleet(snapshot), { prices, waiting: waitingPods(snapshot) })
  const whole = asInWhole(packed.fleet, snapshot)
  const after = fleetProblem(snapshot, whole, { prices, waiting: [] })
  const { use, best, notes } = useOf(before, after, packed.freed)
  const moves = [...step.answer.moves, ...packed.moves]
  const closed = withoutOffers(openAs(step.fleet, packed.fleet), { moved: packed.moved, moves })
  const targets = [...targetsOf(packed.fleet), ...closed]
  return {
    answer: {
      starts: step.answer.starts,
      waits: step.answer.waits,
      isBest: use.bound === undefined ? undefined : use.after <= use.bound,
      use,
      saving: savingOf(snapshot, packed.freed, prices),
      leftOut: before.leftOut,
      notes: [
        ...notes,
        ...neverPlaced(before).notes,
        ...closedNote(closed.length),
        ...missing(use, best, packed.because),
      ],
    },
    wishes: targets.length === 0 ? [] : [{ kind: 'layout', targets, moves, keepEmpty: emptyGpus(whole) }],
    title: titleOf(step.answer.starts.length, packed.freed.length),
    bound: boundWords(use),
  }
}

const closedNote = (gpus: number): readonly string[] =>
  gpus === 0
    ? []
    : [
        `${plural(gpus, 'empty GPU')} on nodes that take pods in ${agree(gpus, 'is', 'are')} partitioned into one large instance each, so that no pod is given a part of ${agree(gpus, 'it', 'them')} instead.`,
      ]

const emptyGpus = (fleet: IndexedFleet): readonly GpuId[] =>
  fleet.spaces().flatMap((space) => (heldSlots(space).length === 0 ? space.gpu.id : []))

const titleOf = (starts: number, freed: number): string =>
  [
    ...(starts === 0 ? [] : [`start ${plural(starts, 'waiting workload')}`]),
    ...(freed === 0 ? [] : [`free ${plural(freed, 'GPU')}`]),
  ]
    .join(' and ')
    .replace(/^./u, (letter) => letter.toUpperCase()) || 'Nothing to change'

/** How good, in words: "12 GPUs; no plan uses fewer than 12". */
const boundWords = ({ after, bound, heldWhole }: FleetUse): string | undefined =>
  bound === undefined
    ? undefined
    : `${plural(after, 'GPU')}; no plan for the same work uses fewer than ${Math.min(after, bound)}` +
      (heldWhole === 0 ? '' : ` (beside ${heldWhole} that pods hold whole)`)

/** What stands between the plan and the bound. */
function missing({ after, bound, freed }: FleetUse, best: number | undefined, because: string): readonly string[] {
  if (bound === undefined) return ['No bound is known.']
  if (after <= bound) return freed.length === 0 ? ['The layout is already best: bound = now.'] : []
  return [
    `It stops there because ${because}.`,
    best === undefined || best >= after
      ? 'No better layout was found; the bound may be out of reach.'
      : `Left out: a layout with ${plural(best, 'GPU')} is known.`,
  ]
}
