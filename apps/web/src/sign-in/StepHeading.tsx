import { useEffect, useRef, type ReactNode } from 'react'

/** What this step is, under the card's title; it takes the focus when the step begins, so that it is read out and tabbing starts there. */
export function StepHeading({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="grid gap-1">
      <h2 ref={heading} tabIndex={-1} className="rounded-control text-16 font-medium outline-none">
        {title}
      </h2>
      {children !== undefined && <p className="text-13 text-ink-soft">{children}</p>}
    </div>
  )
}
