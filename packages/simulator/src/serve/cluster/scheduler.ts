import { compareText } from '@septet/domain'
import type { Unit } from '../../model/slots.ts'
import type { NodeSpec } from '../../model/fleet.ts'
import { listAt, objectAt, textAt, valueAt, type Json, type JsonObject } from '../kube/json.ts'
import { NODE, changePod, type Cluster, type LivePod } from './cluster.ts'
import { forgetUnplaced, sayScheduled, sayUnplaced } from './events.ts'
import { withheldUnit } from './node-devices.ts'
import { selects, untolerated, type PodRules } from './pod-rules.ts'
import { runPod } from './lifecycle.ts'

// From binding to running: the image is there already, the container starts.
const START_MS = 6_000

/** Finds places for waiting pods, oldest first, when anything changed that may let one in. */
export function schedule(cluster: Cluster): void {
  if (!cluster.stirred || cluster.waiting.size === 0) return
  cluster.stirred = false
  const nodes = cluster.world.nodes.flatMap((node) => factsOf(cluster, node) ?? [])
  const queue = [...cluster.waiting].toSorted(
    (a, b) => a.state.createdAt - b.state.createdAt || compareText(a.key, b.key),
  )
  const free = freeUnits(cluster)
  // Pods that ask for the same get the same answer, until one of them takes a place.
  const answers = new Map<string, Answer>()
  for (const pod of queue) {
    const wish = wishOf(pod)
    const key = JSON.stringify(wish)
    const answer = answers.get(key) ?? findPlace(nodes, wish, free)
    answers.set(key, answer)
    if (answer.kind === 'none') explain(cluster, pod, answer.message)
    else {
      bind(cluster, pod, answer)
      const left = wish.resource === undefined ? undefined : free(wish.resource)
      left?.set(answer.node, left.get(answer.node)?.filter((unit) => !answer.units.includes(unit)) ?? [])
      answers.clear()
    }
  }
}

type Wish = {
  readonly resource: string | undefined
  readonly count: number
  readonly rules: PodRules
}
type NodeFacts = {
  readonly node: NodeSpec
  readonly cordoned: boolean
  readonly taints: readonly Json[]
  readonly labels: JsonObject
}
type Answer =
  | { readonly kind: 'place'; readonly node: NodeSpec; readonly units: readonly Unit[] }
  | { readonly kind: 'none'; readonly message: string }
/** Free units by resource and node. */
type FreeUnits = (resource: string) => Map<NodeSpec, readonly Unit[]>

function wishOf(pod: LivePod): Wish {
  const found = Object.entries(pod.state.requests).find(([name]) => name.startsWith('nvidia.com/'))
  return { resource: found?.[0], count: Number(found?.[1] ?? 0), rules: pod.state.rules }
}

function factsOf(cluster: Cluster, node: NodeSpec): NodeFacts | undefined {
  const object = cluster.store.get(NODE, node.name)?.read()
  if (object === undefined) return undefined
  return {
    node,
    cordoned: valueAt(object, 'spec', 'unschedulable') === true,
    taints: listAt(object, 'spec', 'taints'),
    labels: objectAt(object, 'metadata', 'labels'),
  }
}

/** The first node that can take what is asked for, or why none can. */
function findPlace(nodes: readonly NodeFacts[], wish: Wish, free: FreeUnits): Answer {
  const { resource, count } = wish
  const byNode = resource === undefined ? undefined : free(resource)
  const refusals: string[] = []
  for (const facts of nodes) {
    const units = byNode?.get(facts.node) ?? []
    const lack = units.length < count ? `Insufficient ${resource}` : undefined
    const refusal = refusalOf(facts, wish.rules) ?? lack
    if (refusal === undefined) return { kind: 'place', node: facts.node, units: units.slice(0, count) }
    refusals.push(refusal)
  }
  return { kind: 'none', message: messageOf(refusals) }
}

/** Why a node is not for such pods, whatever it has free. */
function refusalOf({ cordoned, taints, labels }: NodeFacts, rules: PodRules): string | undefined {
  if (cordoned) return 'node(s) were unschedulable'
  const taint = untolerated(taints, rules)
  if (taint !== undefined) return `node(s) had untolerated taint {${textAt(taint, 'key')}: ${textAt(taint, 'value')}}`
  return selects(rules, labels) ? undefined : "node(s) didn't match Pod's node affinity/selector"
}

function freeUnits(cluster: Cluster): FreeUnits {
  const { world, paused, withoutPlugin } = cluster
  const now = cluster.now()
  const expected = expectedUnits(cluster)
  const known = new Map<string, Map<NodeSpec, readonly Unit[]>>()
  const isFree = (unit: Unit): boolean =>
    unit.from <= now &&
    now < unit.to &&
    unit.gpu.xid === undefined &&
    !expected.has(unit) &&
    world.holderAt(unit, now) === undefined
  const freeOn = (name: string, resource: string): readonly Unit[] => {
    const withheld = withheldUnit(cluster, name)
    return world.unitsOf(name).filter((unit) => unit.resource === resource && unit !== withheld && isFree(unit))
  }
  return (resource) => {
    const found = known.get(resource)
    if (found !== undefined) return found
    const open = world.nodes.filter(({ name }) => !paused.has(name) && !withoutPlugin.has(name))
    const units = open.flatMap(({ name }) => freeOn(name, resource))
    const grouped = new Map<NodeSpec, readonly Unit[]>(Map.groupBy(units, ({ node }) => node))
    known.set(resource, grouped)
    return grouped
  }
}

/** Units that a bound pod is about to use. */
function expectedUnits(cluster: Cluster): ReadonlySet<Unit> {
  const expected = new Set<Unit>()
  for (const pod of cluster.pods.values()) {
    if (pod.seated && pod.state.phase === 'starting') for (const unit of pod.units) expected.add(unit)
  }
  return expected
}

function bind(cluster: Cluster, pod: LivePod, place: { node: NodeSpec; units: readonly Unit[] }): void {
  const { namespace, name, container } = pod.state
  const now = cluster.now()
  cluster.waiting.delete(pod)
  pod.units = place.units
  pod.holdings = cluster.world.placeAt(place.units, {
    holder: { namespace, pod: name, container },
    activity: { ...pod.activity, start: now },
    from: now,
  })
  forgetUnplaced(pod)
  changePod(cluster, pod, { phase: 'starting', node: place.node, boundAt: now, message: undefined })
  sayScheduled(cluster, pod)
  cluster.agenda.at(now + START_MS, () => runPod(cluster, pod))
}

/** The scheduler's sentence for what each node said. */
function messageOf(reasons: readonly string[]): string {
  const all = reasons.length
  const counted = [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, { length }]) => `${length} ${reason}`)
    .toSorted(compareText)
  const lacking = reasons.filter((reason) => reason.startsWith('Insufficient')).length
  const hopeless = all - lacking
  const preemption = [
    ...(hopeless > 0 ? [`${hopeless} Preemption is not helpful for scheduling`] : []),
    ...(lacking > 0 ? [`${lacking} No preemption victims found for incoming pod`] : []),
  ]
  return `0/${all} nodes are available: ${counted.join(', ')}. preemption: 0/${all} nodes are available: ${preemption.join(', ')}.`
}

function explain(cluster: Cluster, pod: LivePod, message: string): void {
  if (message === pod.state.message) return
  changePod(cluster, pod, { message })
  sayUnplaced(cluster, pod, message)
}
