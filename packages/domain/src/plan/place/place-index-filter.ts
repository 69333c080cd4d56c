import type { NodeRequirement, PodScheduling, Taint, Toleration } from '../../cluster/scheduling.ts'

/** Why the scheduler would keep a pod off a node, whatever room it has, in the words of its events; undefined: it may run. */
export function nodeRefusal(pod: PodRules, node: NodeRules): string | undefined {
  for (const [key, value] of Object.entries(pod.nodeSelector)) {
    if (node.labels[key] !== value) return `node selector ${key}=${value} does not match`
  }
  if (pod.nodeTerms.length > 0 && !pod.nodeTerms.some((term) => term.every((one) => meets(one, node.labels)))) {
    return 'no term of the required node affinity matches'
  }
  const taint = node.taints.find(
    (one) => bars(one) && !pod.tolerations.some((toleration) => tolerates(toleration, one)),
  )
  return taint === undefined ? undefined : `untolerated taint ${taint.key}${valueOf(taint)}:${taint.effect}`
}

export type PodRules = Pick<PodScheduling, 'nodeSelector' | 'nodeTerms' | 'tolerations'>
export type NodeRules = { readonly labels: Readonly<Record<string, string>>; readonly taints: readonly Taint[] }

/** Label keys that the pod's rules look at. */
export const keysOf = ({ nodeSelector, nodeTerms }: PodRules): readonly string[] => [
  ...Object.keys(nodeSelector),
  ...nodeTerms.flat().map(({ key }) => key),
]

function meets({ key, operator, values }: NodeRequirement, labels: NodeRules['labels']): boolean {
  const value = labels[key]
  return MEETS[operator](value, values)
}

type Meets = (value: string | undefined, values: readonly string[]) => boolean

// `NotIn` also matches a node without the label, as the API says. `Gt` and `Lt` compare whole numbers.
const MEETS = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, values) => Number.parseInt(value ?? '', 10) > Number.parseInt(values[0] ?? '', 10),
  Lt: (value, values) => Number.parseInt(value ?? '', 10) < Number.parseInt(values[0] ?? '', 10),
} satisfies Record<NodeRequirement['operator'], Meets>

const bars = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute'

const tolerates = (toleration: Toleration, taint: Taint): boolean =>
  (toleration.effect === '' || toleration.effect === taint.effect) &&
  (toleration.key === '' ? toleration.operator === 'Exists' : toleration.key === taint.key) &&
  (toleration.operator === 'Exists' || toleration.value === taint.value)

const valueOf = ({ value }: Taint): string => (value === '' ? '' : `=${value}`)
