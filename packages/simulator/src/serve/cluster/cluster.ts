import type { Activity } from '../../model/activity.ts'
import type { Holding, Unit } from '../../model/slots.ts'
import { podSeedOf, type Occupancy } from '../../model/timeline.ts'
import type { World } from '../../model/world.ts'
import { same, type JsonObject } from '../kube/json.ts'
import { kindNamed, type Kind } from '../kube/kinds.ts'
import { keyOf, type ObjectStore } from '../kube/store.ts'
import type { Agenda } from './agenda.ts'
import { podObject, type PodState } from './pod-object.ts'

/** The live cluster: the world's present, as objects of the API, and what is about to happen to them. */
export type Cluster = {
  readonly world: World
  readonly store: ObjectStore
  readonly agenda: Agenda
  /** Milliseconds since 1970 by the demo's clock; while the agenda catches up, the time of what happens. */
  now(): number
  readonly pods: Map<string, LivePod>
  /** Keys of a workload's pods, replacements among them. */
  readonly members: Map<Occupancy, Set<string>>
  /** Pods that the scheduler still has to find a place for. */
  readonly waiting: Set<LivePod>
  /** Nodes whose device plugin and exporter are stopped for a change of layout. */
  readonly paused: Set<string>
  /** What happened before this is no longer reported in events, milliseconds since 1970. */
  readonly eventsFrom: number
  /** True when something changed that may let a waiting pod in. */
  stirred: boolean
}

/** A pod that the demo runs. */
export type LivePod = {
  readonly key: string
  state: PodState
  /** What people wrote of it; undefined while it is as the demo made it. */
  written: JsonObject | undefined
  readonly activity: Activity
  /** When its work is done; without end for pods that people create. */
  end: number
  /** The workload it belongs to, and which of its seats it has. */
  readonly of: { readonly occupancy: Occupancy; readonly index: number } | undefined
  /** True while it sits where the ordinary course of things puts it. */
  seated: boolean
  /** What it holds beside the ordinary course. */
  holdings: readonly Holding[]
  /** What it holds, either way. */
  units: readonly Unit[]
}

export const POD = kindNamed('Pod')
export const NODE = kindNamed('Node')

/** Writes a pod as it now is. */
export function putPod(cluster: Cluster, pod: LivePod): void {
  const { state, written } = pod
  cluster.store.put(POD, pod.key, () => podObject(state, written))
}

export function changePod(cluster: Cluster, pod: LivePod, change: Partial<PodState>): void {
  pod.state = { ...pod.state, ...change }
  putPod(cluster, pod)
}

export function addPod(cluster: Cluster, of: Omit<LivePod, 'key'>): LivePod {
  const pod = { ...of, key: keyOf(of.state.namespace, of.state.name) }
  cluster.pods.set(pod.key, pod)
  if (pod.of !== undefined) membersOf(cluster, pod.of.occupancy).add(pod.key)
  if (pod.state.phase === 'waiting') wait(cluster, pod)
  return pod
}

function membersOf(cluster: Cluster, occupancy: Occupancy): Set<string> {
  const known = cluster.members.get(occupancy) ?? new Set<string>()
  cluster.members.set(occupancy, known)
  return known
}

/** Takes a pod out of the cluster: its object, what it holds, its place in the queue. */
export function dropPod(cluster: Cluster, pod: LivePod): void {
  if (pod.seated && pod.of !== undefined && cluster.now() < pod.end) {
    cluster.world.endEarly(podSeedOf(pod.of.occupancy, pod.of.index), cluster.now())
  }
  release(cluster, pod)
  cluster.waiting.delete(pod)
  cluster.pods.delete(pod.key)
  if (pod.of !== undefined) cluster.members.get(pod.of.occupancy)?.delete(pod.key)
  cluster.store.remove(POD, pod.key)
}

export function wait(cluster: Cluster, pod: LivePod): void {
  cluster.waiting.add(pod)
  cluster.stirred = true
}

/** Lets go of everything a pod holds beside the ordinary course. */
function release(cluster: Cluster, pod: LivePod): void {
  for (const holding of pod.holdings) holding.to = Math.min(holding.to, cluster.now())
  pod.holdings = []
  pod.units = []
  cluster.stirred = true
}

/** Rewrites a node; nothing happens when there is none of that name. */
export function changeNode(cluster: Cluster, name: string, change: (node: JsonObject) => JsonObject): void {
  const entry = cluster.store.get(NODE, name)
  if (entry === undefined) return
  const next = change(entry.read())
  cluster.store.put(NODE, name, () => next)
}

/** What a controller says of an object, written only where it has changed; nothing where the object is gone. */
export function putStatus(cluster: Cluster, of: { kind: Kind; key: string }, status: JsonObject): void {
  const before = cluster.store.get(of.kind, of.key)?.read()
  if (before === undefined || same(before['status'], status)) return
  cluster.store.put(of.kind, of.key, () => ({ ...before, status }))
}

export const unitsNow = (cluster: Cluster, node: string): readonly Unit[] =>
  cluster.world.unitsOf(node).filter((unit) => unit.from <= cluster.now() && cluster.now() < unit.to)
