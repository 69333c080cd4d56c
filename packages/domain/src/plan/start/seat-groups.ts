import { isControllersLabel } from '../../cluster/neighbors.ts'
import type { AskedPods, SpreadRule } from './asked-job.ts'
import { onceFor } from '../../once-for.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import { devicesOf, fits, type Slots } from '../../fleet/fits.ts'

/** How many of a group's pods start, and how sure that is. */
export type Seating = {
  readonly pods: AskedPods
  readonly slots: readonly Slots[]
  /** Pods that start however the scheduler seats what comes beside and before them. */
  readonly sure: number
  /** Pods that start at best. */
  readonly most: number
  /** Why the two differ. */
  readonly unsure: readonly string[]
}

/** Pods that compete for the same places. */
type Rivals = { readonly pods: readonly AskedPods[]; readonly because: string }

export type SeatQuestion = {
  readonly namespace: string
  readonly groups: readonly AskedPods[]
  readonly rivals: readonly Rivals[]
}

/** Seats the groups of a job, each for itself: what each gets at worst and at best beside the others. */
export function seatGroups(fleet: CountedFleet, { namespace, groups, rivals }: SeatQuestion): readonly Seating[] {
  return groups.map((pods) => {
    const slots = fits(fleet, pods, namespace)
    const like = pods.spread.some((rule) => hasLike(fleet, namespace, rule))
    const all = spreadRoom(slots, pods.spread, like)
    const known = spreadRoom(like ? [] : slots.flatMap(surely), pods.spread)
    const others: Rivals = { pods: groups.filter((other) => other !== pods), because: BESIDE }
    const losses = [others, ...rivals].map((rival) => ({
      because: rival.because,
      lost: rival.pods.reduce((sum, each) => sum + lossBy(fleet, { pods, slots }, { each, namespace }), 0),
    }))
    const lost = losses.reduce((sum, each) => sum + each.lost, 0)
    const sure = Math.max(0, known.sure - lost)
    const most = isWithoutGpus(pods) ? pods.count : Math.min(pods.count, all.most)
    const unsure = [
      ...(isWithoutGpus(pods) ? [WITHOUT_GPUS] : []),
      ...(like ? [LIKE] : known.most < most ? unsureWords(slots) : []),
      ...(known.sure < Math.min(most, known.most) ? [SPREAD] : []),
      ...losses.flatMap((each) => (each.lost > 0 && known.sure - lost < most ? each.because : [])),
    ]
    return { pods, slots, sure: Math.min(pods.count, sure), most, unsure }
  })
}

/** What is left of a node's slots by all that is known. */
const surely = (slots: Slots): readonly Slots[] =>
  slots.unsure === undefined ? [slots] : slots.sure > 0 ? [{ ...slots, count: slots.sure }] : []

/** Pods that need no GPU may run on nodes that have none, which are not kept. */
const isWithoutGpus = (pods: AskedPods): boolean => devicesOf(pods).length === 0
const WITHOUT_GPUS = 'some of its pods ask for no GPU, and nodes without GPUs are not read'

const BESIDE = 'where the scheduler puts its first pods decides whether the others still fit'
const SPREAD = 'its spread rule may count nodes without GPUs, which Septet does not keep'

const LIKE = 'pods that may carry the labels of its spread or anti-affinity rule run in this namespace already'

/** Whether other work of the namespace may carry the labels that the rule counts. */
function hasLike(fleet: CountedFleet, namespace: string, { labels }: SpreadRule): boolean {
  const key = JSON.stringify([namespace, labels])
  const { snapshot } = fleet
  const found =
    likesKnown(fleet).get(key) ??
    (snapshot.workloads.some(
      (workload) =>
        workload.namespace === namespace &&
        // A label on which its pods differ is not kept of a workload.
        Object.entries(labels).every(([name, value]) => (workload.labels?.[name] ?? value) === value),
    ) ||
      bystanders(snapshot, namespace, labels))
  likesKnown(fleet).set(key, found)
  return found
}

const likesKnown = onceFor((_fleet: CountedFleet) => new Map<string, boolean>())

/** The same for pods without GPUs. */
const bystanders = (
  { neighbors }: CountedFleet['snapshot'],
  namespace: string,
  labels: SpreadRule['labels'],
): boolean =>
  neighbors?.labels.some(
    (other) =>
      other.namespace === namespace &&
      Object.entries(labels).every(([name, value]) => (isControllersLabel(name) ? true : other.labels[name] === value)),
  ) === true

const unsureWords = (slots: readonly Slots[]): readonly string[] => [
  ...new Set(slots.flatMap(({ unsure }) => unsure ?? [])),
]

type Of = { readonly pods: AskedPods; readonly slots: readonly Slots[] }

/** The most places for the pods that others, all of them, can take away wherever they go. */
function lossBy(fleet: CountedFleet, { pods, slots }: Of, other: { each: AskedPods; namespace: string }): number {
  const { each, namespace } = other
  // Both in the order of the fleet's nodes.
  const theirs = fits(fleet, each, namespace)
  const room = slots.reduce((sum, { count }, at) => ((theirs[at]?.count ?? 0) > 0 ? sum + count : sum), 0)
  return room === 0 ? 0 : Math.min(room, each.count * lossByOne(pods, each))
}

/** The most places on one node that one other pod can take away. */
export function lossByOne(pods: AskedPods, other: AskedPods): number {
  const { requests, claims, either = [] } = other
  const devices = [
    ...lost(pods.requests, [...requests, ...either]),
    ...lost(pods.claims, [...claims, ...either]),
    ...lost(pods.either ?? [], devicesOf(other)),
  ]
  // Instances of another profile may lie where several of these would have been cut.
  const cut =
    pods.claims.length > 0 && claims.length > 0 ? claims.reduce((sum, { count }) => sum + count * MOST_PER_GPU, 0) : 0
  const { cpuMilli, memory } = pods.scheduling
  const cpu = cpuMilli > 0 ? Math.ceil(other.scheduling.cpuMilli / cpuMilli) : 0
  const ram = memory > 0 ? Math.ceil(other.scheduling.memory / memory) : 0
  return Math.max(0, cut, cpu, ram, ...devices)
}

const lost = (own: readonly GpuRequest[], theirs: readonly GpuRequest[]): readonly number[] =>
  own.map(({ resource, count }) => Math.ceil((theirs.find((one) => one.resource === resource)?.count ?? 0) / count))

/** Instances that one GPU can hold. */
const MOST_PER_GPU = 8

/**
 * How many pods have room under rules that spread them. `sure` counts as if some node or zone that Septet does not keep
 * took none of them, so that no other may get far ahead of it; `most` as if there were none such. `like`: other pods may
 * carry the labels that the rules count, and a node or zone without them may then take more than the others.
 */
function spreadRoom(
  slots: readonly Slots[],
  rules: readonly SpreadRule[],
  like = false,
): { readonly sure: number; readonly most: number } {
  const [rule, ...more] = rules
  const all = slots.reduce((sum, { count }) => sum + count, 0)
  if (rule === undefined) return { sure: all, most: all }
  // Nodes that the pods' own affinity rules out are not domains; those with taints are.
  const domains = domainsOf(
    slots.filter(({ because }) => because?.kind !== 'rules'),
    rule.topologyKey,
  )
  const { most } = rule
  if (domains === undefined || more.length > 0 || (like && most !== 'apart')) return { sure: 0, most: all }
  if (most === 'apart') {
    const apart = domains.filter((count) => count > 0).length
    return { sure: apart, most: apart }
  }
  const least = Math.min(...domains, Infinity)
  const upTo = (limit: number): number => domains.reduce((sum, count) => sum + Math.min(count, limit), 0)
  return { sure: upTo(most), most: least === Infinity ? 0 : Math.max(upTo(most), upTo(least + most)) }
}

/** Places in each domain; undefined where the nodes' labels do not tell the domains. */
function domainsOf(slots: readonly Slots[], key: string): readonly number[] | undefined {
  if (key === 'kubernetes.io/hostname') return slots.map(({ count }) => count)
  const sums = new Map<string, number>()
  for (const { on, count } of slots) {
    const value = on.node.room.labels[key]
    if (value === undefined) {
      // A node without the label takes no such pod.
      if (count > 0) return undefined
      continue
    }
    sums.set(value, (sums.get(value) ?? 0) + count)
  }
  return [...sums.values()]
}
