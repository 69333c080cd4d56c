import type { Berth, Seat, Unit } from './berths.ts'
import { mix, seedOf } from './hash.ts'
import { SCENES } from './stage.ts'
import type { Scene } from './stage.ts'

/**
 * Clears the stage and seats its cast. Berths elsewhere stay as they were drawn; a service that had a replica on the stage
 * has one less.
 */
export function stageBerths(
  seed: number,
  drawn: readonly Berth[],
  units: ReadonlyMap<string, readonly Unit[]>,
): readonly Berth[] {
  const scenes = SCENES.map((scene) => ({ scene, units: unitsOf(scene, units) }))
  const cleared = new Set(scenes.flatMap((each) => each.units))
  if (cleared.size === 0) return drawn
  const kept = drawn.flatMap((berth) => withoutSeatsOn(cleared, berth))
  let next = drawn.length
  const staged = scenes.flatMap(({ scene, units: free }) => {
    let taken = 0
    return scene.cast.map((cast): Berth => {
      const [node] = free.map((unit) => unit.node)
      if (node === undefined) throw new Error(`${scene.node} has no GPU to act on`)
      const seat: Seat = { node, units: free.slice(taken, (taken += cast.units)) }
      const berth = {
        id: next++,
        seed: mix(seed, seedOf(cast.name)),
        role: cast.role,
        seats: [seat],
        scarce: true,
        cast,
      }
      sit(berth)
      return berth
    })
  })
  return [...kept, ...staged]
}

const unitsOf = ({ node, gpus }: Scene, units: ReadonlyMap<string, readonly Unit[]>): readonly Unit[] =>
  (units.get(node) ?? []).filter(({ gpu }) => gpu.xid === undefined && gpus?.includes(gpu.index) !== false)

function withoutSeatsOn(cleared: ReadonlySet<Unit>, berth: Berth): readonly Berth[] {
  const seats = berth.seats.filter((seat) => !seat.units.some((unit) => cleared.has(unit)))
  if (seats.length === berth.seats.length) return [berth]
  for (const unit of berth.seats.flatMap((seat) => seat.units)) unit.seat = undefined
  if (seats.length === 0) return []
  const fewer = { ...berth, seats }
  sit(fewer)
  return [fewer]
}

function sit(berth: Berth): void {
  for (const [index, seat] of berth.seats.entries()) for (const unit of seat.units) unit.seat = { berth, index }
}
