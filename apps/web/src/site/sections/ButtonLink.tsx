import type { ReactNode } from 'react'

type Props = {
  readonly href: string
  readonly look?: 'strong' | 'outline' | 'quiet'
  readonly size?: 'medium' | 'large'
  readonly children: ReactNode
}

/** A link that looks like a button, because it starts something. */
export function ButtonLink({ href, look = 'strong', size = 'medium', children }: Props) {
  return (
    <a
      href={href}
      className={`inline-flex items-center justify-center rounded-control font-medium whitespace-nowrap transition-[opacity,border-color,color] ${SIZE[size]} ${LOOK[look]}`}
    >
      {children}
    </a>
  )
}

const SIZE = { medium: 'h-9 px-3 text-14 sm:px-3.5', large: 'h-11 px-4 text-14 sm:px-5 sm:text-16' } as const
const LOOK = {
  strong: 'bg-ink text-paper hover:opacity-85 active:opacity-70',
  outline: 'border border-line-strong hover:border-ink-quiet active:bg-sunken',
  quiet: 'text-ink-soft hover:text-ink active:text-ink-quiet',
} as const
