import { expect, test } from 'vitest'

import {
  applyStep,
  CAREFUL_POLICY,
  checkPlan,
  type ClusterSnapshot,
  describeAction,
  makePlan,
  wayBack,
  type Wish,
} from '@septet/domain'
import { draw } from '@septet/domain/testing'
import agentic from '../../content/agentic.json' with { type: 'json' }

const drawn = draw`
  node-a  A100-SXM4-40GB  [7g.40gb -]
  node-b  A100-SXM4-40GB  [3g.20gb lab/notebook] [3g.20gb -]
`
// A pod that somebody made by hand.
const snapshot: ClusterSnapshot = {
  ...drawn,
  pods: drawn.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, managed: false } })),
}

const layout = (gpu: string, ...instances: readonly (readonly [string, number, number])[]): Wish => ({
  kind: 'layout',
  moves: [],
  targets: [
    {
      gpu,
      migEnabled: true,
      layout: instances.map(([profile, start, size]) => ({ profile, placement: { start, size } })),
    },
  ],
})

const plan = makePlan({
  snapshot,
  title: 'two wishes',
  wishes: [
    layout('GPU-node-a-0', ['3g.20gb', 4, 4], ['2g.10gb', 0, 2], ['1g.5gb', 2, 1], ['1g.5gb', 3, 1]),
    layout('GPU-node-b-0', ['7g.40gb', 0, 8]),
  ],
})
const said = agentic.lines.filter(({ from }) => from === 'Septet').map(({ text }) => text)
const sentences = (parts: readonly string[]): string => parts.map((part) => `${part}.`).join(' ')

test('the typing demo quotes the planner word for word', () => {
  expect(said).toEqual([
    `node-a, three steps: ${sentences(plan.steps.map(({ action }) => describeAction(action)))}`,
    `Simulated on a copy: ${checkPlan(snapshot, plan, CAREFUL_POLICY).kind}. Pods displaced: ${plan.steps.flatMap(({ displaced }) => displaced).length}.`,
    `node-b, refused: ${plan.refused[0]?.message}`,
    `Rollback: ${sentences(wayBack(plan.steps).actions.map(describeAction))}`,
  ])
  expect(plan.refused).toHaveLength(1)
  expect(plan.steps).toHaveLength(3)
})

test('the bars below it are the GPUs before the plan and after it', () => {
  const after = plan.steps.reduce((cluster, step) => {
    const verdict = applyStep(cluster, step, CAREFUL_POLICY)
    if (verdict.kind === 'refused') throw new Error(verdict.because)
    return verdict.snapshot
  }, snapshot)
  expect(agentic.bars.map(({ instances }) => instances)).toEqual([
    drawnInstances(snapshot, 'node-a'),
    drawnInstances(after, 'node-a'),
    drawnInstances(after, 'node-b'),
  ])
})

function drawnInstances({ nodes, allocations }: ClusterSnapshot, name: string) {
  const partitions = nodes.find((node) => node.name === name)?.gpus[0]?.partitions ?? []
  return partitions
    .flatMap((partition) => {
      if (partition.kind !== 'mig' || partition.placement === undefined) return []
      const holder = allocations.find((allocation) => allocation.partition === partition.id)?.pod
      return [{ profile: partition.profile, ...partition.placement, ...(holder === undefined ? {} : { holder }) }]
    })
    .toSorted((a, b) => a.start - b.start)
}
