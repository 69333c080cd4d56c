import type { ReactNode } from 'react'

/** A short list of names and what they stand for. */
export const FactList = ({ children }: { readonly children: ReactNode }) => (
  <dl className="grid gap-x-6 text-13 sm:gap-y-2 sm:grid-cols-[10rem_1fr]">{children}</dl>
)

export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-ink-soft">{name}</dt>
    <dd className="min-w-0 wrap-anywhere max-sm:mb-2.5 max-sm:last:mb-0">{children}</dd>
  </>
)
