import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { AskedJob, AskedPods } from './asked-job.ts'
import { judgeJob, type Judged } from './judge-job.ts'
import { countedFleet, type CountedFleet } from '../../fleet/counted-fleet.ts'
import { devicesOf, type Slots } from '../../fleet/fits.ts'
import { offerHint } from '../../gpu/offer-hint.ts'
import { onEachNode } from './each-node.ts'
import type { Barrier } from '../../fleet/node-barriers.ts'
import { domainOf } from './spread-room.ts'
import { freeDevices } from '../../fleet/open-nodes.ts'
import { lossByOne, type Seating } from './seat-groups.ts'
import type { JobChange, StartAnswer, StartPlace } from './start-answer.ts'
import { waysToStart } from './ways-to-start.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import { isHeldBack } from './job-limits.ts'
import { fewerGpus, fewerPods, smallerProfiles } from './change-size.ts'
import { lessCpu, lessMemory } from './change-room.ts'
import { looserRules, otherQueues, resumed, tolerations } from './change-rules.ts'
import type { Candidate, ChangeQuestion } from './job-change.ts'
import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { agree, capitalized, firstFew, listed, plural } from '../../words.ts'

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
  const fleet = countedFleet(snapshot)
  const asked = jobs.map((job) => onEachNode(fleet, job))
  return asked.map((job) => {
    const beside = asked.filter((other) => other !== job)
    const judged = judgeJob(fleet, job, beside)
    const { kind, namespace, name, gang } = job
    const pods = job.groups.reduce((sum, { count }) => sum + count, 0)
    const because = judged.verdict === 'now' ? [] : whyNotNow(job, judged)
    const places = judged.starting > 0 ? placesOf(judged) : []
    const answer: StartAnswer = {
      kind,
      namespace,
      name,
      gang,
      verdict: judged.verdict,
      sentence: joined(
        startSentence(job, { ...judged, pods, nodes: [...new Set(places.map(({ node }) => node))] }),
        evictedWords(judged),
        sliceWarning(judged, places),
      ),
      pods,
      starting: judged.starting,
      places,
      asks: asksOf(job, judged),
      because,
      unknown: judged.unknown,
      ways: judged.verdict === 'now' ? [] : waysToStart(fleet, job, judged),
      changes:
        judged.verdict === 'not-now' && job.isMade !== true ? smallerJobs(fleet, { job, beside, judged, asker }) : [],
    }
    return asker.namespaces === undefined ? answer : limitedAnswer(answer, job, judged)
  })
}

/** Where its pods would go: the fullest nodes that take them first, so that few are named. */
function placesOf({ seatings, starting }: Judged): readonly StartPlace[] {
  let left = starting
  const taken = new Set<string>()
  const seated: (Seat & { readonly by: AskedPods })[] = []
  return seatings.flatMap(({ pods: by, sure, slots, turns }) => {
    const own = Math.min(left, sure, by.count)
    left -= own
    const rooms = slots.flatMap(({ on, sure: count }): readonly Seat[] => {
      const lost = seated.reduce((sum, each) => (each.on === on ? sum + each.count * lossByOne(by, each.by) : sum), 0)
      return count > lost ? [{ on, count: count - lost }] : []
    })
    return seatsAmong(rooms, turns, own).map((seat): StartPlace => {
      seated.push({ ...seat, by })
      return { part: by.part, node: seat.on.node.name, pods: seat.count, devices: takeDevices(by, seat, taken) }
    })
  })
}

type Seat = Pick<Slots, 'on' | 'count'>

/** As few nodes as can be; pods that spread take their turns in the domains of their rule, the emptiest first. */
function seatsAmong(rooms: readonly Seat[], rule: Seating['turns'], pods: number): readonly Seat[] {
  const ascending = rooms.toSorted((a, b) => a.count - b.count)
  const enough = rule === undefined ? ascending.find(({ count }) => count >= pods) : undefined
  const seats = (enough === undefined ? ascending.toReversed() : [enough]).flatMap(({ on, count }) =>
    Array.from({ length: Math.min(count, pods) }, () => on),
  )
  const domains = Map.groupBy(seats, ({ node }) => rule && domainOf(node.name, node.room.labels, rule.topologyKey))
  const turns = [...domains].flatMap(([domain = '', all]) =>
    all.map((on, turn) => ({ on, turn: turn + (rule?.standing.get(domain) ?? 0) })),
  )
  const chosen = turns.toSorted((a, b) => a.turn - b.turn).slice(0, pods)
  return [...Map.groupBy(chosen, ({ on }) => on)].map(([on, all]) => ({ on, count: all.length }))
}

/** Of those that are free by all that is known. */
function takeDevices(pods: AskedPods, { on, count: seated }: Seat, taken: Set<string>): StartPlace['devices'] {
  return devicesOf(pods).flatMap(({ resource, count }) => {
    const free = freeDevices(on).get(resource) ?? []
    const found = free.filter(({ partition, doubt }) => doubt === undefined && !taken.has(partition.id))
    return found.slice(0, count * seated).map(({ partition, gpu: { id, index } }) => {
      taken.add(partition.id)
      return { gpu: id, index, profile: partition.kind === 'mig' ? partition.profile : undefined }
    })
  })
}

/** What a job would be known to wait for: waits are kept pod by pod, and where a queue admits it as a whole, job by job. */
function asksOf({ queue, groups }: AskedJob, { lacking, limits }: Judged): string {
  const [first] = lacking.map(({ pods }) => pods)
  return textOf(
    queue !== undefined && isHeldBack(limits) ? sumOf(groups) : requestsOf(first ?? groups.find(asksForGpus)),
  )
}

const asksForGpus = (pods: AskedPods): boolean => requestsOf(pods).length > 0
const requestsOf = (pods: AskedPods | undefined): readonly GpuRequest[] => (pods === undefined ? [] : devicesOf(pods))

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
 * The answer for anyone who is limited to namespaces: whether it starts, and of the reasons what is theirs. Nodes, pods
 * and queues of others are not named, nor what they have left.
 */
function limitedAnswer(answer: StartAnswer, job: AskedJob, { limits, seatings, evicted }: Judged): StartAnswer {
  const own = new Set([...job.unknown, ...seatings.flatMap(({ pods }) => pods.unknown)])
  const known = answer.unknown.filter((words) => own.has(words))
  const unknown = known.length < answer.unknown.length ? [...known, WITHHELD] : known
  const because = [...job.stopped, ...limits.refused.map(asSentence), ...limitsOfNamespace(limits)]
  return {
    ...answer,
    sentence: joined(
      startSentence(job, { ...answer, unknown, nodes: [] }),
      evictedWords({ evicted }, false),
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
function smallerJobs(fleet: CountedFleet, { job, beside, judged, asker }: Asked): readonly JobChange[] {
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

/**
 * What to know where pods that ask for whole GPUs would get MIG devices: a node whose MIG strategy is `single` advertises
 * its devices as `nvidia.com/gpu`. `named`: whether nodes may be named. Undefined where they get what they ask for.
 */
function sliceWarning(
  { seatings }: Pick<Judged, 'seatings'>,
  places: readonly StartPlace[],
  named = true,
): string | undefined {
  const whole = new Set(
    seatings
      .filter(({ pods }) => pods.requests.some(({ resource }) => resource === WHOLE_GPU_RESOURCE))
      .map(({ pods }) => pods.part),
  )
  const asked = places.filter(({ part }) => whole.has(part))
  const cut = asked.filter(({ devices }) => devices.some(({ profile }) => profile !== undefined))
  if (cut.length === 0) return undefined
  const profiles = new Set(cut.flatMap(({ devices }) => devices.flatMap(({ profile }) => profile ?? [])))
  const nodes = [...new Set(cut.map(({ node }) => node))]
  const who = named ? firstFew(nodes, 3) : agree(nodes.length, 'their node', 'their nodes')
  const advertise = agree(nodes.length, 'advertises', 'advertise')
  return (
    `${cut.length === asked.length ? 'These' : 'Some of these'} are MIG slices (${listed([...profiles])}), not whole GPUs: ` +
    `${who} ${advertise} them as ${WHOLE_GPU_RESOURCE}. Add a node selector to avoid them.`
  )
}

type Told = Pick<StartAnswer, 'verdict' | 'starting' | 'pods' | 'unknown'> & {
  /** Those that may be named. */
  readonly nodes: readonly string[]
}

/** The answer in one sentence. */
function startSentence({ kind, name, gang }: AskedJob, { verdict, starting, pods, unknown, nodes }: Told): string {
  const what = `${kind} ${name}`
  if (verdict === 'now') return `${what} starts now: ${plural(pods, 'pod')}${whereWords(nodes)}.`
  if (verdict === 'unknown') return `Whether ${what} starts now is unknown: ${unknown[0] ?? 'it is not read'}.`
  if (starting > 0)
    return `${starting} of ${plural(pods, 'pod')} of ${what} ${starting === 1 ? 'starts' : 'start'} now; the others wait.`
  return gang && pods > 1
    ? `${what} does not start now: its ${pods} pods have to start together.`
    : `${what} does not start now.`
}

/** The answer, and what to know about it. */
const joined = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter((each) => each !== undefined).join(' ')

/** Who goes for it. `named`: whether others' pods may be named. */
function evictedWords({ evicted }: Pick<Judged, 'evicted'>, named = true): string | undefined {
  if (evicted.length === 0) return undefined
  const names = named ? `, such as ${firstFew(evicted.map(({ id }) => id).toSorted(compareText), 3)}` : ''
  return `For it, the scheduler evicts ${plural(evicted.length, 'pod')} of lower priority${names}.`
}

function whereWords(nodes: readonly string[]): string {
  if (nodes.length === 0) return ''
  return nodes.length === 1 ? ` on a node such as ${nodes.join()}` : ` on ${plural(nodes.length, 'node')}`
}

/** What keeps a job from starting, in sentences; of nodes what is missing where the pods may run comes first. */
export function whyNotNow(job: AskedJob, { limits, lacking }: Judged): readonly string[] {
  return [
    ...job.stopped,
    ...limits.refused.map(asSentence),
    ...limitsOfNamespace(limits),
    ...limits.ofQueue.map(asSentence),
    ...lacking.flatMap((seating) => whyLacking(seating, job.groups.length > 1)),
  ]
}

/** What the ResourceQuotas of its own namespace say. */
const limitsOfNamespace = ({ ofNamespace }: Judged['limits']): readonly string[] => ofNamespace.map(asSentence)

const asSentence = (words: string): string => `${capitalized(words)}.`

function whyLacking({ pods, most, slots }: Seating, isOneOfMany: boolean): readonly string[] {
  const whose = isOneOfMany && pods.part !== '' ? ` of ${pods.part}` : ''
  const head =
    most > 0
      ? `Room is free for ${most} of ${plural(pods.count, 'pod')}${whose}.`
      : `No node has room for ${pods.count === 1 ? 'this pod' : `any of ${pods.count} pods`}${whose}.`
  const barred = slots.flatMap(({ because }) => because ?? [])
  const tallies = [...Map.groupBy(barred, ({ kind, words }) => `${kind} ${words}`).values()]
    .map((same) => ({ barrier: same[0], nodes: same.length }))
    .toSorted(
      (a, b) =>
        orderOf(a.barrier) - orderOf(b.barrier) ||
        b.nodes - a.nodes ||
        compareText(a.barrier?.words ?? '', b.barrier?.words ?? ''),
    )
  const told = tallies
    .slice(0, MOST_TOLD)
    .map(({ barrier, nodes }) => `${plural(nodes, 'node')}: ${barrier?.words ?? ''}.`)
  const open = slots.filter(({ count }) => count > 0).length
  const held =
    open > 0 && most < pods.count && pods.spread.length > 0
      ? ['Its spread or anti-affinity rule allows no more on the nodes that have room.']
      : []
  const nodes = slots.map(({ on }) => on.node)
  const hints = devicesOf(pods).flatMap(({ resource }) => offerHint(resource, nodes) ?? [])
  return [head, ...hints, ...held, ...told]
}

const MOST_TOLD = 6

const ORDER = ['device', 'cpu', 'memory', 'taint', 'rules', 'repelled', 'closed'] as const
const orderOf = (barrier: Barrier | undefined): number =>
  barrier === undefined ? ORDER.length : ORDER.indexOf(barrier.kind)
