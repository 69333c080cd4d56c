import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import { nodeRefusal } from '../cluster/node-rules.ts'
import { UNCONSTRAINED } from '../cluster/scheduling.ts'
import { instant, mib } from '../units.ts'
import type { Gpu } from '../cluster/node.ts'
import { checkStart } from '../plan/start/check-start.ts'
import type { AskedPods } from '../plan/start/asked-job.ts'
import { askedJob, asking, counted } from '../plan/start/asked.fixture.ts'
import { countedFleet } from './counted-fleet.ts'
import type { OpenNode } from './open-nodes.ts'
import { fits } from './fits.ts'

const gpu = fc.constantFrom(
  'H100-80GB-HBM3 [-]',
  'H100-80GB-HBM3 [lab/p]',
  'A100-SXM4-80GB [3g.40gb -] [3g.40gb web/q]',
)
const drawnNode = fc.record({
  room: fc.constantFrom('', 'cpu=8 memory=16', 'cpu=96 memory=900'),
  zone: fc.constantFrom('', 'zone=a', 'zone=b'),
  taint: fc.constantFrom('', '', '!team=red:NoSchedule', 'down'),
  gpus: fc.array(gpu, { minLength: 1, maxLength: 3 }),
})
const fleets = fc.array(drawnNode, { minLength: 1, maxLength: 6 }).map((nodes) => {
  let id = 0
  const lines = nodes.flatMap(({ room, zone, taint, gpus }, at) =>
    gpus.map((each) => {
      const [model = '', ...parts] = each.split(' ')
      const held = parts.join(' ').replaceAll(/\b(lab\/p|web\/q)/gu, (name) => `${name}${(id += 1)}`)
      return `n${at} ${model} ${room} ${zone} ${taint} ${held}`
    }),
  )
  // A label that no node carries would be one that may not have been read.
  return counted(draw`${[...lines, 'last T4 zone=c [-]'].join('\n')}`)
})
const pods = fc
  .record({
    resource: fc.constantFrom('nvidia.com/gpu', 'nvidia.com/mig-3g.40gb', 'nvidia.com/mig-1g.10gb'),
    count: fc.integer({ min: 1, max: 3 }),
    cpuMilli: fc.constantFrom(0, 4000, 9000),
    memory: fc.constantFrom(0, 8192).map(mib),
    nodeSelector: fc.constantFrom({}, {}, { zone: 'a' }, { 'kubernetes.io/hostname': 'n1' }),
    isTolerant: fc.boolean(),
  })
  .map(({ resource, count, isTolerant, ...scheduling }): AskedPods => {
    const tolerations = isTolerant ? [{ key: '', operator: 'Exists' as const, value: '', effect: '' as const }] : []
    return asking({
      requests: [{ resource, count }],
      scheduling: { ...UNCONSTRAINED, ...scheduling, tolerations },
    })
  })

/** The same counted one by one: pods are put on the node until one does not fit. */
function plainCount({ node, free, cpuLeft, memoryLeft }: OpenNode, { requests, scheduling }: AskedPods): number {
  if (isBarred(node, scheduling)) return 0
  const left = [...requests.map(({ resource }) => free.get(resource) ?? 0), cpuLeft, memoryLeft]
  const each = [...requests.map(({ count }) => count), scheduling.cpuMilli, scheduling.memory]
  let most = 0
  while (left.every((amount, at) => amount >= (most + 1) * (each[at] ?? 0))) most += 1
  return most
}

function isBarred({ name, room, schedulable }: OpenNode['node'], scheduling: AskedPods['scheduling']): boolean {
  const labels = { ...room.labels, 'kubernetes.io/hostname': name }
  const isClosed = !schedulable && scheduling.tolerations.length === 0
  return isClosed || nodeRefusal(scheduling, { labels, taints: room.taints }) !== undefined
}

test('places are counted as if pods were put on each node one by one, whatever was asked of the fleet before', () => {
  let some = 0
  fc.assert(
    fc.property(fleets, fc.array(pods, { minLength: 1, maxLength: 5 }), (snapshot, asks) => {
      const fleet = countedFleet(snapshot)
      for (const asked of [...asks, ...asks]) {
        const counts = fits(fleet, asked, 'lab').map(({ count }) => count)
        expect(counts).toEqual(fleet.nodes.map((on) => plainCount(on, asked)))
        some += counts.filter((count) => count > 0).length
      }
    }),
    { numRuns: 300, seed: 11 },
  )
  expect(some).toBeGreaterThan(300)
})

describe('a device that may be in use', () => {
  const cluster = counted(draw`
    a  T4  [-]
    a  T4  [-]
    a  T4  [lab/p]`)
  const seen = (more: Partial<Gpu>) => {
    const nodes = cluster.nodes.map((node) => ({
      ...node,
      gpus: node.gpus.map((each, at) => (at === 0 ? { ...each, ...more } : each)),
    }))
    return fits(countedFleet({ ...cluster, nodes }), asking(), 'lab').map(({ count, sure, unsure }) => [
      count,
      sure,
      unsure,
    ])
  }

  test('is counted, and not for sure', () => {
    expect(seen({ unrequestedSince: instant(0) })).toEqual([
      [2, 1, 'something uses GPU 0 of a that no pod is known to hold'],
    ])
    expect(seen({ stuck: true })).toEqual([[2, 1, 'whether GPU 0 of a is in use is unknown']])
  })
  test('is no doubt where nothing is seen of it', () => expect(seen({})).toEqual([[2, 2, undefined]]))
  test('leaves the answer open only for as many pods as need it', () => {
    const nodes = cluster.nodes.map((node) => ({
      ...node,
      gpus: node.gpus.map((each, at) => (at === 0 ? { ...each, unrequestedSince: instant(0) } : each)),
    }))
    const verdicts = [1, 2, 3].map(
      (count) => checkStart({ ...cluster, nodes }, [askedJob([asking({ count })])])[0]?.verdict,
    )
    expect(verdicts).toEqual(['now', 'unknown', 'not-now'])
  })
  test('of a node that counts more free than it has is none that a pod gets for sure', () => {
    const nodes = cluster.nodes.map((node) => ({ ...node, allocatable: { 'nvidia.com/gpu': 5 } }))
    expect(fits(countedFleet({ ...cluster, nodes }), asking(), 'lab').map(({ count, sure }) => [count, sure])).toEqual([
      [4, 2],
    ])
  })
})
