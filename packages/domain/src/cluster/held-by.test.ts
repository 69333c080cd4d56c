import { describe, expect, test } from 'vitest'

import { draw } from './draw.fixture.ts'
import { allocationsOf, heldBy, namespaceOf } from './held-by.ts'
import type { ClusterSnapshot } from './inventory.ts'

const drawn = draw`
  a  A100-SXM4-80GB  [3g.40gb lab/train] [3g.40gb web/chat]
  a  A100-SXM4-80GB  [web/api]
  b  A100-SXM4-80GB  [lab-2/train]
  c  A100-SXM4-80GB  [-]
  ?  lab/next        gpu
  ?  web/next        gpu`

const quota = (namespace: string) => ({ id: `${namespace}/gpus`, namespace, limits: {}, used: {} })
/** The same with all that the API tells beside it, of lab and of web. */
const CLUSTER = {
  ...drawn,
  finished: drawn.pods,
  queues: [{ name: 'web-queue', pendingWorkloads: 3, admittedWorkloads: 1 }],
  budgets: ['lab', 'web'].map((namespace) => ({ id: `${namespace}/budget`, allowed: 1, pods: [`${namespace}/train`] })),
  quotas: ['lab', 'web'].map(quota),
  cohorts: [{ name: 'web-cohort', parent: undefined }],
  neighbors: {
    repulsions: [{ pod: 'web/api', topologyKey: 'zone', domain: 'z', namespaces: 'all', selector: [] }],
    labels: [{ namespace: 'web', labels: { app: 'web-api' } }],
  },
  problems: [{ code: 'unreadable', message: 'Pods of web cannot be read.', object: 'namespace/web' }],
} as unknown as ClusterSnapshot

const own = (...namespaces: string[]): ClusterSnapshot => heldBy(CLUSTER, new Set(namespaces))

describe('what some namespaces hold', () => {
  test('has their pods, what these hold and the GPUs that it is on, and the budgets and quotas that are theirs', () => {
    const lab = own('lab')
    expect(lab.pods.map(({ id }) => id)).toEqual(['lab/train', 'lab/next'])
    expect(lab.finished?.map(({ id }) => id)).toEqual(['lab/train', 'lab/next'])
    expect(lab.workloads.map(({ id }) => id)).toEqual(['lab/Pod/train', 'lab/Pod/next'])
    expect(
      lab.nodes.map(({ name, gpus }) => [name, gpus.flatMap((gpu) => gpu.partitions.map(({ id }) => id))]),
    ).toEqual([['a', ['GPU-a-0/gi-1']]])
    expect([lab.budgets, lab.quotas].map((all) => all.map(({ id }) => id))).toEqual([['lab/budget'], ['lab/gpus']])
  })

  test('names nothing of anybody else, also where a name begins like theirs', () => {
    for (const namespaces of [['lab'], ['lab', 'lab-2']])
      expect(JSON.stringify(own(...namespaces))).not.toContain('web')
    expect(JSON.stringify(own('lab'))).not.toContain('lab-2')
  })

  test('is nothing for who holds nothing', () => {
    expect(own('idle')).toMatchObject({ nodes: [], pods: [], workloads: [], allocations: [], budgets: [], quotas: [] })
    expect(own()).toMatchObject({ nodes: [], pods: [] })
  })

  test('is all that is held where all namespaces are named', () => {
    expect(own('lab', 'lab-2', 'web').allocations).toEqual(drawn.allocations)
  })
})

test('an id names its namespace up to the first slash, or none', () => {
  expect(['lab/Job/x', 'lab/x', 'x', '', '/x'].map(namespaceOf)).toEqual(['lab', 'lab', '', '', ''])
  expect(allocationsOf(drawn.allocations, new Set(['lab', ''])).map(({ pod }) => pod)).toEqual(['lab/train'])
})
