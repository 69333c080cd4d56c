import { expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { Pod } from '../cluster/workload.ts'
import { instant } from '../units.ts'
import { queueFigures } from './queue.ts'

const [bound] = draw`a  T4  [team/x]`.pods
const pod = (name: string, wait: number | undefined): Pod[] =>
  bound === undefined
    ? []
    : [
        {
          ...bound,
          id: `team/${name}`,
          node: wait === undefined ? undefined : 'a',
          phase: wait === undefined ? 'Pending' : 'Running',
          createdAt: instant(0),
          startedAt: wait === undefined ? undefined : instant(wait * 1000),
        },
      ]

test('queue wait is from creation to binding; pods that still wait have none', () => {
  const pods = [...pod('a', 10), ...pod('b', 20), ...pod('c', 30), ...pod('d', -5), ...pod('e', undefined)]
  const figures = queueFigures({ pods, workloads: [], queues: [] })
  expect(figures.waitP50).toEqual({ kind: 'known', value: 15, coverage: 0.8 })
  expect(figures.waitP95).toMatchObject({ value: expect.closeTo(28.5, 9) })
  expect(figures.pendingPods).toBe(1)
})

test('unmet is what all queued workloads ask for, also those that a queue holds back before there are pods', () => {
  const drawn = draw`
    a  T4    [team/x]
    ?  team/seen   gpu
    ?  team/held   gpu ×4
    ?  team/slice  1g.10gb ×2`
  const pods = drawn.pods.filter(({ id }) => id !== 'team/held')
  const figures = queueFigures({ ...drawn, pods })
  expect([figures.pendingWorkloads, figures.pendingPods]).toEqual([3, 2])
  expect(figures.unmet).toEqual([
    { resource: 'nvidia.com/gpu', count: 5 },
    { resource: 'nvidia.com/mig-1g.10gb', count: 2 },
  ])
})

test('queue wait without a started pod is unknown', () => {
  expect(queueFigures({ pods: pod('e', undefined), workloads: [], queues: [] }).waitP50.kind).toBe('unknown')
})

const queue = (name: string, pendingWorkloads: number) => ({ name, pendingWorkloads, admittedWorkloads: 1 })

test('queues are told by name, and running work apart from what waits', () => {
  const figures = queueFigures({ ...draw`a  T4  [team/x]`, queues: [queue('b', 0), queue('a', 2)] })
  expect(figures.queues).toEqual([
    { name: 'a', pending: 2, admitted: 1 },
    { name: 'b', pending: 0, admitted: 1 },
  ])
  expect([figures.runningWorkloads, figures.pendingWorkloads]).toEqual([1, 0])
})
