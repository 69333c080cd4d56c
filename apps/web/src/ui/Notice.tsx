import type { ReactNode } from 'react'

import { InfoIcon, WarningIcon } from './icons.tsx'

type Props = {
  readonly tone: 'quiet' | 'warning' | 'fault'
  /** What happened, what still works, what to do: whole sentences. */
  readonly children: ReactNode
  /** One next step. */
  readonly action?: ReactNode
}

/** Something the reader should know before trusting the numbers below it. */
export function NoticeBox({ tone, children, action }: Props) {
  return (
    <div
      role={tone === 'fault' ? 'alert' : 'status'}
      className={`enters flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border px-4 py-2.5 text-13 ${LOOK[tone]}`}
    >
      <div className="flex min-w-0 flex-1 basis-64 gap-2.5">
        <span className={`mt-0.5 ${ICON[tone]}`}>{tone === 'quiet' ? <InfoIcon /> : <WarningIcon />}</span>
        <div className="min-w-0 wrap-anywhere">{children}</div>
      </div>
      {action}
    </div>
  )
}

const LOOK = {
  quiet: 'border-line bg-surface text-ink-soft',
  warning: 'border-transparent bg-idle-soft text-ink',
  fault: 'border-transparent bg-fault-soft text-ink',
} as const

const ICON = { quiet: 'text-ink-quiet', warning: 'text-idle-ink', fault: 'text-fault-ink' } as const
