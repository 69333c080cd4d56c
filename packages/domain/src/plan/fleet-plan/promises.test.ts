import { expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { servedByDra, withRequests } from '../steps/drawn-wishes.fixture.ts'
import { planned, shownPlansKeepPromises } from './promises.fixture.ts'

// The sweep draws more fleets: promises.long.test.ts.
shownPlansKeepPromises(1)

test('a GPU that would be empty is not called free where a claim for a whole one waits', () => {
  const snapshot = servedByDra(
    withRequests(draw`
      node-a  A30  MIG [1g.6gb lab/one]
      node-a  A30  MIG [2g.12gb lab/two] [1g.6gb lab/three]
      ? lab/waits gpu`),
  )
  const { plan, use } = planned(snapshot, { kind: 'cost' })
  expect([plan.steps, use?.freed]).toEqual([[], []])
  expect(plan.refused.map(({ message }) => message).join(' ')).toMatch(
    /GPU-node-a-0 of node-a would not stay free: Kubernetes’ scheduler would start lab\/waits on it/u,
  )
})

test('a GPU that a DRA driver may hand out to the pod that is to leave it is not called free', () => {
  const snapshot = servedByDra(
    withRequests(draw`
      node-a  A30  MIG [1g.6gb lab/one] [1g.6gb -]
      node-a  A30  MIG [1g.6gb lab/two] [1g.6gb lab/three] [1g.6gb lab/four]`),
  )
  const { plan, use, saving } = planned(snapshot, { kind: 'cost' })
  expect([plan.steps, use?.freed, saving]).toEqual([[], [], undefined])
  expect(plan.refused.map(({ message }) => message).join(' ')).toMatch(
    /GPU-node-a-0 of node-a would not stay free: Kubernetes’ scheduler would start lab\/one on it/u,
  )
})

test('a layout that somebody draws is refused where the pod that makes way would wait', () => {
  // The only other room is what waits for longer takes first.
  const drawn = withRequests(draw`
    node-a  A100-SXM4-80GB  [3g.40gb lab/one] [3g.40gb -]
    node-b  A100-SXM4-80GB  [3g.40gb -] [4g.40gb lab/two]
    ? lab/waits 3g.40gb`)
  const snapshot = { ...drawn, pods: drawn.pods.map((pod) => ({ ...pod, waiting: undefined })) }
  const target = {
    gpu: 'GPU-node-a-0',
    migEnabled: true,
    layout: [{ profile: '7g.80gb', placement: { start: 0, size: 8 } }],
  }
  const { plan, because } = planned(snapshot, { kind: 'layout', targets: [target] })
  expect(plan.steps).toEqual([])
  expect(because ?? plan.refused[0]?.message).toMatch(/lab\/(one|waits)/u)
})
