import { pointerPart } from '@septet/domain'
import { dynamoGraph, sparkApplication, trainJob, workflow } from './operator-parts.ts'
import type { JobParts, PodPart } from './pod-part.ts'
import { countIn, isTrue, itemsIn, objectIn, type Raw, textIn } from './raw.ts'

/** The pods that an object would make; undefined for a kind that makes none, or that is not known. */
export function jobParts(raw: Raw): JobParts | undefined {
  const kind = textIn(raw, 'kind')
  return Object.hasOwn(READERS, kind) ? READERS[kind]?.(raw) : undefined
}

const plain = { gang: false, suspend: undefined, unknown: [] } as const

/** A pod template at a path, and how many pods it makes. */
function template(
  raw: Raw,
  path: readonly (string | number)[],
  counted: Omit<PodPart, 'metadata' | 'metadataPath' | 'spec' | 'path'>,
): PodPart {
  const pointer = path.map((key) => `/${pointerPart(String(key))}`).join('')
  return {
    ...counted,
    metadata: objectIn(raw, ...path, 'metadata'),
    metadataPath: `${pointer}/metadata`,
    spec: objectIn(raw, ...path, 'spec'),
    path: `${pointer}/spec`,
  }
}

const alone = { part: '', count: 1, countPath: undefined } as const

function replicated(raw: Raw): JobParts {
  const count = countIn(raw, 'spec', 'replicas') ?? 1
  const claims = itemsIn(raw, 'spec', 'volumeClaimTemplates').length > 0
  return {
    ...plain,
    parts: [template(raw, ['spec', 'template'], { part: '', count, countPath: '/spec/replicas' })],
    unknown: claims ? ['its volumes are made when its pods are, and where they may be is not read'] : [],
  }
}

const suspension = (raw: Raw, path: readonly string[]): Pick<JobParts, 'suspend'> => ({
  suspend: isTrue(raw, ...path, 'suspend') ? `/${[...path, 'suspend'].join('/')}` : undefined,
})

function job(raw: Raw, at: readonly string[]): JobParts {
  const parallelism = countIn(raw, ...at, 'parallelism') ?? 1
  const completions = countIn(raw, ...at, 'completions')
  const count = Math.min(parallelism, completions ?? parallelism)
  const countPath = count > 1 ? `/${[...at, 'parallelism'].join('/')}` : undefined
  return {
    ...plain,
    ...suspension(raw, at),
    parts: [template(raw, [...at, 'template'], { part: '', count, countPath })],
  }
}

/** A Job of Volcano has pods by task, which its scheduler starts together. */
export const isOfVolcano = (raw: Raw): boolean => textIn(raw, 'apiVersion').startsWith('batch.volcano.sh/')

function volcanoJob(raw: Raw): JobParts {
  const parts = itemsIn(raw, 'spec', 'tasks').map((task, index) => {
    const path = ['spec', 'tasks', index]
    const part = textIn(task, 'name')
    const count = countIn(task, 'replicas') ?? 1
    return template(raw, [...path, 'template'], { part, count, countPath: `/${[...path, 'replicas'].join('/')}` })
  })
  const minimum = countIn(raw, 'spec', 'minAvailable')
  const all = parts.reduce((sum, { count }) => sum + count, 0)
  const scheduler = textIn(raw, 'spec', 'schedulerName') || 'volcano'
  return {
    ...plain,
    gang: true,
    parts,
    unknown: [
      `the scheduler ${scheduler} places it, by rules that Septet does not know`,
      ...(minimum === undefined || minimum >= all ? [] : [`it starts with ${minimum} of its ${all} pods`]),
    ],
  }
}

function jobSet(raw: Raw): JobParts {
  const parts = itemsIn(raw, 'spec', 'replicatedJobs').map((each, index) => {
    const path = ['spec', 'replicatedJobs', index, 'template', 'spec'] as const
    const replicas = countIn(each, 'replicas') ?? 1
    const parallelism = countIn(raw, ...path, 'parallelism') ?? 1
    const own = replicas === 1 ? `/${[...path, 'parallelism'].join('/')}` : `/spec/replicatedJobs/${index}/replicas`
    const countPath = replicas === 1 || parallelism === 1 ? own : undefined
    return template(raw, [...path, 'template'], {
      part: textIn(each, 'name'),
      count: replicas * parallelism,
      countPath,
    })
  })
  return { ...plain, gang: true, ...suspension(raw, ['spec']), parts }
}

/** Groups of a leader and its workers, made from one template where the leader has none of its own. */
function leaderWorkerSet(raw: Raw): JobParts {
  const at = ['spec', 'leaderWorkerTemplate'] as const
  const replicas = countIn(raw, 'spec', 'replicas') ?? 1
  const size = countIn(raw, ...at, 'size') ?? 1
  const leader = 'leaderTemplate' in objectIn(raw, ...at) ? 'leaderTemplate' : 'workerTemplate'
  const countPath = size === 1 ? '/spec/replicas' : undefined
  return {
    ...plain,
    gang: true,
    parts: [
      template(raw, [...at, leader], { part: 'leader', count: replicas, countPath }),
      template(raw, [...at, 'workerTemplate'], { part: 'worker', count: replicas * (size - 1), countPath: undefined }),
    ],
  }
}

/** A Ray cluster at a path: its head, and workers by group. */
function rayCluster(raw: Raw, at: readonly string[]): JobParts {
  const workers = itemsIn(raw, ...at, 'workerGroupSpecs').map((group, index) => {
    const path = [...at, 'workerGroupSpecs', index]
    const hosts = countIn(group, 'numOfHosts') ?? 1
    const replicas = countIn(group, 'replicas') ?? countIn(group, 'minReplicas') ?? 0
    const countPath = hosts === 1 ? `/${[...path, 'replicas'].join('/')}` : undefined
    return template(raw, [...path, 'template'], {
      part: textIn(group, 'groupName') || 'workers',
      count: replicas * hosts,
      countPath,
    })
  })
  const head = template(raw, [...at, 'headGroupSpec', 'template'], { ...alone, part: 'head' })
  return { ...plain, ...suspension(raw, ['spec']), parts: [head, ...workers] }
}

/** Jobs of Kubeflow's training operator name their parts: Master, Worker, Launcher. */
function training(raw: Raw): JobParts {
  const [key = ''] = Object.keys(objectIn(raw, 'spec')).filter((name) => name.endsWith('ReplicaSpecs'))
  const parts = Object.entries(objectIn(raw, 'spec', key)).map(([part, spec]) =>
    template(raw, ['spec', key, part, 'template'], {
      part,
      count: countIn(spec, 'replicas') ?? 1,
      countPath: `/spec/${key}/${pointerPart(part)}/replicas`,
    }),
  )
  return { ...plain, gang: true, ...suspension(raw, ['spec', 'runPolicy']), parts }
}

const COMPONENTS = ['predictor', 'transformer', 'explainer'] as const

/** KServe writes the specification of a pod into each component, with the model server beside the containers. */
function inferenceService(raw: Raw): JobParts {
  const given = COMPONENTS.filter((part) => Object.keys(objectIn(raw, 'spec', part)).length > 0)
  const parts = given.map((part): PodPart => {
    const spec = objectIn(raw, 'spec', part)
    const count = countIn(spec, 'minReplicas') ?? 1
    const path = `/spec/${part}`
    return { part, count, countPath: `${path}/minReplicas`, metadata: {}, metadataPath: '/metadata', spec, path }
  })
  const open = given.some((part) => Object.keys(objectIn(raw, 'spec', part, 'workerSpec')).length > 0)
  return { ...plain, parts, unknown: open ? ['KServe decides how many workers its worker specification makes'] : [] }
}

const READERS: Readonly<Record<string, (raw: Raw) => JobParts>> = {
  Pod: (raw) => ({ ...plain, parts: [template(raw, [], alone)] }),
  Deployment: replicated,
  StatefulSet: replicated,
  DaemonSet: (raw) => ({ ...plain, parts: [template(raw, ['spec', 'template'], { ...alone, onEachNode: true })] }),
  LeaderWorkerSet: leaderWorkerSet,
  ReplicaSet: replicated,
  Job: (raw) => (isOfVolcano(raw) ? volcanoJob(raw) : job(raw, ['spec'])),
  CronJob: (raw) => job(raw, ['spec', 'jobTemplate', 'spec']),
  JobSet: jobSet,
  RayCluster: (raw) => rayCluster(raw, ['spec']),
  RayJob: (raw) => rayCluster(raw, ['spec', 'rayClusterSpec']),
  RayService: (raw) => rayCluster(raw, ['spec', 'rayClusterConfig']),
  PyTorchJob: training,
  TFJob: training,
  MPIJob: training,
  InferenceService: inferenceService,
  TrainJob: trainJob,
  Workflow: (raw) => workflow(raw, ['spec']),
  CronWorkflow: (raw) => workflow(raw, ['spec', 'workflowSpec']),
  SparkApplication: sparkApplication,
  DynamoGraphDeployment: dynamoGraph,
  Notebook: (raw) => ({ ...plain, parts: [template(raw, ['spec', 'template'], alone)] }),
}

export const KNOWN_KINDS: readonly string[] = Object.keys(READERS)
