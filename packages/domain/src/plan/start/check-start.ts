import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { resourceOf } from '../state/gpu-state.ts'
import type { AskedJob, AskedPods } from './asked-job.ts'
import { judgeJob, type Judged } from './judge-job.ts'
import { openFleet, soundGpus, type OpenFleet } from './open-fleet.ts'
import type { Seating } from './seat-groups.ts'
import type { JobChange, StartAnswer, StartPlace } from './start-answer.ts'
import { sliceWarning } from './slice-warning.ts'
import { joined, startSentence } from './start-sentence.ts'
import { waysToStart } from './ways-to-start.ts'
import { SUSPENDED, limitsOfNamespace, whyNotNow } from './why-not-now.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import { isHeldBack } from './job-limits.ts'
import { fewerGpus, fewerPods, smallerProfiles } from './change-size.ts'
import { lessCpu, lessMemory } from './change-room.ts'
import { looserRules, otherQueues, resumed, tolerations } from './change-rules.ts'
import type { Candidate, ChangeQuestion } from './job-change.ts'

/** Whom the answer is for: whoever may not see the whole cluster is shown no namespaces but these. */
export type StartAsker = { readonly namespaces: readonly string[] | undefined }

/**
 * Whether jobs that were not submitted yet would start now, each as it would be beside the others: where, or what keeps it
 * from starting, what others could do about that, and the smallest changes of the job with which it would. What Septet
 * does not read leaves the answer unknown and never decides it.
 */
export function checkStart(
  snapshot: ClusterSnapshot,
  jobs: readonly AskedJob[],
  asker: StartAsker = { namespaces: undefined },
): readonly StartAnswer[] {
  const fleet = openFleet(snapshot)
  return jobs.map((job) => {
    const beside = jobs.filter((other) => other !== job)
    const judged = judgeJob(fleet, job, beside)
    const { kind, namespace, name, gang } = job
    const pods = job.groups.reduce((sum, { count }) => sum + count, 0)
    const because = judged.verdict === 'now' ? [] : whyNotNow(job, judged)
    const places = judged.starting > 0 ? placesOf(fleet, judged) : []
    const answer: StartAnswer = {
      kind,
      namespace,
      name,
      gang,
      verdict: judged.verdict,
      sentence: joined(
        startSentence(job, { ...judged, pods, nodes: [...new Set(places.map(({ node }) => node))] }),
        sliceWarning(judged, places),
      ),
      pods,
      starting: judged.starting,
      places,
      asks: asksOf(job, judged),
      because,
      unknown: judged.unknown,
      ways: judged.verdict === 'now' ? [] : waysToStart(fleet, job, judged),
      changes: judged.verdict === 'not-now' ? smallerJobs(fleet, { job, beside, judged, asker }) : [],
    }
    return asker.namespaces === undefined ? answer : limitedAnswer(answer, job, judged)
  })
}

/** Where its pods would go: the fullest nodes that take them first, so that few are named. */
function placesOf({ held }: OpenFleet, { seatings, starting }: Judged): readonly StartPlace[] {
  let left = starting
  const taken = new Set<string>()
  return seatings.flatMap((seating) => {
    let own = Math.min(left, seating.sure, seating.pods.count)
    left -= own
    const nodes = seating.slots
      .filter(({ count, unsure }) => count > 0 && unsure === undefined)
      .toSorted((a, b) => a.count - b.count)
    const enough = nodes.find(({ count }) => count >= own)
    const chosen = enough === undefined || isSpread(seating) ? nodes.toReversed() : [enough]
    return chosen.flatMap((slot): StartPlace | [] => {
      const pods = Math.min(own, isSpread(seating) ? 1 : slot.count)
      own -= pods
      if (pods === 0) return []
      const devices = freeDevices(seating, slot, pods).filter(({ id }) => !held.has(id) && !taken.has(id))
      const wanted = devices.slice(0, devicesOf(seating) * pods)
      for (const { id } of wanted) taken.add(id)
      return {
        part: seating.pods.part,
        node: slot.on.node.name,
        pods,
        devices: wanted.map(({ gpu, index, profile }) => ({ gpu, index, profile })),
      }
    })
  })
}

const isSpread = ({ pods: { spread } }: Seating): boolean => spread.length > 0

const devicesOf = ({ pods: { requests, claims } }: Seating): number =>
  [...requests, ...claims].reduce((sum, { count }) => sum + count, 0)

function freeDevices({ pods: { requests, claims } }: Seating, { on }: Seating['slots'][number], _pods: number) {
  const wanted = new Set([...requests, ...claims].map(({ resource }) => resource))
  return soundGpus(on).flatMap((gpu) =>
    gpu.partitions
      .filter((partition) => wanted.has(resourceOf(on.node, partition)))
      .map((partition) => ({
        id: partition.id,
        gpu: gpu.id,
        index: gpu.index,
        profile: partition.kind === 'mig' ? partition.profile : undefined,
      })),
  )
}

/** What a job would be known to wait for: waits are kept pod by pod, and where a queue admits it as a whole, job by job. */
function asksOf({ queue, groups }: AskedJob, { lacking, limits }: Judged): string {
  const [first] = lacking.map(({ pods }) => pods)
  return textOf(
    queue !== undefined && isHeldBack(limits) ? sumOf(groups) : requestsOf(first ?? groups.find(asksForGpus)),
  )
}

const asksForGpus = (pods: AskedPods): boolean => requestsOf(pods).length > 0
const requestsOf = (pods: AskedPods | undefined): readonly GpuRequest[] =>
  pods === undefined ? [] : [...pods.requests, ...pods.claims]

function sumOf(groups: readonly AskedPods[]): readonly GpuRequest[] {
  const sums = new Map<string, number>()
  for (const pods of groups)
    for (const { resource, count } of requestsOf(pods))
      sums.set(resource, (sums.get(resource) ?? 0) + count * pods.count)
  return [...sums].map(([resource, count]) => ({ resource, count }))
}

const textOf = (requests: readonly GpuRequest[]): string =>
  requests
    .toSorted((a, b) => compareText(a.resource, b.resource))
    .map(({ resource, count }) => `${count} × ${resource}`)
    .join(', ')

/**
 * The answer for whoever is limited to namespaces: whether it starts, and of the reasons what is theirs. Nodes, pods and
 * queues of others are not named, nor what they have left.
 */
function limitedAnswer(answer: StartAnswer, job: AskedJob, { limits, seatings }: Judged): StartAnswer {
  const own = new Set([...job.unknown, ...seatings.flatMap(({ pods }) => pods.unknown)])
  const known = answer.unknown.filter((words) => own.has(words))
  const unknown = known.length < answer.unknown.length ? [...known, WITHHELD] : known
  const because = [...(job.suspended ? [SUSPENDED] : []), ...limitsOfNamespace(limits)]
  return {
    ...answer,
    sentence: joined(
      startSentence(job, { ...answer, unknown, nodes: [] }),
      sliceWarning({ seatings }, answer.places, false),
    ),
    places: [],
    because: answer.verdict === 'not-now' && because.length === 0 ? [NO_ROOM] : because,
    unknown,
    ways: answer.ways.filter(({ kind }) => kind === 'quota').slice(0, limitsOfNamespace(limits).length),
    changes: answer.changes.filter(({ kind }) => !OF_OTHERS.has(kind)),
  }
}

const WITHHELD = 'something about nodes or other workloads, which is shown only to people who can see the whole cluster'
const NO_ROOM =
  'Too little is free where it may run, or its queue is full; only people who can see the whole cluster see which.'

/** They name taints of nodes that the caller may not see. */
const OF_OTHERS: ReadonlySet<JobChange['kind']> = new Set(['taint'])

type Asked = {
  readonly job: AskedJob
  readonly beside: readonly AskedJob[]
  readonly judged: Judged
  readonly asker: { readonly namespaces: readonly string[] | undefined }
}

/** Kinds of change from the smallest on; each gives its candidates from the smallest on. */
const KINDS: readonly ((question: ChangeQuestion) => Iterable<Candidate>)[] = [
  resumed,
  tolerations,
  looserRules,
  otherQueues,
  lessCpu,
  lessMemory,
  smallerProfiles,
  fewerGpus,
  fewerPods,
]

/** So many candidates of one kind are tried. */
const MOST_TRIED = 12

/**
 * Changes of a job with each of which it would start now, the smallest first; of each kind the smallest that does. Every
 * one was judged like a job of its own.
 */
function smallerJobs(fleet: OpenFleet, { job, beside, judged, asker }: Asked): readonly JobChange[] {
  const question: ChangeQuestion = { fleet, job, judged, namespaces: asker.namespaces }
  return KINDS.flatMap((candidates): JobChange | [] => {
    let tried = 0
    for (const { job: changed, ...change } of candidates(question)) {
      if (tried >= MOST_TRIED) break
      tried += 1
      if (judgeJob(fleet, changed, beside).verdict === 'now') return change
    }
    return []
  })
}
