import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { admissionView } from '../act/admission/admission-view.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { UNCONSTRAINED } from '../cluster/scheduling.ts'
import type { Pod, Workload } from '../cluster/workload.ts'
import { profileOfResource } from '../gpu/profile-name.ts'
import { judgeWaits } from '../plan/explain/wait-verdict.ts'
import { FreeRoom } from './free-room.ts'
import { unblock } from '../plan/repack/unblock.ts'
import { asking, askedJob } from '../plan/start/asked.fixture.ts'
import { checkStart } from '../plan/start/check-start.ts'
import { whyWaits } from '../plan/start/why-waits.ts'
import { instant, mib, type Mib } from '../units.ts'
import { countedFleet } from './counted-fleet.ts'
import { drawnFleet } from './drawn-fleet.fixture.ts'
import { resourceOf } from './gpu-state.ts'
import { lookForRoom, roomAnswer } from './profile-room.ts'

const hosts = fc.record({
  cpuMilli: fc.constantFrom(0, 0, 4000),
  memory: fc.constantFrom(0, 0, 16_384).map(mib),
})
/** A fleet and what is asked of it: mostly a device that some node has. */
const questions = fc.tuple(drawnFleet(), fc.nat(), hosts).map(([snapshot, choice, host]) => {
  const devices = snapshot.nodes.flatMap((node) =>
    node.gpus.flatMap(({ partitions }) => partitions.map((partition) => resourceOf(node, partition))),
  )
  const resources = [...new Set([...devices, 'nvidia.com/mig-1g.10gb'])]
  return { snapshot, ask: { ...host, resource: resources[choice % resources.length] ?? '' } }
})
type Ask = { readonly resource: string; readonly cpuMilli: number; readonly memory: Mib }

/** The cluster with one pod that the scheduler has refused, and its workload. */
function waitingIn(snapshot: ClusterSnapshot, { resource, cpuMilli, memory }: Ask) {
  const pod: Pod = {
    id: 'lab/asks',
    uid: 'asks',
    namespace: 'lab',
    name: 'asks',
    node: undefined,
    phase: 'Pending',
    requests: [{ resource, count: 1 }],
    scheduling: { ...UNCONSTRAINED, cpuMilli, memory },
    workload: 'lab/Pod/asks',
    createdAt: instant(0),
    startedAt: undefined,
    refusedAt: instant(1),
    waiting: { reason: 'Unschedulable', message: '0/4 nodes are available: 4 Insufficient nvidia.com/gpu.' },
  }
  const workload: Workload = {
    id: pod.workload,
    namespace: 'lab',
    kind: 'Pod',
    name: 'asks',
    class: 'unknown',
    queue: undefined,
    status: 'queued',
    requests: pod.requests,
    pods: [pod.id],
    createdAt: pod.createdAt,
    startedAt: undefined,
    waiting: pod.waiting,
  }
  const cluster = { ...snapshot, pods: [...snapshot.pods, pod], workloads: [...snapshot.workloads, workload] }
  return { pod, workload, cluster }
}

/** Who says that the pod could start now, and who says that it could not. */
function answersTo(snapshot: ClusterSnapshot, ask: Ask): Record<string, boolean> {
  const { pod, workload, cluster } = waitingIn(snapshot, ask)
  const { verdict } = whyWaits(cluster, workload, pod)
  // What decides it cannot be seen: then nobody has to say either.
  if (verdict === 'unknown' || verdict === undefined) return {}
  const isNow = verdict === 'now'
  const started = unblock(cluster, 0).starts.find((each) => each.workload === workload.id)?.by
  const dra = snapshot.nodes.some(({ servedByDra }) => servedByDra)
  const job = askedJob([asking({ requests: pod.requests, scheduling: pod.scheduling })])
  const counted = new FreeRoom({ fleet: countedFleet(snapshot) }).find({ pod })
  return {
    'why it waits': isNow,
    'its stretch in the ledger of waits': judgeWaits(cluster, new Set())(pod, workload).cause === 'not-tried',
    // A DRA driver makes an instance for the claim, which a plan counts as a change.
    'a plan that starts work': started === 'room' || (dra && isNow && started === 'recut'),
    // A manifest says whether it asks a device plugin or makes a claim.
    ...(dra ? {} : { 'will it start': checkStart(snapshot, [job])[0]?.verdict === 'now' }),
    // A recommendation may count on less, never on more.
    ...(counted === undefined ? {} : { 'what recommendations count on': true }),
    ...ofProfile(snapshot, ask, dra),
  }
}

/** Faces that know nothing of the pod but its profile. */
function ofProfile(snapshot: ClusterSnapshot, { resource, cpuMilli, memory }: Ask, dra: boolean) {
  const profile = profileOfResource(resource)
  const isLimited = cpuMilli + memory > 0 || snapshot.nodes.some(({ room }) => room.taints.length > 0)
  if (profile === undefined || isLimited) return {}
  const offered = admissionView(snapshot, new Map()).nodes.flatMap(({ instances }) => instances)
  return {
    'what fits on Partitions': roomAnswer(lookForRoom(snapshot, { profile })).now > 0,
    // It offers what is less than a GPU.
    ...(dra || /^(?:7g|4g\.24gb)/u.test(profile)
      ? {}
      : { admission: offered.some((instance) => instance.resource === resource) }),
  }
}

test('whoever is asked whether a pod could start now gives the same answer', () => {
  const said = { now: 0, 'not now': 0 }
  fc.assert(
    fc.property(questions, ({ snapshot, ask }) => {
      const answers = answersTo(snapshot, ask)
      const [first] = Object.values(answers)
      if (first === undefined) return
      expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((face) => [face, first])))
      said[first ? 'now' : 'not now'] += 1
    }),
    { numRuns: 1000 },
  )
  // Both answers have to come for the test to mean anything.
  expect(Math.min(said.now, said['not now'])).toBeGreaterThan(100)
})

const profiles = fc.constantFrom('1g.5gb', '3g.20gb', '1g.6gb', '2g.12gb', '1g.10gb', '3g.40gb', '7g.80gb')

test('the page of a workload and the ledger of waits name the same GPU to cut again', () => {
  let named = 0
  fc.assert(
    fc.property(drawnFleet(), profiles, hosts, (snapshot, profile, host) => {
      const { pod, workload, cluster } = waitingIn(snapshot, { ...host, resource: `nvidia.com/mig-${profile}` })
      const ledger = judgeWaits(cluster, new Set())(pod, workload).change
      const page = whyWaits(cluster, workload, pod).ways.find(({ kind }) => kind === 'recut')
      if (ledger?.kind !== 'recut' && page === undefined) return
      named += 1
      expect(ledger?.sentence).toBe(page?.sentence)
    }),
    { numRuns: 1000 },
  )
  expect(named).toBeGreaterThan(5)
})
