import type { ReactNode } from 'react'

type Props = {
  readonly title: string
  readonly lead: string
  /** Beside its heading. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A page other than the first. */
export function Page({ title, lead, aside, children }: Props) {
  return (
    <div className="mx-auto max-w-7xl px-6 pt-16 pb-24 md:pt-24">
      <header className="grid items-end gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div>
          <h1 className="max-w-3xl text-28 font-semibold tracking-[-0.02em] text-balance md:text-40">{title}</h1>
          <p className="mt-4 max-w-2xl text-16 text-pretty text-ink-soft">{lead}</p>
        </div>
        {aside}
      </header>
      <div className="mt-12 md:mt-16">{children}</div>
    </div>
  )
}

/** A part of it, with its title beside it where there is room. */
export const PagePart = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="grid gap-x-10 gap-y-3 border-t border-line py-8 md:grid-cols-[1fr_2fr]">
    <h2 id={id} className="scroll-mt-24 text-16 font-semibold text-balance">
      {title}
    </h2>
    {children}
  </section>
)
