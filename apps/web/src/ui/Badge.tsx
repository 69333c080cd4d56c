import type { ReactNode } from 'react'

export type Tone = 'secondary' | 'destructive' | 'good' | 'warning'

/** A word or two on a soft ground. The words carry the meaning; the color repeats it. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`inline-flex items-center rounded-control px-1.5 py-px text-12 whitespace-nowrap ${LOOK[tone]}`}>
      {children}
    </span>
  )
}

const LOOK = {
  secondary: 'bg-sunken text-ink-soft',
  destructive: 'bg-fault-soft text-fault-ink',
  good: 'bg-busy-soft text-ink',
  warning: 'bg-idle-soft text-idle-ink',
} satisfies Record<Tone, string>
