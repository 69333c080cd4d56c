import { type ComponentType, lazy } from 'react'
import { NavLink, useNavigate, useParams } from 'react-router'

import { useAuth } from '../../session/auth-context.ts'
import { usePlace } from '../../session/place-context.ts'
import { Bone } from '../../ui/Bone.tsx'
import { LoadedLater } from '../../ui/LoadedLater.tsx'
import { LockIcon } from '../../ui/icons.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { type SettingsGroup, settingsGroups, type SettingsSection } from '../address/settings-sections.ts'
import { useAnswer } from '../client/use-answer.ts'
import { NotFound } from '../panel/NotFound.tsx'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { mayAs } from '../words/role-words.ts'
import { AccountPage } from './AccountPage.tsx'

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
  status: lazy(async () => ({ default: (await import('./status/StatusPage.tsx')).StatusPage })),
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
        <LoadedLater key={chosen.path} name={chosen.name} fallback={<Bone className="h-40" />}>
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

type Lead = {
  /** One sentence below the title: what the page is for. */
  readonly lead: string
  /** Where the documentation says more. */
  readonly docs: string
}

/** What stands below the title of each page of Settings, by the last part of its address. */
const SECTION_LEADS: Readonly<Record<string, Lead>> = {
  account: {
    lead: 'How you sign in, and where you are signed in.',
    docs: 'signing-in#sessions-passwords-and-a-second-factor',
  },
  tokens: {
    lead: 'Keys for the CLI, scrapers and agents. A token never has more rights than its creator.',
    docs: 'signing-in#api-tokens',
  },
  clusters: { lead: 'The clusters that Septet reads, and how it signs in to each.', docs: 'connecting-a-cluster' },
  prices: {
    lead: 'What a GPU-hour costs, and where each price comes from.',
    docs: 'prices-and-bills#which-price-applies',
  },
  tenants: {
    lead: 'Which team is charged for which workloads.',
    docs: 'using-the-dashboard#tenants',
  },
  policies: {
    lead: 'What counts as idle or oversized, the utilization target, and what plans must leave alone.',
    docs: 'using-the-dashboard#policies',
  },
  acting: {
    lead: 'Which changes Septet may make to a cluster, and within which limits.',
    docs: 'using-the-dashboard#what-septet-may-do',
  },
  agents: { lead: 'What AI agents may do over MCP, how to connect one, and what they called.', docs: 'agents' },
  retention: { lead: 'How long stored usage is kept.', docs: 'using-the-dashboard#data-retention' },
  notifications: {
    lead: 'Which alerts fire, where they are sent, and what was delivered.',
    docs: 'reports-and-alerts#alerts',
  },
  reports: { lead: 'Reports that Septet emails on a schedule.', docs: 'reports-and-alerts#reports' },
  members: { lead: 'Who can sign in, and what each of them may do.', docs: 'signing-in#roles-and-namespaces' },
  audit: { lead: 'Everything that was done, refused or changed, and by whom.', docs: 'signing-in#the-audit-log' },
  outbox: { lead: 'The emails that Septet wrote.', docs: 'signing-in#mail-and-the-outbox' },
  status: {
    lead: 'Whether each loop and each source of Septet works, and what to do where one does not.',
    docs: 'when-something-is-wrong',
  },
  about: { lead: 'Version, storage and third-party licenses.', docs: 'upgrading' },
}

type Props = { readonly groups: readonly SettingsGroup[]; readonly chosen: SettingsSection }

/** The pages of Settings: a grouped list at the side, and where there is no side one menu of them all. */
function SettingsNavigation({ groups, chosen }: Props) {
  const role = useAnswer('sessionMe', {}).data?.role
  const navigate = useNavigate()
  const isLocked = ({ needs }: SettingsSection): boolean => role !== undefined && !mayAs(role, needs)
  return (
    <nav aria-label="Settings" className="self-start lg:sticky lg:top-19">
      <label className="grid gap-1.5 lg:hidden">
        <span className="text-13 font-medium">Settings page</span>
        <select
          value={chosen.path}
          onChange={(event) => void navigate(`/settings/${event.currentTarget.value}`)}
          className="h-10 w-full max-w-sm rounded-control border border-(--free) bg-surface px-2.5 text-16 hover:border-ink-quiet sm:text-14"
        >
          {groups.map(({ name, sections }) => (
            <optgroup key={name} label={name}>
              {sections.map((section) => (
                <option key={section.path} value={section.path}>
                  {section.name}
                  {isLocked(section) ? ` (needs ${section.needs})` : ''}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <div className="grid gap-4 max-lg:hidden">
        {groups.map(({ name, sections }) => (
          <div key={name}>
            <p className="mb-1 px-2.5 text-12 text-ink-quiet">{name}</p>
            <ul>
              {sections.map((section) => (
                <li key={section.path}>
                  <NavLink
                    to={`/settings/${section.path}`}
                    className="flex min-h-8 items-center justify-between gap-2 rounded-control px-2.5 text-13 text-ink-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink"
                  >
                    {section.name}
                    {isLocked(section) && (
                      <span className="text-ink-quiet" title={`Needs the ${section.needs} role`}>
                        <LockIcon />
                        <span className="sr-only">needs the {section.needs} role</span>
                      </span>
                    )}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  )
}
