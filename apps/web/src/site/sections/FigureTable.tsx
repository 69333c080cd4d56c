import type { Receipt, ReceiptFigure } from '../content/receipts.ts'
import { figureText } from './figure-text.ts'

/** So many rows are shown at once; the rest opens on demand, without a script. */
const AT_ONCE = 8

/** All figures of a receipt beside baseline, aim and note. */
export function FigureTable({ receipt: { title, figures } }: { readonly receipt: Receipt }) {
  const rest = figures.length > AT_ONCE + 2 ? figures.slice(AT_ONCE) : []
  const first = figures.slice(0, figures.length - rest.length)
  return (
    <div className="mt-6">
      <Rows figures={first} label={title} />
      {rest.length > 0 && (
        <details className="group text-13">
          <summary className="flex min-h-9 items-center gap-2 self-start text-ink-soft hover:text-ink">
            <span className="group-open:hidden">Show all {figures.length} figures</span>
            <span className="hidden group-open:inline">Show {AT_ONCE} of the figures</span>
          </summary>
          <Rows figures={rest} label={`${title}, further figures`} />
        </details>
      )}
    </div>
  )
}

function Rows({ figures, label }: { readonly figures: readonly ReceiptFigure[]; readonly label: string }) {
  const hasBaseline = figures.some(({ baseline }) => baseline !== undefined)
  const hasAim = figures.some(({ aim }) => aim !== '')
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must take the keyboard
      tabIndex={0}
      role="region"
      aria-label={`Figures: ${label}`}
      className="overflow-x-auto"
    >
      <table className="w-full min-w-[36rem] border-collapse text-left text-13">
        <thead className="text-12 text-ink-quiet">
          <tr className="border-b border-line-strong">
            <th scope="col" className="py-2 pr-4 font-normal">
              Figure
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-normal">
              Value
            </th>
            {hasBaseline && (
              <th scope="col" className="py-2 pr-4 font-normal">
                Beside it
              </th>
            )}
            {hasAim && (
              <th scope="col" className="py-2 font-normal">
                Aim
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
    </div>
  )
}

type RowProps = { readonly figure: ReceiptFigure; readonly hasBaseline: boolean; readonly hasAim: boolean }

function Row({ figure: { name, figure, unit, baseline, aim, note }, hasBaseline, hasAim }: RowProps) {
  return (
    <tr className="border-b border-line align-top">
      <th scope="row" className="py-2 pr-4 font-normal text-pretty">
        {name}
        {note !== '' && <span className="mt-0.5 block text-12 text-pretty text-ink-quiet">{note}</span>}
      </th>
      <td className="py-2 pr-4 text-right font-mono whitespace-nowrap">{figureText(figure, unit)}</td>
      {hasBaseline && (
        <td className="py-2 pr-4">
          {baseline !== undefined && (
            <>
              <span className="font-mono whitespace-nowrap">{figureText(baseline.figure, '')}</span>
              <span className="block text-12 text-ink-quiet">{baseline.name}</span>
            </>
          )}
        </td>
      )}
      {hasAim && <td className="py-2 text-ink-soft">{aim}</td>}
    </tr>
  )
}
