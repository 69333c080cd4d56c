import type { PastWait } from '../../analyze/past-wait.ts'

/** How many waits were open at an instant, and one more: 1 where nothing waited. */
export type Crowd = (at: number) => number

/** Counts the waits of a history that were open at any instant; what still waits is open from when it began. */
export function crowdOf(history: readonly PastWait[]): Crowd {
  const begun = history.map(({ from }) => from).toSorted((a, b) => a - b)
  const ended = history.flatMap(({ to, over }) => (over ? to : [])).toSorted((a, b) => a - b)
  return (at) => 1 + Math.max(0, below(begun, at) - below(ended, at + 1))
}

/** How many of an ascending list are less than a value. */
function below(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((ascending[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}
