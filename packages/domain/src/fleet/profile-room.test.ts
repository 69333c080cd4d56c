import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { GpuNode } from '../cluster/node.ts'
import { type Board, type MigProfile, plainProfiles } from '../gpu/board.ts'
import { enumerateLayouts } from '../gpu/enumerate-layouts.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { isFeasible, type Layout, placeAt } from '../gpu/layout.ts'
import { lookForRoom, roomAnswer, type RoomAsk, type RoomSources } from './profile-room.ts'

/** Most further instances that stand beside a layout, by trying every set of starts. */
function mostBeside(board: Board, layout: Layout, profile: MigProfile): number {
  const sets = Array.from({ length: 1 << profile.starts.length }, (_, bits) =>
    profile.starts.filter((_start, place) => (bits & (1 << place)) !== 0),
  )
  const standing = sets.filter(
    (starts) => isFeasible(board, [...layout, ...starts.map((start) => placeAt(profile, start))]).kind === 'feasible',
  )
  return Math.max(...standing.map(({ length }) => length))
}

type Case = { readonly layout: Layout; readonly held: readonly boolean[]; readonly dra: boolean }

/** One GPU of one node that holds a layout, some instances of it held. */
function clusterOf(model: string, { layout, held, dra }: Case): ClusterSnapshot {
  const id = 'GPU-a-0'
  const base = draw`a  ${model}  MIG`
  const [node] = base.nodes
  if (node === undefined) throw new Error('nothing is drawn')
  const partitions = layout.map(({ profile, placement }, order) => ({
    kind: 'mig' as const,
    id: `${id}/gi-${order}`,
    gpu: id,
    profile,
    instance: String(order),
    placement,
    placementSource: 'inferred' as const,
  }))
  const cut: GpuNode = {
    ...node,
    servedByDra: dra,
    allocatable: Object.fromEntries(
      [...Map.groupBy(layout, ({ profile }) => `nvidia.com/mig-${profile}`)].map(([name, all]) => [name, all.length]),
    ),
    mig: { strategy: 'mixed', config: undefined, state: 'success' },
    gpus: node.gpus.map((gpu) => ({ ...gpu, migEnabled: true, partitions })),
  }
  const allocations = partitions.flatMap((partition, order) =>
    held[order] === true
      ? [
          {
            partition: partition.id,
            pod: `lab/p-${order}`,
            workload: `lab/Job/w-${order}`,
            since: base.takenAt,
            evidence: 'label' as const,
          },
        ]
      : [],
  )
  return { ...base, nodes: [cut], allocations }
}

const MODELS = ['A30', 'A100-SXM4-80GB'] as const

const cases = fc.constantFrom(...MODELS).chain((model) => {
  const board = boardFor(model)
  if (board === undefined) throw new Error(`no board for ${model}`)
  return fc.record({
    model: fc.constant(model),
    board: fc.constant(board),
    layout: fc.constantFrom(...enumerateLayouts(board)),
    held: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
    dra: fc.boolean(),
    profile: fc.constantFrom(...plainProfiles(board)),
  })
})

const explainRoom = (sources: RoomSources, ask: RoomAsk) => roomAnswer(lookForRoom(sources, ask))

describe('explainRoom', () => {
  it('calls placeable exactly what the placements of the board allow', () => {
    fc.assert(
      fc.property(cases, ({ model, board, layout, held, dra, profile }) => {
        const found = explainRoom(clusterOf(model, { layout, held, dra }), { profile: profile.name })
        const heldLayout = layout.filter((_, order) => held[order] === true)
        const free = layout.filter((one, order) => held[order] !== true && one.profile === profile.name)
        const now = free.length + (dra ? mostBeside(board, layout, profile) : 0)
        const canRecut = dra || heldLayout.length === 0
        const best = canRecut ? mostBeside(board, heldLayout, profile) : now
        expect([found.now, found.now + found.recut]).toEqual([now, Math.max(now, best)])
        const starts = [
          ...free.map(({ placement }) => placement.start),
          ...(dra
            ? profile.starts.filter(
                (start) => isFeasible(board, [...layout, placeAt(profile, start)]).kind === 'feasible',
              )
            : []),
        ]
        expect(found.places[0]?.starts ?? []).toEqual(starts.toSorted((a, b) => a - b))
      }),
      { numRuns: 2000 },
    )
  })

  it('names of those in the way the fewest that make room by leaving', () => {
    fc.assert(
      fc.property(cases, ({ model, layout, held, dra, profile }) => {
        const { blocked } = explainRoom(clusterOf(model, { layout, held, dra }), { profile: profile.name })
        const [one] = blocked
        if (one === undefined) return
        const heldIds = layout.flatMap((_, order) => (held[order] === true ? order : []))
        const gone = new Set(one.inTheWay.map(({ partition }) => Number(partition.split('gi-')[1])))
        const fits = (leaving: ReadonlySet<number>): boolean => {
          const stays = held.map((each, order) => each && !leaving.has(order))
          const answer = explainRoom(clusterOf(model, { layout, held: stays, dra }), { profile: profile.name })
          return answer.now + answer.recut > 0
        }
        expect(fits(gone)).toBe(true)
        const sets = Array.from({ length: 1 << heldIds.length }, (_, bits) =>
          heldIds.filter((_id, place) => (bits & (1 << place)) !== 0),
        )
        expect(sets.some((set) => set.length < gone.size && fits(new Set(set)))).toBe(false)
      }),
      { numRuns: 400 },
    )
  })

  it('puts every GPU into one list, and says why where it is in none', () => {
    const cluster = draw`
      a  A100-SXM4-80GB       [3g.40gb lab/x] [3g.40gb -]
      b  A100-SXM4-80GB       [-]
      c  A100-SXM4-80GB       [lab/y]
      d  T4                   [1/2 lab/z] [1/2 -]
      e  T4                   [-]
      f  A100-SXM4-80GB down  [3g.40gb -]`
    const found = explainRoom(cluster, { profile: '3g.40gb' })
    expect(found.places.map(({ node, now, recut }) => [node.name, now, recut])).toEqual([
      ['a', 1, 0],
      ['b', 0, 2],
    ])
    expect(found.blocked.map(({ node, because }) => [node.name, because])).toEqual([
      ['c', 'one pod holds the whole GPU'],
    ])
    expect(found.refusals.map(({ because, example }) => [because, example])).toEqual([
      ['T4 has no MIG', 'e'],
      ['its node is not ready', 'f'],
      ['shared by time, not by MIG', 'd'],
    ])
  })

  it('counts what is held by others whose names are not shown', () => {
    const cluster = draw`a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb -]`
    const other = cluster.nodes[0]?.gpus[0]?.partitions[1]?.id ?? ''
    const found = explainRoom({ ...cluster, heldByOthers: new Set([other]) }, { profile: '3g.40gb' })
    expect(found.now).toBe(0)
    expect(found.blocked[0]?.inTheWay[0]?.workload).toBe('lab/Pod/x')
  })
})
