import { agree, percent, plural } from '../../words.ts'
import type { GpuPart } from '../../analyze/gpu-parts.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import { whyReserved } from '../../cluster/reserved-cache.ts'
import type { GpuRequest, Pod, PodId, Workload, WorkloadClass, WorkloadId } from '../../cluster/workload.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { compareText, ratio, seconds } from '../../units.ts'
import type { OverrunModel } from '../right-size/overrun-model.ts'
import { rightSizeFor, type SizeAdvice } from '../right-size/right-size-for.ts'
import { rightSizeOptions, type RightSizeLevel, type RightSizeOptions } from '../right-size/right-size-options.ts'
import { historyOfRows } from '../right-size/usage-history.ts'
import { isFresh } from './fresh-rows.ts'
import { holdAlike } from './hold-alike.ts'
import { judgeHolders } from './judge-holders.ts'
import { kept, type Kept } from './kept.ts'
import { freedBy, idleOf, inPercent, queryOf, type Proposal } from './proposal.ts'
import { SLACK, type RecommendContext } from './recommend-context.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Wish } from '../words/wish.ts'
import { unblock } from '../repack/unblock.ts'
import { FreeRoom } from '../place/free-room.ts'

/** How much headroom work gets by what it is: people wait for inference, nobody for a notebook. */
const LEVEL_OF = {
  inference: 'high-availability',
  training: 'production',
  analytics: 'production',
  notebook: 'development',
  unknown: 'production',
} satisfies Record<WorkloadClass, RightSizeLevel>

/** The headroom that work of a class gets. */
export const sizeLevel = (kind: WorkloadClass): RightSizeLevel => LEVEL_OF[kind]

/**
 * Workloads whose own past shows that a smaller profile holds them, within an accepted chance of overrun, and for whose
 * pods there is such room: free now, or by a layout that displaces nobody else. Without room the pods would wait, which
 * serves nobody; that such work is oversized stays a finding.
 */
export function rightSize(context: RecommendContext): ReadonlyArray<Proposal | Kept> {
  const rooms = new SizeRooms(context)
  const judged = judgeHolders(context, smallerFor)
  const smaller = judged.flatMap((each) => ('kind' in each ? [] : each)).toSorted(bySaved)
  const proposals = smaller.map((each) => {
    const { workload, seat, to } = each
    const room = rooms.roomFor({ workload, pods: seat.pods, to, model: seat.part.model })
    return room.kind === 'none' ? noRoom(each, room) : proposalOf(each, room, context)
  })
  return [...judged.flatMap((each) => ('kind' in each ? each : [])), ...proposals]
}

const bySaved = (a: Smaller, b: Smaller): number => savedBy(b) - savedBy(a) || compareText(a.workload.id, b.workload.id)
const savedBy = ({ seat, advice }: Smaller): number => seat.pods.length * (seat.part.share - advice.share)

/** A workload that fits a smaller profile, before it is known whether there is room for it. */
type Smaller = {
  readonly workload: Workload
  readonly seat: Seat
  readonly level: RightSizeLevel
  readonly advice: Extract<SizeAdvice, { readonly kind: 'fits-smaller' }>
  readonly to: GpuRequest
}

function smallerFor(workload: Workload, context: RecommendContext): Smaller | Kept | undefined {
  const { id } = workload
  const seat = seatOf(workload, context)
  if (seat === undefined) return undefined
  if (typeof seat === 'string') return kept(id, 'needs-size', seat)
  const reserved = whyReserved(workload)
  if (reserved !== undefined) return kept(id, 'not-measured', `A smaller size: ${reserved}.`)
  const level = LEVEL_OF[workload.class]
  const rows = context.rowsOf.get(id) ?? []
  const study = { rows, options: sizeOptionsFor(level, context), model: context.overrun }
  const advice = steadyAdvice(seat, study, sizeBefore(context, id))
  if (advice.kind !== 'fits-smaller') {
    const reason = advice.kind === 'unknown' ? 'not-measured' : 'needs-size'
    return kept(id, reason, `A smaller size: ${advice.because}.`)
  }
  if (!isFresh(rows, context)) return kept(id, 'not-measured', 'A smaller size: its newest usage is hours old.')
  return { workload, seat, level, advice, to: { resource: resourceOfProfile(advice.profile.name), count: 1 } }
}

/** The level's own, with what a person has decided instead; the target is that of production work. */
export function sizeOptionsFor(level: RightSizeLevel, { policy }: Pick<RecommendContext, 'policy'>): RightSizeOptions {
  const options = rightSizeOptions[level]
  if (policy === undefined) return options
  const { idle, rightSize: sizes } = policy.analysis
  const { memoryMargin, minimumHistory, targetUtilization } = sizes
  return {
    ...options,
    memoryMargin,
    minimumHistory,
    idleThreshold: idle.threshold,
    ...(level === 'production' ? { targetUtilization } : {}),
  }
}

type Study = {
  readonly rows: readonly UsageRow[]
  readonly options: RightSizeOptions
  readonly model: OverrunModel
}

/** The same with every limit a tenth wider, but for memory: who has too little of that is ended. */
export const eased = (options: RightSizeOptions): RightSizeOptions => ({
  ...options,
  minimumHistory: seconds(options.minimumHistory * SLACK),
  idleThreshold: ratio(options.idleThreshold * SLACK),
  targetUtilization: ratio(Math.min(1, options.targetUtilization / SLACK)),
  accepted: { ...options.accepted, compute: ratio(options.accepted.compute / SLACK) },
})

/** What was advised before, while it nearly fits; else what fits. */
function steadyAdvice(seat: Seat, study: Study, before: GpuRequest | undefined): SizeAdvice {
  const isBefore = (advice: SizeAdvice): boolean =>
    advice.kind === 'fits-smaller' && resourceOfProfile(advice.profile.name) === before?.resource
  const advice = adviceFor(seat, study)
  if (before === undefined || isBefore(advice)) return advice
  const wider = adviceFor(seat, { ...study, options: eased(study.options) })
  return isBefore(wider) ? wider : advice
}

/** What the pods were to ask for by the last recommendation. */
function sizeBefore({ before }: RecommendContext, id: WorkloadId): GpuRequest | undefined {
  const steps = before('right-size', `workload/${id}`)?.plan.steps ?? []
  return steps.flatMap(({ action }) => (action.kind === 'resize' ? action.to : []))[0]
}

function adviceFor({ part, id }: Seat, { rows, options, model }: Study): SizeAdvice {
  const board = boardFor(part.model)
  if (board === undefined) return { kind: 'unknown', because: `a ${part.model} cannot be cut into smaller sizes` }
  // How busy it kept another GPU model says nothing about this one.
  const own = rows.filter((row) => row.model === part.model)
  const advice = rightSizeFor({ history: historyOfRows(id, own), board, held: part.profile, model }, options)
  return withinAllPeaks(advice, rows, options)
}

/** Memory counts also where how busy it was is not trusted, and on other models: a peak is a peak. */
export function withinAllPeaks(advice: SizeAdvice, rows: readonly UsageRow[], options: RightSizeOptions): SizeAdvice {
  if (advice.kind !== 'fits-smaller') return advice
  const peak = rows.reduce((most, { memoryPeak }) => Math.max(most, memoryPeak ?? 0), 0)
  if (peak * (1 + options.memoryMargin) <= (advice.profile.memory ?? 0)) return advice
  return {
    kind: 'keep',
    because: `a ${advice.profile.name} is smaller than a memory peak that it had on another model or while untrusted`,
    evidence: advice.evidence,
  }
}

type Seat = {
  readonly id: WorkloadId
  readonly part: GpuPart
  readonly parts: readonly GpuPart[]
  readonly pods: readonly Pod[]
}

/**
 * What each pod of the workload holds, where all hold the same one device and ask for nothing else. MIG devices cannot
 * reach one another, so work on several GPUs is not sized, and neither is work on a GPU with a fault.
 */
function seatOf({ id }: Workload, { held, podsOf }: RecommendContext): Seat | string | undefined {
  const parts = held.get(id) ?? []
  const pods = podsOf.get(id) ?? []
  const [part] = parts
  const single = pods.every(({ requests }) => requests.length === 1 && requests[0]?.count === 1)
  if (part === undefined || !single) return undefined
  if (boardFor(part.model) === undefined) return `A smaller size: ${part.model} does not support MIG.`
  const holders = new Set(parts.map(({ pod }) => pod))
  return holdAlike(parts, pods) && parts.length === pods.length && holders.size === pods.length
    ? { id, part, parts, pods }
    : 'A smaller size: its pods hold different devices, so no one size fits them all.'
}

function noRoom({ workload, seat, advice }: Smaller, { fenced }: Extract<SizeRoom, { readonly kind: 'none' }>): Kept {
  const size = `${plural(seat.pods.length, advice.profile.name, `× ${advice.profile.name}`)} would do, and none is free.`
  return fenced
    ? kept(
        workload.id,
        'kept-whole',
        `${size} The only GPUs that could be partitioned for it must stay whole for work that spans several GPUs.`,
      )
    : kept(workload.id, 'no-room', `${size} No GPU can be partitioned for it without displacing others.`)
}

function proposalOf({ workload, seat, level, advice, to }: Smaller, room: Room, context: RecommendContext): Proposal {
  const { profile, share, overrun, confidence, evidence } = advice
  const { part, parts, pods } = seat
  const held = part.profile === '' ? 'whole GPU' : part.profile
  const freed = freedBy(parts.map((each) => ({ ...each, share: ratio(each.share - share) })))
  return {
    kind: 'right-size',
    object: `workload/${workload.id}`,
    title: `Give ${workload.namespace}/${workload.name} a ${room.kind === 'cut' ? 'new ' : ''}${profile.name} instead of a ${held}`,
    message: `${peakWords(advice)} ${roomWords(room, pods.length, profile.name)}`,
    rule: { name: `right-size/${level}`, version: 1 },
    evidence: {
      query: queryOf(workload.id, 'DCGM_FI_DEV_FB_USED'),
      window: evidence.window,
      samples: evidence.samples,
      coverage: evidence.coverage,
      figures: {
        pods: pods.length,
        'memory peak, MiB': Math.round(evidence.memoryPeak ?? 0),
        'memory of the profile, MiB': profile.memory ?? 'unknown',
        'sustained compute peak, % of a GPU': Math.round((evidence.computePeak ?? 0) * 100),
        'compute of the profile, % of a GPU': Math.round(share * 100),
        'chance of running out of memory in a day, %': inPercent(overrun.memory),
        ...(overrun.compute === undefined
          ? {}
          : { 'chance of too little compute in a day, %': inPercent(overrun.compute) }),
        behavior: evidence.activity,
        room: ROOM_FIGURE[roomKey(room)],
      },
    },
    wishes: [...(room.kind === 'cut' ? [room.layout] : []), { kind: 'resize', workload: workload.id, to: [to] }],
    displaces: pods.length,
    ...(room.kind === 'free' ? { needs: room.needs } : {}),
    gain: {
      freed,
      shown: { kind: 'number', effect: 'capacity-freed', wasted: idleOf(workload.id, context), makesRoom: true },
    },
    overrun: ratio(1 - (1 - overrun.memory) * (1 - (overrun.compute ?? 0))),
    confidence,
  }
}

function peakWords({ evidence, profile }: Smaller['advice']): string {
  const memory = `${gib(evidence.memoryPeak ?? 0)} of ${gib(profile.memory ?? 0)} GiB`
  return `At its peak it used ${memory} that a ${profile.name} has, and ${percent(evidence.computePeak ?? 0, 0)} of a GPU's compute.`
}

type Room = Exclude<SizeRoom, { readonly kind: 'none' }>

function roomWords(room: Room, pods: number, profile: string): string {
  const whose = pods === 1 ? 'its pod' : `its ${pods} pods`
  if (room.kind === 'free') return `A ${profile} is free for ${pods === 1 ? 'its pod' : `each of ${whose}`} now.`
  return room.own
    ? `None is free: its own GPUs are repartitioned first, and ${whose} ${agree(pods, 'waits', 'wait')} for that.`
    : `None is free: unallocated GPUs are repartitioned first.`
}

const ROOM_FIGURE = {
  free: 'free now',
  unheld: 'by repartitioning unallocated GPUs',
  own: 'by repartitioning its own GPUs',
}
const roomKey = (room: Room): keyof typeof ROOM_FIGURE => (room.kind === 'free' ? 'free' : room.own ? 'own' : 'unheld')

const gib = (mib: number): string => (mib / 1024).toFixed(1)

/** How the pods of a workload get instances of another size. */
type SizeRoom =
  /** Free now, for every pod. */
  | { readonly kind: 'free'; readonly needs: readonly string[] }
  /** After a change of layout; `own`: of GPUs that the workload itself holds, so that its pods wait for it. */
  | { readonly kind: 'cut'; readonly own: boolean; readonly layout: Wish }
  /** `fenced`: its own GPUs are to stay whole. */
  | { readonly kind: 'none'; readonly fenced: boolean }

type SizeQuestion = {
  readonly workload: Workload
  readonly pods: readonly Pod[]
  readonly to: GpuRequest
  readonly model: string
}

/** Workloads for which a change of layout is looked for; each takes a look at all GPUs of the model. */
const MOST_CUTS = 20

/** Finds room for one workload after the other; what one takes the next does not count on. */
class SizeRooms {
  readonly #context: RecommendContext
  readonly #room: FreeRoom
  /** `node/…`: nodes whose layout is spoken for. */
  readonly #changed: Set<string>
  #cuts = 0

  constructor(context: RecommendContext) {
    this.#context = context
    this.#room = new FreeRoom(context)
    this.#changed = new Set(context.avoid)
  }

  /** None where nothing is free and no layout is found that displaces nobody else: then its pods would wait. */
  roomFor(question: SizeQuestion): SizeRoom {
    const needs = this.#takeFree(question)
    if (needs !== undefined) return { kind: 'free', needs }
    if (this.#cuts >= MOST_CUTS) return { kind: 'none', fenced: false }
    this.#cuts += 1
    const { heldBy, wantedWhole } = this.#context
    const fenced = question.pods.some(({ id }) => (heldBy.get(id) ?? []).some(({ gpu }) => wantedWhole.has(gpu)))
    return this.#cutFor(question, false) ?? this.#cutFor(question, true) ?? { kind: 'none', fenced }
  }

  #takeFree({ pods, to, model }: SizeQuestion): readonly string[] | undefined {
    const taken: { pod: Pod; free: NonNullable<ReturnType<FreeRoom['find']>> }[] = []
    for (const pod of pods) {
      const free = this.#room.find({ pod, resource: to.resource, model })
      if (free === undefined) break
      this.#room.take(free, pod)
      taken.push({ pod, free })
    }
    if (taken.length === pods.length) {
      const needs = taken.flatMap(({ free }) => [`node/${free.node.name}`, `partition/${free.partition.id}`])
      return [...new Set(needs)]
    }
    for (const { pod, free } of taken.toReversed()) this.#room.give(free, pod)
    return undefined
  }

  /** The layout that would start these pods in their new size, were they waiting, with no other pod moved. */
  #cutFor({ workload, pods, to, model }: SizeQuestion, own: boolean): SizeRoom | undefined {
    const { snapshot } = this.#context
    const before = own ? without(snapshot, new Set(pods.map(({ id }) => id))) : snapshot
    const asking = pods.map((pod): Pod => ({
      ...pod,
      id: `${pod.id} in its new size`,
      node: undefined,
      phase: 'Pending',
      requests: [to],
    }))
    const bound = before.pods.filter(({ node }) => node !== undefined)
    const { targets, starts, moves } = unblock(
      {
        ...before,
        nodes: before.nodes.filter(
          ({ name, gpus }) => !this.#changed.has(`node/${name}`) && gpus.some((gpu) => gpu.model === model),
        ),
        pods: [...bound, ...asking],
        workloads: [{ ...workload, pods: asking.map(({ id }) => id) }],
      },
      0,
      this.#context.wantedWhole,
    )
    if (starts.length === 0 || targets.length === 0 || moves.length > 0) return undefined
    for (const { gpu } of targets) this.#changed.add(`node/${this.#context.nodeOfGpu.get(gpu) ?? ''}`)
    return { kind: 'cut', own, layout: { kind: 'layout', targets, moves: [] } }
  }
}

/** The cluster as if these pods held nothing. */
function without(snapshot: ClusterSnapshot, pods: ReadonlySet<PodId>): ClusterSnapshot {
  return {
    ...snapshot,
    pods: snapshot.pods.filter(({ id }) => !pods.has(id)),
    allocations: snapshot.allocations.filter(({ pod }) => !pods.has(pod)),
  }
}
