import { firstYear, footer, trademarks } from '../../../content/navigation.json'
import { Logo } from '../../ui/Logo.tsx'
import { OPERATOR } from '../prose.ts'

/** The end of every page. The year is that of the build. */
export function Footer() {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto grid max-w-7xl gap-x-10 gap-y-8 px-6 pt-9 pb-7 lg:grid-cols-[1fr_2fr]">
        <div>
          <p className="flex items-center gap-2.5 text-16 font-semibold tracking-tight">
            <Logo size={24} />
            septet
          </p>
          <p className="mt-3 max-w-xs text-14 text-ink-soft">
            Open source GPU optimization for Kubernetes, under Apache-2.0.
          </p>
        </div>
        <div className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-4">
          {footer.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <h2 className="text-13 text-ink-quiet">{title}</h2>
              <ul className="mt-1">
                {links.map(({ label, href }) => (
                  <li key={label}>
                    <a
                      href={href}
                      className="inline-flex min-h-7 items-center text-14 text-ink-soft transition-colors hover:text-ink"
                    >
                      {label}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
      <div className="mx-auto grid max-w-7xl gap-x-10 gap-y-3 border-t border-line px-6 pt-4 pb-6 text-12 text-ink-quiet lg:grid-cols-[1fr_2fr]">
        <p>
          © {years(BUILD_YEAR)} Septet{OPERATOR.name !== '' && `. This installation: ${OPERATOR.name}`}
        </p>
        <p className="max-w-3xl text-pretty">{trademarks}</p>
      </div>
    </footer>
  )
}

const BUILD_YEAR = new Date().getFullYear()

/** “2025–2026”, and only the first year while it lasts. */
const years = (current: number): string => (current > firstYear ? `${firstYear}–${current}` : `${firstYear}`)
