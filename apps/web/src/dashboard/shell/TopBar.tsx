import { Popover } from 'radix-ui'
import { Link } from 'react-router'

import { Button } from '../../ui/Button.tsx'
import { focusContent } from '../../ui/focus-content.ts'
import { MenuIcon } from '../../ui/icons.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { LiveState } from './LiveState.tsx'
import { RailItem } from './Rail.tsx'
import { RangeSwitch } from './RangeSwitch.tsx'
import { SECTIONS } from './sections.ts'
import { SourceSwitch } from './SourceSwitch.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'

/** What is shown, over which time, of when, and in which light. In a narrow window it holds the rail as well. */
export function TopBar() {
  return (
    <header className="sticky top-0 z-30 flex flex-wrap items-center gap-x-2.5 gap-y-2 border-b border-line bg-paper px-4 py-2.5 max-sm:static sm:px-7">
      <div className="flex flex-1 items-center gap-1 max-lg:basis-full lg:hidden">
        <Link to="/" className="mr-auto flex items-center gap-2 rounded-control text-16 font-semibold tracking-tight">
          <Logo />
          septet
        </Link>
        <ThemeSwitch />
        <SectionMenu />
      </div>
      <SourceSwitch />
      <RangeSwitch />
      <div className="ml-auto flex items-center gap-1 max-sm:ml-0 max-sm:basis-full max-sm:justify-between">
        <LiveState />
        <span className="max-lg:hidden">
          <ThemeSwitch />
        </span>
      </div>
    </header>
  )
}

const SectionMenu = () => (
  <Popover.Root>
    <Popover.Trigger asChild>
      <Button look="quiet" aria-label="Sections" className="size-8 px-0">
        <MenuIcon />
      </Button>
    </Popover.Trigger>
    <Popover.Portal>
      <Popover.Content
        aria-label="Sections"
        align="end"
        sideOffset={6}
        collisionPadding={12}
        onOpenAutoFocus={focusContent}
        className="floats z-40 w-56 rounded-card border border-line bg-raised p-1.5 outline-none"
      >
        <nav aria-label="Sections">
          {SECTIONS.map((section) => (
            <RailItem key={section.name} section={section} />
          ))}
        </nav>
      </Popover.Content>
    </Popover.Portal>
  </Popover.Root>
)
