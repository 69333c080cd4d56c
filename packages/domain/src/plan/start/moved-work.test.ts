import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { repack } from '../repack/repack.ts'
import { askedJob, asking, counted } from './asked.fixture.ts'
import { checkStart } from './check-start.ts'
import { nearFleet } from './ways-to-start.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'

/** Two instances on each of so many GPUs; `free` are those of which one is free. */
const halves = (nodes: number, free: readonly number[]): ClusterSnapshot => {
  const lines = Array.from(
    { length: nodes },
    (_, at) => `n${at}  A100-SXM4-80GB  [3g.40gb a/x${at}] [3g.40gb ${free.includes(at) ? '-' : `a/y${at}`}]`,
  )
  return counted(draw`${lines.join('\n')}`)
}
const large = asking({ requests: [{ resource: 'nvidia.com/mig-7g.80gb', count: 1 }] })
const waysIn = (snapshot: ClusterSnapshot) => checkStart(snapshot, [askedJob([large])])[0]?.ways ?? []
const goal = { kind: 'room-for', profile: '7g.80gb' } as const

describe('moves that make room', () => {
  test('a fleet of few nodes is searched whole', () => {
    const snapshot = halves(20, [3, 15])
    expect(nearFleet(countedFleet(snapshot), goal)).toBe(snapshot)
    expect(waysIn(halves(20, []))).toEqual([])
  })
  test('in a large fleet they are found where room is, and are as few as a search of all finds', () => {
    const snapshot = halves(400, [20, 390])
    expect(nearFleet(countedFleet(snapshot), goal).nodes.length).toBeLessThan(100)
    const all = repack(snapshot, goal)
    expect(all.kind === 'found' ? all.displaced : []).toEqual(['a/x20'])
    expect(waysIn(snapshot)).toMatchObject([{ kind: 'move', room: { profile: '7g.80gb', node: 'n20' } }])
  })
  test('where none are found among the likely nodes, the answer says how many were looked at', () => {
    const [way, ...more] = waysIn(halves(400, []))
    expect(more).toEqual([])
    expect(way?.kind).toBe('unsearched')
    expect(way?.sentence).toMatch(/^Moving other work was tried on \d+ of 400 nodes and makes no room there\./u)
  })
})
