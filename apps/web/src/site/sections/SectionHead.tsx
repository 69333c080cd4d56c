import type { ReactNode } from 'react'

type Props = {
  /** Id of the heading: the section is labeled by it. */
  readonly id: string
  readonly title: string
  readonly lead?: ReactNode
}

/** The heading of a section, with a sentence on what it shows: beside it where there is room. */
export function SectionHead({ id, title, lead }: Props) {
  return (
    <div className="grid items-baseline gap-x-12 gap-y-2 lg:grid-cols-2">
      <h2 id={id} className="max-w-xl text-28 font-semibold tracking-[-0.02em] text-balance md:text-40">
        {title}
      </h2>
      {lead !== undefined && <p className="max-w-2xl text-14 text-pretty text-ink-soft md:text-16">{lead}</p>}
    </div>
  )
}
