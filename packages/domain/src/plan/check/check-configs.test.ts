import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { boardOf } from '../../fleet/gpu-state.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import { BOARDS } from '../../gpu/known-boards.ts'
import type { Geometry } from '../../gpu/layout.ts'
import { instant } from '../../units.ts'
import { namesOf, type MigEntry } from '../documents/mig-entry.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { checkConfigs } from './check-configs.ts'
import type { ConfigFile, PluginConfig, SharedResources } from './config-check.ts'

const all = (geometry: Geometry, more: Partial<MigEntry> = {}): readonly MigEntry[] => [
  { devices: 'all', filter: undefined, migEnabled: true, geometry, ...more },
]
const mig = (configs: Readonly<Record<string, readonly MigEntry[]>>): ConfigFile => ({
  kind: 'mig-parted',
  title: 'the file',
  configs: Object.entries(configs).map(([name, content]) => ({ name, content })),
  errors: [],
})
const fileOf = (
  kind: 'device-plugin' | 'cluster-policy',
  configs: Readonly<Record<string, PluginConfig>>,
  errors: readonly string[] = [],
): ConfigFile => ({
  kind,
  title: 'the file',
  configs: Object.entries(configs).map(([name, content]) => ({ name, content })),
  errors,
})
const plugin = (shared: Partial<SharedResources>): ConfigFile => fileOf('device-plugin', { '': shares(shared) })
const shares = (more: Partial<SharedResources>): PluginConfig => ({
  shared: { kind: 'time-slicing', rename: false, oneOnly: false, resources: four, ...more },
})
const four = [{ name: 'nvidia.com/gpu', replicas: 4 }]
const policy = (strategy: PluginConfig['strategy']): ConfigFile => fileOf('cluster-policy', { policy: { strategy } })

function one(snapshot: ClusterSnapshot, file: ConfigFile) {
  const [check] = checkConfigs(snapshot, [file])
  if (check === undefined) throw new Error('one file gives one check')
  return check
}
const nodesFor = (snapshot: ClusterSnapshot, file: ConfigFile) =>
  one(snapshot, file).configs.flatMap(({ nodes }) =>
    nodes.map(({ verdict, nodes: names, because, pods }) => ({ verdict, names: names.join(' '), because, pods })),
  )
const changed = (snapshot: ClusterSnapshot, change: Partial<GpuNode>): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({ ...node, ...change })),
})

describe('a mig-parted file', () => {
  const fleet = draw`
    a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]
    b  A100-SXM4-80GB  [-]
    c  A100-SXM4-80GB  [lab/train-0]
    d  A100-SXM4-80GB  [3g.40gb lab/train-1] [3g.40gb -]
    e  T4              [-]`

  test('says where it is so already, where it fits, who stands in the way, and where it cannot be', () => {
    expect(nodesFor(fleet, mig({ mine: all({ '3g.40gb': 2 }) }))).toEqual([
      { verdict: 'already', names: 'a d', because: [], pods: [] },
      { verdict: 'fits', names: 'b', because: [], pods: [] },
      {
        verdict: 'in-use',
        names: 'c',
        because: ['pods use GPUs that change; they are not evicted, so stop them first'],
        pods: ['lab/train-0'],
      },
      { verdict: 'misfit', names: 'e', because: ['T4 has no MIG'], pods: [] },
    ])
  })

  test.for<[string, Readonly<Record<string, readonly MigEntry[]>>, string]>([
    ['a count', { mine: all({ '1g.10gb': 8 }) }, 'mine: 8 × 1g.10gb is possible on no board'],
    ['a layout', { mine: all({ '4g.40gb': 1, '3g.40gb': 1, '1g.10gb': 1 }) }, 'the instances need 9 memory slices'],
  ])('is refused for %s', ([, configs, words]) => {
    const { fits, errors } = one(fleet, mig(configs))
    expect(fits).toBe(false)
    expect(errors.join()).toContain(words)
  })

  test.for<[string, readonly MigEntry[], readonly string[]]>([
    ['twice', [...all({}), ...all({})], ['mine lists all GPUs more than once.']],
    ['with one of them', [...all({}, { devices: [3] }), ...all({})], ['mine lists all GPUs more than once.']],
    [
      'one twice',
      [...all({}, { devices: [1, 3] }), ...all({}, { devices: [3] })],
      ['mine lists GPU 3 more than once.'],
    ],
    [
      'but not where a filter tells them apart',
      [...all({}, { filter: ['0x20B210DE'] }), ...all({}, { filter: ['0x233010DE'] })],
      [],
    ],
    ['one twice in a row', all({}, { devices: [1, 1] }), ['mine lists GPU 1 more than once.']],
  ])('is doubted where it names all GPUs %s', ([, entries, doubts]) => {
    expect(one(fleet, mig({ mine: entries }))).toMatchObject({ errors: [], doubts })
  })

  test('fits where a node that uses none takes it, and not where one that uses it does not', () => {
    const file = mig({ small: all({ '1g.10gb': 7 }), other: all({ '1g.6gb': 4 }) })
    expect(one(fleet, file)).toMatchObject({ fits: true, elsewhere: ['other'], configs: [{ name: 'small' }] })
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) throw new Error('two are drawn')
    const worn = { ...fleet, nodes: [{ ...a, mig: { ...a.mig, config: 'other' } }, b] }
    expect(one(worn, file)).toMatchObject({ fits: false, elsewhere: [] })
  })

  test('a node of which nothing is known does not keep a name for other boards in the list', () => {
    const nodes = fleet.nodes.map((node) => (node.name === 'b' ? { ...node, servedByDra: true } : node))
    const file = mig({ small: all({ '1g.10gb': 7 }), other: all({ '1g.6gb': 4 }) })
    expect(one({ ...fleet, nodes }, file)).toMatchObject({ fits: true, elsewhere: ['other'] })
  })

  test('speaks of other boards alone: it says why it fits nowhere', () => {
    const { fits, configs } = one(fleet, mig({ a30: all({ '1g.6gb': 4 }) }))
    expect(fits).toBe(false)
    expect(configs[0]?.nodes[0]).toMatchObject({ verdict: 'misfit', because: ['A100-80GB has no profile 1g.6gb'] })
  })

  test('under the single strategy all GPUs of a node are cut alike, and none advertises no instance', () => {
    const file = mig({ mine: all({ '1g.10gb': 7 }, { devices: [0] }) })
    const two = draw`
      a  A100-SXM4-80GB  [-]
      a  A100-SXM4-80GB  [-]`
    const under = (strategy: GpuNode['mig']['strategy']) =>
      nodesFor(changed(two, { mig: { strategy, config: undefined, state: undefined } }), file)[0]
    expect(under('mixed')?.verdict).toBe('fits')
    expect(under('single')?.because[0]).toContain('requires the same layout on all its GPUs')
    expect(under('none')?.because[0]).toContain('advertises no MIG device')
  })

  test('names a profile as another driver does: no where the driver has shown its names, else unknown', () => {
    const file = mig({ mine: all({ '1g.24gb': 7 }) })
    expect(nodesFor(draw`g  GB200  [-]`, file)).toMatchObject([{ verdict: 'unknown' }])
    expect(nodesFor(draw`g  GB200  [1g.23gb -]`, file)).toMatchObject([
      { verdict: 'misfit', because: ["this driver's name for 1g.24gb is 1g.23gb: write that"] },
    ])
    const older = draw`g  GB200  [-]`
    const gpus = older.nodes.flatMap((node) => node.gpus.map((gpu) => ({ ...gpu, olderNames: true })))
    expect(nodesFor(changed(older, { gpus }), file)).toMatchObject([{ verdict: 'fits' }])
    expect(nodesFor(changed(older, { gpus }), mig({ mine: all({ '1g.23gb': 7 }) }))).toMatchObject([
      { because: ["this driver's name for 1g.23gb is 1g.24gb: write that"] },
    ])
  })

  test.for<[string, Partial<GpuNode> | { readonly gpu: object }, string]>([
    ['a DRA driver serves it', { servedByDra: true }, 'a DRA driver serves its GPUs'],
    ['it is not ready', { ready: false }, 'the node is not ready'],
    ['its GPUs are not seen', { gpus: [] }, 'its GPUs are not seen'],
    ['the board is in no catalog', { gpu: { model: undefined } }, 'the catalog does not know this board'],
    ['the placements of the board are not published', { gpu: { model: 'H100' } }, 'no table of it is published'],
    ['the placements alone are not', { gpu: { model: 'RTX PRO 5000 Blackwell' } }, 'ask the node which profiles fit'],
    [
      'a GPU has a fault',
      { gpu: { fault: { code: 'gpu-fault', message: '', object: '' } } },
      'another GPU of it has a fault',
    ],
    ['no mig-manager runs', { problems: [{ code: 'no-mig-manager', message: '', object: '' }] }, 'no mig-manager runs'],
  ])('is unknown, not no, where %s', ([, change, words]) => {
    const empty = draw`a  A100-SXM4-80GB  [-]`
    const gpus = empty.nodes.flatMap((node) =>
      node.gpus.map((gpu) => ({ ...gpu, ...('gpu' in change ? change.gpu : {}) })),
    )
    const found = nodesFor(changed(empty, 'gpu' in change ? { gpus } : change), mig({ mine: all({}) }))
    expect(found).toMatchObject([{ verdict: 'unknown' }])
    expect(found[0]?.because.join()).toContain(words)
  })

  test('compute instances are not judged where the board has the whole one', () => {
    const found = draw`
      a  A100-SXM4-80GB  [-]
      b  A100-SXM4-40GB  [-]
      c  T4              [-]`
    const nodes = nodesFor(found, mig({ mine: all({ '1c.3g.40gb': 3 }) }))
    expect(nodes.map(({ verdict, names }) => [verdict, names])).toEqual([
      ['misfit', 'b'],
      ['misfit', 'c'],
      ['unknown', 'a'],
    ])
  })

  test('a GPU that something uses without a request stands in the way', () => {
    const empty = draw`a  A100-SXM4-80GB  [-]`
    const gpus = empty.nodes.flatMap((node) => node.gpus.map((gpu) => ({ ...gpu, unrequestedSince: instant(0) })))
    expect(nodesFor(changed(empty, { gpus }), mig({ mine: all({ '1g.10gb': 7 }) }))).toMatchObject([
      { verdict: 'in-use', because: ['something uses a GPU that changes, and no pod is known to hold it'] },
    ])
  })

  test('what it says fits every node is what every GPU can be arranged as', () => {
    const chance = seededChance(7)
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(chance() * items.length)] as Item
    let fitting = 0
    for (let round = 0; round < 300; round += 1) {
      const board = pick(BOARDS)
      const drawn = [0, 1, 2].map(
        (at) => `n${at}  ${(chance() < 0.7 ? board : pick(BOARDS)).names[0]?.replaceAll(' ', '-')}  [-]`,
      )
      const found = draw`${drawn.join('\n')}`
      const rows = Array.from({ length: 1 + Math.floor(chance() * 3) }, () => [
        pick(board.profiles).name,
        1 + Math.floor(chance() * 3),
      ])
      const geometry = Object.fromEntries(rows)
      const check = one(found, mig({ mine: all(geometry) }))
      const names = namesOf(geometry)
      const holds = found.nodes
        .flatMap(({ gpus }) => gpus)
        .every((gpu) => {
          const own = boardOf(gpu)
          return own !== undefined && arrange(own, names).kind === 'feasible'
        })
      const saysSo = check.configs.every(({ nodes }) => nodes.every(({ verdict }) => verdict === 'fits'))
      expect([rows, drawn, check.errors.length === 0 && saysSo]).toEqual([rows, drawn, holds])
      if (holds) fitting += 1
    }
    expect(fitting).toBeGreaterThan(20)
  })
})

describe('a configuration of the device plugin', () => {
  const tesla = draw`
    a  T4  [-]
    b  T4  [lab/train-0]
    c  T4  [1/4 lab/chat-0] [1/4 -] [1/4 -] [1/4 -]`

  test('says where it is so already and where it fits', () => {
    const shared = {
      ...tesla,
      nodes: tesla.nodes.map((node) =>
        node.name === 'c' ? { ...node, sharing: { kind: 'time-slicing', replicas: 4 } as const } : node,
      ),
    }
    const check = one(shared, plugin({}))
    expect(check.fits).toBe(true)
    expect(check.configs[0]?.nodes.map(({ verdict, nodes }) => [verdict, nodes.join(' ')])).toEqual([
      ['already', 'c'],
      ['fits', 'a b'],
    ])
  })

  test('names the pods that ask for what a node would no longer offer, and those that wait for it', () => {
    const waiting = draw`
      a  T4  [lab/train-0]
      ?      lab/next-0  gpu`
    const { fits, configs } = one(waiting, plugin({ rename: true }))
    expect(fits).toBe(false)
    expect(configs[0]).toMatchObject({
      nodes: [
        {
          verdict: 'in-use',
          because: ['pods ask for nvidia.com/gpu, which it would no longer offer: they do not start again'],
          pods: ['lab/train-0'],
        },
      ],
      because: ['Waiting pods ask for nvidia.com/gpu, which no node would offer: lab/next-0.'],
    })
  })

  test('names the pods that ask for more than one where that is refused, and by whom MPS would be disturbed', () => {
    const two = draw`
      a  T4  [lab/train-0]
      a  T4  [lab/train-0]`
    const several = nodesFor(two, plugin({ oneOnly: true }))
    expect(several).toMatchObject([{ verdict: 'in-use', pods: ['lab/train-0'] }])
    expect(nodesFor(two, plugin({}))).toMatchObject([{ verdict: 'fits' }])
    const mps = plugin({ kind: 'mps', oneOnly: true })
    const none = changed(tesla, { mig: { strategy: 'none', config: undefined, state: undefined } })
    expect(nodesFor(none, mps)).toMatchObject([
      { verdict: 'fits', names: 'a' },
      { verdict: 'in-use', names: 'b c', pods: ['lab/chat-0', 'lab/train-0'] },
    ])
    expect(nodesFor(tesla, mps)).toMatchObject([{ verdict: 'misfit' }])
  })

  test('says nothing of what a node never offered', () => {
    const single = { mig: { strategy: 'single', config: undefined, state: undefined } } as const
    const cut = draw`a  A100-SXM4-80GB  [1g.10gb lab/train-0]`
    const node = changed(cut, { ...single, allocatable: { 'nvidia.com/gpu': 1 } })
    expect(nodesFor(node, plugin({}))).toMatchObject([{ verdict: 'fits', because: [], pods: [] }])
  })

  test('of several keys is meant for the nodes whose label names one', () => {
    const labelled = {
      ...tesla,
      nodes: tesla.nodes.map((node) => ({
        ...node,
        room: { ...node.room, labels: node.name === 'a' ? { 'nvidia.com/device-plugin.config': 'few' } : {} },
      })),
    }
    const file = fileOf('device-plugin', { few: shares({}), none: shares({ kind: 'none', resources: [] }) })
    expect(one(labelled, file).configs.map(({ name, meantFor }) => [name, meantFor])).toEqual([
      ['few', ['a']],
      ['none', []],
    ])
  })
})

describe('a ClusterPolicy', () => {
  test('that is wrong does not fit', () => {
    const wrong = fileOf('cluster-policy', { policy: {} }, ['It is wrong.'])
    expect(one(draw`a  T4  [-]`, wrong)).toMatchObject({ fits: false, errors: ['It is wrong.'] })
  })

  test('of the single strategy fits no node whose GPUs are cut differently, and renames what pods ask for', () => {
    const fleet = draw`
      a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]
      a  A100-SXM4-80GB  [7g.80gb -]
      b  A100-SXM4-80GB  [3g.40gb lab/train-0] [3g.40gb -]
      c  T4              [-]`
    expect(nodesFor(fleet, policy('single'))).toMatchObject([
      { verdict: 'fits', names: 'c' },
      { verdict: 'in-use', names: 'b', pods: ['lab/train-0'] },
      { verdict: 'misfit', names: 'a' },
    ])
    expect(one(fleet, policy('mixed')).fits).toBe(true)
  })
})
