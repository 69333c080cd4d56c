import type { AskedJob } from '@septet/domain'
import { describe, expect, test } from 'vitest'
import { readManifest } from './read-manifest.ts'

const GPU = 'resources: {limits: {nvidia.com/gpu: 1}, requests: {cpu: 4, memory: 16Gi}}'
const POD_SPEC = `{containers: [{name: main, image: x, ${GPU}}]}`
const jobsOf = (text: string): readonly AskedJob[] => {
  const read = readManifest(text, 'lab')
  if (read.kind === 'refused') throw new Error(read.because)
  return read.jobs
}
const refusalOf = (text: string): string => {
  const read = readManifest(text, 'lab')
  return read.kind === 'refused' ? read.because : 'not refused'
}
const shape = (text: string) =>
  jobsOf(text).map(({ kind, gang, groups }) => [kind, gang, ...groups.map(({ part, count }) => `${part}×${count}`)])

const template = (expression: string): string =>
  `{kind: ResourceClaimTemplate, metadata: {name: t}, spec: {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: mig.nvidia.com, selectors: [{cel: {expression: "${expression}"}}]}}]}}}}`

describe('the pods of each kind of object', () => {
  test.each([
    [`{kind: Pod, metadata: {name: a}, spec: ${POD_SPEC}}`, ['Pod', false, '×1']],
    [
      `{kind: Deployment, metadata: {name: a}, spec: {replicas: 3, template: {spec: ${POD_SPEC}}}}`,
      ['Deployment', false, '×3'],
    ],
    [`{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: ${POD_SPEC}}}}`, ['StatefulSet', false, '×1']],
    [
      `{kind: Job, metadata: {name: a}, spec: {parallelism: 4, completions: 2, template: {spec: ${POD_SPEC}}}}`,
      ['Job', false, '×2'],
    ],
    [
      `{kind: JobSet, metadata: {name: a}, spec: {replicatedJobs: [{name: w, replicas: 2, template: {spec: {parallelism: 3, template: {spec: ${POD_SPEC}}}}}]}}`,
      ['JobSet', true, 'w×6'],
    ],
    [
      `{kind: RayCluster, metadata: {name: a}, spec: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}, workerGroupSpecs: [{groupName: g, replicas: 2, template: {spec: ${POD_SPEC}}}]}}`,
      ['RayCluster', false, 'head×1', 'g×2'],
    ],
    [
      `{kind: PyTorchJob, metadata: {name: a}, spec: {pytorchReplicaSpecs: {Master: {replicas: 1, template: {spec: ${POD_SPEC}}}, Worker: {replicas: 3, template: {spec: ${POD_SPEC}}}}}}`,
      ['PyTorchJob', true, 'Master×1', 'Worker×3'],
    ],
    [
      `{kind: InferenceService, metadata: {name: a}, spec: {predictor: {minReplicas: 2, model: {modelFormat: {name: x}, ${GPU}}}}}`,
      ['InferenceService', false, 'predictor×2'],
    ],
    [`{kind: DaemonSet, metadata: {name: a}, spec: {template: {spec: ${POD_SPEC}}}}`, ['DaemonSet', false, '×1']],
    [
      `{kind: LeaderWorkerSet, metadata: {name: a}, spec: {replicas: 2, leaderWorkerTemplate: {size: 4, workerTemplate: {spec: ${POD_SPEC}}}}}`,
      ['LeaderWorkerSet', true, 'leader×2', 'worker×6'],
    ],
    [
      `{kind: TrainJob, metadata: {name: a}, spec: {runtimeRef: {name: torch}, trainer: {numNodes: 3, resourcesPerNode: {limits: {nvidia.com/gpu: 8}}}}}`,
      ['TrainJob', true, 'node×3'],
    ],
    [
      `{kind: Workflow, metadata: {name: a}, spec: {templates: [{name: go, steps: [[{name: s, template: fit}]]}, {name: fit, container: {${GPU}}}]}}`,
      ['Workflow', false, 'fit×1'],
    ],
    [
      `{kind: SparkApplication, metadata: {name: a}, spec: {driver: {cores: 1}, executor: {instances: 4, cores: 8, gpu: {name: nvidia.com/gpu, quantity: 1}}}}`,
      ['SparkApplication', false, 'driver×1', 'executor×4'],
    ],
    [
      `{kind: DynamoGraphDeployment, metadata: {name: a}, spec: {services: {Frontend: {replicas: 1}, Decode: {replicas: 2, resources: {limits: {gpu: "2"}}}}}}`,
      ['DynamoGraphDeployment', false, 'Frontend×1', 'Decode×2'],
    ],
    [`{kind: Notebook, metadata: {name: a}, spec: {template: {spec: ${POD_SPEC}}}}`, ['Notebook', false, '×1']],
  ])('%s', (text, wanted) => expect(shape(text)).toEqual([wanted]))

  test('several documents, lists and what makes no pods', () => {
    const list = `{kind: List, items: [{kind: Pod, metadata: {name: b}, spec: ${POD_SPEC}}]}`
    const jobs = jobsOf(`{kind: Service, metadata: {name: s}}\n---\n${list}\n`)
    expect(jobs.map(({ name, namespace, edit }) => [name, namespace, edit.document])).toEqual([['b', 'lab', 1]])
    expect(jobs[0]?.groups[0]?.edit.spec).toBe('/items/0/spec')
  })
  test('a namespace that the manifest makes is there for its jobs', () => {
    const job = `{kind: Pod, metadata: {name: b, namespace: new}, spec: ${POD_SPEC}}`
    expect(jobsOf(`{kind: Namespace, metadata: {name: new}}\n---\n${job}`)[0]?.makesNamespace).toBe(true)
    expect(jobsOf(job)[0]).not.toHaveProperty('makesNamespace')
  })
  test('a queue makes a job one that is admitted as a whole, and Kueue starts it, not suspend', () => {
    const metadata = '{name: a, namespace: team, labels: {kueue.x-k8s.io/queue-name: gpus}}'
    const [job] = jobsOf(`{kind: Job, metadata: ${metadata}, spec: {suspend: true, template: {spec: ${POD_SPEC}}}}`)
    expect(job).toMatchObject({ queue: 'gpus', gang: true, stopped: [], namespace: 'team' })
  })
  test('a claim template of the manifest says what its pods ask for', () => {
    const pod =
      '{kind: Pod, metadata: {name: a}, spec: {containers: [{name: m}], resourceClaims: [{name: g, resourceClaimTemplateName: t}]}}'
    const [plain] = jobsOf(`${template("device.attributes['gpu.nvidia.com'].profile == '1g.10gb'")}\n---\n${pod}`)
    expect(plain?.groups[0]).toMatchObject({ claims: [{ resource: 'nvidia.com/mig-1g.10gb', count: 1 }], unknown: [] })
    const [odd] = jobsOf(`${template("device.attributes['gpu.nvidia.com'].profile.startsWith('1g')")}\n---\n${pod}`)
    expect(odd?.groups[0]?.unknown).toEqual(['the claim t chooses devices by rules that are not judged'])
    expect(jobsOf(pod)[0]?.groups[0]?.unknown).toEqual(['the claim template t is not in this manifest'])
  })
  test.each([
    ['schedulerName: volcano', 'the scheduler volcano places it, by rules that Septet does not know'],
    [
      'volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]',
      'whether the volume data is bound, and to which nodes, is not read',
    ],
    ['runtimeClassName: kata', 'what the runtime class kata adds is not read'],
    [
      'initContainers: [{name: i, resources: {limits: {rdma/hca: 1}}}]',
      'how many rdma/hca nodes have left is not read',
    ],
  ])('what is not judged is said: %s', (rule, words) => {
    const [job] = jobsOf(`{kind: Pod, metadata: {name: a}, spec: {${rule}, ${POD_SPEC.slice(1)}}`)
    expect([...(job?.unknown ?? []), ...(job?.groups[0]?.unknown ?? [])]).toEqual([words])
  })
})

const stopsOf = (gate: string) =>
  jobsOf(`{kind: Pod, metadata: {name: a}, spec: {schedulingGates: [{name: ${gate}}], ${POD_SPEC.slice(1)}}`)[0]
    ?.stopped

test('gates stop a job, but for those that Kueue takes away by itself', () => {
  expect(stopsOf('example.com/g')).toEqual([
    'The scheduling gate example.com/g holds it back until its owner takes the gate away.',
  ])
  expect(stopsOf('kueue.x-k8s.io/admission')).toEqual([])
})

const askedBy = (annotations: string, limits: string) =>
  jobsOf(
    `{kind: Pod, metadata: {name: a, annotations: ${annotations}}, spec: {containers: [{name: m, resources: {limits: ${limits}}}]}}`,
  )[0]?.groups[0]

const unknownOf = (annotation: string, scheduler = '') =>
  jobsOf(
    `{kind: Pod, metadata: {name: a, annotations: {${annotation}}}, spec: {schedulerName: "${scheduler}", containers: [{name: m}]}}`,
  )[0]?.unknown

test('a share of KAI or Run:ai is unknown whatever scheduler is named, as their webhooks name it', () => {
  expect(unknownOf('nvidia.com/container.m.gpu-memory.request: 4Gi')).toEqual([
    'nvidia.com/container.m.gpu-memory.request asks KAI or Run:ai for a share of a GPU, by rules that Septet does not know',
  ])
  expect(unknownOf('gpu-fraction: "0.5"', 'runai-scheduler')).toEqual([
    'the scheduler runai-scheduler places it, by rules that Septet does not know',
  ])
})

const openOf = (annotations: string, spec: string) =>
  jobsOf(
    `{kind: Pod, metadata: {name: a, annotations: {${annotations}}}, spec: {${spec}, containers: [{name: m, resources: {limits: {nvidia.com/gpu: 1}}}]}}`,
  )[0]?.groups[0]?.unknown

test('where a group of pods or a topology of Kueue may run is unknown', () => {
  expect(openOf('', 'schedulingGroup: {podGroupName: workers}')).toEqual([
    'where its group may run by schedulingGroup is not judged',
  ])
  expect(openOf('kueue.x-k8s.io/podset-required-topology: rack', 'restartPolicy: Never')).toEqual([
    'where its group may run by kueue.x-k8s.io/podset-required-topology is not judged',
  ])
  expect(openOf('kueue.x-k8s.io/podset-preferred-topology: rack', 'restartPolicy: Never')).toEqual([])
})

const only = (text: string) => {
  const [job] = jobsOf(text)
  const asking = job?.groups.flatMap(({ part, requests }) =>
    requests.map(({ resource, count }) => `${part}: ${count} ${resource}`),
  )
  return { asks: asking, unknown: job?.unknown, isMade: job?.isMade }
}
const trainJob = (trainer: string) =>
  only(`{kind: TrainJob, metadata: {name: a}, spec: {runtimeRef: {name: torch}, trainer: ${trainer}}}`)
const graph = (more: string) =>
  `{kind: DynamoGraphDeployment, metadata: {name: a}, spec: {services: {Decode: {${more} resources: {requests: {gpu: "2"}}}}}}`

describe('kinds whose operator makes the pods', () => {
  test('a TrainJob asks for what each node asks for, and its runtime may add to that', () => {
    expect(trainJob('{numNodes: 3, resourcesPerNode: {limits: {nvidia.com/gpu: 8}}}')).toEqual({
      asks: ['node: 8 nvidia.com/gpu'],
      unknown: ['what the runtime torch adds to its pods is not read'],
      isMade: true,
    })
    expect(trainJob('{resourcesPerNode: {limits: {nvidia.com/gpu: 8}}}').unknown).toContain(
      'how many nodes it has is written in the runtime torch, which is not read',
    )
  })
  test('a Workflow of one container starts like a pod; steps come when they come', () => {
    const container = `container: {${GPU}}, nodeSelector: {disk: ssd}`
    const one = `{kind: Workflow, metadata: {name: a}, spec: {tolerations: [{key: t, operator: Exists}], templates: [{name: fit, ${container}}]}}`
    expect(only(one)).toEqual({ asks: ['fit: 1 nvidia.com/gpu'], unknown: [], isMade: true })
    expect(jobsOf(one)[0]?.groups[0]?.scheduling).toMatchObject({
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 't' }],
    })
    const two = one.replace('templates: [', 'templates: [{name: go, steps: []}, ')
    expect(only(two).unknown).toEqual(['its steps decide when each pod is made, and how often'])
  })
  test('a SparkApplication asks for GPUs by executor, a Dynamo graph by service', () => {
    const spark = `{kind: SparkApplication, metadata: {name: a}, spec: {dynamicAllocation: {enabled: true}, driver: {}, executor: {coreRequest: 500m, gpu: {name: nvidia.com/gpu, quantity: 2}}}}`
    expect(only(spark)).toMatchObject({ asks: ['executor: 2 nvidia.com/gpu'] })
    expect(only(spark).unknown).toContain('Spark decides how many executors it asks for')
    expect(only(graph(''))).toEqual({ asks: ['Decode: 2 nvidia.com/gpu'], unknown: [], isMade: true })
    expect(only(graph('multinode: {nodeCount: 2},')).unknown).toHaveLength(1)
  })
})

const group = (least: number) =>
  `{apiVersion: scheduling.k8s.io/v1alpha2, kind: PodGroup, metadata: {name: g}, spec: {schedulingPolicy: {gang: {minCount: ${least}}}}}`
const member = (name: string) =>
  `{kind: Pod, metadata: {name: ${name}}, spec: {schedulingGroup: {podGroupName: g}, ${POD_SPEC.slice(1)}}`
const both = (least: number) => jobsOf([group(least), member('a'), member('b')].join('\n---\n'))

describe('a PodGroup of Kubernetes', () => {
  test('has its pods start together', () => {
    expect(both(2)).toMatchObject([{ kind: 'PodGroup', name: 'g', gang: true, stopped: [], unknown: [], isMade: true }])
    expect(both(2)[0]?.groups.map((pods) => pods.unknown)).toEqual([[], []])
    const job = `{kind: Job, metadata: {name: a}, spec: {parallelism: 4, template: {spec: {schedulingGroup: {podGroupName: g}, ${POD_SPEC.slice(1)}}}}`
    expect(jobsOf([group(4), job].join('\n---\n'))).toMatchObject([{ kind: 'Job', gang: true, unknown: [] }])
  })
  test('waits for those that are not there, and may start with fewer than all', () => {
    expect(both(3)[0]?.stopped).toEqual(['Its PodGroup g waits for 3 pods, and 2 are in this manifest.'])
    expect(both(1)[0]?.unknown).toEqual(['its PodGroup g starts with 1 of its 2 pods'])
  })
})

const rulesOf = (spec: string) =>
  jobsOf(
    `{kind: Pod, metadata: {name: a, labels: {app: x}}, spec: {${spec}, containers: [{name: m, resources: {limits: {nvidia.com/gpu: 1}}}]}}`,
  )[0]?.groups[0]
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
const spreadBy = (more: string): string =>
  `topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, ${more}}]`
const apartBy = (more: string): string => `affinity: {podAntiAffinity: {${REQUIRED}: [{topologyKey: zone, ${more}}]}}`

const app = (...values: readonly string[]) => [{ key: 'app', operator: 'In', values }]

describe('rules about where other pods are', () => {
  test.each([
    [spreadBy('labelSelector: {matchLabels: {app: x}}'), { most: 1, selector: app('x'), own: true }],
    [
      spreadBy('labelSelector: {matchExpressions: [{key: app, operator: In, values: [x, y]}]}, minDomains: 2'),
      { most: 1, selector: app('x', 'y'), own: true, minDomains: 2 },
    ],
    [
      spreadBy('labelSelector: {matchLabels: {app: y}}, nodeTaintsPolicy: Honor, nodeAffinityPolicy: Ignore'),
      { most: 1, selector: app('y'), own: false, honorsTaints: true, anyNode: true },
    ],
    [
      spreadBy('labelSelector: {matchLabels: {app: x}}, matchLabelKeys: [pod-template-hash]'),
      { most: 1, selector: app('x'), own: true, namespaces: [] },
    ],
    [apartBy('labelSelector: {matchLabels: {app: x}}'), { most: 'apart', selector: app('x'), own: true }],
    [
      apartBy('labelSelector: {matchLabels: {app: y}}, namespaceSelector: {}'),
      { most: 'apart', selector: app('y'), own: false, namespaces: 'all' },
    ],
    [
      apartBy('labelSelector: {matchLabels: {app: x}}, namespaces: [web]'),
      { most: 'apart', selector: app('x'), own: false, namespaces: ['web'] },
    ],
  ])('are judged: %s', (spec, rule) =>
    expect(rulesOf(spec)).toMatchObject({ spread: [{ topologyKey: 'zone', ...rule }], unknown: [] }),
  )
  test('that go by labels of namespaces are not', () => {
    const spec = apartBy('labelSelector: {matchLabels: {app: x}}, namespaceSelector: {matchLabels: {team: a}}')
    expect(rulesOf(spec)).toMatchObject({
      spread: [],
      unknown: ['it keeps away from other pods, whose labels are not read'],
    })
  })
})

test('shares of KAI are asked for in annotations, and a name that is misspelled is kept', () => {
  expect(askedBy('{gpu-memory: "4000"}', '{}')?.requests).toEqual([{ resource: 'nvidia.com/gpu.shared', count: 1 }])
  expect(askedBy('{gpu-fraction: "0.5", gpu-fraction-num-devices: "2"}', '{}')?.requests[0]?.count).toBe(2)
  expect(askedBy('{}', '{nvidia.com/gpus: 2}')).toMatchObject({
    requests: [{ resource: 'nvidia.com/gpus', count: 2 }],
    unknown: [],
  })
})

describe('what is refused, in words', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g'].map((name, at) => `${name}: &${name} [${`*${'abcdef'[at] ?? ''},`.repeat(10)}]`).join('\n')}\n`
  test.each([
    ['no YAML', 'kind: [', 'The manifest cannot be read as YAML: '],
    ['a bomb of aliases', `kind: Pod\n${bomb}`, 'The manifest cannot be read as YAML: it has more than 10000 values'],
    ['endless nesting', '['.repeat(50_000), 'The manifest cannot be read as YAML: nesting exceeded maxDepth (100) '],
    ['too long', `# ${'x'.repeat(200_000)}`, 'The manifest cannot be read as YAML: it has more than 200 kB.'],
    [
      'too many documents',
      'kind: Pod\n---\n'.repeat(60),
      'The manifest cannot be read as YAML: it has more than 50 documents.',
    ],
    [
      'too many objects',
      `{kind: List, items: [${'{kind: Pod},'.repeat(201)}]}`,
      'The manifest has more than 200 objects and parts of jobs.',
    ],
    [
      'too many parts of a job',
      `{kind: Job, apiVersion: batch.volcano.sh/v1, spec: {tasks: [${'{name: a},'.repeat(201)}]}}`,
      'The manifest has more than 200 objects and parts of jobs.',
    ],
    [
      'more rules than any node is judged by',
      `{kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}], nodeSelector: {${Array.from({ length: 1001 }, (_, at) => `k${at}: v`).join()}}}}`,
      'Pod a has more than 1000 node selector labels, affinity values and tolerations.',
    ],
    ['an unknown tag', 'kind: !js Pod', 'The manifest cannot be read as YAML: '],
    ['no object', 'hello', 'The manifest holds no Kubernetes object with a kind.'],
    ['no GPU', '{kind: Pod, spec: {containers: [{name: a}]}}', 'The manifest asks for no GPU.'],
    [
      'a kind that is not known',
      '{kind: Rollout, metadata: {name: a}}',
      'Septet does not know what pods Rollout would make.',
    ],
    [
      'what the API would refuse',
      `{kind: Pod, spec: {containers: 3}}`,
      'The manifest is not what Kubernetes takes: containers: ',
    ],
    [
      'too many pods',
      `{kind: Deployment, metadata: {name: a}, spec: {replicas: 20000, template: {spec: ${POD_SPEC}}}}`,
      'Deployment a has more than 10000 pods.',
    ],
  ])('%s', (_name, text, words) => expect(refusalOf(text)).toContain(words))
})
