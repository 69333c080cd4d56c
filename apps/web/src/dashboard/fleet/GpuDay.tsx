import { FIELDS, KEPT, SHOWN_MEANS } from '@septet/domain'

import type { Answer } from '../../api.ts'
import { dayName, minuteTime } from '../../ui/time-words.ts'
import { MeasuredChart } from '../chart/MeasuredChart.tsx'
import type { DenseSeries, DenseUnit } from '../chart/dense-series.ts'

type Day = NonNullable<Answer<'fleetGpu'>['day']>

/** Busy and memory over the last 24 hours, a line for each partition, and what is measured of the whole GPU. */
export function GpuDay({ day, sample }: { readonly day: Day | null; readonly sample: boolean }) {
  if (day === null)
    return (
      <p className="text-12 text-ink-soft">
        {sample
          ? 'Sample data has no history. Choose a cluster to see the last 24 hours of a GPU.'
          : 'The database is not responding, so the last 24 hours are missing. Everything above is live.'}
      </p>
    )
  const start = new Date(day.from).getTime() / 1000
  const series = [...SHOWN_MEANS.map((mean) => day[mean]), ...day.partitions.map(({ busy }) => busy)]
  const length = Math.max(0, ...series.map((values) => values.length))
  const at = Array.from({ length }, (_, bucket) => start + bucket * day.step)
  return (
    <div className="grid gap-3">
      <One
        title="Busy, last 24 hours"
        at={at}
        unit="ratio"
        lines={day.partitions.map(({ name, busy }) => [name, busy])}
      />
      <One
        title="Memory in use, last 24 hours"
        at={at}
        unit="GiB"
        lines={day.partitions.map(({ name, memory }) => [name, gib(memory)])}
      />
      {SHOWN_MEANS.map((mean) => {
        const { shown, unit } = FIELDS[KEPT[mean].field]
        const title = `${shown.label}, last 24 hours`
        return <One key={mean} title={title} at={at} unit={unit} lines={[['whole GPU', day[mean]]]} optional />
      })}
    </div>
  )
}

const gib = (values: readonly (number | null)[]): readonly (number | null)[] =>
  values.map((value) => (value === null ? null : value / 1024))

type Line = readonly [name: string, values: readonly (number | null)[]]
type Props = {
  readonly title: string
  readonly at: readonly number[]
  readonly unit: DenseUnit
  readonly lines: readonly Line[]
  /** Nothing is said where it was not measured: not every GPU has it. */
  readonly optional?: true
}

function One({ title, at, unit, lines, optional }: Props) {
  const known = lines.filter(([, values]) => values.some((value) => value !== null))
  if (known.length === 0 && optional === true) return undefined
  const since = sinceWords(at, known)
  const series: DenseSeries[] = known.map(([name, values], place) => ({
    name,
    values,
    tone: TONES[place % TONES.length] ?? 'busy',
    dashed: place >= TONES.length,
  }))
  return (
    <MeasuredChart title={title} at={at} series={series} unit={unit}>
      {since !== undefined && <p className="mt-2 text-12 text-ink-quiet">{since}</p>}
    </MeasuredChart>
  )
}

/** Since when there are readings, where the chart is empty before: an eighth of it or more. */
export function sinceWords(at: readonly number[], lines: readonly Line[]): string | undefined {
  const first = at.findIndex((_, place) => lines.some(([, values]) => typeof values[place] === 'number'))
  if (first < at.length / 8) return undefined
  const [from, to] = [isoOf(at[first]), isoOf(at.at(-1))]
  return `Readings since ${dayName(from) === dayName(to) ? '' : `${dayName(from)}, `}${minuteTime(from)}.`
}

const isoOf = (seconds = 0): string => new Date(seconds * 1000).toISOString()

const TONES = ['busy', 'accent', 'idle', 'stranded', 'ink', 'free', 'fault'] as const
