import { useId, type ReactNode } from 'react'

type Props = {
  readonly title: string
  readonly aside?: ReactNode
  /** The number, on a line of fixed height. */
  readonly headline: ReactNode
  readonly note: ReactNode
  readonly children?: ReactNode
}

/** One of the four summary cards: title, number, a note, and a small drawing; heights do not depend on the numbers. */
export function StatCard({ title, aside, headline, note, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex min-h-48 min-w-0 flex-col rounded-card border border-line bg-surface px-4 py-4 sm:px-5"
    >
      <div className="flex h-5 items-center justify-between gap-3">
        <h2 id={id} className="text-13 text-ink-soft">
          {title}
        </h2>
        {aside}
      </div>
      <div className="mt-1.5 flex h-8 items-center gap-2">{headline}</div>
      <div className="mt-1 min-h-4.5 text-12 text-ink-soft">{note}</div>
      <div className="mt-auto pt-3">{children}</div>
    </section>
  )
}
