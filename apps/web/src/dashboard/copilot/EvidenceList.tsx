import { Link } from 'react-router'

import { CopyButton } from '../../ui/CopyButton.tsx'
import { ChevronRightIcon } from '../../ui/icons.tsx'
import { dayTime } from '../../ui/time-words.ts'
import type { ShownAnswer } from './copilot-context.ts'
import { usePageLink } from './use-page-link.ts'

type Props = {
  /** What the ids of its items begin with, so that numbers in sentences lead to them. */
  readonly id: string
  readonly citations: ShownAnswer['citations']
  readonly isOpen: boolean
  readonly onToggle: (open: boolean) => void
}

/** What an answer was concluded from: the page that shows the same, and the address that was asked, to ask it again. */
export function EvidenceList({ id, citations, isOpen, onToggle }: Props) {
  const linkOf = usePageLink()
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
      className="group rounded-control border border-line"
    >
      <summary className="flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2.5 text-13 text-ink-soft">
        <span className="transition-transform group-open:rotate-90">
          <ChevronRightIcon />
        </span>
        Evidence <span className="font-mono text-12">{citations.length}</span>
      </summary>
      <ol className="divide-y divide-line border-t border-line">
        {citations.map(({ number, title, source, page, asOf }) => (
          <li
            key={number}
            id={`${id}-${number}`}
            tabIndex={-1}
            className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2 px-2.5 py-2 text-13 focus:bg-sunken"
          >
            <span className="font-mono text-12 text-ink-quiet">{number}</span>
            <div className="grid min-w-0 gap-1">
              <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                {page === null ? (
                  title
                ) : (
                  <Link to={linkOf(page)} className="rounded-control text-accent-ink underline underline-offset-2">
                    {title}
                  </Link>
                )}
                {asOf !== null && (
                  <span className="text-12 text-ink-quiet">
                    as of <time dateTime={asOf}>{dayTime(asOf)}</time>
                  </span>
                )}
              </span>
              <span className="flex min-w-0 items-start justify-between gap-2">
                <code className="min-w-0 py-1 font-mono text-12 wrap-anywhere text-ink-soft">{source}</code>
                <CopyButton label="Copy" text={() => source} />
              </span>
            </div>
          </li>
        ))}
      </ol>
    </details>
  )
}
