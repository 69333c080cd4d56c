import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'

import { focusContent } from '../../ui/focus-content.ts'
import { useFocusBack } from '../../ui/use-focus-back.ts'

type Props = {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks once more before something that many will feel; Escape, and a press beside it, mean no. */
export function Confirm({ title, onClose, children }: Props) {
  useFocusBack()
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-[oklch(0%_0_0/35%)]" />
        <Dialog.Content
          role="alertdialog"
          aria-describedby={undefined}
          onOpenAutoFocus={focusContent}
          className="floats fixed inset-x-3 top-[12vh] z-50 mx-auto grid max-h-[80vh] max-w-lg gap-4 overflow-y-auto rounded-card border border-line bg-raised p-5 text-13 outline-none"
        >
          <Dialog.Title className="text-16 font-semibold tracking-tight wrap-anywhere">{title}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
