import { BlockSchema, GpuViewSchema } from '@septet/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { worstNodes } from './FleetPage.tsx'
import { FLEET_MEANINGS, fleetMatch, meaningCounts, readShow } from './fleet-filter.ts'
import { fleetGroups, GROUPINGS, groupWords } from './fleet-groups.ts'
import { drawnFleets, drawnPicture } from './fleet-map.fixture.ts'
import { GPU_MODES, gpuAt, HOLDING_KINDS, PLACEMENTS } from './fleet-picture.ts'
import { fleetRows } from './fleet-rows.ts'

const busy = (share: number, more: object = {}) => ({ kind: 'busy', size: 4, busy: share, holder: 0, ...more }) as const
const free = { kind: 'free', size: 4, busy: -1, holder: -1 } as const
const unknown = { kind: 'unknown', size: 4, busy: -1, holder: 2 } as const

test('the codes are those of the contract, in its order', () => {
  expect(HOLDING_KINDS).toEqual(BlockSchema.shape.kind.options)
  expect(GPU_MODES).toEqual(GpuViewSchema.shape.mode.options)
  expect(PLACEMENTS).toEqual(BlockSchema.shape.placement.options)
})

describe('one GPU of the picture', () => {
  test('is what the wire said of it', () => {
    const picture = drawnPicture([{ node: 0, model: 1, blocks: [busy(420), unknown] }], { faults: [0] })
    expect(gpuAt(picture, 0)).toMatchObject({
      id: 'GPU-0',
      model: 'A100-SXM4-80GB',
      mode: 'mig',
      blocks: [
        { kind: 'busy', busy: 0.42, holder: 'team-a/Job/train-1' },
        { kind: 'unknown', busy: null, holder: 'team-b/Job/مهمة' },
      ],
      fault: { message: 'XID 79' },
    })
    expect(gpuAt(picture, 1)).toBeUndefined()
  })

  test('is not measured as a whole where a part of it is not', () => {
    const picture = drawnPicture([
      { node: 0, model: 0, blocks: [busy(400), busy(800)] },
      { node: 0, model: 0, blocks: [busy(400), unknown] },
      { node: 0, model: 0, blocks: [free] },
      { node: 0, model: 0, blocks: [busy(400), free] },
    ])
    expect(fleetRows(picture, undefined).map((row) => row.busy)).toEqual([0.6, undefined, undefined, 0.4])
    expect(fleetRows(picture, undefined).map(({ held }) => held)).toEqual([1, 1, 0, 0.5])
  })
})

describe('groups', () => {
  test('have every GPU once, whatever they are by', () =>
    fc.assert(
      fc.property(drawnFleets, fc.constantFrom(...GROUPINGS), (picture, by) => {
        const members = fleetGroups(picture, by).flatMap(({ gpus }) => [...gpus])
        expect(members.toSorted((a, b) => a - b)).toEqual(Array.from({ length: picture.gpus }, (_, gpu) => gpu))
      }),
    ))

  test('have every GPU once with nodes ranked, and keep the GPUs of a node together', () =>
    fc.assert(
      fc.property(drawnFleets, (picture) => {
        const members = fleetGroups(picture, 'node', worstNodes(picture)).flatMap(({ gpus }) => [...gpus])
        expect(members.toSorted((a, b) => a - b)).toEqual(Array.from({ length: picture.gpus }, (_, gpu) => gpu))
        const nodes = members.map((gpu) => picture.node[gpu])
        expect(nodes.filter((node, at) => node !== nodes[at - 1])).toHaveLength(new Set(nodes).size)
      }),
    ))

  test('have the worst node first: down, then idle, then half busy; what is not measured is not called unused', () => {
    const picture = drawnPicture(
      [
        { node: 0, model: 0, blocks: [unknown, unknown] },
        { node: 1, model: 0, blocks: [busy(500), busy(500)] },
        { node: 2, model: 0, blocks: [busy(0), free] },
        { node: 3, model: 0, blocks: [busy(1000), busy(1000)] },
        { node: 4, model: 0, blocks: [busy(900), free] },
      ],
      { notReady: [3] },
    )
    const [group] = fleetGroups(picture, 'node', worstNodes(picture))
    expect([...(group?.gpus ?? [])].map((gpu) => picture.node[gpu])).toEqual([2, 3, 4, 1, 0])
  })

  test('by tenant tell one, several, nobody and those that no rule speaks of', () => {
    const picture = drawnPicture([
      { node: 0, model: 0, blocks: [busy(1), busy(1, { holder: 1 })] },
      { node: 0, model: 0, blocks: [busy(1), busy(1, { holder: 2 })] },
      { node: 0, model: 0, blocks: [free] },
      { node: 0, model: 0, blocks: [busy(1, { holder: 3 })] },
    ])
    expect(fleetGroups(picture, 'tenant').map(({ name }) => name)).toEqual([
      'research',
      'Free',
      'Shared by tenants',
      'No tenant rule matches',
    ])
  })

  test('by health have the worst first, and unknown is not well', () => {
    const picture = drawnPicture(
      [
        { node: 0, model: 0, blocks: [busy(1)] },
        { node: 0, model: 0, blocks: [unknown] },
        { node: 1, model: 0, blocks: [busy(1)] },
        { node: 0, model: 0, blocks: [busy(1)] },
      ],
      { faults: [3], notReady: [1] },
    )
    const groups = fleetGroups(picture, 'health')
    expect(groups.map(({ name }) => name)).toEqual(['Fault', 'Node not ready', 'Held, not measured', 'No fault known'])
    expect(groups.map(groupWords)[0]).toBe('1 GPU on 1 node · 1 held · 1 fault')
  })
})

describe('filter and search', () => {
  const picture = drawnPicture(
    [
      { node: 0, model: 0, blocks: [busy(500), free] },
      { node: 1, model: 1, blocks: [unknown] },
      { node: 2, model: 0, blocks: [free] },
    ],
    { faults: [2] },
  )
  const found = (show: string, search: string) => {
    const { mask } = fleetMatch(picture, { show: readShow(show), search })
    return mask === undefined ? 'all' : [...mask]
  }

  test.each([
    ['', '', 'all'],
    ['', '  ', 'all'],
    ['free', '', [1, 0, 0]],
    ['free,unknown', '', [1, 1, 0]],
    ['free,fault', '', [1, 0, 1]],
    ['fault', '', [0, 0, 1]],
    ['no-such-meaning', '', 'all'],
    ['', 'NODE-001', [0, 1, 0]],
    ['', 'gpu-2', [0, 0, 1]],
    ['', 'a100', [0, 1, 0]],
    ['', 'team-a/', [1, 0, 0]],
    ['', 'مهمة', [0, 1, 0]],
    ['', 'pool-a', [1, 0, 1]],
    ['fault', 'pool-a', [0, 0, 1]],
    ['', 'nothing like it', [0, 0, 0]],
  ])('%j and %j leave %j', (show, search, left) => expect(found(show, search)).toEqual(left))

  test.each([
    ['of a node that is not ready', { notReady: [0] }, { free: 0, down: 1 }],
    ['with a fault', { faults: [0] }, { free: 0, fault: 1 }],
  ])('a GPU %s is not counted as free', (_, more, counts) => {
    const one = drawnPicture([{ node: 0, model: 0, blocks: [free] }], more)
    expect(meaningCounts(one)).toMatchObject(counts)
  })

  test('counts are how many GPUs each meaning leaves', () =>
    fc.assert(
      fc.property(drawnFleets, fc.constantFrom(...FLEET_MEANINGS), (fleet, meaning) => {
        const { count } = fleetMatch(fleet, { show: [meaning], search: '' })
        expect(count).toBe(meaningCounts(fleet)[meaning])
      }),
    ))
})
