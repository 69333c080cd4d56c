import { getStarted, header, signIn } from '../../../content/navigation.json'
import { SESSION_KEY } from '../../ui/session-key.ts'
import { ChevronDownIcon, MenuIcon } from '../../ui/icons.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Island } from '../Island.tsx'
import { ButtonLink } from './ButtonLink.tsx'

/** The bar that stays at the top of every page. On narrow screens its links are in a menu that needs no script. */
export function Header() {
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
