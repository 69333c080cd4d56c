import { gpusText } from '../../words.ts'
import { ALLOW, refuse, type Verdict } from '../guardrail/guardrail.ts'
import { notCordoned, unknownObject } from '../guardrail/refusals.ts'
import { knownEnd } from '../state/known-ends.ts'
import { podsOn, type PlanState } from '../state/plan-state.ts'
import { askableOn, heldOf } from '../state/askable-gpus.ts'
import type { KeepFree } from '../words/action.ts'

/** Whether the GPUs of an appointment are free at its instant, by who is on its nodes and surely gone by then. */
export function keepFree(state: PlanState, action: KeepFree): Verdict {
  if (state.began.takenAt >= action.until) return refuse('over', 'The appointment is over.')
  for (const kept of action.nodes) {
    const node = state.nodes.get(kept.node)
    if (node === undefined) return unknownObject('node', kept.node)
    if (node.schedulable) return notCordoned(kept.node)
    const { free, staying } = freeAt(state, kept.node, action)
    if (free < kept.gpus) {
      const holders = staying.length === 0 ? '' : ` ${staying.join(', ')} would still hold others.`
      return refuse(
        'not-free',
        `${kept.node} would have ${gpusText(free, action.profile)} free, and ${kept.gpus} are wanted.${holders}`,
      )
    }
  }
  return ALLOW
}

type FreeGpus = { readonly free: number; readonly staying: readonly string[] }

function freeAt(state: PlanState, name: string, action: KeepFree): FreeGpus {
  const node = state.nodes.get(name)
  if (node === undefined) return { free: 0, staying: [] }
  const { at, longest } = action
  const askable = askableOn(node, action)
  const holders = podsOn(state, name).flatMap((pod) => {
    const end = knownEnd(pod, longest)
    const held = end !== undefined && end <= at ? 0 : heldOf(pod, state, askable)
    return held === 0 ? [] : [{ pod: pod.id, held }]
  })
  const held = holders.reduce((sum, each) => sum + each.held, 0)
  return { free: Math.max(0, askable.count - held), staying: holders.map(({ pod }) => pod) }
}
