type Props = { readonly busy: boolean; readonly children: string; readonly className?: string }

/** The one button that sends a form. While busy it cannot be pressed again, and says so. */
export const SubmitButton = ({ busy, children, className = '' }: Props) => (
  <button
    type="submit"
    disabled={busy}
    className={`inline-flex h-10 items-center justify-center rounded-control bg-ink px-4 text-14 font-medium text-paper transition-opacity hover:opacity-85 disabled:cursor-progress disabled:opacity-60 ${className}`}
  >
    {busy ? 'Loading...' : children}
  </button>
)
