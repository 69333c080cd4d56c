import { WHOLE_GPU_RESOURCE } from '@septet/domain'
import { mix, suffix, uuidOf } from '../../model/hash.ts'
import { imageOf } from '../../model/tenants.ts'
import { containerNameOf, podNameOf, podSeedOf, type Occupancy, type Owner } from '../../model/timeline.ts'
import { textIn } from '../kube/json.ts'
import { NEW_POD, NODE, type Demo, type LivePod } from './cluster.ts'
import { isQueued } from './kueue.ts'
import { referenceTo } from './owner-objects.ts'
import { UNPLACED, type PodState } from './pod-object.ts'
import { seatedRules } from './pod-rules.ts'

/** The pods that a workload has now, in the order of their numbers. */
export const podsOfWork = (cluster: Demo, occupancy: Occupancy): readonly LivePod[] =>
  [...(cluster.members.get(occupancy) ?? [])]
    .flatMap((key) => cluster.pods.get(key) ?? [])
    .toSorted((a, b) => (a.of?.index ?? 0) - (b.of?.index ?? 0))

/** Told to go, and not gone yet. */
export const isLeaving = ({ written }: LivePod): boolean => textIn(written, 'metadata', 'deletionTimestamp') !== ''

/** A pod in the seat that the ordinary course gives it. */
export function seatedPod(cluster: Demo, occupancy: Occupancy, index: number): Omit<LivePod, 'key'> {
  const { slot, createdAt } = occupancy
  const seat = slot.seats[index]
  // Where somebody always waits for the seat, the pod before still has it.
  const waits = slot.scarce || seat === undefined || cluster.store.get(NODE, seat.node.name) === undefined
  const bound = waits ? {} : ({ phase: 'starting', node: seat.node, boundAt: createdAt + 1000 } as const)
  return {
    state: { ...podState(occupancy, index), ...bound },
    ...NEW_POD,
    activity: occupancy.activity,
    end: occupancy.end,
    of: { occupancy, index },
    seated: true,
    units: seat?.units ?? [],
  }
}

/** What makes another pod in place of one that went, for the scheduler to place. */
export function anew(state: PodState, of: { now: number; version: number }): PodState {
  const seed = mix(state.seed, of.version)
  const { name } = state
  return {
    ...state,
    name: state.owner?.kind === 'StatefulSet' ? name : name.slice(0, name.lastIndexOf('-') + 1) + suffix(seed, 5),
    uid: uuidOf(seed),
    seed,
    createdAt: of.now,
    phase: 'waiting',
    ...UNPLACED,
  }
}

/** A pod of a workload as its controller first makes it. */
export function podState(occupancy: Occupancy, index: number): PodState {
  const { slot, namespace, owners } = occupancy
  const controller = owners.at(-1)
  const seed = podSeedOf(occupancy, index)
  return {
    namespace,
    name: podNameOf(occupancy, index),
    uid: uuidOf(seed),
    seed,
    createdAt: occupancy.createdAt,
    labels: { ...podLabels(occupancy), ...controllerLabels(controller, index) },
    owner: controller === undefined ? undefined : referenceTo(namespace, controller),
    container: containerNameOf(occupancy),
    image: imageOf(slot.role),
    requests: requestsOf(occupancy, index),
    rules: seatedRules(slot.role, (slot.seats[index] ?? slot.seats[0])?.node, slot.cast),
    restart: controller?.kind === 'Job' ? 'Never' : 'Always',
    // The scheduler leaves these alone: their seat is coming free.
    phase: 'starting',
    ...UNPLACED,
  }
}

export function podLabels(occupancy: Occupancy): Record<string, string> {
  const { slot, owners } = occupancy
  return {
    'app.kubernetes.io/name': owners[0]?.name ?? slot.cast?.name ?? '',
    'app.kubernetes.io/component': slot.role,
    ...(isQueued(occupancy) ? { 'kueue.x-k8s.io/queue-name': 'gpu-batch' } : {}),
  }
}

/** The labels that a controller gives its pods. */
export function controllerLabels(controller: Owner | undefined, index: number): Record<string, string> {
  const { kind, name = '' } = controller ?? {}
  if (kind === 'ReplicaSet') return { 'pod-template-hash': name.slice(name.lastIndexOf('-') + 1) }
  if (kind === 'StatefulSet') return { 'apps.kubernetes.io/pod-index': String(index) }
  if (kind !== 'Job') return {}
  return { 'batch.kubernetes.io/job-name': name, 'batch.kubernetes.io/job-completion-index': String(index) }
}

export function requestsOf({ slot }: Occupancy, index: number): Record<string, string> {
  const units = slot.seats[index]?.units ?? []
  const resource = units[0]?.resource ?? WHOLE_GPU_RESOURCE
  const each = slot.role === 'notebook' ? 4 : 8
  return { cpu: String(each * units.length), memory: `${each * 6 * units.length}Gi`, [resource]: String(units.length) }
}
