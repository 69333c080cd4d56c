import type { ReactNode } from 'react'

import { ChevronRightIcon } from '../../../ui/icons.tsx'

type Props = {
  readonly title: string
  /** What it says now, in a few words. */
  readonly says: string
  /** What the fields are about, in a sentence or two. */
  readonly lead: ReactNode
  readonly children: ReactNode
}

/** A group of fields that is folded until somebody wants to change it. */
export const Fold = ({ title, says, lead, children }: Props) => (
  <details className="group rounded-card border border-line bg-surface px-4 sm:px-5">
    <summary className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 rounded-control py-3.5 sm:grid-cols-[auto_12rem_minmax(0,1fr)]">
      <span className="self-center text-ink-quiet transition-transform group-open:rotate-90">
        <ChevronRightIcon />
      </span>
      <span className="text-14 font-semibold tracking-[-0.005em]">{title}</span>
      <span className="text-13 text-ink-soft wrap-anywhere max-sm:col-start-2">{says}</span>
    </summary>
    <div className="grid gap-4 pb-5">
      <p className="max-w-3xl text-13 text-ink-soft">{lead}</p>
      {children}
    </div>
  </details>
)
