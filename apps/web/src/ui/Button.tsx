import type { ButtonHTMLAttributes } from 'react'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> & { readonly look?: 'outline' | 'quiet' | 'strong' }

/** A button at least 28 pixels high; `quiet` is for tools, `strong` for the one next step. */
export function Button({ look = 'outline', className = '', ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={`inline-flex min-h-7 items-center justify-center gap-1.5 rounded-control px-2.5 text-13 whitespace-nowrap transition-colors aria-disabled:cursor-not-allowed aria-disabled:text-ink-quiet ${LOOK[look]} ${className}`}
    />
  )
}

const LOOK = {
  outline: 'border border-line bg-surface hover:border-line-strong data-[state=open]:border-line-strong',
  quiet: 'text-ink-soft hover:bg-sunken hover:text-ink',
  strong: 'bg-ink font-medium text-paper hover:opacity-85',
} as const
