import { listIn, objectAt, textIn, type Json, type JsonObject, valueIn } from '../../kube/json.ts'
import type { Entry } from '../../kube/store.ts'
import { askedAmounts, type Amounts, amountsIn } from './amounts.ts'

/** What the scheduler looks at of a pod, as the API shows it. */
export type SchedulablePod = {
  readonly key: string
  readonly namespace: string
  readonly labels: JsonObject
  readonly spec: JsonObject
  readonly node: string
  /** It has not ended: it takes room. */
  readonly living: boolean
  /** Told to go: it takes room, and counts for no spread. */
  readonly leaving: boolean
  readonly requests: Amounts
  /** Ports of its node that it takes. */
  readonly ports: readonly HostPort[]
}

export type HostPort = { readonly port: string; readonly protocol: string; readonly ip: string }

/** The pod that an entry of the store holds; read once for each version of it. */
export function podFacts(entry: Entry): SchedulablePod {
  const known = read.get(entry)
  if (known !== undefined) return known
  const facts = factsIn(entry.read(), entry.key)
  read.set(entry, facts)
  return facts
}

const read = new WeakMap<Entry, SchedulablePod>()

function factsIn(pod: JsonObject, key: string): SchedulablePod {
  const spec = objectAt(pod, 'spec')
  const phase = textIn(pod, 'status', 'phase')
  return {
    key,
    namespace: textIn(pod, 'metadata', 'namespace'),
    labels: objectAt(pod, 'metadata', 'labels'),
    spec,
    node: textIn(spec, 'nodeName'),
    living: phase !== 'Succeeded' && phase !== 'Failed',
    leaving: textIn(pod, 'metadata', 'deletionTimestamp') !== '',
    requests: askedAmounts(spec, 'requests'),
    ports: portsOf(spec),
  }
}

function portsOf(spec: JsonObject): readonly HostPort[] {
  const onHost = spec['hostNetwork'] === true
  return listIn(spec, 'containers')
    .flatMap((container) => listIn(container, 'ports'))
    .flatMap((each: Json) => {
      const port = textIn(each, 'hostPort') || (onHost ? textIn(each, 'containerPort') : '')
      const [protocol, ip] = [textIn(each, 'protocol') || 'TCP', textIn(each, 'hostIP') || ANY]
      return port === '' || port === '0' ? [] : [{ port, protocol, ip }]
    })
}

/** Every address of the node. */
export const ANY = '0.0.0.0'

export const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'

/** What the scheduler looks at of a node. */
export type SchedulableNode = {
  readonly name: string
  readonly labels: JsonObject
  readonly taints: readonly Json[]
  readonly cordoned: boolean
  readonly allocatable: Amounts
  /** Pods bound to it that have not ended; grows while pods are placed. */
  readonly pods: SchedulablePod[]
}

export const nodeFacts = (node: JsonObject, pods: SchedulablePod[]): SchedulableNode => ({
  name: textIn(node, 'metadata', 'name'),
  labels: objectAt(node, 'metadata', 'labels'),
  taints: listIn(node, 'spec', 'taints'),
  cordoned: valueIn(node, 'spec', 'unschedulable') === true,
  allocatable: amountsIn(objectAt(node, 'status', 'allocatable')),
  pods,
})
