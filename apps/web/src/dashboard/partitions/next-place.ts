import type { MigProfile } from '@septet/domain'

/**
 * Where an arrow key leads from a place (`profile@start`): left and right along a profile's row, up and down to the nearest
 * start of the next one, Home and End to the row's ends. Undefined: the key leads nowhere.
 */
export function nextPlace(key: string, from: string, rows: readonly MigProfile[]): string | undefined {
  const at = from.lastIndexOf('@')
  const row = rows.findIndex(({ name }) => name === from.slice(0, at))
  const own = rows[row]
  if (own === undefined) return undefined
  const start = Number(from.slice(at + 1))
  const step = STEPS[key]
  if (step !== undefined) {
    const next = rows[row + step]
    return next === undefined ? undefined : `${next.name}@${nearest(next.starts, start)}`
  }
  const to = own.starts[ALONG[key]?.(own.starts.indexOf(start), own.starts.length) ?? -1]
  return to === undefined ? undefined : `${own.name}@${to}`
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }
const ALONG: Readonly<Record<string, (index: number, length: number) => number>> = {
  ArrowLeft: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  Home: () => 0,
  End: (_index, length) => length - 1,
}

const nearest = (starts: readonly number[], to: number): number =>
  starts.toSorted((a, b) => Math.abs(a - to) - Math.abs(b - to) || a - b)[0] ?? 0
