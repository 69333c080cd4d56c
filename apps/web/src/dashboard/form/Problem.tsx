type Props = { readonly words: string | undefined; readonly className?: string }

/** What stands in the way of what was just sent. */
export const ProblemBox = ({ words, className = '' }: Props) =>
  words === undefined ? null : (
    <p role="alert" className={`enters rounded-control bg-fault-soft px-3 py-2 text-13 ${className}`}>
      {words}
    </p>
  )
