import { NavLink, useSearchParams } from 'react-router'

import { usePlace } from '../../session/place-context.ts'
import { Logo } from '../../ui/Logo.tsx'
import { sectionsOf, type Section } from '../address/sections.ts'

/** The left rail of a wide window. */
export function Rail() {
  const place = usePlace()
  return (
    <div className="hidden w-49 shrink-0 border-r border-line lg:block">
      <nav aria-label="Septet" className="sticky top-0 flex flex-col px-3 py-4">
        <a
          href="/"
          className="mb-5 flex items-center gap-2.5 self-start rounded-control px-2 text-16 font-semibold tracking-tight"
        >
          <Logo />
          septet
        </a>
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

export function RailItem({ section }: { readonly section: Section }) {
  const [search] = useSearchParams()
  return (
    <NavLink
      end={section.deep !== true}
      to={{ pathname: section.path, search: String(search) }}
      className={`${ITEM} text-ink-soft hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink`}
    >
      {section.name}
    </NavLink>
  )
}
