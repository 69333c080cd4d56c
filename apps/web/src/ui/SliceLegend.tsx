import { MEANINGS } from './slice-words.ts'
import type { Meaning } from './slice-words.ts'
import { Swatch } from './Swatch.tsx'

/** The meanings by name; only those that are on the screen. */
export function SliceLegend({ shown }: { readonly shown: readonly Meaning[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3.5 gap-y-1 text-12 text-ink-soft">
      {shown.map((meaning) => (
        <li key={meaning} className="flex items-center gap-1.5">
          <Swatch meaning={meaning} />
          {MEANINGS[meaning]}
        </li>
      ))}
    </ul>
  )
}
