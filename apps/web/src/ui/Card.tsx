import { Popover } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

import { focusContent } from './focus-content.ts'

type Props = {
  readonly label: string
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  /** How large it is, and how its content stands in it. */
  readonly className?: string
  /** Where the focus goes as it opens. */
  readonly focus?: 'content' | 'first control'
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
}

/** A card that opens from a button and keeps what a glance does not need. */
export const Card = ({ label, trigger, children, className = WIDE, focus = 'content', ...state }: Props) => (
  <Popover.Root {...state}>
    <Popover.Trigger asChild>{trigger}</Popover.Trigger>
    <Popover.Portal>
      <Popover.Content
        aria-label={label}
        align="end"
        sideOffset={6}
        collisionPadding={12}
        {...(focus === 'content' ? { onOpenAutoFocus: focusContent } : {})}
        className={`floats z-40 rounded-card border border-line bg-raised outline-none ${className}`}
      >
        {children}
      </Popover.Content>
    </Popover.Portal>
  </Popover.Root>
)

const WIDE = 'w-88 max-w-[calc(100vw-24px)] p-4 text-13'
