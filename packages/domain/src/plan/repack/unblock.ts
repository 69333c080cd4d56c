import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId } from '../../cluster/node.ts'
import { limits } from '../../cluster/quota-limits.ts'
import { unsoundNode } from '../../cluster/soundness.ts'
import { countedFleet, type CountedFleet } from '../../fleet/counted-fleet.ts'
import { askOfPod, fits, sureDevices } from '../../fleet/fits.ts'
import type { Pod, PodId, Workload, WorkloadId } from '../../cluster/workload.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { compareText } from '../../units.ts'
import type { GpuTarget, PodMove } from '../words/action.ts'
import { nodesTaking } from '../../fleet/find-rooms.ts'
import { tryInOrder } from './repack.ts'
import { repackHoldings, targetsOf, type Holdings } from './repack-answer.ts'
import { regionsInOrder, type Region, type RepackGoal } from './repack-regions.ts'
import { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import { newEffort, type SearchEffort } from './search-effort.ts'
import { seatPods, type RepackSeating } from './seat-pods.ts'
import type { Seeker } from './pods-per-node.ts'

/** The layout change that starts waiting work. */
export type UnblockAnswer = {
  readonly targets: readonly GpuTarget[]
  readonly moves: readonly PodMove[]
  readonly displaced: readonly PodId[]
  readonly starts: readonly StartedWorkload[]
  /** Work that still waits, and why. */
  readonly waits: readonly { readonly workload: WorkloadId; readonly because: string }[]
}

export type StartedWorkload = {
  readonly workload: WorkloadId
  readonly pods: readonly PodId[]
  /** `room`: nothing has to change; `recut`: only GPUs that nobody holds change; `moves`: pods are displaced. */
  readonly by: 'room' | 'recut' | 'moves'
  /** The GPUs that they start on. */
  readonly on: readonly GpuId[]
}

/**
 * Starts as much waiting work as possible: the highest priority first, then the longest waiting; a workload starts whole
 * or not at all. What has room as it is starts before any change is looked for, as the scheduler keeps free what is free
 * for nobody. Changes that displace nobody come first; then at most `limit` moves in all. `whole`: GPUs that are not to be
 * cut.
 */
export const unblock = (snapshot: ClusterSnapshot, limit = 5, whole?: ReadonlySet<GpuId>): UnblockAnswer =>
  unblockStep(snapshot, limit, whole).answer

/** An unblock that can be built upon: with the cluster as it is then, and the pods that move. */
export type UnblockStep = {
  readonly answer: UnblockAnswer
  readonly fleet: IndexedFleet
  readonly moved: readonly Pod[]
}

/** `unblock`, for who goes on from there. */
export function unblockStep(snapshot: ClusterSnapshot, limit: number, whole?: ReadonlySet<GpuId>): UnblockStep {
  const ground = groundOf(snapshot, limit, whole)
  let state: State = { fleet: ground.first, moved: [], moves: [] }
  const starts: StartedWorkload[] = []
  const waits: { workload: WorkloadId; because: string }[] = []
  const waiting: Waiting[] = []
  for (const work of waitingWork(snapshot)) {
    const there = startAsIs({ ...ground, state, key: '' }, work)
    if (there === undefined) waiting.push(work)
    else {
      state = there.state
      starts.push({ workload: work.workload.id, pods: work.pods.map(({ id }) => id), by: 'room', on: there.on })
    }
  }
  let failed = new Map<string, Tried>()
  for (const { workload, pods } of waiting) {
    const key = kindOf(workload, pods)
    const tried = failed.get(key) ?? startOne({ ...ground, state, key }, workload, pods)
    if (tried.kind === 'waits') {
      // Equal work waits for the same reason until something changes.
      failed.set(key, tried)
      waits.push({ workload: workload.id, because: tried.because })
      continue
    }
    state = tried.state
    failed = new Map()
    if (tried.by === 'moves') ground.stuck.clear()
    starts.push({ workload: workload.id, pods: pods.map(({ id }) => id), by: tried.by, on: tried.on })
  }
  const answer: UnblockAnswer = {
    targets: targetsOf(state.fleet),
    moves: state.moves,
    displaced: state.moved.map(({ id }) => id).toSorted(),
    starts,
    waits,
  }
  return { answer, fleet: state.fleet, moved: state.moved }
}

const kindOf = ({ queue }: Workload, pods: readonly Pod[]): string =>
  JSON.stringify([queue, pods.map(({ namespace, requests, scheduling }) => [namespace, requests, scheduling])])

type State = { readonly fleet: IndexedFleet; readonly moved: readonly Pod[]; readonly moves: readonly PodMove[] }

type Session = {
  readonly snapshot: ClusterSnapshot
  readonly counted: CountedFleet
  /** Pods that the scheduler starts by itself, by node. */
  readonly unasked: Map<string, number>
  readonly limit: number
  readonly first: IndexedFleet
  /** Read when the first pod might move. */
  readonly holdings: () => Holdings
  readonly effort: SearchEffort
  /** Kinds of work that no moves can start: work that starts in between only takes room away. */
  readonly stuck: Map<string, Tried>
}

type Ground = Session & { readonly state: State; readonly key: string }

function groundOf(snapshot: ClusterSnapshot, limit: number, whole: ReadonlySet<GpuId> = new Set()): Session {
  const first = new IndexedFleet(snapshot)
  for (const gpu of whole) {
    const space = first.space(gpu)
    if (space !== undefined) first.set({ ...space, board: undefined })
  }
  const beginning = first.fork()
  let known: Holdings | undefined
  const holdings = () => (known ??= repackHoldings(snapshot, beginning))
  const counted = countedFleet(snapshot)
  return { snapshot, counted, unasked: new Map(), limit, first, holdings, effort: newEffort(), stuck: new Map() }
}

type Tried =
  | ({ readonly kind: 'starts'; readonly state: State } & Pick<StartedWorkload, 'by' | 'on'>)
  | { readonly kind: 'waits'; readonly because: string }

function startOne(ground: Ground, workload: Workload, pods: readonly Pod[]): Tried {
  const because = whyBarred(ground.snapshot, workload, pods)
  if (because !== undefined) return { kind: 'waits', because }
  const { state, effort, stuck, key } = ground
  const seating = seatPods(state.fleet, pods.map(seekerOf), effort)
  if (seating.kind === 'seated')
    return { kind: 'starts', by: isThere(seating) ? 'room' : 'recut', ...seatedIn(state, seating) }
  const [pod] = pods
  if (pods.length !== 1 || pod === undefined) {
    const unsure = seating.exact ? '' : ' was found; not every way was tried'
    return { kind: 'waits', because: `no room for ${plural(pods.length, 'pod')} at once${unsure}` }
  }
  const tried = stuck.get(key) ?? startByMoves(ground, pod)
  if (tried.kind === 'waits') stuck.set(key, tried)
  return tried
}

type Started = Pick<Extract<Tried, { kind: 'starts' }>, 'on' | 'state'>

/** Where the scheduler starts the work without any change; undefined: it does not. */
function startAsIs(ground: Ground, { workload, pods }: Waiting): Started | undefined {
  if (whyBarred(ground.snapshot, workload, pods) !== undefined) return undefined
  const { state, effort } = ground
  const unasked = startUnasked(ground, pods)
  if (unasked !== undefined) return { on: unasked, state }
  const seating = seatPods(state.fleet, pods.map(seekerOf), effort)
  return seating.kind === 'seated' && isThere(seating) ? seatedIn(state, seating) : undefined
}

type Seated = Extract<RepackSeating, { kind: 'seated' }>

const isThere = ({ seats }: Seated): boolean => seats.every((seat) => seat.isThere)

const seatedIn = (state: State, { fleet, seats }: Seated): Started => ({
  on: [...new Set(seats.map(({ gpu }) => gpu))],
  state: { ...state, fleet },
})

/**
 * The GPUs on which the scheduler starts the pods by itself, on nodes to which no plan would send anybody; undefined: it
 * does not.
 */
function startUnasked({ counted, unasked }: Ground, pods: readonly Pod[]): readonly GpuId[] | undefined {
  const [pod] = pods
  const resource = pod?.requests[0]?.resource
  if (pod === undefined || resource === undefined || pods.some((each) => !isLike(each, pod))) return undefined
  const left = fits(counted, askOfPod(pod), pod.namespace).flatMap(({ on, sure }) => {
    const rest = unsoundNode(on.node) === undefined ? 0 : sure - (unasked.get(on.node.name) ?? 0)
    return rest > 0 ? [{ on, rest }] : []
  })
  if (left.reduce((sum, { rest }) => sum + rest, 0) < pods.length) return undefined
  let missing = pods.length
  return left.flatMap(({ on, rest }) => {
    const taken = Math.min(rest, missing)
    missing -= taken
    unasked.set(on.node.name, (unasked.get(on.node.name) ?? 0) + taken)
    return (sureDevices(on).get(resource) ?? []).slice(0, taken).map(({ gpu }) => gpu)
  })
}

const isLike = (pod: Pod, other: Pod): boolean =>
  JSON.stringify([pod.requests, pod.scheduling]) === JSON.stringify([other.requests, other.scheduling])

/** Moves others out of the way of one pod that wants one partition. */
function startByMoves(ground: Ground, pod: Pod): Tried {
  const { snapshot, state, limit, effort } = ground
  const [resource, ...more] = seekerOf(pod).resources
  if (resource === undefined || more.length > 0) {
    return {
      kind: 'waits',
      because: 'no node has room for all that it asks for; moves are tried for one partition only',
    }
  }
  const goal = goalFor(resource)
  if (goal === undefined) return { kind: 'waits', because: `no layout makes ${resource}` }
  const { regions, whyNone } = freeRegions(ground, pod, goal)
  const holdings = ground.holdings()
  const { fleet, moved: before, moves } = state
  const answer = tryInOrder(regions, { snapshot, fleet, holdings, moved: before, effort }, limit - before.length)
  if (answer.kind === 'refused') return { kind: 'waits', because: whyNone(resource) ?? answer.because }
  const moved = answer.displaced.flatMap((id) => fleet.pods.get(id) ?? [])
  answer.fleet.host(answer.node, pod, 1)
  return {
    kind: 'starts',
    by: moved.length > 0 ? 'moves' : 'recut',
    on: answer.freed,
    state: { fleet: answer.fleet, moved: [...before, ...moved], moves: [...moves, ...answer.moves] },
  }
}

type FreeRegions = {
  readonly regions: Iterable<Region>
  /** Once they are gone through: why there was none. */
  readonly whyNone: (resource: string) => string | undefined
}

/** Regions for a pod; what this change starts or moves already stays where it puts it. */
function freeRegions({ state, holdings, effort }: Ground, pod: Pod, goal: RepackGoal): FreeRegions {
  const settled = new Set(state.moved.map(({ id }) => id))
  const seen = { all: 0, free: 0 }
  return {
    regions: free(),
    whyNone: (resource) => {
      if (seen.all === 0) return `no node that it may run on can offer ${resource}`
      return seen.free === 0 ? `every GPU that could offer ${resource} is needed by work before it` : undefined
    },
  }

  function* free(): Generator<Region, void> {
    const takes = nodesTaking(state.fleet, pod)
    for (const region of regionsInOrder(state.fleet, goal, { holder: pod.id, takes })) {
      seen.all += 1
      if (region.pods.every((id) => holdings().has(id) && !settled.has(id))) {
        seen.free += 1
        yield region
      } else {
        effort.regions -= 1
      }
    }
  }
}

function goalFor(resource: string): RepackGoal | undefined {
  if (resource === WHOLE_GPU_RESOURCE) return { kind: 'free-gpu' }
  const profile = profileOfResource(resource)
  return profile === undefined ? undefined : { kind: 'room-for', profile }
}

/** Reasons that no layout can remove. A ResourceQuota counts waiting pods already; a cluster queue counts admitted ones. */
export function whyBarred({ quotas }: ClusterSnapshot, workload: Workload, pods: readonly Pod[]): string | undefined {
  const asked = new Map<string, number>()
  for (const { resource, count } of pods.flatMap(({ requests }) => requests)) {
    asked.set(resource, (asked.get(resource) ?? 0) + count)
  }
  const full = quotas
    .filter((quota) => quota.queue !== undefined && limits(quota, workload) && asked.has(quota.resource))
    .find(({ used, hard, resource }) => used + (asked.get(resource) ?? 0) > hard)
  if (full !== undefined) return `quota ${full.id} has ${full.hard - full.used} of ${full.resource} left`
  const unread = pods.find(({ scheduling }) => (scheduling.unread ?? []).length > 0)
  if (unread === undefined) return undefined
  return `where ${unread.id} may run is known only in part (${(unread.scheduling.unread ?? []).join(', ')})`
}

const seekerOf = (pod: Pod): Seeker => ({
  pod,
  resources: pod.requests.flatMap(({ resource, count }) => Array.from({ length: count }, () => resource)),
  model: undefined,
})

type Waiting = { readonly workload: Workload; readonly pods: readonly Pod[] }

function waitingWork({ pods, workloads }: ClusterSnapshot): Waiting[] {
  const waiting = Map.groupBy(
    pods.filter(({ phase, node }) => phase === 'Pending' && node === undefined),
    ({ workload }) => workload,
  )
  const urgency = ({ pods: own }: Waiting): number => Math.max(...own.map(({ scheduling }) => scheduling.priority))
  return workloads
    .flatMap((workload): Waiting[] => {
      const own = waiting.get(workload.id)
      return own === undefined ? [] : [{ workload, pods: own.toSorted((a, b) => compareText(a.id, b.id)) }]
    })
    .toSorted(
      (a, b) =>
        urgency(b) - urgency(a) ||
        a.workload.createdAt - b.workload.createdAt ||
        compareText(a.workload.id, b.workload.id),
    )
}
