import type { Answer } from '../../api.ts'
import { dayTime } from '../../ui/time-words.ts'
import type { ChartTable } from '../chart/ChartPanel.tsx'

export type Size = NonNullable<Answer<'workloadsGet'>['size']>
type Peaks = NonNullable<Size['evidence']>['memory']
type Unit = 'GiB' | 'GPU'
type Limit = { readonly name: string; readonly value: number }

const scaled = (value: number, unit: Unit): number => (unit === 'GiB' ? value / 1024 : value)

/** Peaks as a chart takes them: memory in GiB, compute in GPUs. */
export const seriesOf = (peaks: Peaks, unit: Unit): { readonly at: number[]; readonly values: number[] } => ({
  at: peaks.map(({ at }) => new Date(at).getTime() / 1000),
  values: peaks.map(({ peak }) => scaled(peak, unit)),
})

/** How much the size that it holds has, and the one that would do; a limit that is not known is left out. */
export const limitLines = ({ held, proposed }: Pick<Size, 'held' | 'proposed'>, unit: Unit): readonly Limit[] =>
  [held, ...(proposed === null ? [] : [proposed])].flatMap(({ profile, share, memory }) => {
    const value = unit === 'GPU' ? share : memory
    return value === null ? [] : [{ name: profile === '' ? 'whole GPU' : profile, value: scaled(value, unit) }]
  })

/** The same in figures. */
export const evidenceTable = (
  peaks: Peaks,
  { unit, lines }: { readonly unit: Unit; readonly lines: readonly Limit[] },
): ChartTable => ({
  columns: ['Block begins', `Peak (${unit})`, ...lines.map(({ name }) => `${name} has (${unit})`)],
  rows: peaks.map(({ at, peak }) => [
    dayTime(at),
    scaled(peak, unit).toFixed(3),
    ...lines.map(({ value }) => value.toFixed(3)),
  ]),
})
