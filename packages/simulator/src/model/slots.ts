import { boardFor, profileOf, sliceShare, WHOLE_GPU_RESOURCE } from '@septet/domain'
import type { GpuSpec, NodeSpec } from './fleet.ts'
import type { CloudInstance } from './hardware.ts'
import { draw, mix, pickWeighted } from './hash.ts'
import type { Activity } from './activity.ts'
import type { Cast } from './stage.ts'
import type { WorkKind } from './tenants.ts'

/** Somebody holds a unit from one instant to another. `to` moves when the pod ends. */
export type SlotHolding = {
  readonly from: number
  to: number
  readonly holder: Holder
  readonly activity: Activity
}
export type Holder = { readonly namespace: string; readonly pod: string; readonly container: string }

/** How often each GPU of a node is given out, and what then runs on it by turns. */
export type SlotSharing = { readonly kind: 'time-slicing' | 'mps'; readonly replicas: number }

/** What becomes of one GPU: instances, or a whole one that may be shared. */
export type Cut = {
  readonly layout: readonly CloudInstance[] | undefined
  readonly sharing?: SlotSharing | undefined
}

/** What one container can be given: a whole GPU, a MIG device or a shared replica. It exists from `from` to `to`. */
export type Unit = {
  /** `GPU-…`, `GPU-…/gi-7` or `GPU-…/replica-2`. */
  readonly id: string
  readonly node: NodeSpec
  readonly gpu: GpuSpec
  readonly instance: CloudInstance | undefined
  /** How its GPU is shared, where it is one of the GPU's replicas. */
  readonly sharing: SlotSharing | undefined
  /** Part of the GPU's compute. */
  readonly share: number
  readonly memoryMib: number
  readonly resource: string
  readonly from: number
  to: number
  /** Who sits here in the ordinary course of things. */
  seat: { readonly slot: Slot; readonly index: number } | undefined
  /** Who was put here by the scheduler beside the ordinary course. */
  readonly placed: SlotHolding[]
}

/** Units that one pod takes. */
export type SlotSeat = { readonly node: NodeSpec; readonly units: readonly Unit[] }

/** Seats whose pods come and go together: a training gang, the replicas of a service. */
export type Slot = {
  readonly id: number
  readonly seed: number
  readonly role: WorkKind
  readonly seats: readonly SlotSeat[]
  /** Never empty: there is always somebody waiting for this shape. */
  readonly scarce: boolean
  /** Who sits here, where that is not left to chance. */
  readonly cast?: Cast
}

/** Cuts a node's GPUs into units as they are in the beginning. */
export function unitsOfNode(node: NodeSpec): Unit[] {
  const sharing: SlotSharing | undefined =
    node.offer.kind === 'time-sliced' ? { kind: 'time-slicing', replicas: node.offer.replicas } : undefined
  return node.gpus.flatMap((gpu) => unitsOfGpu(node, gpu, { layout: gpu.layout, sharing, from: -Infinity }))
}

/** The units of one GPU; without a layout it is not in MIG mode. */
export function unitsOfGpu(node: NodeSpec, gpu: GpuSpec, as: Cut & { from: number }): Unit[] {
  const common = { node, gpu, from: as.from, to: Infinity, seat: undefined }
  const whole = { instance: undefined, resource: WHOLE_GPU_RESOURCE, memoryMib: node.hardware.memoryMib }
  if (as.layout !== undefined)
    return as.layout.map((instance) => ({ ...common, ...migUnit(node, gpu, instance), placed: [] }))
  const { sharing } = as
  if (sharing === undefined) return [{ ...common, ...whole, id: gpu.uuid, sharing, share: 1, placed: [] }]
  return Array.from({ length: sharing.replicas }, (_, replica) => ({
    ...common,
    ...whole,
    id: `${gpu.uuid}/replica-${replica}`,
    sharing,
    share: 1 / sharing.replicas,
    placed: [],
  }))
}

function migUnit(node: NodeSpec, gpu: GpuSpec, instance: CloudInstance) {
  const board = boardFor(node.hardware.modelName)
  const profile = board === undefined ? undefined : profileOf(board, instance.profile)
  if (board === undefined || profile === undefined) throw new Error(`${instance.profile} is no profile of ${node.name}`)
  const estimate = Math.floor((node.hardware.memoryMib * profile.size) / board.memorySlices)
  return {
    id: `${gpu.uuid}/gi-${instance.instance}`,
    instance,
    sharing: undefined,
    share: sliceShare(board, profile),
    memoryMib: profile.memory ?? estimate,
    resource:
      node.offer.kind === 'single' ? WHOLE_GPU_RESOURCE : `nvidia.com/mig-${instance.profile.replaceAll('+', '.')}`,
  }
}

const SCARCE: ReadonlySet<string> = new Set(['3g.40gb'])
const seatKey = (seat: SlotSeat): string => {
  const unit = seat.units[0]
  return `${seat.node.hardware.key}/${seat.node.offer.kind}/${unit?.instance?.profile ?? seat.units.length}`
}

/** Deals the units of a fleet out to slots, and writes the seats into the units. */
export function makeSlots(seed: number, units: ReadonlyMap<string, readonly Unit[]>): readonly Slot[] {
  const slots: Slot[] = []
  const add = (role: WorkKind, seats: readonly SlotSeat[]): void => {
    if (seats.length === 0) return
    const id = slots.length
    const scarce = seats.some(({ units: [unit] }) => SCARCE.has(unit?.instance?.profile ?? ''))
    const slot = { id, seed: mix(seed, id), role, seats, scarce }
    slots.push(slot)
    for (const [index, seat] of seats.entries()) for (const unit of seat.units) unit.seat = { slot, index }
  }
  // Replicas of a service sit in seats of one shape, the members of a gang on whole nodes of one kind.
  const groups = new Map<string, { readonly role: WorkKind; readonly seats: SlotSeat[] }>()
  for (const seat of [...units.values()].flatMap((list) => seatsOf(list))) {
    const chance = mix(seed, mix(seat.node.seed, seat.units[0]?.gpu.index ?? 0) ^ seat.units.length ^ slots.length)
    const role = roleOf(seat, chance)
    if (role === undefined) continue
    const key = `${role}/${seatKey(seat)}`
    const group = groups.get(key) ?? { role, seats: [] }
    group.seats.push(seat)
    if (group.seats.length >= groupSize(role, seat, chance)) add(role, group.seats.splice(0))
    groups.set(key, group)
  }
  for (const { role, seats } of groups.values()) add(role, seats)
  return slots
}

/** How many seats the workload in this seat shall have at least. */
function groupSize(role: WorkKind, seat: SlotSeat, chance: number): number {
  if (role === 'inference') return 1 + (mix(chance, 5) % 4)
  return role === 'training' && seat.units.length === 8 ? 1 + (mix(chance, 6) % 2) : 1
}

const PATTERNS: Readonly<Record<number, readonly { readonly sizes: readonly number[]; readonly weight: number }[]>> = {
  8: [
    { sizes: [8], weight: 40 },
    { sizes: [4, 4], weight: 20 },
    { sizes: [4, 2, 1, 1], weight: 20 },
    { sizes: [2, 2, 2, 2], weight: 10 },
    { sizes: [1, 1, 1, 1, 1, 1, 1, 1], weight: 10 },
  ],
  4: [
    { sizes: [4], weight: 20 },
    { sizes: [2, 2], weight: 20 },
    { sizes: [2, 1, 1], weight: 20 },
    { sizes: [1, 1, 1, 1], weight: 40 },
  ],
  2: [
    { sizes: [2], weight: 20 },
    { sizes: [1, 1], weight: 80 },
  ],
}

function seatsOf(units: readonly Unit[]): SlotSeat[] {
  const node = units[0]?.node
  if (node === undefined || node.defect === 'not-ready') return []
  const usable = units.filter((unit) => unit.gpu.xid === undefined)
  if (node.offer.kind !== 'whole') return usable.map((unit) => ({ node, units: [unit] }))
  // Nobody gets all eight GPUs of an H200 node here: larger work waits for them.
  const choices = (PATTERNS[units.length] ?? [{ sizes: [1], weight: 1 }]).filter(
    ({ sizes }) => node.hardware.key !== 'h200' || (sizes[0] ?? 0) < 8,
  )
  const { sizes } = pickWeighted(choices, draw(node.seed, 40))
  let next = 0
  return sizes.flatMap((size) => {
    const mine = usable.slice(next, next + size)
    next += size
    return mine.length === size ? [{ node, units: mine }] : mine.map((unit) => ({ node, units: [unit] }))
  })
}

type Mixture = readonly { readonly role: WorkKind | undefined; readonly weight: number }[]
const mixture = (weights: { [role in WorkKind]?: number } & { none: number }): Mixture => [
  { role: 'training', weight: weights.training ?? 0 },
  { role: 'inference', weight: weights.inference ?? 0 },
  { role: 'notebook', weight: weights.notebook ?? 0 },
  { role: 'analytics', weight: weights.analytics ?? 0 },
  { role: undefined, weight: weights.none },
]
const GANG = mixture({ training: 92, inference: 5, none: 3 })
const PAIR = mixture({ training: 58, inference: 30, analytics: 10, none: 2 })
const BIG_SINGLE = mixture({ training: 34, inference: 30, notebook: 20, analytics: 13, none: 3 })
const SMALL_SINGLE = mixture({ training: 8, inference: 46, notebook: 22, analytics: 20, none: 4 })
const SLICE = mixture({ inference: 46, notebook: 38, analytics: 11, none: 5 })
const WIDE_SLICE = mixture({ training: 40, inference: 40, analytics: 17, none: 3 })
const SCARCE_SLICE = mixture({ training: 45, inference: 55, none: 0 })

function roleOf(seat: SlotSeat, chance: number): WorkKind | undefined {
  const [unit] = seat.units
  const from = mixtureOf(seat, unit)
  return pickWeighted(from, draw(chance, 1)).role
}

function mixtureOf(seat: SlotSeat, unit: Unit | undefined): Mixture {
  if (unit?.instance !== undefined) return sliceMixture(unit.instance.profile, unit.share)
  if (seat.units.length >= 4) return GANG
  if (seat.units.length === 2) return PAIR
  return seat.node.hardware.maxWatts >= 400 ? BIG_SINGLE : SMALL_SINGLE
}

function sliceMixture(profile: string, share: number): Mixture {
  if (SCARCE.has(profile)) return SCARCE_SLICE
  return share > 0.4 ? WIDE_SLICE : SLICE
}
