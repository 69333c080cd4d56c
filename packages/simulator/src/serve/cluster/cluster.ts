import type { Activity } from '../../model/activity.ts'
import type { QueuedWork } from '../../model/queue.ts'
import type { SlotHolding, Slot, Unit } from '../../model/slots.ts'
import { podSeedOf, type Occupancy } from '../../model/timeline.ts'
import type { World } from '../../model/world.ts'
import { same, type JsonObject } from '../kube/json.ts'
import { kindNamed, type Kind } from '../kube/kinds.ts'
import { keyOf, type KubeStore } from '../kube/store.ts'
import type { Faults } from './faults/fault-list.ts'
import type { Agenda } from './agenda.ts'
import type { DemoJournal } from './journal.ts'
import { podObject, type PodState } from './pod-object.ts'

/** The live cluster: the world's present, as objects of the API, and what is about to happen to them. */
export type Demo = {
  readonly world: World
  store: KubeStore
  readonly agenda: Agenda
  /** Milliseconds since 1970 by the demo's clock; while the agenda catches up, the time of what happens. */
  now(): number
  readonly pods: Map<string, LivePod>
  /** Keys of a workload's pods, replacements among them. */
  readonly members: Map<Occupancy, Set<string>>
  /** By kind, namespace and name: whose object that is now, of the workloads that run here in turn. */
  readonly owners: Map<string, Occupancy>
  /** Workloads that somebody has changed. */
  readonly held: Map<Occupancy, Held>
  /** Seats that the workload there keeps: nobody comes after it. */
  readonly closed: Set<Slot>
  /** Jobs of one pod that came to the queue, by namespace and name. */
  readonly loneJobs: Map<string, LoneJob>
  /** Pods that the scheduler still has to find a place for. */
  readonly waiting: Set<LivePod>
  /** Nodes whose device plugin and exporter are stopped for a change of layout. */
  readonly paused: Set<string>
  /** Nodes that mig-manager works on. */
  readonly reconfiguring: Set<string>
  /** Nodes whose change of layout stopped half-way, for ever. */
  readonly wedged: Set<string>
  /** Nodes whose device plugin is not back yet, although the change is done. */
  readonly withoutPlugin: Set<string>
  /** Nodes of which one device is unhealthy. */
  readonly withheld: Set<string>
  /** Disruption budgets that allow nothing whatever their pods do, with the fault that makes them. */
  readonly frozenBudgets: Map<string, string>
  /** How long a change of layout takes: operator pods stop before and start after, and the geometry takes about a second. */
  readonly migMs: number
  readonly faults: Faults
  readonly journal: DemoJournal
  /** When the cluster began to be watched; what comes before is as it was drawn. Milliseconds since 1970. */
  readonly beganAt: number
  /** What happened before this is no longer reported in events, milliseconds since 1970. */
  readonly eventsFrom: number
  /** Which of so many nodes that would do the scheduler takes; undefined: the first. */
  readonly choose: ((nodes: number) => number) | undefined
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
  /** Somebody created it, and no controller of the demo. */
  readonly byPeople: boolean
  /** True while it sits where the ordinary course of things puts it. */
  seated: boolean
  /** What it holds beside the ordinary course. */
  holdings: readonly SlotHolding[]
  /** What it holds, either way. */
  units: readonly Unit[]
  /** What follows when it was taken away before its work was done, where no workload of the ordinary course has it. */
  readonly gone?: () => void
}

/** A workload that somebody has changed: from then on its controller alone says what runs, and not the ordinary course. */
export type Held = {
  /** When its work is done; Infinity for what does not end by itself, and for work that is suspended. */
  end: number
  /** Milliseconds of work that a suspended Job has left. */
  left: number | undefined
}

/** A Job of one pod that waits for a place, or got one. */
export type LoneJob = {
  readonly work: QueuedWork
  /** Undefined while it is suspended. */
  pod: LivePod | undefined
}

/** Of a pod that its controller has just made. */
export const NEW_POD = {
  written: undefined,
  of: undefined,
  byPeople: false,
  seated: false,
  holdings: [],
  units: [],
} as const satisfies Partial<LivePod>

export const POD = kindNamed('Pod')
export const NODE = kindNamed('Node')

/** Writes a pod as it now is. */
export function putPod(cluster: Demo, pod: LivePod): void {
  const { state, written } = pod
  cluster.store.put(POD, pod.key, () => podObject(state, written))
}

export function changePod(cluster: Demo, pod: LivePod, change: Partial<PodState>): void {
  pod.state = { ...pod.state, ...change }
  putPod(cluster, pod)
}

export function addPod(cluster: Demo, of: Omit<LivePod, 'key'>): LivePod {
  const pod = { ...of, key: keyOf(of.state.namespace, of.state.name) }
  cluster.pods.set(pod.key, pod)
  if (pod.of !== undefined) membersOf(cluster, pod.of.occupancy).add(pod.key)
  if (pod.state.phase === 'waiting') wait(cluster, pod)
  return pod
}

function membersOf(cluster: Demo, occupancy: Occupancy): Set<string> {
  const known = cluster.members.get(occupancy) ?? new Set<string>()
  cluster.members.set(occupancy, known)
  return known
}

/** Takes a pod out of the cluster: its object, what it holds, its place in the queue. */
export function dropPod(cluster: Demo, pod: LivePod): void {
  if (pod.seated && pod.of !== undefined && cluster.now() < pod.end) {
    cluster.world.endEarly(podSeedOf(pod.of.occupancy, pod.of.index), cluster.now())
  }
  release(cluster, pod)
  cluster.waiting.delete(pod)
  cluster.pods.delete(pod.key)
  if (pod.of !== undefined) cluster.members.get(pod.of.occupancy)?.delete(pod.key)
  cluster.store.remove(POD, pod.key)
}

export function wait(cluster: Demo, pod: LivePod): void {
  cluster.waiting.add(pod)
  cluster.stirred = true
}

/** Lets go of everything a pod holds beside the ordinary course. */
function release(cluster: Demo, pod: LivePod): void {
  for (const holding of pod.holdings) holding.to = Math.min(holding.to, cluster.now())
  pod.holdings = []
  pod.units = []
  cluster.stirred = true
}

/** Rewrites a node; nothing happens when there is none of that name. */
export function changeNode(cluster: Demo, name: string, change: (node: JsonObject) => JsonObject): void {
  const entry = cluster.store.get(NODE, name)
  if (entry === undefined) return
  const next = change(entry.read())
  cluster.store.put(NODE, name, () => next)
}

/** What a controller says of an object, written only where it has changed; nothing where the object is gone. */
export function putStatus(cluster: Demo, of: { kind: Kind; key: string }, status: JsonObject): void {
  const before = cluster.store.get(of.kind, of.key)?.read()
  if (before === undefined || same(before['status'], status)) return
  cluster.store.put(of.kind, of.key, () => ({ ...before, status }))
}

export const unitsNow = (cluster: Demo, node: string): readonly Unit[] =>
  cluster.world.unitsOf(node).filter((unit) => unit.from <= cluster.now() && cluster.now() < unit.to)
