import type { Slot, SlotSeat, Unit } from './slots.ts'
import { mix, seedOf } from './hash.ts'
import { SCENES, type StageScene } from './stage.ts'

/**
 * Clears the stage and seats its cast. Slots elsewhere stay as they were drawn; a service that had a replica on the stage
 * has one less.
 */
export function stageSlots(
  seed: number,
  drawn: readonly Slot[],
  units: ReadonlyMap<string, readonly Unit[]>,
): readonly Slot[] {
  const scenes = SCENES.map((scene) => ({ scene, units: unitsOf(scene, units) }))
  const cleared = new Set(scenes.flatMap((each) => each.units))
  if (cleared.size === 0) return drawn
  const kept = drawn.flatMap((slot) => withoutSeatsOn(cleared, slot))
  let next = drawn.length
  const staged = scenes.flatMap(({ scene, units: free }) => {
    let taken = 0
    return scene.cast.map((cast): Slot => {
      const [node] = free.map((unit) => unit.node)
      if (node === undefined) throw new Error(`${scene.node} has no GPU to act on`)
      const seat: SlotSeat = { node, units: free.slice(taken, (taken += cast.units)) }
      const slot = {
        id: next++,
        seed: mix(seed, seedOf(cast.name)),
        role: cast.role,
        seats: [seat],
        scarce: true,
        cast,
      }
      sit(slot)
      return slot
    })
  })
  return [...kept, ...staged]
}

const unitsOf = ({ node, gpus }: StageScene, units: ReadonlyMap<string, readonly Unit[]>): readonly Unit[] =>
  (units.get(node) ?? []).filter(({ gpu }) => gpu.xid === undefined && gpus?.includes(gpu.index) !== false)

function withoutSeatsOn(cleared: ReadonlySet<Unit>, slot: Slot): readonly Slot[] {
  const seats = slot.seats.filter((seat) => !seat.units.some((unit) => cleared.has(unit)))
  if (seats.length === slot.seats.length) return [slot]
  for (const unit of slot.seats.flatMap((seat) => seat.units)) unit.seat = undefined
  if (seats.length === 0) return []
  const fewer = { ...slot, seats }
  sit(fewer)
  return [fewer]
}

function sit(slot: Slot): void {
  for (const [index, seat] of slot.seats.entries()) for (const unit of seat.units) unit.seat = { slot, index }
}
