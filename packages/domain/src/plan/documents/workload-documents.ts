import type { GpuNode } from '../../cluster/node.ts'
import type { GpuRequest, PodId, Workload } from '../../cluster/workload.ts'
import { findModel } from '../../gpu/catalog.ts'
import type { Action } from '../words/action.ts'

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
    }
  | { readonly kind: 'by-hand'; readonly because: string }

/**
 * New GPU requests as a JSON patch with a `test` on what is there, so that it fails instead of touching another container
 * or another state. Extended resources need limits only; requests follow from them.
 */
export function resizePatch(
  { kind, name }: Workload,
  from: readonly GpuRequest[],
  to: readonly GpuRequest[],
): WorkloadPatch {
  const template = TEMPLATE_PATHS[kind]
  if (template === undefined) return { kind: 'by-hand', because: whyByHand(kind, name) }
  const limits = `${template}/spec/containers/0/resources/limits`
  const path = (resource: string): string => `${limits}/${resource.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const tests = from.map(({ resource, count }) => ({ op: 'test', path: path(resource), value: String(count) }))
  const gone = from.filter(({ resource }) => !to.some((request) => request.resource === resource))
  const removals = gone.map(({ resource }) => ({ op: 'remove', path: path(resource) }))
  const additions = to.map(({ resource, count }) => ({ op: 'add', path: path(resource), value: String(count) }))
  return { kind: 'patch', type: 'json', body: [...tests, ...removals, ...additions], asked: askedOnce(gone, to) }
}

/** The limits that a resize changes, each followed by a comma. */
function askedOnce(
  gone: readonly GpuRequest[],
  to: readonly GpuRequest[],
): { readonly path: string; readonly wanted: string } {
  const limits = '{.spec.template.spec.containers[0].resources.limits'
  const names = [...gone, ...to].map(({ resource }) => resource.replaceAll('.', String.raw`\.`))
  return {
    path: names.map((name) => `${limits}.${name}},`).join(''),
    wanted: [...gone.map(() => ','), ...to.map(({ count }) => `${count},`)].join(''),
  }
}

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
  if (TEMPLATE_PATHS[kind] === undefined) return { kind: 'by-hand', because: whyByHand(kind, name) }
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

const TEMPLATE_PATHS: Readonly<Record<string, string | undefined>> = {
  Deployment: '/spec/template',
  StatefulSet: '/spec/template',
  DaemonSet: '/spec/template',
  ReplicaSet: '/spec/template',
}

function whyByHand(kind: string, name: string): string {
  if (kind === 'Job') {
    return `The pod template of a Job cannot be changed. Delete Job ${name} and create it anew from its own source with these requests; it starts from its last checkpoint.`
  }
  if (kind === 'Pod') {
    return `The resources of a pod cannot be changed. Delete pod ${name} and create it anew with these requests.`
  }
  return `${kind} ${name} has a template of its own kind. Change the requests in its own source.`
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
