import { CLAIMS } from '../content/claims.ts'

/** Six measured figures in one line, each with the way to its receipt. */
export function ClaimStrip() {
  return (
    <section aria-label="What was measured" className="mx-auto max-w-7xl px-6">
      <ul className="grid grid-cols-2 border-t border-l border-line sm:grid-cols-3 lg:grid-cols-6 lg:border-l-0">
        {CLAIMS.map(({ found, label, kind, href }) => (
          <li
            key={href}
            className="flex flex-col border-r border-b border-line px-3 py-2 sm:px-4 sm:py-4 lg:border-b-0 lg:nth-[6n]:border-r-0 lg:nth-[6n+1]:pl-0"
          >
            <span className="text-20 font-semibold tracking-tight">{found}</span>
            <span className="text-13 text-pretty text-ink-soft">{label}</span>
            <a
              href={href}
              className="mt-auto inline-flex min-h-6 items-end self-start pt-1 text-12 text-busy-ink underline decoration-dotted underline-offset-3 hover:decoration-solid"
            >
              {kind === 'not reached' ? 'measured' : kind} · receipt
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
