import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import type { AskedPods } from './asked-job.ts'
import { askedJob, asking, counted } from './asked.fixture.ts'
import { checkStart } from './check-start.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import type { OpenNode } from '../../fleet/open-nodes.ts'
import type { StartPlace } from './start-answer.ts'

const GPU = 'nvidia.com/gpu'
const MIG = 'nvidia.com/mig-3g.40gb'
const placesOf = (cluster: ClusterSnapshot, ...groups: readonly AskedPods[]): readonly StartPlace[] =>
  checkStart(cluster, [askedJob(groups)])[0]?.places ?? []
const told = (places: readonly StartPlace[]) =>
  places.map(({ part, node, pods, devices }) => [part, node, pods, devices.map(({ index }) => index)])
const cores = (count: number) => ({ ...UNCONSTRAINED, cpuMilli: count * 1000 })

const selector = [{ key: 'app', operator: 'In' as const, values: ['train'] }]
const byZone = (most: number) => [{ topologyKey: 'zone', most, selector, own: true }]

describe('where the pods of a job would go', () => {
  test('the fullest node that takes all of them, so that one is named', () => {
    const cluster = counted(draw`
      a  T4  [-]
      a  T4  [-]
      a  T4  [-]
      b  T4  [-]
      b  T4  [-]
      c  T4  [-]`)
    expect(told(placesOf(cluster, asking({ count: 2 })))).toEqual([['', 'b', 2, [0, 1]]])
    expect(told(placesOf(cluster, asking({ count: 1 })))).toEqual([['', 'c', 1, [0]]])
  })
  test('the roomiest nodes first where no node takes all', () => {
    const cluster = counted(draw`
      a  T4  [-]
      b  T4  [-]
      b  T4  [lab/x]
      b  T4  [-]`)
    expect(told(placesOf(cluster, asking({ count: 3 })))).toEqual([
      ['', 'b', 2, [0, 2]],
      ['', 'a', 1, [0]],
    ])
  })
  test('no place twice: the second part of a job goes where the first left room', () => {
    const cluster = counted(draw`
      a  T4  cpu=8  [-]
      b  T4  cpu=8  [-]
      b  T4  cpu=8  [-]`)
    const parts = [asking({ part: 'Master' }), asking({ part: 'Worker', scheduling: cores(1) })]
    expect(told(placesOf(cluster, ...parts))).toEqual([
      ['Master', 'a', 1, [0]],
      ['Worker', 'b', 1, [0]],
    ])
  })
  test('devices of each kind that a pod asks for', () => {
    const cluster = counted(draw`
      a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb -]
      a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]
      a  A100-SXM4-80GB  [-]`)
    const both = [
      { resource: GPU, count: 1 },
      { resource: MIG, count: 2 },
    ]
    expect(placesOf(cluster, asking({ requests: both }))[0]?.devices).toMatchObject([
      { index: 2, profile: undefined },
      { index: 0, profile: '3g.40gb' },
      { index: 1, profile: '3g.40gb' },
    ])
  })
  test('no GPU that is out of use, or that something uses', () => {
    const cluster = counted(draw`
      a  T4  [-]
      a  T4  [-]
      a  T4  [-]
      a  T4  [-]`)
    const withheld = cluster.nodes.map((node) => ({ ...node, allocatable: { [GPU]: 3 } }))
    expect(told(placesOf({ ...cluster, nodes: withheld }, asking()))).toEqual([['', 'a', 1, [1]]])
    const gpus = (at: number, more: object) => ({
      ...cluster,
      nodes: cluster.nodes.map((node) => ({
        ...node,
        gpus: node.gpus.map((gpu) => (gpu.index === at ? { ...gpu, ...more } : gpu)),
      })),
    })
    expect(told(placesOf(gpus(0, { unrequestedSince: cluster.takenAt }), asking()))).toEqual([['', 'a', 1, [1]]])
    expect(told(placesOf(gpus(0, { stuck: true }), asking()))).toEqual([['', 'a', 1, [1]]])
  })
  test('as many pods in each zone as the spread rule allows, and all pods are named', () => {
    const cluster = counted(draw`
      a  T4  zone=x  [-]
      a  T4  zone=x  [-]
      b  T4  zone=x  [-]
      c  T4  zone=y  [-]
      c  T4  zone=y  [-]`)
    expect(told(placesOf(cluster, asking({ count: 2, spread: byZone(1) })))).toEqual([
      ['', 'c', 1, [0]],
      ['', 'a', 1, [0]],
    ])
    expect(told(placesOf(cluster, asking({ count: 4, spread: byZone(2) })))).toEqual([
      ['', 'c', 2, [0, 1]],
      ['', 'a', 2, [0, 1]],
    ])
  })
  test('one pod on each host where a rule keeps them apart', () => {
    const cluster = counted(draw`
      a  T4  [-]
      a  T4  [-]
      b  T4  [-]`)
    const spread = [{ topologyKey: 'kubernetes.io/hostname', most: 'apart' as const, selector, own: true }]
    expect(told(placesOf(cluster, asking({ count: 2, spread })))).toEqual([
      ['', 'b', 1, [0]],
      ['', 'a', 1, [0]],
    ])
  })
  test('pods that ask for no GPU and no CPU have room without end, and get no device', () => {
    const cluster = counted(draw`a  T4  [-]`)
    expect(told(placesOf(cluster, asking(), asking({ part: 'head', count: 3, requests: [] })))).toEqual([
      ['', 'a', 1, [0]],
      ['head', 'a', 3, []],
    ])
  })
})

const HOSTNAME = 'kubernetes.io/hostname'
const fleets = fc
  .array(
    fc.record({
      zone: fc.constantFrom('x', 'y'),
      cpu: fc.constantFrom(2, 4, 64),
      gpus: fc.array(fc.constantFrom('[-]', '[-]', '[held]', '[3g.40gb -] [3g.40gb held]'), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((nodes) => {
    let holders = 0
    const held = (): string => `web/p${(holders += 1)}`
    const lines = nodes.flatMap(({ zone, cpu, gpus }, at) =>
      gpus.map((gpu) => `n${at}  A100-SXM4-80GB  cpu=${cpu} zone=${zone}  ${gpu.replaceAll('held', held)}`),
    )
    return counted(draw`${lines.join('\n')}`)
  })
const groups = fc
  .array(
    fc.record({
      count: fc.integer({ min: 0, max: 4 }),
      gpus: fc.integer({ min: 0, max: 2 }),
      mig: fc.integer({ min: 0, max: 1 }),
      cpu: fc.integer({ min: 0, max: 3 }),
      spread: fc.constantFrom(
        [],
        [],
        [{ topologyKey: 'zone', most: 1, selector, own: true }],
        [{ topologyKey: 'zone', most: 'apart' as const, selector, own: true }],
        [{ topologyKey: HOSTNAME, most: 2, selector, own: true }],
      ),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) =>
    parts.map(({ gpus, mig, cpu, ...rest }, at) => {
      const requests = [
        { resource: GPU, count: gpus },
        { resource: MIG, count: mig },
      ].filter(({ count }) => count > 0)
      return asking({ ...rest, part: `part-${at}`, requests, scheduling: cores(cpu) })
    }),
  )

type Given = { readonly place: StartPlace; readonly by: AskedPods }

/** What places take that a node does not have. */
function nodeFlaws({ node, free, cpuLeft }: OpenNode, held: ReadonlySet<string>, given: readonly Given[]): string[] {
  const here = given.filter(({ place }) => place.node === node.name)
  const sum = (of: (pods: AskedPods) => number): number =>
    here.reduce((all, { place, by }) => all + place.pods * of(by), 0)
  const askedOf = (resource: string): number =>
    sum(({ requests }) => requests.find((each) => each.resource === resource)?.count ?? 0)
  const devices = here.flatMap(({ place }) => place.devices.map(({ index, profile }) => `${index} ${profile ?? GPU}`))
  const open = node.gpus.flatMap(({ index, partitions }) =>
    partitions.flatMap((each) => (held.has(each.id) ? [] : `${index} ${each.kind === 'mig' ? each.profile : GPU}`)),
  )
  return [
    ...[GPU, MIG].filter((resource) => askedOf(resource) > (free.get(resource) ?? 0)),
    ...(sum(({ scheduling }) => scheduling.cpuMilli) > cpuLeft ? ['CPU'] : []),
    ...(devices.length === askedOf(GPU) + askedOf(MIG) ? [] : [`${devices.length} devices`]),
    ...devices.filter((device) => countOf(devices, device) > countOf(open, device)),
  ].map((flaw) => `${flaw} on ${node.name}`)
}

const countOf = (all: readonly string[], one: string): number => all.filter((each) => each === one).length

/** Domains with more pods of one part than its rule allows where another domain may have none. */
function spreadFlaws(nodes: readonly OpenNode[], given: readonly Given[]): readonly string[] {
  const zones = new Map(nodes.map(({ node }) => [node.name, node.room.labels['zone'] ?? '']))
  return given.flatMap(({ by, place }) => {
    const [rule] = by.spread
    if (rule === undefined) return []
    const domainOf = (node: string): string => (rule.topologyKey === HOSTNAME ? node : (zones.get(node) ?? ''))
    const same = given.filter((each) => each.by === by && domainOf(each.place.node) === domainOf(place.node))
    const pods = same.reduce((all, each) => all + each.place.pods, 0)
    return pods > (rule.most === 'apart' ? 1 : rule.most) ? [`${pods} pods in ${domainOf(place.node)}`] : []
  })
}

test('every pod that starts is given a place, and places take no more than nodes have, whatever is asked', () => {
  let several = 0
  fc.assert(
    fc.property(fleets, groups, (cluster, parts) => {
      const [answer] = checkStart(cluster, [askedJob(parts)])
      const given = (answer?.places ?? []).flatMap((place): readonly Given[] =>
        parts.filter(({ part }) => place.part.split(', ')[0] === part).map((by) => ({ place, by })),
      )
      const { nodes } = countedFleet(cluster)
      const held = new Set(cluster.allocations.map(({ partition }) => partition))
      if (given.length > 1) several += 1
      expect(given.reduce((sum, { place }) => sum + place.pods, 0)).toBe(answer?.starting)
      expect(nodes.flatMap((on) => nodeFlaws(on, held, given))).toEqual([])
      expect(spreadFlaws(nodes, given)).toEqual([])
    }),
    { numRuns: 500 },
  )
  expect(several).toBeGreaterThan(20)
})
