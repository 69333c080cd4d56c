import type { WorkloadId } from '../../cluster/workload.ts'
import { stopPatch } from '../../plan/documents/workload-documents.ts'
import type { ClusterWrite, LiveObject, ObjectRef } from '../cluster-writer.ts'
import { listAt, liveNumberAt, textAt, textsAt, valueAt } from '../live-object.ts'

/** How many replicas it had before it was stopped, so that anyone can start it again as it was. */
export const REPLICAS_BEFORE = 'septet.io/replicas-before'

/** What its owner reads on an object before it is stopped. */
export const IDLE_WARNING = 'septet.io/idle-warning'

type Resource = Pick<ObjectRef, 'group' | 'version' | 'resource'>

/** Where objects of the kinds that Septet stops and starts are found. Kueue serves v1beta1 in all releases from 0.14 to 0.19. */
export const STOPPABLE = {
  Deployment: { group: 'apps', version: 'v1', resource: 'deployments' },
  StatefulSet: { group: 'apps', version: 'v1', resource: 'statefulsets' },
  Job: { group: 'batch', version: 'v1', resource: 'jobs' },
  JobSet: { group: 'jobset.x-k8s.io', version: 'v1alpha2', resource: 'jobsets' },
  RayCluster: { group: 'ray.io', version: 'v1', resource: 'rayclusters' },
  Notebook: { group: 'kubeflow.org', version: 'v1', resource: 'notebooks' },
  InferenceService: { group: 'serving.kserve.io', version: 'v1beta1', resource: 'inferenceservices' },
  PyTorchJob: { group: 'kubeflow.org', version: 'v1', resource: 'pytorchjobs' },
  LeaderWorkerSet: { group: 'leaderworkerset.x-k8s.io', version: 'v1', resource: 'leaderworkersets' },
  Workload: { group: 'kueue.x-k8s.io', version: 'v1beta1', resource: 'workloads' },
} as const satisfies Readonly<Record<string, Resource>>
export type StoppableKind = keyof typeof STOPPABLE

export const isStoppable = (kind: string): kind is StoppableKind => Object.hasOwn(STOPPABLE, kind)

/** Kind and object of a workload that Septet may stop and start; undefined for one of another kind. */
export function stoppableOf(
  workload: WorkloadId,
): { readonly kind: StoppableKind; readonly object: ObjectRef } | undefined {
  const [namespace = '', kind = '', ...rest] = workload.split('/')
  return isStoppable(kind) ? { kind, object: { ...STOPPABLE[kind], namespace, name: rest.join('/') } } : undefined
}

/** What stops or starts one object. */
export type StopWrite =
  /** `wakes`: it starts by itself with the next request. */
  | { readonly kind: 'write'; readonly write: ClusterWrite; readonly says: string; readonly wakes?: true }
  | { readonly kind: 'done'; readonly because: string }
  /** Septet's write would be undone, or nobody knows how it was: what a person can do is said. */
  | { readonly kind: 'refused'; readonly because: string }

/** What stops all pods of a live object. The patch is refused by the API where somebody changed the object meanwhile. */
export function stopWrite(kind: StoppableKind, live: LiveObject): StopWrite {
  const refused = whyNotSwitched(kind, live)
  if (refused !== undefined) return { kind: 'refused', because: refused }
  if (isOver(live)) return { kind: 'done', because: `${nameOf(live)} has ended.` }
  const { off, isOff, wakes } = switchOf(kind, live)
  if (isOff && wakes)
    return { kind: 'done', because: `${nameOf(live)} scales to zero by itself while it gets no requests.` }
  if (isOff) return { kind: 'done', because: `${nameOf(live)} is stopped already.` }
  const says = wakes ? `Let ${nameOf(live)} sleep until the next request` : `Stop ${nameOf(live)}`
  return { kind: 'write', write: patched(kind, live, off), says, ...(wakes && { wakes }) }
}

/** What makes a stopped object start again as it was; refused where nobody wrote down how it was. */
export function startWrite(kind: StoppableKind, live: LiveObject): StopWrite {
  const refused = whyNotSwitched(kind, live)
  if (refused !== undefined) return { kind: 'refused', because: refused }
  const { on, isOff, wakes } = switchOf(kind, live)
  if (!isOff) return { kind: 'done', because: `${nameOf(live)} is not stopped.` }
  if (on === undefined && wakes) {
    return { kind: 'done', because: `${nameOf(live)} starts by itself with the next request.` }
  }
  if (on === undefined) {
    return {
      kind: 'refused',
      because: `How many replicas ${nameOf(live)} had is not recorded: its annotation ${REPLICAS_BEFORE} is missing or not a number. Scale it by hand.`,
    }
  }
  return { kind: 'write', write: patched(kind, live, on), says: `Start ${nameOf(live)}` }
}

type Merge = { readonly [key: string]: unknown }

type Switch = {
  readonly off: Merge
  /** Undefined: not known. */
  readonly on: Merge | undefined
  readonly isOff: boolean
  readonly wakes?: true
}

function switchOf(kind: StoppableKind, live: LiveObject): Switch {
  if (kind === 'Workload') {
    const [off, on] = [{ spec: { active: false } }, { spec: { active: true } }]
    return { off, on, isOff: isMerged(live, off) }
  }
  if (kind === 'InferenceService' && sleeps(live)) {
    return { ...replicasSwitch(live, ['spec', 'predictor', 'minReplicas']), wakes: true }
  }
  const [off, on] = [stopPatch(kind, 0), stopPatch(kind, 1)]
  if (!isMerge(off) || !isMerge(on)) return replicasSwitch(live, ['spec', 'replicas'])
  return { off, on, isOff: isThere(kind, live, off) }
}

/** A notebook is stopped while the annotation is there, whatever its value. */
const isThere = (kind: StoppableKind, live: LiveObject, off: Merge): boolean =>
  kind === 'Notebook'
    ? Object.keys(textsAt(off, 'metadata', 'annotations')).every((key) =>
        Object.hasOwn(textsAt(live, 'metadata', 'annotations'), key),
      )
    : isMerged(live, off)

/**
 * Knative and KEDA scale a predictor to 0 while nobody asks and start it again with the next request, which is kinder than
 * stopping it. Other autoscalers know no 0. KServe: `serving.kserve.io/autoscalerClass`, `deploymentMode`.
 */
function sleeps(live: LiveObject): boolean {
  const annotations = textsAt(live, 'metadata', 'annotations')
  const mode = annotations['serving.kserve.io/deploymentMode'] ?? textAt(live, 'status', 'deploymentMode')
  const isStopped = annotations['serving.kserve.io/stop'] === 'true'
  return (
    !isStopped &&
    (mode === 'Serverless' || mode === 'Knative' || annotations['serving.kserve.io/autoscalerClass'] === 'keda')
  )
}

/** The API fills in 1 where an object says nothing, and so does KServe. */
function replicasSwitch(live: LiveObject, path: readonly string[]): Switch {
  const now = liveNumberAt(live, ...path) ?? 1
  const before = textsAt(live, 'metadata', 'annotations')[REPLICAS_BEFORE] ?? ''
  const remember = (value: string | null): Merge => ({ metadata: { annotations: { [REPLICAS_BEFORE]: value } } })
  return {
    off: { ...remember(String(now)), ...nested(path, 0) },
    on: /^[1-9]\d{0,5}$/u.test(before) ? { ...remember(null), ...nested(path, Number(before)) } : undefined,
    isOff: now === 0,
  }
}

function nested([key = '', ...rest]: readonly string[], value: unknown): Merge {
  return { [key]: rest.length === 0 ? value : nested(rest, value) }
}

/** Why a write to it would not last, and what to change instead. */
function whyNotSwitched(kind: StoppableKind, live: LiveObject): string | undefined {
  const name = nameOf(live)
  if (kind === 'Workload') return undefined
  const owner = listAt(live, 'metadata', 'ownerReferences').find((each) => valueAt(each, 'controller') === true)
  if (owner !== undefined) {
    return `${textAt(owner, 'kind')} ${textAt(owner, 'name')} owns ${name} and would change it back. Stop that one instead.`
  }
  const isQueued = textsAt(live, 'metadata', 'labels')['kueue.x-k8s.io/queue-name'] !== undefined
  return isQueued && SUSPENDED_BY_KUEUE.has(kind)
    ? `Kueue suspends and admits ${name} and would start it again. Deactivate its Workload instead (spec.active: false).`
    : undefined
}

/** Kinds whose `suspend` Kueue sets itself. */
const SUSPENDED_BY_KUEUE: ReadonlySet<StoppableKind> = new Set(['Job', 'JobSet', 'RayCluster', 'PyTorchJob'])

/** Conditions by which jobs say that they are over. */
const isOver = (live: LiveObject): boolean =>
  listAt(live, 'status', 'conditions').some(
    (condition) => ENDED.has(textAt(condition, 'type')) && textAt(condition, 'status') === 'True',
  )
const ENDED = new Set(['Complete', 'Completed', 'Succeeded', 'Failed', 'Finished'])

function patched(kind: StoppableKind, live: LiveObject, body: Merge): ClusterWrite {
  const { group, version, resource }: Resource = STOPPABLE[kind]
  const [ownGroup, ownVersion] = textAt(live, 'apiVersion').split('/')
  const resourceVersion = textAt(live, 'metadata', 'resourceVersion')
  const metadata = withoutWarning(live, isMerge(body['metadata']) ? body['metadata'] : {})
  return {
    verb: 'patch',
    object: {
      group,
      // As it was read, where it was read in another version of the same group.
      version: ownGroup === group && ownVersion !== undefined ? ownVersion : version,
      resource,
      namespace: textAt(live, 'metadata', 'namespace'),
      name: textAt(live, 'metadata', 'name'),
    },
    type: 'merge',
    // A merge that carries a version is refused where somebody was faster.
    body: { ...body, metadata: { ...metadata, ...(resourceVersion !== '' && { resourceVersion }) } },
  }
}

/** It is about what is done now, or taken back. */
function withoutWarning(live: LiveObject, metadata: Merge): Merge {
  if (textAt(live, 'metadata', 'annotations', IDLE_WARNING) === '') return metadata
  const annotations = isMerge(metadata['annotations']) ? metadata['annotations'] : {}
  return { ...metadata, annotations: { ...annotations, [IDLE_WARNING]: null } }
}

/** Whether a merge would change nothing. */
const isMerged = (live: unknown, patch: unknown): boolean =>
  isMerge(patch)
    ? Object.entries(patch).every(([key, value]) => isMerged(valueAt(live, key), value))
    : (patch ?? undefined) === live

const isMerge = (value: unknown): value is Merge => typeof value === 'object' && value !== null

const nameOf = (live: LiveObject): string =>
  `${textAt(live, 'metadata', 'namespace')}/${textAt(live, 'metadata', 'name')}`
