import { percent, wholePercent } from '@septet/domain/words'

import type { Answer } from '../../api.ts'

type Trend = Answer<'utilizationTrend'>
type ModelTrend = Trend['models'][number]

const [WIDTH, HEIGHT] = [200, 72]

/** The trend of each GPU model by itself, small and on one scale, so that models can be compared at a glance. */
export function ModelTrends({ models }: Pick<Trend, 'models'>) {
  return (
    <ul className="grid min-h-80 content-start grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-5 gap-y-4">
      {models.map((each) => (
        <li key={each.model}>
          <p className="flex items-baseline justify-between gap-2 text-12">
            <span className="truncate font-medium" title={each.model}>
              {each.model}
            </span>
            <span className="font-mono text-ink-soft">{newest(each.busy)}</span>
          </p>
          <svg
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that it follows the theme
            role="img"
            aria-label={words(each)}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="mt-1 h-18 w-full border-y border-line"
          >
            <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} stroke="var(--line)" />
            <Line values={each.busy} stroke="var(--busy)" />
            <Line values={each.allocated} stroke="var(--ink-quiet)" dashes="3 3" />
          </svg>
        </li>
      ))}
    </ul>
  )
}

type LineProps = {
  readonly values: readonly (number | null)[]
  readonly stroke: string
  readonly dashes?: string
}

const Line = ({ values, stroke, dashes }: LineProps) => (
  <path
    d={linesOf(values, { width: WIDTH, height: HEIGHT })}
    fill="none"
    stroke={stroke}
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeDasharray={dashes}
    vectorEffect="non-scaling-stroke"
  />
)

const newest = (values: readonly (number | null)[]): string => {
  const last = values.at(-1)
  return last === null || last === undefined ? 'Not measured' : wholePercent(last)
}

function words({ model, busy, allocated }: ModelTrend): string {
  const known = busy.filter((value) => value !== null)
  const range =
    known.length === 0
      ? 'not measured'
      : `${percent(Math.min(...known))} to ${percent(Math.max(...known))}, newest ${newest(busy)}`
  // A view of some namespaces knows no share of the capacity that is held.
  return `${model}: busy ${range}${allocated.at(-1) == null ? '' : `; held ${newest(allocated)}`}`
}

/**
 * A series of shares as the path of an SVG: straight from point to point, and broken where nothing was measured. A point that
 * stands alone is a dot, for which a path has a line of no length.
 */
export function linesOf(
  shares: readonly (number | null)[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const step = width / Math.max(1, shares.length - 1)
  return shares
    .flatMap((share, index) => {
      if (share === null) return []
      const at = `${round(index * step)} ${round(height * (1 - share))}`
      const [before = null, after = null] = [shares[index - 1], shares[index + 1]]
      if (before !== null) return [`L${at}`]
      return [after === null ? `M${at}h0` : `M${at}`]
    })
    .join('')
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10
