import type { Mask } from '../../gpu/layout.ts'
import type { MigChooser, MigPolicy } from './mig-policy.ts'
import type { MigTables } from './mig-tables.ts'

/** What came of a list of arrivals. */
export type MigOutcome = {
  readonly arrived: number
  readonly accepted: number
  /** Worth that arrived and that was accepted, in GPUs: a 3g on eight memory slices is half a GPU. */
  readonly arrivedWorth: number
  readonly acceptedWorth: number
  /** GPUs that ever held anything. */
  readonly gpusUsed: number
}

/** One workload: a profile by its index in the tables, when it comes and how long it stays; forever where undefined. */
export type MigArrival = { readonly profile: number; readonly at: number; readonly stays: number | undefined }

/**
 * Places arrivals one by one, in order, on `gpus` equal GPUs; none is moved, and one that fits nowhere is skipped. What
 * arrives before `countFrom` fills the fleet and is not counted.
 */
export function simulateMig({ tables, policy, arrivals, gpus, random, countFrom = 0 }: MigSimulation): MigOutcome {
  const choose = policy.start({ tables, random })
  const fleet = openGpus(tables, gpus)
  const leaving = new LeaveQueue()
  const sum = { arrived: 0, accepted: 0, arrivedWorth: 0, acceptedWorth: 0 }
  for (const { profile, at, stays } of arrivals) {
    for (let gone = leaving.until(at); gone !== undefined; gone = leaving.until(at)) fleet.release(gone.gpu, gone.taken)
    const counted = at >= countFrom ? 1 : 0
    const worth = counted * (tables.worth[profile] ?? 0)
    sum.arrived += counted
    sum.arrivedWorth += worth
    const held = fleet.take(choose, profile)
    if (held === undefined) continue
    sum.accepted += counted
    sum.acceptedWorth += worth
    if (stays !== undefined) leaving.add({ ...held, at: at + stays })
  }
  return { ...sum, gpusUsed: fleet.used() }
}

export type MigSimulation = {
  readonly tables: MigTables
  readonly policy: MigPolicy
  readonly arrivals: readonly MigArrival[]
  readonly gpus: number
  readonly random: () => number
  readonly countFrom?: number
}

type Held = { readonly gpu: number; readonly taken: Mask }

/** GPUs known by their mask: those with one mask lie in one pile, the last that came is the first that is taken. */
function openGpus({ full }: MigTables, gpus: number) {
  const gpusByMask = new Int32Array(full.length)
  const piles = new Map<Mask, number[]>()
  const masks = new Int32Array(gpus)
  const places = new Int32Array(gpus)
  const touched = new Uint8Array(gpus)
  for (let gpu = gpus - 1; gpu >= 0; gpu -= 1) put(gpu, 0)
  return { take, release, used: () => touched.reduce((sum, one) => sum + one, 0) }

  function take(choose: MigChooser, profile: number): Held | undefined {
    const spot = choose(profile, gpusByMask)
    const gpu = spot === undefined ? undefined : piles.get(spot.mask)?.at(-1)
    if (spot === undefined || gpu === undefined) return undefined
    if ((spot.mask & spot.taken) !== 0) throw new Error('a policy chose memory slices that are taken')
    lift(gpu)
    put(gpu, spot.mask | spot.taken)
    touched[gpu] = 1
    return { gpu, taken: spot.taken }
  }

  function release(gpu: number, taken: Mask): void {
    const mask = masks[gpu] ?? 0
    lift(gpu)
    put(gpu, mask & ~taken)
  }

  function put(gpu: number, mask: Mask): void {
    const pile = piles.get(mask) ?? []
    piles.set(mask, pile)
    places[gpu] = pile.push(gpu) - 1
    masks[gpu] = mask
    gpusByMask[mask] = pile.length
  }

  function lift(gpu: number): void {
    const mask = masks[gpu] ?? 0
    const pile = piles.get(mask) ?? []
    const last = pile.pop()
    const place = places[gpu] ?? 0
    if (last !== undefined && last !== gpu) {
      pile[place] = last
      places[last] = place
    }
    gpusByMask[mask] = pile.length
  }
}

type Leaving = Held & { readonly at: number }

/** A binary heap: who leaves first is at the top. */
class LeaveQueue {
  private readonly heap: Leaving[] = []

  add(leaving: Leaving): void {
    let place = this.heap.push(leaving) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (this.at(parent) <= leaving.at) break
      this.swap(place, parent)
      place = parent
    }
  }

  /** The next that has left by then, if any. */
  until(at: number): Leaving | undefined {
    const first = this.heap[0]
    if (first === undefined || first.at > at) return undefined
    const last = this.heap.pop()
    if (last !== undefined && this.heap.length > 0) {
      this.heap[0] = last
      this.sink()
    }
    return first
  }

  private sink(): void {
    for (let place = 0; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      const child = this.at(right) < this.at(left) ? right : left
      if (this.at(child) >= this.at(place)) return
      this.swap(place, child)
      place = child
    }
  }

  private at(place: number): number {
    return this.heap[place]?.at ?? Number.POSITIVE_INFINITY
  }

  private swap(a: number, b: number): void {
    const [first, second] = [this.heap[a], this.heap[b]]
    if (first === undefined || second === undefined) return
    this.heap[a] = second
    this.heap[b] = first
  }
}
