import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { seconds } from '../../units.ts'
import { chooseNodes, type ChoiceProblem, type NodeChoice } from './choose-nodes.ts'
import { nodeOptions } from './node-options.ts'
import { evictionLead, type MovablePod, type SupplyNode } from './supply.ts'

type Drawn = {
  readonly nodes: readonly SupplyNode[]
  readonly budgets: ReadonlyMap<string, number>
  readonly places: number
  readonly perNode: number
}

const LENGTH = seconds(3600)

const drawnPod = fc.record({ gpus: fc.integer({ min: 1, max: 3 }), budget: fc.constantFrom(undefined, 'a', 'b') })
const drawn = fc
  .record({
    nodes: fc.array(fc.record({ free: fc.integer({ min: 0, max: 3 }), pods: fc.array(drawnPod, { maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
    allowed: fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })),
    places: fc.integer({ min: 1, max: 9 }),
    perNode: fc.integer({ min: 1, max: 3 }),
    base: fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 4, maxLength: 4 }),
  })
  .map(({ nodes, allowed: [a, b], places, perNode, base }): Drawn => ({
    nodes: nodes.map(({ free, pods }, index) => ({
      name: `node-${index}`,
      share: 1,
      free,
      idleNow: free,
      idleBefore: base[index] ?? 0,
      ending: [],
      movable: pods
        .map((pod, order) => ({ ...pod, pod: `p/${index}-${order}`, grace: seconds(30) }))
        // Who is covered by a budget that allows nothing is not movable at all.
        .filter(({ budget }) => budget === undefined || (budget === 'a' ? a : b) > 0),
    })),
    budgets: new Map([
      ['a', a],
      ['b', b],
    ]),
    places,
    perNode,
  }))

const problemOf = ({ nodes, budgets, places, perNode }: Drawn): ChoiceProblem => ({
  nodes: nodes.map((node) => ({ name: node.name, options: nodeOptions(node, { perNode, length: LENGTH }) })),
  budgets,
  places,
  limit: Infinity,
})

/** For each number of places the fewest evictions, then idle GPU-seconds, by trying every set of pods and every split. */
function everyChoice({ nodes, budgets, places, perNode }: Drawn): Map<number, { moves: number; idle: number }> {
  const best = new Map<number, { moves: number; idle: number }>()
  const ways = nodes.map((node) => waysOf(node, perNode))
  walk(0, [], { places: 0, idle: 0 })
  return best

  function walk(index: number, evicted: readonly MovablePod[], so: { places: number; idle: number }): void {
    const own = ways[index]
    if (own !== undefined) {
      for (const way of own)
        walk(index + 1, [...evicted, ...way.evicted], { places: so.places + way.places, idle: so.idle + way.idle })
      return
    }
    const isAllowed = [...budgets].every(
      ([budget, allowed]) => evicted.filter((pod) => pod.budget === budget).length <= allowed,
    )
    if (!isAllowed || so.places > places) return
    const before = best.get(so.places)
    const now = { moves: evicted.length, idle: so.idle }
    if (before === undefined || now.moves < before.moves || (now.moves === before.moves && now.idle < before.idle))
      best.set(so.places, now)
  }
}

function waysOf(node: SupplyNode, perNode: number) {
  const ways: { places: number; evicted: readonly MovablePod[]; idle: number }[] = [{ places: 0, evicted: [], idle: 0 }]
  for (let set = 0; set < 2 ** node.movable.length; set += 1) {
    const evicted = node.movable.filter((_, index) => Math.floor(set / 2 ** index) % 2 === 1)
    const freed = evicted.reduce((sum, { gpus }) => sum + gpus, 0)
    for (let places = 1; places * perNode <= node.free + freed; places += 1) {
      const lead = evicted.length === 0 ? 0 : evictionLead(evicted)
      const beside = (node.free + freed - places * perNode) * LENGTH
      ways.push({ places, evicted, idle: node.idleBefore + freed * lead + beside })
    }
  }
  return ways
}

/** What a choice says that trying everything does not bear out; the same number of places is not a claim of it. */
function untruths(of: Drawn, { places, moves, idle, bound, exact, chosen }: NodeChoice): string[] {
  const evicted = chosen.flatMap(({ option }) => option.evicted)
  const best = everyChoice(of).get(places) ?? { moves: 0, idle: 0 }
  const claims = {
    'keeps every budget': [...of.budgets].every(
      ([budget, allowed]) => evicted.filter((pod) => pod.budget === budget).length <= allowed,
    ),
    'evicts whom it says': evicted.length === moves,
    'has a bound': bound <= best.moves && best.moves <= moves,
    'is the best where it says so': !exact || (moves === best.moves && idle === best.idle),
  }
  return Object.entries(claims).flatMap(([claim, holds]) => (holds ? [] : claim))
}

describe('the nodes of an appointment', () => {
  test('hold to budgets and bound, and on small fleets are nearly always the best that trying everything finds', () => {
    const seen = { asked: 0, most: 0, fewest: 0, proven: 0 }
    fc.assert(
      fc.property(drawn, (each) => {
        const choice = chooseNodes(problemOf(each))
        expect(untruths(each, choice)).toEqual([])
        const all = everyChoice(each)
        seen.asked += 1
        seen.most += choice.places === Math.max(...all.keys()) ? 1 : 0
        seen.fewest += choice.moves === all.get(choice.places)?.moves ? 1 : 0
        seen.proven += choice.bound === choice.moves ? 1 : 0
      }),
      { numRuns: 600, seed: 19 },
    )
    expect(Math.min(seen.most, seen.fewest) / seen.asked).toBeGreaterThan(0.97)
    expect(seen.proven / seen.asked).toBeGreaterThan(0.9)
  })

  test('are the best of all where no disruption budget stands in the way', () => {
    let full = 0
    fc.assert(
      fc.property(drawn, (each) => {
        const free = { ...each, budgets: new Map([...each.budgets.keys()].map((budget) => [budget, 99])) }
        const choice = chooseNodes(problemOf(free))
        const all = everyChoice(free)
        expect(choice).toMatchObject({ places: Math.max(...all.keys()), exact: true, bound: choice.moves })
        expect({ moves: choice.moves, idle: choice.idle }).toEqual(all.get(choice.places))
        full += choice.places === each.places && choice.moves > 0 ? 1 : 0
      }),
      { numRuns: 300, seed: 20 },
    )
    // Else the cases would be too easy to show anything.
    expect(full).toBeGreaterThan(50)
  })

  test('with a limit are never more evictions than that', () => {
    fc.assert(
      fc.property(drawn, fc.integer({ min: 0, max: 3 }), (each, limit) => {
        expect(chooseNodes({ ...problemOf(each), limit }).moves).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 200, seed: 21 },
    )
  })

  test('hold to each of many disruption budgets that all bind', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const each = {
      nodes: Array.from({ length: 12 }, (_, index): SupplyNode => ({
        name: `node-${index}`,
        share: 1,
        free: 0,
        idleNow: 0,
        idleBefore: index,
        ending: [],
        movable: Array.from({ length: 6 }, (_pod, order) => ({
          pod: `p/${index}-${order}`,
          gpus: 1,
          budget: names[index % 6],
          grace: seconds(30),
        })),
      })),
      budgets: new Map(names.map((name) => [name, 9])),
      places: 54,
      perNode: 1,
    }
    const choice = chooseNodes(problemOf(each))
    expect(choice).toMatchObject({ places: 54, moves: 54, bound: 54, exact: false })
    const budgets = choice.chosen.flatMap(({ option }) => option.evicted.map(({ budget }) => budget))
    for (const name of names) expect(budgets.filter((budget) => budget === name)).toHaveLength(9)
  })
})
