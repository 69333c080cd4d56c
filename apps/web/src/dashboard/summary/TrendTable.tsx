import type { Answer } from '../../api.ts'
import { pointMoment, shareWords, shownSeries } from './trend-rows.ts'

/** The numbers behind the chart, newest last; gaps say so. */
export function TrendTable({ trend }: { readonly trend: Answer<'utilizationTrend'> }) {
  const series = shownSeries(trend)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label="Utilization as a table" className="h-full overflow-auto">
      <table className="w-full text-12">
        <thead className="sticky top-0 bg-surface text-left text-ink-quiet">
          <tr>
            <th className="py-1.5 font-normal">Time</th>
            {series.map(({ key, name }) => (
              <th key={key} className="py-1.5 text-right font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line font-mono">
          {trend.points.map((point) => (
            <tr key={point.at}>
              <th scope="row" className="py-1.5 text-left font-normal text-ink-soft">
                {pointMoment(point, trend.step)}
              </th>
              {series.map(({ key }) => (
                <td key={key} className={`py-1.5 text-right ${point[key] === null ? 'font-sans text-ink-quiet' : ''}`}>
                  {shareWords(point[key])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
