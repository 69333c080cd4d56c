import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { sliceShare } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import { mib, ratio } from '../../units.ts'
import { askProblem, profilesFor, type GpuWant, type PlaceAsk, type PlaceNode } from './place-index-ask.ts'
import { placeNodeProblem } from './place-node-problem.ts'

const found = boardFor('A100-SXM4-80GB')
if (found === undefined) throw new Error('the catalog has no A100')
const board = found
const namesFor = (wants: GpuWant, model?: string) => profilesFor(board, wants, model).map(({ name }) => name)

describe('profiles that satisfy a want', () => {
  test('are the one of that name, also by that of an older driver', () => {
    expect(namesFor({ kind: 'mig', profile: '3g.40gb' })).toEqual(['3g.40gb'])
    expect(namesFor({ kind: 'mig', profile: '7g.79gb' })).toEqual(['7g.80gb'])
    expect(namesFor({ kind: 'mig', profile: '3g.20gb' })).toEqual([])
  })
  test('are those of a list that are of this model', () => {
    const of = [
      { model: 'A100-80GB', profile: '1g.10gb' },
      { model: 'T4', profile: WHOLE_GPU },
      { model: 'A100-80GB', profile: '9g.90gb' },
      { model: 'A30', profile: '3g.40gb' },
    ]
    expect(namesFor({ kind: 'any', of })).toEqual(['1g.10gb'])
    expect(namesFor({ kind: 'any', of }, 'A30')).toEqual(['3g.40gb'])
  })
  test('are none of a want of whole GPUs or of a share', () => {
    expect([namesFor({ kind: 'whole', count: 1 }), namesFor({ kind: 'share', milli: 500 })]).toEqual([[], []])
  })
  test('of a need are all with as much compute and memory, and no other', () => {
    const needs = fc.record({
      compute: fc.double({ min: 0, max: 1, noNaN: true }),
      memory: fc.integer({ min: 0, max: 90_000 }),
    })
    fc.assert(
      fc.property(needs, ({ compute, memory }) => {
        const names = new Set(namesFor({ kind: 'need', compute: ratio(compute), memory: mib(memory) }))
        for (const profile of board.profiles) {
          const isEnough = sliceShare(board, profile) >= compute && (profile.memory ?? -1) >= memory
          expect(names.has(profile.name)).toBe(isEnough)
        }
      }),
    )
  })
})

const problem = (wants: GpuWant, more: Partial<PlaceAsk['scheduling']> = {}) =>
  askProblem({
    wants,
    models: [],
    tenant: undefined,
    scheduling: { cpuMilli: 0, memory: mib(0), nodeSelector: {}, nodeTerms: [], tolerations: [], ...more },
  })

describe('what is wrong with an ask', () => {
  test.for<[GpuWant, string | undefined]>([
    [{ kind: 'whole', count: 8 }, undefined],
    [{ kind: 'whole', count: 0 }, 'a pod wants a whole number of GPUs, at least 1, not 0'],
    [{ kind: 'whole', count: 1.5 }, 'a pod wants a whole number of GPUs, at least 1, not 1.5'],
    [{ kind: 'whole', count: Number.NaN }, 'a pod wants a whole number of GPUs, at least 1, not NaN'],
    [{ kind: 'share', milli: 1000 }, undefined],
    [{ kind: 'share', milli: 1001 }, 'a share is 1 to 1000 thousandths of a GPU, not 1001'],
    [{ kind: 'share', milli: -1 }, 'a share is 1 to 1000 thousandths of a GPU, not -1'],
    [{ kind: 'mig', profile: 'whatever' }, undefined],
    [{ kind: 'need', compute: ratio(1), memory: mib(0) }, undefined],
    [
      { kind: 'need', compute: ratio(1.1), memory: mib(1) },
      'a need is a compute share from 0 to 1 and MiB from 0, not 1.1 and 1',
    ],
    [
      { kind: 'need', compute: ratio(0), memory: mib(Infinity) },
      'a need is a compute share from 0 to 1 and MiB from 0, not 0 and Infinity',
    ],
  ])('%j: %s', ([wants, because]) => {
    expect(problem(wants)).toBe(because)
  })
  test.for([{ cpuMilli: -1 }, { cpuMilli: Number.NaN }, { memory: mib(Infinity) }])('%j', (more) => {
    expect(problem({ kind: 'whole', count: 1 }, more)).toBe('CPU and memory requests are 0 or more')
  })
})

const at = (start: number) => ({ profile: '3g.40gb', placement: { start, size: 4 } })

const nodeProblem = (more: Partial<PlaceNode>) =>
  placeNodeProblem({
    id: 'a',
    model: 'A100-80GB',
    board,
    room: { cpuMilli: undefined, memory: undefined, labels: {}, taints: [] },
    gpus: [],
    ...more,
  })

describe('what is wrong with a node', () => {
  test.for<[string | undefined, Partial<PlaceNode>]>([
    [undefined, {}],
    [undefined, { gpus: [{ kind: 'cut', id: 'g', layout: [at(0), at(4)], held: [at(4)] }] }],
    [undefined, { gpus: [{ kind: 'dynamic', id: 'g', held: 'whole' }] }],
    ['a price is 0 or more, not -1', { price: -1 }],
    ['a price is 0 or more, not NaN', { price: Number.NaN }],
    [
      'CPU and memory, and what is used of them, are 0 or more, or unknown',
      { room: { cpuMilli: -1, memory: undefined, labels: {}, taints: [] } },
    ],
    [
      'CPU and memory, and what is used of them, are 0 or more, or unknown',
      { room: { cpuMilli: 1, memory: undefined, memoryUsed: mib(Number.NaN), labels: {}, taints: [] } },
    ],
    ['GPU g is partitioned, and its GPU model is unknown', { board: undefined, gpus: [{ kind: 'dynamic', id: 'g' }] }],
    [
      'GPU g cannot be partitioned this way: 3g.40gb at memory slice 0 overlaps another instance',
      { gpus: [{ kind: 'cut', id: 'g', layout: [at(0), at(0)] }] },
    ],
    [
      'GPU g cannot be partitioned this way: 3g.40gb at memory slice 4 overlaps another instance',
      { gpus: [{ kind: 'dynamic', id: 'g', held: [at(4), at(4)] }] },
    ],
    ['GPU g has fewer instances than are held', { gpus: [{ kind: 'cut', id: 'g', layout: [at(0)], held: [at(4)] }] }],
    [
      'DRA and mig-manager do not run on one node',
      {
        gpus: [
          { kind: 'dynamic', id: 'g' },
          { kind: 'whole', id: 'h' },
        ],
      },
    ],
  ])('%s', ([because, more]) => {
    expect(nodeProblem(more)).toBe(because)
  })
})
