import { NavLink, useSearchParams } from 'react-router'

import { usePlace } from '../../session/place-context.ts'
import { Hint } from '../../ui/Hint.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { sectionsOf } from './sections.ts'
import type { Section } from './sections.ts'

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
  if (section.path === undefined) return <LaterItem section={section} />
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

const LaterItem = ({ section }: { readonly section: Section }) => (
  <Hint
    content={
      <>
        <span className="font-medium text-ink">Not built yet.</span> {section.later}
      </>
    }
  >
    <button type="button" aria-disabled="true" className={`${ITEM} group cursor-default text-ink-quiet`}>
      {section.name}{' '}
      <span className="text-12 opacity-0 max-lg:opacity-100 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100">
        later
      </span>
    </button>
  </Hint>
)
