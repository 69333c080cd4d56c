import { podsOn } from '../../fleet/fleet.ts'
import type { Pod } from '../../cluster/workload.ts'
import { type ActContext, type ActRule, refusing } from './act-context.ts'

/** A node goes only where each of its pods has another place: evicted by the plan, with room kept, and free to run there. */
export const removesOnlyMovableWork: ActRule = (context) => {
  const { run, state } = context
  for (const { action } of run.plan.steps) {
    if (action.kind !== 'remove-node') continue
    for (const pod of podsOn(state, action.node)) {
      const because = whyFixed(pod, context)
      if (because !== undefined) return refusing('unmovable', `${action.node} cannot be removed: ${because}`)
    }
  }
  return undefined
}

function whyFixed({ id, scheduling }: Pod, { run, plans }: ActContext): string | undefined {
  if (!run.plan.steps.some(({ action }) => action.kind === 'evict' && action.pod === id)) {
    return `${id} runs there and is in no step of the plan. Propose it again.`
  }
  const unread = scheduling.unread ?? []
  if (unread.length > 0) {
    return `where else ${id} may run is known only in part (${unread.join(', ')}). Move it by hand first.`
  }
  const move = run.plan.moves.find(({ pod }) => pod === id)
  return move?.to === undefined && !plans.mayWait
    ? `no room is kept for ${id} elsewhere, so it would wait. Wait for room, or let plans leave pods waiting.`
    : undefined
}
