import type { ReactNode } from 'react'

import { firstYear, footer, getStarted, header, signIn, trademarks } from '../../content/navigation.json'
import { Logo } from '../ui/Logo.tsx'
import { SliceTextures } from '../ui/SliceTextures.tsx'
import { ChevronDownIcon, MenuIcon } from '../ui/icons.tsx'
import { SESSION_KEY } from '../ui/session-key.ts'
import { Island } from './Island.tsx'
import { OPERATOR } from './prose.ts'
import { ButtonLink } from './sections/ButtonLink.tsx'

/** What every page of the site has around its own content. The header is fixed, so the content begins below it. */
export function SiteLayout({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <SliceTextures />
      <Header />
      <main id="content" className="pt-16">
        {children}
      </main>
      <Footer />
    </>
  )
}

/** The end of every page. The year is that of the build. */
function Footer() {
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

/** The bar that stays at the top of every page. On narrow screens its links are in a menu that needs no script. */
function Header() {
  return (
    <header data-key={SESSION_KEY} className="fixed inset-x-0 top-0 z-40 border-b border-line bg-paper">
      <div className="mx-auto flex h-16 max-w-7xl items-center gap-6 px-6">
        <a
          href="/"
          aria-label="Septet, home"
          className="flex items-center gap-2.5 text-16 font-semibold tracking-tight"
        >
          <Logo size={24} />
          septet
        </a>
        <nav aria-label="Main" className="hidden lg:block">
          <ul className="flex items-center">
            {header.map(({ label, href }) => (
              <li key={href}>
                <a
                  href={href}
                  className="inline-flex h-9 items-center px-3 text-14 text-ink-soft transition-colors hover:text-ink"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <Island name="themeSwitch" when="idle" props={{}} className="flex" />
          <span className="hidden lg:contents">
            <ButtonLink href={signIn.href} look="quiet">
              {signIn.label}
            </ButtonLink>
          </span>
          <span className="hidden pl-1 sm:block">
            <ButtonLink href={getStarted.href}>{getStarted.label}</ButtonLink>
          </span>
          <Menu />
        </div>
      </div>
    </header>
  )
}

function Menu() {
  return (
    <details data-menu className="group lg:hidden">
      <summary
        aria-label="Menu"
        className="-mr-2 flex size-11 list-none items-center justify-center rounded-control text-ink-soft [&::-webkit-details-marker]:hidden"
      >
        <span className="group-open:hidden">
          <MenuIcon />
        </span>
        <span className="hidden rotate-180 group-open:inline">
          <ChevronDownIcon />
        </span>
      </summary>
      <nav
        aria-label="Main, in a menu"
        className="absolute inset-x-0 top-[calc(100%+1px)] max-h-[calc(100dvh-4rem)] overflow-y-auto border-b border-line bg-paper px-6 pt-2 pb-6"
      >
        <ul>
          {header.map(({ label, href }) => (
            <li key={href} className="border-b border-line">
              <a href={href} className="flex h-12 items-center text-16">
                {label}
              </a>
            </li>
          ))}
        </ul>
        <div className="mt-5 grid gap-3 sm:grid-cols-2">
          <ButtonLink href={signIn.href} look="outline" size="large">
            {signIn.label}
          </ButtonLink>
          <ButtonLink href={getStarted.href} size="large">
            {getStarted.label}
          </ButtonLink>
        </div>
      </nav>
    </details>
  )
}
