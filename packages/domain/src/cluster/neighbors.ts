import type { NodeRequirement, NodeRoom } from './scheduling.ts'
import type { PodId } from './workload.ts'

/** What pods that run already have to do with where others may go. */
export type Neighbors = {
  readonly repulsions: readonly Repulsion[]
  /** Labels of pods that ask for no GPU, each set once, without those that only controllers give. */
  readonly labels: readonly Bystander[]
  /** Nodes without GPUs, which rules that spread pods count too. Absent: not known. */
  readonly others?: readonly OtherNode[]
}

/** `on`: how many of these pods each node has, by its name. Absent: not known. */
type Bystander = {
  readonly namespace: string
  readonly labels: Labels
  readonly on?: Readonly<Record<string, number>>
}

export type OtherNode = Pick<NodeRoom, 'labels' | 'taints'> & { readonly name: string }

/** A pod that keeps others out of its node, or its zone: one term of its required pod anti-affinity. */
export type Repulsion = {
  readonly pod: PodId
  readonly topologyKey: string
  /** The value of that label on its node. */
  readonly domain: string
  /** Whose pods it is about; `unread`: told by labels that are not kept. */
  readonly namespaces: readonly string[] | 'all' | 'unread'
  /** What their labels must be; `Gt` and `Lt` do not occur. */
  readonly selector: readonly NodeRequirement[]
}

type Labels = Readonly<Record<string, string>>

/**
 * Whether pods with these labels in a template match a selector; `maybe`: a label that their controller adds decides, or,
 * where these are not `all` of their labels, one that is not among them.
 */
export function matchLabels(selector: readonly NodeRequirement[], labels: Labels, all = true): Match {
  const found = selector.map((requirement) => matchOne(requirement, labels, all))
  if (found.includes('no')) return 'no'
  return found.includes('maybe') ? 'maybe' : 'yes'
}

export type Match = 'yes' | 'no' | 'maybe'

function matchOne({ key, operator, values }: NodeRequirement, labels: Labels, all: boolean): Match {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  if (value === undefined && (!all || isControllersLabel(key))) return 'maybe'
  const isIn = value !== undefined && values.includes(value)
  const holds = { In: isIn, NotIn: !isIn, Exists: value !== undefined, DoesNotExist: value === undefined }
  if (operator === 'Gt' || operator === 'Lt') return 'maybe'
  return holds[operator] ? 'yes' : 'no'
}

/** Whether a label is one that controllers give to the pods that they make: no template says its value. */
export const isControllersLabel = (key: string): boolean => CONTROLLERS.test(key)

const CONTROLLERS =
  /^(?:pod-template-hash|pod-template-generation|controller-uid|controller-revision-hash|job-name)$|^(?:batch|apps|statefulset)\.kubernetes\.io\/|^(?:jobset|leaderworkerset)\.sigs\.k8s\.io\/|^(?:training\.kubeflow\.org|ray\.io|kueue\.x-k8s\.io)\//u
