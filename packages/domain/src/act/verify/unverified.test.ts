import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { withRequests } from '../../plan/steps/drawn-wishes.fixture.ts'
import { instant } from '../../units.ts'
import { runFor } from '../policy/drawn-run.fixture.ts'
import { unverified } from './unverified.ts'

const before = withRequests(draw`node-a T4 [lab/one]`)
const to = { kind: 'time-slicing', replicas: 4 } as const
const { plan } = runFor(before, { kind: 'share', node: 'node-a', to, tenant: 'lab', moves: [] })

const after = (node: Partial<GpuNode>, pod: Partial<Pod> = {}) =>
  unverified(
    plan,
    {
      ...before,
      takenAt: instant(before.takenAt + 1),
      nodes: before.nodes.map((each) => ({ ...each, sharing: to, ...node })),
      pods: before.pods.map((each) => ({ ...each, ...pod })),
    },
    before.takenAt,
  )

test('a node is shared as planned once it says so and who ran there runs again', () => {
  expect(after({})).toBeUndefined()
  expect(after({ sharing: { kind: 'none' } })).toMatch(/node-a does not share its GPUs as the plan says/u)
  expect(after({ sharing: { ...to, replicas: 2 } })).toMatch(/does not share/u)
  expect(after({ ready: false })).toBe('node-a is not ready.')
  expect(after({}, { node: undefined })).toBe('lab/one was displaced and waits to be scheduled.')
})

test('a node is not shared as planned with somebody of another namespace on it', () => {
  expect(after({}, { id: 'web/a', namespace: 'web' })).toBe(
    'web/a came to node-a, whose GPUs are shared inside lab only.',
  )
})
