import { CONTENTS } from '../docs/contents.ts'

/** The side list of the documentation, with the page that is open. Narrow screens have the contents page instead. */
export function DocsNavigation({ current }: { readonly current: string }) {
  return (
    <nav aria-label="Documentation" className="hidden min-h-0 overflow-y-auto pb-6 lg:block">
      {CONTENTS.map(({ id, title, entries }) => (
        <div key={id} className="mt-7 text-13">
          <h2 className="text-12 text-ink-quiet">{title}</h2>
          <ul className="mt-1.5 border-l border-line">
            {entries.map((entry) => (
              <li key={entry.href}>
                <a
                  href={entry.href}
                  aria-current={entry.href === current ? 'page' : undefined}
                  className="-ml-px block border-l border-transparent py-1 pl-3.5 text-pretty text-ink-soft hover:text-ink aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink"
                >
                  {entry.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
