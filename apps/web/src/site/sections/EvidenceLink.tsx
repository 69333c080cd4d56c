import type { ReactNode } from 'react'

/** Leads from a statement to what it rests on: a receipt, or the page of the documentation. */
export function EvidenceLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a
      href={href}
      className="text-13 text-busy-ink underline decoration-dotted decoration-1 underline-offset-4 hover:decoration-solid"
    >
      {children}
    </a>
  )
}
