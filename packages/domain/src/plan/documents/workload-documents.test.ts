import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { GpuContainer, PodTemplate, Workload } from '../../cluster/workload.ts'
import { evictionOf, placePatch, resizePatches, stopPatch } from './workload-documents.ts'

const GPU = 'nvidia.com/gpu'
const MIG = 'nvidia.com/mig-1g.10gb'
const gpus = (count: number, resource = GPU) => [{ resource, count }]
const [drawn] = draw`a  T4  [lab/train]`.workloads
const workloadOf = (kind: string, ...templates: readonly PodTemplate[]): Workload => {
  if (drawn === undefined) throw new Error('nothing is drawn')
  return { ...drawn, id: `lab/${kind}/train`, kind, templates }
}
const container = (more: Partial<GpuContainer> = {}): GpuContainer => ({
  list: 'containers',
  index: 0,
  name: 'main',
  isSidecar: false,
  requests: { [GPU]: '2', cpu: '4' },
  limits: { [GPU]: '2' },
  gpus: gpus(2),
  ...more,
})
const template = (part = '', ...containers: readonly GpuContainer[]): PodTemplate => ({
  part,
  containers: containers.length === 0 ? [container()] : containers,
})
const half = { from: gpus(2), to: gpus(1) }
const pathsIn = (workload: Workload, resize = half) =>
  resizePatches(workload, resize).map((patch) =>
    patch.kind === 'by-hand'
      ? patch.because
      : JSON.parse(JSON.stringify(patch.body)).map(({ op, path }: Record<string, string>) => `${op} ${path}`),
  )

test('an eviction is of one pod, and of no other of that name', () => {
  expect(evictionOf('lab/train-0', 'uid-7')).toEqual({
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace: 'lab', name: 'train-0' },
    deleteOptions: { preconditions: { uid: 'uid-7' } },
  })
})

const both = (leader: string) =>
  workloadOf('LeaderWorkerSet', template('leader', container({ name: leader })), template('worker'))

describe('new requests', () => {
  test('change limits and requests, and leave what else a container asks for', () => {
    expect(resizePatches(workloadOf('Deployment', template()), { from: gpus(2), to: gpus(3, MIG) })).toEqual([
      {
        kind: 'patch',
        type: 'json',
        body: [
          { op: 'test', path: '/spec/template/spec/containers/0/name', value: 'main' },
          { op: 'test', path: '/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu', value: '2' },
          { op: 'add', path: '/spec/template/spec/containers/0/resources/limits', value: { [MIG]: '3' } },
          { op: 'add', path: '/spec/template/spec/containers/0/resources/requests', value: { cpu: '4', [MIG]: '3' } },
        ],
        asked: {
          path: String.raw`{.spec.template.spec.containers[0].resources.limits.nvidia\.com/gpu},{.spec.template.spec.containers[0].resources.limits.nvidia\.com/mig-1g\.10gb},`,
          wanted: ',3,',
        },
        among: undefined,
        around: undefined,
      },
    ])
  })

  test.for<[string, PodTemplate, string]>([
    ['Notebook', template(), '/spec/template/spec/containers/0'],
    ['RayCluster', template('headgroup'), '/spec/headGroupSpec/template/spec/containers/0'],
    ['RayCluster', template('small'), '/spec/workerGroupSpecs/0/template/spec/containers/0'],
    ['PyTorchJob', template('worker'), '/spec/pytorchReplicaSpecs/Worker/template/spec/containers/0'],
    ['LeaderWorkerSet', template('worker'), '/spec/leaderWorkerTemplate/workerTemplate/spec/containers/0'],
    ['DaemonSet', template('', container({ index: 3 })), '/spec/template/spec/containers/3'],
  ])('of a %s are written where it keeps them: %#', ([kind, own, path]) => {
    const [found] = pathsIn(workloadOf(kind, own))
    expect(found).toContain(`test ${path}/name`)
    expect(found).toContain(`add ${path}/resources/limits`)
  })

  test('of a Ray group test its name, and say in which list its place has to be found', () => {
    expect(resizePatches(workloadOf('RayCluster', template('small')), half)).toMatchObject([
      {
        body: [{ op: 'test', path: '/spec/workerGroupSpecs/0/groupName', value: 'small' }, {}, {}, {}],
        among: { list: 'workerGroupSpecs', key: 'groupName', name: 'small' },
        around: { before: { spec: { suspend: true } }, after: { spec: { suspend: false } } },
      },
    ])
  })

  test('of a predictor replace all its resources, which a runtime may leave out', () => {
    expect(pathsIn(workloadOf('InferenceService', template('predictor')))).toEqual([
      ['add /spec/predictor/model/resources'],
    ])
    expect(pathsIn(workloadOf('InferenceService', template('transformer')))[0]).toContain('is unknown')
  })

  test('of leaders that are made like workers are one patch, of others two', () => {
    expect(pathsIn(both('main'))).toHaveLength(1)
    expect(pathsIn(both('head'))[0]).toContain('test /spec/leaderWorkerTemplate/leaderTemplate/spec/containers/0/name')
    expect(pathsIn(both('head'))).toHaveLength(2)
  })

  const init = container({
    list: 'initContainers',
    name: 'warm-up',
    gpus: gpus(1),
    limits: { [GPU]: '1' },
    requests: {},
  })
  test('give an init container no more than it asked for, and a sidecar that asks too is for a person to decide', () => {
    const [patch] = resizePatches(workloadOf('Deployment', template('', container(), init)), {
      from: gpus(2),
      to: gpus(4),
    })
    const body = patch?.kind === 'patch' ? patch.body : []
    expect(body).toContainEqual({
      op: 'add',
      path: '/spec/template/spec/containers/0/resources/limits',
      value: { [GPU]: '4' },
    })
    expect(body).toContainEqual({
      op: 'add',
      path: '/spec/template/spec/initContainers/0/resources/limits',
      value: { [GPU]: '1' },
    })
    const sidecar = container({ list: 'initContainers', name: 'serve', isSidecar: true })
    expect(pathsIn(workloadOf('Deployment', template('', container(), sidecar)))).toEqual([
      'Containers main and serve of Deployment train ask for GPUs each. Decide which of them gives up how many.',
    ])
  })

  test('on the way back are what each container had', () => {
    const [patch] = resizePatches(workloadOf('StatefulSet', template('', container(), init)), {
      from: gpus(1),
      to: gpus(2),
    })
    const body = patch?.kind === 'patch' ? patch.body : []
    expect(body).toContainEqual({
      op: 'add',
      path: '/spec/template/spec/initContainers/0/resources/requests',
      value: { [GPU]: '1' },
    })
  })

  const IMMUTABLE =
    'cannot be changed. Keep it (kubectl get KIND/train -n lab -o yaml), delete it, and recreate itSOURCE with nvidia.com/gpu: 1 as limit and as request of main; work starts from its last checkpoint.'
  test.for<[string, string]>([
    ['Job', `The pods of Job train ${IMMUTABLE.replace('KIND', 'job').replace('SOURCE', ', from its own source')}`],
    [
      'JobSet',
      `The pods of JobSet train ${IMMUTABLE.replace('KIND', 'jobset').replace('SOURCE', ', from its own source')}`,
    ],
    ['Pod', `The pods of Pod train ${IMMUTABLE.replace('KIND', 'pod').replace('SOURCE', '')}`],
    [
      'SparkApplication',
      'Where SparkApplication train keeps what its pods ask for is unknown. Set nvidia.com/gpu: 1 as limit and as request of main in its own source.',
    ],
  ])('of a %s are made by hand', ([kind, because]) => {
    expect(resizePatches(workloadOf(kind, template()), half)).toEqual([{ kind: 'by-hand', because }])
  })

  test('of work whose parts are not known are made by hand, and so is giving up all GPUs', () => {
    expect(pathsIn(workloadOf('Deployment'), { from: gpus(2), to: [] })).toEqual([
      'Where Deployment train keeps what its pods ask for is unknown. Set no GPU as limit and as request in its own source.',
    ])
  })
})

describe('what stops work and makes it again', () => {
  test.for<[string, unknown, unknown]>([
    ['Job', { spec: { suspend: true } }, { spec: { suspend: false } }],
    ['RayCluster', { spec: { suspend: true } }, { spec: { suspend: false } }],
    ['PyTorchJob', { spec: { runPolicy: { suspend: true } } }, { spec: { runPolicy: { suspend: false } } }],
    [
      'Notebook',
      { metadata: { annotations: { 'kubeflow-resource-stopped': 'true' } } },
      { metadata: { annotations: { 'kubeflow-resource-stopped': null } } },
    ],
    [
      'InferenceService',
      { metadata: { annotations: { 'serving.kserve.io/stop': 'true' } } },
      { metadata: { annotations: { 'serving.kserve.io/stop': null } } },
    ],
    ['Deployment', undefined, undefined],
    ['SparkApplication', undefined, undefined],
  ])('%s', ([kind, off, on]) => {
    expect([stopPatch(kind, 0), stopPatch(kind, 2)]).toEqual([off, on])
  })
})

const labelled = (labels: Readonly<Record<string, string>>): readonly GpuNode[] =>
  draw`
  a@spot  T4           [-]
  b@spot  A100-SXM4-80GB  [-]`.nodes.map((node) => ({ ...node, room: { ...node.room, labels } }))

const merged = (nodeSelector: unknown) => ({ spec: { template: { spec: { nodeSelector } } } })

const selectorOf = (patch: ReturnType<typeof placePatch>): unknown =>
  patch.kind === 'patch' ? patch.body : patch.because

const rules = (nodeSelector: Readonly<Record<string, string>>, hasAffinity = false) => ({ nodeSelector, hasAffinity })

describe('another place', () => {
  const to = { pool: 'spot', model: 'T4', requests: gpus(1) }
  const back = { pool: '', model: '', requests: gpus(1) }
  const deployment = workloadOf('Deployment')

  test.for(['karpenter.sh/nodepool', 'cloud.google.com/gke-nodepool', 'eks.amazonaws.com/nodegroup', 'agentpool'])(
    'is named by the label %s where its nodes wear it',
    (key) => {
      const nodes = labelled({ [key]: 'spot' })
      expect(selectorOf(placePatch(deployment, { from: back, to, rules: rules({}) }, nodes))).toEqual(
        merged({ [key]: 'spot', 'nvidia.com/gpu.product': 'Tesla-T4' }),
      )
    },
  )
  test('takes out what its nodes do not wear, keeps what they do, and sets all again on the way back', () => {
    const nodes = labelled({ agentpool: 'spot', zone: 'a' })
    const own = rules({ zone: 'a', disk: 'ssd', agentpool: 'old' })
    expect(selectorOf(placePatch(deployment, { from: back, to, rules: own }, nodes))).toEqual(
      merged({ agentpool: 'spot', 'nvidia.com/gpu.product': 'Tesla-T4', disk: null }),
    )
    expect(selectorOf(placePatch(deployment, { from: to, to: back, rules: own }, nodes))).toEqual(
      merged({ agentpool: 'old', 'nvidia.com/gpu.product': null, disk: 'ssd' }),
    )
  })
  test('of a model that the catalog does not know, or without a label for the pool, sets what it can', () => {
    const unknown = { ...to, model: 'B9000' }
    expect(selectorOf(placePatch(deployment, { from: back, to: unknown, rules: rules({}) }, labelled({})))).toEqual(
      merged({}),
    )
  })
  test.for<[string, boolean, boolean, string]>([
    [
      'a required node affinity',
      true,
      false,
      'Deployment train has a required node affinity: change it so that it allows spot, T4.',
    ],
    [
      'a required node affinity, back',
      true,
      true,
      'Deployment train has a required node affinity: change it so that it allows what it allowed before.',
    ],
  ])('is left to a person by %s', ([, hasAffinity, isBack, because]) => {
    const move = { from: isBack ? to : back, to: isBack ? back : to, rules: rules({}, hasAffinity) }
    expect(selectorOf(placePatch(deployment, move, labelled({})))).toBe(because)
  })
  test('is left to a person where the template is of a kind of its own', () => {
    const ray = workloadOf('RayCluster')
    const move = { from: back, to, rules: rules({}) }
    expect(selectorOf(placePatch(ray, move, []))).toBe(
      'RayCluster train has a template of its own kind. Change its node selector in its own source, so that it leads to spot and T4.',
    )
    expect(selectorOf(placePatch(ray, { ...move, from: to, to: back }, []))).toBe(
      'RayCluster train has a template of its own kind. Change its node selector in its own source back.',
    )
  })
})
