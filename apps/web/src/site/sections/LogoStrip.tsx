import content from '../../../content/brands.json'
import { Badge } from '../../ui/Badge.tsx'
import { named } from '../content.ts'

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

function Marks() {
  return (
    <ul className="strip-marks">
      {content.brands.map((brand) => (
        <li key={brand.name}>
          <Mark brand={brand} />
        </li>
      ))}
    </ul>
  )
}

/** A word mark of one color: a glyph and the name, set in a face of its own. */
function Mark({ brand: { name, glyph, face } }: { readonly brand: (typeof content.brands)[number] }) {
  const { className, width } = named(FACES, face)
  const words = Math.ceil(name.length * width)
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that it follows the theme
      role="img"
      aria-label={name}
      width={36 + words}
      height="28"
      viewBox={`0 0 ${36 + words} 28`}
      className="block text-ink-quiet"
    >
      <path
        d={glyph}
        transform="translate(1 2)"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <text
        x="35"
        y="15"
        dominantBaseline="central"
        textLength={words - 1}
        lengthAdjust="spacing"
        fill="currentColor"
        className={className}
      >
        {name}
      </text>
    </svg>
  )
}

/** How a word is set, and how wide a character then is, in pixels. */
const FACES = {
  wide: { className: 'text-[15px] font-semibold', width: 14 },
  tight: { className: 'text-[20px] font-bold', width: 10.2 },
  mono: { className: 'font-mono text-[18px] font-medium', width: 10.8 },
  light: { className: 'text-[19px] font-light', width: 10 },
  heavy: { className: 'text-[20px] font-black', width: 11.6 },
}
