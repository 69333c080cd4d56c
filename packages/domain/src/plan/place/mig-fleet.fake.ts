import type { Mask } from '../../gpu/layout.ts'
import type { MigChooser } from './mig-policy.ts'
import type { MigTables } from './mig-tables.ts'

/** Equal GPUs, known by their mask: those with one mask lie in one pile, the last that came is the first that is taken. */
export function openMigFleet({ full }: MigTables, gpus: number): MigFleet {
  const gpusByMask = new Int32Array(full.length)
  const piles = new Map<Mask, number[]>()
  const masks = new Int32Array(gpus)
  const places = new Int32Array(gpus)
  const touched = new Uint8Array(gpus)
  for (let gpu = gpus - 1; gpu >= 0; gpu -= 1) put(gpu, 0)
  return { gpusByMask, masks, take, release, used: () => touched.reduce((sum, one) => sum + one, 0) }

  function take(choose: MigChooser, profile: number): MigHeld | undefined {
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

export type MigFleet = {
  /** How many GPUs have each mask. */
  readonly gpusByMask: Int32Array
  /** Memory slices taken, by GPU. */
  readonly masks: Int32Array
  /** Asks the policy and takes the room; undefined where the profile fits nowhere. */
  take(choose: MigChooser, profile: number): MigHeld | undefined
  /** Gives back what `take` took. */
  release(gpu: number, taken: Mask): void
  /** GPUs that ever held anything. */
  used(): number
}

/** Memory slices of one GPU, by its number from 0. */
export type MigHeld = { readonly gpu: number; readonly taken: Mask }
