import { DropdownMenu } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

import { CheckIcon } from './icons.tsx'

type Choice<V extends string> = {
  readonly value: V
  readonly label: string
  readonly detail?: string
  readonly mark?: ReactNode
}

type Props<V extends string> = {
  readonly label: string
  readonly value: V | undefined
  readonly choices: readonly Choice<V>[]
  readonly onChoose: (value: V) => void
  /** The button that opens it. */
  readonly children: ReactElement
}

/** One of several, chosen from a list that floats. */
export function Menu<V extends string>({ label, value, choices, onChoose, children }: Props<V>) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={label}
          align="start"
          sideOffset={6}
          collisionPadding={12}
          className="floats z-50 max-w-[min(26rem,calc(100vw-24px))] min-w-56 rounded-control border border-line bg-raised p-1"
        >
          <DropdownMenu.RadioGroup value={value ?? ''}>
            {choices.map((choice) => (
              <DropdownMenu.RadioItem
                key={choice.value}
                value={choice.value}
                onSelect={() => onChoose(choice.value)}
                className="flex cursor-pointer items-center gap-2.5 rounded-[4px] px-2.5 py-1.5 text-13 outline-none data-highlighted:bg-sunken data-highlighted:shadow-[inset_2px_0_0_var(--accent)]"
              >
                {choice.mark}
                <span className="min-w-0 flex-1">
                  <bdi className="line-clamp-2 wrap-anywhere">{choice.label}</bdi>
                  {choice.detail !== undefined && <span className="block text-12 text-ink-quiet">{choice.detail}</span>}
                </span>
                <span className="w-4">
                  <DropdownMenu.ItemIndicator>
                    <CheckIcon />
                  </DropdownMenu.ItemIndicator>
                </span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
