import type { AdviceAnswer } from './card-answer.ts'

const SHOWN = 6

/** The best recommendations by name, with what each brings. */
export function AdviceCard({ answer: { rows, total } }: { readonly answer: AdviceAnswer }) {
  if (rows.length === 0) return <p className="text-13 text-ink-soft">Septet recommends no change now.</p>
  return (
    <>
      <ol className="grid divide-y divide-line">
        {rows.slice(0, SHOWN).map(({ title, saving, risk }) => (
          <li key={title} className="grid gap-0.5 py-2 first:pt-0 last:pb-0">
            <span className="text-13 wrap-anywhere">{title}</span>
            <span className="text-12 text-ink-soft wrap-anywhere">
              {saving}
              {risk !== null && ` · risk ${risk === 'mode-change' ? 'MIG mode changes' : risk}`}
            </span>
          </li>
        ))}
      </ol>
      {total > SHOWN && <p className="text-12 text-ink-quiet">{total} in all; Septet lists the others.</p>}
    </>
  )
}
