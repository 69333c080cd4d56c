import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuRequest, Pod, PodId, Workload } from '../../cluster/workload.ts'
import type { Wish } from '../words/wish.ts'
import { unblock } from '../repack/unblock.ts'
import { FreeRoom } from '../place/free-room.ts'
import type { RecommendContext } from './recommend-context.ts'

/** How the pods of a workload get instances of another size. */
export type SizeRoom =
  /** Free now, for every pod. */
  | { readonly kind: 'free'; readonly needs: readonly string[] }
  /** After a change of layout; `own`: of GPUs that the workload itself holds, so that its pods wait for it. */
  | { readonly kind: 'cut'; readonly own: boolean; readonly layout: Wish }
  /** `fenced`: its own GPUs are to stay whole. */
  | { readonly kind: 'none'; readonly fenced: boolean }

export type SizeQuestion = {
  readonly workload: Workload
  readonly pods: readonly Pod[]
  readonly to: GpuRequest
  readonly model: string
}

/** Workloads for which a change of layout is looked for; each takes a look at all GPUs of the model. */
const MOST_CUTS = 20

/** Finds room for one workload after the other; what one takes the next does not count on. */
export class SizeRooms {
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
