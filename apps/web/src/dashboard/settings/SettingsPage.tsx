import { lazy, type ComponentType } from 'react'
import { useParams } from 'react-router'

import { useAuth } from '../../session/auth-context.ts'
import { usePlace } from '../../session/place-context.ts'
import { LoadedLater } from '../../ui/LoadedLater.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { NotFound } from '../panel/NotFound.tsx'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { AccountPage } from './AccountPage.tsx'
import { settingsGroups } from '../address/settings-sections.ts'
import { SECTION_LEADS } from './section-leads.ts'
import { SettingsNavigation } from './SettingsNavigation.tsx'

/** What each section shows; all but the first are loaded when they are opened. */
const PAGES: Readonly<Record<string, ComponentType>> = {
  account: AccountPage,
  tokens: lazy(async () => ({ default: (await import('./TokensPage.tsx')).TokensPage })),
  clusters: lazy(async () => ({ default: (await import('./clusters/ClustersPage.tsx')).ClustersPage })),
  reports: lazy(async () => ({ default: (await import('./reports/ReportsPage.tsx')).ReportsPage })),
  prices: lazy(async () => ({ default: (await import('../prices/PricesView.tsx')).PricesView })),
  tenants: lazy(async () => ({ default: (await import('./tenants/TenantsPage.tsx')).TenantsPage })),
  policies: lazy(async () => ({ default: (await import('./policies/PoliciesPage.tsx')).PoliciesPage })),
  acting: lazy(async () => ({ default: (await import('./acting/ActingPage.tsx')).ActingPage })),
  agents: lazy(async () => ({ default: (await import('./agents/AgentsPage.tsx')).AgentsPage })),
  retention: lazy(async () => ({ default: (await import('./retention/RetentionPage.tsx')).RetentionPage })),
  about: lazy(async () => ({ default: (await import('./about/AboutPage.tsx')).AboutPage })),
  notifications: lazy(async () => ({
    default: (await import('./notifications/NotificationsPage.tsx')).NotificationsPage,
  })),
  members: lazy(async () => ({ default: (await import('./MembersPage.tsx')).MembersPage })),
  audit: lazy(async () => ({ default: (await import('./AuditPage.tsx')).AuditPage })),
  outbox: lazy(async () => ({ default: (await import('./OutboxPage.tsx')).OutboxPage })),
}

/** Settings: one page per subject, each at an address of its own. */
export function SettingsPage() {
  const { section } = useParams()
  const { signInInfo } = useAuth()
  const { demo } = usePlace()
  const groups = settingsGroups(signInInfo?.mode)
  const chosen = groups.flatMap(({ sections }) => sections).find(({ path }) => path === section)
  usePageTitle(`${chosen?.name ?? 'Settings'} · Septet`)
  const Page = chosen === undefined ? undefined : PAGES[chosen.path]
  const about = chosen === undefined ? undefined : SECTION_LEADS[chosen.path]
  if (demo) return <DemoSettings />
  if (Page === undefined || chosen === undefined || about === undefined) return <NotFound />
  return (
    <div className="grid gap-x-8 gap-y-5 lg:grid-cols-[11.5rem_minmax(0,1fr)]">
      <SettingsNavigation groups={groups} chosen={chosen} />
      <div className="min-w-0">
        <p className="text-13 text-ink-soft max-lg:hidden">Settings</p>
        <ScreenHead title={chosen.name} {...about} />
        <LoadedLater key={chosen.path} name={chosen.name}>
          <Page />
        </LoadedLater>
      </div>
    </div>
  )
}

const DemoSettings = () => (
  <section className="grid max-w-xl justify-items-start gap-4 rounded-card border border-line bg-surface px-6 py-10 sm:px-10">
    <h1 className="text-20 font-semibold tracking-tight">Settings need an account</h1>
    <p className="text-ink-soft">The live demo is read-only. Accounts, members and tokens need your own Septet.</p>
    <a href="/auth" className="rounded-control text-accent-ink underline underline-offset-4">
      Sign in
    </a>
  </section>
)
