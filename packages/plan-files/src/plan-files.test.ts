import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CAREFUL_POLICY, checkPlan, makePlan, type ClusterSnapshot, type Plan, type Wish } from '@septet/domain'
// Drawn clusters are for tests only, so they are not exported.
import { draw, drawnWishes, servedByDra, withRequests } from '@septet/domain/testing'
import { planFiles } from './plan-files.ts'
import { readMigParted } from './plan-files-read.fixture.ts'
import type { PlanFile } from './plan-file.ts'

const OPEN = { ...CAREFUL_POLICY, maxDisplaced: 100, mayWait: true }

function filesOf(plan: Plan, snapshot: ClusterSnapshot): readonly PlanFile[] {
  const exported = planFiles({ plan, snapshot })
  if (exported.kind === 'refused') throw new Error(exported.because.join(' '))
  return exported.files
}

const textOf = (files: readonly PlanFile[], path: string): string =>
  files.find((file) => file.path === path)?.text ?? `no ${path} among ${files.map((file) => file.path).join(', ')}`

const configsIn = (text: string): readonly string[] => {
  const document: { 'mig-configs': Record<string, unknown> } = parse(text)
  return Object.keys(document['mig-configs'])
}

const CLUSTER = withRequests(draw`
  node-a  A100-SXM4-40GB  [3g.20gb lab/train] [3g.20gb -]
  node-a  A100-SXM4-40GB  [1g.5gb+me web/chat] [1g.5gb -]
  node-b  A100-SXM4-40GB  [3g.20gb -] [4g.20gb -]
`)
const WISHES: readonly Wish[] = [
  {
    kind: 'layout',
    targets: [
      { gpu: 'GPU-node-a-0', migEnabled: true, layout: [{ profile: '7g.40gb', placement: { start: 0, size: 8 } }] },
    ],
    moves: [{ pod: 'lab/train', from: 'GPU-node-a-0/gi-1', to: { gpu: 'GPU-node-b-0', profile: '3g.20gb' } }],
  },
]
const planFor = (wishes: readonly Wish[], snapshot: ClusterSnapshot): Plan =>
  makePlan({
    snapshot,
    wishes,
    title: 'Room for one large instance',
    policy: OPEN,
    bound: '2 GPUs; no plan uses fewer than 2',
  })

describe('an exported plan', () => {
  const plan = planFor(WISHES, CLUSTER)
  const files = filesOf(plan, CLUSTER)

  it('has everything that an engineer applies by hand, and the way back', () => {
    expect(files.map(({ path }) => path)).toEqual([
      'PLAN.md',
      'plan.json',
      'commands.sh',
      'prepare.sh',
      'evictions/002-lab-train.json',
      'mig-parted/node-a.yaml',
      'undo/commands.sh',
      'undo/mig-parted/node-a.yaml',
    ])
    const commands = textOf(files, 'commands.sh')
    const order = ['\nkubectl cordon node-a', '\nevict lab train ', '\ncut node-a septet-', '\nkubectl uncordon node-a']
    expect(order.map((each) => commands.indexOf(each))).toEqual(
      order.map((each) => commands.indexOf(each)).toSorted((a, b) => a - b),
    )
    expect(order.every((each) => commands.includes(each))).toBe(true)
    expect(JSON.parse(textOf(files, 'plan.json'))).toEqual(JSON.parse(JSON.stringify(plan)))
  })

  it('lists all GPUs of the node, with the profiles as the driver spells them', () => {
    const document = parse(textOf(files, 'mig-parted/node-a.yaml'))
    const [name = ''] = configsIn(textOf(files, 'mig-parted/node-a.yaml'))
    expect(document['mig-configs'][name]).toEqual([
      { devices: [0], 'mig-enabled': true, 'mig-devices': { '7g.40gb': 1 } },
      { devices: [1], 'mig-enabled': true, 'mig-devices': { '1g.5gb': 1, '1g.5gb+me': 1 } },
    ])
  })

  it('tells a reviewer what, how good, who is displaced, what can go wrong and what cannot be restored', () => {
    const page = textOf(files, 'PLAN.md')
    for (const part of [
      '2 GPUs; no plan uses fewer than 2',
      'lab/train',
      '(assumed)',
      'never evicts',
      'a new pod',
      '## Refused',
    ]) {
      expect(page).toContain(part)
    }
  })
})

describe('every exported plan', () => {
  it('has mig-parted files that follow the schema and fit the boards of their nodes', () => {
    let checked = 0
    fc.assert(
      fc.property(drawnWishes('mig-manager'), ({ snapshot, wishes, policy }) => {
        const plan = makePlan({ snapshot, wishes, policy, title: 'drawn' })
        expect(checkPlan(snapshot, plan, policy).kind).toBe('executable')
        for (const { path, text } of filesOf(plan, snapshot)) {
          const name = /^(?:undo\/)?mig-parted\/(node-\d+)\.yaml$/u.exec(path)?.[1]
          const node = snapshot.nodes.find((candidate) => candidate.name === name)
          if (node === undefined) continue
          const [config = ''] = configsIn(text)
          const read = readMigParted(text, [{ config, node }])
          expect(read).toMatchObject({ kind: 'read' })
          checked += 1
        }
      }),
      { numRuns: 150, seed: 5 },
    )
    expect(checked).toBeGreaterThan(30)
  })

  it('gives back the layout that it was made from when it is imported', () => {
    const files = filesOf(planFor(WISHES, CLUSTER), CLUSTER)
    const [node] = CLUSTER.nodes
    if (node === undefined) throw new Error('no node')
    const text = textOf(files, 'mig-parted/node-a.yaml')
    const read = readMigParted(text, [{ config: configsIn(text)[0] ?? '', node }])
    if (read.kind === 'refused') throw new Error(read.errors.join(' '))
    const again = planFor([{ kind: 'layout', targets: read.targets, moves: [] }], CLUSTER)
    expect(again.id).toBe(planFor(WISHES, CLUSTER).id)
  })
})

describe('names from the cluster', () => {
  it('that Kubernetes would not allow are refused', () => {
    const snapshot = draw`a;rm T4 [-]`
    const nodes = snapshot.nodes.map((node) => ({ ...node, name: 'a;rm -rf /' }))
    const plan = makePlan({
      snapshot: { ...snapshot, nodes },
      wishes: [{ kind: 'remove-node', node: 'a;rm -rf /', moves: [] }],
      title: '',
    })
    const exported = planFiles({ plan, snapshot: { ...snapshot, nodes } })
    expect(exported.kind).toBe('refused')
    expect(exported.kind === 'refused' ? exported.because[0] : '').toContain('"a;rm -rf /" is no name')
  })

  it('that would lead a file out of its directory are refused, wherever they stand', () => {
    const drawn = draw`node-a T4 [lab/one]`
    const workloads = drawn.workloads.map((each) => ({ ...each, kind: 'Deployment', name: '../../etc/one' }))
    const snapshot = { ...drawn, workloads }
    const wishes = drawn.workloads.map(({ id }): Wish => ({ kind: 'resize', workload: id, to: [] }))
    expect(planFiles({ plan: planFor(wishes, snapshot), snapshot }).kind).toBe('refused')
    const plan = planFor(WISHES, CLUSTER)
    expect(planFiles({ plan, snapshot: CLUSTER, operatorNamespace: 'a; reboot' }).kind).toBe('refused')
  })

  it('and titles are shown as they are: no markup, no new command, no new cell', () => {
    const title = 'x\n$(reboot) `reboot` <img src=x> | [a](https://b)'
    const plan = { ...planFor(WISHES, CLUSTER), title, bound: title }
    const files = filesOf(plan, CLUSTER)
    const page = textOf(files, 'PLAN.md')
    expect(page.split('\n')[0]).toBe('# x $\\(reboot\\) \\`reboot\\` &lt;img src=x&gt; \\| \\[a\\]\\(https&#58;//b\\)')
    const script = textOf(files, 'commands.sh').split('\n')
    expect(script.filter((line) => line.includes('reboot')).every((line) => line.startsWith('#'))).toBe(true)
  })
})

const CONTAINER = {
  list: 'containers' as const,
  index: 0,
  name: 'main',
  isSidecar: false,
  limits: { 'nvidia.com/gpu': '1' },
  requests: { 'nvidia.com/gpu': '1' },
  gpus: [{ resource: 'nvidia.com/gpu', count: 1 }],
}

describe('other actions', () => {
  it('become patches with a test, or words where an object cannot be patched', () => {
    const drawn = withRequests(draw`
      node-a  T4  [lab/one]
      node-b  T4  [lab/two]
    `)
    const workloads = drawn.workloads.map((each, index) => ({
      ...each,
      kind: index === 0 ? 'Deployment' : 'Job',
      templates: [{ part: '', containers: [CONTAINER] }],
    }))
    const snapshot = { ...drawn, workloads }
    const wishes = drawn.workloads.map(({ id }): Wish => ({
      kind: 'resize',
      workload: id,
      to: [{ resource: 'nvidia.com/mig-1g.5gb', count: 1 }],
    }))
    const files = filesOf(planFor(wishes, snapshot), snapshot)
    const container = '/spec/template/spec/containers/0'
    expect(parse(textOf(files, 'patches/001-lab-one.yaml'))).toEqual([
      { op: 'test', path: `${container}/name`, value: 'main' },
      { op: 'test', path: `${container}/resources/limits/nvidia.com~1gpu`, value: '1' },
      { op: 'add', path: `${container}/resources/limits`, value: { 'nvidia.com/mig-1g.5gb': '1' } },
      { op: 'add', path: `${container}/resources/requests`, value: { 'nvidia.com/mig-1g.5gb': '1' } },
    ])
    expect(textOf(files, 'commands.sh')).toContain('# By hand: The pods of Job two cannot be changed.')
  })

  it('share a node by a configuration of the device plugin and a label', () => {
    const snapshot = draw`node-a T4 [lab/one]`
    const wishes: readonly Wish[] = [
      { kind: 'share', node: 'node-a', to: { kind: 'mps', replicas: 4 }, tenant: 'lab', moves: [] },
    ]
    const files = filesOf(planFor(wishes, snapshot), snapshot)
    const { data } = parse(textOf(files, 'device-plugin/node-a.yaml'))
    const [, key = ''] = /\nshare node-a (\S+)/u.exec(textOf(files, 'commands.sh')) ?? []
    expect(parse(data[key])).toEqual({
      version: 'v1',
      flags: { migStrategy: 'mixed' },
      sharing: { mps: { resources: [{ name: 'nvidia.com/gpu', replicas: 4 }] } },
    })
  })

  it('send waiting work elsewhere by its node selector, and give the old one back', () => {
    const drawn = draw`
      node-a@new  T4  [-]
      ?  lab/one  gpu zone=a
    `
    const nodes = drawn.nodes.map((node) => ({
      ...node,
      room: { ...node.room, labels: { 'karpenter.sh/nodepool': 'new' } },
    }))
    const workloads = drawn.workloads.map((each) => ({ ...each, kind: 'Deployment' }))
    const snapshot = { ...drawn, nodes, workloads }
    const [workload] = workloads
    if (workload === undefined) throw new Error('no workload')
    const to = { pool: 'new', model: 'T4', requests: [{ resource: 'nvidia.com/gpu', count: 1 }] }
    const files = filesOf(planFor([{ kind: 'reschedule', workload: workload.id, to }], snapshot), snapshot)
    const selectorIn = (path: string): unknown => parse(textOf(files, path)).spec.template.spec.nodeSelector
    expect(selectorIn('patches/001-lab-one.yaml')).toEqual({
      'karpenter.sh/nodepool': 'new',
      'nvidia.com/gpu.product': 'Tesla-T4',
      zone: null,
    })
    expect(selectorIn('undo/patches/001-lab-one.yaml')).toEqual({
      'karpenter.sh/nodepool': null,
      'nvidia.com/gpu.product': null,
      zone: 'a',
    })
  })

  it('claim instances by a template where a DRA driver serves the node', () => {
    const snapshot = servedByDra(draw`node-a A100-SXM4-40GB [3g.20gb web/chat]`)
    const target = {
      gpu: 'GPU-node-a-0',
      migEnabled: true,
      layout: [{ profile: '1g.5gb+me', placement: { start: 4, size: 1 } }],
    }
    const files = filesOf(planFor([{ kind: 'layout', targets: [target], moves: [] }], snapshot), snapshot)
    const template = parse(textOf(files, 'dra/septet-mig-1g-5gb-me.yaml'))
    expect(template.apiVersion).toBe('resource.k8s.io/v1')
    expect(JSON.stringify(template)).toContain("profile == '1g.5gb+me'")
    const deviceClass = parse(textOf(files, 'dra/septet-mig-1g-5gb-me-class.yaml'))
    expect(deviceClass).toMatchObject({
      kind: 'DeviceClass',
      spec: { extendedResourceName: 'nvidia.com/mig-1g.5gb.me' },
    })
  })
})

describe('readMigParted', () => {
  const [node] = CLUSTER.nodes
  it.each([
    ['mig-enabled: true\n      devices: all', 'mig-devices is missing'],
    ['mig-enabled: false\n      devices: all\n      mig-devices: {1g.5gb: 1}', 'must not be there'],
    ['mig-enabled: maybe\n      devices: all', 'mig-enabled must be true or false'],
    ['mig-enabled: false', 'devices must be'],
    ['mig-enabled: false\n      devices: [0, 0]', 'GPU 0 more than once'],
    ['mig-enabled: false\n      devices: [-1]', 'devices[0] must be a whole number'],
    ['mig-enabled: false\n      devices: all\n      placement: 0', 'unknown field "placement"'],
    ['mig-enabled: true\n      devices: all\n      mig-devices: {1g.5gb.me: 1}', 'profiles keep their +'],
    ['mig-enabled: true\n      devices: all\n      mig-devices: {1c.3g.20gb: 1}', 'compute instances'],
    ['mig-enabled: true\n      devices: all\n      mig-devices: {1g.5gb: 1.5}', 'must be a whole number'],
    ['mig-enabled: true\n      devices: all\n      mig-devices: {1g.5gb: 8}', 'possible on no board'],
    [
      'mig-enabled: true\n      devices: all\n      device-filter: A100\n      mig-devices: {}',
      'device-filter must be',
    ],
  ])('refuses %j', (entry, because) => {
    expect(errorsOf(one(entry))).toContain(because)
  })

  it('refuses the layout that a vendor page prints: 18 memory slices on a board of 8', () => {
    const text = one(
      "devices: all\n      mig-enabled: true\n      mig-devices: {'1g.5gb': 2, '2g.10gb': 2, '3g.20gb': 3}",
    )
    expect(errorsOf(text)).toBe(
      'mine: 2 × 1g.5gb + 2 × 2g.10gb + 3 × 3g.20gb is possible on no board: 3 × 3g.20gb: A100-40GB takes at most 2.',
    )
  })

  it('refuses what is no mig-parted file at all', () => {
    expect(errorsOf('[')).toContain('no YAML')
    expect(errorsOf('- 1')).toContain('a mapping')
    expect(errorsOf('version: v2\nmig-configs: {}')).toContain('must be v1')
    expect(
      errorsOf('version: v1\nmig-configs:\n  all-1g.10gb+me:\n    - {devices: all, mig-enabled: false}'),
    ).toContain('as a dot')
    expect(errorsOf(one('{devices: all, mig-enabled: false}').replace('mine', 'a: 1\n  a'))).toContain('no YAML')
  })

  it('reads the same profile name by the board: 1g.10gb four times on 40 GB, seven times on 80 GB', () => {
    const other = draw`node-h H100-80GB-HBM3 MIG`.nodes[0]
    if (node === undefined || other === undefined) throw new Error('no node')
    const text = one("devices: all\n      mig-enabled: true\n      mig-devices: {'1g.10gb': 7}")
    expect(readMigParted(text, [{ config: 'mine', node: other }]).kind).toBe('read')
    const refused = readMigParted(text, [{ config: 'mine', node }])
    expect(refused.kind === 'refused' ? refused.errors[0] : '').toContain('7 × 1g.10gb: A100-40GB takes at most 4')
  })

  it('takes both names of the full A100-80GB instance, and a device filter', () => {
    expect(errorsOf(onFullA100('7g.79gb'))).toBe('read')
    expect(errorsOf(onFullA100('7g.80gb'))).toBe('read')
    expect(errorsOf(onFullA100('7g.40gb'))).toContain('possible on no board')
  })

  it('says when a node lacks a GPU of the file, or the file a GPU of the node', () => {
    if (node === undefined) throw new Error('no node')
    const text = one('devices: [0, 5]\n      mig-enabled: false')
    const read = readMigParted(text, [{ config: 'mine', node }])
    expect(read.kind === 'refused' ? read.errors : []).toEqual([
      'mine names GPU 5, but node-a has no GPU of that index.',
      'mine does not say what becomes of GPU 1 of node-a.',
    ])
    const missing = readMigParted(text, [{ config: 'all-balanced', node }])
    expect(missing.kind === 'refused' ? missing.errors : []).toEqual([
      'node-a should get all-balanced, which is missing from the file.',
    ])
  })
})

const one = (entry: string): string => `version: v1\nmig-configs:\n  mine:\n    - ${entry}\n`
const errorsOf = (text: string): string => {
  const read = readMigParted(text)
  return read.kind === 'refused' ? read.errors.join(' ') : 'read'
}

const onFullA100 = (profile: string): string =>
  one(`devices: all\n      device-filter: '0x20B210DE'\n      mig-enabled: true\n      mig-devices: {'${profile}': 1}`)
