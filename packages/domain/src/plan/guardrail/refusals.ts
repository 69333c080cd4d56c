import { refuse, type Verdict } from './guardrail.ts'

/** Why a node's GPUs are not touched while pods may still start on it. */
export const notCordoned = (node: string): Verdict =>
  refuse('not-cordoned', `${node} is not cordoned, so new pods could start on it meanwhile. Cordon it first.`)

export const unknownObject = (kind: 'node' | 'workload' | 'GPU', name: string): Verdict =>
  refuse('unknown-object', `The cluster has no ${kind} ${name}.`)
