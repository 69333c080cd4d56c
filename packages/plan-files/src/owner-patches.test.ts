import { draw } from '@septet/domain/testing'
import { CAREFUL_POLICY, makePlan, type GpuContainer, type Workload } from '@septet/domain'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { scriptDirectory, type ScriptDirectory } from './run-script.fixture.ts'
import { planFiles } from './plan-files.ts'

type Json = { readonly [key: string]: unknown }
type Spec = { readonly containers: readonly Json[]; readonly initContainers?: readonly Json[] }

/** A worker with two GPUs in limits only, an init container and a sidecar beside it, and one that asks for none. */
const POD = `
containers:
  - {name: logs, resources: {limits: {memory: 1Gi}}}
  - {name: main, resources: {limits: {cpu: "8", nvidia.com/gpu: 4}}}
initContainers:
  - {name: warm-up, resources: {limits: {nvidia.com/gpu: 1}, requests: {cpu: "1", nvidia.com/gpu: 1}}}
`
const indented = (text: string, by: number): string => text.trim().replaceAll(/^/gmu, ' '.repeat(by))

type Case = {
  readonly kind: string
  /** The object as its owner wrote it, with the specification of its pods put in. */
  readonly object: (pod: string) => string
  /** From the object to what its pods are made from. */
  readonly spec: readonly (string | number)[]
  readonly part?: string
}

const inTemplate = (pod: string): string => `spec:\n  template:\n    spec:\n${indented(pod, 6)}`

const CASES: readonly Case[] = [
  // The API server writes quantities of its own kinds as text.
  ...['Deployment', 'StatefulSet'].map((kind) => ({
    kind,
    object: (pod: string) => inTemplate(pod.replaceAll(/gpu: (\d)/gu, 'gpu: "$1"')),
    spec: ['spec', 'template', 'spec'],
  })),
  { kind: 'Notebook', object: inTemplate, spec: ['spec', 'template', 'spec'] },
  {
    kind: 'RayCluster',
    part: 'gpu-workers',
    object: (pod) => `
spec:
  headGroupSpec: {template: {spec: {containers: [{name: ray-head}]}}}
  workerGroupSpecs:
    - {groupName: cpu-workers, template: {spec: {containers: [{name: ray-worker}]}}}
    - groupName: gpu-workers
      template:
        spec:
${indented(pod, 10)}`,
    spec: ['spec', 'workerGroupSpecs', 1, 'template', 'spec'],
  },
  {
    kind: 'RayCluster',
    part: 'headgroup',
    object: (pod) => `spec:\n  headGroupSpec:\n    template:\n      spec:\n${indented(pod, 8)}\n  workerGroupSpecs: []`,
    spec: ['spec', 'headGroupSpec', 'template', 'spec'],
  },
  {
    kind: 'PyTorchJob',
    part: 'worker',
    object: (pod) => `
spec:
  pytorchReplicaSpecs:
    Master: {replicas: 1, template: {spec: {containers: [{name: pytorch}]}}}
    Worker:
      replicas: 2
      template:
        spec:
${indented(pod, 10)}`,
    spec: ['spec', 'pytorchReplicaSpecs', 'Worker', 'template', 'spec'],
  },
  {
    kind: 'LeaderWorkerSet',
    part: 'worker',
    object: (pod) => `
spec:
  leaderWorkerTemplate:
    size: 2
    leaderTemplate: {spec: {containers: [{name: leader}]}}
    workerTemplate:
      spec:
${indented(pod, 8)}`,
    spec: ['spec', 'leaderWorkerTemplate', 'workerTemplate', 'spec'],
  },
]

const at = (object: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Json | undefined)?.[key], object)

/** What a pod shows of its containers: the API server fills in requests from limits. */
function gpuContainers({ containers, initContainers = [] }: Spec): readonly GpuContainer[] {
  const lists = { containers, initContainers }
  return (['containers', 'initContainers'] as const).flatMap((list) =>
    lists[list].flatMap((container, index): GpuContainer[] => {
      const { limits = {}, requests = {} } = (container['resources'] ?? {}) as Partial<
        Record<'limits' | 'requests', Json>
      >
      const text = (all: Json) => Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]))
      const count = Number(limits['nvidia.com/gpu'] ?? 0)
      const gpus = [{ resource: 'nvidia.com/gpu', count }]
      const name = String(container['name'])
      const facts = { list, index, name, isSidecar: container['restartPolicy'] === 'Always', gpus }
      return count === 0 ? [] : [{ ...facts, limits: text(limits), requests: text({ ...limits, ...requests }) }]
    }),
  )
}

const MIG = [{ resource: 'nvidia.com/mig-2g.20gb', count: 1 }]

/** The files that give the pods of an owner another request. */
function filesFor(workload: Partial<Workload>, to: readonly { resource: string; count: number }[] = MIG) {
  const drawn = draw`node-a  H100-80GB-HBM3  [lab/one]`
  const pods = drawn.pods.map((pod) => ({ ...pod, requests: [{ resource: 'nvidia.com/gpu', count: 4 }] }))
  const snapshot = { ...drawn, pods, workloads: drawn.workloads.map((each) => ({ ...each, ...workload })) }
  const wishes = drawn.workloads.map(({ id }) => ({ kind: 'resize' as const, workload: id, to }))
  const exported = planFiles({
    plan: makePlan({ snapshot, wishes, title: 'Smaller', policy: { ...CAREFUL_POLICY, mayWait: true } }),
    snapshot,
  })
  if (exported.kind === 'refused') throw new Error(exported.because.join(' '))
  return exported.files
}

const textOf = (files: ReturnType<typeof filesFor>, path: string): string =>
  files.find((file) => file.path === path)?.text ?? ''

type Operation = { readonly op: string; readonly path: string; readonly value: unknown }

/** Carries a JSON patch out as the API server does: a test that fails refuses all of it. RFC 6902. */
function patched(object: unknown, operations: readonly Operation[]): unknown {
  const copy: unknown = structuredClone(object)
  for (const { op, path, value } of operations) {
    const keys = path
      .slice(1)
      .split('/')
      .map((key) => key.replaceAll('~1', '/'))
    const parent = at(copy, keys.slice(0, -1)) as Record<string, unknown> | undefined
    if (parent === undefined) throw new Error(`nothing is at ${path}`)
    const last = keys.at(-1) ?? ''
    if (op === 'add') parent[last] = value
    else if (parent[last] !== value) throw new Error(`${path} is not ${String(value)}`)
  }
  return copy
}

const limitsAndRequests = (object: unknown, path: readonly (string | number)[]): unknown => {
  const { containers, initContainers = [] } = at(object, path) as Spec
  return [...containers, ...initContainers].map(({ name, resources }) => [name, resources])
}

let directory: ScriptDirectory | undefined
afterEach(() => {
  directory?.remove()
  directory = undefined
})

/** The patch that commands.sh sends to an object of this kind, as kubectl is given it. */
async function sent({ kind, object, part = '' }: Case): Promise<readonly Operation[]> {
  const own: unknown = parse(object(POD))
  const files = filesFor({ kind, templates: [{ part, containers: gpuContainers(parse(POD)) }] })
  directory = scriptDirectory(files)
  const groups = (at(own, ['spec', 'workerGroupSpecs']) ?? []) as readonly Json[]
  const { code, err } = await directory.run('commands.sh', {
    '"get "*groupName*': `printf '${groups.map(({ groupName }) => String(groupName)).join(' ')}'`,
    '"get "*': 'printf 4,',
    '*"--type json --patch-file "*': 'cp "$8" $S/sent',
    '*"--type json -p "*': 'printf "%s" "$8" > $S/sent',
  })
  expect([code, err]).toEqual([0, ''])
  return parse(directory.read('sent'))
}

const both = (cpu: Json) => ({ ...cpu, 'nvidia.com/mig-2g.20gb': '1' })

/** The script where nothing is patched. */
const words = (workload: Partial<Workload>, script = 'commands.sh'): string => {
  const files = filesFor(workload)
  expect(files.filter(({ path }) => path.includes('patches/'))).toEqual([])
  return textOf(files, script)
}

/** What is merged into an owner that is stopped, and on the way back. */
const scriptsOf = (kind: string): readonly string[] => {
  const drawn = draw`node-a  T4  [lab/one]`
  const snapshot = { ...drawn, workloads: drawn.workloads.map((each) => ({ ...each, kind })) }
  const wishes = drawn.workloads.map(({ id }) => ({ kind: 'scale' as const, workload: id, to: 0 }))
  const exported = planFiles({ plan: makePlan({ snapshot, wishes, title: 'Stop' }), snapshot })
  const files = exported.kind === 'refused' ? [] : exported.files
  return ['commands.sh', 'undo/commands.sh'].map((path) => / -p (.*)/u.exec(textOf(files, path))?.[1] ?? '')
}

describe('an owner with a switch of its own', () => {
  it('is stopped by it, and started again on the way back', () => {
    expect(scriptsOf('Notebook')).toEqual([
      `'{"metadata":{"annotations":{"kubeflow-resource-stopped":"true"}}}'`,
      `'{"metadata":{"annotations":{"kubeflow-resource-stopped":null}}}'`,
    ])
    expect(scriptsOf('InferenceService')[0]).toContain('"serving.kserve.io/stop":"true"')
    expect(scriptsOf('PyTorchJob')).toEqual([
      `'{"spec":{"runPolicy":{"suspend":true}}}'`,
      `'{"spec":{"runPolicy":{"suspend":false}}}'`,
    ])
    for (const kind of ['Job', 'JobSet', 'RayCluster']) expect(scriptsOf(kind)[0]).toBe(`'{"spec":{"suspend":true}}'`)
  })
})

describe('new requests for the pods of an owner', () => {
  for (const owner of CASES) {
    it(`are set where ${owner.kind} ${owner.part ?? ''} keeps them, as limits and requests of all that ask`, async () => {
      const operations = await sent(owner)
      expect(limitsAndRequests(patched(parse(owner.object(POD)), operations), owner.spec)).toEqual([
        ['logs', { limits: { memory: '1Gi' } }],
        ['main', { limits: both({ cpu: '8' }), requests: both({ cpu: '8' }) }],
        ['warm-up', { limits: both({}), requests: both({ cpu: '1' }) }],
      ])
      const other: unknown = parse(owner.object(POD.replace('name: main', 'name: other')))
      expect(() => patched(other, operations)).toThrow('is not main')
    })
  }

  it('are set where a predictor names its model, which may leave them to its runtime', () => {
    const containers = gpuContainers(
      parse('containers: [{name: kserve-container, resources: {limits: {nvidia.com/gpu: 4}}}]'),
    )
    const files = filesFor({ kind: 'InferenceService', templates: [{ part: 'predictor', containers }] })
    const object = parse('spec: {predictor: {model: {modelFormat: {name: sklearn}}}}')
    const quantities = { 'nvidia.com/mig-2g.20gb': '1' }
    expect(patched(object, parse(textOf(files, 'patches/001-lab-one.yaml')))).toEqual({
      spec: {
        predictor: {
          model: { modelFormat: { name: 'sklearn' }, resources: { limits: quantities, requests: quantities } },
        },
      },
    })
    const framework = parse('spec: {predictor: {tensorflow: {storageUri: s3}}}')
    expect(() => patched(framework, parse(textOf(files, 'patches/001-lab-one.yaml')))).toThrow('nothing is at')
  })

  it('give leaders that are made like workers one patch, and others their own', () => {
    const like = gpuContainers(parse(POD))
    const own = gpuContainers(parse(POD.replace('name: main', 'name: lead')))
    const pathsOf = (leader: typeof like) =>
      filesFor({
        kind: 'LeaderWorkerSet',
        templates: [
          { part: 'leader', containers: leader },
          { part: 'worker', containers: like },
        ],
      })
        .filter(({ path }) => path.startsWith('patches/'))
        .map(({ text }) => parse(text)[0].path.split('/')[3])
    expect(pathsOf(own)).toEqual(['leaderTemplate', 'workerTemplate'])
    expect(pathsOf(like)).toEqual(['workerTemplate'])
  })

  it('are taken back container by container', () => {
    const files = filesFor({ kind: 'Deployment', templates: [{ part: '', containers: gpuContainers(parse(POD)) }] })
    const object: unknown = parse(CASES[0]?.object(POD) ?? '')
    const there = patched(object, parse(textOf(files, 'patches/001-lab-one.yaml')))
    expect(() => patched(there, parse(textOf(files, 'patches/001-lab-one.yaml')))).toThrow('is not 4')
    const back = patched(there, parse(textOf(files, 'undo/patches/001-lab-one.yaml')))
    expect(limitsAndRequests(back, ['spec', 'template', 'spec'])).toEqual([
      ['logs', { limits: { memory: '1Gi' } }],
      ['main', { limits: { cpu: '8', 'nvidia.com/gpu': '4' }, requests: { cpu: '8', 'nvidia.com/gpu': '4' } }],
      ['warm-up', { limits: { 'nvidia.com/gpu': '1' }, requests: { cpu: '1', 'nvidia.com/gpu': '1' } }],
    ])
  })

  it('stop what keeps its pods as they are, and start it again', () => {
    const templates = [{ part: 'worker', containers: gpuContainers(parse(POD)) }]
    const script = textOf(filesFor({ kind: 'PyTorchJob', templates }), 'commands.sh')
    const order = ['"suspend":true', 'patch_once pytorchjob/', '"suspend":false'].map((part) =>
      script.lastIndexOf(part),
    )
    expect(order.every((place, index) => place > (order[index - 1] ?? 0))).toBe(true)
  })

  it('are words where an owner is made again, has several that ask, or is not known: never a wrong patch', () => {
    const templates = [{ part: '', containers: gpuContainers(parse(POD)) }]
    for (const kind of ['Job', 'JobSet', 'Pod']) {
      expect(words({ kind, templates })).toMatch(
        /delete it, and recreate it.* with nvidia\.com\/mig-2g\.20gb: 1 as limit and as request of main and warm-up/u,
      )
      expect(words({ kind, templates }, 'undo/commands.sh')).toMatch(
        /delete it, and recreate it.* with nvidia\.com\/gpu: 4 as limit/u,
      )
    }
    expect(words({ kind: 'SeldonDeployment', templates })).toContain(
      'Where SeldonDeployment one keeps what its pods ask for is unknown.',
    )
    expect(words({ kind: 'Deployment' })).toContain('is unknown')
    // A sidecar runs beside the others, so what it asks for adds up with theirs.
    const sidecar = gpuContainers(parse(POD.replace('{name: warm-up,', '{name: warm-up, restartPolicy: Always,')))
    expect(words({ kind: 'Deployment', templates: [{ part: '', containers: sidecar }] })).toContain(
      'Containers main and warm-up',
    )
    const two = gpuContainers(
      parse(POD.replace('name: logs, resources: {limits: {', 'name: logs, resources: {limits: {nvidia.com/gpu: 1, ')),
    )
    expect(words({ kind: 'Deployment', templates: [{ part: '', containers: two }] })).toContain(
      'Containers logs and main',
    )
  })
})
