/** Pods that wait, in the order in which they came. Of equal ones only the first is tried: where it fits nowhere, none does. */
export class WaitingLine {
  length = 0
  private readonly byShape: { jobs: number[]; head: number }[]
  private readonly arrived = new Map<number, number>()
  private count = 0

  constructor(shapes: number) {
    this.byShape = Array.from({ length: shapes }, () => ({ jobs: [], head: 0 }))
  }

  add(job: number, shape: number): void {
    this.byShape[shape]?.jobs.push(job)
    this.arrived.set(job, this.count)
    this.count += 1
    this.length += 1
  }

  /** Tries everybody in turn; those for whom it says true have left. */
  try(start: (job: number) => boolean): void {
    if (this.length === 0) return
    const stuck = new Set<number>()
    for (let shape = this.first(stuck); shape !== undefined; shape = this.first(stuck)) {
      const line = this.byShape[shape]
      const job = line?.jobs[line.head]
      if (line === undefined || job === undefined || !start(job)) {
        stuck.add(shape)
        continue
      }
      line.head += 1
      this.length -= 1
      this.arrived.delete(job)
    }
  }

  /** Who still waits. */
  rest(): readonly number[] {
    return this.byShape.flatMap(({ jobs, head }) => jobs.slice(head))
  }

  private first(stuck: ReadonlySet<number>): number | undefined {
    let best: number | undefined
    let earliest = Infinity
    for (let shape = 0; shape < this.byShape.length; shape += 1) {
      const line = this.byShape[shape]
      const job = line?.jobs[line.head]
      if (job === undefined || stuck.has(shape)) continue
      const arrived = this.arrived.get(job) ?? 0
      if (arrived >= earliest) continue
      earliest = arrived
      best = shape
    }
    return best
  }
}
