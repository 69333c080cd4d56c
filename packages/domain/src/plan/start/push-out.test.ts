import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { instant, mib } from '../../units.ts'
import { askedJob, asking, counted } from './asked.fixture.ts'
import { checkStart } from './check-start.ts'
import { pushOut } from './push-out.ts'

const drawn = counted(draw`
  a  T4  cpu=8 memory=32  [web/one]
  a  T4  cpu=8 memory=32  [web/two]
  b  T4  cpu=8 memory=32  [web/three]
  b  T4  cpu=8 memory=32  [web/four]`)

type Held = { readonly priority: number; readonly since?: number; readonly cores?: number }

/** The cluster with its pods of such priority, by name; others are of the highest. */
const withPods = (held: Readonly<Record<string, Held>>): ClusterSnapshot => ({
  ...drawn,
  pods: drawn.pods.map((pod) => {
    const { priority = 1000, since = 0, cores = 0 } = held[pod.name] ?? {}
    const scheduling = { ...pod.scheduling, priority, cpuMilli: cores * 1000 }
    return { ...pod, startedAt: instant(since), scheduling }
  }),
})

const gpus = (count: number) => [{ resource: 'nvidia.com/gpu', count }]
const evicted = (cluster: ClusterSnapshot, more: Parameters<typeof asking>[0] = {}) =>
  pushOut(countedFleet(cluster), { pods: asking(more), namespace: 'lab', priority: 500 })?.evicted.map(
    ({ name }) => name,
  )

describe('whom the scheduler evicts for pods of higher priority', () => {
  test('nobody of the same priority or above', () => {
    expect(evicted(withPods({ one: { priority: 500 } }))).toBeUndefined()
    expect(evicted(withPods({ one: { priority: 499 } }))).toEqual(['one'])
  })
  test('where the highest of those that go is lowest', () => {
    expect(evicted(withPods({ one: { priority: 5 }, three: { priority: 2 } }))).toEqual(['three'])
  })
  test('as few as will do: the more important, and those that ran longest, stay', () => {
    expect(evicted(withPods({ one: { priority: 5 }, two: { priority: 2 } }))).toEqual(['two'])
    expect(evicted(withPods({ one: { priority: 2, since: 9 }, two: { priority: 2, since: 5 } }))).toEqual(['one'])
  })
  test('where the sum of their priorities, and their number, is lowest', () => {
    const cluster = withPods({
      one: { priority: 5 },
      two: { priority: 5 },
      three: { priority: 5 },
      four: { priority: 4 },
    })
    expect(evicted(cluster, { requests: gpus(2) })).toEqual(['three', 'four'])
  })
  test('where no disruption budget is in the way, if there is such a place', () => {
    const cluster = withPods({ one: { priority: 1 }, three: { priority: 5 } })
    const budgets = [{ id: 'web/pdb', pods: ['web/one'], allowed: 0 }]
    expect(evicted({ ...cluster, budgets })).toEqual(['three'])
    const none = withPods({ one: { priority: 1 } })
    expect(evicted({ ...none, budgets })).toEqual(['one'])
  })
  test('for each pod of several', () => {
    expect(evicted(withPods({ one: { priority: 5 }, three: { priority: 2 } }), { count: 2 })).toEqual(['three', 'one'])
    expect(evicted(withPods({ one: { priority: 5 }, three: { priority: 2 } }), { count: 3 })).toBeUndefined()
  })
  test('for CPU and memory as well', () => {
    const cluster = withPods({ one: { priority: 1, cores: 2 }, three: { priority: 5, cores: 6 } })
    const scheduling = { ...UNCONSTRAINED, cpuMilli: 7000, memory: mib(1024) }
    expect(evicted(cluster, { scheduling })).toEqual(['one'])
  })
})

test('the answer says that it starts, where, and who goes for it', () => {
  const cluster = { ...withPods({ three: { priority: 5 } }), priorityClasses: [] }
  const job = askedJob([asking({ preempts: true, scheduling: { ...UNCONSTRAINED, priority: 500 } })])
  const [answer] = checkStart(cluster, [job])
  expect(answer).toMatchObject({
    verdict: 'now',
    starting: 1,
    places: [{ node: 'b', devices: [{ index: 0 }] }],
    sentence:
      'Job train starts now: 1 pod on a node such as b. For it, the scheduler evicts 1 pod of lower priority, such as web/three.',
  })
  const [limited] = checkStart(cluster, [job], { namespaces: ['lab'] })
  expect(limited?.sentence).toBe('Job train starts now: 1 pod. For it, the scheduler evicts 1 pod of lower priority.')
})
