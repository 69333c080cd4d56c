import { plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { LinearSolver, SolveLimits } from '../linear/linear-program.ts'
import { gpusNow } from '../reconfigure/gpus-now.ts'
import { reconfigure } from '../reconfigure/reconfigure.ts'
import type { FleetPlan } from './plan-fleet-answer.ts'
import { boundWords } from './plan-fleet-cost.ts'
import { proveLayout } from '../layout/prove-layout.ts'

/**
 * The same plan with what a solver could prove in the time: a higher bound, and how few GPUs the running work could do
 * with when pods that must stay do stay. Only the cost goal has something to prove; where the solver runs out of time or
 * fails, the bounds known so far stay and the reason is among the notes.
 */
export async function proveFleet(
  found: FleetPlan,
  snapshot: ClusterSnapshot,
  { solver, limits }: { readonly solver: LinearSolver; readonly limits: SolveLimits },
): Promise<FleetPlan> {
  const { counted, use, plan } = found
  if (counted === undefined)
    return { ...found, notes: [...found.notes, 'A solver has nothing to prove for this goal.'] }
  const answer = await proveLayout(counted, solver, limits)
  if (answer.kind === 'invalid') return found
  const { bound, goal, gpuBound, proof, notes } = answer.quality
  const least = goal === 'gpus' ? bound : gpuBound
  const higher = Math.max(use.bound ?? 0, least === undefined ? 0 : Math.ceil(least - 1e-6))
  const proven = { ...use, bound: use.bound === undefined && least === undefined ? undefined : higher }
  const said =
    proof === 'optimal'
      ? `Proven by search: a layout with ${plural(answer.totals.gpus, 'GPU')} holds the same work if every pod may move, and none ${goal === 'cost' ? 'costs less' : 'with fewer does'}.`
      : 'The solver did not finish its proof in the time given; the bound holds.'
  return {
    ...found,
    use: proven,
    plan: { ...plan, bound: boundWords(proven) },
    notes: [
      ...found.notes,
      ...notes.filter((note) => !found.notes.includes(note)),
      said,
      await within(snapshot, { solver, limits }),
    ],
  }
}

/** How few GPUs the running work could do with under the rules of its pods, and what that takes. */
async function within(
  snapshot: ClusterSnapshot,
  { solver, limits }: { readonly solver: LinearSolver; readonly limits: SolveLimits },
): Promise<string> {
  const { gpus } = gpusNow(snapshot)
  const goal = 'fewest-displaced-at-fewest-gpus'
  const answer = await reconfigure({ gpus, demands: [] }, { goal, solver, limits })
  if (answer.kind !== 'found') return `The fewest GPUs that running pods need is unknown: ${answer.because}.`
  const now = gpus.filter(({ instances }) => instances.some(({ pod }) => pod !== undefined)).length
  const { bounds, unproven } = answer
  const proof =
    unproven === undefined
      ? `no fewer GPUs do (${bounds.gpus ?? answer.gpus})${bounds.displaced === undefined ? '' : `, and no fewer moves (${bounds.displaced})`}`
      : `not proven best: ${unproven}`
  return `With pods that must not move left in place, what runs on ${plural(now, 'partitioned GPU')} fits on ${answer.gpus} by moving ${plural(answer.displaced, 'pod')}; ${proof}. CPU and memory of nodes are not looked at in this.`
}
