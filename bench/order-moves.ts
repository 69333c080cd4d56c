import {
  compareText,
  geometryOf,
  type GpuId,
  type GpuNow,
  type GpuTarget,
  type InstanceNow,
  type Layout,
  occupancy,
  type PartitionId,
  type PlacedInstance,
  placementMask,
  type PlannedMove,
  type PodId,
} from '@septet/domain'

/** One change of the cluster; after each of them it is legal. */
export type OrderedMove =
  /** mig-manager cuts an emptied GPU again. */
  | { readonly kind: 'recut'; readonly gpu: GpuId; readonly from: Layout; readonly to: Layout }
  | { readonly kind: 'create-instance' | 'delete-instance'; readonly gpu: GpuId; readonly instance: PlacedInstance }
  /** The pod stops at its old place and starts at the new one, which is there and free. */
  | { readonly kind: 'move'; readonly pod: PodId; readonly from: PartitionId; readonly to: Place }
  /** The pod stops and waits in the queue, because its new place is not free yet. */
  | { readonly kind: 'stop'; readonly pod: PodId; readonly from: PartitionId }
  /** A pod that waited starts at its new place. */
  | { readonly kind: 'start'; readonly pod: PodId; readonly to: Place }

type Place = { readonly gpu: GpuId; readonly instance: PlacedInstance }

export type MoveOrder = {
  readonly moves: readonly OrderedMove[]
  /** Where each pod ends: the moves that were given, some with their rooms exchanged among equals to spare waiting. */
  readonly planned: readonly PlannedMove[]
  /** Pods that must wait in the queue for a while, because moves form a circle. */
  readonly waiting: readonly PodId[]
}

/**
 * An order of moves in which nothing needs room that is not free yet. Where the moves form a circle, a pod is stopped and
 * waits: the one whose leaving sets most free, so that few wait.
 */
export function orderMoves({
  gpus,
  targets,
  moves,
}: {
  readonly gpus: readonly GpuNow[]
  readonly targets: readonly GpuTarget[]
  readonly moves: readonly PlannedMove[]
}): MoveOrder {
  const board = new MoveBoard(gpus, targets, moves)
  board.deleteIdle()
  while (board.step()) continue
  board.finish()
  return { moves: board.done, planned: board.planned, waiting: board.stopped }
}

type Site = {
  readonly now: GpuNow
  readonly target: Layout | undefined
  instances: (PlacedInstance & { holder: PodId | undefined })[]
  /** mig-manager only: whether the GPU has yet to be cut again. */
  mustRecut: boolean
  /** Pods that have yet to leave. */
  left: number
}

type Pending = {
  readonly pod: PodId
  readonly from: PartitionId
  /** Moves with one key can exchange their rooms: the same profile on the same class of GPU. */
  readonly key: string
  /** Place among all moves, which breaks ties. */
  readonly rank: number
  readonly seat: Seat | undefined
  to: Place
  stopped: boolean
}

/** Where a pod that moves sits before it does. */
type Seat = { readonly site: Site; readonly instance: PlacedInstance }

/** Moves that can exchange their rooms; those whose room is free by now. */
type Group = { readonly pending: Set<Pending>; readonly free: Set<Pending> }

class MoveBoard {
  readonly done: OrderedMove[] = []
  readonly planned: PlannedMove[] = []
  readonly stopped: PodId[] = []
  #sites: Map<GpuId, Site>
  #groups = new Map<string, Group>()
  // What follows saves looking at the whole fleet for every move.
  #bound = new Map<GpuId, Set<Pending>>()
  #emptied: Site[]

  constructor(gpus: readonly GpuNow[], targets: readonly GpuTarget[], moves: readonly PlannedMove[]) {
    const wanted = new Map(targets.map(({ gpu, layout }) => [gpu, layout]))
    this.#sites = new Map(
      gpus.toSorted((a, b) => compareText(a.gpu, b.gpu)).map((now) => [now.gpu, siteOf(now, wanted.get(now.gpu))]),
    )
    const seats = new Map<PartitionId, Seat>()
    for (const site of this.#sites.values()) {
      for (const instance of site.now.instances) seats.set(instance.partition, { site, instance })
    }
    for (const [rank, move] of moves.toSorted((a, b) => compareText(a.from, b.from)).entries()) {
      this.#expect(move, rank, seats.get(move.from))
    }
    this.#emptied = [...this.#sites.values()].filter(isEmpty)
    for (const site of this.#sites.values()) this.#refresh(site)
  }

  #expect({ pod, from, to, instance }: PlannedMove, rank: number, seat: Seat | undefined): void {
    if (seat !== undefined) seat.site.left += 1
    const key = `${this.#sites.get(to.gpu)?.now.supplyClass} ${instance.profile}`
    const pending: Pending = { pod, from, key, rank, seat, to: { gpu: to.gpu, instance }, stopped: false }
    this.#groupOf(pending).pending.add(pending)
    this.#boundFor(to.gpu).add(pending)
  }

  #groupOf({ key }: Pending): Group {
    const group = this.#groups.get(key) ?? { pending: new Set(), free: new Set() }
    this.#groups.set(key, group)
    return group
  }

  #boundFor(gpu: GpuId): Set<Pending> {
    const bound = this.#bound.get(gpu) ?? new Set()
    this.#bound.set(gpu, bound)
    return bound
  }

  /** Asks again which of the moves to a GPU could be done now. */
  #refresh({ now }: Site): void {
    for (const pending of this.#boundFor(now.gpu)) {
      const { free } = this.#groupOf(pending)
      if (this.#isFree(pending.to)) free.add(pending)
      else free.delete(pending)
    }
  }

  /** Instances that nobody holds and the target does not want cost nobody anything. */
  deleteIdle(): void {
    for (const site of this.#sites.values()) {
      const { target } = site
      if (target === undefined || site.now.actuator === 'mig-manager') continue
      for (const instance of site.instances.filter(({ holder }) => holder === undefined)) {
        if (!target.some((wanted) => isSame(wanted, instance))) this.#remove(site, instance)
      }
      this.#refresh(site)
    }
  }

  /** Does one thing that is possible; false when everything is done. */
  step(): boolean {
    if (this.#recutEmpty()) return true
    const open = [...this.#groups.values()].filter(({ free }) => free.size > 0)
    const next = best(
      open.flatMap(({ pending }) => best(pending, leavesSoon) ?? []),
      leavesSoon,
    )
    if (next === undefined) return this.#stopOne()
    const room = best(this.#groupOf(next).free, ({ rank }) => rank)
    // Rooms are equal, so the pod whose leaving helps most takes the free one.
    if (room !== undefined) this.#exchange(next, room)
    this.#carryOut(next)
    return true
  }

  #exchange(a: Pending, b: Pending): void {
    for (const each of [a, b]) this.#boundFor(each.to.gpu).delete(each)
    ;[a.to, b.to] = [b.to, a.to]
    const { free } = this.#groupOf(a)
    for (const each of [a, b]) {
      this.#boundFor(each.to.gpu).add(each)
      if (this.#isFree(each.to)) free.add(each)
      else free.delete(each)
    }
  }

  #stopOne(): boolean {
    const running = [...this.#groups.values()].flatMap(({ pending }) => [...pending].filter(({ stopped }) => !stopped))
    const victim = best(running, (each) => this.#unlocks(each))
    if (victim === undefined) return false
    victim.stopped = true
    this.stopped.push(victim.pod)
    this.done.push({ kind: 'stop', pod: victim.pod, from: victim.from })
    this.#leave(victim)
    return true
  }

  /** Makes the instances that are for new demand. */
  finish(): void {
    for (const site of this.#sites.values()) {
      if (site.target === undefined || site.now.actuator === 'mig-manager') continue
      for (const wanted of site.target) {
        if (!site.instances.some((instance) => isSame(instance, wanted))) this.#create(site, wanted, undefined)
      }
    }
  }

  #recutEmpty(): boolean {
    const site = this.#emptied.shift()
    if (site?.target === undefined) return false
    this.done.push({ kind: 'recut', gpu: site.now.gpu, from: site.instances.map(bare), to: site.target })
    site.instances = site.target.map((instance) => ({ ...bare(instance), holder: undefined }))
    site.mustRecut = false
    this.#refresh(site)
    return true
  }

  #isFree({ gpu, instance }: Place): boolean {
    const site = this.#sites.get(gpu)
    if (site === undefined || site.mustRecut) return false
    const there = site.instances.find((each) => isSame(each, instance))
    if (there !== undefined) return there.holder === undefined
    return site.now.actuator === 'dra' && (occupancy(site.instances) & placementMask(instance.placement)) === 0
  }

  /** How many moves the leaving of this pod would help: those to its GPU whose room it covers. */
  #unlocks({ seat }: Pending): number {
    if (seat === undefined) return 0
    const { site, instance } = seat
    const bound = this.#boundFor(site.now.gpu)
    if (site.mustRecut) return bound.size / Math.max(1, site.left)
    const mask = placementMask(instance.placement)
    return [...bound].filter(({ to }) => (placementMask(to.instance.placement) & mask) !== 0).length
  }

  #carryOut(pending: Pending): void {
    const { pod, from, to, stopped } = pending
    const site = this.#sites.get(to.gpu)
    if (site === undefined) return
    const there = site.instances.find((each) => isSame(each, to.instance))
    if (there === undefined) this.#create(site, to.instance, pod)
    else there.holder = pod
    this.done.push(stopped ? { kind: 'start', pod, to } : { kind: 'move', pod, from, to })
    this.planned.push({ pod, from, to: { gpu: to.gpu, profile: to.instance.profile }, instance: to.instance })
    const group = this.#groupOf(pending)
    group.pending.delete(pending)
    group.free.delete(pending)
    this.#boundFor(to.gpu).delete(pending)
    this.#refresh(site)
    if (!stopped) this.#leave(pending)
  }

  #leave({ seat }: Pending): void {
    const site = seat?.site
    const instance = site?.instances.find((each) => isSame(each, seat?.instance))
    if (site === undefined || instance === undefined) return
    site.left -= 1
    instance.holder = undefined
    const wanted = site.target === undefined || site.target.some((each) => isSame(each, instance))
    if (site.now.actuator === 'dra' && !wanted) this.#remove(site, instance)
    if (isEmpty(site)) this.#emptied.push(site)
    this.#refresh(site)
  }

  #create(site: Site, instance: PlacedInstance, holder: PodId | undefined): void {
    site.instances.push({ ...bare(instance), holder })
    this.done.push({ kind: 'create-instance', gpu: site.now.gpu, instance: bare(instance) })
  }

  #remove(site: Site, instance: PlacedInstance): void {
    site.instances = site.instances.filter((each) => !isSame(each, instance))
    this.done.push({ kind: 'delete-instance', gpu: site.now.gpu, instance: bare(instance) })
  }
}

const bare = ({ profile, placement }: PlacedInstance): PlacedInstance => ({ profile, placement })

const isSame = (a: PlacedInstance, b: PlacedInstance | undefined): boolean =>
  a.profile === b?.profile && a.placement.start === b.placement.start

function siteOf(now: GpuNow, target: Layout | undefined): Site {
  const differs =
    target !== undefined && JSON.stringify(geometryOf(target)) !== JSON.stringify(geometryOf(now.instances))
  return {
    now,
    target,
    instances: now.instances.map((instance: InstanceNow) => ({ ...bare(instance), holder: instance.pod })),
    mustRecut: now.actuator === 'mig-manager' && differs,
    left: 0,
  }
}

/** Whether mig-manager can cut the GPU again by now. */
const isEmpty = ({ mustRecut, target, instances }: Site): boolean =>
  mustRecut && target !== undefined && instances.every(({ holder }) => holder === undefined)

/** The fewer pods must still leave the GPU that a pod is on, the sooner that can be used. */
const leavesSoon = ({ stopped, seat }: Pending): number => (stopped ? -Infinity : -(seat?.site.left ?? 0))

/** The one with the highest score; the first of equals. */
function best(candidates: Iterable<Pending>, score: (each: Pending) => number): Pending | undefined {
  let found: Pending | undefined
  let most = -Infinity
  for (const each of candidates) {
    const its = score(each)
    if (found !== undefined && (its < most || (its === most && each.rank > found.rank))) continue
    found = each
    most = its
  }
  return found
}
