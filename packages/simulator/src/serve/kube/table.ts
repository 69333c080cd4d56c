import { listIn, numberIn, objectAt, textIn, valueIn, type Json, type JsonObject } from './json.ts'
import type { Kind } from './kinds.ts'

type Column = {
  readonly name: string
  readonly type?: string
  readonly wide?: true
  cell(object: JsonObject, now: number): Json
}

/** Whether a client asked for the Table view, as kubectl does. */
export const wantsTable = (accept: string): boolean => /as=Table/.test(accept) && /g=meta\.k8s\.io/.test(accept)

/** The Table view of objects. `head` false leaves the column definitions out, as in a running watch. */
export function tableOf(
  kind: Kind,
  objects: readonly JsonObject[],
  of: { now: number; version: string; head: boolean; whole: boolean; continueAt?: string },
): JsonObject {
  const columns = COLUMNS[kind.kind] ?? PLAIN
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {
      resourceVersion: of.version,
      ...(of.continueAt === undefined ? {} : { continue: of.continueAt }),
    },
    columnDefinitions: of.head ? columns.map(definition) : [],
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, of.now)),
      object: of.whole ? object : partial(object),
    })),
  }
}

const definition = (column: Column): JsonObject => ({
  name: column.name,
  type: column.type ?? 'string',
  format: column.name === 'Name' ? 'name' : '',
  description: `${column.name} of the object.`,
  priority: column.wide === true ? 1 : 0,
})

const partial = (object: JsonObject): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: objectAt(object, 'metadata'),
})

/** `5d3h`, as kubectl prints ages. */
function ageText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (Number.isNaN(seconds)) return '<unknown>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return withRest(minutes, 'm', [seconds % 60, 's'])
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return withRest(hours, 'h', [minutes % 60, 'm'])
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 8) return withRest(days, 'd', [hours % 24, 'h'])
  return days < 730 ? `${days}d` : `${Math.floor(days / 365)}y`
}
const withRest = (count: number, unit: string, [rest, small]: readonly [number, string]): string =>
  rest === 0 ? `${count}${unit}` : `${count}${unit}${rest}${small}`

const at = (name: string, ...path: readonly string[]): Column => ({
  name,
  cell: (object) => textIn(object, ...path) || '<none>',
})
const wide = (column: Column): Column => ({ ...column, wide: true })
const name: Column = { name: 'Name', cell: (object) => textIn(object, 'metadata', 'name') }
const age: Column = {
  name: 'Age',
  cell: (object, now) => ageText(now - Date.parse(textIn(object, 'metadata', 'creationTimestamp'))),
}
const count = (title: string, ...path: readonly string[]): Column => ({
  name: title,
  type: 'integer',
  cell: (object) => numberIn(object, ...path) ?? 0,
})
const outOf = (title: string, have: readonly string[], want: readonly string[]): Column => ({
  name: title,
  cell: (object) => `${numberIn(object, ...have) ?? 0}/${numberIn(object, ...want) ?? 1}`,
})
const ROLE = 'node-role.kubernetes.io/'
const PLAIN: readonly Column[] = [name, age]

const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  Namespace: [name, at('Status', 'status', 'phase'), age],
  ConfigMap: [
    name,
    { name: 'Data', type: 'integer', cell: (object) => Object.keys(objectAt(object, 'data')).length },
    age,
  ],
  Node: [
    name,
    { name: 'Status', cell: nodeStatus },
    { name: 'Roles', cell: nodeRoles },
    age,
    { name: 'Version', cell: (object) => textIn(object, 'status', 'nodeInfo', 'kubeletVersion') },
    wide({ name: 'Internal-IP', cell: (object) => addressOf(object, 'InternalIP') }),
    wide({ name: 'External-IP', cell: (object) => addressOf(object, 'ExternalIP') }),
    wide({ name: 'OS-Image', cell: (object) => nodeInfo(object, 'osImage') }),
    wide({ name: 'Kernel-Version', cell: (object) => nodeInfo(object, 'kernelVersion') }),
    wide({ name: 'Container-Runtime', cell: (object) => nodeInfo(object, 'containerRuntimeVersion') }),
  ],
  Pod: [
    name,
    {
      name: 'Ready',
      cell: (object) => `${readyContainers(object)}/${listIn(object, 'spec', 'containers').length}`,
    },
    { name: 'Status', cell: podStatus },
    { name: 'Restarts', cell: () => '0' },
    age,
    wide(at('IP', 'status', 'podIP')),
    wide(at('Node', 'spec', 'nodeName')),
    wide(at('Nominated Node', 'status', 'nominatedNodeName')),
    wide({ name: 'Readiness Gates', cell: () => '<none>' }),
  ],
  Deployment: [
    name,
    outOf('Ready', ['status', 'readyReplicas'], ['spec', 'replicas']),
    count('Up-to-date', 'status', 'updatedReplicas'),
    count('Available', 'status', 'availableReplicas'),
    age,
  ],
  ReplicaSet: [
    name,
    count('Desired', 'spec', 'replicas'),
    count('Current', 'status', 'replicas'),
    count('Ready', 'status', 'readyReplicas'),
    age,
  ],
  StatefulSet: [name, outOf('Ready', ['status', 'readyReplicas'], ['spec', 'replicas']), age],
  DaemonSet: [
    name,
    count('Desired', 'status', 'desiredNumberScheduled'),
    count('Current', 'status', 'currentNumberScheduled'),
    count('Ready', 'status', 'numberReady'),
    age,
  ],
  Job: [name, outOf('Completions', ['status', 'succeeded'], ['spec', 'completions']), age],
  CronJob: [name, at('Schedule', 'spec', 'schedule'), count('Active', 'status', 'activeCount'), age],
  Lease: [name, at('Holder', 'spec', 'holderIdentity'), age],
  PodDisruptionBudget: [
    name,
    at('Min Available', 'spec', 'minAvailable'),
    at('Max Unavailable', 'spec', 'maxUnavailable'),
    count('Allowed Disruptions', 'status', 'disruptionsAllowed'),
    age,
  ],
  Event: [
    { name: 'Last Seen', cell: (object, now) => ageText(now - Date.parse(textIn(object, 'lastTimestamp'))) },
    at('Type', 'type'),
    at('Reason', 'reason'),
    {
      name: 'Object',
      cell: (object) =>
        `${textIn(object, 'involvedObject', 'kind').toLowerCase()}/${textIn(object, 'involvedObject', 'name')}`,
    },
    at('Message', 'message'),
  ],
  ClusterQueue: [name, at('Cohort', 'spec', 'cohortName'), count('Pending Workloads', 'status', 'pendingWorkloads')],
  LocalQueue: [
    name,
    at('ClusterQueue', 'spec', 'clusterQueue'),
    count('Pending Workloads', 'status', 'pendingWorkloads'),
    count('Admitted Workloads', 'status', 'admittedWorkloads'),
  ],
  Workload: [name, at('Queue', 'spec', 'queueName'), at('Reserved in', 'status', 'admission', 'clusterQueue'), age],
}

function nodeStatus(node: JsonObject): string {
  const ready = listIn(node, 'status', 'conditions').find((condition) => textIn(condition, 'type') === 'Ready')
  const words = ready === undefined ? ['Unknown'] : [textIn(ready, 'status') === 'True' ? 'Ready' : 'NotReady']
  if (valueIn(node, 'spec', 'unschedulable') === true) words.push('SchedulingDisabled')
  return words.join(',')
}

const addressOf = (node: JsonObject, type: string): string =>
  textIn(
    listIn(node, 'status', 'addresses').find((address) => textIn(address, 'type') === type),
    'address',
  ) || '<none>'
const nodeInfo = (node: JsonObject, key: string): string => textIn(node, 'status', 'nodeInfo', key) || '<unknown>'

const readyContainers = (pod: JsonObject): number =>
  listIn(pod, 'status', 'containerStatuses').filter((status) => valueIn(status, 'ready') === true).length

function nodeRoles(node: JsonObject): string {
  const roles = Object.keys(objectAt(node, 'metadata', 'labels'))
    .filter((label) => label.startsWith(ROLE))
    .map((label) => label.slice(ROLE.length))
    .join(',')
  return roles || '<none>'
}

function podStatus(pod: JsonObject): string {
  if (textIn(pod, 'metadata', 'deletionTimestamp') !== '') return 'Terminating'
  const [status] = listIn(pod, 'status', 'containerStatuses')
  const waiting = textIn(status, 'state', 'waiting', 'reason')
  const ended = textIn(status, 'state', 'terminated', 'reason')
  return waiting || ended || textIn(pod, 'status', 'reason') || textIn(pod, 'status', 'phase')
}
