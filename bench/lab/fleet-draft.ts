import { fitsGpu, fitsNode, place, undo, type Demand, type Fleet, type Spot } from '@septet/domain'

/** What was tried out on the fleet, so that it can be taken back. */
export class FleetDraft {
  readonly #fleet: Fleet
  readonly #done: { readonly demand: Demand; readonly spot: Spot; readonly put: boolean }[] = []

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  get length(): number {
    return this.#done.length
  }

  take(demand: Demand, spot: Spot): void {
    undo(this.#fleet, demand, spot)
    this.#done.push({ demand, spot, put: false })
  }

  /** False where it does not fit. */
  put(demand: Demand, spot: Spot): boolean {
    const fleet = this.#fleet
    if (!fitsNode(fleet, demand, spot.node) || !spot.gpus.every((gpu) => fitsGpu(fleet, demand, gpu))) return false
    place(fleet, demand, spot)
    this.#done.push({ demand, spot, put: true })
    return true
  }

  /** Takes back all that came after so many. */
  back(to = 0): void {
    for (const { demand, spot, put } of this.#done.splice(to).toReversed())
      (put ? undo : place)(this.#fleet, demand, spot)
  }
}
