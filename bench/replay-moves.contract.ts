import {
  geometryOf,
  type GpuNow,
  type GpuTarget,
  isFeasible,
  occupancy,
  type PlacedInstance,
  placementMask,
  type Reconfiguration,
  type MoveRoom,
} from '@septet/domain'
import type { OrderedMove } from './order-moves.ts'

type Refuse = (because: string) => never
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

  function apply(move: OrderedMove, refuse: Refuse): void {
    if (move.kind === 'stop') {
      leave(move.pod, refuse)
      queue.add(move.pod)
    } else if (move.kind === 'move' || move.kind === 'start') {
      seat(move, refuse)
    } else {
      cut(move, refuse)
    }
  }

  function seat(move: Extract<OrderedMove, { kind: 'move' | 'start' }>, refuse: Refuse): void {
    const found = find(siteOf(move.to.gpu, refuse).instances, move.to.instance) ?? refuse('the room is not there')
    if (found.pod !== undefined) refuse('the room is taken')
    if (move.kind === 'move') leave(move.pod, refuse)
    else if (!queue.delete(move.pod)) refuse('the pod was not waiting')
    found.pod = move.pod
  }

  function cut(move: Exclude<OrderedMove, { kind: 'move' | 'start' | 'stop' }>, refuse: Refuse): void {
    const site = siteOf(move.gpu, refuse)
    if ((move.kind === 'recut') !== (site.now.actuator === 'mig-manager')) refuse('another actuator cuts this GPU')
    if (move.kind === 'recut') {
      if (site.instances.some(({ pod }) => pod !== undefined)) refuse('the GPU is in use')
      site.instances = move.to.map((each) => ({ ...each, pod: undefined }))
    } else if (move.kind === 'create-instance') {
      if ((occupancy(site.instances) & placementMask(move.instance.placement)) !== 0) refuse('overlaps')
      site.instances.push({ ...move.instance, pod: undefined })
    } else {
      const found = find(site.instances, move.instance) ?? refuse('no such instance')
      if (found.pod !== undefined) refuse('in use')
      site.instances = site.instances.filter((each) => each !== found)
    }
  }

  function siteOf(gpu: string, refuse: Refuse) {
    return cluster.get(gpu) ?? refuse('no such GPU')
  }

  function leave(pod: string, refuse: Refuse): void {
    const seats = [...cluster.values()].flatMap(({ instances }) => instances.filter((each) => each.pod === pod))
    const [only] = seats
    if (seats.length !== 1 || only === undefined) return refuse(`the pod runs ${seats.length} times`)
    only.pod = undefined
  }

  function checkEnd(): void {
    if (queue.size > 0) throw new Error(`${[...queue].join(', ')} still wait`)
    for (const target of plan.targets) checkLayout(target)
    for (const room of plan.rooms) checkRoom(room)
    for (const gpu of gpus) for (const { pod, profile } of gpu.instances) checkPod(gpu, pod, profile)
  }

  function checkLayout({ gpu, layout }: GpuTarget): void {
    const instances = cluster.get(gpu)?.instances ?? []
    if (JSON.stringify(geometryOf(instances)) === JSON.stringify(geometryOf(layout))) return
    throw new Error(`${gpu} is not as planned`)
  }

  function checkRoom({ gpu, instance, demand }: MoveRoom): void {
    const isWanted = (each: PlacedInstance): boolean => each.profile === instance.profile
    const free = cluster.get(gpu)?.instances.filter((each) => isWanted(each) && each.pod === undefined) ?? []
    const wanted = plan.rooms.filter((room) => room.gpu === gpu && isWanted(room.instance))
    if (free.length < wanted.length) throw new Error(`no room for ${demand} on ${gpu}`)
  }

  function checkPod({ supplyClass }: GpuNow, pod: string | undefined, profile: string): void {
    const runs = [...cluster.values()].some(
      ({ now, instances }) =>
        now.supplyClass === supplyClass && instances.some((each) => each.pod === pod && each.profile === profile),
    )
    if (pod !== undefined && !runs) throw new Error(`${pod} lost its ${profile}`)
  }
}

const find = (instances: readonly Held[], wanted: PlacedInstance): Held | undefined =>
  instances.find(({ profile, placement }) => profile === wanted.profile && placement.start === wanted.placement.start)
