import type { Receipt, ReceiptFigure } from '../receipts.ts'
import { figureText } from './figure-text.ts'

type Props = {
  readonly receipt: Receipt
  /** So many rows are shown at once; the others open on demand, without a script. */
  readonly atOnce: number
}

/** All figures of a receipt beside baseline, aim and note. */
export function FigureTable({ receipt: { title, figures }, atOnce }: Props) {
  const first = shownFirst(figures, atOnce)
  const rest = figures.filter((figure) => !first.includes(figure))
  return (
    <div className="mt-6">
      <Rows figures={first} label={title} />
      {rest.length > 0 && (
        <details className="group text-13">
          <summary className="flex min-h-9 items-center gap-2 self-start text-ink-soft hover:text-ink">
            <span className="group-open:hidden">Show the other {rest.length} figures</span>
            <span className="hidden group-open:inline">The other {rest.length} figures</span>
          </summary>
          <Rows figures={rest} label={`${title}, further figures`} />
        </details>
      )}
    </div>
  )
}

/** All of a short list. Of a long one, what has an aim and what Septet itself reached, in the order of the receipt. */
function shownFirst(figures: readonly ReceiptFigure[], atOnce: number): readonly ReceiptFigure[] {
  if (figures.length <= atOnce + 1) return figures
  const ours = figures.filter(({ name, aim }) => aim !== '' || /septet/iu.test(name))
  const others = figures.filter((figure) => !ours.includes(figure))
  const chosen = new Set([...ours, ...others].slice(0, atOnce))
  return figures.filter((figure) => chosen.has(figure))
}

function Rows({ figures, label }: { readonly figures: readonly ReceiptFigure[]; readonly label: string }) {
  const hasBaseline = figures.some(({ baseline }) => baseline !== undefined)
  const hasAim = figures.some(({ aim }) => aim !== '')
  return (
    <table aria-label={`Figures: ${label}`} className="w-full border-collapse text-left text-13 wrap-anywhere">
      <thead className="text-12 text-ink-quiet">
        <tr className="border-b border-line-strong">
          <th scope="col" className="py-2 pr-4 font-normal">
            Figure
          </th>
          <th scope="col" className="py-2 text-right font-normal sm:pr-4">
            Value
          </th>
          {hasBaseline && (
            <th scope="col" className="hidden py-2 pr-4 font-normal sm:table-cell">
              Baseline
            </th>
          )}
          {hasAim && (
            <th scope="col" className="hidden py-2 font-normal sm:table-cell">
              Target
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {figures.map((figure) => (
          <Row key={figure.name} figure={figure} hasBaseline={hasBaseline} hasAim={hasAim} />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { readonly figure: ReceiptFigure; readonly hasBaseline: boolean; readonly hasAim: boolean }

/** On narrow screens what stands beside a figure, and its aim, are lines below its name. */
function Row({ figure: { name, figure, unit, baseline, aim, note }, hasBaseline, hasAim }: RowProps) {
  return (
    <tr className="border-b border-line align-top">
      <th scope="row" className="py-2 pr-4 font-normal text-pretty">
        {name}
        {note !== '' && <span className={LINE}>{note}</span>}
        {baseline !== undefined && (
          <span className={`${LINE} sm:hidden`}>
            baseline, {baseline.name}: {figureText(baseline.figure, '')}
          </span>
        )}
        {aim !== '' && <span className={`${LINE} sm:hidden`}>target: {aim}</span>}
      </th>
      <td className="py-2 text-right font-mono whitespace-nowrap sm:pr-4">{figureText(figure, unit)}</td>
      {hasBaseline && (
        <td className="hidden py-2 pr-4 sm:table-cell">
          {baseline !== undefined && (
            <>
              <span className="font-mono whitespace-nowrap">{figureText(baseline.figure, '')}</span>
              <span className="block text-12 text-ink-quiet">{baseline.name}</span>
            </>
          )}
        </td>
      )}
      {hasAim && <td className="hidden py-2 text-ink-soft sm:table-cell">{aim}</td>}
    </tr>
  )
}

const LINE = 'mt-0.5 block text-12 text-pretty text-ink-quiet'
