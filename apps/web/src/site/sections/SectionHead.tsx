import type { ReactNode } from 'react'

type Props = {
  /** Id of the heading: the section is labeled by it. */
  readonly id: string
  readonly title: string
  readonly lead?: ReactNode
  /** `split` sets the lead beside the title where there is room. */
  readonly shape?: 'stacked' | 'split'
}

/** The heading of a section, with a sentence on what it shows. */
export function SectionHead({ id, title, lead, shape = 'stacked' }: Props) {
  return (
    <div className={SHAPE[shape]}>
      <h2 id={id} className="max-w-xl text-28 font-semibold tracking-[-0.02em] text-balance md:text-40">
        {title}
      </h2>
      {lead !== undefined && <p className="max-w-2xl text-16 text-pretty text-ink-soft">{lead}</p>}
    </div>
  )
}

const SHAPE = {
  stacked: 'flex flex-col gap-4',
  split: 'grid items-baseline gap-x-12 gap-y-4 lg:grid-cols-2',
} as const
