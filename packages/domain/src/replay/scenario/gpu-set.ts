import type { ScenarioNeed } from './needs.ts'

/** All GPUs of one model, under one way to share and place. GPUs are numbered from 0, node by node. */
export type GpuSet = {
  readonly gpus: number
  /** Takes room; undefined where there is none. */
  take(need: ScenarioNeed, tenant: number): GpuSetHeld | undefined
  release(held: GpuSetHeld): void
  /** GPUs' worth that is free in a shape that nothing can use. */
  stranded(): number
}

/** Room of one pod. */
export type GpuSetHeld = {
  readonly gpus: readonly number[]
  /** What the GPU set needs to give it back. */
  readonly token: number
}

/** The sizes of the nodes of a GPU set, in order. */
export type GpuSetNodes = readonly number[]

/** First GPU of each node, and one past the last. */
function firstGpus(nodes: GpuSetNodes): Int32Array {
  const first = new Int32Array(nodes.length + 1)
  nodes.forEach((gpus, node) => {
    first[node + 1] = (first[node] ?? 0) + gpus
  })
  return first
}

/** Free GPUs by node: which node to open next, so that large work keeps finding whole ones. */
export class EmptyGpus {
  private readonly first: Int32Array
  private readonly nodeOf: Int32Array
  private readonly empty: Uint8Array
  private readonly count: Int32Array

  constructor(nodes: GpuSetNodes) {
    this.first = firstGpus(nodes)
    const gpus = this.first.at(-1) ?? 0
    this.nodeOf = new Int32Array(gpus)
    nodes.forEach((_, node) => this.nodeOf.fill(node, this.first[node], this.first[node + 1]))
    this.empty = new Uint8Array(gpus).fill(1)
    this.count = Int32Array.from(nodes)
  }

  /** So many empty GPUs on the node that has fewest of those that have enough; lowest numbers first. */
  pick(wanted: number, may: (gpu: number) => boolean = () => true): readonly number[] | undefined {
    let best = -1
    for (let node = 0; node < this.count.length; node += 1) {
      const free = this.count[node] ?? 0
      if (free < wanted || (best >= 0 && free >= (this.count[best] ?? 0))) continue
      if (this.on(node, wanted, may).length === wanted) best = node
    }
    return best < 0 ? undefined : this.on(best, wanted, may)
  }

  set(gpu: number, empty: boolean): void {
    if ((this.empty[gpu] === 1) === empty) return
    this.empty[gpu] = empty ? 1 : 0
    const node = this.nodeOf[gpu] ?? 0
    this.count[node] = (this.count[node] ?? 0) + (empty ? 1 : -1)
  }

  private on(node: number, wanted: number, may: (gpu: number) => boolean): number[] {
    const found: number[] = []
    const end = this.first[node + 1] ?? 0
    for (let gpu = this.first[node] ?? 0; gpu < end && found.length < wanted; gpu += 1)
      if (this.empty[gpu] === 1 && may(gpu)) found.push(gpu)
    return found
  }
}
