import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'

import { Button } from '../../ui/Button.tsx'
import { CloseIcon } from '../../ui/dashboard-icons.tsx'
import { useFocusBack } from '../../ui/use-focus-back.ts'

type Props = {
  readonly title: ReactNode
  /** What kind of object it is, above the title. */
  readonly lead?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  /** Stays in sight below what scrolls: what can be decided here. */
  readonly footer?: ReactNode
}

/**
 * The card of one object, at the right of what it was chosen from; the whole window on phones. The screen behind it stays
 * in use, so that the next object is one click away. Escape closes it and focus goes back to where it came from.
 */
export function SidePanel({ title, lead, onClose, children, footer }: Props) {
  useFocusBack()
  return (
    <Dialog.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          className="floats fixed inset-y-0 right-(--copilot,0px) z-40 flex w-full flex-col border-l border-line bg-raised outline-none sm:w-[30rem]"
        >
          <div className="flex items-start justify-between gap-3 border-b border-line px-5 py-3.5">
            <div className="min-w-0">
              {lead !== undefined && <div className="text-12 text-ink-quiet">{lead}</div>}
              <Dialog.Title className="text-16 font-semibold tracking-tight wrap-anywhere">
                <bdi>{title}</bdi>
              </Dialog.Title>
            </div>
            <Dialog.Close asChild>
              <Button look="quiet" aria-label="Close" className="size-8 shrink-0 px-0">
                <CloseIcon />
              </Button>
            </Dialog.Close>
          </div>
          <Scrolling>{children}</Scrolling>
          {footer !== undefined && <div className="border-t border-line px-5 py-3.5 empty:hidden">{footer}</div>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** It may hold nothing that takes focus. */
const Scrolling = ({ children }: Pick<Props, 'children'>) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (WCAG 2.1.1)
  <section aria-label="Details" tabIndex={0} className={SCROLLING}>
    {children}
  </section>
)
const SCROLLING = 'grid min-h-0 flex-1 content-start gap-5 overflow-y-auto px-5 py-4'
