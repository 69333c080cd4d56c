import { dollars } from '@septet/domain/words'
import { Bar, BarChart, CartesianGrid, LabelList, Tooltip, XAxis, YAxis } from 'recharts'

import { figureInWords } from '@septet/contract/figure-words'
import { partOfMonth } from '@septet/contract/partial'

import { useWidth } from '../../ui/use-width.ts'
import { type Month, monthLabel, MONTHS_DRAWN } from './month-rows.ts'
import { BAR_LOOK } from './months-look.ts'

const HEIGHT = 256
const AXIS = 40
/** Width of the amounts beside the chart, and the least width of a month. */
const VALUES = 52
const NARROWEST = 56
/** From this width on the baseline and the savings of each month are written over their bars. */
const LABELED = 70

/** Three bars for each month, from zero; the newest months where there is no room for all. */
export function MonthsChart({ months }: { readonly months: readonly Month[] }) {
  const [box, width] = useWidth<HTMLDivElement>()
  return (
    <div ref={box} data-testid="months-chart">
      {width !== undefined && <Bars months={months} width={width} />}
    </div>
  )
}

type Row = { readonly label: string; readonly partial: string } & Readonly<Record<BarName, number | null>>

function Bars({ months, width }: { readonly months: readonly Month[]; readonly width: number }) {
  const room = Math.max(3, Math.floor((width - VALUES) / NARROWEST))
  const shown = months.slice(-Math.min(MONTHS_DRAWN, room))
  const rows = shown.map((month, order): Row => ({
    label: monthLabel(month, order === 0),
    partial: partOfMonth(month) ?? '',
    baseline: month.baseline.value,
    optimized: month.optimized.value,
    savings: month.savings.estimated.value,
  }))
  const isLabeled = (width - VALUES) / rows.length >= LABELED
  return (
    <BarChart
      width={width}
      height={HEIGHT}
      data={rows}
      margin={{ top: 18, right: 24, bottom: 0, left: 0 }}
      barCategoryGap="18%"
      barGap={3}
      title="Baseline, optimized and savings by month"
    >
      {axes(rows)}
      <Tooltip isAnimationActive={false} cursor={{ fill: 'var(--sunken)' }} content={<MonthCard months={shown} />} />
      {BARS.map((bar) => (
        <Bar key={bar} dataKey={bar} maxBarSize={40} isAnimationActive={false} radius={[2, 2, 0, 0]} {...BAR_LOOK[bar]}>
          {isLabeled && bar !== 'optimized' && (
            <LabelList dataKey={bar} content={<Amount isLast={bar === 'savings'} />} />
          )}
        </Bar>
      ))}
    </BarChart>
  )
}

const axes = (rows: readonly Row[]) => (
  <>
    <CartesianGrid vertical={false} stroke="var(--line)" />
    <XAxis
      dataKey="label"
      tickLine={false}
      axisLine={{ stroke: 'var(--line-strong)' }}
      height={AXIS}
      interval={0}
      tick={<MonthTick rows={rows} />}
    />
    <YAxis
      domain={[0, 'auto']}
      tickFormatter={(amount: number) => (amount === 0 ? '$0' : dollars(amount))}
      tickLine={false}
      axisLine={false}
      width={VALUES}
      tick={{ fontSize: 12, fill: 'var(--ink-quiet)', fontFamily: 'var(--font-mono)' }}
    />
  </>
)

const BARS = ['baseline', 'optimized', 'savings'] as const
type BarName = (typeof BARS)[number]

type AmountProps = {
  readonly x?: number | string | undefined
  readonly y?: number | string | undefined
  readonly width?: number | string | undefined
  readonly value?: unknown
  /** The last bar of its month: its amount may reach into the gap behind it, not over the bar before. */
  readonly isLast: boolean
}

/** The amount over a bar. */
function Amount({ x, y, width, value, isLast }: AmountProps) {
  if (typeof value !== 'number') return undefined
  const left = Number(x)
  return (
    <text
      x={isLast ? left : left + Number(width) / 2}
      y={Number(y) - 6}
      textAnchor={isLast ? 'start' : 'middle'}
      fontSize="12"
      fill={isLast ? 'var(--busy-ink)' : 'var(--ink-soft)'}
    >
      {dollars(value)}
    </text>
  )
}

type TickProps = {
  readonly rows: readonly Row[]
  readonly x?: number
  readonly y?: number
  readonly index?: number
}

/** A month's name, and below it how much of it there is. */
function MonthTick({ rows, x = 0, y = 0, index = -1 }: TickProps) {
  const row = rows[index]
  if (row === undefined) return undefined
  return (
    <text x={x} y={y} textAnchor="middle" fontSize="12" fill="var(--ink-soft)">
      <tspan x={x} dy="0.9em">
        {row.label}
      </tspan>
      {row.partial !== '' && (
        <tspan x={x} dy="1.25em" fill="var(--ink-quiet)">
          {row.partial}
        </tspan>
      )}
    </text>
  )
}

type CardProps = {
  readonly months: readonly Month[]
  readonly active?: boolean
  readonly activeIndex?: number | string | null
}

const inWords = (figure: Month['baseline']): string => {
  const { value, unit } = figureInWords(figure)
  return `${value}${unit}`
}

/** The card at the pointer: a month's amounts, and how much of the month they are of. */
function MonthCard({ months, active = false, activeIndex }: CardProps) {
  const month = active ? months[Number(activeIndex)] : undefined
  if (month === undefined) return undefined
  const partial = partOfMonth(month)
  const isSample = month.from === null
  const rows = [
    ['Baseline', month.baseline],
    ['Optimized', month.optimized],
    [isSample ? 'Savings' : 'Waste', month.savings.estimated],
  ] as const
  return (
    <div className="floats rounded-control border border-line bg-raised px-3 py-2 text-12">
      <p className="mb-1 text-ink-quiet">
        {monthLabel(month, true)}
        {partial === undefined ? '' : `, ${partial}`}
      </p>
      <dl className="grid grid-cols-[auto_auto] gap-x-4">
        {rows.map(([name, figure]) => (
          <div key={name} className="contents">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="text-right font-mono">{figureInWords(figure).value}</dd>
          </div>
        ))}
        {!isSample && (
          <div className="contents">
            <dt className="text-ink-soft">Savings, verified</dt>
            <dd className="text-right">
              {month.savings.verified.value === null ? 'none yet' : inWords(month.savings.verified)}
            </dd>
          </div>
        )}
        {month.savings.freed.value !== null && (
          <div className="contents">
            <dt className="text-ink-soft">Capacity freed, verified</dt>
            <dd className="text-right">{inWords(month.savings.freed)}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}
