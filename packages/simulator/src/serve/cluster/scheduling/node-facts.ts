import { listAt, objectAt, textAt, valueAt, type Json, type JsonObject } from '../../kube/json.ts'
import { amountsIn, type Amounts } from './amounts.ts'
import type { PodFacts } from './pod-facts.ts'

/** What the scheduler looks at of a node. */
export type NodeFacts = {
  readonly name: string
  readonly labels: JsonObject
  readonly taints: readonly Json[]
  readonly cordoned: boolean
  readonly allocatable: Amounts
  /** Pods bound to it that have not ended; grows while pods are placed. */
  readonly pods: PodFacts[]
}

export const nodeFacts = (node: JsonObject, pods: PodFacts[]): NodeFacts => ({
  name: textAt(node, 'metadata', 'name'),
  labels: objectAt(node, 'metadata', 'labels'),
  taints: listAt(node, 'spec', 'taints'),
  cordoned: valueAt(node, 'spec', 'unschedulable') === true,
  allocatable: amountsIn(objectAt(node, 'status', 'allocatable')),
  pods,
})
