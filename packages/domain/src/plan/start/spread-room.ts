import { isKeptLabel } from '../../cluster/kept-labels.ts'
import { matchLabels, type Match, type OtherNode } from '../../cluster/neighbors.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import type { Slots } from '../../fleet/fits.ts'
import { HOSTNAME, NAME_FIELD, unkeptKey, type Barrier } from '../../fleet/node-barriers.ts'
import { onceFor } from '../../once-for.ts'
import type { AskedPods, SpreadRule } from './asked-job.ts'

export type SpreadQuestion = { readonly pods: AskedPods; readonly slots: readonly Slots[]; readonly namespace: string }

/** A rule that decides anew with every pod that is placed: how many domains have room, and how many pods it counts in each. */
export type Turns = {
  readonly topologyKey: string
  readonly domains: number
  readonly standing: ReadonlyMap<string, number>
}

/** What rules about where other pods are leave of the places that nodes have for some pods. */
export type SpreadRoom = {
  /** Places that pods which are there already do not close. */
  readonly slots: readonly Slots[]
  readonly turns: Turns | undefined
  /** Pods that find a place wherever the scheduler puts each, by what is known. */
  readonly sure: number
  /** The same at best, and at best by Kubernetes' own count. */
  readonly known: number
  readonly most: number
  /** Whether other pods may carry the labels that the rule counts. */
  readonly like: boolean
}

export function spreadRoom(fleet: CountedFleet, { pods, slots: all, namespace }: SpreadQuestion): SpreadRoom {
  const ruled = pods.spread.map((rule) => ({ rule, standing: standingOf(fleet, namespace, rule) }))
  const slots = ruled.reduce((left, each) => (each.rule.most === 'apart' ? apart(fleet, left, each) : left), all)
  const surely = slots.map((slot) => (slot.unsure === undefined ? slot : { ...slot, count: slot.sure }))
  const moving = ruled.filter(({ rule }) => rule.most !== 'apart' || (rule.own && rule.topologyKey !== HOSTNAME))
  const rooms = moving.map((each) => ({
    known: roomUnder(fleet, each, { pods, slots: surely, namespace }),
    best: roomUnder(fleet, each, { pods, slots, namespace }),
  }))
  const [first, ...more] = rooms
  const known = Math.min(sumOf(surely), ...rooms.map((each) => each.known.most))
  return {
    slots,
    turns: moving[0] && turnsOf(fleet, slots, moving[0]),
    // Of several rules at once only what they say of the first pod is known for sure.
    sure:
      more.length > 0
        ? Math.min(1, sumOf(surely.filter((slot) => rooms.every((each) => each.known.open(slot)))))
        : (first?.known.sure ?? known),
    known,
    most: Math.min(sumOf(slots), ...rooms.map((each) => each.best.most)),
    like: rooms.some(({ best }) => best.like),
  }
}

const sumOf = (slots: readonly Slots[]): number => slots.reduce((sum, { count }) => sum + count, 0)

/** Pods that are there already and that a rule is about: how many on each node, and where there may be more. */
type Standing = {
  readonly on: ReadonlyMap<string, number>
  readonly maybe: ReadonlySet<string>
  readonly anywhere: boolean
}
type Ruled = { readonly rule: SpreadRule; readonly standing: Standing }

/** Plugins InterPodAffinity and PodTopologySpread count pods that are bound, whatever they ask for. */
function standingOf(fleet: CountedFleet, namespace: string, rule: SpreadRule): Standing {
  const { selector, namespaces = [namespace] } = rule
  const key = JSON.stringify([namespaces, selector])
  const known = standingKnown(fleet).get(key)
  if (known !== undefined) return known
  const reaches = (other: string): boolean => namespaces === 'all' || namespaces.includes(other)
  const met = [...ofPods(fleet, rule, reaches), ...ofBystanders(fleet, rule, reaches)].filter(
    ({ meant }) => meant !== 'no',
  )
  const on = new Map<string, number>()
  for (const { meant, node, count } of met)
    if (meant === 'yes' && node !== undefined) on.set(node, (on.get(node) ?? 0) + count)
  const standing = {
    on,
    maybe: new Set(met.flatMap(({ meant, node }) => (meant === 'maybe' ? (node ?? []) : []))),
    anywhere: met.some(({ node }) => node === undefined),
  }
  standingKnown(fleet).set(key, standing)
  return standing
}

/** Pods that a rule may be about; `node` is undefined where it is not known. */
type Met = { readonly meant: Match; readonly node: string | undefined; readonly count: number }
type Reaches = (namespace: string) => boolean

function ofPods({ snapshot, nodes, ahead }: CountedFleet, { selector }: SpreadRule, reaches: Reaches): readonly Met[] {
  const workloads = new Map(snapshot.workloads.map((each) => [each.id, each]))
  const pods = [...nodes.flatMap((on) => on.pods), ...ahead].filter(({ namespace }) => reaches(namespace))
  return pods.map(({ workload, node }) => {
    const { labels, pods: own = [] } = workloads.get(workload) ?? {}
    // A label on which its pods differ is not kept of a workload.
    return { meant: matchLabels(selector, labels ?? {}, labels !== undefined && own.length === 1), node, count: 1 }
  })
}

function ofBystanders({ snapshot }: CountedFleet, { selector }: SpreadRule, reaches: Reaches): readonly Met[] {
  const found = (snapshot.neighbors?.labels ?? []).filter(({ namespace }) => reaches(namespace))
  return found.flatMap(({ labels, on }): readonly Met[] => {
    const meant = matchLabels(selector, labels)
    if (on === undefined) return [{ meant, node: undefined, count: 1 }]
    return Object.entries(on).map(([node, count]) => ({ meant, node, count }))
  })
}

const standingKnown = onceFor((_fleet: CountedFleet) => new Map<string, Standing>())

type Labels = OtherNode['labels']

const labelsByNode = onceFor(
  ({ snapshot }: CountedFleet): ReadonlyMap<string, Labels> =>
    new Map([
      ...(snapshot.neighbors?.others ?? []).map(({ name, labels }) => [name, labels] as const),
      ...snapshot.nodes.map(({ name, room }) => [name, room.labels] as const),
    ]),
)

/** The kubelet gives its node the label of its name. */
export const domainOf = (name: string, labels: Labels | undefined, key: string): string | undefined =>
  key === HOSTNAME ? name : labels?.[key]

const domainsOf = (fleet: CountedFleet, nodes: Iterable<string>, key: string): ReadonlySet<string | undefined> =>
  new Set([...nodes].map((name) => domainOf(name, labelsByNode(fleet).get(name), key)))

/** A node that is not known may be in any domain but that of another node's name. */
const isAnywhere = (fleet: CountedFleet, { rule, standing: { on, maybe, anywhere } }: Ruled): boolean =>
  anywhere || (rule.topologyKey !== HOSTNAME && [...on.keys(), ...maybe].some((name) => !labelsByNode(fleet).has(name)))

export const LIKE = 'pods that may carry the labels of its spread or anti-affinity rule run already'
const KEPT_AWAY: Barrier = { kind: 'repelled', words: 'its anti-affinity keeps its pods away from pods there' }

/** Without the places in domains of pods that a rule of anti-affinity is about; on one node one of these at most. */
function apart(fleet: CountedFleet, slots: readonly Slots[], ruled: Ruled): readonly Slots[] {
  const { rule, standing } = ruled
  const { topologyKey: key } = rule
  const closed = domainsOf(fleet, standing.on.keys(), key)
  const open = domainsOf(fleet, standing.maybe, key)
  const anywhere = isAnywhere(fleet, ruled)
  const cap = rule.own && key === HOSTNAME ? 1 : Infinity
  const doubtAt = (domain: string | undefined): string | undefined =>
    domain === undefined ? notKept(key) : anywhere || open.has(domain) ? LIKE : undefined
  return slots.map((slot) => {
    const domain = domainOf(slot.on.node.name, slot.on.node.room.labels, key)
    if (slot.count === 0 || (domain === undefined && isKeptLabel(key))) return slot
    if (domain !== undefined && closed.has(domain))
      return { ...slot, count: 0, sure: 0, because: KEPT_AWAY, unsure: undefined }
    return atMost(slot, cap, doubtAt(domain))
  })
}

function atMost(slot: Slots, cap: number, doubt: string | undefined): Slots {
  const count = Math.min(slot.count, cap)
  const sure = doubt === undefined ? Math.min(slot.sure, cap) : 0
  return { ...slot, count, sure, unsure: sure < count ? (slot.unsure ?? doubt) : undefined }
}

const notKept = (key: string): string => `Septet does not keep the node label ${key}`

type Place = {
  readonly domain: string | undefined
  readonly room: number
  /** Whether the rule counts the node. */
  readonly counts: Match
  readonly standing: number
  readonly maybe: boolean
}

type Room = {
  readonly sure: number
  readonly most: number
  readonly like: boolean
  /** Whether a place takes the next pod for sure. */
  readonly open: (slot: Slots) => boolean
}

/**
 * Pods that find a place under a rule that decides with every pod. Pods go on until each domain is full or as far ahead as
 * may be of the emptiest, which is full then: in whatever order they go, as many do.
 */
function roomUnder(fleet: CountedFleet, ruled: Ruled, { pods, slots }: SpreadQuestion): Room {
  const { rule } = ruled
  const places = placesFor(fleet, ruled, { pods, slots })
  const counted = places.filter(({ counts, domain }) => counts !== 'no' && domain !== undefined)
  const all = sumOf(slots)
  const like = rule.most !== 'apart' && (isAnywhere(fleet, ruled) || counted.some(({ maybe }) => maybe))
  // A node that may lack the label of the rule takes no such pod if it does.
  if (like || places.some(({ domain, room }) => domain === undefined && room > 0))
    return { sure: 0, most: all, like, open: () => false }
  const choices = [counted, counted.filter(({ counts }) => counts === 'yes')]
  const others = areOthersKnown(fleet, pods, rule) ? [] : choices.map((each) => [...each, ELSEWHERE])
  const found = [...choices, ...others].map((each) => domainsIn(each))
  const totals = found.map((each) => totalIn(each, rule))
  const open = ({ on: { node } }: Slots): boolean =>
    found.every((each) => takesNext(each, rule, domainOf(node.name, node.room.labels, rule.topologyKey)))
  return { sure: Math.min(...totals), most: Math.max(...totals), like, open }
}

/** A domain of nodes that are not known. */
const ELSEWHERE: Place = { domain: '\n', room: 0, counts: 'maybe', standing: 0, maybe: false }

const areOthersKnown = (fleet: CountedFleet, { scheduling }: AskedPods, { topologyKey: key }: SpreadRule): boolean =>
  fleet.snapshot.neighbors?.others !== undefined &&
  unkeptKey(fleet, scheduling) === undefined &&
  (key === HOSTNAME || isKeptLabel(key))

type Domain = Pick<Place, 'domain' | 'room' | 'standing'>

const domainsIn = (places: readonly Place[]): readonly Domain[] =>
  [...Map.groupBy(places, ({ domain }) => domain)].map(([domain, same]) => ({
    domain,
    room: same.reduce((sum, { room }) => sum + room, 0),
    standing: same.reduce((sum, { standing }) => sum + standing, 0),
  }))

function totalIn(domains: readonly Domain[], { most, own, minDomains = 1 }: SpreadRule): number {
  if (most === 'apart') return domains.filter(({ room }) => room > 0).length
  const levels = domains.map(({ room, standing }) => (own ? standing + room : standing))
  const limit = (domains.length < minDomains ? 0 : Math.min(...levels)) + most
  return domains.reduce((sum, { room, standing }) => {
    const left = own ? Math.max(0, limit - standing) : standing <= limit ? Infinity : 0
    return sum + Math.min(room, left)
  }, 0)
}

/** Whether a domain takes one more pod as things are. */
function takesNext(
  domains: readonly Domain[],
  { most, own, minDomains = 1 }: SpreadRule,
  domain: string | undefined,
): boolean {
  if (most === 'apart') return true
  const least = domains.length < minDomains ? 0 : Math.min(...domains.map(({ standing }) => standing))
  return domains.some((each) => each.domain === domain && each.standing + Number(own) - least <= most)
}

function placesFor(
  fleet: CountedFleet,
  { rule, standing }: Ruled,
  { pods, slots }: Omit<SpreadQuestion, 'namespace'>,
): readonly Place[] {
  const place = (name: string, labels: Labels, more: Pick<Place, 'room' | 'counts'>): Place => ({
    ...more,
    domain: domainOf(name, labels, rule.topologyKey),
    standing: standing.on.get(name) ?? 0,
    maybe: standing.maybe.has(name),
  })
  const others = fleet.snapshot.neighbors?.others ?? []
  return [
    ...slots.map(({ on: { node }, count, because }) =>
      place(node.name, node.room.labels, { room: count, counts: countsAs(because?.kind, rule) }),
    ),
    ...others.map(({ name, labels, taints }) => {
      const named = { [HOSTNAME]: name, [NAME_FIELD]: name, ...labels }
      const refusal = nodeRefusal(pods.scheduling, { labels: named, taints })
      const kind = refusal === undefined ? undefined : refusal.startsWith('untolerated') ? 'taint' : 'rules'
      return place(name, labels, { room: 0, counts: countsAs(kind, rule) })
    }),
  ]
}

/** A rule counts the nodes that the pods' own rules allow, and those with taints too, unless it says otherwise. */
function countsAs(barrier: Barrier['kind'] | undefined, { anyNode, honorsTaints }: SpreadRule): Match {
  if (barrier === 'rules') return anyNode !== true ? 'no' : honorsTaints === true ? 'maybe' : 'yes'
  if (honorsTaints !== true) return 'yes'
  return barrier === 'taint' ? 'no' : barrier === 'closed' ? 'maybe' : 'yes'
}

function turnsOf(fleet: CountedFleet, slots: readonly Slots[], { rule, standing }: Ruled): Turns {
  const { topologyKey } = rule
  const counts = new Map<string, number>()
  for (const [name, count] of standing.on) {
    const domain = domainOf(name, labelsByNode(fleet).get(name), topologyKey)
    if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + count)
  }
  const roomy = slots.flatMap(({ on, count }) => (count > 0 ? on.node.name : []))
  return { topologyKey, domains: domainsOf(fleet, roomy, topologyKey).size, standing: counts }
}
