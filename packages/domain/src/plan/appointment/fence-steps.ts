import { compareText, instant, type Instant } from '../../units.ts'
import { applyAction } from '../steps/apply-action.ts'
import { stepOf } from '../steps/step-of.ts'
import { openFleet } from '../../fleet/fleet.ts'
import type { Action, KeepFree, Plan, PlanStep, PodMove } from '../words/action.ts'
import { contentHash } from '../words/content-hash.ts'
import type { AppointedNode, AppointmentAsk, AppointmentQuestion } from './appointment.ts'
import { policyOf, SPARE } from './supply.ts'

export type FenceQuestion = {
  readonly question: AppointmentQuestion
  readonly nodes: readonly AppointedNode[]
  readonly endsAt: Instant
  readonly moves: readonly PodMove[]
  readonly title: string
  readonly bound: string
}

/**
 * The fence as steps with their times: nodes are closed, what still runs in the way is evicted at the last responsible
 * moment, it is seen that the GPUs are free, and the nodes are opened when the appointment is over. A node stays closed while it lasts: a pod of the
 * beneficiary that starts again finds its GPUs free.
 */
export function fencePlan({ question, nodes, endsAt, moves, title, bound }: FenceQuestion): Plan {
  const { snapshot, ask } = question
  const policy = policyOf(question)
  const state = openFleet(snapshot)
  const due = dueActions(question, nodes, endsAt)
  const steps = due.map(({ action, at }, index): PlanStep => {
    const step = stepOf(action, state, policy)
    const verdict = applyAction(state, action, policy)
    // Who may be evicted was asked before, with every budget.
    if (verdict.kind === 'refuse') throw new Error(`a step of an appointment was refused: ${verdict.because}`)
    // What the way back closes again would stay closed.
    const inverse = action.kind === 'uncordon' ? [] : step.inverse
    return { number: index + 1, ...step, notBefore: at, inverse }
  })
  return {
    id: `plan-${contentHash(JSON.stringify([snapshot.cluster, ask, steps.map(({ action }) => action)]))}`,
    cluster: snapshot.cluster,
    madeFrom: snapshot.takenAt,
    title,
    steps,
    moves,
    refused: [],
    bound,
  }
}

type Due = { readonly action: Action; readonly at: Instant }

function dueActions(
  { snapshot, ask }: AppointmentQuestion,
  nodes: readonly AppointedNode[],
  endsAt: Instant,
): readonly Due[] {
  const pods = new Map(snapshot.pods.map((pod) => [pod.id, pod]))
  const closing = nodes.map(({ node, closesAt }): Due => ({ action: { kind: 'cordon', node }, at: closesAt }))
  const evicting = nodes.flatMap(({ node, evicted, evictsAt }) =>
    evicted.flatMap((id): readonly Due[] => {
      const pod = pods.get(id)
      if (pod === undefined || evictsAt === undefined) return []
      const { uid, workload } = pod
      const because = `its GPUs on ${node} are kept for an appointment`
      return [{ action: { kind: 'evict', pod: id, uid, workload, because }, at: evictsAt }]
    }),
  )
  const looksAt = evictionTime(ask.at, SPARE, snapshot.takenAt)
  const opening = nodes.map(({ node }): Due => ({ action: { kind: 'uncordon', node }, at: endsAt }))
  return [
    ...closing,
    ...evicting.toSorted((a, b) => a.at - b.at || compareText(JSON.stringify(a.action), JSON.stringify(b.action))),
    { action: keepFreeOf(ask, nodes, endsAt), at: looksAt },
    ...opening,
  ]
}

const keepFreeOf = (
  { at, profile, model, namespace, longest }: AppointmentAsk,
  nodes: readonly AppointedNode[],
  until: Instant,
): KeepFree => ({
  kind: 'keep-free',
  nodes: nodes.map(({ node, gpus }) => ({ node, gpus })),
  at,
  until,
  ...(profile !== undefined && { profile }),
  ...(model !== undefined && { model }),
  ...(namespace !== undefined && { namespace }),
  ...(longest !== undefined && { longest }),
})

/** When evictions of a node begin, never in the past. */
export const evictionTime = (at: Instant, lead: number, now: Instant): Instant =>
  instant(Math.max(now, at - lead * 1000))
