import { pointerKey } from './json-pointer.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { GpuContainer, GpuRequest, PodId, PodTemplate, Workload } from '../../cluster/workload.ts'
import { findModel } from '../../gpu/catalog.ts'
import { listed } from '../../words.ts'
import type { Action } from '../words/action.ts'
import { type ListItem, OWNER_KINDS } from './owner-kinds.ts'

/**
 * An Eviction object, to be posted to the pod's `eviction` subresource, where disruption budgets hold. The API server
 * refuses it for another pod of the same name.
 */
export function evictionOf(pod: PodId, uid: string): Readonly<Record<string, unknown>> {
  const [namespace = '', name = ''] = pod.split('/')
  return {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace, name },
    deleteOptions: { preconditions: { uid } },
  }
}

/** A change of a workload's object: a patch, or why there is none and what to do by hand. */
export type WorkloadPatch =
  | { readonly kind: 'patch'; readonly type: 'strategic'; readonly body: unknown }
  | {
      readonly kind: 'patch'
      readonly type: 'json'
      readonly body: unknown
      /** A jsonpath, and what it gives once the patch is done, so that it is not done twice. */
      readonly asked: { readonly path: string; readonly wanted: string }
      /** Patch and jsonpath speak of place 0 of this list: the place of the item has to be put in. */
      readonly among: ListItem | undefined
      /** Merged in before and after, as its pods keep what they have until it was suspended. */
      readonly around: { readonly before: unknown; readonly after: unknown } | undefined
    }
  | { readonly kind: 'by-hand'; readonly because: string }

/**
 * New GPU requests as JSON patches, one for each part of the owner: limits and requests of every container that asks for
 * GPUs, init containers and sidecars too. Each tests the names that it relies on, so that it fails instead of touching
 * another container. For an owner that cannot be patched, or is not known, words say what to do.
 */
export function resizePatches(workload: Workload, { from, to }: Resize): readonly WorkloadPatch[] {
  const { kind, templates = [] } = workload
  const owner = OWNER_KINDS[kind]
  if (owner?.resources === undefined || templates.length === 0) return [byHand(workload, to)]
  const patches = templates.map((template) => partPatch(workload, template, { from, to }) ?? byHand(workload, to))
  // Parts that are made from one template have one patch.
  return patches.filter((patch, order) => {
    const text = JSON.stringify(patch)
    return patches.findIndex((each) => JSON.stringify(each) === text) === order
  })
}

type Resize = { readonly from: readonly GpuRequest[]; readonly to: readonly GpuRequest[] }

function partPatch(workload: Workload, template: PodTemplate, { from, to }: Resize): WorkloadPatch | undefined {
  const owner = OWNER_KINDS[workload.kind]
  const { containers } = template
  const asking = containers.filter(staysUp)
  if (asking.length > 1) return { kind: 'by-hand', because: severalAsk(workload, asking) }
  const changes = containers.flatMap((container) => {
    const place = owner?.resources?.(template, container, workload)
    return place === undefined ? [] : { place, container, resources: resourcesOf(container, asking[0], to) }
  })
  const [first] = changes
  if (owner === undefined || first === undefined || changes.length < containers.length) return undefined
  const body = changes.flatMap(({ place: { path, mayBeMissing, tests }, container, resources }) => [
    ...tests.map((test) => ({ op: 'test', ...test })),
    ...(container === asking[0] && MERGED.has(workload.kind) ? asksFor(from, path) : []),
    ...(mayBeMissing
      ? [{ op: 'add', path, value: resources }]
      : Object.entries(resources).map(([key, value]) => ({ op: 'add', path: `${path}/${key}`, value }))),
  ])
  const { stop } = owner
  return {
    kind: 'patch',
    type: 'json',
    body,
    asked: askedOnce(first.place.path, first.container.gpus, to),
    among: first.place.among,
    around: owner.suspends === undefined || stop === undefined ? undefined : { before: stop.off, after: stop.on },
  }
}

/** Built-in kinds keep quantities as text, so that what is there can be tested; others keep them as they were written. */
const asksFor = (requests: readonly GpuRequest[], path: string) =>
  requests.map(({ resource, count }) => ({
    op: 'test',
    path: `${path}/limits/${pointerKey(resource)}`,
    value: String(count),
  }))

/** Containers that run side by side; what the other init containers ask for is given back before these start. */
const staysUp = ({ list, isSidecar }: GpuContainer): boolean => list === 'containers' || isSidecar

/** Limits and requests with other GPUs in them, and all else as it is. An init container gets no more than it asked for. */
function resourcesOf(container: GpuContainer, main: GpuContainer | undefined, to: readonly GpuRequest[]) {
  const isBack = JSON.stringify(main?.gpus) === JSON.stringify(to)
  const most = container.gpus.reduce((sum, { count }) => sum + count, 0)
  const fewer = to.map(({ resource, count }) => ({
    resource,
    count: container === main ? count : Math.min(count, most),
  }))
  const gpus = Object.fromEntries(
    (isBack ? container.gpus : fewer).map(({ resource, count }) => [resource, String(count)]),
  )
  const gone = new Set(container.gpus.map(({ resource }) => resource))
  const others = (quantities: GpuContainer['limits']) =>
    Object.fromEntries(Object.entries(quantities).filter(([name]) => !gone.has(name)))
  return { limits: { ...others(container.limits), ...gpus }, requests: { ...others(container.requests), ...gpus } }
}

const severalAsk = ({ kind, name }: Workload, asking: readonly GpuContainer[]): string =>
  `Containers ${listed(asking.map((each) => each.name))} of ${kind} ${name} ask for GPUs each. Decide which of them gives up how many.`

/** The limits that a resize changes, each followed by a comma. */
function askedOnce(
  pointer: string,
  from: readonly GpuRequest[],
  to: readonly GpuRequest[],
): { readonly path: string; readonly wanted: string } {
  const limits = `{${pointer.replaceAll(/\/(\d+)(?=\/)/gu, '[$1]').replaceAll('/', '.')}.limits`
  const gone = from.filter(({ resource }) => !to.some((request) => request.resource === resource))
  const names = [...gone, ...to].map(({ resource }) => resource.replaceAll('.', String.raw`\.`))
  return {
    path: names.map((name) => `${limits}.${name}},`).join(''),
    wanted: [...gone.map(() => ','), ...to.map(({ count }) => `${count},`)].join(''),
  }
}

/** What merged into the object stops its pods, or makes them again; undefined where the kind has no such switch. */
export const stopPatch = (kind: string, to: number): unknown => OWNER_KINDS[kind]?.stop?.[to === 0 ? 'off' : 'on']

/**
 * A node selector that leads to the destination, as a merge into the one that is there: labels of pool and model are set,
 * and what the pods select by today but the destination's nodes do not wear is taken out. A destination without pool and
 * model is the way back: what was taken out is set again. Required node affinity is left for a person to change.
 */
export function placePatch(
  { kind, name }: Workload,
  { from, to, rules }: Pick<Reschedule, 'from' | 'to' | 'rules'>,
  nodes: readonly GpuNode[],
): WorkloadPatch {
  if (!MERGED.has(kind)) {
    const aim = listed([to.pool, to.model].filter((part) => part !== ''))
    return {
      kind: 'by-hand',
      because: `${kind} ${name} has a template of its own kind. Change its node selector in its own source${aim === '' ? ' back' : `, so that it leads to ${aim}`}.`,
    }
  }
  const isBack = to.pool === '' && to.model === ''
  const place = isBack ? from : to
  if (rules.hasAffinity) {
    const aim = isBack ? 'what it allowed before' : [to.pool, to.model].filter((part) => part !== '').join(', ')
    return {
      kind: 'by-hand',
      because: `${kind} ${name} has a required node affinity: change it so that it allows ${aim}.`,
    }
  }
  const added = { ...poolLabel(place.pool, nodes), ...modelLabel(place.model) }
  const there = nodes.filter((node) => (place.pool === '' || node.pool === place.pool) && matches(node, place.model))
  const conflicting = Object.entries(rules.nodeSelector).filter(
    ([key, value]) => !(key in added) && !there.some(({ room }) => room.labels[key] === value),
  )
  // A null takes a key out of what is merged into.
  const nodeSelector: Readonly<Record<string, string | null>> = isBack
    ? Object.fromEntries([
        ...Object.keys(added).map((key) => [key, rules.nodeSelector[key] ?? null] as const),
        ...conflicting,
      ])
    : { ...added, ...Object.fromEntries(conflicting.map(([key]) => [key, null])) }
  return { kind: 'patch', type: 'strategic', body: { spec: { template: { spec: { nodeSelector } } } } }
}

type Reschedule = Extract<Action, { readonly kind: 'reschedule' }>

const matches = (node: GpuNode, model: string): boolean => model === '' || node.model === model

/** Built-in kinds, of which a strategic patch is known to be merged. */
const MERGED = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'])

function byHand({ kind, namespace, name, templates = [] }: Workload, to: readonly GpuRequest[]): WorkloadPatch {
  const what = listed(to.map(({ resource, count }) => `${resource}: ${count}`))
  const whose = listed(templates.flatMap(({ containers }) => containers.map((each) => each.name)))
  const asks = `${what === '' ? 'no GPU' : what} as limit and as request${whose === '' ? '' : ` of ${whose}`}`
  if (OWNER_KINDS[kind]?.isImmutable === true) {
    const object = `${kind.toLowerCase()}/${name}`
    const source = kind === 'Pod' ? '' : ', from its own source'
    return {
      kind: 'by-hand',
      because: `The pods of ${kind} ${name} cannot be changed. Keep it (kubectl get ${object} -n ${namespace} -o yaml), delete it, and recreate it${source} with ${asks}; work starts from its last checkpoint.`,
    }
  }
  return {
    kind: 'by-hand',
    because: `Where ${kind} ${name} keeps what its pods ask for is unknown. Set ${asks} in its own source.`,
  }
}

/** The label by which a cloud or Karpenter names the pool, as a node of the pool wears it. */
function poolLabel(pool: string, nodes: readonly GpuNode[]): Readonly<Record<string, string>> {
  const labels = nodes.filter((node) => pool !== '' && node.pool === pool).map(({ room }) => room.labels)
  const key = POOL_KEYS.find((candidate) => labels.some((each) => each[candidate] === pool))
  return key === undefined ? {} : { [key]: pool }
}

const POOL_KEYS = [
  'karpenter.sh/nodepool',
  'cloud.google.com/gke-nodepool',
  'eks.amazonaws.com/nodegroup',
  'kubernetes.azure.com/agentpool',
  'agentpool',
]

function modelLabel(model: string): Readonly<Record<string, string>> {
  const product = model === '' ? undefined : findModel(model)?.gfdProduct
  return product === undefined ? {} : { 'nvidia.com/gpu.product': product }
}
