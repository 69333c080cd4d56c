import { instant } from '../../units.ts'
import type { LiveObject } from '../cluster-writer.ts'
import {
  DEFAULT_PATIENCE,
  type Ruled,
  type Deciding,
  type StepDecision,
  type StepAsk,
  type StepContext,
} from './decision.ts'

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
  ...more,
})

/** Follows a decision on a cluster that is a list of objects by kind. */
export function decided(deciding: Deciding, cluster: Readonly<Record<string, readonly LiveObject[]>>): StepDecision {
  const see = (question: StepAsk): Ruled =>
    question.kind === 'object' ? (cluster[question.object.resource] ?? []) : (cluster[question.objects.resource] ?? [])
  let turn = deciding.next()
  while (turn.done !== true) turn = deciding.next(see(turn.value))
  return turn.value
}
