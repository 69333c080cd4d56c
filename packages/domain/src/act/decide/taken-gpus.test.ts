import { expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod } from '../../cluster/workload.ts'
import { withRequests } from '../../plan/steps/drawn-wishes.fixture.ts'
import type { KeepFree, PlanStep } from '../../plan/words/action.ts'
import { instant } from '../../units.ts'
import { takenGpus } from './taken-gpus.ts'

const cluster = withRequests(draw`
  node-a  H100-80GB-HBM3  [lab/one]
  node-a  H100-80GB-HBM3  [lab/two]
  node-b  H100-80GB-HBM3  [-]`)
const AT = instant(cluster.takenAt + 3_600_000)
const KEPT: KeepFree = {
  kind: 'keep-free',
  nodes: [
    { node: 'node-a', gpus: 2 },
    { node: 'node-b', gpus: 1 },
  ],
  at: AT,
  until: instant(AT + 3_600_000),
}
const evicting = (...pods: readonly string[]) => ({
  steps: pods.map((pod) => {
    const uid = cluster.pods.find(({ id }) => id === pod)?.uid ?? ''
    const action = { kind: 'evict' as const, pod, uid, workload: '', because: '' }
    return { action } as unknown as PlanStep
  }),
})
const withPod = (id: string, change: Partial<Pod>): ClusterSnapshot => ({
  ...cluster,
  pods: cluster.pods.map((pod) => (pod.id === id ? { ...pod, ...change } : pod)),
})
const two = cluster.pods.find(({ id }) => id === 'lab/two')
const missing = (snapshot: ClusterSnapshot, kept = KEPT): number | undefined =>
  takenGpus(kept, evicting('lab/one'), snapshot)?.missing

test('who holds a GPU that is kept, and is neither evicted nor surely gone by then, is named', () => {
  expect(takenGpus(KEPT, evicting('lab/one', 'lab/two'), cluster)).toBeUndefined()
  expect(takenGpus(KEPT, evicting('lab/one'), cluster)).toEqual({
    missing: 1,
    because:
      'node-a has 1 of 2 free for 2026-01-01 01:00 UTC: lab/two came last, and the plan does not evict it. Nothing says that it ends before then: evict it by hand.',
  })
  expect(takenGpus(KEPT, evicting(), cluster)?.because).toMatch(
    /^node-a has 0 of 2 free for .*: lab\/one, lab\/two came last, and the plan does not evict them\./u,
  )
})

test('of all who are there those are named who came last', () => {
  const snapshot = withPod('lab/one', { createdAt: instant(cluster.takenAt) })
  const kept = { ...KEPT, nodes: [{ node: 'node-a', gpus: 1 }] }
  expect(takenGpus(kept, evicting(), snapshot)?.because).toMatch(/^node-a has 0 of 1 free for .*: lab\/one came last,/u)
})

test('another pod under the name of one that is evicted is another pod', () => {
  expect(missing(withPod('lab/one', { uid: 'made again' }))).toBe(2)
})

test('who has ended, or has a deadline in time, is not in the way; one with a later deadline is', () => {
  expect(missing(withPod('lab/two', { phase: 'Succeeded' }))).toBeUndefined()
  expect(missing(withPod('lab/two', { endsBy: instant(AT - 120_000) }))).toBeUndefined()
  expect(missing(withPod('lab/two', { endsBy: AT }))).toBe(1)
})

test('work that the GPUs are kept for takes none from itself; that of another namespace does', () => {
  const letIn = { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', value: '', effect: '' } as const
  const scheduling = { ...two?.scheduling, tolerations: [letIn] } as Pod['scheduling']
  const snapshot = withPod('lab/two', { scheduling })
  expect(missing(snapshot, { ...KEPT, namespace: 'lab' })).toBeUndefined()
  expect(missing(snapshot, { ...KEPT, namespace: 'team' })).toBe(1)
})

test('on a node of which fewer GPUs are kept than it has, others may stay', () => {
  expect(missing(cluster, { ...KEPT, nodes: [{ node: 'node-a', gpus: 1 }] })).toBeUndefined()
})
