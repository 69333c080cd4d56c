import { isObject, listIn, objectAt, textIn, type Json, type JsonObject } from '../../kube/json.ts'
import { labelPairs, meets, type LabelPair } from '../../kube/selectors.ts'
import { ANY, REQUIRED, type HostPort, type SchedulablePod, type SchedulableNode } from './pod-facts.ts'

/** Why a node is not for a pod, in the scheduler's words; undefined: it is. What other pods have to do with it comes later. */
export function filterRefusal(node: SchedulableNode, pod: SchedulablePod): string | undefined {
  return unschedulable(node, pod) ?? untolerated(node, pod) ?? unselected(node, pod) ?? portTaken(node, pod)
}

/** Plugin NodeUnschedulable. */
const unschedulable = ({ cordoned }: SchedulableNode, { spec }: SchedulablePod): string | undefined =>
  cordoned && !isTolerated(CORDON, spec) ? 'node(s) were unschedulable' : undefined

const CORDON: JsonObject = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** Plugin TaintToleration: the first taint that keeps a pod from being placed. */
function untolerated({ taints }: SchedulableNode, { spec }: SchedulablePod): string | undefined {
  const taint = taints.find((each) => textIn(each, 'effect') !== 'PreferNoSchedule' && !isTolerated(each, spec))
  if (taint === undefined) return undefined
  return `node(s) had untolerated taint {${textIn(taint, 'key')}: ${textIn(taint, 'value')}}`
}

/** Whether some toleration of a pod is for a taint. */
export const isTolerated = (taint: Json, spec: JsonObject): boolean =>
  listIn(spec, 'tolerations').some((toleration) => {
    const [key, effect] = [textIn(toleration, 'key'), textIn(toleration, 'effect')]
    if (effect !== '' && effect !== textIn(taint, 'effect')) return false
    const exists = textIn(toleration, 'operator') === 'Exists'
    if (key === '') return exists
    return key === textIn(taint, 'key') && (exists || textIn(toleration, 'value') === textIn(taint, 'value'))
  })

/** Plugin NodeAffinity: the node selector, and one term of the required affinity. */
function unselected(node: SchedulableNode, pod: SchedulablePod): string | undefined {
  return isSelected(node, pod) ? undefined : "node(s) didn't match Pod's node affinity/selector"
}

/** Whether a pod's own node selector and required affinity let it onto a node. */
export function isSelected({ name, labels }: SchedulableNode, { spec }: SchedulablePod): boolean {
  const selector = objectAt(spec, 'nodeSelector')
  const label = labelPairs(labels)
  if (!Object.keys(selector).every((key) => label(key) === textIn(selector, key))) return false
  const required = objectAt(spec, 'affinity', 'nodeAffinity')[REQUIRED]
  if (!isObject(required)) return true
  const field: LabelPair = (key) => (key === 'metadata.name' ? name : undefined)
  return listIn(required, 'nodeSelectorTerms').some((term) => {
    const [expressions, fields] = [listIn(term, 'matchExpressions'), listIn(term, 'matchFields')]
    if (expressions.length + fields.length === 0) return false
    return expressions.every((each) => meets(each, label)) && fields.every((each) => meets(each, field))
  })
}

/** Plugin NodePorts. */
function portTaken({ pods }: SchedulableNode, { ports }: SchedulablePod): string | undefined {
  if (ports.length === 0) return undefined
  const taken = pods.flatMap((each) => each.ports)
  return ports.some((port) => taken.some((other) => clashes(port, other)))
    ? "node(s) didn't have free ports for the requested pod ports"
    : undefined
}

const clashes = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ANY || b.ip === ANY)

/**
 * Plugin NodeResourcesFit, but for the devices that a device plugin hands out one by one: what the node offers less what
 * its pods ask for, and one more pod.
 */
export function lacking({ allocatable, pods }: SchedulableNode, { requests }: SchedulablePod): readonly string[] {
  if (pods.length + 1 > (allocatable.get('pods') ?? 0)) return ['Too many pods']
  return [...requests].flatMap(([name, asked]) => {
    if (asked <= 0 || name.startsWith('nvidia.com/')) return []
    const used = pods.reduce((sum, pod) => sum + (pod.requests.get(name) ?? 0), 0)
    return asked > (allocatable.get(name) ?? 0) - used ? [`Insufficient ${name}`] : []
  })
}
