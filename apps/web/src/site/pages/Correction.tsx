import { COMPARE_PAGE } from '../content/compare-table.ts'
import { OPERATOR } from '../content/operator.ts'

/** Where to say that a fact about another product is wrong. */
export function Correction() {
  return (
    <div>
      <h2 className="text-16 font-semibold text-ink">{COMPARE_PAGE.correctionTitle}</h2>
      <p className="mt-2 text-pretty">
        {COMPARE_PAGE.correction}{' '}
        <a href="/contact" className="text-ink underline underline-offset-4">
          {OPERATOR.email === undefined ? 'Where to write' : `Write to ${OPERATOR.email}`}
        </a>
        .
      </p>
    </div>
  )
}
