import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import { mib } from '../../units.ts'
import { servedByDra } from '../steps/drawn-wishes.fixture.ts'
import type { AskedPods, SpreadRule } from './asked-job.ts'
import { asking, counted } from './asked.fixture.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { lossByOne, seatGroups, type Seating } from './seat-groups.ts'

const GPU = 'nvidia.com/gpu'
const seatsOf = (snapshot: ClusterSnapshot, ...groups: readonly AskedPods[]): readonly Seating[] =>
  seatGroups(countedFleet(snapshot), { namespace: 'lab', groups, rivals: [] })
const told = (snapshot: ClusterSnapshot, ...groups: readonly AskedPods[]) =>
  seatsOf(snapshot, ...groups).map(({ sure, most, unsure }) => [sure, most, unsure])
const scheduling = (cores: number, gib = 0) => ({ ...UNCONSTRAINED, cpuMilli: cores * 1000, memory: mib(gib * 1024) })

type Free = { readonly gpus: number; readonly cores: number }
type Group = { readonly count: number; readonly gpus: number; readonly cores: number }

/** Every way in which pods that come first may be seated: each goes to some node that has room, if one has. */
function waysToSeat(nodes: readonly Free[], { count, gpus, cores }: Group): readonly (readonly Free[])[] {
  if (count === 0) return [nodes]
  const open = nodes.flatMap((node, at) => (node.gpus >= gpus && node.cores >= cores ? [at] : []))
  if (open.length === 0) return [nodes]
  return open.flatMap((at) =>
    waysToSeat(
      nodes.map((node, other) => (other === at ? { gpus: node.gpus - gpus, cores: node.cores - cores } : node)),
      { count: count - 1, gpus, cores },
    ),
  )
}

const roomFor = (nodes: readonly Free[], { count, gpus, cores }: Group): number =>
  Math.min(
    count,
    nodes.reduce(
      (sum, node) =>
        sum + Math.min(Math.floor(node.gpus / gpus), cores === 0 ? Infinity : Math.floor(node.cores / cores)),
      0,
    ),
  )

const drawnNodes = (nodes: readonly Free[]): ClusterSnapshot => {
  const lines = nodes.flatMap(({ gpus, cores }, at) =>
    Array.from({ length: gpus }, () => `n${at}  T4  cpu=${cores}  [-]`),
  )
  return counted(draw`${lines.join('\n')}`)
}
const podsOf = ({ count, gpus, cores }: Group, part: string): AskedPods =>
  asking({ part, count, requests: [{ resource: GPU, count: gpus }], scheduling: scheduling(cores) })

describe('groups of a job that compete for places', () => {
  const someGroup = fc.record({
    count: fc.integer({ min: 0, max: 3 }),
    gpus: fc.integer({ min: 1, max: 2 }),
    cores: fc.integer({ min: 0, max: 3 }),
  })
  const someNodes = fc.array(
    fc.record({ gpus: fc.integer({ min: 1, max: 3 }), cores: fc.integer({ min: 0, max: 6 }) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  test('get at least what is called sure wherever the others go first, and no more than is called most', () => {
    let contested = 0
    fc.assert(
      fc.property(someNodes, someGroup, someGroup, (nodes, own, other) => {
        const [seating] = seatsOf(drawnNodes(nodes), podsOf(own, 'own'), podsOf(other, 'other'))
        const rooms = waysToSeat(nodes, other).map((left) => roomFor(left, own))
        const { sure = -1, most = -1 } = seating ?? {}
        expect(sure).toBeLessThanOrEqual(Math.min(...rooms))
        expect(most).toBe(roomFor(nodes, own))
        contested += Number(sure < most)
        expect(other.count > 0 || sure === most).toBe(true)
      }),
      { numRuns: 300 },
    )
    expect(contested).toBeGreaterThan(30)
  })
  test('say why the two differ, and nothing where they do not', () => {
    const cluster = counted(draw`
      a  T4  [-]
      b  T4  [-]`)
    const beside = ['where the scheduler puts its first pods decides whether the others still fit']
    expect(told(cluster, asking({ part: 'a' }), asking({ part: 'b' }))).toEqual([
      [1, 1, []],
      [1, 1, []],
    ])
    expect(told(cluster, asking({ part: 'a', count: 2 }), asking({ part: 'b' }))[0]).toEqual([1, 2, beside])
  })
})

describe('what one pod takes from others', () => {
  const asks = (count: number, cores = 0, gib = 0) =>
    asking({ requests: [{ resource: GPU, count }], scheduling: scheduling(cores, gib) })
  test.for<[string, AskedPods, AskedPods, number]>([
    ['as many places as its devices were', asks(2), asks(3), 2],
    ['of another device none', asks(1), asking({ requests: [{ resource: 'nvidia.com/mig-1g.5gb', count: 1 }] }), 0],
    ['by its CPU', asks(1, 4), asks(1, 9), 3],
    ['by its memory', asks(1, 1, 4), asks(1, 1, 9), 3],
    ['nothing by CPU from pods that ask for none', asks(1), asking({ requests: [], scheduling: scheduling(64) }), 0],
    [
      'of claims as many as a GPU could hold, as instances of one profile lie where others would have been',
      asking({ requests: [], claims: [{ resource: 'nvidia.com/mig-1g.5gb', count: 1 }] }),
      asking({ requests: [], claims: [{ resource: 'nvidia.com/mig-3g.20gb', count: 1 }] }),
      8,
    ],
  ])('%s', ([, pods, other, lost]) => {
    expect(lossByOne(pods, other)).toBe(lost)
  })
})

const claiming = (profile: string) =>
  asking({ part: profile, requests: [], claims: [{ resource: `nvidia.com/mig-${profile}`, count: 1 }] })

const named = (key: string) => [{ key, operator: 'In' as const, values: ['train'] }]

const spread = (rule: Partial<SpreadRule> = {}): readonly SpreadRule[] => [
  { topologyKey: 'zone', most: 1, selector: named('app'), own: true, ...rule },
]

const cluster = counted(draw`
  a  T4  zone=x  [-]
  b  T4  zone=y  [-]
  b  T4  zone=y  [-]`)

const neighbors = (namespace: string, labels: Readonly<Record<string, string>>) => ({
  ...cluster,
  neighbors: { repulsions: [], labels: [{ namespace, labels }] },
})

const held = counted(draw`
  a  T4  zone=x  [-]
  b  T4  zone=y  [lab/like]`)
/** Work of two pods that share these labels. */
const sharing = (labels: Readonly<Record<string, string>>) => ({
  ...held,
  workloads: held.workloads.map((workload) => ({ ...workload, pods: ['lab/like', 'lab/other'], labels })),
})

describe('what leaves it open how many start', () => {
  const like = ['pods that may carry the labels of its spread or anti-affinity rule run already']

  test('pods without GPUs may run where nobody looks', () => {
    const full = counted(draw`a  T4  cpu=1  [-]`)
    expect(told(full, asking({ requests: [], count: 2, scheduling: scheduling(1) }))).toEqual([
      [1, 2, ['some of its pods ask for no GPU, and nodes without GPUs are not read']],
    ])
  })
  test('pods without GPUs may carry the labels that a rule counts', () => {
    expect(told(neighbors('lab', { app: 'train' }), asking({ spread: spread() }))).toEqual([[0, 1, like]])
    expect(told(neighbors('web', { app: 'train' }), asking({ spread: spread() }))).toEqual([[1, 1, []]])
    expect(told(neighbors('lab', { app: 'other' }), asking({ spread: spread() }))).toEqual([[1, 1, []]])
    const byController = spread({ selector: named('job-name') })
    expect(told(neighbors('lab', { app: 'other' }), asking({ spread: byController }))).toEqual([[0, 1, like]])
  })
  test('work of the namespace whose pods differ in the label may carry it', () => {
    expect(told(sharing({}), asking({ spread: spread() }))).toEqual([[0, 1, like]])
    expect(told(sharing({ app: 'other' }), asking({ spread: spread() }))).toEqual([[1, 1, []]])
  })
  test('a node without the label of the rule that has room, and more than one pod under two rules, are not counted', () => {
    const odd = counted(draw`
      a  T4  zone=x  [-]
      b  T4          [-]`)
    const rule = ['its spread rule may count nodes without GPUs, which Septet does not keep']
    expect(told(odd, asking({ count: 2, spread: spread() }))[0]?.slice(0, 2)).toEqual([0, 2])
    const two = [...spread(), ...spread({ topologyKey: 'kubernetes.io/hostname' })]
    expect(told(cluster, asking({ count: 2, spread: two }))).toEqual([[1, 2, rule]])
    expect(told(cluster, asking({ spread: two }))).toEqual([[1, 1, []]])
  })
  test('a node without the label that has no room takes no such pod', () => {
    const odd = counted(draw`
      a  T4  zone=x  [-]
      b  T4          [lab/x]`)
    const elsewhere = { ...odd, workloads: [] }
    expect(told(elsewhere, asking({ spread: spread() }))).toEqual([[1, 1, []]])
  })
  test('a zone that its own rules rule out does not count; one with a taint does', () => {
    const barred = counted(draw`
      a  T4  zone=x disk=ssd  [-]
      a  T4  zone=x disk=ssd  [-]
      b  T4  zone=y disk=hdd  [-]`)
    const scheduled = { ...UNCONSTRAINED, nodeSelector: { disk: 'ssd' } }
    expect(told(barred, asking({ count: 3, spread: spread(), scheduling: scheduled }))[0]?.[1]).toBe(2)
    const tainted = counted(draw`
      a  T4  zone=x  [-]
      a  T4  zone=x  [-]
      b  T4  zone=y !team=red:NoSchedule  [-]`)
    expect(told(tainted, asking({ count: 3, spread: spread() }))[0]?.[1]).toBe(1)
  })
  test('no node at all gives nothing, and no rule makes that more', () => {
    const none = { ...cluster, nodes: [] }
    expect(told(none, asking(), asking({ spread: spread() })).map((each) => each.slice(0, 2))).toEqual([
      [0, 0],
      [0, 0],
    ])
  })
  test('claims of two parts that may be cut where the others would', () => {
    const dra = counted(servedByDra(draw`a  A100-SXM4-80GB  MIG`))
    expect(told(dra, claiming('3g.40gb'), claiming('1g.10gb')).map((each) => each.slice(0, 2))).toEqual([
      [0, 1],
      [0, 1],
    ])
  })
})

const without = (
  namespace: string,
  on: Readonly<Record<string, number>>,
  zones: Readonly<Record<string, string>> = {},
) => ({
  neighbors: {
    repulsions: [],
    labels: [{ namespace, labels: { app: 'train' }, on }],
    others: Object.entries(zones).map(([name, zone]) => ({ name, labels: { zone }, taints: [] })),
  },
})
const HOST = 'kubernetes.io/hostname'
const zones = counted(draw`
  a  T4  zone=x  [-]
  a  T4  zone=x  [-]
  a  T4  zone=x  [-]
  b  T4  zone=y  [-]
  b  T4  zone=y  [-]`)
const roomOf = (snapshot: ClusterSnapshot, rule: Partial<SpreadRule>, count = 9) =>
  told(snapshot, asking({ count, spread: spread(rule) }))[0]

describe('rules about pods that are there already', () => {
  test('a rule of spread goes on until the emptiest zone is full', () => {
    expect(roomOf({ ...zones, ...without('web', {}) }, {})).toEqual([5, 5, []])
    expect(roomOf({ ...zones, ...without('web', {}, { c: 'z' }) }, {})).toEqual([2, 2, []])
    expect(roomOf({ ...zones, ...without('web', {}, { c: 'y' }) }, {})).toEqual([5, 5, []])
  })
  test('pods that carry the labels count in their zone, whether they hold GPUs or not', () => {
    expect(roomOf({ ...zones, ...without('lab', { c: 1 }, { c: 'z' }) }, {})).toEqual([4, 4, []])
    expect(roomOf({ ...zones, ...without('lab', { a: 2 }, { c: 'z' }) }, {})).toEqual([1, 1, []])
    expect(roomOf({ ...zones, ...without('web', { a: 2 }, { c: 'z' }) }, {})).toEqual([2, 2, []])
    const standing = {
      ...counted(draw`
      a  T4  zone=x  [lab/one]
      a  T4  zone=x  [-]
      b  T4  zone=y  [-]`),
      ...without('web', {}),
    }
    const labeled = standing.workloads.map((workload) => ({ ...workload, labels: { app: 'train' } }))
    expect(roomOf({ ...standing, workloads: labeled }, { most: 'apart' })).toEqual([1, 1, []])
    expect(roomOf({ ...standing, workloads: [] }, { most: 'apart' })?.slice(0, 2)).toEqual([1, 2])
  })
  test('anti-affinity closes the domains of those it is about, and of its own pods leaves one to each', () => {
    const beside = { ...zones, ...without('lab', { a: 1 }) }
    expect(roomOf(beside, { most: 'apart', topologyKey: HOST })).toEqual([1, 1, []])
    expect(roomOf(beside, { most: 'apart', topologyKey: HOST, own: false })).toEqual([2, 2, []])
    expect(roomOf(beside, { most: 'apart', own: false, namespaces: [] })).toEqual([5, 5, []])
    expect(roomOf({ ...zones, ...without('web', { b: 1 }) }, { most: 'apart', namespaces: 'all' })).toEqual([1, 1, []])
  })
  test('with fewer domains than it wants the emptiest counts as empty', () => {
    expect(roomOf({ ...zones, ...without('web', {}) }, { minDomains: 3 })).toEqual([2, 2, []])
    expect(roomOf({ ...zones, ...without('web', {}) }, { minDomains: 2 })).toEqual([5, 5, []])
  })
  test('taints count where a rule honors them', () => {
    const tainted = counted(draw`
      a  T4  zone=x  [-]
      a  T4  zone=x  [-]
      b  T4  zone=y !team=red:NoSchedule  [-]`)
    expect(roomOf({ ...tainted, ...without('web', {}) }, {})).toEqual([1, 1, []])
    expect(roomOf({ ...tainted, ...without('web', {}) }, { honorsTaints: true })).toEqual([2, 2, []])
  })
  const domain = fc.record({ room: fc.integer({ min: 1, max: 4 }), standing: fc.integer({ min: 0, max: 3 }) })
  test('as many start as a scheduler places that takes any place which the rule allows', () => {
    const drawn = fc.record({
      domains: fc.array(domain, { minLength: 1, maxLength: 4 }),
      most: fc.integer({ min: 1, max: 3 }),
    })
    fc.assert(
      fc.property(drawn, fc.infiniteStream(fc.nat(1000)), ({ domains, most }, picks) => {
        const lines = domains.flatMap(({ room }, at) =>
          Array.from({ length: room }, () => `n${at}  T4  zone=z${at}  [-]`),
        )
        const on = Object.fromEntries(domains.map(({ standing }, at) => [`n${at}`, standing]))
        const drawnZones = { ...counted(draw`${lines.join('\n')}`), ...without('lab', on) }
        expect(roomOf(drawnZones, { most }, 99)?.slice(0, 2)).toEqual(
          Array.from({ length: 2 }, () => placed(domains, most, picks)),
        )
      }),
      { numRuns: 200 },
    )
  })
})

/** Pods that are placed one after the other, each in any domain that has room and is not too far ahead. */
function placed(
  domains: readonly { readonly room: number; readonly standing: number }[],
  most: number,
  picks: Iterator<number>,
): number {
  const least = Math.min(...domains.map(({ standing }) => standing))
  const open = domains.flatMap(({ room, standing }, at) => (room > 0 && standing + 1 - least <= most ? [at] : []))
  const chosen = open[Number(picks.next().value) % open.length]
  if (chosen === undefined) return 0
  const left = domains.map(({ room, standing }, at) =>
    at === chosen ? { room: room - 1, standing: standing + 1 } : { room, standing },
  )
  return 1 + placed(left, most, picks)
}
