import { compareText } from '@septet/domain'
import type { Unit } from '../../model/slots.ts'
import type { NodeSpec } from '../../model/fleet.ts'
import { objectAt, textIn, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { NODE, POD, changePod, type Demo, type LivePod } from './cluster.ts'
import { forgetUnplaced, sayScheduled, sayUnplaced } from './events.ts'
import { runPod } from './lifecycle.ts'
import { lacking, filterRefusal } from './scheduling/node-filters.ts'
import { podFacts, type SchedulablePod, nodeFacts, type SchedulableNode } from './scheduling/pod-facts.ts'
import { hasNeighborRules, neighborRefusals, repellingOn, type NodeNeighbors } from './scheduling/pod-filters.ts'
import { withheldUnit } from './node-devices.ts'

// From binding to running: the image is there already, the container starts.
const START_MS = 6_000

/** Finds places for waiting pods, oldest first, when anything changed that may let one in. */
export function schedule(cluster: Demo): void {
  if (!cluster.stirred || cluster.waiting.size === 0) return
  cluster.stirred = false
  let round = beginRound(cluster)
  const queue = [...cluster.waiting]
    .filter(isOurs)
    .toSorted((a, b) => a.state.createdAt - b.state.createdAt || compareText(a.key, b.key))
  // Pods that ask for the same get the same answer, until one of them takes a place.
  const answers = new Map<string, Answer>()
  for (const pod of queue) {
    const wish = wishOf(cluster, pod)
    const key = keyOf(wish, round)
    const answer = answers.get(key) ?? findPlace(round, wish)
    answers.set(key, answer)
    if (answer.kind === 'none') explain(cluster, pod, answer.message)
    else {
      bind(cluster, pod, { node: answer.node, units: answer.units })
      answer.facts.pods.push(wish.facts)
      if (hasNeighborRules(wish.facts)) round = { ...round, repelling: round.nodes.flatMap(repellingOn) }
      for (const unit of answer.units) {
        const left = round.free(unit.resource)
        left.set(answer.node, left.get(answer.node)?.filter((each) => each !== unit) ?? [])
      }
      answers.clear()
    }
  }
}

/** Whoever names another scheduler waits for that one. */
const isOurs = ({ written }: LivePod): boolean =>
  written === undefined || textIn(written, 'spec', 'schedulerName') === 'default-scheduler'

type Wish = {
  readonly facts: SchedulablePod
  readonly devices: readonly (readonly [resource: string, count: number])[]
  /** Whether CPU, memory and the number of pods count. */
  readonly counted: boolean
}
type Node = { readonly node: NodeSpec; readonly facts: SchedulableNode }
type Round = NodeNeighbors & {
  readonly open: readonly Node[]
  readonly free: FreeUnits
  readonly choose: Demo['choose']
}
type Answer =
  | {
      readonly kind: 'place'
      readonly node: NodeSpec
      readonly facts: SchedulableNode
      readonly units: readonly Unit[]
    }
  | { readonly kind: 'none'; readonly message: string }

/** The cluster as it is when the scheduler looks at it. */
function beginRound(cluster: Demo): Round {
  const placed = placedPods(cluster)
  const open = cluster.world.nodes.flatMap((node): Node | [] => {
    const object = cluster.store.get(NODE, node.name)?.read()
    return object === undefined ? [] : { node, facts: nodeFacts(object, placed.get(node.name) ?? []) }
  })
  const nodes = open.map(({ facts }) => facts)
  return {
    open,
    nodes,
    free: freeUnits(cluster),
    choose: cluster.choose,
    repelling: nodes.flatMap(repellingOn),
    namespaceLabels: (name) => labelsOfNamespace(cluster, name),
  }
}

/** Pods by their node. Only what people make asks after them, so without any of that nothing is read. */
function placedPods(cluster: Demo): ReadonlyMap<string, SchedulablePod[]> {
  if (![...cluster.pods.values()].some(({ byPeople }) => byPeople)) return new Map()
  const placed = cluster.store.list(POD).map(podFacts)
  return Map.groupBy(
    placed.filter(({ node, living }) => node !== '' && living),
    ({ node }) => node,
  )
}

const labelsOfNamespace = (cluster: Demo, name: string): JsonObject =>
  objectAt(cluster.store.get(kindNamed('Namespace'), name)?.read(), 'metadata', 'labels')

function wishOf(cluster: Demo, { key, byPeople }: LivePod): Wish {
  const entry = cluster.store.get(POD, key)
  if (entry === undefined) throw new Error(`pod ${key} waits and is not in the store`)
  const facts = podFacts(entry)
  const devices = [...facts.requests].filter(([name, count]) => name.startsWith('nvidia.com/') && count > 0)
  // The demo's own work asks for more CPU and memory than its nodes have, so only what people bring is held to it.
  return { facts, devices, counted: byPeople }
}

/** Equal for pods that get the same answer. */
function keyOf({ facts, counted }: Wish, { repelling }: Round): string {
  const { namespace, labels, spec, requests, ports } = facts
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints } = spec
  const seen = repelling.length > 0 || hasNeighborRules(facts) ? [namespace, labels] : []
  const rules = { nodeSelector, affinity, tolerations, topologySpreadConstraints }
  return JSON.stringify([counted, rules, [...requests], ports, seen])
}

/** A node that can take what is asked for, or why none can. */
function findPlace(round: Round, wish: Wish): Answer {
  const neighbors = neighborRefusals(wish.facts, round)
  const refusals: string[] = []
  const places: Node[] = []
  for (const node of round.open) {
    const found = refusalsOn(round, node, { wish, neighbors })
    refusals.push(...found)
    if (found.length === 0) places.push(node)
    if (found.length === 0 && round.choose === undefined) break
  }
  const place = places[round.choose?.(places.length) ?? 0]
  if (place === undefined) return { kind: 'none', message: refusalMessage(round.open.length, refusals) }
  const units = wish.devices.flatMap(([resource, count]) => freeOn(round, place, resource).slice(0, count))
  return { kind: 'place', ...place, units }
}

type Asked = { readonly wish: Wish; readonly neighbors: ReturnType<typeof neighborRefusals> }

/** Why a node does not take a pod: what the first of the scheduler's plugins says that minds. */
function refusalsOn(round: Round, node: Node, { wish, neighbors }: Asked): readonly string[] {
  const { facts, devices, counted } = wish
  const refusal = filterRefusal(node.facts, facts)
  if (refusal !== undefined) return [refusal]
  const missing = devices.filter(([resource, count]) => freeOn(round, node, resource).length < count)
  const lacks = [
    ...(counted ? lacking(node.facts, facts) : []),
    ...missing.map(([resource]) => `Insufficient ${resource}`),
  ]
  return lacks.length > 0 ? lacks : [neighbors(node.facts) ?? []].flat()
}

const freeOn = ({ free }: Round, { node }: Node, resource: string): readonly Unit[] => free(resource).get(node) ?? []

function bind(cluster: Demo, pod: LivePod, place: { node: NodeSpec; units: readonly Unit[] }): void {
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

function explain(cluster: Demo, pod: LivePod, message: string): void {
  if (message === pod.state.message) return
  changePod(cluster, pod, { message })
  sayUnplaced(cluster, pod, message)
}

/** The scheduler's sentence for what each node said; a node may lack several things. */
function refusalMessage(nodes: number, reasons: readonly string[]): string {
  const counted = [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, { length }]) => `${length} ${reason}`)
    .toSorted(compareText)
  const hopeless = reasons.filter((reason) => HOPELESS.some((words) => reason.startsWith(words))).length
  const rest = nodes - hopeless
  const preemption = [
    ...(hopeless > 0 ? [`${hopeless} Preemption is not helpful for scheduling`] : []),
    ...(rest > 0 ? [`${rest} No preemption victims found for incoming pod`] : []),
  ]
  return `0/${nodes} nodes are available: ${counted.join(', ')}. preemption: 0/${nodes} nodes are available: ${preemption.join(', ')}.`
}

/** What no eviction of pods would change. */
const HOPELESS = [
  'node(s) were unschedulable',
  'node(s) had untolerated taint',
  "node(s) didn't match Pod's node affinity/selector",
  "node(s) didn't match pod topology spread constraints (missing",
  "node(s) didn't match pod affinity rules",
] as const

/** Devices that nobody holds, by resource and node. */
type FreeUnits = (resource: string) => Map<NodeSpec, readonly Unit[]>

/** What the device plugins could hand out now; looked up once for each resource. */
function freeUnits(cluster: Demo): FreeUnits {
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
  const openOn = (name: string, resource: string): readonly Unit[] => {
    const withheld = withheldUnit(cluster, name)
    return world.unitsOf(name).filter((unit) => unit.resource === resource && unit !== withheld && isFree(unit))
  }
  return (resource) => {
    const found = known.get(resource)
    if (found !== undefined) return found
    const open = world.nodes.filter(({ name }) => !paused.has(name) && !withoutPlugin.has(name))
    const units = open.flatMap(({ name }) => openOn(name, resource))
    const grouped = new Map<NodeSpec, readonly Unit[]>(Map.groupBy(units, ({ node }) => node))
    known.set(resource, grouped)
    return grouped
  }
}

/** Units that a bound pod is about to use. */
function expectedUnits(cluster: Demo): ReadonlySet<Unit> {
  const expected = new Set<Unit>()
  for (const pod of cluster.pods.values()) {
    if (pod.seated && pod.state.phase === 'starting') for (const unit of pod.units) expected.add(unit)
  }
  return expected
}
