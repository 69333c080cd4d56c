import { listIn, objectAt, textIn, type JsonObject } from '../kube/json.ts'
import { kindNamed, qualifiedKind, type Kind } from '../kube/kinds.ts'
import { Refused } from '../kube/status.ts'
import { POD, putStatus, type Demo } from './cluster.ts'
import { putObject } from './put-object.ts'
import { podFacts } from './scheduling/pod-facts.ts'
import { amountText, counted, hardOf, isInScope, usedBy, type Counted } from './scheduling/quota-use.ts'

const QUOTA = kindNamed('ResourceQuota')
const NAME = 'gpus'
const CREATED = Date.UTC(2025, 5, 2, 9)

/** What some teams may ask for: more than they use. */
const LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'data-science': { 'requests.nvidia.com/gpu': 24, 'requests.nvidia.com/mig-1g.10gb': 8 },
  'media-encoding': { 'requests.nvidia.com/gpu': 24 },
  sandbox: { 'requests.nvidia.com/gpu': 16, 'requests.nvidia.com/mig-1g.10gb': 4 },
}

export function putQuotas(cluster: Demo): void {
  for (const [namespace, hard] of Object.entries(LIMITS)) {
    const amounts = Object.entries(hard).map(([key, amount]) => [key, String(amount)])
    const spec = { hard: Object.fromEntries(amounts) }
    putObject(cluster, 'ResourceQuota', [{ name: NAME, namespace, createdAt: CREATED }, { spec }])
  }
  refreshQuotas(cluster)
}

/** The quota controller counts what is used, and writes it where it has changed; of one namespace, or of all. */
export function refreshQuotas(cluster: Demo, only?: string): void {
  for (const { key, quota, namespace } of quotasIn(cluster, only)) {
    const used = usedOf(cluster, quota, namespace)
    const texts = Object.fromEntries([...used].map(([name, amount]) => [name, amountText(name, amount)]))
    putStatus(cluster, { kind: QUOTA, key }, { hard: objectAt(quota, 'spec', 'hard'), used: texts })
  }
}

const quotasIn = (cluster: Demo, only?: string) =>
  cluster.store.list(QUOTA).flatMap((entry) => {
    const namespace = entry.key.slice(0, entry.key.indexOf('/'))
    return only === undefined || only === namespace ? [{ key: entry.key, quota: entry.read(), namespace }] : []
  })

/** Pods count from when they are made until they have ended. */
function usedOf(cluster: Demo, quota: JsonObject, namespace: string): ReadonlyMap<string, number> {
  const keys = [...hardOf(quota).keys()]
  const kinds = keys.flatMap((key) => COUNTED.find((kind) => `count/${qualifiedKind(kind)}` === key) ?? [])
  const others = [...new Set(kinds)].flatMap((kind) =>
    ownIn(cluster, kind, namespace).map((entry) => counted(qualifiedKind(kind), entry.read())),
  )
  const all = [...podsOf(cluster, namespace, keys), ...others].filter((each) => isInScope(quota, each))
  return new Map(keys.map((key) => [key, all.reduce((sum, each) => sum + usedBy(each, key), 0)]))
}

const ownIn = (cluster: Demo, kind: Kind, namespace: string) =>
  cluster.store.list(kind).filter(({ key }) => key.startsWith(`${namespace}/`))

/** Pods without GPUs, which make up the number of a cluster's pods, are read only where a quota counts them. */
const podsOf = (cluster: Demo, namespace: string, keys: readonly string[]): readonly Counted[] =>
  ownIn(cluster, POD, namespace)
    .filter(({ key }) => cluster.pods.has(key) || !keys.every((each) => each.includes('nvidia.com/')))
    .map(podFacts)
    .map(({ spec, living }) => ({ kind: 'pods', spec, ended: !living }))

/** Whether a write of such an object may change what a quota says is used. */
export const hasQuota = (kind: Kind): boolean => kind === POD || kind === QUOTA || COUNTED.includes(kind)

const COUNTED = ['Deployment', 'ReplicaSet', 'StatefulSet', 'Job', 'CronJob'].map(kindNamed)

/** Admission plugin ResourceQuota: throws where an object that is to be made is more than its namespace may have. */
export function admitToQuotas(cluster: Demo, kind: Kind, object: JsonObject): void {
  const made = counted(qualifiedKind(kind), object)
  for (const { quota, namespace } of quotasIn(cluster, textIn(object, 'metadata', 'namespace'))) {
    if (!isInScope(quota, made)) continue
    const hard = hardOf(quota)
    const name = textIn(quota, 'metadata', 'name')
    const unsaid = kind === POD ? unsaidIn(object, [...hard.keys()]) : []
    if (unsaid.length > 0) throw refusal(kind, object, `failed quota: ${name}: must specify ${unsaid.join(',')}`)
    const wanted = [...hard.keys()]
      .map((key) => ({ key, amount: usedBy(made, key) }))
      .filter(({ amount }) => amount > 0)
    if (wanted.length === 0) continue
    const used = usedOf(cluster, quota, namespace)
    const over = wanted.filter(({ key, amount }) => (used.get(key) ?? 0) + amount > (hard.get(key) ?? 0))
    if (over.length === 0) continue
    const words = (of: (key: string, amount: number) => number): string =>
      over.map(({ key, amount }) => `${key}=${amountText(key, of(key, amount))}`).join(',')
    const [requested, taken] = [words((_, amount) => amount), words((key) => used.get(key) ?? 0)]
    const limited = words((key) => hard.get(key) ?? 0)
    throw refusal(kind, object, `exceeded quota: ${name}, requested: ${requested}, used: ${taken}, limited: ${limited}`)
  }
}

/** A quota on CPU or memory wants every container to say how much of it; one on devices does not. */
function unsaidIn(pod: JsonObject, keys: readonly string[]): readonly string[] {
  const containers = [...listIn(pod, 'spec', 'containers'), ...listIn(pod, 'spec', 'initContainers')]
  return keys.filter((key) => {
    const [, list = 'requests', name = ''] = /^(?:(requests|limits)\.)?(cpu|memory)$/u.exec(key) ?? []
    if (name === '' || objectAt(pod, 'spec', 'resources', list)[name] !== undefined) return false
    return containers.some((each) => objectAt(each, 'resources', list)[name] === undefined)
  })
}

/** What admission answers for an object that must not be made. */
export function refusal(kind: Kind, object: JsonObject, why: string): Refused {
  const name = textIn(object, 'metadata', 'name')
  const message = `${qualifiedKind(kind)} "${name}" is forbidden: ${why}`
  return new Refused(403, 'Forbidden', { message, details: { name, kind: kind.plural } })
}
