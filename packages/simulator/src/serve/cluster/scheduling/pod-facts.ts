import { listAt, objectAt, textAt, type Json, type JsonObject } from '../../kube/json.ts'
import type { Entry } from '../../kube/store.ts'
import { podAmounts, type Amounts } from './amounts.ts'

/** What the scheduler looks at of a pod, as the API shows it. */
export type PodFacts = {
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
export function podFacts(entry: Entry): PodFacts {
  const known = read.get(entry)
  if (known !== undefined) return known
  const facts = factsIn(entry.read(), entry.key)
  read.set(entry, facts)
  return facts
}

const read = new WeakMap<Entry, PodFacts>()

function factsIn(pod: JsonObject, key: string): PodFacts {
  const spec = objectAt(pod, 'spec')
  const phase = textAt(pod, 'status', 'phase')
  return {
    key,
    namespace: textAt(pod, 'metadata', 'namespace'),
    labels: objectAt(pod, 'metadata', 'labels'),
    spec,
    node: textAt(spec, 'nodeName'),
    living: phase !== 'Succeeded' && phase !== 'Failed',
    leaving: textAt(pod, 'metadata', 'deletionTimestamp') !== '',
    requests: podAmounts(spec, 'requests'),
    ports: portsOf(spec),
  }
}

function portsOf(spec: JsonObject): readonly HostPort[] {
  const onHost = spec['hostNetwork'] === true
  return listAt(spec, 'containers')
    .flatMap((container) => listAt(container, 'ports'))
    .flatMap((each: Json) => {
      const port = textAt(each, 'hostPort') || (onHost ? textAt(each, 'containerPort') : '')
      const [protocol, ip] = [textAt(each, 'protocol') || 'TCP', textAt(each, 'hostIP') || ANY]
      return port === '' || port === '0' ? [] : [{ port, protocol, ip }]
    })
}

/** Every address of the node. */
export const ANY = '0.0.0.0'

export const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
