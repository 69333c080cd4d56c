import { OPERATIONS } from '@septet/contract'
import { ratio, type ClusterSnapshot } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { draw, DRAWN_AT } from '@septet/domain/testing'
import { factsOf } from '../answering/facts.fixture.ts'
import { factsOfNamespaces } from '../answering/namespace-facts.ts'
import { liveEfficiency } from './partition-efficiency.ts'
import { liveRoom } from './partition-room.ts'
import { livePartitions } from './partitions.ts'
import { sampleEfficiency, samplePartitions } from '../sample/sample-partitions.ts'

/** Two boards; GPU a-1 strands a compute slice by construction, b-0 by where its instance sits. */
const fleet = draw`
  a@train  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb lab/y]
  a@train  A100-SXM4-80GB  [2g.20gb -] [1g.10gb web/z]
  b@train  A100-SXM4-80GB  [7g.80gb -]
  c@edge   A30             [2g.12gb web/q] [2g.12gb -]
  d@edge   T4              [1/2 web/r] [1/2 -]`

const all = OPERATIONS.partitionsList.input.parse({ mig: 'false' })
const names = async (input: object, snapshot: ClusterSnapshot = fleet): Promise<string[]> => {
  const asked = OPERATIONS.partitionsList.input.parse({ mig: 'false', ...input })
  return (await livePartitions(factsOf(snapshot, []), asked)).nodes.map(({ node }) => node)
}

describe('the list of nodes', () => {
  test('is narrowed by name, by holder, board, pool and state', async () => {
    expect(await names({ mig: 'true' })).toEqual(['a', 'b', 'c'])
    expect(await names({ search: 'WEB/' })).toEqual(['a', 'c', 'd'])
    expect(await names({ model: 'A30' })).toEqual(['c'])
    expect(await names({ pool: 'edge' })).toEqual(['c', 'd'])
    expect(await names({ state: 'stranded' })).toEqual(['a'])
    expect(await names({ state: 'free', pool: 'train' })).toEqual(['a', 'b'])
    expect(await names({ node: 'b' })).toEqual(['b'])
    expect(await names({ offset: 1, limit: 2 })).toEqual(['b', 'c'])
  })

  test('tells what it can be narrowed to, also while it is narrowed', async () => {
    const { facets, total } = await livePartitions(factsOf(fleet, []), { ...all, model: 'A30' })
    expect(total).toBe(1)
    expect(facets.pools).toEqual([
      { name: 'edge', nodes: 2 },
      { name: 'train', nodes: 2 },
    ])
    expect(facets.models.map(({ name }) => name)).toEqual(['A100-SXM4-80GB', 'A30', 'T4'])
    expect(facets.states).toContainEqual({ name: 'stranded', nodes: 1 })
  })

  test('tells a free instance from memory that is not cut: only the first is available', async () => {
    const { nodes } = await livePartitions(factsOf(fleet, []), all)
    const a = nodes.find(({ node }) => node === 'a')
    const kinds = a?.gpus.map(({ blocks }) => blocks.map(({ kind }) => kind))
    expect(kinds).toEqual([
      ['unknown', 'unknown'],
      ['free', 'unknown', 'uncut'],
    ])
    const free = a?.gpus.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'free'))
    expect(free?.length).toBe(a?.available)
  })

  test('gives each node its own four numbers', async () => {
    const { nodes } = await livePartitions(factsOf(fleet, []), all)
    const a = nodes.find(({ node }) => node === 'a')
    // 6 + 3 of 14 compute slices are cut, 7 of these 9 are held.
    expect(a?.coverage.value).toBeCloseTo(9 / 14)
    expect(a?.allocation.value).toBeCloseTo(7 / 9)
    expect(a?.stranded).toEqual({ structural: 1, byPlacement: 0 })
    expect(nodes.find(({ node }) => node === 'd')?.coverage).toMatchObject({ value: null, quality: 'unknown' })
  })

  test('says how busy what was held was, in MIG mode or not, and calls nothing 0 that nobody held', async () => {
    const whole = draw`
      w  H100-80GB-HBM3  [lab/x]
      v  H100-80GB-HBM3  [-]`
    const quality = { kind: 'measured' } as const
    const sample = { at: DRAWN_AT, node: 'w', gpu: 'GPU-w-0', index: 0, model: '', busy: ratio(0.5), quality }
    const { nodes } = await livePartitions(factsOf(whole, [sample]), all)
    expect(nodes.map(({ node, utilization }) => [node, utilization.value])).toEqual([
      ['v', null],
      ['w', 0.5],
    ])
  })
})

describe('efficiency', () => {
  test('is four numbers for the fleet and by board, as sums over sums', async () => {
    const { fleet: whole, boards } = await liveEfficiency(factsOf(fleet, []))
    expect(boards.map(({ model, gpus }) => [model, gpus])).toEqual([
      ['A100-SXM4-80GB', 3],
      ['A30', 1],
    ])
    expect(whole.coverage.value).toBeCloseTo((6 + 3 + 7 + 4) / (21 + 4))
    expect(boards[0]?.coverage.value).toBeCloseTo(16 / 21)
    expect(boards[1]?.allocation.value).toBeCloseTo(2 / 4)
    expect(whole.busy).toMatchObject({ value: null, quality: 'unknown' })
  })

  test('names the layouts that strand slices, where they are and why', async () => {
    const { stranded } = await liveEfficiency(factsOf(fleet, []))
    expect(stranded).toHaveLength(1)
    expect(stranded[0]).toMatchObject({ gpus: 1, structural: 1, byPlacement: 0, on: [{ node: 'a', index: 0 }] })
    expect(stranded[0]?.because).toContain('By construction: 3g.40gb + 3g.40gb leaves 1 of 7')
  })

  test('counts stranded memory slices beside stranded compute slices, on the GPUs whose bars are dotted', async () => {
    // 3g + 3g strands a compute slice and no memory; seven 1g the eighth memory slice and no compute slice.
    const cut = draw`
      a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb lab/y]
      b  A100-SXM4-80GB  [1g.10gb -] [1g.10gb -] [1g.10gb -] [1g.10gb -] [1g.10gb -] [1g.10gb -] [1g.10gb -]`
    const facts = factsOf(cut, [])
    const { fleet: whole } = await liveEfficiency(facts)
    expect([whole.structural, whole.strandedMemory]).toEqual([1, { slices: 1, gpus: 1 }])
    const { nodes } = await livePartitions(facts, all)
    const dotted = nodes
      .flatMap(({ gpus }) => gpus)
      .filter(({ blocks }) => blocks.some(({ kind }) => kind === 'stranded'))
    expect(dotted.map(({ id }) => id)).toEqual(['GPU-b-0'])
    const limited = await liveEfficiency(factsOfNamespaces(facts, ['lab']))
    expect(limited.fleet.strandedMemory).toBeNull()
  })

  test('tells a caller of some namespaces what these held, and nothing of what is nobody’s', async () => {
    const told = await liveEfficiency(factsOfNamespaces(factsOf(fleet, []), ['web']))
    expect(told.fleet.coverage).toMatchObject({ value: null, quality: 'unknown' })
    expect(told.boards.map(({ coverage }) => coverage.value)).toEqual([null, null])
    // Not 0: 3g + 3g strands a slice, of which half of the holders says nothing.
    expect([told.fleet, ...told.boards].map(({ structural }) => structural)).toEqual([null, null, null])
    expect(told.stranded).toEqual([])
  })
})

const room = (input: object, snapshot = fleet) =>
  liveRoom(factsOf(snapshot, []), OPERATIONS.partitionsRoom.input.parse(input))

describe('room for a profile', () => {
  test('is told with GPUs, placements and whoever is in the way', () => {
    const found = room({ profile: '3g.40gb', model: 'A100-SXM4-80GB' })
    expect(found).toMatchObject({ verdict: 'recut', now: 0, recut: 2 })
    expect(found.places.map(({ node, recut, replaces }) => [node, recut, replaces])).toEqual([['b', 2, 1]])
    expect(
      found.blocked.map(({ node, gpu, inTheWay }) => [node, gpu.index, inTheWay.map(({ holder }) => holder)]),
    ).toEqual([
      ['a', 0, ['lab/Pod/x']],
      ['a', 1, ['web/Pod/z']],
    ])
  })

  test('depends on how many are wanted', () => {
    const verdicts = [1, 2, 3].map((count) => room({ profile: '3g.40gb', model: 'A100-SXM4-80GB', count }).verdict)
    expect(verdicts).toEqual(['recut', 'recut', 'displacing'])
    expect(room({ profile: '3g.40gb', model: 'T4' })).toMatchObject({ verdict: 'never', places: [], blocked: [] })
  })
})

describe('sample data', () => {
  test('are nodes without the four numbers, which they do not know', () => {
    expect(OPERATIONS.partitionsList.output.parse(samplePartitions()).nodes).toHaveLength(4)
    expect(samplePartitions({ state: 'free' }).nodes.map(({ available }) => available)).not.toContain(0)
    expect(OPERATIONS.partitionsEfficiency.output.parse(sampleEfficiency()).fleet.coverage.value).toBeNull()
  })
})
