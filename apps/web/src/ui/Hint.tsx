import { Tooltip } from 'radix-ui'
import { useState, type ReactElement, type ReactNode } from 'react'

type Props = {
  /** What is shown; opens on hover after the usual delay, at once on keyboard focus, and on a tap. */
  readonly content: ReactNode
  /** One element that takes the pointer and, to serve the keyboard, focus. */
  readonly children: ReactElement
}

/** A card that explains what it hangs on. It floats, can be hovered itself, and closes on Escape. */
export function Hint({ content, children }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Tooltip.Root open={open} onOpenChange={setOpen}>
      <Tooltip.Trigger
        asChild
        // A tooltip closes on press and never opens by touch; here a tap is how a phone asks for the explanation.
        onPointerDown={(event) => event.preventDefault()}
        onClick={(event) => {
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
      </Tooltip.Trigger>
      {open && (
        <Tooltip.Portal>
          <Tooltip.Content
            side="bottom"
            sideOffset={6}
            collisionPadding={12}
            className="floats z-50 max-w-80 rounded-control border border-line bg-raised px-3 py-2.5 text-12 text-ink-soft"
          >
            {content}
          </Tooltip.Content>
        </Tooltip.Portal>
      )}
    </Tooltip.Root>
  )
}
