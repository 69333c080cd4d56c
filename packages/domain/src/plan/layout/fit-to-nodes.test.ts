import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { mib } from '../../units.ts'
import { fitToNodes } from './fit-to-nodes.ts'
import type { NodeBin, NodeNeed } from './fit-to-nodes.ts'
import type { LayoutPlan } from './layout-answer.ts'
import { WHOLE_GPU } from './layout-problem.ts'
import type { LayoutProblem } from './layout-problem.ts'
import { demand, layoutProblems, supply } from './layout-problem.suite.ts'
import { planLayout } from './plan-layout.ts'

function plan(problem: LayoutProblem): LayoutPlan {
  const answer = planLayout(problem)
  if (answer.kind === 'invalid') throw new Error(answer.because.join('; '))
  return answer
}

const node = (id: string, parts: Partial<NodeBin> = {}): NodeBin => ({
  id,
  supplyClass: 'a',
  gpus: 4,
  cpuMilli: 32_000,
  memory: mib(65_536),
  ...parts,
})

const need = (name: string, parts: Partial<NodeNeed> = {}): NodeNeed => ({
  demand: name,
  cpuMilli: 1000,
  memory: mib(1024),
  ...parts,
})

const infer = plan({ classes: [supply('a', { supply: 8 })], demands: [demand('infer', 14, '1g.10gb')] })

describe('a plan on nodes', () => {
  test('spreads work so that CPU and memory suffice', () => {
    const fit = fitToNodes(infer, [node('n1', { cpuMilli: 7000 }), node('n2', { cpuMilli: 7000 })], [need('infer')])
    expect(fit.unseated).toEqual([])
    expect(fit.seats.map(({ node: id, count }) => [id, count])).toEqual([
      ['n1', 7],
      ['n2', 7],
    ])
  })

  test.each([
    ['cpu', { cpuMilli: 5000 }, 4],
    ['memory', { memory: mib(3 * 1024) }, 8],
  ] as const)('says that %s is short, and for how many', (kind, short, count) => {
    const fit = fitToNodes(infer, [node('n1', short), node('n2', short)], [need('infer')])
    expect(fit.unseated).toMatchObject([{ demand: 'infer', kind, count }])
  })

  test('cannot be bound by what is not known', () => {
    const fit = fitToNodes(infer, [node('n1', { cpuMilli: undefined, memory: undefined })], [need('infer')])
    expect(fit.unseated).toEqual([])
  })

  test('says that GPUs are too few where only a part of a group was planned', () => {
    const half = plan({ classes: [supply('a', { supply: 3 })], demands: [demand('train', 4, WHOLE_GPU)] })
    const fit = fitToNodes(half, [node('n1')], [need('train', { together: 4 })])
    expect(fit.unseated).toEqual([
      {
        demand: 'train',
        supplyClass: 'a',
        profile: WHOLE_GPU,
        count: 3,
        kind: 'together',
        because: '3 GPUs are left of the plan for it, and it takes 4 together',
      },
    ])
  })

  test('goes to allowed nodes only', () => {
    const fit = fitToNodes(infer, [node('n1'), node('n2')], [need('infer', { allowed: new Set(['n2']) })])
    expect(fit.seats.map(({ node: id }) => id)).toEqual(['n2'])
    expect(fit.unseated).toMatchObject([{ kind: 'no-node', count: 7 }])
  })

  test('keeps GPUs that work together on one node, before others are cut', () => {
    const mixed = plan({
      classes: [supply('a', { supply: 8 })],
      demands: [demand('gang', 4, 'a '), demand('infer', 21, '1g.10gb')],
    })
    const fit = fitToNodes(mixed, [node('n1'), node('n2')], [need('gang', { together: 4 })])
    expect(fit.unseated).toEqual([])
    expect(fit.seats).toContainEqual({ demand: 'gang', supplyClass: 'a', profile: '', count: 4, node: 'n1' })
    const parted = fitToNodes(
      mixed,
      [node('n1', { gpus: 3 }), node('n2', { gpus: 3 })],
      [need('gang', { together: 4 })],
    )
    expect(parted.unseated).toMatchObject([{ demand: 'gang', kind: 'together', count: 4 }])
  })

  test('keeps within every node, and seats or reports each workload (random problems)', () => {
    fc.assert(
      fc.property(
        layoutProblems({ supply: 12, count: 20, demands: 5 }),
        fc.array(fc.record({ gpus: fc.integer({ min: 0, max: 8 }), cpuMilli: fc.integer({ min: 0, max: 9000 }) }), {
          maxLength: 6,
        }),
        (problem, machines) => {
          const answer = plan(problem)
          const nodes = machines.map((parts, index) =>
            node(`n${index}`, { ...parts, supplyClass: problem.classes[index % problem.classes.length]?.id ?? 'a' }),
          )
          const fit = fitToNodes(
            answer,
            nodes,
            problem.demands.map(({ id }) => need(id)),
          )
          expect(total(fit.seats) + total(fit.unseated)).toBe(answer.totals.placed)
          for (const { id, gpus, cpuMilli } of nodes) {
            const cut = fit.nodes.filter((each) => each.node === id)
            expect(cut.reduce((sum, each) => sum + each.gpus, 0)).toBeLessThanOrEqual(gpus)
            expect(total(fit.seats.filter((seat) => seat.node === id)) * 1000).toBeLessThanOrEqual(cpuMilli ?? 0)
          }
        },
      ),
      { numRuns: 100, seed: 8 },
    )
  })
})

const total = (list: ReadonlyArray<{ readonly count: number }>): number =>
  list.reduce((sum, each) => sum + each.count, 0)
