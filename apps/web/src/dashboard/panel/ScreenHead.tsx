import type { ReactNode } from 'react'

import { DocLink } from '../../ui/DocLink.tsx'

type Props = {
  readonly title: string
  /** One sentence below the title: what the screen answers. */
  readonly lead: string
  /** Where the documentation says more about the screen. */
  readonly docs: string
  /** Controls at the right. */
  readonly aside?: ReactNode
}

/** The heading of a screen; its title is the page's one `h1`. */
export const ScreenHead = ({ title, lead, docs, aside }: Props) => (
  <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <h1 className="text-20 font-semibold tracking-[-0.025em] sm:text-28">{title}</h1>
      <p className="mt-0.5 max-w-3xl text-13 text-ink-soft">
        {lead} <DocLink to={docs} about={title} />
      </p>
    </div>
    {aside !== undefined && <div className="flex flex-wrap items-center gap-2">{aside}</div>}
  </div>
)
