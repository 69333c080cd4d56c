import { DropdownMenu } from 'radix-ui'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import { useAuth } from '../../session/auth-context.ts'
import { usePlace } from '../../session/place-context.ts'
import { type Theme, THEMES, useTheme } from '../../theme/theme-choice.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { LogoLink } from '../../ui/Logo.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { BellIcon, SearchIcon } from '../../ui/dashboard-icons.tsx'
import { MenuIcon, MoonIcon, PersonIcon, SunIcon, SystemIcon } from '../../ui/icons.tsx'
import { keptOf } from '../address/To.tsx'
import { sectionsOf } from '../address/sections.ts'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { CopilotButton } from '../copilot/CopilotButton.tsx'
import { LiveState } from './LiveState.tsx'
import { RailItem } from './Rail.tsx'
import { RangeSwitch } from './RangeSwitch.tsx'
import { SourceSwitch } from './SourceSwitch.tsx'

/** Light, dark, or as the system has it. */
function ThemeSwitch() {
  const [theme, choose] = useTheme()
  const Icon = ICONS[theme]
  return (
    <Menu
      label="Theme"
      value={theme}
      choices={THEMES.map((value) => ({ value, label: WORDS[value] }))}
      onChoose={choose}
    >
      <Button look="quiet" aria-label={`Theme: ${WORDS[theme]}`} className="size-8 px-0">
        <Icon />
      </Button>
    </Menu>
  )
}

const WORDS = { system: 'System', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>
const ICONS = { system: SystemIcon, light: SunIcon, dark: MoonIcon } satisfies Record<Theme, unknown>

/** How many alerts fire, quietly, and the way to them. */
function AlertBell() {
  const { cluster } = useUrlState()
  const [search] = useSearchParams()
  const { data } = useAnswer('alertsList', { cluster, limit: 1, days: 1 })
  const total = data?.total
  return (
    <Link
      to={{ pathname: '/alerts', search: String(keptOf(search)) }}
      aria-label={total === undefined ? 'Alerts' : `Alerts: ${total} firing`}
      className="inline-flex min-h-7 min-w-12 items-center justify-center gap-1.5 rounded-control px-2 text-ink-soft hover:bg-sunken hover:text-ink"
    >
      <BellIcon />
      <span className="min-w-4 font-mono text-12 tabular-nums">{countWords(total)}</span>
    </Link>
  )
}

const MOST = 999
/** Nothing where nothing is known, and where nothing fires. */
const countWords = (total: number | undefined): string => {
  if (total === undefined || total === 0) return ''
  return total > MOST ? `${MOST}+` : String(total)
}

/**
 * What is shown, over which time, of when, and in which light. In a narrow window it has two rows and holds the rail as
 * well; the order in the page is that of a wide one.
 */
export function TopBar() {
  // Settings are the same whatever is looked at, and whenever.
  const figures = !useLocation().pathname.startsWith('/settings')
  return (
    <header className="sticky top-0 z-30 flex flex-wrap items-center gap-x-2 gap-y-2 border-b border-line bg-paper px-4 py-2.5 max-sm:static sm:px-7">
      <LogoLink href="/" className="mr-auto flex gap-2 max-lg:order-1 lg:hidden" />
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

/** Says that this is the demo, and where one's own dashboard begins. */
const DemoBadge = () => (
  <span className="flex items-center gap-2.5 pl-1">
    <span className="max-sm:hidden">
      <Badge tone="secondary">
        Live demo<span className="max-[1400px]:hidden">, read only</span>
      </Badge>
    </span>
    <a
      href="/auth"
      className="rounded-control text-13 whitespace-nowrap text-accent-ink underline-offset-4 hover:underline"
    >
      Sign in
    </a>
  </span>
)

/** Who is signed in, the way to their settings, and out. */
function AccountMenu() {
  const { user, signOut } = useAuth()
  const navigate = useNavigate()
  const leave = async (): Promise<void> => {
    const problem = await signOut('local')
    if (problem !== undefined) showToast({ title: 'Error', description: problem, tone: 'plain' })
  }
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button look="quiet" aria-label={`Account: ${user?.email ?? 'signed in'}`} className="size-8 px-0">
          <PersonIcon />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label="Account"
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="floats z-50 w-64 rounded-control border border-line bg-raised p-1"
        >
          <DropdownMenu.Label className="px-2.5 py-2 text-12 text-ink-soft">
            Signed in as <span className="block truncate text-13 font-medium text-ink">{user?.email}</span>
          </DropdownMenu.Label>
          <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />
          <DropdownMenu.Item className={ITEM} onSelect={() => void navigate('/settings/account')}>
            Account and settings
          </DropdownMenu.Item>
          <DropdownMenu.Item className={ITEM} onSelect={() => void leave()}>
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const ITEM =
  'cursor-pointer rounded-[4px] px-2.5 py-1.5 text-13 outline-none data-highlighted:bg-sunken data-highlighted:shadow-[inset_2px_0_0_var(--accent)]'

const Palette = lazy(async () => ({ default: (await import('../palette/Palette.tsx')).Palette }))

/** Opens the palette, as ⌘K and Ctrl-K do from anywhere. */
function PaletteButton() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
  return (
    <>
      <Button
        look="quiet"
        aria-haspopup="dialog"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => setOpen(true)}
        title={`Find or ask (${IS_MAC ? '⌘K' : 'Ctrl K'})`}
        className="min-h-8 max-[1400px]:size-8 max-[1400px]:px-0"
      >
        <SearchIcon />
        <span className="max-[1400px]:sr-only">Find or ask</span>
        <kbd
          aria-hidden
          className="rounded-[4px] border border-line px-1 font-mono text-12 text-ink-quiet max-[1400px]:hidden"
        >
          {IS_MAC ? '⌘K' : 'Ctrl K'}
        </kbd>
      </Button>
      {open && (
        <Suspense>
          <Palette close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const IS_MAC = /mac|iphone|ipad/iu.test(navigator.userAgent)
