import { NavLink, useSearchParams } from 'react-router'

import { usePlace } from '../../session/place-context.ts'
import { LogoLink } from '../../ui/Logo.tsx'
import { useMay } from '../acting/use-may.ts'
import { useOpenActions } from '../acting/use-open-actions.ts'
import { useUrlState } from '../address/url-state.ts'
import { sectionsOf, type DashboardSection } from '../address/sections.ts'

/** The left rail of a wide window. */
export function Rail() {
  const place = usePlace()
  return (
    <div className="hidden w-49 shrink-0 border-r border-line lg:block">
      <nav aria-label="Septet" className="sticky top-0 flex flex-col px-3 py-4">
        <LogoLink href="/" className="mb-5 flex gap-2.5 self-start px-2" />
        <ul className="grid gap-0.5">
          {sectionsOf(place).map((section) => (
            <li key={section.name}>
              <RailItem section={section} />
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

const ITEM = 'flex min-h-8 w-full items-center justify-between rounded-control px-2.5 text-left text-13'

export function RailItem({ section }: { readonly section: DashboardSection }) {
  const [search] = useSearchParams()
  return (
    <NavLink
      end={section.deep !== true}
      to={{ pathname: section.path, search: String(search) }}
      className={`${ITEM} text-ink-soft hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink`}
    >
      {section.name}
      {section.path === '/actions' && <WaitingCount />}
    </NavLink>
  )
}

/** How many actions wait for somebody to decide. */
const WaitingCount = () => (useMay().see === true ? <Count /> : undefined)

function Count() {
  const { cluster } = useUrlState()
  const waiting = useOpenActions(cluster).data?.actions.filter(({ state }) => state === 'proposed').length ?? 0
  if (waiting === 0) return undefined
  return (
    <span className="rounded-control bg-idle-soft px-1.5 font-mono text-12 text-idle-ink">
      {waiting}
      <span className="sr-only"> awaiting approval</span>
    </span>
  )
}
