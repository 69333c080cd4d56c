import { MEANINGS, type Meaning } from './slice-words.ts'
import { Swatch } from './Swatch.tsx'

type Props = {
  readonly shown: readonly Meaning[]
  /** Whether any bar has the dashed line. */
  readonly inferred: boolean
}

/** The meanings by name; only those that are on the screen. */
export function SliceLegend({ shown, inferred }: Props) {
  return (
    <ul className="flex flex-wrap gap-x-3.5 gap-y-1 text-12 text-ink-soft">
      {shown.map((meaning) => (
        <li key={meaning} className="flex items-center gap-1.5">
          <Swatch meaning={meaning} />
          {MEANINGS[meaning]}
        </li>
      ))}
      {inferred && (
        <li className="flex items-center gap-1.5">
          <svg aria-hidden width="16" height="2">
            <line x2="16" y1="1" y2="1" stroke="var(--ink-quiet)" strokeDasharray="2 3" />
          </svg>
          placement inferred
        </li>
      )}
    </ul>
  )
}
