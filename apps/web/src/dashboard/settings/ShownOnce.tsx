import { useEffect, useRef, type ReactNode } from 'react'

type Props = { readonly label: string; readonly children: ReactNode }

/** What will not be seen again; so it takes the focus. */
export function ShownOnce({ label, children }: Props) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={label}
      className="enters grid gap-3 rounded-card border border-transparent bg-busy-soft px-4 py-4 text-13 outline-none sm:px-5"
    >
      {children}
    </section>
  )
}
