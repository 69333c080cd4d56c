import content from '../../../content/brands.json'
import { Badge } from '../../ui/Badge.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { namedEntry } from '../content.ts'

/**
 * Marks in a row that moves by itself where scripts and motion are wanted, and stands still and complete otherwise. Its
 * pause is a check box, which no script is needed for. The marks are invented and stand in for real ones: put your own into
 * `brands.json`, and set `sample` to false once every one of them agreed to be shown.
 */
export function LogoStrip() {
  return (
    <section aria-labelledby="logo-strip-title" className="strip border-t border-line py-5">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-3 gap-y-2 px-6">
        <h2 id="logo-strip-title" className="text-14 font-medium">
          {content.title}
        </h2>
        {content.sample && <Badge tone="warning">{content.sampleLabel}</Badge>}
        {content.sample && <p className="text-13 text-ink-quiet">{content.note}</p>}
        <label className="strip-pause ml-auto inline-flex min-h-6 cursor-pointer items-center gap-1.5 text-13 text-ink-soft">
          <input type="checkbox" aria-label="Pause the moving logos" className="accent-ink" />
          Pause
        </label>
      </div>
      <div className="strip-window mt-4">
        <div className="strip-row">
          <Marks />
          <div aria-hidden className="strip-copy">
            <Marks />
          </div>
        </div>
      </div>
    </section>
  )
}

const Marks = () => (
  <ul className="strip-marks">
    {content.brands.map(({ name, glyph, face }) => (
      <li
        key={name}
        className={`flex items-center gap-2.5 whitespace-nowrap text-ink-quiet ${namedEntry(FACES, face)}`}
      >
        <Glyph path={glyph} box={24} />
        {name}
      </li>
    ))}
  </ul>
)

/** A word mark of one color: a glyph and the name, set in a face of its own. */
const FACES = {
  wide: 'text-[15px] font-semibold tracking-[0.2em]',
  tight: 'text-20 font-bold tracking-tight',
  mono: 'font-mono text-[18px] font-medium',
  light: 'text-20 font-light',
  heavy: 'text-20 font-black',
}
