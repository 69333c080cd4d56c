import {
  type AmountEdit,
  type AskedPods,
  type ContainerEdit,
  type GpuRequest,
  type PodScheduling,
  isGpuResource,
  isMisspelledGpu,
  readQuantity,
} from '@septet/domain'
import { gpuRequests, sumRequests } from '../read/gpu-requests.ts'
import { requestedShares } from '../read/gpu-shares.ts'
import { groupRules, podScheduling, SchedulingSpec, tolerationOf } from '../read/parse-scheduling.ts'
import { LabelsSchema, PodDemand } from '../read/schemas.ts'
import { claimKey, type ClaimTemplates } from './claim-templates.ts'
import type { PodPart } from './pod-part.ts'
import { groupIn, type PodGroups } from './pod-groups.ts'
import { podRules } from './pod-rules.ts'
import { itemsIn, objectIn, textIn, type Raw } from './raw.ts'

type Around = {
  readonly at: string
  readonly claims: ClaimTemplates
  readonly namespace: string
  readonly podGroups: PodGroups
}

/** Pods of a manifest as they are judged; `unknown` is what leaves all of their job to somebody else. */
export function askedPods(
  part: PodPart,
  { at, claims, namespace, podGroups }: Around,
): {
  readonly pods: AskedPods
  readonly unknown: readonly string[]
  readonly gates: readonly string[]
  readonly group: string | undefined
} {
  const { spec, path } = withModelServer(part)
  const demand = PodDemand.parse(spec)
  const written = SchedulingSpec.parse(spec)
  const labels = LabelsSchema.parse(objectIn(part.metadata, 'labels'))
  const rules = podRules(spec, { labels, namespace })
  const claimed = claimsOf(spec, part.count, claims)
  const annotations = LabelsSchema.parse(objectIn(part.metadata, 'annotations'))
  const scheduling = podScheduling(demand, written, { ownerReferences: [], annotations })
  const { unread: _unread, elsewhere, ...judged } = scheduling
  const priorityClass = textIn(spec, 'priorityClassName')
  const group = groupIn(spec, podGroups)
  return {
    unknown: [
      ...(elsewhere === undefined ? [] : [elsewhere]),
      ...(textIn(spec, 'nodeName') === '' ? [] : ['it names its node itself, so no scheduler decides']),
    ],
    gates: rules.gates,
    group,
    pods: {
      part: part.part,
      count: part.count,
      ...(part.onEachNode === true ? { onEachNode: true } : {}),
      requests: requestsOf(demand, part),
      claims: claimed.asked,
      scheduling: part.onEachNode === true ? onAnyNode(judged) : judged,
      unsaid: unsaidIn(spec),
      labels,
      spread: rules.spread,
      ...(priorityClass === '' ? {} : { priorityClass }),
      preempts: textIn(spec, 'preemptionPolicy') !== 'Never',
      unknown: [
        ...rules.unknown,
        ...claimed.unknown,
        ...groupRules(written, annotations)
          .filter((name) => name !== 'schedulingGroup' || group === undefined)
          .map((name) => `where its group may run by ${name} is not judged`),
      ],
      edit: {
        spec: `${at}${part.path}`,
        hasTolerations: Array.isArray(spec['tolerations']),
        count: part.countPath === undefined ? undefined : `${at}${part.countPath}`,
        ...containerEdits(spec, (index) => `${at}${path(index)}/resources`),
      },
    },
  }
}

/** Its controller has the pods of a DaemonSet tolerate what a node has that is cordoned or not ready. */
const onAnyNode = (judged: PodScheduling): PodScheduling => ({
  ...judged,
  tolerations: [
    ...judged.tolerations,
    ...['unschedulable', 'not-ready', 'unreachable', 'disk-pressure', 'memory-pressure', 'pid-pressure'].map((taint) =>
      tolerationOf({ key: `node.kubernetes.io/${taint}`, operator: 'Exists', value: '', effect: '' }),
    ),
  ],
})

/** Devices by name, those too whose name is misspelled; or shares that KAI gives by annotations. */
function requestsOf(demand: PodDemand, { metadata }: PodPart): readonly GpuRequest[] {
  const named = gpuRequests(demand, (name) => isGpuResource(name) || isMisspelledGpu(name))
  return named.length > 0 ? named : requestedShares(LabelsSchema.parse(objectIn(metadata, 'annotations')))
}

type Shaped = { readonly spec: Raw; readonly path: (container: number) => string }

const MODEL_SERVERS =
  'model triton pytorch tensorflow huggingface onnx sklearn xgboost lightgbm pmml paddle mlflow'.split(' ')

/** KServe's model server is one more container, written beside the list. */
function withModelServer({ spec, path }: PodPart): Shaped {
  const server = MODEL_SERVERS.find((name) => Object.keys(objectIn(spec, name)).length > 0)
  const containers = itemsIn(spec, 'containers')
  if (server === undefined) return { spec, path: (index) => `${path}/containers/${index}` }
  return {
    spec: { ...spec, containers: [...containers, objectIn(spec, server)] },
    path: (index) => (index === containers.length ? `${path}/${server}` : `${path}/containers/${index}`),
  }
}

function claimsOf(
  spec: Raw,
  count: number,
  templates: ClaimTemplates,
): { readonly asked: readonly GpuRequest[]; readonly unknown: readonly string[] } {
  const found = itemsIn(spec, 'resourceClaims').map((claim) => {
    const template = textIn(claim, 'resourceClaimTemplateName')
    if (template !== '') {
      return (
        templates.get(claimKey('ResourceClaimTemplate', template)) ?? {
          unknown: `the claim template ${template} is not in this manifest`,
        }
      )
    }
    const name = textIn(claim, 'resourceClaimName')
    const own = templates.get(claimKey('ResourceClaim', name))
    if (own === undefined)
      return { unknown: `what the claim ${name} asks for, and whether it has devices already, is not in this manifest` }
    return count > 1 ? { unknown: `its pods share the claim ${name}` } : own
  })
  return {
    asked: sumRequests(found.flatMap((each) => ('asked' in each ? each.asked : []))),
    unknown: found.flatMap((each) => ('unknown' in each ? each.unknown : [])),
  }
}

/** A limit without a request is both. */
function unsaidIn(spec: Raw): AskedPods['unsaid'] {
  if (Object.keys(objectIn(spec, 'resources')).length > 0) return []
  const containers = [...itemsIn(spec, 'containers'), ...itemsIn(spec, 'initContainers')]
  return (['cpu', 'memory'] as const).filter((name) =>
    containers.some((each) => LISTS.every((list) => !(name in objectIn(each, 'resources', list)))),
  )
}

type Edits = Pick<AskedPods['edit'], 'gpu' | 'cpu' | 'memory'>

/** Which container a change would be written into. */
function containerEdits(spec: Raw, pointer: (container: number) => string): Edits {
  const containers = itemsIn(spec, 'containers').map((each, index) => ({
    resources: objectIn(each, 'resources'),
    path: pointer(index),
  }))
  const asking = containers.filter(({ resources }) =>
    LISTS.some((list) => Object.keys(objectIn(resources, list)).some(isGpuResource)),
  )
  const [gpu] = asking
  const besides = itemsIn(spec, 'initContainers').length > 0
  return {
    gpu: gpu === undefined || asking.length > 1 || besides ? undefined : gpuEdit(gpu),
    cpu: besides ? undefined : largest(containers, 'cpu', 1000),
    memory: besides ? undefined : largest(containers, 'memory', 1 / 1024 ** 2),
  }
}

const LISTS = ['requests', 'limits'] as const
type Resourced = { readonly resources: Raw; readonly path: string }

const gpuEdit = ({ resources, path }: Resourced): ContainerEdit => ({
  resources: path,
  lists: LISTS.filter((list) => Object.keys(objectIn(resources, list)).some(isGpuResource)),
})

function largest(containers: readonly Resourced[], name: string, scale: number): AmountEdit | undefined {
  const asked = containers.flatMap(({ resources, path }): AmountEdit | [] => {
    const amount = { ...objectIn(resources, 'limits'), ...objectIn(resources, 'requests') }[name]
    const own = readQuantity(amount)
    const hasRequests = Object.keys(objectIn(resources, 'requests')).length > 0
    return own === undefined ? [] : { resources: path, hasRequests, own: own * scale }
  })
  return asked.toSorted((a, b) => b.own - a.own)[0]
}
