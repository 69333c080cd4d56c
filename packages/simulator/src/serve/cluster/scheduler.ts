import { compareText } from '@septet/domain'
import type { Unit } from '../../model/berths.ts'
import type { NodeSpec } from '../../model/fleet.ts'
import { mix, seedOf, uuidOf } from '../../model/hash.ts'
import { listAt, objectAt, textAt, valueAt } from '../kube/json.ts'
import type { JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { timeText } from '../kube/write.ts'
import { NODE, changePod, unitsNow } from './cluster.ts'
import type { Cluster, LivePod } from './cluster.ts'
import { runPod } from './lifecycle.ts'

const EVENT = kindNamed('Event')
// From binding to running: the image is there already, the container starts.
const START_MS = 6_000

/** Finds places for waiting pods, oldest first, when anything changed that may let one in. */
export function schedule(cluster: Cluster): void {
  if (!cluster.stirred || cluster.waiting.size === 0) return
  cluster.stirred = false
  const nodes = cluster.world.nodes.map((node) => ({ node, object: cluster.store.get(NODE, node.name)?.read() ?? {} }))
  const free = new Map<string, ReadonlyMap<string, readonly Unit[]>>()
  const freeFor = (resource: string): ReadonlyMap<string, readonly Unit[]> => {
    const known = free.get(resource) ?? freeUnits(cluster, nodes, resource)
    free.set(resource, known)
    return known
  }
  const queue = [...cluster.waiting].toSorted(
    (a, b) => a.state.createdAt - b.state.createdAt || compareText(a.key, b.key),
  )
  for (const pod of queue) {
    const wish = wishOf(pod)
    const fits = nodes.find(({ node, object }) => refusal(cluster, pod, { node, object, wish, freeFor }) === undefined)
    if (fits === undefined)
      explain(
        cluster,
        pod,
        nodes.map((each) => refusal(cluster, pod, { ...each, wish, freeFor }) ?? ''),
      )
    else {
      const taken = wish === undefined ? [] : (freeFor(wish.resource).get(fits.node.name) ?? []).slice(0, wish.count)
      bind(cluster, pod, { node: fits.node, units: taken })
      free.clear()
    }
  }
}

type Wish = { readonly resource: string; readonly count: number }
type Candidate = {
  readonly node: NodeSpec
  readonly object: JsonObject
  readonly wish: Wish | undefined
  readonly freeFor: (resource: string) => ReadonlyMap<string, readonly Unit[]>
}

function wishOf(pod: LivePod): Wish | undefined {
  const found = Object.entries(pod.state.requests).find(([name]) => name.startsWith('nvidia.com/'))
  return found === undefined ? undefined : { resource: found[0], count: Number(found[1]) }
}

/** Why a node cannot take a pod, as the scheduler words it; undefined when it can. */
function refusal(cluster: Cluster, pod: LivePod, { node, object, wish, freeFor }: Candidate): string | undefined {
  if (valueAt(object, 'spec', 'unschedulable') === true) return 'node(s) were unschedulable'
  const [taint] = listAt(object, 'spec', 'taints')
  if (taint !== undefined) return `node(s) had untolerated taint {${textAt(taint, 'key')}: ${textAt(taint, 'value')}}`
  const labels = objectAt(object, 'metadata', 'labels')
  const wanted = Object.entries(pod.state.nodeSelector ?? {})
  if (!wanted.every(([key, value]) => labels[key] === value)) return "node(s) didn't match Pod's node affinity/selector"
  if (wish === undefined) return undefined
  const free = cluster.paused.has(node.name) ? 0 : (freeFor(wish.resource).get(node.name)?.length ?? 0)
  return free >= wish.count ? undefined : `Insufficient ${wish.resource}`
}

function freeUnits(
  cluster: Cluster,
  nodes: readonly { readonly node: NodeSpec }[],
  resource: string,
): ReadonlyMap<string, readonly Unit[]> {
  const expected = expectedUnits(cluster)
  return new Map(
    nodes.map(({ node }) => {
      const units = unitsNow(cluster, node.name).filter((unit) => unit.resource === resource && isFree(cluster, unit))
      return [node.name, units.filter((unit) => !expected.has(unit))]
    }),
  )
}

const isFree = (cluster: Cluster, unit: Unit): boolean =>
  unit.gpu.xid === undefined && cluster.world.holderAt(unit, cluster.now()) === undefined

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
  cluster.store.remove(EVENT, eventKey(pod))
  changePod(cluster, pod, { phase: 'starting', node: place.node, boundAt: now, message: undefined })
  cluster.agenda.at(now + START_MS, () => runPod(cluster, pod))
}

function explain(cluster: Cluster, pod: LivePod, reasons: readonly string[]): void {
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
  const message = `0/${all} nodes are available: ${counted.join(', ')}. preemption: 0/${all} nodes are available: ${preemption.join(', ')}.`
  if (message === pod.state.message) return
  changePod(cluster, pod, { message })
  putEvent(cluster, pod, message)
}

const eventKey = (pod: LivePod): string => keyOf(pod.state.namespace, eventName(pod))
const eventName = (pod: LivePod): string => `${pod.state.name}.${(pod.state.seed ^ 0x1f2e3d).toString(16)}`

function putEvent(cluster: Cluster, pod: LivePod, message: string): void {
  const { namespace, name, uid, createdAt, seed } = pod.state
  const now = timeText(cluster.now())
  cluster.store.put(EVENT, eventKey(pod), () => ({
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: eventName(pod), namespace, uid: uuidOf(mix(seed, seedOf(name))), creationTimestamp: now },
    involvedObject: { kind: 'Pod', namespace, name, uid, apiVersion: 'v1' },
    reason: 'FailedScheduling',
    message,
    source: { component: 'default-scheduler' },
    firstTimestamp: timeText(createdAt),
    lastTimestamp: now,
    count: 1,
    type: 'Warning',
    reportingComponent: 'default-scheduler',
    reportingInstance: '',
  }))
}
