import type { ReactNode } from 'react'

/** The heading of a page other than the first. */
export function PageHead({ title, lead }: { readonly title: string; readonly lead?: ReactNode }) {
  return (
    <header className="flex flex-col gap-4">
      <h1 className="max-w-3xl text-28 font-semibold tracking-[-0.02em] text-balance md:text-40">{title}</h1>
      {lead !== undefined && <p className="max-w-2xl text-16 text-pretty text-ink-soft">{lead}</p>}
    </header>
  )
}
