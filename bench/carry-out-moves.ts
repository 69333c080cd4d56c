import {
  geometryOf,
  isFeasible,
  occupancy,
  placementMask,
  type GpuNow,
  type Layout,
  type PlacedInstance,
  type PlannedMove,
  type Reconfiguration,
} from '@septet/domain'

type Found = Extract<Reconfiguration, { kind: 'found' }>
type Held = PlacedInstance & { pod: string | undefined }
type Gpu = { readonly now: GpuNow; instances: Held[] }

/** What carrying a plan out took. */
export type CarriedOut = {
  /** Instances made and deleted, pods moved, stopped and started. */
  readonly steps: number
  /** Pods that had to wait in the queue for a while, because moves form a circle. */
  readonly waiting: number
}

/**
 * Carries a plan for GPUs under DRA out, one change after the other, each of which leaves every GPU legal: a pod moves as
 * soon as there is room where it goes, and the instance that it leaves is deleted where the plan does not want it; where no
 * pod can move, one stops and waits. Throws where that does not lead to what was planned.
 */
export function carryOut(gpus: readonly GpuNow[], plan: Found): CarriedOut {
  const execution = new Execution(gpus, plan)
  execution.deleteIdle()
  execution.moveAll(plan.moves)
  execution.finish()
  checkPods(gpus, [...execution.fleet.values()])
  return { steps: execution.steps, waiting: execution.stopped.size }
}

class Execution {
  readonly fleet: ReadonlyMap<string, Gpu>
  readonly stopped = new Set<PlannedMove>()
  steps = 0
  readonly #wanted: ReadonlyMap<string, Layout>
  /** Where each partition that pods leave is. */
  readonly #seats: ReadonlyMap<string, { readonly gpu: Gpu; readonly instance: PlacedInstance }>

  constructor(gpus: readonly GpuNow[], { targets }: Found) {
    this.fleet = new Map(
      gpus.map((now) => [now.gpu, { now, instances: now.instances.map((each): Held => ({ ...each })) }]),
    )
    this.#wanted = new Map(targets.map(({ gpu, layout }) => [gpu, layout]))
    this.#seats = new Map(
      [...this.fleet.values()].flatMap((gpu) =>
        gpu.now.instances.map((instance) => [instance.partition, { gpu, instance }] as const),
      ),
    )
  }

  /** Instances that nobody holds and the plan does not want. */
  deleteIdle(): void {
    for (const gpu of this.fleet.values())
      for (const idle of gpu.instances)
        if (idle.pod === undefined && !this.#isWanted(gpu, idle)) this.#delete(gpu, idle)
  }

  moveAll(moves: readonly PlannedMove[]): void {
    const left = new Set(moves)
    while (left.size > 0) {
      const next = [...left].find((move) => this.#hasRoom(move))
      if (next === undefined) this.#stopOne(left)
      else {
        this.#move(next)
        left.delete(next)
      }
    }
  }

  /** Makes what is for new demand. */
  finish(): void {
    for (const [id, layout] of this.#wanted) {
      const gpu = this.#gpu(id)
      for (const each of layout) if (!gpu.instances.some((there) => isSame(there, each))) this.#make(gpu, each)
      if (JSON.stringify(geometryOf(gpu.instances)) !== JSON.stringify(geometryOf(layout)))
        throw new Error(`${id} is not as planned`)
    }
  }

  #gpu(id: string): Gpu {
    return this.fleet.get(id) ?? missing(id)
  }

  #isWanted({ now }: Gpu, instance: PlacedInstance): boolean {
    return this.#wanted.get(now.gpu)?.some((each) => isSame(each, instance)) ?? true
  }

  #hasRoom({ to, instance }: PlannedMove): boolean {
    const { instances } = this.#gpu(to.gpu)
    const there = instances.find((each) => isSame(each, instance))
    if (there !== undefined) return there.pod === undefined
    return (occupancy(instances) & placementMask(instance.placement)) === 0
  }

  #move(move: PlannedMove): void {
    const gpu = this.#gpu(move.to.gpu)
    const seat = gpu.instances.find((each) => isSame(each, move.instance)) ?? this.#make(gpu, move.instance)
    seat.pod = move.pod
    this.steps += 1
    if (!this.stopped.has(move)) this.#leave(move)
  }

  #stopOne(left: ReadonlySet<PlannedMove>): void {
    const move = [...left].find((each) => !this.stopped.has(each))
    if (move === undefined) throw new Error(`${left.size} pods wait for room that nobody leaves`)
    this.stopped.add(move)
    this.steps += 1
    this.#leave(move)
  }

  #leave({ from }: PlannedMove): void {
    const { gpu, instance } = this.#seats.get(from) ?? missing(from)
    const held = gpu.instances.find((each) => isSame(each, instance)) ?? missing(from)
    held.pod = undefined
    if (!this.#isWanted(gpu, held)) this.#delete(gpu, held)
  }

  #make(gpu: Gpu, { profile, placement }: PlacedInstance): Held {
    const made: Held = { profile, placement, pod: undefined }
    gpu.instances.push(made)
    const verdict = isFeasible(gpu.now.board, gpu.instances)
    if (verdict.kind === 'infeasible') throw new Error(`${gpu.now.gpu}: ${verdict.because}`)
    this.steps += 1
    return made
  }

  #delete(gpu: Gpu, instance: PlacedInstance): void {
    gpu.instances = gpu.instances.filter((each) => !isSame(each, instance))
    this.steps += 1
  }
}

/** Every pod that ran still has an instance of its profile. */
function checkPods(gpus: readonly GpuNow[], fleet: readonly Gpu[]): void {
  const runs = new Map(fleet.flatMap(({ instances }) => instances.map(({ pod, profile }) => [pod, profile] as const)))
  for (const { pod, profile } of gpus.flatMap(({ instances }) => instances))
    if (pod !== undefined && runs.get(pod) !== profile) throw new Error(`${pod} lost its ${profile}`)
}

const isSame = (a: PlacedInstance, b: PlacedInstance): boolean =>
  a.profile === b.profile && a.placement.start === b.placement.start

function missing(what: string): never {
  throw new Error(`there is no ${what}`)
}
