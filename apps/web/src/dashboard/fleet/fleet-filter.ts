import { numberAt } from './number-at.ts'
import { CODE, DOWN_BIT, FAULT_BIT, type FleetPicture } from './fleet-picture.ts'

/** What the map can be narrowed down to: the meanings of its blocks, faults, and nodes that are not ready. */
export const MEANING_BITS = {
  busy: 1 << CODE.busy,
  idle: 1 << CODE.idle,
  free: 1 << CODE.free,
  uncut: 1 << CODE.uncut,
  stranded: 1 << CODE.stranded,
  unknown: 1 << CODE.unknown,
  others: 1 << CODE.others,
  fault: FAULT_BIT,
  down: DOWN_BIT,
} as const
export type FleetMeaning = keyof typeof MEANING_BITS

/** In the order of the legend. */
export const FLEET_MEANINGS = [
  'busy',
  'idle',
  'free',
  'uncut',
  'stranded',
  'unknown',
  'others',
  'fault',
  'down',
] as const satisfies readonly FleetMeaning[]

/** How many GPUs have each meaning somewhere. A GPU that is cut can count in several. */
export function meaningCounts({ has }: FleetPicture): Readonly<Record<FleetMeaning, number>> {
  const counts = { busy: 0, idle: 0, free: 0, uncut: 0, stranded: 0, unknown: 0, others: 0, fault: 0, down: 0 }
  for (const bits of has) {
    for (const meaning of FLEET_MEANINGS) if ((bits & MEANING_BITS[meaning]) !== 0) counts[meaning] += 1
  }
  return counts
}

/** What is asked for: GPUs with any of these meanings (none named: all), where the search finds something. */
type FleetQuery = { readonly show: readonly FleetMeaning[]; readonly search: string }

type FleetMatch = {
  /** 1 for each GPU that stays; undefined: all do. */
  readonly mask: Uint8Array | undefined
  readonly count: number
}

/** Which GPUs match. The search looks into node, UUID, model, pool and who holds a part, whatever the case. */
export function fleetMatch(picture: FleetPicture, { show, search }: FleetQuery): FleetMatch {
  const words = search.trim().toLowerCase()
  if (show.length === 0 && words === '') return { mask: undefined, count: picture.gpus }
  const wanted = show.reduce((bits, meaning) => bits | MEANING_BITS[meaning], 0)
  const found = words === '' ? undefined : finderOf(picture, words)
  const mask = new Uint8Array(picture.gpus)
  let count = 0
  for (let gpu = 0; gpu < picture.gpus; gpu += 1) {
    const isShown = wanted === 0 || (numberAt(picture.has, gpu) & wanted) !== 0
    if (!isShown || found?.(gpu) === false) continue
    mask[gpu] = 1
    count += 1
  }
  return { mask, count }
}

/** Names are looked through once each, and not for every GPU that bears them. */
function finderOf({ frame, now, node, first }: FleetPicture, words: string): (gpu: number) => boolean {
  const has = (name: string): boolean => name.toLowerCase().includes(words)
  const found = (names: readonly string[]): Uint8Array => Uint8Array.from(names, (name) => (has(name) ? 1 : 0))
  const models = found(frame.models)
  const pools = found(frame.pools)
  const nodes = found(frame.nodes.name).map((is, place) => is | numberAt(pools, numberAt(frame.nodes.pool, place)))
  const holders = found(now.holders)
  const isHeldByFound = (gpu: number): boolean => {
    for (let block = numberAt(first, gpu); block < numberAt(first, gpu + 1); block += 1) {
      if (numberAt(holders, numberAt(now.blocks.holder, block)) === 1) return true
    }
    return false
  }
  return (gpu) =>
    numberAt(nodes, numberAt(node, gpu)) === 1 ||
    numberAt(models, numberAt(frame.gpus.model, gpu)) === 1 ||
    isHeldByFound(gpu) ||
    has(frame.gpus.id[gpu] ?? '')
}

/** The meanings that the address names, in the order of the legend. */
export const readShow = (text: string | undefined): readonly FleetMeaning[] => {
  const named = new Set((text ?? '').split(','))
  return FLEET_MEANINGS.filter((meaning) => named.has(meaning))
}
