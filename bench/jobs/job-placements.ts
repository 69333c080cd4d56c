import { bitCount, enumerateLayouts, type Layout, type PlacedInstance } from '@septet/domain'
import type { JobMenu } from './job-menu.ts'

/**
 * What can be made on one GPU beside instances that stay where they are. Geometries are states of the menu, and count only
 * what is added; fragmentation shows, because the kept instances have starts: beside a 1g at memory slice 3, a 4g has no room.
 */
export type JobPlacements = {
  /** The state of the menu that a layout's geometry is. */
  readonly stateOf: (layout: Layout) => number
  /** The geometries that fit beside these instances, fewest instances first; the empty one always does. */
  readonly beside: (kept: Layout) => Int16Array
  /**
   * The kept instances and a geometry that fits beside them, by start: of all placements one that shares most instances with
   * `old`, then one that leaves room for the largest profile, then for most layouts. Throws when it does not fit.
   */
  readonly place: (kept: Layout, state: number, old: Layout) => Layout
  /** The layout filled up with spare instances, from the largest profile down; of equal ones that which shares most with `old`. */
  readonly filledUp: (kept: Layout, old: Layout) => Layout
}

/** The placements of a menu, which are worked out once per kept layout and remembered. */
export function jobPlacements(menu: JobMenu): JobPlacements {
  const known = memory.get(menu)
  if (known !== undefined) return known
  const made = new Placements(menu)
  const placements: JobPlacements = {
    stateOf: (layout) => made.stateOf(layout),
    beside: (kept) => made.around(made.bitsOf(kept)).states,
    place: (kept, state, old) => made.place(kept, state, old),
    filledUp: (kept, old) => made.filledUp(kept, old),
  }
  memory.set(menu, placements)
  return placements
}

const memory = new WeakMap<JobMenu, JobPlacements>()

/** A placed layout: a bit for each instance, and how much can still be added. */
type Placed = { readonly bits: number; readonly layout: Layout; readonly room: number }

type Around = { readonly states: Int16Array; readonly byState: ReadonlyMap<number, readonly Placed[]> }

class Placements {
  private readonly menu: JobMenu
  private readonly bitOf = new Map<string, number>()
  private readonly all: readonly Placed[]
  private readonly stateOfCounts: ReadonlyMap<string, number>
  private readonly known = new Map<number, Around>()
  private readonly states = new WeakMap<Layout, number>()

  constructor(menu: JobMenu) {
    this.menu = menu
    const profiles = menu.board.profiles.filter(({ name }) => menu.profiles.includes(name))
    const layouts = enumerateLayouts(menu.board, profiles)
    for (const instance of layouts.flat()) {
      const name = nameOf(instance)
      if (!this.bitOf.has(name)) this.bitOf.set(name, 1 << this.bitOf.size)
    }
    const bits = layouts.map((layout) => this.bitsOf(layout))
    this.stateOfCounts = new Map(menu.counts.map((counts, state) => [counts.join(), state]))
    this.all = layouts.map((layout, at) => ({ layout, bits: bits[at] ?? 0, room: this.roomIn(bits[at] ?? 0, bits) }))
  }

  bitsOf(layout: Layout): number {
    return layout.reduce((bits, instance) => bits | (this.bitOf.get(nameOf(instance)) ?? 0), 0)
  }

  around(kept: number): Around {
    const known = this.known.get(kept)
    if (known !== undefined) return known
    const byState = new Map<number, Placed[]>()
    for (const placed of this.all) {
      if ((placed.bits & kept) !== kept) continue
      const state = this.stateOf(placed.layout.filter((instance) => (this.bitsOf([instance]) & kept) === 0))
      const sames = byState.get(state)
      if (sames === undefined) byState.set(state, [placed])
      else sames.push(placed)
    }
    // States are numbered by the number of their instances.
    const around = { states: Int16Array.from([...byState.keys()].toSorted((a, b) => a - b)), byState }
    this.known.set(kept, around)
    return around
  }

  place(kept: Layout, state: number, old: Layout): Layout {
    const bits = this.bitsOf(old)
    const best = closest(this.around(this.bitsOf(kept)).byState.get(state) ?? [], bits)
    if (best === undefined) throw new RangeError(`geometry ${state} does not fit beside ${kept.map(nameOf).join(', ')}`)
    return best.layout
  }

  filledUp(kept: Layout, old: Layout): Layout {
    const { states, byState } = this.around(this.bitsOf(kept))
    const fullest = states.reduce((best, state) => (this.isLarger(state, best) ? state : best), 0)
    return closest(byState.get(fullest) ?? [], this.bitsOf(old))?.layout ?? kept
  }

  /** More of the largest profile in which two geometries differ. */
  private isLarger(a: number, b: number): boolean {
    const [left, right] = [this.menu.counts[a] ?? [], this.menu.counts[b] ?? []]
    const at = left.findLastIndex((count, profile) => count !== right[profile])
    return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0)
  }

  stateOf(layout: Layout): number {
    const known = this.states.get(layout)
    if (known !== undefined) return known
    const counts = this.menu.profiles.map((name) => layout.filter(({ profile }) => profile === name).length)
    const state = this.stateOfCounts.get(counts.join()) ?? 0
    this.states.set(layout, state)
    return state
  }

  /** The largest profile that fits beside, then how many layouts hold these instances: the larger, the less is blocked. */
  private roomIn(bits: number, all: readonly number[]): number {
    const larger = all.filter((other) => (other & bits) === bits)
    const most = this.menu.profiles.findLastIndex((name) =>
      [...this.bitOf].some(
        ([other, bit]) => other.startsWith(`${name} `) && (bits & bit) === 0 && larger.includes(bits | bit),
      ),
    )
    return most * all.length + larger.length
  }
}

const nameOf = ({ profile, placement }: PlacedInstance): string => `${profile} at ${placement.start}`

function closest(placed: readonly Placed[], old: number): Placed | undefined {
  let best: Placed | undefined
  let most = -1
  for (const each of placed) {
    const shared = bitCount(each.bits & old)
    if (shared < most || (shared === most && each.room <= (best?.room ?? -1))) continue
    most = shared
    best = each
  }
  return best
}
