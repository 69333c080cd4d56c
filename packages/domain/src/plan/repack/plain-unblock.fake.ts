import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import type { Layout } from '../../gpu/layout.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { compareText } from '../../units.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import { leftOn, type SlotRoom, roomsOn } from '../../fleet/find-rooms.ts'
import { whyNotMoved } from './may-move.ts'
import { repackHoldings } from './repack-answer.ts'
import { nodeRegions, type Region, regionsOn, type RepackGoal, RESERVED } from './repack-regions.ts'
import { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import type { GpuSpace } from '../../fleet/gpu-space.ts'

/**
 * What `unblock` has to answer, by a plain search: every GPU is looked at for every pod, nothing is grouped, counted or
 * remembered. Right at small sizes, and the baseline of the benchmark. `tries` bounds the rooms of one search.
 */
export function plainUnblock(snapshot: ClusterSnapshot, limit: number, tries = 50_000): PlainAnswer {
  const ground = { snapshot, holdings: repackHoldings(snapshot, new IndexedFleet(snapshot)), tries }
  let fleet = new IndexedFleet(snapshot)
  const moved: Pod[] = []
  const starts: [PodId, string][] = []
  const groups = waitingGroups(snapshot)
  const isLeft = (pods: readonly Pod[]): boolean => !starts.some(([first]) => first === pods[0]?.id)
  // Once as it is, then with changes.
  for (const [pods, mayChange] of [
    ...groups.map((each) => [each, false] as const),
    ...groups.map((each) => [each, true] as const),
  ]) {
    const step = isLeft(pods) ? plainStart({ ...ground, fleet, moved }, pods, limit - moved.length) : undefined
    if (step === undefined || (!mayChange && step.by !== 'room')) continue
    starts.push([pods[0]?.id ?? '', step.by])
    moved.push(...podsOf(fleet, step.displaced))
    fleet = step.fleet
  }
  return { starts, displaced: moved.map(({ id }) => id).toSorted(), layouts: layoutsOf(fleet) }
}

type Start = { readonly fleet: IndexedFleet; readonly by: string; readonly displaced: readonly PodId[] }

function plainStart(ground: Ground, pods: readonly Pod[], limit: number): Start | undefined {
  const { fleet, tries } = ground
  if (pods.some(({ scheduling }) => (scheduling.unread ?? []).length > 0)) return undefined
  const seated = plainSeat({ fleet, wants: pods.flatMap((pod) => wantsOf(pod, asked(pod))), tries })
  if (seated !== undefined) {
    return { fleet: seated.fleet, by: seated.ranks.every((rank) => rank === 0) ? 'room' : 'recut', displaced: [] }
  }
  const step = plainMoves(ground, pods, limit)
  if (step === undefined) return undefined
  for (const pod of pods) step.fleet.host(step.region.node, pod, 1)
  const displaced = step.region.pods
  return { fleet: step.fleet, by: displaced.length > 0 ? 'moves' : 'recut', displaced }
}

export type PlainAnswer = {
  /** First pod and how it starts. */
  readonly starts: readonly (readonly [PodId, string])[]
  readonly displaced: readonly PodId[]
  readonly layouts: readonly string[]
}

/** What `repack` has to answer: whom it displaces and which layouts it makes; undefined when there is no way. */
export function plainRepack(
  snapshot: ClusterSnapshot,
  goal: RepackGoal,
  limit: number,
): Omit<PlainAnswer, 'starts'> | undefined {
  const fleet = new IndexedFleet(snapshot)
  const ground = { snapshot, holdings: repackHoldings(snapshot, fleet), tries: 50_000, fleet, moved: [] }
  const step = firstRegion(ground, plainRegions(fleet, goal, RESERVED), limit)
  return step === undefined ? undefined : { displaced: step.region.pods, layouts: layoutsOf(step.fleet) }
}

const layoutsOf = (fleet: IndexedFleet): readonly string[] =>
  fleet
    .changed()
    .map(({ gpu, slots }) =>
      layoutText(
        gpu.id,
        slots.flatMap(({ profile, placement }) => (placement === undefined ? [] : [{ profile, placement }])),
      ),
    )
    .toSorted()

export const layoutText = (gpu: string, layout: Layout): string =>
  [gpu, ...layout.map(({ profile, placement }) => `${profile}@${placement.start}`).toSorted()].join(' ')

type Ground = {
  readonly snapshot: ClusterSnapshot
  readonly holdings: ReturnType<typeof repackHoldings>
  readonly tries: number
  readonly fleet: IndexedFleet
  readonly moved: readonly Pod[]
}
type Step = { readonly region: Region; readonly fleet: IndexedFleet }

function plainMoves(ground: Ground, pods: readonly Pod[], limit: number): Step | undefined {
  const [pod] = pods
  const [resource, ...more] = pods.flatMap(asked)
  if (pod === undefined || resource === undefined || more.length > 0) return undefined
  const profile = profileOfResource(resource)
  if (profile === undefined && resource !== 'nvidia.com/gpu') return undefined
  const goal: RepackGoal = profile === undefined ? { kind: 'free-gpu' } : { kind: 'room-for', profile }
  const settled = new Set(ground.moved.map(({ id }) => id))
  const regions = plainRegions(ground.fleet, goal, pod.id).filter(({ gpus, pods: own }) => {
    const space = ground.fleet.space(gpus[0] ?? '')
    const isFree = own.every((id) => ground.holdings.has(id) && !settled.has(id))
    return isFree && space !== undefined && takes(ground.fleet, space, pod)
  })
  return firstRegion(ground, regions, limit)
}

function plainRegions(fleet: IndexedFleet, goal: RepackGoal, holder: PodId): Region[] {
  if (goal.kind === 'free-node') return nodeRegions(fleet, goal)
  return fleet
    .spaces()
    .filter(({ node, gpu }) => (goal.node ?? node.name) === node.name && (goal.model ?? gpu.model) === gpu.model)
    .flatMap((space) => regionsOn(space, goal, holder))
    .toSorted(
      (a, b) =>
        a.pods.length - b.pods.length || a.rank - b.rank || compareText(a.node, b.node) || compareText(a.id, b.id),
    )
}

function firstRegion(ground: Ground, regions: readonly Region[], limit: number): Step | undefined {
  const { snapshot, fleet, holdings, moved, tries } = ground
  for (const region of regions) {
    if (region.pods.length > limit) return undefined
    const pods = podsOf(fleet, region.pods)
    if (pods.some((pod) => !holdings.has(pod.id)) || pods.length < region.pods.length) continue
    if (whyNotMoved(snapshot, [...moved, ...pods]) !== undefined) continue
    const lifted = fleet.fork()
    for (const pod of pods) lifted.lift(pod.id, holdings.get(pod.id) ?? [])
    region.take(lifted)
    const size = (pod: Pod): number => (holdings.get(pod.id) ?? []).reduce((sum, each) => sum + each.size, 0)
    const wants = pods
      .toSorted((a, b) => size(b) - size(a) || compareText(a.id, b.id))
      .flatMap((pod) => {
        const held = holdings.get(pod.id) ?? []
        return wantsOf(
          pod,
          held.map(({ resource }) => resource),
          held[0]?.model,
        )
      })
    const seated = plainSeat({ fleet: lifted, wants, tries })
    if (seated !== undefined) return { region, fleet: seated.fleet }
  }
  return undefined
}

const podsOf = (fleet: IndexedFleet, ids: readonly PodId[]): Pod[] => ids.flatMap((id) => fleet.pods.get(id) ?? [])

type Want = {
  readonly pod: Pod
  readonly resource: string
  readonly model: string | undefined
  readonly first: boolean
}

const wantsOf = (pod: Pod, resources: readonly string[], model?: string): Want[] =>
  resources.map((resource, index) => ({ pod, resource, model, first: index === 0 }))

const asked = ({ requests }: Pod): string[] =>
  requests.flatMap(({ resource, count }) => Array.from({ length: count }, () => resource))

type Search = { readonly fleet: IndexedFleet; readonly wants: readonly Want[]; tries: number }
type Seated = { readonly fleet: IndexedFleet; readonly ranks: readonly number[] }

function plainSeat(search: Search): Seated | undefined {
  return seat(search.fleet, 0, '')

  function seat(fleet: IndexedFleet, index: number, node: string): Seated | undefined {
    const want = search.wants[index]
    if (want === undefined) return { fleet, ranks: [] }
    for (const room of roomsByScan(fleet, want, node)) {
      search.tries -= 1
      if (search.tries < 0) return undefined
      const next = fleet.fork()
      next.set(room.space)
      if (want.first) next.host(room.space.node.name, want.pod, 1)
      const rest = seat(next, index + 1, room.space.node.name)
      if (rest !== undefined) return { fleet: rest.fleet, ranks: [room.rank, ...rest.ranks] }
    }
    return undefined
  }
}

function roomsByScan(fleet: IndexedFleet, { pod, resource, model, first }: Want, node: string): readonly SlotRoom[] {
  return fleet
    .spaces()
    .filter((space) => (first ? takes(fleet, space, pod) : space.node.name === node))
    .filter((space) => (model === undefined || space.gpu.model === model) && hasOneTenant(fleet, space, pod))
    .flatMap((space) => roomsOn(space, resource, pod.id))
    .map((room) => ({ room, left: leftOn(room.space) }))
    .toSorted(
      (a, b) => a.room.rank - b.room.rank || a.left - b.left || compareText(a.room.space.gpu.id, b.room.space.gpu.id),
    )
    .map(({ room }) => room)
}

const hasOneTenant = (fleet: IndexedFleet, { slots }: GpuSpace, { namespace, node }: Pod): boolean =>
  node === undefined ||
  slots.every(({ shared, pods }) => !shared || podsOf(fleet, pods).every((pod) => pod.namespace === namespace))

function takes(fleet: IndexedFleet, { node }: GpuSpace, { scheduling }: Pod): boolean {
  const { cpuMilli, memory } = fleet.hostLeft(node.name)
  return (
    nodeRefusal(scheduling, node.room) === undefined && scheduling.cpuMilli <= cpuMilli && scheduling.memory <= memory
  )
}

function waitingGroups({ pods, workloads }: ClusterSnapshot): readonly (readonly Pod[])[] {
  return workloads
    .map((workload) => ({
      workload,
      own: pods.filter((pod) => pod.workload === workload.id && pod.phase === 'Pending' && pod.node === undefined),
    }))
    .filter(({ own }) => own.length > 0)
    .toSorted(
      (a, b) =>
        urgency(b.own) - urgency(a.own) ||
        a.workload.createdAt - b.workload.createdAt ||
        compareText(a.workload.id, b.workload.id),
    )
    .map(({ own }) => own.toSorted((a, b) => compareText(a.id, b.id)))
}

const urgency = (own: readonly Pod[]): number => Math.max(...own.map(({ scheduling }) => scheduling.priority))
