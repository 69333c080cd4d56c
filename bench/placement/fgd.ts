import { at, type Demand, type ShareFleet, GPU_MILLI, type Policy, scoredChooser } from '@septet/domain'
import { expectedFragmentation, wantedOf, type NodeRoom, type Wanted } from './fragmentation.ts'

/** Fragmentation gradient descent (Weng et al., USENIX ATC 2023): the spot where expected fragmentation grows least. */
export const fgd: Policy = {
  name: 'fgd',
  start: ({ fleet, typical }) => {
    const wanted = wantedOf(typical)
    const fragmentation = rememberedFragmentation(wanted)
    const rooms = new Map<number, NodeRoom>()
    return scoredChooser(fleet, (demand, node, gpu) => {
      const room = roomOf(fleet, node, rooms)
      const before = fragmentation(room)
      takeRoom(room, demand, gpu === -1 ? -1 : gpu - at(fleet.firstGpu, node))
      return -Math.floor(HIGHEST_SCORE / (1 + Math.exp((fragmentation(room) - before) / GPU_MILLI)))
    })
  },
}

/**
 * Kubernetes scores are whole numbers up to 100, and the published simulator rounds to them. That is kept: the coarse
 * steps let near ties go to the first node, and with exact scores FGD allocates about 2 points less.
 */
const HIGHEST_SCORE = 100

/** Equal rooms are judged once: a fleet has few kinds of nodes, and shares repeat. */
function rememberedFragmentation(wanted: readonly Wanted[]): (room: NodeRoom) => number {
  const remembered = new Map<string, number>()
  const most = 200_000
  return (room) => {
    const key = `${room.model} ${room.cpu} ${room.milli.toSorted().join(' ')}`
    const known = remembered.get(key)
    if (known !== undefined) return known
    const value = expectedFragmentation(room, wanted)
    if (remembered.size >= most) remembered.clear()
    remembered.set(key, value)
    return value
  }
}

/** The node's room in a buffer of its own size, overwritten by the next call. */
function roomOf(fleet: ShareFleet, node: number, rooms: Map<number, NodeRoom>): NodeRoom {
  const { gpus = 0, model = '' } = fleet.nodes[node] ?? {}
  const room = rooms.get(node) ?? { cpu: 0, milli: new Float64Array(gpus), gpus, model }
  rooms.set(node, room)
  room.cpu = at(fleet.cpuFree, node)
  const first = at(fleet.firstGpu, node)
  for (let gpu = 0; gpu < gpus; gpu += 1) room.milli[gpu] = at(fleet.milliFree, first + gpu)
  return room
}

function takeRoom(room: NodeRoom, demand: Demand, gpu: number): void {
  room.cpu -= demand.cpuMilli
  if (demand.gpu.kind === 'share') room.milli[gpu] = at(room.milli, gpu) - demand.gpu.milli
  if (demand.gpu.kind !== 'whole') return
  let left = demand.gpu.count
  for (let index = 0; index < room.gpus && left > 0; index += 1) {
    if (room.milli[index] !== GPU_MILLI) continue
    room.milli[index] = 0
    left -= 1
  }
}
