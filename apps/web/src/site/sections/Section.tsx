import type { ReactNode } from 'react'

type Props = {
  /** Where links to the section lead; it then begins below the fixed header. */
  readonly id?: string
  /** Id of its heading. */
  readonly labeledBy: string
  /** `raised` sets it on a ground of its own. */
  readonly ground?: 'paper' | 'raised'
  readonly children: ReactNode
}

/** A section of the landing page: one hairline above, one width and one rhythm for all of them. */
export function Section({ id, labeledBy, ground = 'paper', children }: Props) {
  return (
    <section
      id={id}
      aria-labelledby={labeledBy}
      className={`scroll-mt-16 border-t border-line ${ground === 'raised' ? 'bg-surface' : ''}`}
    >
      <div className="mx-auto max-w-7xl px-6 py-7 md:py-8">{children}</div>
    </section>
  )
}
