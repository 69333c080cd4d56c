/* oxlint-disable complexity -- the search and what is kept of it stand in one loop */
import { nothingRemembered } from '@septet/server/testing/act'

import { NOTHING_KEPT } from './store-twin.ts'
import { isOver, movesFrom } from './moves.ts'
import type { Bug } from './play-turn.ts'
import { worldHash } from './state-hash.ts'
import type { Scenario, World } from './world.ts'

export type Explored = {
  readonly states: number
  readonly moves: number
  /** Whether every state was gone on from. */
  readonly isComplete: boolean
  /** What went wrong, with what led to it, first to last. */
  readonly found: ReadonlyArray<{ readonly flaw: string; readonly trace: readonly string[] }>
  /** How runs ended, and in how many states. */
  readonly ends: Readonly<Record<string, number>>
}

type Bound = {
  readonly states: number
  readonly bug?: Bug
  /** Flaws after which it ends. */
  readonly most?: number
  /** Follows each way to its end before the next: a flaw that lies deep is found sooner, by a longer way. */
  readonly isDeep?: boolean
}

/** The world before anything has happened. */
const beginning = ({ cluster, runs, left, actors }: Scenario): World => ({
  now: runs[0]?.proposedAt ?? 0,
  cluster,
  reading: undefined,
  kept: { ...NOTHING_KEPT, runs },
  actors: Array.from({ length: actors }, () => ({
    memory: nothingRemembered(),
    lead: undefined,
    turn: undefined,
    turnedAt: 0,
    looked: { at: 0, isStop: false },
    intents: [],
    lives: 1,
  })),
  network: [],
  left,
  ghost: { effects: {}, theirs: {}, evicted: [], acted: {} },
  flaw: undefined,
})

/**
 * Goes from the beginning to every state that can be reached, nearest first, and looks whether anything is wrong there; then
 * whether an end can be reached from each.
 */
export async function explore(
  scenario: Scenario,
  { states: most, bug, most: flaws = 1, isDeep = false }: Bound,
): Promise<Explored> {
  const first = beginning(scenario)
  const known = new Map<number, number>([[worldHash(first), 0]])
  const came: { readonly from: number; readonly says: string }[] = [{ from: -1, says: '' }]
  const edges: number[] = []
  const open = new Queue<{ readonly index: number; readonly world: World }>(isDeep)
  open.add({ index: 0, world: first })
  const ending = new Set<number>()
  const ends: Record<string, number> = {}
  const found: { flaw: string; trace: readonly string[] }[] = []
  let moves = 0
  while (came.length < most && found.length < flaws) {
    const at = open.take()
    if (at === undefined) break
    const { world } = at
    for (const { says, leads } of movesFrom(world, scenario, bug)) {
      moves += 1
      // One after the other: the first way to a state is the shortest.
      // oxlint-disable-next-line no-await-in-loop
      const next = await leads()
      const hash = worldHash(next)
      const seen = known.get(hash)
      edges.push(at.index, seen ?? came.length)
      if (seen !== undefined) continue
      const index = came.length
      known.set(hash, index)
      came.push({ from: at.index, says })
      open.add({ index, world: next })
      if (next.flaw !== undefined) found.push({ flaw: next.flaw, trace: traceOf(came, index) })
      if (isOver(next)) {
        ending.add(index)
        const how = next.kept.runs.map(({ transitions }) => transitions.at(-1)?.state).join(', ')
        ends[how] = (ends[how] ?? 0) + 1
      }
    }
  }
  const left = open.all()
  const isComplete = left.length === 0 && came.length < most
  if (found.length === 0) {
    const stuck = withoutEnd(came.length, edges, [...ending, ...left.map(({ index }) => index)])
    if (stuck !== undefined) found.push({ flaw: 'no end can be reached from here', trace: traceOf(came, stuck) })
  }
  return { states: came.length, moves, isComplete, found, ends }
}

/** What is still to be gone on from: first come first, or last come first. */
class Queue<Item> {
  readonly #isDeep: boolean
  #items: Item[] = []
  #taken = 0

  constructor(isDeep: boolean) {
    this.#isDeep = isDeep
  }

  add(item: Item): void {
    this.#items.push(item)
  }

  take(): Item | undefined {
    if (this.#isDeep) return this.#items.pop()
    const item = this.#items[this.#taken]
    this.#taken += 1
    if (this.#taken < 10_000) return item
    this.#items = this.#items.slice(this.#taken)
    this.#taken = 0
    return item
  }

  all(): readonly Item[] {
    return this.#items.slice(this.#taken)
  }
}

/** The first state from which no end can be reached, looked for from the ends backwards. */
function withoutEnd(states: number, edges: readonly number[], ends: readonly number[]): number | undefined {
  const before = new Map<number, number[]>()
  for (let index = 0; index < edges.length; index += 2) {
    const [from = 0, to = 0] = [edges[index], edges[index + 1]]
    const all = before.get(to)
    if (all === undefined) before.set(to, [from])
    else all.push(from)
  }
  const reaches = new Uint8Array(states)
  const open = [...ends]
  for (const each of open) reaches[each] = 1
  for (let to = open.pop(); to !== undefined; to = open.pop()) {
    for (const from of before.get(to) ?? []) {
      if (reaches[from] === 1) continue
      reaches[from] = 1
      open.push(from)
    }
  }
  const stuck = reaches.indexOf(0)
  return stuck < 0 ? undefined : stuck
}

function traceOf(came: readonly { readonly from: number; readonly says: string }[], index: number): readonly string[] {
  const said: string[] = []
  for (let at = index; at > 0; at = came[at]?.from ?? -1) said.unshift(came[at]?.says ?? '')
  return said
}
