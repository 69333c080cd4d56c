/** Things that will happen at known times of the demo's clock, earliest first; at one time, in the order they were set. */
export type Agenda = {
  at(time: number, happens: () => void): void
  /** Lets everything happen that is due; `settle` comes after what happened in the same second. */
  runUntil(now: number, settle?: () => void): void
  /** The time of what is happening; undefined in between. */
  happening(): number | undefined
}

type Item = { readonly time: number; readonly order: number; readonly happens: () => void }

export function createAgenda(): Agenda {
  const heap: Item[] = []
  let order = 0
  let current: number | undefined
  return {
    happening: () => current,
    at: (time, happens) => push(heap, { time, order: order++, happens }),
    runUntil: (now, settle) => {
      let settled = true
      for (;;) {
        const [next] = heap
        const isDue = next !== undefined && next.time <= now
        if (!settled && !(isDue && isSameSecond(next.time, current))) {
          settled = true
          settle?.()
        } else if (isDue) {
          pop(heap)
          current = next.time
          settled = false
          next.happens()
        } else break
      }
      current = undefined
    },
  }
}

const isSameSecond = (time: number, other = -Infinity): boolean => Math.floor(time / 1000) === Math.floor(other / 1000)

const before = (a: Item, b: Item): boolean => a.time < b.time || (a.time === b.time && a.order < b.order)

function push(heap: Item[], item: Item): void {
  let hole = heap.length
  heap.push(item)
  while (hole > 0) {
    const parent = (hole - 1) >> 1
    const above = heap[parent]
    if (above === undefined || !before(item, above)) break
    heap[hole] = above
    hole = parent
  }
  heap[hole] = item
}

function pop(heap: Item[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let hole = 0
  for (;;) {
    const child = smallerChild(heap, hole)
    const below = heap[child]
    if (below === undefined || !before(below, last)) break
    heap[hole] = below
    hole = child
  }
  heap[hole] = last
}

function smallerChild(heap: readonly Item[], hole: number): number {
  const left = heap[2 * hole + 1]
  const right = heap[2 * hole + 2]
  return left !== undefined && right !== undefined && before(right, left) ? 2 * hole + 2 : 2 * hole + 1
}
