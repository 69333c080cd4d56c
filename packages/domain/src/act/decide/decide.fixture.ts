import { instant } from '../../units.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { DEFAULT_PATIENCE, type Ruled, type StepDecision, type StepAsk, type StepContext } from './decision.ts'

export const context = (more: Partial<StepContext> = {}): StepContext => ({
  run: 'action-1',
  isUndo: false,
  isRehearsal: false,
  now: instant(0),
  written: new Map(),
  operatorNamespace: 'gpu-operator',
  patience: DEFAULT_PATIENCE,
  isProtected: (namespace) => namespace.startsWith('kube-'),
  mostPods: undefined,
  lastDue: () => undefined,
  inUse: () => undefined,
  isBeside: () => true,
  ...more,
})

/** Objects by their kind (`nodes`), or by kind and name (`nodes/a`) where a look at several has to tell them apart. */
export type LiveCluster = Readonly<Record<string, readonly LiveObject[]>>

/** Follows a decision, or a look, on a cluster that is a list of objects. */
export function decided<Answer = StepDecision>(
  deciding: Generator<StepAsk, Answer, Ruled>,
  cluster: LiveCluster,
): Answer {
  const see = (question: StepAsk): Ruled => {
    if (question.kind === 'objects') return cluster[question.objects.resource] ?? []
    const { resource, name } = question.object
    return cluster[`${resource}/${name}`] ?? cluster[resource] ?? []
  }
  let turn = deciding.next()
  while (turn.done !== true) turn = deciding.next(see(turn.value))
  return turn.value
}
