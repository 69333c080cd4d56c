import { instant, type Inventory } from '@septet/domain'
import { expect, test } from 'vitest'
import { assembleInventory } from './assemble-inventory.ts'
import { node, ownedBy, pod } from '../watch/cluster-objects.fixture.ts'
import { followOwners } from '../read/owner-chain.ts'
import { parseKueueWorkload } from '../read/parse-kueue.ts'
import { parseNode } from '../read/parse-node.ts'
import { parsePod, type PodFacts } from '../read/parse-pod.ts'

const NOW = instant(Date.parse('2026-11-21T12:00:00Z'))

const facts = (name: string, changes: Parameters<typeof pod>[2] = {}): PodFacts => {
  const parsed = parsePod(pod('team', name, { metadata: ownedBy('StatefulSet', 'set'), ...changes }))
  if (parsed === undefined) throw new Error('a pod that asks for a GPU is kept')
  return parsed
}
const nodes = [parseNode(node('gpu-0')), parseNode(node('gpu-1'))]

const assemble = (
  pods: readonly PodFacts[],
  { now = NOW, kueue = [] }: { now?: typeof NOW; kueue?: readonly unknown[] } = {},
): Inventory =>
  assembleInventory({
    nodes,
    pods,
    menus: [],
    slices: [],
    claims: [],
    queuedWork: kueue.flatMap((each) => parseKueueWorkload(each) ?? []),
    clusterQueues: [],
    localQueues: [],
    flavors: [],
    budgets: [],
    quotas: [],
    chainOf: (each) => followOwners(each, { owner: () => undefined, podByUid: () => undefined }).chain,
    pendingSince: () => undefined,
    now,
    takenAt: now,
    serverVersion: 'v1.34.1',
    problems: [],
  })

test('what has not changed is the same object as in the inventory before', () => {
  const [one, other] = [facts('a-0'), facts('a-1')]
  const first = assemble([one, other])
  const later = assemble([one, other], { now: instant(NOW + 60_000) })
  expect(later.nodes.map((each, at) => each === first.nodes[at])).toEqual([true, true])
  expect(later.pods.map((each, at) => each === first.pods[at])).toEqual([true, true])
  expect(later.workloads[0]).toBe(first.workloads[0])
})

test('a pod that changed, and the work that it belongs to, are made again; the others are not', () => {
  const [one, other] = [facts('a-0'), facts('b-0', { metadata: ownedBy('StatefulSet', 'other') })]
  const first = assemble([one, other])
  const later = assemble([facts('a-0', { spec: { nodeName: 'gpu-1' } }), other])
  expect(later.pods.map(({ name, node: on }) => [name, on])).toEqual([
    ['a-0', 'gpu-1'],
    ['b-0', 'gpu-0'],
  ])
  expect(later.pods.map((each, at) => each === first.pods[at])).toEqual([false, true])
  expect(later.workloads.map((each) => first.workloads.includes(each))).toEqual([true, false])
  expect(later.workloads[1]?.pods).toEqual(['team/a-0'])
})

test('work is made again when a pod of it goes, and when Kueue says something of it', () => {
  const [one, other] = [facts('a-0'), facts('a-1')]
  const both = assemble([one, other])
  expect(assemble([one]).workloads[0]?.pods).toEqual(['team/a-0'])
  expect(both.workloads[0]?.pods).toEqual(['team/a-0', 'team/a-1'])
  const kueue = {
    metadata: {
      name: 'set',
      namespace: 'team',
      uid: 'k',
      creationTimestamp: '2026-11-01T08:00:00Z',
      ...ownedBy('StatefulSet', 'set'),
    },
    spec: {
      queueName: 'research',
      podSets: [
        { count: 1, template: { spec: { containers: [{ resources: { requests: { 'nvidia.com/gpu': '1' } } }] } } },
      ],
    },
  }
  expect(assemble([one, other], { kueue: [kueue] }).workloads[0]?.queue).toBe('research')
  expect(assemble([one, other]).workloads[0]?.queue).toBeUndefined()
})
