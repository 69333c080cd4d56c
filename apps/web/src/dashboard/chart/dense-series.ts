import { grouped } from '@septet/domain/words'

/** One line of a dense chart. `null` was not measured. */
export type DenseSeries = {
  readonly name: string
  readonly tone: 'busy' | 'idle' | 'stranded' | 'free' | 'fault' | 'accent' | 'ink'
  readonly values: readonly (number | null)[]
  /** Whether the space below it is tinted. */
  readonly filled?: boolean
  readonly dashed?: boolean
}

/** What the values are: `ratio` is shown in per cent. */
export type DenseUnit = 'ratio' | 'GiB' | 'W' | '°C' | 'GPU' | 'USD' | 'count'

/** A value with its unit, as the axis and the reading under the pointer say it. */
export function denseWords(value: number, unit: DenseUnit): string {
  if (unit === 'ratio') return `${round(value * 100)}%`
  if (unit === 'USD') return `$${grouped(value, value < 100 ? 2 : 0)}`
  return unit === 'count' ? round(value) : `${round(value)} ${unit === 'GPU' && value !== 1 ? 'GPUs' : unit}`
}

/** Little is not nothing: what would round to 0 is said to be less than the least that is shown. */
function round(value: number): string {
  const digits = value < 1 ? 2 : value < 10 ? 1 : 0
  return value > 0 && value < 0.005 ? '<0.01' : grouped(value, digits)
}
