import type { GpuId, PartitionId } from '../../cluster/node.ts'
import type { PodId } from '../../cluster/workload.ts'
import { geometryOf, occupancy, placementMask } from '../../gpu/layout.ts'
import type { Layout, PlacedInstance } from '../../gpu/layout.ts'
import { compareText } from '../../units.ts'
import type { GpuTarget } from '../action/action.ts'
import type { GpuNow, InstanceNow, PlannedMove } from './reconfigure-problem.ts'

/** One change of the cluster; after each of them it is legal. */
export type OrderedMove =
  /** mig-manager cuts an emptied GPU anew. */
  | { readonly kind: 'recut'; readonly gpu: GpuId; readonly from: Layout; readonly to: Layout }
  | { readonly kind: 'create-instance' | 'delete-instance'; readonly gpu: GpuId; readonly instance: PlacedInstance }
  /** The pod stops at its old place and starts at the new one, which is there and free. */
  | { readonly kind: 'move'; readonly pod: PodId; readonly from: PartitionId; readonly to: Place }
  /** The pod stops and waits in the queue, because its new place is not free yet. */
  | { readonly kind: 'stop'; readonly pod: PodId; readonly from: PartitionId }
  /** A pod that waited starts at its new place. */
  | { readonly kind: 'start'; readonly pod: PodId; readonly to: Place }

export type Place = { readonly gpu: GpuId; readonly instance: PlacedInstance }

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
  /** mig-manager only: whether the GPU has yet to be cut anew. */
  mustRecut: boolean
  /** Pods that have yet to leave. */
  left: number
}

type Pending = {
  readonly pod: PodId
  readonly from: PartitionId
  /** Moves with one key can exchange their rooms: the same profile on the same class of GPU. */
  readonly key: string
  to: Place
  stopped: boolean
}

class MoveBoard {
  readonly done: OrderedMove[] = []
  readonly planned: PlannedMove[] = []
  readonly stopped: PodId[] = []
  #sites: Map<GpuId, Site>
  #pending: Pending[]
  /** Where each pod that moves sits now. */
  #seat = new Map<PartitionId, { readonly site: Site; readonly instance: PlacedInstance }>()

  constructor(gpus: readonly GpuNow[], targets: readonly GpuTarget[], moves: readonly PlannedMove[]) {
    const wanted = new Map(targets.map(({ gpu, layout }) => [gpu, layout]))
    this.#sites = new Map(
      gpus.toSorted((a, b) => compareText(a.gpu, b.gpu)).map((now) => [now.gpu, siteOf(now, wanted.get(now.gpu))]),
    )
    for (const site of this.#sites.values()) {
      for (const instance of site.now.instances) this.#seat.set(instance.partition, { site, instance })
    }
    this.#pending = moves.toSorted((a, b) => compareText(a.from, b.from)).map((move) => this.#pendingOf(move))
  }

  #pendingOf({ pod, from, to, instance }: PlannedMove): Pending {
    const site = this.#seat.get(from)?.site
    if (site !== undefined) site.left += 1
    const key = `${this.#sites.get(to.gpu)?.now.supplyClass} ${instance.profile}`
    return { pod, from, key, to: { gpu: to.gpu, instance }, stopped: false }
  }

  /** Instances that nobody holds and the target does not want cost nobody anything. */
  deleteIdle(): void {
    for (const site of this.#sites.values()) {
      const { target } = site
      if (target === undefined || site.now.actuator === 'mig-manager') continue
      for (const instance of site.instances.filter(({ holder }) => holder === undefined)) {
        if (!target.some((wanted) => isSame(wanted, instance))) this.#remove(site, instance)
      }
    }
  }

  /** Does one thing that is possible; false when everything is done. */
  step(): boolean {
    if (this.#recutEmpty()) return true
    const free = new Map(this.#pending.filter(({ to }) => this.#isFree(to)).map((each) => [each.key, each]))
    const next = best(
      this.#pending.filter(({ key }) => free.has(key)),
      (each) => -this.#leftBehind(each),
    )
    if (next === undefined) return this.#stopOne()
    const room = free.get(next.key)
    // Rooms are equal, so the pod whose leaving helps most takes the free one.
    if (room !== undefined) [next.to, room.to] = [room.to, next.to]
    this.#carryOut(next)
    return true
  }

  #stopOne(): boolean {
    const victim = best(
      this.#pending.filter(({ stopped }) => !stopped),
      (each) => this.#unlocks(each),
    )
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
    for (const site of this.#sites.values()) {
      if (!site.mustRecut || site.target === undefined || site.instances.some(({ holder }) => holder !== undefined))
        continue
      this.done.push({ kind: 'recut', gpu: site.now.gpu, from: site.instances.map(bare), to: site.target })
      site.instances = site.target.map((instance) => ({ ...bare(instance), holder: undefined }))
      site.mustRecut = false
      return true
    }
    return false
  }

  #isFree({ gpu, instance }: Place): boolean {
    const site = this.#sites.get(gpu)
    if (site === undefined || site.mustRecut) return false
    const there = site.instances.find((each) => isSame(each, instance))
    if (there !== undefined) return there.holder === undefined
    return site.now.actuator === 'dra' && (occupancy(site.instances) & placementMask(instance.placement)) === 0
  }

  /** Pods that must still leave the GPU that a pod is on: the fewer, the sooner it can be used. */
  #leftBehind({ from, stopped }: Pending): number {
    return stopped ? Infinity : (this.#seat.get(from)?.site.left ?? 0)
  }

  /** How many moves the leaving of this pod would help: those to its GPU whose room it covers. */
  #unlocks(pending: Pending): number {
    const seat = this.#seat.get(pending.from)
    if (seat === undefined) return 0
    const { site, instance } = seat
    const mask = placementMask(instance.placement)
    const helped = this.#pending.filter(
      ({ to }) => to.gpu === site.now.gpu && (site.mustRecut || (placementMask(to.instance.placement) & mask) !== 0),
    )
    return site.mustRecut ? helped.length / Math.max(1, site.left) : helped.length
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
    if (!stopped) this.#leave(pending)
    this.#pending = this.#pending.filter((each) => each !== pending)
  }

  #leave({ from }: Pending): void {
    const seat = this.#seat.get(from)
    const site = seat?.site
    const instance = site?.instances.find((each) => isSame(each, seat?.instance))
    if (site === undefined || instance === undefined) return
    site.left -= 1
    instance.holder = undefined
    const wanted = site.target === undefined || site.target.some((each) => isSame(each, instance))
    if (site.now.actuator === 'dra' && !wanted) this.#remove(site, instance)
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

/** The one with the highest score; the first of equals. */
function best<T>(candidates: readonly T[], score: (each: T) => number): T | undefined {
  let found: { readonly each: T; readonly score: number } | undefined
  for (const each of candidates) {
    const its = score(each)
    if (found === undefined || its > found.score) found = { each, score: its }
  }
  return found?.each
}
