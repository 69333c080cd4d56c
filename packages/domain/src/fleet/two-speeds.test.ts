import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Allocation, ClusterSnapshot } from '../cluster/inventory.ts'
import type { GpuId } from '../cluster/node.ts'
import { UNCONSTRAINED } from '../cluster/scheduling.ts'
import { unsoundNode } from '../cluster/soundness.ts'
import type { Pod, PodId } from '../cluster/workload.ts'
import { resourceOfProfile } from '../gpu/profile-name.ts'
import { instant, mib } from '../units.ts'
import { countedFleet } from './counted-fleet.ts'
import { drawnFleet } from './drawn-fleet.fixture.ts'
import { findRooms, type FoundRoom } from './find-rooms.ts'
import { askOfPod, fits } from './fits.ts'
import { FreeRoom, freePartitions, type FreePartition } from './free-room.ts'
import { resourceOf } from './gpu-state.ts'
import { IndexedFleet } from './indexed-fleet.ts'
import { lookForRoom } from './profile-room.ts'

type Ask = { readonly device: number; readonly cpuMilli: number; readonly namespace: string; readonly leaves: boolean }

const asks = fc.array(
  fc.record({
    device: fc.nat(),
    cpuMilli: fc.constantFrom(0, 0, 1000, 4000),
    namespace: fc.constantFrom('team-0', 'team-1'),
    leaves: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

const podOf = (order: number, { cpuMilli, namespace }: Ask, resource: string): Pod => ({
  id: `${namespace}/asks-${order}`,
  uid: `asks-${order}`,
  namespace,
  name: `asks-${order}`,
  // Replicas of a GPU are given to one namespace; of a pod that the scheduler has placed nobody asks that again.
  node: 'elsewhere',
  phase: 'Running',
  requests: [{ resource, count: 1 }],
  scheduling: { ...UNCONSTRAINED, cpuMilli, memory: mib(0) },
  workload: `${namespace}/Pod/asks-${order}`,
  createdAt: instant(0),
  startedAt: instant(0),
  waiting: undefined,
})

const devicesIn = ({ nodes }: ClusterSnapshot): readonly string[] => [
  ...new Set(
    nodes.flatMap((node) => node.gpus.flatMap(({ partitions }) => partitions.map((each) => resourceOf(node, each)))),
  ),
]

/** The cluster with the pod on that partition. */
function withPod(snapshot: ClusterSnapshot, pod: Pod, { node, partition }: FreePartition): ClusterSnapshot {
  const allocation: Allocation = {
    pod: pod.id,
    workload: pod.workload,
    partition: partition.id,
    since: instant(0),
    evidence: 'label',
  }
  return {
    ...snapshot,
    pods: [...snapshot.pods, { ...pod, node: node.name }],
    allocations: [...snapshot.allocations, allocation],
  }
}

const withoutPod = (snapshot: ClusterSnapshot, { id }: Pod): ClusterSnapshot => ({
  ...snapshot,
  pods: snapshot.pods.filter((pod) => pod.id !== id),
  allocations: snapshot.allocations.filter(({ pod }) => pod !== id),
})

/** What is there for the pod without any change, by the index. */
const roomsNow = (fleet: IndexedFleet, pod: Pod): readonly FoundRoom[] => {
  const resource = pod.requests[0]?.resource ?? ''
  return [...findRooms(fleet, { pod, resource, model: undefined, node: undefined, fits: undefined })].filter(
    ({ rank }) => rank === 0,
  )
}

test('the fleet counted anew, the one that is used up, and the index give a pod the same nodes, after every change', () => {
  let [given, refused, returned] = [0, 0, 0]
  fc.assert(
    fc.property(drawnFleet(), asks, (drawn, wishes) => {
      let snapshot = drawn
      const room = new FreeRoom({ fleet: countedFleet(drawn) })
      // What a pod that comes could hold is known to the index from the start, as what waits is.
      const pods = wishes.map((ask, order) => podOf(order, ask, resourceAt(drawn, ask)))
      const index = new IndexedFleet({
        ...drawn,
        pods: [...drawn.pods, ...pods.map((pod) => ({ ...pod, node: undefined }))],
      })
      for (const [order, pod] of pods.entries()) {
        const there = roomsNow(index, pod)
        const found = room.find({ pod })
        expect(new Set(there.map(({ space }) => space.node.name))).toEqual(nodesFor(snapshot, pod))
        expect(found === undefined).toBe(there.length === 0)
        const [one] = found ?? []
        if (one === undefined) {
          refused += 1
          continue
        }
        given += 1
        const before = { snapshot, held: index.fork() }
        snapshot = withPod(snapshot, pod, one)
        room.take([one], pod)
        take(index, pod, one)
        if (wishes[order]?.leaves !== true) continue
        returned += 1
        snapshot = withoutPod(snapshot, pod)
        room.give([one], pod)
        index.lift(pod.id, [{ gpu: one.partition.gpu, partition: one.partition.id }])
        index.host(one.node.name, pod, -1)
        expect(snapshot.allocations).toEqual(before.snapshot.allocations)
        expect(roomsNow(index, pod).map(({ space }) => space.gpu.id)).toEqual(
          roomsNow(before.held, pod).map(({ space }) => space.gpu.id),
        )
      }
    }),
    { numRuns: 600 },
  )
  expect(Math.min(given, refused, returned)).toBeGreaterThan(100)
})

const resourceAt = (snapshot: ClusterSnapshot, { device }: Ask): string => {
  const devices = devicesIn(snapshot)
  return devices[device % Math.max(1, devices.length)] ?? 'nvidia.com/gpu'
}

/**
 * By counting the whole cluster anew: sound nodes that take the pod now with a partition that is there. CPU of which nothing
 * is known keeps nobody off, and replicas of a GPU go to one namespace.
 */
function nodesFor(snapshot: ClusterSnapshot, pod: Pod): ReadonlySet<string> {
  const counted = countedFleet(snapshot)
  const isIn = ({ partition: { kind, gpu } }: FreePartition): boolean =>
    kind !== 'shared' || holdersOn(snapshot, gpu).every((id) => id.startsWith(`${pod.namespace}/`))
  const there = freePartitions(counted).filter((free) => free.resource === pod.requests[0]?.resource && isIn(free))
  const offered = new Set(there.map(({ node }) => node.name))
  const idle = { ...pod, scheduling: UNCONSTRAINED }
  const beside = fits(counted, askOfPod(idle), pod.namespace)
  const taking = fits(counted, askOfPod(pod), pod.namespace).filter(({ on, count, sure }, at) =>
    on.cpuKnown ? sure > 0 : count > 0 && (beside[at]?.sure ?? 0) > 0,
  )
  return new Set(
    taking.flatMap(({ on: { node } }) => (unsoundNode(node) === undefined && offered.has(node.name) ? node.name : [])),
  )
}

function holdersOn({ nodes, allocations }: ClusterSnapshot, id: GpuId): readonly PodId[] {
  const parts = new Set(
    nodes.flatMap(({ gpus }) => gpus.flatMap((gpu) => (gpu.id === id ? gpu.partitions.map((each) => each.id) : []))),
  )
  return allocations.flatMap(({ partition, pod }) => (parts.has(partition) ? pod : []))
}

function take(index: IndexedFleet, pod: Pod, { partition, node }: FreePartition): void {
  const space = index.space(partition.gpu)
  if (space === undefined) throw new Error('the index has every GPU')
  const slots = space.slots.map((slot) => (slot.partition === partition.id ? { ...slot, pods: [pod.id] } : slot))
  index.set({ ...space, slots })
  index.host(node.name, pod, 1)
}

const PROFILES = ['1g.5gb', '2g.10gb', '3g.20gb', '7g.40gb', '1g.6gb', '4g.24gb', '1g.10gb', '3g.40gb'] as const

test('the index has room for a profile on the GPUs on which Partitions names some, as they are or cut again', () => {
  const said = { room: 0, none: 0 }
  fc.assert(
    fc.property(drawnFleet(), fc.constantFrom(...PROFILES), (snapshot, profile) => {
      const pod = podOf(0, { device: 0, cpuMilli: 0, namespace: 'team-0', leaves: false }, resourceOfProfile(profile))
      // What is free on a node that is not sound may be had, but no plan counts on it.
      const open = snapshot.nodes.filter((node) => node.room.taints.length === 0 && unsoundNode(node) === undefined)
      const named = lookForRoom({ ...snapshot, nodes: open }, { profile }).filter(({ kind }) => kind === 'room')
      const resource = resourceOfProfile(profile)
      const rooms = findRooms(new IndexedFleet(snapshot), {
        pod,
        resource,
        model: undefined,
        node: undefined,
        fits: undefined,
      })
      const found = new Set([...rooms].map(({ space }) => space.gpu.id))
      expect(found).toEqual(new Set(named.map(({ gpu }) => gpu.id)))
      said[found.size > 0 ? 'room' : 'none'] += 1
    }),
    { numRuns: 600 },
  )
  expect(Math.min(said.room, said.none)).toBeGreaterThan(30)
})
