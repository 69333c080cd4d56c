import { Popover } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

import { focusContent } from './focus-content.ts'

type Props = { readonly label: string; readonly trigger: ReactElement; readonly children: ReactNode }

/** A card that opens from a button and keeps what a glance does not need. */
export function Card({ label, trigger, children }: Props) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          align="end"
          sideOffset={6}
          collisionPadding={12}
          onOpenAutoFocus={focusContent}
          className="floats z-40 w-88 max-w-[calc(100vw-24px)] rounded-card border border-line bg-raised p-4 text-13 outline-none"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
