import type { ReactNode } from 'react'
import { NavLink, useParams } from 'react-router'

import { useAuth } from '../../session/auth-context.ts'
import { usePlace } from '../../session/place-context.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { NotFound } from '../NotFound.tsx'
import { AccountPage } from './AccountPage.tsx'
import { AuditPage } from './AuditPage.tsx'
import { MembersPage } from './MembersPage.tsx'
import { OutboxPage } from './OutboxPage.tsx'
import { settingsSections } from './sections.ts'
import { TokensPage } from './TokensPage.tsx'

const PAGES: Readonly<Record<string, () => ReactNode>> = {
  account: AccountPage,
  members: MembersPage,
  tokens: TokensPage,
  audit: AuditPage,
  outbox: OutboxPage,
}

/** Settings: one page per subject, each at an address of its own. */
export function SettingsPage() {
  const { section } = useParams()
  const { door } = useAuth()
  const { demo } = usePlace()
  const sections = settingsSections(door?.mode)
  const chosen = sections.find(({ path }) => path === section)
  usePageTitle(`${chosen?.name ?? 'Settings'} · Septet`)
  const Page = chosen === undefined ? undefined : PAGES[chosen.path]
  if (demo) return <DemoSettings />
  if (Page === undefined || chosen === undefined) return <NotFound />
  return (
    <>
      <div className="mb-5">
        <p className="text-13 text-ink-soft">Settings</p>
        <h1 className="text-20 font-semibold tracking-[-0.025em] sm:text-28">{chosen.name}</h1>
      </div>
      <nav aria-label="Settings" className="mb-5 flex flex-wrap gap-1 border-line sm:border-b">
        {sections.map(({ path, name }) => (
          <NavLink
            key={path}
            to={`/settings/${path}`}
            className="flex min-h-9 items-center border-transparent px-2.5 text-13 text-ink-soft hover:text-ink max-sm:rounded-control aria-[current=page]:font-medium aria-[current=page]:text-ink max-sm:aria-[current=page]:bg-sunken sm:-mb-px sm:border-b-2 sm:aria-[current=page]:border-ink"
          >
            {name}
          </NavLink>
        ))}
      </nav>
      <Page />
    </>
  )
}

const DemoSettings = () => (
  <section className="grid max-w-xl justify-items-start gap-4 rounded-card border border-line bg-surface px-6 py-10 sm:px-10">
    <h1 className="text-20 font-semibold tracking-tight">Settings need an account</h1>
    <p className="text-ink-soft">
      The live demo is read only and nobody’s. Accounts, members and tokens belong to a Septet of your own.
    </p>
    <a href="/auth" className="rounded-control text-accent-ink underline underline-offset-4">
      Sign in
    </a>
  </section>
)
