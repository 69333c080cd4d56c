import { type Board, maximalGeometries } from '@septet/domain'

const MOST_STATES = 2_000_000

/** The fewest GPUs of a board that hold these instances: exact, by dynamic programming over the board's maximal geometries. */
export function fewestGpus(board: Board, profiles: readonly string[]): number {
  const whole = board.profiles.filter(({ size }) => size >= board.memorySlices).map(({ name }) => name)
  const names = [...new Set(profiles)].filter((name) => !whole.includes(name)).toSorted()
  const counts = names.map((name) => profiles.filter((profile) => profile === name).length)
  const states = counts.reduce((product, count) => product * (count + 1), 1)
  if (states > MOST_STATES) throw new Error(`too many instances to pack exactly: ${states} states`)
  const takings = geometriesOf(board)
    .map((geometry) => names.map((name) => geometry[name] ?? 0))
    .filter((taken) => taken.some((count) => count > 0))
  const fewest = new Int32Array(states)
  for (let code = 1; code < states; code += 1) {
    const left = digits(code, counts)
    let least = Infinity
    for (const taken of takings) {
      const next = codeOf(left, taken, counts)
      // A geometry without what is left to place changes nothing.
      if (next < code) least = Math.min(least, fewest[next] ?? Infinity)
    }
    fewest[code] = 1 + least
  }
  return (fewest[states - 1] ?? 0) + profiles.filter((profile) => whole.includes(profile)).length
}

/** A state as counts of what is still to be placed. */
function digits(code: number, counts: readonly number[]): number[] {
  let rest = code
  return counts.map((count) => {
    const digit = rest % (count + 1)
    rest = Math.floor(rest / (count + 1))
    return digit
  })
}

/** The state that is left when one GPU takes its part. */
function codeOf(left: readonly number[], taken: readonly number[], counts: readonly number[]): number {
  let code = 0
  for (let index = counts.length - 1; index >= 0; index -= 1) {
    code = code * ((counts[index] ?? 0) + 1) + Math.max(0, (left[index] ?? 0) - (taken[index] ?? 0))
  }
  return code
}

const known = new WeakMap<Board, ReturnType<typeof maximalGeometries>>()
function geometriesOf(board: Board): ReturnType<typeof maximalGeometries> {
  const found = known.get(board) ?? maximalGeometries(board)
  known.set(board, found)
  return found
}
