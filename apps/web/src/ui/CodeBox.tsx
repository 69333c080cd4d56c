type Props = { readonly label: string; readonly text: string; readonly className?: string }

/** Text that programs read, as it is; what is longer or wider than its box scrolls. */
export const CodeBox = ({ label, text, className = '' }: Props) => (
  <section
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (WCAG 2.1.1)
    tabIndex={0}
    aria-label={label}
    className={`overflow-auto rounded-control bg-sunken ${className}`}
  >
    <pre className="w-max min-w-full px-3 py-2 font-mono text-12">{text}</pre>
  </section>
)
