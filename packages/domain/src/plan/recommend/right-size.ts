import { agree, capitalized, percent } from '../../words.ts'
import type { GpuPart } from '../../analyze/gpu-parts.ts'
import type { GpuRequest, Pod, PodId, Workload } from '../../cluster/workload.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import { compareText, ratio } from '../../units.ts'
import type { SizeAdvice } from '../right-size/right-size-for.ts'
import type { RightSizeLevel } from '../right-size/right-size-options.ts'
import { judgeHolders, kept, otherWay, type Kept } from './kept.ts'
import { freedBy, idleOf, inPercent, queryOf, type Proposal } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'
import { sizesIn } from './size-study.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Wish } from '../words/wish.ts'
import { unblock } from '../repack/unblock.ts'
import { FreeRoom } from '../../fleet/free-room.ts'

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
    const { workload, pods, parts, to } = each
    const room = rooms.roomFor({ workload, pods, to, model: parts[0]?.model ?? '' })
    return room.kind === 'none' ? noRoom(each, room) : proposalOf(each, room, context)
  })
  return [...judged.flatMap((each) => ('kind' in each ? each : [])), ...proposals]
}

const bySaved = (a: Smaller, b: Smaller): number => savedBy(b) - savedBy(a) || compareText(a.workload.id, b.workload.id)
const savedBy = ({ parts, advice }: Smaller): number => parts.reduce((sum, { share }) => sum + share - advice.share, 0)

/** A workload that fits a smaller profile, before it is known whether there is room for it. */
type Smaller = {
  readonly workload: Workload
  readonly parts: readonly GpuPart[]
  readonly pods: readonly Pod[]
  readonly level: RightSizeLevel
  readonly advice: Extract<SizeAdvice, { readonly kind: 'fits-smaller' }>
  readonly to: GpuRequest
}

function smallerFor(workload: Workload, context: RecommendContext): Smaller | Kept | undefined {
  const { id } = workload
  const study = sizesIn(context).get(id)
  if (study === undefined) return undefined
  if ('because' in study) {
    return study.kind === 'several-devices' ? undefined : kept(id, study.kind, `A smaller size: ${study.because}`)
  }
  const { advice, level } = study
  const other = otherWay(id, 'fewer-gpus', context)
  if (other !== undefined) return other
  if (advice.kind === 'fits-smaller') {
    const to = { resource: resourceOfProfile(advice.profile.name), count: 1 }
    return { workload, parts: context.held.get(id) ?? [], pods: context.podsOf.get(id) ?? [], level, advice, to }
  }
  return kept(id, advice.kind === 'unknown' ? 'not-measured' : 'needs-size', `A smaller size: ${advice.because}.`)
}

function noRoom({ workload, pods, advice }: Smaller, { fenced }: Extract<SizeRoom, { readonly kind: 'none' }>): Kept {
  const size = `${pods.length} × ${advice.profile.name} would do, but ${noneFree(pods.length)}.`
  return fenced
    ? kept(
        workload.id,
        'kept-whole',
        `${size} The only GPUs that could be partitioned for it must stay whole for work that spans several GPUs.`,
      )
    : kept(workload.id, 'no-room', `${size} No GPU can be partitioned for it without displacing others.`)
}

function proposalOf(
  { workload, parts, pods, level, advice, to }: Smaller,
  room: Room,
  context: RecommendContext,
): Proposal {
  const { profile, share, overrun, confidence, evidence } = advice
  const freed = freedBy(parts.map((each) => ({ ...each, share: ratio(each.share - share) })))
  return {
    kind: 'right-size',
    object: `workload/${workload.id}`,
    title: `Give ${workload.namespace}/${workload.name} a ${room.kind === 'cut' ? 'new ' : ''}${profile.name} instead of a ${heldWords(parts)}`,
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

const heldWords = ([part]: readonly GpuPart[]): string => part?.profile || 'whole GPU'

function peakWords({ evidence, profile }: Smaller['advice']): string {
  const memory = `${gib(evidence.memoryPeak ?? 0)} of ${gib(profile.memory ?? 0)} GiB`
  const { computePeak: hour } = evidence
  const compute = hour === undefined ? '' : `, and in its busiest hour ${percent(hour, 0)} of a GPU's compute`
  return `At its peak it used ${memory} that a ${profile.name} has${compute}.`
}

type Room = Exclude<SizeRoom, { readonly kind: 'none' }>

function roomWords(room: Room, pods: number, profile: string): string {
  const whose = pods === 1 ? 'its pod' : `its ${pods} pods`
  if (room.kind === 'free') return `A ${profile} is free for ${pods === 1 ? 'its pod' : `each of ${whose}`} now.`
  return room.own
    ? `${capitalized(noneFree(pods))}: its own GPUs are repartitioned first, and ${whose} ${agree(pods, 'waits', 'wait')} for that.`
    : `${capitalized(noneFree(pods))}: unallocated GPUs are repartitioned first.`
}

const noneFree = (pods: number): string => `${agree(pods, 'none is', 'too few are')} free for it`

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
      const free = this.#room.find({ pod, requests: [to], model })
      if (free === undefined) break
      this.#room.take(free, pod)
      taken.push({ pod, free })
    }
    if (taken.length === pods.length) {
      const needs = taken.flatMap(({ free }) =>
        free.flatMap(({ node, partition }) => [`node/${node.name}`, `partition/${partition.id}`]),
      )
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
