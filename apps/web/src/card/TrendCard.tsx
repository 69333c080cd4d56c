import { wholePercent } from '@septet/domain/words'

import { dayName, minuteTime } from '../ui/time-words.ts'
import type { TrendAnswer } from './card-answer.ts'
import { linesOf } from '../ui/trend-lines.ts'

const WIDTH = 600
const HEIGHT = 150

const SERIES = [
  { key: 'allocated', name: 'Held', stroke: 'var(--free)', width: 1.5 },
  { key: 'busy', name: 'Busy', stroke: 'var(--busy)', width: 2.25 },
] as const

/** Busy and held over time, from 0 to 100 %; where nothing was measured there is no line. */
export function TrendCard({ answer: { points } }: { readonly answer: TrendAnswer }) {
  const known = SERIES.filter(({ key }) => points.some((point) => point[key] !== null))
  if (known.length === 0) return <p className="text-13 text-ink-soft">Nothing was measured in this window.</p>
  return (
    <figure className="grid gap-2">
      <div className="grid grid-cols-[2.5rem_minmax(0,1fr)]">
        <Axis />
        <svg
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that it follows the theme
          role="img"
          aria-label={known.map(({ key, name }) => `${name}: ${inWords(points.map((point) => point[key]))}`).join('. ')}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-[150px] w-full overflow-visible"
        >
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x2={WIDTH}
              y1={HEIGHT * (1 - share)}
              y2={HEIGHT * (1 - share)}
              stroke="var(--line)"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {known.map(({ key, stroke, width }) => (
            <path
              key={key}
              d={linesOf(
                points.map((point) => point[key]),
                { width: WIDTH, height: HEIGHT },
              )}
              fill="none"
              stroke={stroke}
              strokeWidth={width}
              strokeLinecap="round"
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        <Times points={points} />
      </div>
      <Latest points={points} known={known} />
    </figure>
  )
}

const Axis = () => (
  <div aria-hidden className="flex h-[150px] flex-col justify-between font-mono text-12 text-ink-quiet">
    {['100%', '50%', '0%'].map((share) => (
      <span key={share} className="-my-2">
        {share}
      </span>
    ))}
  </div>
)

function Times({ points }: Pick<TrendAnswer, 'points'>) {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const isOneDay = dayName(first.at) === dayName(last.at)
  const write = (at: string): string => (isOneDay ? minuteTime(at) : `${dayName(at)}, ${minuteTime(at)}`)
  return (
    <p className="col-start-2 mt-1.5 flex justify-between text-12 text-ink-quiet">
      <span>{write(first.at)}</span>
      <span>{write(last.at)}</span>
    </p>
  )
}

type Known = readonly (typeof SERIES)[number][]

/** The lines by name, with the newest share that was measured. */
const Latest = ({ points, known }: Pick<TrendAnswer, 'points'> & { readonly known: Known }) => (
  <figcaption className="flex flex-wrap gap-x-5 gap-y-1 text-12 text-ink-soft">
    {known.toReversed().map(({ key, name, stroke, width }) => (
      <span key={key} className="flex items-center gap-1.5">
        <svg aria-hidden width="16" height="4">
          <line x2="16" y1="2" y2="2" stroke={stroke} strokeWidth={width} />
        </svg>
        {name}
        <span className="font-mono text-ink">{latest(points.map((point) => point[key]))}</span>
      </span>
    ))}
  </figcaption>
)

function latest(shares: readonly (number | null)[]): string {
  const share = shares.findLast((each) => each !== null)
  return share === undefined || share === null ? 'Not measured' : wholePercent(share)
}

function inWords(shares: readonly (number | null)[]): string {
  const known = shares.filter((share) => share !== null)
  return `${wholePercent(Math.min(...known))} to ${wholePercent(Math.max(...known))}, now ${latest(shares)}`
}
