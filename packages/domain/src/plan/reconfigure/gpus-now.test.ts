import { expect, test } from 'vitest'

import { draw } from '../../cluster/draw.ts'
import { ratio, seconds } from '../../units.ts'
import { divingSolver } from './diving-solver.ts'
import { gpusNow } from './gpus-now.ts'
import { reconfigure } from './reconfigure.ts'

const cluster = draw`
  node-a@lab  A100-SXM4-40GB  [3g.20gb lab/a] [3g.20gb -]
  node-b@lab  A100-SXM4-40GB  [lab/whole]
  node-c@lab  A100-SXM4-40GB  [-]
  node-d@lab  T4              [1/2 web/b] [1/2 -]
  node-e@lab  A100-SXM4-40GB  down  [1g.5gb -]`

test('reads the GPUs that can be cut, and names those that are left out', () => {
  const { gpus, leftOut } = gpusNow(cluster)
  expect(gpus.map(({ gpu, actuator, instances }) => [gpu, actuator, instances.map(({ pod }) => pod)])).toEqual([
    ['GPU-node-a-0', 'mig-manager', ['lab/a', undefined]],
    ['GPU-node-c-0', 'mig-manager', []],
  ])
  expect(leftOut).toEqual([{ code: 'not-planned', object: 'gpu/GPU-node-e-0', message: 'node-e takes no pods.' }])
})

test('a pod that must not be evicted keeps its GPU as it is', async () => {
  const fixed = {
    ...cluster,
    pods: cluster.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, evictable: false } })),
  }
  const { gpus } = gpusNow(fixed)
  expect(gpus[0]?.instances.map(({ movable }) => movable)).toEqual([false, true])
  const [{ supplyClass } = { supplyClass: '' }] = gpus
  const ask = (count: number) =>
    reconfigure(
      { gpus, demands: [{ id: 'job', count, fits: [{ supplyClass, profile: '7g.40gb' }] }] },
      { goal: 'fewest-displaced', solver: divingSolver, limits: { seconds: seconds(5), gap: ratio(0) } },
    )
  expect(await ask(1)).toMatchObject({ kind: 'found', displaced: 0, targets: [{ gpu: 'GPU-node-c-0' }] })
  expect(await ask(2)).toMatchObject({ kind: 'impossible' })
})
