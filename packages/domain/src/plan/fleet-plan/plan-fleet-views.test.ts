import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import { servedByDra, withRequests } from '../steps/drawn-wishes.fixture.ts'
import { fleetAskOf, fleetViews } from './plan-fleet-views.ts'

const gpusIn = (snapshot: ClusterSnapshot) => fleetViews(withRequests(snapshot)).flatMap(({ gpus }) => gpus)

describe('how a fleet looks at its GPUs', () => {
  test.for<[string, ClusterSnapshot, object]>([
    ['held whole', draw`a  T4  [lab/x]`, { kind: 'held' }],
    ['free whole', draw`a  T4  [-]`, { kind: 'shared', freeMilli: 1000, holder: undefined }],
    [
      'cut, with what is held',
      draw`a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb -]`,
      { kind: 'cut', instances: [{ held: true }, { held: false }] },
    ],
    [
      'cut by a DRA driver',
      servedByDra(draw`a  A100-SXM4-80GB  [3g.40gb lab/x]`),
      { kind: 'dynamic', instances: [{ held: true }] },
    ],
  ])('%s', ([, snapshot, view]) => {
    expect(gpusIn(snapshot)).toMatchObject([view])
  })
  test('leaves out nodes that take nothing, and boards that nobody knows', () => {
    const snapshot = draw`
      a  T4            down  [-]
      b  Mystery-9000        [-]
      c  T4                  [-]`
    expect(fleetViews(snapshot).map(({ node }) => node.id)).toEqual(['c'])
    expect(fleetViews({ ...snapshot, nodes: [] })).toEqual([])
  })
  test('knows what is left of CPU and memory, which is endless where nobody says', () => {
    const [known, unknown] = fleetViews(
      draw`
        a  T4  cpu=8 memory=64  [-]
        b  T4                   [-]`,
    )
    expect([known?.cpuFree, known?.memoryFree]).toEqual([8000, 64 * 1024])
    expect([unknown?.cpuFree, unknown?.memoryFree]).toEqual([Infinity, Infinity])
  })
  test('has a board to cut only where MIG devices of all sizes are offered', () => {
    const snapshot = draw`a  A100-SXM4-80GB  [-]`
    const single = snapshot.nodes.map((node) => ({ ...node, mig: { ...node.mig, strategy: 'single' as const } }))
    expect(fleetViews(snapshot)[0]?.node.board?.key).toBe('A100-80GB')
    expect(fleetViews({ ...snapshot, nodes: single })[0]?.node.board).toBeUndefined()
  })
})

const one = (resource: string, count = 1): GpuRequest => ({ resource, count })

describe('what a pod asks the fleet for', () => {
  const [pod] = draw`a  T4  [lab/x]`.pods
  const askOf = (...requests: readonly GpuRequest[]) => pod && fleetAskOf({ ...pod, requests })?.wants
  test.for<[string, readonly GpuRequest[], object | undefined]>([
    ['whole GPUs', [one('nvidia.com/gpu', 3)], { kind: 'whole', count: 3 }],
    ['one MIG device', [one('nvidia.com/mig-3g.40gb')], { kind: 'mig', profile: '3g.40gb' }],
    ['several MIG devices', [one('nvidia.com/mig-3g.40gb', 2)], undefined],
    ['two kinds', [one('nvidia.com/gpu'), one('nvidia.com/mig-3g.40gb')], undefined],
    ['nothing', [], undefined],
    ['what is no GPU', [one('example.com/card')], undefined],
  ])('%s', ([, requests, wants]) => {
    expect(askOf(...requests)).toEqual(wants)
  })
})
