import type { TimeRange } from '@septet/domain'
import { wholePercent } from '@septet/domain/words'
import { Area, CartesianGrid, ComposedChart, Line, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'

import type { Answer } from '../../api.ts'
import { useWidth } from '../../ui/use-width.ts'
import {
  axisTicks,
  axisTime,
  type NamedSeries,
  pointMoment,
  type SeriesKey,
  shareWords,
  shownSeries,
  standsAlone,
} from './trend-rows.ts'

type Trend = Answer<'utilizationTrend'>
type Props = { readonly trend: Trend; readonly over: TimeRange; readonly target: number | undefined }

const HEIGHT = 320
const TOP = 8
const AXIS = 26
const PLOT = { top: TOP, height: HEIGHT - TOP - AXIS }
const NAMES_WIDTH = 96

/** The trend as lines from 0 to 100%, named at their right end; where nothing was measured there is no line. */
export function TrendChart({ trend, over, target }: Props) {
  const [box, width] = useWidth<HTMLDivElement>()
  const series = shownSeries(trend)
  const named = width !== undefined && width > 560
  return (
    <div ref={box} className="relative h-full" data-testid="trend-chart">
      {width !== undefined && (
        <ComposedChart
          width={width}
          height={HEIGHT}
          data={trend.points}
          margin={{ top: TOP, right: named ? NAMES_WIDTH : 8, bottom: 0, left: 0 }}
          title="GPU utilization over time"
        >
          {axes(trend, over)}
          {target !== undefined && (
            <ReferenceLine y={target} stroke="var(--ink-quiet)" strokeDasharray="1 4" strokeLinecap="round" />
          )}
          {series.toReversed().map(({ key }) => line(key, trend.points))}
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: 'var(--line-strong)' }}
            content={<Moment trend={trend} series={series} />}
          />
        </ComposedChart>
      )}
      {named && <Names trend={trend} series={series} target={target} />}
      {!named && <Key series={series} />}
    </div>
  )
}

const TICK = { fontSize: 12, fill: 'var(--ink-quiet)' }

const axes = (trend: Trend, over: TimeRange) => (
  <>
    <CartesianGrid vertical={false} stroke="var(--line)" />
    <XAxis
      dataKey="at"
      {...ticksOf(trend, over)}
      tickLine={false}
      axisLine={false}
      height={AXIS}
      tick={TICK}
      tickMargin={8}
      minTickGap={36}
      interval="equidistantPreserveStart"
      padding={{ left: 10, right: 10 }}
    />
    <YAxis
      domain={[0, 1]}
      ticks={[0, 0.25, 0.5, 0.75, 1]}
      tickFormatter={wholePercent}
      tickLine={false}
      axisLine={false}
      width={42}
      tick={{ ...TICK, fontFamily: 'var(--font-mono)' }}
    />
  </>
)

const ticksOf = (trend: Trend, over: TimeRange) => {
  const ticks = axisTicks(trend, over)
  const tickFormatter = (at: string): string => axisTime(at, { step: trend.step, over })
  return ticks === undefined ? { tickFormatter } : { tickFormatter, ticks }
}

const STYLE = {
  busy: { stroke: 'var(--busy)', strokeWidth: 2.25 },
  busyOfAllocated: { stroke: 'var(--ink-soft)', strokeWidth: 1.5, strokeDasharray: '4 3' },
  allocated: { stroke: 'var(--free)', strokeWidth: 1.5 },
} satisfies Record<SeriesKey, object>

/** Straight from point to point: a smooth curve would show values that nobody measured. */
function line(key: SeriesKey, points: Trend['points']) {
  const common = {
    dataKey: key,
    type: 'linear' as const,
    connectNulls: false,
    isAnimationActive: false,
    activeDot: { r: 3.5, strokeWidth: 0 },
    dot: ({ index, cx, cy }: { readonly index?: number; readonly cx?: number; readonly cy?: number }) =>
      index !== undefined && standsAlone(points, index, key) ? (
        <circle key={index} cx={cx} cy={cy} r="2" fill={STYLE[key].stroke} />
      ) : (
        <g key={index} />
      ),
    ...STYLE[key],
  }
  return key === 'busy' ? (
    <Area key={key} {...common} fill="var(--busy-soft)" fillOpacity={0.4} />
  ) : (
    <Line key={key} {...common} />
  )
}

type PartProps = { readonly trend: Trend; readonly series: readonly NamedSeries[] }

/** Each line's name where it ends, and the target's. */
function Names({ trend, series, target }: PartProps & { readonly target: number | undefined }) {
  const ends = series.map(({ key, name }) => ({
    key,
    name,
    value: trend.points.findLast((point) => point[key] !== null)?.[key] ?? 0,
  }))
  const aim =
    target === undefined ? [] : [{ key: 'target', name: `Target ${wholePercent(target)}`, value: target } as const]
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-y-0 right-0 text-12"
      style={{ width: NAMES_WIDTH - 8 }}
    >
      {placeLabels([...ends, ...aim], PLOT).map(({ key, name, top }) => (
        <span key={key} className={`absolute -translate-y-1/2 whitespace-nowrap ${INK[key]}`} style={{ top }}>
          {name}
        </span>
      ))}
    </div>
  )
}

const INK = {
  busy: 'font-semibold text-busy-ink',
  busyOfAllocated: 'text-ink-soft',
  allocated: 'text-ink-quiet',
  target: 'text-ink-quiet',
} satisfies Record<SeriesKey | 'target', string>

/** Where there is no room beside the lines, the names stand above them. */
const Key = ({ series }: Pick<PartProps, 'series'>) => (
  <ul className="pointer-events-none absolute top-0 right-0 flex flex-wrap justify-end gap-x-3 rounded-[4px] bg-surface pl-2 text-12">
    {series.map(({ key, name }) => (
      <li key={key} className={`flex items-center gap-1.5 ${INK[key]}`}>
        <svg aria-hidden width="16" height="4">
          <line x2="16" y1="2" y2="2" {...STYLE[key]} />
        </svg>
        {name}
      </li>
    ))}
  </ul>
)

type MomentProps = PartProps & { readonly active?: boolean; readonly activeIndex?: number | string | null }

/** The card at the pointer: every line's value at that time, and how much of it was measured. */
function Moment({ trend, series, active = false, activeIndex }: MomentProps) {
  const point = active ? trend.points[Number(activeIndex)] : undefined
  if (point === undefined) return undefined
  return (
    <div className="floats rounded-control border border-line bg-raised px-3 py-2 text-12">
      <p className="mb-1 text-ink-quiet">{pointMoment(point, trend.step)}</p>
      <dl className="grid grid-cols-[auto_auto] gap-x-4">
        {series.map(({ key, name }) => (
          <div key={key} className="contents">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="text-right font-mono">{shareWords(point[key])}</dd>
          </div>
        ))}
      </dl>
      {point.coverage !== null && point.coverage < 1 && (
        <p className="mt-1 text-ink-quiet">{wholePercent(point.coverage)} of GPU time measured</p>
      )}
    </div>
  )
}

type Label = { readonly name: string; readonly value: number }
type PlacedLabel = Label & { readonly top: number }

type Plot = { readonly top: number; readonly height: number }

/** Line height of a label, in pixels. */
const APART = 17

/** Puts each line's name at the height of its last value (0 to 1), and moves names apart where they would touch. */
export function placeLabels<L extends Label>(
  labels: readonly L[],
  { top, height }: Plot,
): readonly (L & PlacedLabel)[] {
  const placed = labels
    .map((label) => ({ ...label, top: top + (1 - label.value) * height }))
    .toSorted((a, b) => a.top - b.top || a.name.localeCompare(b.name))
  let lowest = Number.NEGATIVE_INFINITY
  const down = placed.map((label) => {
    lowest = Math.max(label.top, lowest + APART)
    return { ...label, top: lowest }
  })
  // Pushed below the plot's edge, they move back up from there.
  let highest = top + height + APART
  return down.toReversed().map((label) => {
    highest = Math.min(label.top, highest - APART)
    return { ...label, top: highest }
  })
}
