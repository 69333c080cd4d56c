/** What stands in the way of what was just sent. */
export const Problem = ({ words }: { readonly words: string | undefined }) =>
  words === undefined ? null : (
    <p role="alert" className="enters rounded-control bg-fault-soft px-3 py-2 text-13">
      {words}
    </p>
  )
