import { expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { owned, asking, past, type Doing } from '../../plan/recommend/drawn-past.fixture.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import { resourceOf } from '../../fleet/gpu-state.ts'
import { admissionView } from './admission-view.ts'
import { byEveryOwner, knownSizes } from './known-sizes.ts'

const CHAT = 'lab/Deployment/chat'
const steady = (ago: number): Doing => ({ busy: 0.08 + 0.005 * (ago % 3), memory: 3000 + 20 * (ago % 5) })

const whole = owned(asking(draw`node-a  H100-80GB-HBM3  [lab/chat-1]`), ['lab/chat-1'])

function sizesOf(snapshot: typeof whole, doing: (ago: number) => Doing | undefined = steady, hours = 168) {
  const rows = past(snapshot, 'lab/chat-1', { hours, doing })
  return knownSizes({ rows, usage: [], overrun: learnFleetOverrun(rows) })
}

test('work whose past fits a smaller profile has a size, whether it runs now or not', () => {
  expect(sizesOf(whole).get(CHAT)).toMatchObject({
    workload: CHAT,
    profile: '1g.10gb',
    resource: 'nvidia.com/mig-1g.10gb',
    memoryPeak: 3080,
    confidence: expect.closeTo(1, 0),
  })
})

test('work that was not measured, or for less than a day, has none', () => {
  expect(sizesOf(whole, () => ({ measured: 0 })).size).toBe(0)
  expect(sizesOf(whole, steady, 3).size).toBe(0)
})

test('work that needs what it has, and work on a board that cannot be cut, has none', () => {
  expect(sizesOf(whole, (ago) => ({ busy: 0.9, memory: 70_000 + (ago % 3) })).size).toBe(0)
  const uncut = owned(asking(draw`node-a  L40S  [lab/chat-1]`), ['lab/chat-1'])
  expect(sizesOf(uncut).size).toBe(0)
})

test('work that filled the instance it was given gets a whole GPU again, as its need is not visible there', () => {
  const cut = owned(draw`node-a  H100-80GB-HBM3  [1g.10gb lab/chat-1]`, ['lab/chat-1'])
  expect(sizesOf(cut, (ago) => ({ busy: 0.4, memory: 3000 + (ago % 3) })).get(CHAT)?.profile).toBe('1g.10gb')
  expect(sizesOf(cut, (ago) => ({ busy: 0.4, memory: 9800 + (ago % 3) })).size).toBe(0)
})

test('a size is found by the owners in between, and each name is its own first', () => {
  const sizes = sizesOf(whole)
  const all = byEveryOwner(sizes, () => [CHAT, 'lab/StatefulSet/chat'])
  expect([...all.keys()].toSorted()).toEqual([CHAT, 'lab/StatefulSet/chat'])
  expect(all.get('lab/StatefulSet/chat')).toBe(sizes.get(CHAT))
})

const sizes = new Map()

/** The same nodes, whose kubelets offer what they are cut into. */
const offering = (drawn: ClusterSnapshot): ClusterSnapshot => ({
  ...drawn,
  nodes: drawn.nodes.map((node) => ({
    ...node,
    allocatable: Object.fromEntries(
      node.gpus.flatMap(({ partitions }) => partitions.map((partition) => [resourceOf(node, partition), 8])),
    ),
  })),
})

test('free MIG instances of sound nodes under the mixed strategy are offered, and nothing else', () => {
  const drawn = offering(draw`
      node-a  H100-80GB-HBM3  cpu=8 memory=64  [1g.10gb -] [1g.10gb lab/chat-1] [3g.40gb -]
      node-b  H100-80GB-HBM3  [-]
      node-c  H100-80GB-HBM3  down  [1g.10gb -]
      node-d  H100-80GB-HBM3  [7g.80gb -]
      node-e  T4  [1/2 -] [1/2 web/x]`)
  const view = admissionView(drawn, sizes)
  expect(view.nodes.map(({ name, instances }) => [name, instances.map(({ profile }) => profile)])).toEqual([
    ['node-a', ['1g.10gb', '3g.40gb']],
  ])
  expect(view.nodes[0]).toMatchObject({ left: { cpuMilli: 8000, memory: 65_536 } })
  expect(view.nodes[0]?.instances[0]).toMatchObject({ resource: 'nvidia.com/mig-1g.10gb', memory: 9984 })
})

test('under the single strategy a MIG instance is asked for as a whole GPU, so none is offered', () => {
  const drawn = offering(draw`node-a  H100-80GB-HBM3  [1g.10gb -]`)
  const single = drawn.nodes.map((node) => ({ ...node, mig: { ...node.mig, strategy: 'single' as const } }))
  expect(admissionView({ ...drawn, nodes: single }, sizes).nodes).toEqual([])
})

test('what its kubelet does not offer is not offered', () => {
  const drawn = draw`node-a  H100-80GB-HBM3  [1g.10gb -]`
  expect(admissionView(offering(drawn), sizes).nodes).toHaveLength(1)
  const nodes = drawn.nodes.map((node) => ({ ...node, allocatable: {} }))
  expect(admissionView({ ...drawn, nodes }, sizes).nodes).toEqual([])
})
