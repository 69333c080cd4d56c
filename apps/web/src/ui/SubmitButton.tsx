type Props = {
  readonly busy: boolean
  readonly children: string
  readonly className?: string
  /** `outline` where sending is not the next step that the page is about. */
  readonly look?: 'strong' | 'outline'
}

/** The one button that sends a form. While busy it cannot be pressed again, and says so. */
export const SubmitButton = ({ busy, children, className = '', look = 'strong' }: Props) => (
  <button
    type="submit"
    disabled={busy}
    className={`inline-flex h-10 items-center justify-center rounded-control px-4 text-14 font-medium disabled:cursor-progress disabled:opacity-60 ${LOOK[look]} ${className}`}
  >
    {busy ? 'Loading...' : children}
  </button>
)

const LOOK = {
  strong: 'bg-ink text-paper transition-opacity hover:opacity-85',
  outline: 'border border-line bg-surface transition-colors hover:border-line-strong',
} as const
