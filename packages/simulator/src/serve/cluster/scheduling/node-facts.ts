import { listIn, objectAt, textIn, valueIn, type Json, type JsonObject } from '../../kube/json.ts'
import { amountsIn, type Amounts } from './amounts.ts'
import type { SchedulablePod } from './pod-facts.ts'

/** What the scheduler looks at of a node. */
export type SchedulableNode = {
  readonly name: string
  readonly labels: JsonObject
  readonly taints: readonly Json[]
  readonly cordoned: boolean
  readonly allocatable: Amounts
  /** Pods bound to it that have not ended; grows while pods are placed. */
  readonly pods: SchedulablePod[]
}

export const nodeFacts = (node: JsonObject, pods: SchedulablePod[]): SchedulableNode => ({
  name: textIn(node, 'metadata', 'name'),
  labels: objectAt(node, 'metadata', 'labels'),
  taints: listIn(node, 'spec', 'taints'),
  cordoned: valueIn(node, 'spec', 'unschedulable') === true,
  allocatable: amountsIn(objectAt(node, 'status', 'allocatable')),
  pods,
})
