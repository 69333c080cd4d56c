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
  if (unit === 'ratio') return `${round(value * 100)} %`
  if (unit === 'USD') return `$${value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 2 : 0 })}`
  return unit === 'count' ? round(value) : `${round(value)} ${unit}`
}

const round = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })
