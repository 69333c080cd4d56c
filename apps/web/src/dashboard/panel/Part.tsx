import type { ReactNode } from 'react'

type Props = { readonly title: string; readonly aside?: ReactNode; readonly children: ReactNode }

/** One titled part of a card. */
export const Part = ({ title, aside, children }: Props) => (
  <section className="grid gap-2 border-t border-line pt-4">
    <header className="flex items-baseline justify-between gap-4">
      <h3 className="text-13 font-semibold">{title}</h3>
      {aside}
    </header>
    {children}
  </section>
)

/** A name and what it is, line by line. */
export const Line = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex justify-between gap-4 py-1">
    <dt className="min-w-24 grow text-ink-quiet first-letter:uppercase">{name}</dt>
    <dd className="max-w-[65%] min-w-0 text-right wrap-anywhere">{children}</dd>
  </div>
)
