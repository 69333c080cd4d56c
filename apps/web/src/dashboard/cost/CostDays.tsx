import { partOfDay } from '@septet/contract/partial'
import { isIdleKnown } from '@septet/domain'
import { capitalized, money } from '@septet/domain/words'
import type { Answer } from '../../api.ts'

import { Hint } from '../../ui/Hint.tsx'
import { Swatch } from '../../ui/Swatch.tsx'
import { ChartPanel } from '../chart/ChartPanel.tsx'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { Bone } from '../../ui/Bone.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { COST_PARTS, costPieces } from './PartsBar.tsx'
import { Answered } from '../panel/Answered.tsx'

type Days = Answer<'costDays'>
type Day = Days['days'][number]

/** Each day of the window, stacked by what it was spent on; a day that nobody saw stays empty, and says so. */
export function CostDays() {
  const { cluster, range, zone } = useUrlState()
  const answer = useAnswer('costDays', { cluster, range, zone })
  return (
    <ChartPanel title="Each day" table={answer.data && tableOf(answer.data)}>
      <Answered answer={answer} waiting={<Bone className="h-42" />}>
        {(data) =>
          data.days.every(({ usd }) => usd === null) ? (
            <PanelEmpty>No day in this window has a known cost.</PanelEmpty>
          ) : (
            <Bars data={data} />
          )
        }
      </Answered>
    </ChartPanel>
  )
}

const HEIGHT = 140
/** Of one day's bar, in pixels. */
const WIDEST = 48

function Bars({ data }: { readonly data: Days }) {
  const highest = Math.max(...data.days.map(({ usd }) => usd?.capacity ?? 0), 0.01)
  return (
    <>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1">
        <span className="flex flex-col justify-between text-right font-mono text-12 text-ink-quiet">
          <span>{money(highest)}</span>
          <span>$0</span>
        </span>
        <ol className="flex h-[140px] items-end gap-px overflow-hidden border-b border-line">
          {data.days.map((day) => (
            <li key={day.date} className="h-full min-w-1 flex-1" style={{ maxWidth: `${WIDEST}px` }}>
              <DayBar day={day} part={partOfDay(day, data.asOf)} highest={highest} />
            </li>
          ))}
        </ol>
        <Ends data={data} />
      </div>
      <Legend days={data.days} hasPart={data.days.some((day) => partOfDay(day, data.asOf) !== undefined)} />
      <p className="mt-2 text-12 text-ink-quiet">
        Days start at midnight {data.zone}. Each hour costs what its price was then.
        {data.coarse && ' Older days are kept by the hour or by the UTC day; the row at an edge counts in proportion.'}
      </p>
    </>
  )
}

/** The first day under its bar and the last under its own, however few bars there are; each says where it is not whole. */
function Ends({ data: { days, asOf } }: { readonly data: Days }) {
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? '']
  const marked = (day: Day | undefined, words: string): string =>
    day === undefined || partOfDay(day, asOf) === undefined ? words : `${words} (part day)`
  const isOneYear = first.slice(0, 4) === last.slice(0, 4)
  return (
    <p
      className="col-start-2 flex justify-between gap-x-2 text-12 whitespace-nowrap text-ink-quiet"
      style={isOneYear ? { maxWidth: `${days.length * (WIDEST + 1)}px` } : {}}
    >
      <span>{marked(days[0], isOneYear ? shortDay(first) : first)}</span>
      {days.length > 1 && <span>{marked(days.at(-1), isOneYear ? shortDay(last) : last)}</span>}
    </p>
  )
}

const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const shortDay = (date: string): string => (date === '' ? '' : short.format(new Date(`${date}T00:00:00Z`)))

/** Of what is rare only what there is. */
const isShown = ({ name, of }: (typeof COST_PARTS)[number], days: readonly Day[]): boolean =>
  !RARE.has(name) || days.some(({ usd }) => usd !== null && of(usd) > 0)
const RARE: ReadonlySet<string> = new Set(['not measured', 'used without a request', 'not observed'])

const Legend = ({ days, hasPart }: { readonly days: readonly Day[]; readonly hasPart: boolean }) => (
  <ul className="mt-2 flex flex-wrap gap-x-3 gap-y-1 text-12 text-ink-soft">
    {COST_PARTS.filter((part) => isShown(part, days)).map(({ meaning, name }) => (
      <li key={name} className="flex items-center gap-1.5">
        <Swatch meaning={meaning} />
        {capitalized(name)}
      </li>
    ))}
    {hasPart && (
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="h-2.5 w-2.5 border-t border-dashed border-ink-quiet" />
        Part day
      </li>
    )}
  </ul>
)

type DayProps = { readonly day: Day; readonly part: string | undefined; readonly highest: number }

function DayBar({ day, part, highest }: DayProps) {
  const words = dayWords(day, part)
  const pieces = day.usd === null ? [] : costPieces(day.usd)
  const capacity = day.usd?.capacity ?? 0
  return (
    <Hint content={<DayExplanation day={day} part={part} />}>
      <button type="button" aria-label={words} className="block h-full w-full hover:bg-sunken">
        <svg aria-hidden width="100%" height={HEIGHT} className="block">
          {day.usd === null && <rect y={HEIGHT - 10} width="100%" height="10" fill="url(#texture-unknown)" />}
          {pieces.map(({ name, amount, from, look }) => {
            const height = (amount / highest) * HEIGHT
            const below = from * (capacity / highest) * HEIGHT
            return (
              <rect
                key={name}
                y={HEIGHT - below - height}
                width="100%"
                height={height}
                fill={look.fill}
                stroke={look.stroke}
                strokeWidth="0.5"
              />
            )
          })}
          {part !== undefined && <PartOfDay y={HEIGHT - (capacity / highest) * HEIGHT} />}
        </svg>
      </button>
    </Hint>
  )
}

const hoursOf = ({ window }: Day): number => (Date.parse(window.to) - Date.parse(window.from)) / 3_600_000

/** Over the bar of a day that is not whole: there is more to come, or more was not seen. */
const PartOfDay = ({ y }: { readonly y: number }) => (
  <line
    x1="0"
    x2="100%"
    y1={Math.max(1, y - 3)}
    y2={Math.max(1, y - 3)}
    stroke="var(--ink-quiet)"
    strokeDasharray="2 2"
  />
)

function dayWords(day: Day, part: string | undefined): string {
  const seen = part === undefined ? '' : `, ${part}`
  return `${day.date}: ${day.usd === null ? 'unknown' : money(day.usd.capacity)}${seen}`
}

const DayExplanation = ({ day, part }: Omit<DayProps, 'highest'>) => (
  <div className="grid gap-1">
    <p className="font-medium text-ink">{dayWords(day, part)}</p>
    {hoursOf(day) !== 24 && <p>Daylight saving time changes on this day: it has {hoursOf(day)} hours.</p>}
    {day.usd !== null && (
      <dl className="grid grid-cols-[auto_1fr] gap-x-3">
        {costPieces(day.usd).map(({ name, amount }) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd className="text-right font-mono">{money(amount)}</dd>
          </div>
        ))}
      </dl>
    )}
  </div>
)

const tableOf = ({ days }: Days) => ({
  columns: ['Day', ...COLUMNS.map(({ name }) => `${capitalized(name)} USD`), 'Seen'],
  rows: days.map(({ date, usd, seen }) => [
    date,
    ...COLUMNS.map(({ of }) => (usd === null ? '' : (of(usd)?.toFixed(2) ?? ''))),
    seen.toFixed(3),
  ]),
})

type Amounts = NonNullable<Day['usd']>
/** As the bars, but what was used is told whole. */
const COLUMNS: readonly { readonly name: string; readonly of: (usd: Amounts) => number | undefined }[] = [
  ...COST_PARTS.map(({ name, of }) => ({
    name,
    of: (usd: Amounts) => {
      if (name === 'used') return usd.used
      return (name === 'idle-held' || name === 'oversized') && !isIdleKnown(usd) ? undefined : of(usd)
    },
  })),
  { name: 'all', of: ({ capacity }) => capacity },
]
