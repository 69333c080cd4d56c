import type { ReactNode } from 'react'
import { useLocation } from 'react-router'

import { usePlace } from '../../session/place-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { MenuIcon } from '../../ui/icons.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { CopilotButton } from '../copilot/CopilotButton.tsx'
import { PaletteButton } from '../palette/PaletteButton.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { AlertBell } from './AlertBell.tsx'
import { DemoBadge } from './DemoBadge.tsx'
import { LiveState } from './LiveState.tsx'
import { RailItem } from './Rail.tsx'
import { RangeSwitch } from './RangeSwitch.tsx'
import { sectionsOf } from '../address/sections.ts'
import { SourceSwitch } from './SourceSwitch.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'

/**
 * What is shown, over which time, of when, and in which light. In a narrow window it has two rows and holds the rail as
 * well; the order in the page is that of a wide one.
 */
export function TopBar() {
  // Settings are the same whatever is looked at, and whenever.
  const figures = !useLocation().pathname.startsWith('/settings')
  return (
    <header className="sticky top-0 z-30 flex flex-wrap items-center gap-x-2 gap-y-2 border-b border-line bg-paper px-4 py-2.5 max-sm:static sm:px-7">
      <a
        href="/"
        className="mr-auto flex items-center gap-2 rounded-control text-16 font-semibold tracking-tight max-lg:order-1 lg:hidden"
      >
        <Logo />
        septet
      </a>
      {figures && (
        <>
          <Place className="max-lg:order-8">
            <SourceSwitch />
          </Place>
          <Place className="max-lg:order-10">
            <RangeSwitch />
          </Place>
          <Place className="max-lg:order-9 max-lg:mr-auto lg:ml-auto">
            <LiveState />
          </Place>
        </>
      )}
      <Place className={`flex items-center gap-1 max-lg:order-2 ${figures ? '' : 'lg:ml-auto'}`}>
        <AlertBell />
        <PaletteButton />
        <CopilotButton />
        <span className="max-sm:hidden">
          <ThemeSwitch />
        </span>
        <Who />
        <span className="lg:hidden">
          <SectionMenu />
        </span>
      </Place>
      <span aria-hidden className="hidden basis-full max-lg:order-3 max-lg:block" />
    </header>
  )
}

type PlaceProps = { readonly className: string; readonly children: ReactNode }

/** Where something stands in the bar. */
const Place = ({ className, children }: PlaceProps) => <div className={`min-w-0 ${className}`}>{children}</div>

const Who = () => (usePlace().demo ? <DemoBadge /> : <AccountMenu />)

function SectionMenu() {
  const place = usePlace()
  return (
    <Card
      label="Sections"
      className="w-56 p-1.5"
      trigger={
        <Button look="quiet" aria-label="Sections" className="size-8 px-0">
          <MenuIcon />
        </Button>
      }
    >
      <nav aria-label="Sections">
        {sectionsOf(place).map((section) => (
          <RailItem key={section.name} section={section} />
        ))}
      </nav>
      <div className="mt-1 border-t border-line pt-1 sm:hidden">
        <ThemeSwitch />
      </div>
    </Card>
  )
}
