import { useId, type ReactNode } from 'react'

type Props = {
  readonly title: string
  /** Its name among the parts of the page, where another part has the same title. */
  readonly label?: string
  /** Small print or controls at the right of the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

/** A titled section: one hairline, no shadow. */
export function Panel({ title, label, aside, children, className = '' }: Props) {
  const id = useId()
  return (
    <section
      {...(label === undefined ? { 'aria-labelledby': id } : { 'aria-label': label })}
      className={`flex min-w-0 flex-col rounded-card border border-line bg-surface px-4 py-4 sm:px-5 ${className}`}
    >
      <header className="mb-3 flex min-h-7 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="text-14 font-semibold tracking-[-0.005em]">
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
