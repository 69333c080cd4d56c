import { expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { makePlan } from './make-plan.ts'
import { CAREFUL_POLICY } from '../words/plan-policy.ts'
import type { Wish } from '../words/wish.ts'
import { withRequests } from './drawn-wishes.fixture.ts'
import { plannedGpus } from './planned-gpus.ts'

const OPEN = { ...CAREFUL_POLICY, maxDisplaced: 100, mayWait: true }
const cluster = withRequests(draw`
  node-a  A100-SXM4-40GB  [3g.20gb lab/train] [3g.20gb -]
  node-b  A100-SXM4-40GB  [3g.20gb -] [4g.20gb -]
  node-c  A100-SXM4-40GB  [3g.20gb lab/other]`)

const planned = (wishes: readonly Wish[]) =>
  plannedGpus(makePlan({ snapshot: cluster, wishes, title: 'x', policy: OPEN }), cluster, OPEN)

type Picture = ReturnType<typeof planned>[number]['after']
const profilesOf = (picture: Picture) =>
  picture?.gpu.partitions.map((partition) => (partition.kind === 'mig' ? partition.profile : partition.kind))
const holdersOf = (picture: Picture) => picture && Object.values(picture.holders)

test('a GPU that is cut again and the one that takes its pod in are drawn before and after, others not', () => {
  const found = planned([
    {
      kind: 'layout',
      targets: [
        { gpu: 'GPU-node-a-0', migEnabled: true, layout: [{ profile: '7g.40gb', placement: { start: 0, size: 8 } }] },
      ],
      moves: [{ pod: 'lab/train', from: 'GPU-node-a-0/gi-1', to: { gpu: 'GPU-node-b-0', profile: '3g.20gb' } }],
    },
  ])
  expect(found.map(({ node }) => node)).toEqual(['node-a', 'node-b'])
  const [cut, host] = found
  expect(profilesOf(cut?.before)).toEqual(['3g.20gb', '3g.20gb'])
  expect(profilesOf(cut?.after)).toEqual(['7g.40gb'])
  expect(holdersOf(cut?.before)).toEqual(['lab/Pod/train'])
  expect(holdersOf(cut?.after)).toEqual([])
  expect(holdersOf(host?.before)).toEqual([])
  expect(holdersOf(host?.after)).toEqual(['lab/Pod/train'])
})

test('a node that goes has no picture after', () => {
  const found = planned([{ kind: 'remove-node', node: 'node-b', moves: [] }])
  expect(found).toMatchObject([{ node: 'node-b', after: undefined }])
})

test('where a step no longer holds nothing is drawn', () => {
  const plan = makePlan({
    snapshot: cluster,
    wishes: [{ kind: 'remove-node', node: 'node-b', moves: [] }],
    title: 'x',
    policy: OPEN,
  })
  const without = { ...cluster, nodes: cluster.nodes.filter(({ name }) => name !== 'node-b') }
  expect(plan.steps.length).toBeGreaterThan(0)
  expect(plannedGpus(plan, without, OPEN)).toEqual([])
})
