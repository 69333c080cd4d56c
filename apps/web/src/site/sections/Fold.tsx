import type { ReactNode } from 'react'

import { ChevronDownIcon } from '../../ui/icons.tsx'

/** Details that are shown when asked for. The words are in the page either way, and no script takes part. */
export function SiteFold({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className="group">
      <summary className="flex min-h-10 cursor-pointer list-none items-center justify-between gap-3 border-y border-line text-13 font-medium text-ink-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        {title}
        <span className="shrink-0 transition-transform group-open:rotate-180">
          <ChevronDownIcon />
        </span>
      </summary>
      {children}
    </details>
  )
}
