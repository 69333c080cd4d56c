/** Who leaves next, whatever the order in which they came: a binary heap, the first to leave at the top. */
export class LeaveQueue<Leaving extends { readonly at: number }> {
  private readonly heap: Leaving[] = []

  add(leaving: Leaving): void {
    let place = this.heap.push(leaving) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (this.at(parent) <= leaving.at) break
      this.swap(place, parent)
      place = parent
    }
  }

  /** The next that has left by then, if any. */
  until(at: number): Leaving | undefined {
    const first = this.heap[0]
    if (first === undefined || first.at > at) return undefined
    const last = this.heap.pop()
    if (last !== undefined && this.heap.length > 0) {
      this.heap[0] = last
      this.sink()
    }
    return first
  }

  private sink(): void {
    for (let place = 0; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      const child = this.at(right) < this.at(left) ? right : left
      if (this.at(child) >= this.at(place)) return
      this.swap(place, child)
      place = child
    }
  }

  private at(place: number): number {
    return this.heap[place]?.at ?? Number.POSITIVE_INFINITY
  }

  private swap(a: number, b: number): void {
    const [first, second] = [this.heap[a], this.heap[b]]
    if (first === undefined || second === undefined) return
    this.heap[a] = second
    this.heap[b] = first
  }
}
