export type FairQueueNeeds = {
  readonly atOnce: number
  readonly mostWaiting: number
  /** What those are told for whom there is no room. */
  readonly refusal: () => Error
}

/** Does work in turn; `from` says for whom. */
export type FairQueue = <Result>(from: string, work: () => Promise<Result>) => Promise<Result>

/**
 * A queue that nobody can hold alone: those who ask take turns, whoever has asked how often. When it is full, whoever has
 * most in it loses what came last, unless the newcomer would have as much.
 */
export function openFairQueue({ atOnce, mostWaiting, refusal }: FairQueueNeeds): FairQueue {
  const line = openLine()
  let running = 0
  const takePlace = (from: string): Promise<void> => {
    if (running < atOnce) {
      running++
      return Promise.resolve()
    }
    if (line.size() >= mostWaiting) {
      const dropped = line.dropOfLongest(from)
      if (dropped === undefined) return Promise.reject(refusal())
      dropped.reject(refusal())
    }
    return new Promise((resolve, reject) => line.add(from, { resolve, reject }))
  }
  return async (from, work) => {
    await takePlace(from)
    try {
      return await work()
    } finally {
      // The place is handed on, so that nobody who comes later takes it.
      const next = line.next()
      if (next === undefined) running--
      else next.resolve()
    }
  }
}

type Waiting = { resolve(): void; reject(error: Error): void }

function openLine() {
  /** By whom; whose turn it is comes first. None is empty. */
  const waiting = new Map<string, Waiting[]>()
  let size = 0
  return {
    size: () => size,
    add(from: string, one: Waiting): void {
      const own = waiting.get(from)
      if (own === undefined) waiting.set(from, [one])
      else own.push(one)
      size++
    },
    next(): Waiting | undefined {
      const [first] = waiting
      if (first === undefined) return undefined
      const [from, [one, ...rest]] = first
      waiting.delete(from)
      if (rest.length > 0) waiting.set(from, rest)
      size--
      return one
    },
    /** The last of whoever has most; undefined when the newcomer would have as much. */
    dropOfLongest(newcomer: string): Waiting | undefined {
      const own = waiting.get(newcomer)?.length ?? 0
      const [longest] = [...waiting.values()].toSorted((a, b) => b.length - a.length)
      if (longest === undefined || longest.length <= own + 1) return undefined
      size--
      return longest.pop()
    },
  }
}
