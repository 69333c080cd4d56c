import type { AskedJob, AskedPods } from './asked-job.ts'
import { pushesBelow } from './priority-class.ts'
import { isHeldBack, jobLimits, type JobLimits } from './job-limits.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import type { Pod } from '../../cluster/workload.ts'
import { onceFor } from '../../once-for.ts'
import { pushOut, withoutPods, type PushedOut } from './push-out.ts'
import { askOfPod, fits } from '../../fleet/fits.ts'
import { isServedByDra } from '../../fleet/gpu-state.ts'
import { seatGroups, type Seating } from './seat-groups.ts'
import type { StartVerdict } from './start-answer.ts'

/** What decides about a job, before it is put into words. */
export type Judged = {
  readonly verdict: StartVerdict
  readonly limits: JobLimits
  /** Groups as they were judged: those that ask for the same are one. */
  readonly seatings: readonly Seating[]
  /** Pods that start for sure. */
  readonly starting: number
  /** Groups that lack room even at best. */
  readonly lacking: readonly Seating[]
  readonly unknown: readonly string[]
  /** Pods of lower priority that go for it. */
  readonly evicted: readonly Pod[]
}

/**
 * Judges one job as if it were submitted now; `beside` are jobs that come with it. Pods of lower priority go where that lets
 * it start.
 */
export function judgeJob(fleet: CountedFleet, job: AskedJob, beside: readonly AskedJob[]): Judged {
  const judged = judgeOn(fleet, job, beside)
  const pushed = judged.unknown.includes(PREEMPTION) ? pushedFor(fleet, job, judged) : undefined
  const after = pushed && judgeOn(pushed.fleet, job, beside)
  return after?.verdict === 'now' ? { ...after, evicted: pushed?.evicted ?? [] } : judged
}

/** The fleet once all groups that lack room have made some; undefined where that is not known. */
function pushedFor(fleet: CountedFleet, { namespace }: AskedJob, { lacking }: Judged): PushedOut | undefined {
  let pushed: PushedOut = { fleet, evicted: [] }
  for (const { pods } of lacking) {
    const priority = pushesBelow(fleet.snapshot.priorityClasses, pods) ?? Infinity
    const more: PushedOut | undefined = Number.isFinite(priority)
      ? pushOut(pushed.fleet, { pods, namespace, priority })
      : undefined
    if (more === undefined) return undefined
    pushed = { fleet: more.fleet, evicted: [...pushed.evicted, ...more.evicted] }
  }
  return pushed
}

function judgeOn(fleet: CountedFleet, job: AskedJob, beside: readonly AskedJob[]): Judged {
  const limits = jobLimits(fleet, job)
  const matter = (fleet.snapshot.neighbors?.repulsions ?? []).length > 0
  const seatings = seatGroups(fleet, {
    namespace: job.namespace,
    groups: mergeAlike(job.groups.map((pods) => withFlavor(matter ? pods : { ...pods, labels: {} }, limits))),
    rivals: [
      { pods: beside.flatMap(({ groups }) => groups), because: 'other work of this manifest may take its places' },
      { pods: aheadOf(fleet), because: 'the scheduler has not decided about pods that are there already' },
    ],
  })
  const lacking = seatings.filter(({ most, pods: { count } }) => most < count)
  const open = unknownOf(job, { limits, seatings })
  const held = job.stopped.length > 0 || isHeldBack(limits)
  const hopes = lacking.map(
    (seating) =>
      hopeOfClaims(fleet, seating.pods) ??
      (job.isSubmitted === true ? undefined : hopeOfNewNode(fleet, seating)) ??
      (mayPreempt(fleet, seating.pods, job.namespace) ? PREEMPTION : undefined),
  )
  const mayStart = !held && lacking.length > 0 && !hopes.includes(undefined)
  const unknown = mayStart ? [...new Set([...open, ...hopes.flatMap((hope) => hope ?? [])])] : open
  const verdict = verdictOf(job, { waits: held || lacking.length > 0, mayStart, unknown })
  return {
    verdict,
    limits,
    seatings,
    lacking,
    unknown,
    evicted: [],
    starting: startingOf(job, { verdict, limits, seatings, unknown }),
  }
}

type Decided = { readonly waits: boolean; readonly mayStart: boolean; readonly unknown: readonly string[] }

/** Rules that were not read can only keep pods from starting; another scheduler, and urgency, may start them all the same. */
function verdictOf({ unknown: elsewhere }: AskedJob, { waits, mayStart, unknown }: Decided): StartVerdict {
  if (waits && !mayStart && elsewhere.length === 0) return 'not-now'
  return waits || unknown.length > 0 ? 'unknown' : 'now'
}

/** Pods that start for sure; of work that is admitted as a whole all or none. */
function startingOf(
  job: AskedJob,
  { verdict, limits, seatings, unknown }: Omit<Judged, 'starting' | 'lacking' | 'evicted'>,
): number {
  if (verdict === 'now') return job.groups.reduce((sum, { count }) => sum + count, 0)
  if (job.gang || job.stopped.length > 0 || unknown.length > 0) return 0
  const free = seatings.reduce((sum, { sure }) => sum + sure, 0)
  const allowed = limits.allowed.reduce((sum, count) => sum + count, 0)
  return Math.min(free, allowed)
}

const PREEMPTION =
  'its priority may let the scheduler evict other pods for it, and which pods it would evict is unknown'

function unknownOf(job: AskedJob, { limits, seatings }: Pick<Judged, 'limits' | 'seatings'>): readonly string[] {
  const ofPods = seatings.flatMap(({ pods }) => pods.unknown)
  const ofRoom = seatings.flatMap(({ sure, most, pods: { count }, unsure }) =>
    sure < count && most >= count ? unsure : [],
  )
  return [...new Set([...job.unknown, ...limits.unknown, ...ofPods, ...ofRoom])]
}

/** Kueue adds its flavor's labels and tolerations to the pods that it lets in. */
const withFlavor = (pods: AskedPods, { nodeLabels, tolerations }: JobLimits): AskedPods => ({
  ...pods,
  scheduling: {
    ...pods.scheduling,
    nodeSelector: { ...pods.scheduling.nodeSelector, ...nodeLabels },
    tolerations: [...pods.scheduling.tolerations, ...tolerations],
  },
})

/** Groups whose pods are alike to the scheduler as one, so that nothing between them is left open. */
function mergeAlike(groups: readonly AskedPods[]): readonly AskedPods[] {
  return [...Map.groupBy(groups, likeness).values()].flatMap((alike): AskedPods | [] => {
    const [first] = alike
    if (first === undefined || alike.length === 1) return first ?? []
    const part = alike.map((each) => each.part).join(', ')
    return { ...first, part, count: alike.reduce((sum, { count }) => sum + count, 0) }
  })
}

const likeness = ({ part: _part, count: _count, edit: _edit, ...rest }: AskedPods): string => JSON.stringify(rest)

/** Undecided pods as groups, the alike together. */
function aheadOf({ ahead }: CountedFleet): readonly AskedPods[] {
  const alike = Map.groupBy(ahead, ({ requests, scheduling }) => JSON.stringify([requests, scheduling]))
  return [...alike.values()].flatMap((pods): AskedPods | [] => {
    const [first] = pods
    return first === undefined ? [] : submitted(first, pods.length)
  })
}

/** Pods that are there already, as they would be asked about. */
export const submitted = (pod: Pod, count: number, labels?: AskedPods['labels']): AskedPods => ({
  ...askOfPod(pod, labels),
  part: '',
  count,
  unsaid: [],
  spread: [],
  preempts: false,
  unknown: [],
  edit: NO_EDIT,
})

const NO_EDIT: AskedPods['edit'] = {
  spec: '',
  hasTolerations: false,
  count: undefined,
  gpu: undefined,
  cpu: undefined,
  memory: undefined,
}

/** Whether a group would have room if the pods that it may push out were gone: all, where its class was not read. */
function mayPreempt(fleet: CountedFleet, pods: AskedPods, namespace: string): boolean {
  const priority = pushesBelow(fleet.snapshot.priorityClasses, pods)
  if (priority === undefined) return false
  const without = fleetWithout(fleet, priority)
  // Which devices a DRA driver would get back from them is not counted.
  if (pods.claims.length > 0) return without !== fleet
  const slots = fits(without, pods, namespace)
  // What pods without GPUs have of a node, and their priority, is not kept pod by pod; nor whom those that go keep away.
  const isOpen = slots.some(({ on: { node }, because }) => {
    const { cpuUsed = 0, memoryUsed = 0 } = node.room
    return (
      because?.kind === 'repelled' ||
      (because?.kind === 'cpu' && cpuUsed > 0) ||
      (because?.kind === 'memory' && memoryUsed > 0)
    )
  })
  return isOpen || slots.reduce((sum, { count }) => sum + count, 0) >= pods.count
}

/**
 * Why pods may start on a node that is not there yet: none that is there is of the kind that they name, and Karpenter makes
 * nodes by what pods name. What NodePools, and NodeOverlays over them, would make is not read.
 */
function hopeOfNewNode({ snapshot }: CountedFleet, { pods, slots }: Seating): string | undefined {
  const { nodeSelector, nodeTerms } = pods.scheduling
  const named = [...Object.keys(nodeSelector), ...nodeTerms.flat().map(({ key }) => key)]
  const labels = snapshot.nodes.flatMap(({ room }) => Object.keys(room.labels))
  const isMade = [...named, ...labels].some((key) => key.startsWith('karpenter.'))
  return isMade && slots.every(({ because }) => because?.kind === 'rules')
    ? 'Karpenter may make a node for it, and what its NodePools and NodeOverlays would make is not read'
    : undefined
}

/** Why pods may get devices by claims where none is seen to be free; undefined where they cannot. */
function hopeOfClaims({ snapshot }: CountedFleet, { claims, scheduling }: AskedPods): string | undefined {
  if (claims.length === 0 && scheduling.claims !== true) return undefined
  const unread = snapshot.problems.find(({ code, object }) => UNREAD.has(code) && OF_CLAIMS.has(object))
  if (unread !== undefined) return `Septet cannot read ${unread.object}, so which devices claims may get is unknown`
  const shared = snapshot.nodes
    .filter(isServedByDra)
    .flatMap(({ gpus }) => gpus)
    .find(({ partitions }) => partitions.some(({ kind }) => kind === 'shared'))
  return shared && `claims share GPU ${shared.index} of ${shared.node}, and whether one more may is not judged`
}
const UNREAD: ReadonlySet<string> = new Set(['forbidden', 'unreadable-resource'])
const OF_CLAIMS: ReadonlySet<string> = new Set(['resourceslices', 'resourceclaims'])

/** The fleet as if pods of lower priority were gone; the fleet itself where there are none. */
function fleetWithout(fleet: CountedFleet, priority: number): CountedFleet {
  const known = withoutKnown(fleet).get(priority)
  if (known !== undefined) return known
  const nodes = fleet.nodes.map((on) =>
    withoutPods(
      fleet,
      on,
      on.pods.filter((pod) => pod.scheduling.priority < priority),
    ),
  )
  const without = nodes.every((on, at) => on === fleet.nodes[at]) ? fleet : { ...fleet, nodes }
  withoutKnown(fleet).set(priority, without)
  return without
}

const withoutKnown = onceFor((_fleet: CountedFleet) => new Map<number, CountedFleet>())
