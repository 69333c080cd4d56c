import type { NodeRequirement, PodScheduling, Taint, Toleration } from './scheduling.ts'

/** Why the scheduler would keep a pod off a node, whatever room it has, in the words of its events; undefined: it may run. */
export function nodeRefusal(pod: PodRules, node: NodeRules): string | undefined {
  for (const [key, value] of Object.entries(pod.nodeSelector)) {
    if (labelOf(node, key) !== value) return `node selector ${key}=${value} does not match`
  }
  if (pod.nodeTerms.length > 0 && !pod.nodeTerms.some((term) => matches(term, node))) {
    return 'no term of the required node affinity matches'
  }
  const taint = node.taints.find((one) => bars(one) && !toleratesTaint(pod, one))
  return taint === undefined ? undefined : `untolerated taint ${taint.key}${valueOf(taint)}:${taint.effect}`
}

export type PodRules = Pick<PodScheduling, 'nodeSelector' | 'nodeTerms' | 'tolerations'>
export type NodeRules = { readonly labels: Readonly<Record<string, string>>; readonly taints: readonly Taint[] }

/** Label keys that the pod's rules look at. */
export const keysOf = ({ nodeSelector, nodeTerms }: PodRules): readonly string[] => [
  ...Object.keys(nodeSelector),
  ...nodeTerms.flat().map(({ key }) => key),
]

/**
 * Whether so much may still be asked of what is left, which is below 0 on a node that is overcommitted. A request of nothing
 * always fits: NodeResourcesFit compares only what a pod asks for.
 */
export const fitsIn = (asked: number, left: number): boolean => asked <= 0 || asked <= left

// "A null or empty node selector term matches no objects" (Kubernetes API, NodeSelectorTerm).
const matches = (term: readonly NodeRequirement[], node: NodeRules): boolean =>
  term.length > 0 && term.every(({ key, operator, values }) => MEETS[operator](labelOf(node, key), values))

const labelOf = ({ labels }: NodeRules, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined

type Meets = (value: string | undefined, values: readonly string[]) => boolean

// `NotIn` also matches a node without the label, as the API says. `Gt` and `Lt` compare whole numbers,
// and nothing is more or less than what is none.
const MEETS = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, values) => wholeNumber(value) > wholeNumber(values[0]),
  Lt: (value, values) => wholeNumber(value) < wholeNumber(values[0]),
} satisfies Record<NodeRequirement['operator'], Meets>

const wholeNumber = (text = ''): number => (/^[+-]?\d+$/u.test(text) ? Number(text) : Number.NaN)

const bars = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute'

/** Whether a pod tolerates a taint. */
export const toleratesTaint = ({ tolerations }: Pick<PodRules, 'tolerations'>, taint: Taint): boolean =>
  tolerations.some((toleration) => tolerates(toleration, taint))

const tolerates = (toleration: Toleration, taint: Taint): boolean =>
  (toleration.effect === '' || toleration.effect === taint.effect) &&
  (toleration.key === '' ? toleration.operator === 'Exists' : toleration.key === taint.key) &&
  (toleration.operator === 'Exists' || toleration.value === taint.value)

const valueOf = ({ value }: Taint): string => (value === '' ? '' : `=${value}`)
