import type { ReactNode } from 'react'

import { EvidenceLink } from './EvidenceLink.tsx'

type Props = {
  readonly head: {
    /** Where links to the section lead; it then begins below the fixed header. */
    readonly id: string
    readonly title: string
    /** A sentence on what it shows: beside the title where there is room. */
    readonly lead?: string
    readonly more?: { readonly label: string; readonly href: string }
  }
  /** `raised` sets it on a ground of its own. */
  readonly ground?: 'paper' | 'raised'
  readonly children: ReactNode
}

/** A section of the landing page: one hairline above, one width and one rhythm for all of them. Without a lead it has its title itself. */
export function Section({ head: { id, title, lead, more }, ground = 'paper', children }: Props) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`scroll-mt-16 border-t border-line ${ground === 'raised' ? 'bg-surface' : ''}`}
    >
      <div className="mx-auto max-w-7xl px-6 py-7 md:py-8">
        {lead !== undefined && (
          <div className="grid items-baseline gap-x-12 gap-y-2 lg:grid-cols-2">
            <SectionTitle id={id} title={title} />
            <p className="max-w-2xl text-14 text-pretty text-ink-soft md:text-16">
              {lead}
              {more !== undefined && (
                <>
                  {' '}
                  <EvidenceLink href={more.href}>{more.label}</EvidenceLink>
                </>
              )}
            </p>
          </div>
        )}
        {children}
      </div>
    </section>
  )
}

/** What the section is labeled by. */
export const SectionTitle = ({ id, title }: { readonly id: string; readonly title: string }) => (
  <h2 id={`${id}-title`} className="max-w-xl text-28 font-semibold tracking-[-0.02em] text-balance md:text-40">
    {title}
  </h2>
)
