import type { GpuRequest, WorkloadId } from '../../cluster/workload.ts'
import type { Action } from '../../plan/words/action.ts'
import { listed } from '../../words.ts'
import type { LiveObject, ObjectRef } from '../cluster-writer.ts'
import { listAt, textAt, valueAt } from '../live-object.ts'
import { STOPPABLE } from './stop-write.ts'

/** Kinds whose pods are made again where their template says something else. */
export const RESIZABLE = {
  Deployment: STOPPABLE.Deployment,
  StatefulSet: STOPPABLE.StatefulSet,
  Notebook: STOPPABLE.Notebook,
  InferenceService: STOPPABLE.InferenceService,
  LeaderWorkerSet: STOPPABLE.LeaderWorkerSet,
} as const
export type ResizableKind = keyof typeof RESIZABLE

const isResizable = (kind: string): kind is ResizableKind => Object.hasOwn(RESIZABLE, kind)

export type ResizeTarget = { readonly kind: ResizableKind; readonly object: ObjectRef }

/** Kind and object of a workload whose pods can be given another size; undefined for one of another kind. */
export function resizableOf(workload: WorkloadId): ResizeTarget | undefined {
  const [namespace = '', kind = '', ...rest] = workload.split('/')
  return isResizable(kind) ? { kind, object: { ...RESIZABLE[kind], namespace, name: rest.join('/') } } : undefined
}

export type Resize = Extract<Action, { readonly kind: 'resize' }>

/** What pods ask for before it or afterwards. */
export const resourcesOf = ({ from, to }: Pick<Resize, 'from' | 'to'>): ReadonlySet<string> =>
  new Set([...from, ...to].map(({ resource }) => resource))

/** A container that asks for GPUs in what pods are made from. */
export type GpuAsk = {
  /** JSON pointer to the container. */
  readonly path: string
  /** Empty where the place itself stands for the container, as a predictor's model does. */
  readonly name: string
  /** What else asks runs before this one, and gives its GPUs back. */
  readonly isMain: boolean
  readonly limits: Readonly<Record<string, unknown>>
  /** Undefined where only limits are written: the API server then takes them for requests too. */
  readonly requests: Readonly<Record<string, unknown>> | undefined
}

/** Containers of a live object that ask for one of these resources; in words why nobody can tell which is meant. */
export function gpuAsksOf(
  kind: ResizableKind,
  live: LiveObject,
  resources: ReadonlySet<string>,
): readonly GpuAsk[] | string {
  const name = `${kind} ${textAt(live, 'metadata', 'name')}`
  const parts = partsOf(kind, live)
    .map((part) =>
      containersIn(live, part).filter(({ limits }) => Object.keys(limits).some((key) => resources.has(key))),
    )
    .filter((part) => part.length > 0)
  if (parts.length === 0)
    return `${name} does not define its pods’ requests itself. Change them where they are defined.`
  const several = parts.find((part) => part.filter(({ isMain }) => isMain).length !== 1)
  if (several === undefined) return parts.flat()
  return `Containers ${listed(several.map((each) => each.name))} of ${name} ask for GPUs each. Decide which of them gives up how many, and change it by hand.`
}

/** Whether every pod that is made from it asks for exactly this. */
export const asksFor = (
  asks: readonly GpuAsk[],
  wanted: readonly GpuRequest[],
  resources: ReadonlySet<string>,
): boolean =>
  asks.every(
    ({ isMain, limits }) =>
      !isMain || [...resources].every((resource) => Number(limits[resource] ?? 0) === countOf(wanted, resource)),
  )

export const countOf = (requests: readonly GpuRequest[], resource: string): number =>
  requests.find((request) => request.resource === resource)?.count ?? 0

type Part = readonly string[]

/** Where the specifications of pods, or a predictor's model, are. */
function partsOf(kind: ResizableKind, live: LiveObject): readonly Part[] {
  if (kind === 'LeaderWorkerSet') {
    const group = ['spec', 'leaderWorkerTemplate']
    const own = valueAt(live, ...group, 'leaderTemplate') === undefined ? [] : [[...group, 'leaderTemplate', 'spec']]
    return [[...group, 'workerTemplate', 'spec'], ...own]
  }
  if (kind !== 'InferenceService') return [['spec', 'template', 'spec']]
  const isModel = valueAt(live, 'spec', 'predictor', 'model') !== undefined
  return [isModel ? ['spec', 'predictor', 'model'] : ['spec', 'predictor']]
}

function containersIn(live: LiveObject, part: Part): readonly GpuAsk[] {
  const found = valueAt(live, ...part)
  if (part.at(-1) === 'model') return [askOf(found, `/${part.join('/')}`, { name: '', isMain: true })]
  return LISTS.flatMap((list) =>
    listAt(found, list).map((container, index) =>
      askOf(container, `/${part.join('/')}/${list}/${index}`, {
        name: textAt(container, 'name'),
        isMain: list === 'containers' || textAt(container, 'restartPolicy') === 'Always',
      }),
    ),
  )
}

const LISTS = ['containers', 'initContainers'] as const

const askOf = (container: unknown, path: string, of: Pick<GpuAsk, 'name' | 'isMain'>): GpuAsk => ({
  path,
  ...of,
  limits: quantities(container, 'limits') ?? {},
  requests: quantities(container, 'requests'),
})

function quantities(container: unknown, key: 'limits' | 'requests'): Readonly<Record<string, unknown>> | undefined {
  const found = valueAt(container, 'resources', key)
  return typeof found === 'object' && found !== null ? { ...found } : undefined
}
