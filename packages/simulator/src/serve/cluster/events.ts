import { mix, seedOf, uuidOf } from '../../model/hash.ts'
import type { JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { kubeTime } from '../kube/write.ts'
import type { Demo, LivePod } from './cluster.ts'

const EVENT = kindNamed('Event')
/** An API server forgets events after an hour, unless `--event-ttl` says otherwise. */
export const EVENT_TTL_MS = 3_600_000

/** What an event is about. */
type About = {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

type Said = {
  readonly reason: string
  readonly message: string
  /** Who says it. */
  readonly component: string
  readonly type?: 'Normal' | 'Warning'
}

/** Reports something for an hour. Nothing is written of what an API server would have forgotten by now. */
export function say(cluster: Demo, about: About, said: Said): void {
  const at = cluster.now()
  if (at < cluster.eventsFrom) return
  const key = putEvent(cluster, about, { ...said, since: at, seed: at })
  cluster.agenda.at(at + EVENT_TTL_MS, () => void cluster.store.remove(EVENT, key))
}

/** Something that is reported again and again. */
export type Repeated = { goesOn: boolean }

/** About as often as a scheduler looks at a pod again that fits nowhere. */
const AGAIN_MS = 600_000

/** Reports something that goes on, until it is told that it does not. It is forgotten an hour later. */
export function sayAgain(cluster: Demo, about: About, said: Said & { readonly since: number }): Repeated {
  const repeated = { goesOn: true }
  const tick = (): void => {
    const now = cluster.now()
    if (now >= cluster.eventsFrom) {
      const key = putEvent(cluster, about, { ...said, seed: 0 })
      if (!repeated.goesOn) return cluster.agenda.at(now + EVENT_TTL_MS, () => void cluster.store.remove(EVENT, key))
    } else if (!repeated.goesOn) return undefined
    return cluster.agenda.at(Math.max(now + AGAIN_MS, cluster.eventsFrom), tick)
  }
  tick()
  return repeated
}

function putEvent(cluster: Demo, about: About, said: Said & { readonly since: number; readonly seed: number }): string {
  const { reason, message, component, type, since } = said
  const now = cluster.now()
  const seed = mix(seedOf(`${about.kind}/${about.namespace}/${about.name}/${reason}`), said.seed)
  const name = `${about.name}.${(seed >>> 0).toString(16).padStart(8, '0')}`
  const key = keyOf(about.namespace, name)
  const event: JsonObject = {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name, namespace: about.namespace, uid: uuidOf(mix(seed, 7)), creationTimestamp: kubeTime(since) },
    involvedObject: about,
    reason,
    message,
    source: { component },
    firstTimestamp: kubeTime(since),
    lastTimestamp: kubeTime(now),
    count: 1 + Math.floor((now - since) / AGAIN_MS),
    type: type ?? 'Normal',
    reportingComponent: component,
    reportingInstance: '',
  }
  cluster.store.put(EVENT, key, () => event)
  return key
}

const aboutPod = ({ state: { namespace, name, uid } }: Pick<LivePod, 'state'>): About => ({
  apiVersion: 'v1',
  kind: 'Pod',
  namespace,
  name,
  uid,
})

/** The controller above a pod tells that it made it. */
export function sayMade(cluster: Demo, { state }: LivePod): void {
  const { owner, namespace, name } = state
  const component = owner === undefined ? undefined : CONTROLLERS[owner.kind]
  if (owner === undefined || component === undefined) return
  const message =
    owner.kind === 'StatefulSet' ? `create Pod ${name} in StatefulSet ${owner.name} successful` : `Created pod: ${name}`
  say(cluster, { ...owner, namespace }, { reason: 'SuccessfulCreate', message, component })
}

const CONTROLLERS: Readonly<Record<string, string>> = {
  ReplicaSet: 'replicaset-controller',
  StatefulSet: 'statefulset-controller',
  Job: 'job-controller',
}

/** The scheduler tells where it put a pod. */
export function sayScheduled(cluster: Demo, pod: LivePod): void {
  const { namespace, name, node } = pod.state
  const message = `Successfully assigned ${namespace}/${name} to ${node?.name ?? ''}`
  say(cluster, aboutPod(pod), { reason: 'Scheduled', message, component: 'default-scheduler' })
}

/** The scheduler tells why it does not place a pod, as long as that is so. */
export function sayUnplaced(cluster: Demo, pod: LivePod, message: string): void {
  forgetUnplaced(pod)
  const said = { reason: 'FailedScheduling', message, component: 'default-scheduler', type: 'Warning' } as const
  unplaced.set(pod, sayAgain(cluster, aboutPod(pod), { ...said, since: pod.state.createdAt }))
}

/** It is placed, or gone. */
export function forgetUnplaced(pod: LivePod): void {
  const before = unplaced.get(pod)
  if (before !== undefined) before.goesOn = false
}

const unplaced = new WeakMap<LivePod, Repeated>()

/** The kubelet tells what it did to start the one container of a pod. */
export function sayStarted(cluster: Demo, pod: LivePod): void {
  const { image, container } = pod.state
  const told = (reason: string, message: string): void =>
    say(cluster, aboutPod(pod), { reason, message, component: 'kubelet' })
  told('Pulled', `Container image "${image}" already present on machine`)
  told('Created', `Created container: ${container}`)
  told('Started', `Started container ${container}`)
}

/** The kubelet tells that it stops a pod. */
export function sayStopped(cluster: Demo, pod: LivePod): void {
  if (pod.state.phase !== 'running') return
  const message = `Stopping container ${pod.state.container}`
  say(cluster, aboutPod(pod), { reason: 'Killing', message, component: 'kubelet' })
}
