import { isObject, listAt, numberAt, objectAt, textAt, valueAt, type Json, type JsonObject } from '../../kube/json.ts'
import { labelsOf, selectsLabels } from './label-rules.ts'
import type { NodeFacts } from './node-facts.ts'
import { isSelected, isTolerated } from './node-filters.ts'
import { REQUIRED, type PodFacts } from './pod-facts.ts'

/** Labels of a namespace, by its name. */
type NamespaceLabels = (namespace: string) => JsonObject

/** What decides about a node because of the pods that run already. */
export type Neighbors = {
  readonly nodes: readonly NodeFacts[]
  readonly namespaceLabels: NamespaceLabels
  /** Pods that keep others away, with their nodes. */
  readonly repelling: readonly Repelling[]
}

type Repelling = { readonly owner: PodFacts; readonly node: NodeFacts }

export const repellingOn = (node: NodeFacts): readonly Repelling[] =>
  node.pods.flatMap((owner) => (termsOf(owner, 'podAntiAffinity').length > 0 ? [{ owner, node }] : []))

/** Which nodes a pod may not have because of other pods, in the scheduler's words; made once for all nodes. */
export function neighborRefusals(pod: PodFacts, around: Neighbors): (node: NodeFacts) => string | undefined {
  const rules = [spreadRefusals(pod, around), affinityRefusals(pod, around)]
  return (node) => {
    for (const rule of rules) {
      const refusal = rule(node)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }
}

type Refusals = (node: NodeFacts) => string | undefined

const domainOf = ({ labels }: NodeFacts, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? textAt(labels, key) : undefined

/** Plugin PodTopologySpread, of rules that must be kept. */
function spreadRefusals(pod: PodFacts, { nodes }: Neighbors): Refusals {
  const rules = listAt(pod.spec, 'topologySpreadConstraints').filter(
    (rule) => textAt(rule, 'whenUnsatisfiable') !== 'ScheduleAnyway',
  )
  const keys = rules.map((rule) => textAt(rule, 'topologyKey'))
  // A node that lacks the key of any of the rules is no domain of the others either.
  const keyed = nodes.filter((node) => keys.every((key) => domainOf(node, key) !== undefined))
  const checks = rules.map((rule) => spreadRefusal(pod, rule, keyed))
  return (node) => {
    for (const check of checks) {
      const refusal = check(node)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }
}

function spreadRefusal(pod: PodFacts, rule: Json, nodes: readonly NodeFacts[]): Refusals {
  const key = textAt(rule, 'topologyKey')
  const selects = (other: PodFacts): boolean =>
    selectsLabels(valueAt(rule, 'labelSelector'), labelsOf(other.labels)) &&
    listAt(rule, 'matchLabelKeys').every((name) => isSameLabel(textAt(name), pod, other))
  const counts = new Map<string, number>()
  for (const node of nodes.filter((each) => isCounted(each, pod, rule))) {
    const domain = domainOf(node, key) ?? ''
    const found = node.pods.filter((other) => other.namespace === pod.namespace && !other.leaving && selects(other))
    counts.set(domain, (counts.get(domain) ?? 0) + found.length)
  }
  const least = counts.size < (numberAt(rule, 'minDomains') ?? 1) ? 0 : Math.min(...counts.values())
  const own = selects(pod) ? 1 : 0
  const most = numberAt(rule, 'maxSkew') ?? 1
  return (node) => {
    const domain = domainOf(node, key)
    if (domain === undefined) return "node(s) didn't match pod topology spread constraints (missing required label)"
    return (counts.get(domain) ?? 0) + own - least > most
      ? "node(s) didn't match pod topology spread constraints"
      : undefined
  }
}

/** A rule counts the nodes that the pod's own affinity allows, and those with taints too, unless it says otherwise. */
function isCounted(node: NodeFacts, pod: PodFacts, rule: Json): boolean {
  if (textAt(rule, 'nodeAffinityPolicy') !== 'Ignore' && !isSelected(node, pod)) return false
  if (textAt(rule, 'nodeTaintsPolicy') !== 'Honor') return true
  return node.taints.every((taint) => textAt(taint, 'effect') === 'PreferNoSchedule' || isTolerated(taint, pod.spec))
}

const isSameLabel = (name: string, pod: PodFacts, other: PodFacts): boolean => {
  const own = labelsOf(pod.labels)(name)
  return own === undefined || labelsOf(other.labels)(name) === own
}

/** Plugin InterPodAffinity: rules of the pod itself, and rules of others that are there about pods like it. */
function affinityRefusals(pod: PodFacts, around: Neighbors): Refusals {
  const { nodes, namespaceLabels } = around
  const about = (term: Json, other: PodFacts): boolean => isMeant(term, { owner: pod, other, namespaceLabels })
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

const isIn = (node: NodeFacts, { key, found }: Domains): boolean => {
  const domain = domainOf(node, key)
  return domain !== undefined && found.has(domain)
}

/** Required pod affinity: some pod that is there has to meet all of the terms. */
function nearRule(
  pod: PodFacts,
  nodes: readonly NodeFacts[],
  about: (term: Json, other: PodFacts) => boolean,
): (node: NodeFacts) => boolean {
  const terms = termsOf(pod, 'podAffinity')
  const meetsAll = (other: PodFacts): boolean => terms.every((term) => about(term, other))
  const near = terms.map((term) => domainsWith(nodes, term, meetsAll))
  // The first of pods that want to be together would wait for ever otherwise.
  const isFirst = near.every(({ found }) => found.size === 0) && meetsAll(pod)
  return (node) => near.every((each) => domainOf(node, each.key) !== undefined && (isFirst || isIn(node, each)))
}

const termsOf = ({ spec }: PodFacts, kind: 'podAffinity' | 'podAntiAffinity'): readonly Json[] =>
  listAt(spec, 'affinity', kind, REQUIRED)

function domainsWith(nodes: readonly NodeFacts[], term: Json, is: (other: PodFacts) => boolean): Domains {
  const key = textAt(term, 'topologyKey')
  const found = new Set(nodes.flatMap((node) => (node.pods.some(is) ? (domainOf(node, key) ?? []) : [])))
  return { key, found }
}

/** Domains from which pods that run keep a pod away. */
function repelledBy(pod: PodFacts, { repelling, namespaceLabels }: Neighbors): readonly Domains[] {
  return repelling.flatMap(({ owner, node }) =>
    termsOf(owner, 'podAntiAffinity').flatMap((term): Domains | [] => {
      const key = textAt(term, 'topologyKey')
      const domain = domainOf(node, key)
      const meant = domain !== undefined && isMeant(term, { owner, other: pod, namespaceLabels })
      return meant ? { key, found: new Set([domain]) } : []
    }),
  )
}

type Pair = { readonly owner: PodFacts; readonly other: PodFacts; readonly namespaceLabels: NamespaceLabels }

/** Whether a term of one pod is about another. */
function isMeant(term: Json, { owner, other, namespaceLabels }: Pair): boolean {
  return (
    isInReach(term, { owner, other, namespaceLabels }) &&
    selectsLabels(valueAt(term, 'labelSelector'), labelsOf(other.labels)) &&
    listAt(term, 'matchLabelKeys').every((name) => isSameLabel(textAt(name), owner, other)) &&
    listAt(term, 'mismatchLabelKeys').every((name) => isOtherLabel(textAt(name), owner, other))
  )
}

/** Neither a list nor a selector of namespaces: the pod's own. An empty selector: all. */
function isInReach(term: Json, { owner, other, namespaceLabels }: Pair): boolean {
  const names = listAt(term, 'namespaces').map((each) => textAt(each))
  const selector = valueAt(term, 'namespaceSelector')
  if (names.length === 0 && !isObject(selector)) return owner.namespace === other.namespace
  return names.includes(other.namespace) || selectsLabels(selector, labelsOf(namespaceLabels(other.namespace)))
}

const isOtherLabel = (name: string, owner: PodFacts, other: PodFacts): boolean => {
  const own = labelsOf(owner.labels)(name)
  return own === undefined || labelsOf(other.labels)(name) !== own
}

/** Whether it matters to where pods go which labels they have, and which pods run already. */
export const hasNeighborRules = ({ spec }: PodFacts): boolean =>
  listAt(spec, 'topologySpreadConstraints').length > 0 ||
  ['podAffinity', 'podAntiAffinity'].some((kind) => listAt(objectAt(spec, 'affinity', kind), REQUIRED).length > 0)
