import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import { faultOf } from '../cluster/gpu-fault.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { partsOfSnapshot, unheldPartitions } from './gpu-parts.ts'

const offering = (snapshot: ClusterSnapshot, allocatable: Record<string, number>): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({ ...node, allocatable })),
})
const kinds = (snapshot: ClusterSnapshot) => partsOfSnapshot(snapshot).map(({ gpu, kind }) => `${gpu} ${kind}`)
const three = draw`
  a  H100-80GB-HBM3  [-]
  a  H100-80GB-HBM3  [team/x]
  a  H100-80GB-HBM3  [-]`

describe('GPUs that the kubelet does not offer', () => {
  test('are down, not free: nobody can get them', () => {
    expect(kinds(offering(three, { 'nvidia.com/gpu': 2 }))).toEqual(['GPU-a-0 down', 'GPU-a-1 held', 'GPU-a-2 free'])
    expect(kinds(offering(three, { 'nvidia.com/gpu': 3 }))).toContain('GPU-a-0 free')
  })

  test('are all that nobody holds where the device plugin is gone', () => {
    expect(kinds(offering(three, { 'nvidia.com/gpu': 0 }))).toEqual(['GPU-a-0 down', 'GPU-a-1 held', 'GPU-a-2 down'])
    const cut = draw`a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]`
    const problems = [{ code: 'devices-withheld', message: 'It offers none.', object: 'node/a' }]
    const gone = offering(cut, { 'nvidia.com/gpu': 0, 'nvidia.com/mig-3g.40gb': 0 })
    expect(kinds({ ...gone, nodes: gone.nodes.map((node) => ({ ...node, problems })) })).toEqual(['GPU-a-0 down'])
  })

  test('are not guessed where the count says nothing of whole GPUs', () => {
    expect(kinds(offering(three, {}))).toContain('GPU-a-0 free')
    // What a device plugin leaves behind where DRA has taken its place.
    const served = { ...three, nodes: three.nodes.map((node) => ({ ...node, servedByDra: true })) }
    expect(kinds(offering(served, { 'nvidia.com/gpu': 0 }))).toContain('GPU-a-0 free')
    const single = draw`a  A100-SXM4-80GB  [7g.80gb -]`
    const node = {
      ...single,
      nodes: single.nodes.map((one) => ({ ...one, mig: { ...one.mig, strategy: 'single' } as const })),
    }
    expect(kinds(offering(node, { 'nvidia.com/gpu': 1 }))).toEqual(['GPU-a-0 free'])
  })

  test('are counted in GPUs where each is offered as several replicas', () => {
    const shared = draw`
      a  T4  [1/2 team/x] [1/2 -]
      a  T4  [1/2 -] [1/2 -]`
    const sharing = { kind: 'time-slicing', replicas: 2 } as const
    const node = { ...shared, nodes: shared.nodes.map((one) => ({ ...one, sharing })) }
    expect(kinds(offering(node, { 'nvidia.com/gpu': 4 })).filter((text) => text.endsWith('down'))).toEqual([])
    expect(kinds(offering(node, { 'nvidia.com/gpu.shared': 2 }))).toEqual([
      'GPU-a-0 held',
      'GPU-a-0 free',
      'GPU-a-1 down',
    ])
  })
})

describe('GPUs with a fault', () => {
  test.each([
    [79, ['GPU-a-0 down', 'GPU-a-1 down', 'GPU-a-2 down']],
    [54, ['GPU-a-0 down', 'GPU-a-1 down', 'GPU-a-2 down']],
    [64, ['GPU-a-0 down', 'GPU-a-1 held', 'GPU-a-2 down']],
    [31, ['GPU-a-0 free', 'GPU-a-1 held', 'GPU-a-2 free']],
  ])('under XID %d nobody works on a lost one, and who holds one that may work keeps it', (xid, expected) => {
    const nodes = three.nodes.map((node) => ({
      ...node,
      gpus: node.gpus.map((gpu) => ({ ...gpu, fault: faultOf(xid, gpu.id, node.name) })),
    }))
    expect(kinds({ ...three, nodes })).toEqual(expected)
  })
})

describe('what a pod could get now', () => {
  const mixed = draw`
    a  H100-80GB-HBM3  [-]
    a  H100-80GB-HBM3  [team/x]
    b  A100-SXM4-80GB  [3g.40gb team/y] [3g.40gb -]
    b  A100-SXM4-80GB  [1g.10gb -] [2g.20gb team/z] [1g.10gb -]
    c  A30             MIG
    d  T4              [1/2 team/v] [1/2 -]
    e  A100-SXM4-80GB  down [7g.80gb -]
    f  H100-80GB-HBM3  [-]
    f  H100-80GB-HBM3  [-]`

  test.each([mixed, offering(three, { 'nvidia.com/gpu': 2 }), offering(mixed, { 'nvidia.com/gpu': 1 })])(
    'is each partition that is a free part, and no uncut space',
    (snapshot) => {
      const ids = new Set(
        snapshot.nodes.flatMap(({ gpus }) => gpus.flatMap((gpu) => gpu.partitions.map(({ id }) => id))),
      )
      const free = partsOfSnapshot(snapshot).flatMap(({ kind, node, partition }) =>
        kind === 'free' && [...ids].some((id) => id === partition) ? [`${node} ${partition}`] : [],
      )
      expect(free.length).toBeGreaterThan(0)
      expect(unheldPartitions(snapshot).map(({ node, partition }) => `${node} ${partition.id}`)).toEqual(free)
    },
  )
})
