import { isObject, listIn, numberIn, objectAt, textIn, valueIn, type Json, type JsonObject } from '../../kube/json.ts'
import { labelPairs, selectsLabels } from '../../kube/selectors.ts'
import { isSelected, isTolerated } from './node-filters.ts'
import { REQUIRED, type SchedulablePod, type SchedulableNode } from './pod-facts.ts'

/** Labels of a namespace, by its name. */
type NamespaceLabels = (namespace: string) => JsonObject

/** What decides about a node because of the pods that run already. */
export type NodeNeighbors = {
  readonly nodes: readonly SchedulableNode[]
  readonly namespaceLabels: NamespaceLabels
  /** Pods that keep others away, with their nodes. */
  readonly repelling: readonly Repelling[]
}

type Repelling = { readonly owner: SchedulablePod; readonly node: SchedulableNode }

export const repellingOn = (node: SchedulableNode): readonly Repelling[] =>
  node.pods.flatMap((owner) => (termsOf(owner, 'podAntiAffinity').length > 0 ? [{ owner, node }] : []))

/** Which nodes a pod may not have because of other pods, in the scheduler's words; made once for all nodes. */
export function neighborRefusals(
  pod: SchedulablePod,
  around: NodeNeighbors,
): (node: SchedulableNode) => string | undefined {
  return firstOf([spreadRefusals(pod, around), affinityRefusals(pod, around)])
}

type Refusals = (node: SchedulableNode) => string | undefined

const domainOf = ({ labels }: SchedulableNode, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? textIn(labels, key) : undefined

/** Plugin PodTopologySpread, of rules that must be kept. */
function spreadRefusals(pod: SchedulablePod, { nodes }: NodeNeighbors): Refusals {
  const rules = listIn(pod.spec, 'topologySpreadConstraints').filter(
    (rule) => textIn(rule, 'whenUnsatisfiable') !== 'ScheduleAnyway',
  )
  const keys = rules.map((rule) => textIn(rule, 'topologyKey'))
  // A node that lacks the key of any of the rules is not a domain of the others either.
  const keyed = nodes.filter((node) => keys.every((key) => domainOf(node, key) !== undefined))
  return firstOf(rules.map((rule) => spreadRefusal(pod, rule, keyed)))
}

/** What the first rule says that minds. */
const firstOf =
  (rules: readonly Refusals[]): Refusals =>
  (node) => {
    for (const rule of rules) {
      const refusal = rule(node)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }

function spreadRefusal(pod: SchedulablePod, rule: Json, nodes: readonly SchedulableNode[]): Refusals {
  const key = textIn(rule, 'topologyKey')
  const selects = (other: SchedulablePod): boolean =>
    selectsLabels(valueIn(rule, 'labelSelector'), labelPairs(other.labels)) &&
    listIn(rule, 'matchLabelKeys').every((name) => isSameLabel(textIn(name), pod, other))
  const counts = new Map<string, number>()
  for (const node of nodes.filter((each) => isCounted(each, pod, rule))) {
    const domain = domainOf(node, key) ?? ''
    const found = node.pods.filter((other) => other.namespace === pod.namespace && !other.leaving && selects(other))
    counts.set(domain, (counts.get(domain) ?? 0) + found.length)
  }
  const least = counts.size < (numberIn(rule, 'minDomains') ?? 1) ? 0 : Math.min(...counts.values())
  const own = selects(pod) ? 1 : 0
  const most = numberIn(rule, 'maxSkew') ?? 1
  return (node) => {
    const domain = domainOf(node, key)
    if (domain === undefined) return "node(s) didn't match pod topology spread constraints (missing required label)"
    return (counts.get(domain) ?? 0) + own - least > most
      ? "node(s) didn't match pod topology spread constraints"
      : undefined
  }
}

/** A rule counts the nodes that the pod's own affinity allows, and those with taints too, unless it says otherwise. */
function isCounted(node: SchedulableNode, pod: SchedulablePod, rule: Json): boolean {
  if (textIn(rule, 'nodeAffinityPolicy') !== 'Ignore' && !isSelected(node, pod)) return false
  if (textIn(rule, 'nodeTaintsPolicy') !== 'Honor') return true
  return node.taints.every((taint) => textIn(taint, 'effect') === 'PreferNoSchedule' || isTolerated(taint, pod.spec))
}

const isSameLabel = (name: string, pod: SchedulablePod, other: SchedulablePod): boolean => {
  const own = labelPairs(pod.labels)(name)
  return own === undefined || labelPairs(other.labels)(name) === own
}

/** Plugin InterPodAffinity: rules of the pod itself, and rules of others that are there about pods like it. */
function affinityRefusals(pod: SchedulablePod, around: NodeNeighbors): Refusals {
  const { nodes, namespaceLabels } = around
  const about = (term: Json, other: SchedulablePod): boolean => isMeant(term, { owner: pod, other, namespaceLabels })
  const near = nearRule(pod, nodes, about)
  const apart = termsOf(pod, 'podAntiAffinity').map((term) => domainsWith(nodes, term, (other) => about(term, other)))
  const others = repelledBy(pod, around)
  return (node) => {
    if (!near(node)) return "node(s) didn't match pod affinity rules"
    if (apart.some((each) => isIn(node, each))) return "node(s) didn't match pod anti-affinity rules"
    return others.some((each) => isIn(node, each))
      ? "node(s) didn't satisfy existing pods anti-affinity rules"
      : undefined
  }
}

/** Values of a label that nodes carry. */
type Domains = { readonly key: string; readonly found: ReadonlySet<string> }

const isIn = (node: SchedulableNode, { key, found }: Domains): boolean => {
  const domain = domainOf(node, key)
  return domain !== undefined && found.has(domain)
}

/** Required pod affinity: some pod that is there has to meet all of the terms. */
function nearRule(
  pod: SchedulablePod,
  nodes: readonly SchedulableNode[],
  about: (term: Json, other: SchedulablePod) => boolean,
): (node: SchedulableNode) => boolean {
  const terms = termsOf(pod, 'podAffinity')
  const meetsAll = (other: SchedulablePod): boolean => terms.every((term) => about(term, other))
  const near = terms.map((term) => domainsWith(nodes, term, meetsAll))
  // The first of pods that want to be together would wait for ever otherwise.
  const isFirst = near.every(({ found }) => found.size === 0) && meetsAll(pod)
  return (node) => near.every((each) => domainOf(node, each.key) !== undefined && (isFirst || isIn(node, each)))
}

const termsOf = ({ spec }: SchedulablePod, kind: 'podAffinity' | 'podAntiAffinity'): readonly Json[] =>
  listIn(spec, 'affinity', kind, REQUIRED)

function domainsWith(nodes: readonly SchedulableNode[], term: Json, is: (other: SchedulablePod) => boolean): Domains {
  const key = textIn(term, 'topologyKey')
  const found = new Set(nodes.flatMap((node) => (node.pods.some(is) ? (domainOf(node, key) ?? []) : [])))
  return { key, found }
}

/** Domains from which pods that run keep a pod away. */
function repelledBy(pod: SchedulablePod, { repelling, namespaceLabels }: NodeNeighbors): readonly Domains[] {
  return repelling.flatMap(({ owner, node }) =>
    termsOf(owner, 'podAntiAffinity').flatMap((term): Domains | [] => {
      const key = textIn(term, 'topologyKey')
      const domain = domainOf(node, key)
      const meant = domain !== undefined && isMeant(term, { owner, other: pod, namespaceLabels })
      return meant ? { key, found: new Set([domain]) } : []
    }),
  )
}

type Pair = {
  readonly owner: SchedulablePod
  readonly other: SchedulablePod
  readonly namespaceLabels: NamespaceLabels
}

/** Whether a term of one pod is about another. */
function isMeant(term: Json, { owner, other, namespaceLabels }: Pair): boolean {
  return (
    isInReach(term, { owner, other, namespaceLabels }) &&
    selectsLabels(valueIn(term, 'labelSelector'), labelPairs(other.labels)) &&
    listIn(term, 'matchLabelKeys').every((name) => isSameLabel(textIn(name), owner, other)) &&
    listIn(term, 'mismatchLabelKeys').every((name) => isOtherLabel(textIn(name), owner, other))
  )
}

/** Neither a list nor a selector of namespaces: the pod's own. An empty selector: all. */
function isInReach(term: Json, { owner, other, namespaceLabels }: Pair): boolean {
  const names = listIn(term, 'namespaces').map((each) => textIn(each))
  const selector = valueIn(term, 'namespaceSelector')
  if (names.length === 0 && !isObject(selector)) return owner.namespace === other.namespace
  return names.includes(other.namespace) || selectsLabels(selector, labelPairs(namespaceLabels(other.namespace)))
}

const isOtherLabel = (name: string, owner: SchedulablePod, other: SchedulablePod): boolean => {
  const own = labelPairs(owner.labels)(name)
  return own === undefined || labelPairs(other.labels)(name) !== own
}

/** Whether it matters to where pods go which labels they have, and which pods run already. */
export const hasNeighborRules = ({ spec }: SchedulablePod): boolean =>
  listIn(spec, 'topologySpreadConstraints').length > 0 ||
  ['podAffinity', 'podAntiAffinity'].some((kind) => listIn(objectAt(spec, 'affinity', kind), REQUIRED).length > 0)
