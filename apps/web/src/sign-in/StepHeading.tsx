import type { ReactNode } from 'react'

import { useFocusHeading } from './use-focus-heading.ts'

/** What this step is, under the card's title; it takes the focus when the step begins. */
export function StepHeading({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const heading = useFocusHeading()
  return (
    <div className="grid gap-1">
      <h2 ref={heading} tabIndex={-1} className="rounded-control text-16 font-medium outline-none">
        {title}
      </h2>
      {children !== undefined && <p className="text-13 text-ink-soft">{children}</p>}
    </div>
  )
}
