/* oxlint-disable complexity, max-params, typescript/no-unsafe-type-assertion -- what an API server and its controllers do stands in one list each, and objects have no types */
import { textAt, type ClusterWrite, type LiveObject, type ObjectRef, type WriteOutcome } from '@septet/domain'
import { textsAt, valueAt } from '@septet/domain/testing'

/** A small cluster as a value: what its API server keeps, and how its GPUs are cut. */
export type Cluster = {
  readonly objects: Readonly<Record<string, LiveObject>>
  /** Profiles of the one GPU of each node. */
  readonly cuts: Readonly<Record<string, readonly string[]>>
  /** What each configuration of mig-manager cuts a GPU into. */
  readonly configs: Readonly<Record<string, readonly string[]>>
  /** By node the configuration that its mig-manager has taken up last; none: it starts anew with whatever the label says. */
  readonly takenUp: Readonly<Record<string, string>>
  /** How many pods were made. */
  readonly made: number
}

export const MIG = 'nvidia.com/mig.config'
export const MIG_STATE = 'nvidia.com/mig.config.state'

export const pathOf = ({ resource, namespace, name }: Pick<ObjectRef, 'resource' | 'namespace' | 'name'>): string =>
  namespace === undefined ? `${resource}/${name}` : `${resource}/${namespace}/${name}`

export const isoTime = (at: number): string => new Date(Math.floor(at / 1000) * 1000).toISOString().replace('.000', '')

/** Objects of a kind, in order of their paths. */
export function listed(
  { objects }: Cluster,
  { resource, namespace }: Pick<ObjectRef, 'resource' | 'namespace'>,
  { labelSelector, fieldSelector }: { readonly labelSelector?: string; readonly fieldSelector?: string } = {},
): readonly LiveObject[] {
  const [label, worn] = labelSelector?.split('=') ?? []
  const [field, held] = fieldSelector?.split('=') ?? []
  const prefix = namespace === undefined ? `${resource}/` : `${resource}/${namespace}/`
  return Object.entries(objects).flatMap(([path, object]) => {
    const isMeant =
      path.startsWith(prefix) &&
      (label === undefined || textsAt(object, 'metadata', 'labels')[label] === worn) &&
      (field === undefined || valueAt(object, ...field.split('.')) === held)
    return isMeant ? [object] : []
  })
}

/** What a write changes; `cluster` is the same where it changes nothing. */
export type Applied = { readonly cluster: Cluster; readonly outcome: WriteOutcome }

const refused = (cluster: Cluster, because: string, status: number): Applied => ({
  cluster,
  outcome: status === 409 ? { kind: 'later', because, afterMs: undefined } : { kind: 'refused', because, status },
})
const did = (cluster: Cluster): Applied => ({ cluster, outcome: { kind: 'done' } })

/** As an API server takes a write. */
export function applied(cluster: Cluster, write: ClusterWrite, now: number): Applied {
  const path = pathOf(write.object)
  const live = cluster.objects[path]
  if (write.verb === 'create') {
    return live === undefined
      ? did(withObject(cluster, path, { ...(write.body as LiveObject) }, now))
      : refused(cluster, 'AlreadyExists', 409)
  }
  if (live === undefined) return write.verb === 'patch' ? refused(cluster, 'NotFound', 404) : did(cluster)
  if (write.verb === 'evict' || write.verb === 'delete') {
    // The pod of that name with another uid is left alone.
    if (textAt(live, 'metadata', 'uid') !== write.uid) return did(cluster)
    if (textAt(live, 'metadata', 'deletionTimestamp') !== '') return did(cluster)
    return did(withObject(cluster, path, merged(live, { metadata: { deletionTimestamp: isoTime(now) } }), now))
  }
  const patched = write.type === 'json' ? jsonPatched(live, write.body) : mergePatched(live, write.body)
  if (typeof patched === 'string') return refused(cluster, patched, patched.startsWith('test') ? 422 : 409)
  return JSON.stringify(patched) === JSON.stringify(live) ? did(cluster) : did(withObject(cluster, path, patched, now))
}

/** The object as it is then, of the next version. */
export function withObject(cluster: Cluster, path: string, object: LiveObject, now: number): Cluster {
  const before = Number(textAt(cluster.objects[path], 'metadata', 'resourceVersion') || '0')
  const managed = path.startsWith('configmaps/gpu-operator/')
    ? { managedFields: [{ manager: 'septet', time: isoTime(now) }] }
    : {}
  const next = merged(object, { metadata: { resourceVersion: String(before + 1), ...managed } })
  return { ...cluster, objects: { ...cluster.objects, [path]: next } }
}

function withoutObject(cluster: Cluster, path: string): Cluster {
  const { [path]: _, ...objects } = cluster.objects
  return { ...cluster, objects }
}

const isMap = (value: unknown): value is LiveObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function merged(into: LiveObject, patch: LiveObject): LiveObject {
  const result: Record<string, unknown> = { ...into }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else if (isMap(value)) result[key] = merged(isMap(result[key]) ? result[key] : {}, value)
    else result[key] = value
  }
  return result
}

function mergePatched(live: LiveObject, body: unknown): LiveObject | string {
  if (!isMap(body)) return 'a merge is an object'
  const named = textAt(body, 'metadata', 'resourceVersion')
  const is = textAt(live, 'metadata', 'resourceVersion')
  if (named !== '' && named !== is) return `the object has been modified: it is ${is}, not ${named}`
  return merged(live, body)
}

type Operation = { readonly op: string; readonly path: string; readonly value?: unknown }

function jsonPatched(live: LiveObject, body: unknown): LiveObject | string {
  let result = live
  for (const { op, path, value } of body as readonly Operation[]) {
    const keys = path
      .slice(1)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (op === 'test') {
      if (valueAt(result, ...keys) !== value) return `the test of ${path} failed`
    } else {
      const patch = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), op === 'remove' ? null : value)
      result = merged(result, patch as LiveObject)
    }
  }
  return result
}

type OwnMove = readonly [says: string, leadsTo: Cluster]

/** What a cluster does by itself next, each with its name. A person's clock plays no part in it. */
export function ownMoves(cluster: Cluster, now: number, mayFail: boolean): readonly OwnMove[] {
  return [...leaving(cluster, now), ...placing(cluster, now), ...cutting(cluster, now, mayFail)]
}

const isLeaving = (pod: LiveObject): boolean => textAt(pod, 'metadata', 'deletionTimestamp') !== ''

/** Pods that were asked to stop are gone, and whatever made them makes the next one. */
function leaving(cluster: Cluster, now: number): readonly OwnMove[] {
  return listed(cluster, { resource: 'pods', namespace: undefined })
    .filter(isLeaving)
    .map((pod) => {
      const [namespace, name] = [textAt(pod, 'metadata', 'namespace'), textAt(pod, 'metadata', 'name')]
      const gone = withoutObject(cluster, `pods/${namespace}/${name}`)
      const owner = textAt(pod, 'metadata', 'labels', 'app')
      const isWanted = namespace === 'gpu-operator' || replicasOf(gone, owner) > podsOf(gone, owner).length
      return [`${name} leaves`, isWanted ? remade(gone, pod, now) : gone]
    })
}

const replicasOf = (cluster: Cluster, app: string): number =>
  Number(valueAt(cluster.objects[`deployments/lab/${app}`], 'spec', 'replicas') ?? 0)

const podsOf = (cluster: Cluster, app: string) =>
  listed(cluster, { resource: 'pods', namespace: 'lab' }, { labelSelector: `app=${app}` }).filter(
    (pod) => !isLeaving(pod),
  )

function remade(cluster: Cluster, pod: LiveObject, now: number): Cluster {
  const made = cluster.made + 1
  const namespace = textAt(pod, 'metadata', 'namespace')
  const app = textAt(pod, 'metadata', 'labels', 'app')
  const isManager = namespace === 'gpu-operator'
  const name = isManager ? textAt(pod, 'metadata', 'name') : `${app}-${made}`
  const { deletionTimestamp: _, ...metadata } = valueAt(pod, 'metadata') as LiveObject
  const { nodeName: __, ...spec } = valueAt(pod, 'spec') as LiveObject
  const next: LiveObject = {
    ...pod,
    metadata: { ...metadata, name, uid: `${name}#${made}`, creationTimestamp: isoTime(now) },
    spec: isManager ? valueAt(pod, 'spec') : spec,
    status: isManager ? { ...READY, reads: mapText(cluster) } : { phase: 'Pending' },
  }
  const node = textAt(pod, 'spec', 'nodeName')
  const isAtRest = textAt(cluster.objects[`nodes/${node}`], 'metadata', 'labels', MIG_STATE) === 'success'
  const takenUp = isManager && !isAtRest ? { ...cluster.takenUp, [node]: '' } : cluster.takenUp
  return { ...withObject(cluster, `pods/${namespace}/${name}`, next, now), made, takenUp }
}

export const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
const mapText = (cluster: Cluster): string =>
  textAt(cluster.objects['configmaps/gpu-operator/custom-mig-config'], 'data', 'config.yaml')

/** What a pod asks for, as a profile. */
export const profileOf = (pod: LiveObject): string =>
  textAt(pod, 'status', 'profile') || textAt(pod, 'metadata', 'labels', 'profile')

/** The scheduler gives a pod that waits the first free instance of its profile on a node that is open. */
function placing(cluster: Cluster, now: number): readonly OwnMove[] {
  const pods = listed(cluster, { resource: 'pods', namespace: 'lab' })
  const waiting = pods.find((pod) => valueAt(pod, 'spec', 'nodeName') === undefined && !isLeaving(pod))
  if (waiting === undefined) return sizing(cluster, now)
  const node = Object.keys(cluster.cuts).find((name) => {
    const isOpen = valueAt(cluster.objects[`nodes/${name}`], 'spec', 'unschedulable') !== true
    const free = freeOn(cluster, name, profileOf(waiting))
    return isOpen && free > 0
  })
  if (node === undefined) return sizing(cluster, now)
  const name = textAt(waiting, 'metadata', 'name')
  const next = merged(waiting, { spec: { nodeName: node }, status: { phase: 'Running' } })
  return [[`${name} starts on ${node}`, withObject(cluster, `pods/lab/${name}`, next, 0)]]
}

/** A Deployment that has fewer pods than it wants makes one, and one that has more stops one. */
function sizing(cluster: Cluster, now: number): readonly OwnMove[] {
  return listed(cluster, { resource: 'deployments', namespace: 'lab' }).flatMap((deployment): readonly OwnMove[] => {
    const app = textAt(deployment, 'metadata', 'name')
    const own = podsOf(cluster, app)
    const wanted = replicasOf(cluster, app)
    if (own.length > wanted) {
      const last = own.at(-1)
      const name = textAt(last, 'metadata', 'name')
      return last === undefined
        ? []
        : [
            [
              `${name} is asked to stop`,
              withObject(cluster, `pods/lab/${name}`, merged(last, { metadata: { deletionTimestamp: isoTime(0) } }), 0),
            ] as const,
          ]
    }
    const profile = textAt(deployment, 'metadata', 'labels', 'profile')
    const all = listed(cluster, { resource: 'pods', namespace: 'lab' }, { labelSelector: `app=${app}` })
    if (all.length >= wanted) return []
    const pod = podObject({
      app,
      name: `${app}-${cluster.made + 1}`,
      uid: `${app}#${cluster.made + 1}`,
      profile,
      node: undefined,
      now,
    })
    const made = { ...cluster, made: cluster.made + 1 }
    return [[`${app} makes a pod`, withObject(made, `pods/lab/${app}-${made.made}`, pod, 0)] as const]
  })
}

type PodAsk = {
  readonly app: string
  readonly name: string
  readonly uid: string
  readonly profile: string
  readonly node: string | undefined
  readonly now?: number
}

export const podObject = ({ app, name, uid, profile, node, now = 0 }: PodAsk): LiveObject => ({
  metadata: { name, namespace: 'lab', uid, labels: { app, profile }, creationTimestamp: isoTime(now) },
  spec: {
    ...(node === undefined ? {} : { nodeName: node }),
    containers: [{ resources: { limits: { [`nvidia.com/mig-${profile}`]: '1' } } }],
  },
  status: { phase: node === undefined ? 'Pending' : 'Running' },
})

/** Pods that hold an instance of a node, those that stop among them. */
const holdersOn = (cluster: Cluster, node: string): readonly LiveObject[] =>
  listed(cluster, { resource: 'pods', namespace: 'lab' }, { fieldSelector: `spec.nodeName=${node}` })

function freeOn(cluster: Cluster, node: string, profile: string): number {
  const all = cluster.cuts[node]?.filter((each) => each === profile).length ?? 0
  return all - holdersOn(cluster, node).filter((pod) => profileOf(pod) === profile).length
}

/** mig-manager sees a label that it has not carried out yet, works on it, and says what came of it. */
function cutting(cluster: Cluster, now: number, mayFail: boolean): readonly OwnMove[] {
  return Object.keys(cluster.cuts).flatMap((name): readonly OwnMove[] => {
    const path = `nodes/${name}`
    const node = cluster.objects[path]
    const manager = cluster.objects[`pods/gpu-operator/mig-manager-${name}`]
    if (node === undefined || manager === undefined || isLeaving(manager)) return []
    const [config, state] = [textAt(node, 'metadata', 'labels', MIG), textAt(node, 'metadata', 'labels', MIG_STATE)]
    const says = (value: string, change: Partial<Cluster> = {}): Cluster =>
      withObject(
        { ...cluster, ...change },
        path,
        merged(node, {
          metadata: { labels: { [MIG_STATE]: value } },
          ...('cuts' in change ? { status: { allocatable: offered(change.cuts?.[name] ?? []) } } : {}),
        }),
        now,
      )
    const taken = cluster.takenUp[name] ?? ''
    if (state !== 'pending' || taken === '') {
      const begins = says('pending', { takenUp: { ...cluster.takenUp, [name]: config } })
      return config === taken ? [] : [[`mig-manager begins on ${name}`, begins]]
    }
    const wanted = cluster.configs[taken]
    const isKnown = wanted !== undefined && textAt(manager, 'status', 'reads').includes(taken)
    if (!isKnown || holdersOn(cluster, name).length > 0)
      return [[`mig-manager fails on ${name}`, says('failed')] as const]
    const cut = [`mig-manager cuts ${name}`, says('success', { cuts: { ...cluster.cuts, [name]: wanted } })] as const
    return mayFail ? [cut, [`mig-manager fails on ${name} by chance`, says('failed')] as const] : [cut]
  })
}

const ALL_PROFILES = ['1g.10gb', '2g.20gb', '3g.40gb', '7g.80gb']
export const offered = (profiles: readonly string[]): LiveObject =>
  Object.fromEntries(
    ALL_PROFILES.map((profile) => [
      `nvidia.com/mig-${profile}`,
      String(profiles.filter((each) => each === profile).length),
    ]),
  )
