import { geometryOf, isFeasible, occupancy, placementMask } from '../../gpu/layout.ts'
import type { PlacedInstance } from '../../gpu/layout.ts'
import type { OrderedMove } from './order-moves.ts'
import type { GpuNow, Reconfiguration } from './reconfigure-problem.ts'

type Held = PlacedInstance & { pod: string | undefined }

/** Carries moves out one by one and throws at the first that is not legal; then checks that the plan was reached. */
export function replayMoves(
  gpus: readonly GpuNow[],
  plan: Extract<Reconfiguration, { kind: 'found' }>,
  moves: readonly OrderedMove[],
): void {
  const cluster = new Map(
    gpus.map((gpu) => [gpu.gpu, { now: gpu, instances: gpu.instances.map((each): Held => ({ ...each })) }]),
  )
  const queue = new Set<string>()
  for (const [number, move] of moves.entries()) {
    const refuse = (because: string): never => {
      throw new Error(`step ${number + 1}, ${JSON.stringify(move)}: ${because}`)
    }
    apply(move, refuse)
    for (const { now, instances } of cluster.values()) {
      const feasible = isFeasible(now.board, instances)
      if (feasible.kind === 'infeasible') refuse(feasible.because)
    }
  }
  checkEnd()

  function apply(move: OrderedMove, refuse: (because: string) => never): void {
    if (move.kind === 'stop') {
      leave(move.pod, refuse)
      queue.add(move.pod)
      return
    }
    const gpu = move.kind === 'move' || move.kind === 'start' ? move.to.gpu : move.gpu
    const site = cluster.get(gpu) ?? refuse('no such GPU')
    if (move.kind === 'recut') {
      if (site.now.actuator !== 'mig-manager') refuse('a single instance would do')
      if (site.instances.some(({ pod }) => pod !== undefined)) refuse('the GPU is in use')
      site.instances = move.to.map((each) => ({ ...each, pod: undefined }))
    } else if (move.kind === 'create-instance') {
      if (site.now.actuator !== 'dra') refuse('mig-manager cuts whole GPUs')
      if ((occupancy(site.instances) & placementMask(move.instance.placement)) !== 0) refuse('overlaps')
      site.instances.push({ ...move.instance, pod: undefined })
    } else if (move.kind === 'delete-instance') {
      const found = find(site.instances, move.instance) ?? refuse('no such instance')
      if (found.pod !== undefined) refuse('in use')
      site.instances = site.instances.filter((each) => each !== found)
    } else {
      const found = find(site.instances, move.to.instance) ?? refuse('the room is not there')
      if (found.pod !== undefined) refuse('the room is taken')
      if (move.kind === 'move') leave(move.pod, refuse)
      else if (!queue.delete(move.pod)) refuse('the pod was not waiting')
      found.pod = move.pod
    }
  }

  function leave(pod: string, refuse: (because: string) => never): void {
    const seats = [...cluster.values()].flatMap(({ instances }) => instances.filter((each) => each.pod === pod))
    const [seat] = seats
    if (seats.length !== 1 || seat === undefined) return refuse(`the pod runs ${seats.length} times`)
    seat.pod = undefined
  }

  function checkEnd(): void {
    if (queue.size > 0) throw new Error(`${[...queue].join(', ')} still wait`)
    for (const { gpu, layout } of plan.targets) {
      const instances = cluster.get(gpu)?.instances ?? []
      if (JSON.stringify(geometryOf(instances)) !== JSON.stringify(geometryOf(layout)))
        throw new Error(`${gpu} is not as planned`)
    }
    for (const { gpu, instance, demand } of plan.rooms) {
      const free =
        cluster.get(gpu)?.instances.filter((each) => each.profile === instance.profile && each.pod === undefined) ?? []
      const wanted = plan.rooms.filter((room) => room.gpu === gpu && room.instance.profile === instance.profile)
      if (free.length < wanted.length) throw new Error(`no room for ${demand} on ${gpu}`)
    }
    const before = gpus.flatMap(({ supplyClass, instances }) => instances.map((each) => ({ ...each, supplyClass })))
    for (const { pod, profile, supplyClass } of before) {
      if (pod === undefined) continue
      const seats = [...cluster.values()].filter(
        ({ now, instances }) =>
          now.supplyClass === supplyClass && instances.some((each) => each.pod === pod && each.profile === profile),
      )
      if (seats.length === 0) throw new Error(`${pod} lost its ${profile}`)
    }
  }
}

const find = (instances: readonly Held[], wanted: PlacedInstance): Held | undefined =>
  instances.find(({ profile, placement }) => profile === wanted.profile && placement.start === wanted.placement.start)
