import { plural } from '../../words.ts'
import { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import { unblockStep } from '../repack/unblock.ts'
import type { FleetSearch } from './fleet-question.ts'
import type { FleetDraft } from './plan-fleet-answer.ts'
import { asInWhole, neverPlaced, useOf, waitingPods } from './plan-fleet-figures.ts'
import { fleetProblem } from './plan-fleet-problem.ts'

/** Starts as much waiting work as possible. */
export function draftFit({ snapshot, searched, prices, maxDisplaced }: FleetSearch): FleetDraft {
  const { answer, fleet } = unblockStep(searched, maxDisplaced)
  const { targets, moves, starts, waits } = answer
  const waiting = waitingPods(snapshot)
  const before = fleetProblem(snapshot, new IndexedFleet(snapshot), { prices, waiting })
  const after = fleetProblem(snapshot, asInWhole(fleet, snapshot), { prices, waiting: [] })
  const { use } = useOf(before, after, [])
  const never = neverPlaced(before)
  const all = starts.length + waits.length
  const most = Math.max(starts.length, all - never.workloads)
  return {
    answer: {
      starts,
      waits,
      isBest: all === 0 ? undefined : starts.length === most,
      use,
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
