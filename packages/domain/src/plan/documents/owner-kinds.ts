import type { GpuContainer, PodTemplate, Workload } from '../../cluster/workload.ts'

/** Where an owner says what a container of its pods asks for. */
type ResourcesPlace = {
  /** JSON pointer to the container's `resources`. */
  readonly path: string
  /** Whether they may be missing there, as where a runtime says them. */
  readonly mayBeMissing: boolean
  /** What must stand there, so that a patch fails instead of touching another container. */
  readonly tests: readonly { readonly path: string; readonly value: string }[]
  /** The pointer goes through place 0 of a list in `spec`; the right place is that of the item whose `key` is `name`. */
  readonly among?: ListItem
}
export type ListItem = { readonly list: string; readonly key: string; readonly name: string }

type Merge = Readonly<Record<string, unknown>>

/** What a kind of owner lets be changed, and where. */
type OwnerKind = {
  /** Undefined for a part that this kind does not make. */
  readonly resources?: (template: PodTemplate, container: GpuContainer, all: Workload) => ResourcesPlace | undefined
  /** Its running pods keep what they have until it was suspended. */
  readonly suspends?: true
  /** Merged into the object it stops all its pods, and makes them again. */
  readonly stop?: { readonly off: Merge; readonly on: Merge }
  /** Why its pods cannot be changed but by making it again. */
  readonly isImmutable?: true
}

const inTemplate =
  (spec: string) =>
  (_template: PodTemplate, { list, index, name }: GpuContainer): ResourcesPlace => {
    const container = `${spec}/${list}/${index}`
    return { path: `${container}/resources`, mayBeMissing: false, tests: [{ path: `${container}/name`, value: name }] }
  }

const PLAIN: OwnerKind = { resources: inTemplate('/spec/template/spec') }
const SUSPEND = { off: { spec: { suspend: true } }, on: { spec: { suspend: false } } }
const annotated = (name: string, value: string | null): Merge => ({ metadata: { annotations: { [name]: value } } })
const switched = (name: string): NonNullable<OwnerKind['stop']> => ({
  off: annotated(name, 'true'),
  on: annotated(name, null),
})

/**
 * Kinds whose own object is known: KubeRay `ray.io/v1`, Kubeflow `kubeflow.org/v1` (notebooks and training operator), KServe
 * `serving.kserve.io/v1beta1`, `leaderworkerset.x-k8s.io/v1`, `jobset.x-k8s.io/v1alpha2`. A notebook is stopped while the
 * annotation is there, whatever its value.
 */
export const OWNER_KINDS: Readonly<Record<string, OwnerKind | undefined>> = {
  Deployment: PLAIN,
  StatefulSet: PLAIN,
  DaemonSet: PLAIN,
  ReplicaSet: PLAIN,
  Notebook: { ...PLAIN, stop: switched('kubeflow-resource-stopped') },
  InferenceService: { resources: inPredictor, stop: switched('serving.kserve.io/stop') },
  LeaderWorkerSet: { resources: inGroup },
  RayCluster: { resources: inRayGroup, suspends: true, stop: SUSPEND },
  PyTorchJob: {
    resources: inReplicaType,
    suspends: true,
    stop: { off: { spec: { runPolicy: { suspend: true } } }, on: { spec: { runPolicy: { suspend: false } } } },
  },
  Job: { isImmutable: true, stop: SUSPEND },
  JobSet: { isImmutable: true, stop: SUSPEND },
  Pod: { isImmutable: true },
}

/** A predictor that names a model has its resources there; a runtime says them where it leaves them out. */
function inPredictor({ part }: PodTemplate): ResourcesPlace | undefined {
  return part === 'predictor' ? { path: '/spec/predictor/model/resources', mayBeMissing: true, tests: [] } : undefined
}

/** Leaders are made like workers unless they have a template of their own, which their containers tell. */
function inGroup(template: PodTemplate, container: GpuContainer, { templates = [] }: Workload): ResourcesPlace {
  const worker = templates.find(({ part }) => part === 'worker')
  const isOwn = template.part === 'leader' && worker !== undefined && namesOf(worker) !== namesOf(template)
  return inTemplate(`/spec/leaderWorkerTemplate/${isOwn ? 'leaderTemplate' : 'workerTemplate'}/spec`)(
    template,
    container,
  )
}

const namesOf = ({ containers }: PodTemplate): string => JSON.stringify(containers.map(({ name }) => name))

function inRayGroup(template: PodTemplate, container: GpuContainer): ResourcesPlace {
  if (template.part === 'headgroup') return inTemplate('/spec/headGroupSpec/template/spec')(template, container)
  const among = { list: 'workerGroupSpecs', key: 'groupName', name: template.part }
  const place = inTemplate('/spec/workerGroupSpecs/0/template/spec')(template, container)
  const test = { path: '/spec/workerGroupSpecs/0/groupName', value: template.part }
  return { ...place, tests: [test, ...place.tests], among }
}

/** The label has the type in lower case, the object with a capital. */
function inReplicaType(template: PodTemplate, container: GpuContainer): ResourcesPlace {
  const type = `${template.part.slice(0, 1).toUpperCase()}${template.part.slice(1)}`
  return inTemplate(`/spec/pytorchReplicaSpecs/${type}/template/spec`)(template, container)
}
