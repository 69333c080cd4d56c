import type { NodeSpec } from '../../model/fleet.ts'
import { dedicatedTo, type Cast } from '../../model/stage.ts'
import type { WorkKind } from '../../model/tenants.ts'
import { listIn, objectAt, textIn, valueIn, type JsonObject } from '../kube/json.ts'

/** What a pod says about where it may run, how urgent it is and whether it may be moved. */
export type FitRules = {
  readonly nodeSelector: Readonly<Record<string, string>> | undefined
  /** Values of nvidia.com/gpu.product of which a node must have one; undefined: any. */
  readonly products: readonly string[] | undefined
  readonly tolerations: readonly JsonObject[]
  readonly priority: number
  readonly priorityClass: string | undefined
  readonly annotations: Readonly<Record<string, string>>
}

export const NO_RULES: FitRules = {
  nodeSelector: undefined,
  products: undefined,
  tolerations: [],
  priority: 0,
  priorityClass: undefined,
  annotations: {},
}

/** Nodes of this model are kept for those who ask for them. */
const RESERVED_PRODUCT = 'NVIDIA-H200'
/** Label by which work insists on the nodes of its team. */
export const DEDICATED = 'dedicated'
const dedication = (value: string): JsonObject => ({ key: DEDICATED, value, effect: 'NoSchedule' })

const RESERVED = dedication('large-models')
const TOLERATES_RESERVED = { ...RESERVED, operator: 'Equal' } as const

const isReserved = (node: NodeSpec | undefined): boolean => node?.hardware.key === 'h200'

export function taintsOf(node: NodeSpec): readonly JsonObject[] {
  const team = dedicatedTo(node.name)
  return [...(isReserved(node) ? [RESERVED] : []), ...(team === undefined ? [] : [dedication(team)])]
}

/** How urgent the work of each kind is, and the PriorityClass that says so. */
export const URGENCY = {
  training: { priority: 0, priorityClass: undefined },
  inference: { priority: 1000, priorityClass: 'production' },
  notebook: { priority: 100, priorityClass: 'interactive' },
  analytics: { priority: -100, priorityClass: 'batch' },
} satisfies Record<WorkKind, Pick<FitRules, 'priority' | 'priorityClass'>>

/** The rules of work that sits on a node in the ordinary course. */
export const seatedRules = (role: WorkKind, node: NodeSpec | undefined, cast: Cast | undefined): FitRules => ({
  ...NO_RULES,
  ...URGENCY[role],
  ...(isReserved(node) ? reservedRules : {}),
  ...dedicatedRules(dedicatedTo(node?.name)),
  ...(cast?.takesTurns === true && node !== undefined ? inTurn(node) : {}),
  annotations: cast?.doNotDisrupt === true ? { 'karpenter.sh/do-not-disrupt': 'true' } : {},
})

/** None of them is more urgent than another. */
const inTurn = ({ name }: NodeSpec): Partial<FitRules> => ({
  nodeSelector: { 'kubernetes.io/hostname': name },
  priority: 0,
  priorityClass: undefined,
})

const dedicatedRules = (team: string | undefined): Partial<FitRules> =>
  team === undefined
    ? {}
    : { nodeSelector: { [DEDICATED]: team }, tolerations: [{ ...dedication(team), operator: 'Equal' }] }

const reservedRules = { products: [RESERVED_PRODUCT], tolerations: [TOLERATES_RESERVED] }

/** The rules of work that waits. */
export const queuedRules = (role: WorkKind, selector: FitRules['nodeSelector']): FitRules => ({
  ...NO_RULES,
  ...URGENCY[role],
  nodeSelector: selector,
  tolerations: selector?.['nvidia.com/gpu.product'] === RESERVED_PRODUCT ? [TOLERATES_RESERVED] : [],
})

/** What the rules add to a pod's specification. */
export const specOfRules = ({ nodeSelector, products, priority, priorityClass }: FitRules): JsonObject => ({
  ...(nodeSelector === undefined ? {} : { nodeSelector }),
  ...(products === undefined ? {} : { affinity: { nodeAffinity: { [REQUIRED]: termsFor(products) } } }),
  ...(priorityClass === undefined ? {} : { priorityClassName: priorityClass }),
  priority,
})
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
const termsFor = (products: readonly string[]): JsonObject => ({
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'nvidia.com/gpu.product', operator: 'In', values: products }] }],
})

/** The rules that somebody wrote into a pod, as far as the demo's scheduler keeps them. */
export function writtenRules(pod: JsonObject): FitRules {
  const selector = objectAt(pod, 'spec', 'nodeSelector')
  const keys = Object.keys(selector)
  const priority = valueIn(pod, 'spec', 'priority')
  return {
    ...NO_RULES,
    nodeSelector: keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, textIn(selector, key)])),
    tolerations: listIn(pod, 'spec', 'tolerations').map((each) => objectAt(each)),
    priority: typeof priority === 'number' ? priority : 0,
  }
}
