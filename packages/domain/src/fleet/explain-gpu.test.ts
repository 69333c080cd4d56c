import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { GpuNode } from '../cluster/node.ts'
import { servedByDra } from '../plan/steps/drawn-wishes.fixture.ts'
import { explainGpu } from './explain-gpu.ts'

/** What the first GPU of a drawn cluster says. */
function said(drawn: string, { dra = false, node: more = {} }: { dra?: boolean; node?: Partial<GpuNode> } = {}) {
  const cluster = dra ? servedByDra(draw`${drawn}`) : draw`${drawn}`
  const [node] = cluster.nodes
  const [gpu] = node?.gpus ?? []
  if (node === undefined || gpu === undefined) throw new Error('nothing is drawn')
  return explainGpu(
    gpu,
    { ...node, ...more },
    Map.groupBy(cluster.allocations, ({ partition }) => partition),
  )
}

describe('a GPU', () => {
  test.for<[string, string]>([
    ['One pod holds the whole GPU.', 'a  A100-SXM4-80GB  [lab/x]'],
    ['Not in MIG mode and wholly free.', 'a  A100-SXM4-80GB  [-]'],
    ['Shared by 4 replicas, 1 in use: not isolated from one another.', 'a  T4  [1/4 lab/x] [1/4 -] [1/4 -] [1/4 -]'],
    ['Its GPU model is unknown, so what fits cannot be calculated.', 'a  Unheard-Of  MIG'],
  ])('%s', ([sentence, drawn]) => expect(said(drawn)).toEqual([sentence]))

  test('takes more beside an instance that nobody holds, by DRA at once and by mig-manager after repartitioning', () => {
    const empty = 'a  A100-SXM4-80GB  MIG'
    const dra = said('a  A100-SXM4-80GB  [1g.10gb -]', { dra: true })
    expect(dra[1]).toBe('Still fits: 7 × 1g.10gb; 3 × 1g.20gb; 2 × 2g.20gb; 1 × 3g.40gb.')
    expect(said(empty).slice(0, 2)).toEqual(['A100-80GB: empty, 8 memory slices.', 'Nothing more fits.'])
    expect(said(empty)).toContain('7g.80gb fits after repartitioning: no workload holds what changes.')
  })
  test('that was cut beforehand gives only what it was cut into', () => {
    expect(said('a  A100-SXM4-80GB  [4g.40gb lab/x] [2g.20gb -]')).toEqual([
      'A100-80GB: 4g.40gb at 0, 2g.20gb at 4 (free); 1 of 2 instances in use.',
      'Still fits: 1 × 2g.20gb.',
      '1g.10gb does not fit: not partitioned into 1g.10gb; mig-manager must repartition this GPU first.',
      '1g.20gb does not fit: not partitioned into 1g.20gb; mig-manager must repartition this GPU first.',
      '3g.40gb does not fit: not partitioned into 3g.40gb; mig-manager must repartition this GPU first.',
      '4g.40gb does not fit: its only 4g.40gb instance is in use.',
      '7g.80gb does not fit: not partitioned into 7g.80gb; mig-manager must repartition this GPU first.',
    ])
  })
  test('that holds 3g twice strands a compute slice', () => {
    const sentences = said('a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb lab/y]', { dra: true })
    expect(sentences).toContain('1 compute slice of 7 stranded: no profile can reach it while this layout stays.')
    expect(sentences).toContain('Nothing more fits.')
  })
  test('on a node that takes no pods says so for each profile', () => {
    expect(said('a  A100-SXM4-80GB  [3g.40gb -]', { node: { schedulable: false } })).toContain(
      '3g.40gb does not fit: its node is cordoned.',
    )
  })
})
